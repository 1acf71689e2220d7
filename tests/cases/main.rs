//! Tests that are files: adding a scenario, a broken scenario or a document to `fixtures` adds a
//! test.
//!
//! Each module is a folder of fixtures, and its name begins those of its tests.

#![allow(
    clippy::too_many_lines,
    reason = "a test tells one story from beginning to end"
)]

#[cfg(feature = "cli")]
mod scenario_errors;
#[cfg(feature = "cli")]
mod scenarios;
mod vast;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [
        #[cfg(feature = "cli")]
        scenario_errors::trials(),
        #[cfg(feature = "cli")]
        scenarios::trials(),
        vast::trials(),
    ];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}
