//! Any bytes as the text of a scenario: it is refused, or every law holds.
//!
//! `cargo +nightly fuzz run scenario fuzz/corpus/scenario fixtures/fuzz/scenario`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::text(bytes));
