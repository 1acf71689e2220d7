//! Any bytes as the response of an ad tag: every law holds.
//!
//! `cargo +nightly fuzz run vast fuzz/corpus/vast fixtures/fuzz/vast`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::vast(bytes));
