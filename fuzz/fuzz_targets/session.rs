//! Any bytes as the choices of a session: every law holds.
//!
//! `cargo +nightly fuzz run session fuzz/corpus/session fixtures/fuzz/session`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::session(bytes));
