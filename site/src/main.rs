//! Builds the project's site into a folder: `cargo run --manifest-path site/Cargo.toml -- OUT`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use playsim_site::{Options, Part, build};

/// Build the site: front page, book, playground, conformance matrix, error codes, rules and API
/// docs.
///
/// The folder can be put on any static host, also below a path. Every link is checked, nothing is
/// loaded from another host, and no page is larger than 100 kB but for the playground and the API
/// docs.
#[derive(Debug, Parser)]
#[command(name = "playsim-site")]
struct Arguments {
    /// The folder to write. It is replaced if it is a site already
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Leave a part out; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    without: Vec<Part>,
    /// The path at which the site will be served, such as /playsim/. Only the 404 page needs it
    #[arg(long, value_name = "PATH", default_value = "/", value_parser = base)]
    base: String,
}

fn base(word: &str) -> Result<String, String> {
    if !word.is_empty() && !word.starts_with('/')
        || word.contains(['?', '#', ':', ' '])
        || word.starts_with("//")
    {
        return Err("it must be a path like /playsim/".to_owned());
    }
    Ok(format!("{}/", word.trim_end_matches('/')))
}

fn main() -> ExitCode {
    let Arguments { out, without, base } = Arguments::parse();
    match build(&Options { out, without, base }) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
