//! Tests that are files: adding a scenario, a broken scenario or a document to `fixtures` adds a
//! test.
//!
//! Each module is a folder of fixtures, and its name begins those of its tests; that of `corpus` is
//! a folder outside of the project.

#![allow(
    clippy::too_many_lines,
    reason = "a test tells one story from beginning to end"
)]

mod corpus;
#[path = "../shared/json_schema.rs"]
mod json_schema;
mod scenario_errors;
mod scenarios;
mod vast;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [
        scenario_errors::trials(),
        scenarios::trials(),
        vast::trials(),
        corpus::trials(),
    ];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}
