//! Compares the macros of the standard with its table: none is missing, and each is filled in a
//! trace.
//!
//! Rules: MAC-1, MAC-4.

use playsim_vast::standard_macros::is_standard;
use serde_json::Value;

pub(crate) const TESTS: &[(&str, fn())] =
    crate::corpus::tests![every_macro_of_the_table_is_filled_in_a_trace,];

/// The committed trace that requests every macro, in ad tags, wrappers and trackers.
const TRACE: &str =
    include_str!("../../../fixtures/scenarios/macros/every_macro_with_page_values_is_filled.snap");

fn every_macro_of_the_table_is_filled_in_a_trace() {
    let text = std::fs::read_to_string(crate::corpus::folder().join("tables/macros.json"))
        .expect("the table can be read");
    let table: Value = serde_json::from_str(&text).expect("the table is JSON");
    let rows = table["macros"].as_array().expect("the table has rows");
    assert_eq!(rows.len(), 59);
    for name in rows
        .iter()
        .map(|row| row["name"].as_str().expect("a row has a name"))
    {
        assert!(is_standard(name), "{name} is not known");
        let asked: Vec<&str> = TRACE.matches(&*format!("{name}=")).collect();
        assert!(
            asked.len() >= 4,
            "{name} is used in tag, wrapper and trackers"
        );
        assert!(
            !TRACE.contains(&format!("[{name}]")),
            "{name} is left as written"
        );
    }
}
