//! The `playsim` binary.

use std::process::ExitCode;

use playsim::cli::{self, Process};

fn main() -> ExitCode {
    ExitCode::from(cli::main(std::env::args_os(), Process::Own))
}
