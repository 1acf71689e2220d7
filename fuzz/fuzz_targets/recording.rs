//! Any bytes as a recording: the scenario that is made from it keeps the laws.
//!
//! `cargo +nightly fuzz run recording fuzz/corpus/recording fixtures/fuzz/recording`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::recording(bytes));
