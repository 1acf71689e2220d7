//! Any text as the value of each field, and as a list of records.
//!
//! `cargo +nightly fuzz run fields fuzz/corpus/fields fixtures/fuzz/fields`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::fields(bytes));
