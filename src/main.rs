//! The command line of playsim.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
