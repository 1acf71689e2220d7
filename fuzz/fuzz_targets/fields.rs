//! Any string as the value of each field: dates, lists, flags, URLs. An accepted value is kept as it was read.
//!
//! `cargo +nightly fuzz run fields`

#![no_main]

use libfuzzer_sys::fuzz_target;
use playsim::catalog::{Source, fields};
use playsim::knobs::Knobs;
use playsim::internal::serve::read_records;

fuzz_target!(|text: &str| {
    let mut lenient = Knobs::default();
    for (name, value) in
        [("edit.date_digits", "lenient"), ("edit.empty_integer", "unset"), ("edit.geo_list", "any_two_letters")]
    {
        lenient.set(name, value).expect("the knob is there and takes it");
    }
    for knobs in [Knobs::default(), lenient] {
        let source = Source::Call { knobs: &knobs, channels: Some(&[7]) };
        for field in fields() {
            let _ = field.kind.read(text, source);
        }
    }
    // The same text as a list of records.
    if let Ok(catalog) = read_records(text) {
        let again = playsim::internal::serve::write_records(&catalog);
        assert_eq!(read_records(&again), Ok(catalog));
    }
});
