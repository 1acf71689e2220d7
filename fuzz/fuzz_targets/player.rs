//! Any bytes as the surroundings of a player without a simulation.
//!
//! `cargo +nightly fuzz run player fuzz/corpus/player fixtures/fuzz/player`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| playsim::testing::fuzz::player(bytes));
