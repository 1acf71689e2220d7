//! Any bytes as the body of an edit: refused without a change, or kept as it reads back.
//!
//! `cargo +nightly fuzz run form fuzz/corpus/form fixtures/fuzz/form`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::form(bytes));
