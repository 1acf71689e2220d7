//! The command line: arguments, files, colours, exit codes.
//!
//! Data goes to standard output, talk to standard error. Everything that is decided about ads and players
//! is decided in the library; here it is only asked for and printed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

#[cfg(feature = "serve")]
mod catalog;
mod decode;
mod determinism;
mod diff;
mod explain;
mod format;
mod input;
mod lines;
mod output;
mod rules;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod setting;
mod source;
mod starter;
mod test;
mod vast;
mod waterfall;

use playsim::words;

use output::{Out, Talk};

const EXIT_CODES: &str = "\
Exit codes:
  0  as expected
  1  a difference, a finding or a failed expectation
  2  the input is wrong: usage, scenario or trace
  3  the world is wrong: a file cannot be read or written
  4  nothing was selected";

/// A headless stand-in for an ad-supported web video player: plays scenarios on a virtual clock and
/// writes exact traces of events, ad requests, wrapper hops and beacons.
#[derive(Debug, Parser)]
#[command(name = "playsim", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    /// When diagnostics and differences are coloured; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a built-in scenario: a pre-roll that the third ad tag fills, or one of the usual failures
    Demo(starter::Demo),
    /// Write a first scenario with its VAST file and the schema for editors
    New(starter::New),
    /// Play scenarios and print their traces
    Run(run::Run),
    /// Play scenarios and compare each with its golden trace
    Test(test::Test),
    /// Show where two traces differ, and what led to it on both sides
    Diff(diff::Diff),
    /// Show what led to a line of a trace, one cause after the other, each with its rule
    Explain(explain::Explain),
    /// Read VAST and VMAP: ads, breaks, wrappers, media, beacons, and every oddity with its place
    Vast(vast::Vast),
    /// Play VAST documents as one waterfall: which tag failed, when, and why
    Waterfall(waterfall::Waterfall),
    /// Serve the edit call over HTTP, with its records in memory or in a file
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    /// A catalog's file as JSON, and back
    #[cfg(feature = "serve")]
    Catalog(catalog::Catalog),
    /// List the rules by which the player behaves, and what each rests on
    Rules(rules::Rules),
    /// Print a JSON Schema
    Schema(Schema),
}

#[derive(Debug, clap::Args)]
struct Schema {
    /// Of which kind of file
    #[arg(value_enum)]
    what: SchemaOf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaOf {
    Scenario,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// How a command ended; the number is the process's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    AsExpected = 0,
    Difference = 1,
    WrongInput = 2,
    WrongWorld = 3,
    NothingSelected = 4,
}

impl Exit {
    /// That of two parts of a command: what is worse, and nothing selected only if all else was well.
    fn and(self, other: Exit) -> Exit {
        match (self, other) {
            (Exit::NothingSelected, Exit::AsExpected) | (Exit::AsExpected, Exit::NothingSelected) => {
                Exit::NothingSelected
            }
            (Exit::NothingSelected, other) => other,
            (this, Exit::NothingSelected) => this,
            (this, other) => this.max(other),
        }
    }
}

/// Does what the arguments of the process say.
pub(crate) fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    // Usage errors are found before the arguments are known.
    let color = match color_of(&args) {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let matches = Cli::command().color(color).try_get_matches_from(args);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            let error = with_proposal(error);
            // Nobody is left to be told if this cannot be printed.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::WrongInput as u8));
        }
    };
    let talk = Talk::new(cli.color);
    let exit = match cli.command {
        Command::Demo(demo) => demo.play(&talk),
        Command::New(new) => new.write(&talk),
        Command::Run(run) => run.play(&talk),
        Command::Test(test) => test.judge(&talk),
        Command::Diff(diff) => diff.print(&talk),
        Command::Explain(explain) => explain.print(&talk),
        Command::Vast(vast) => vast.print(&talk),
        Command::Waterfall(waterfall) => waterfall.print(&talk),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve.serve(&talk),
        #[cfg(feature = "serve")]
        Command::Catalog(catalog) => catalog.act(&talk),
        Command::Rules(rules) => rules.print(&talk),
        Command::Schema(Schema { what: SchemaOf::Scenario }) => {
            print(&format!("{:#}\n", playsim::scenario::schema()), &talk)
        }
    };
    ExitCode::from(exit as u8)
}

/// The error, with the nearest command if one that does not exist was asked for.
fn with_proposal(mut error: clap::Error) -> clap::Error {
    let proposed = error.get(ContextKind::SuggestedSubcommand).is_some();
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand).filter(|_| !proposed)
    {
        let known: Vec<String> =
            Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        if let Some(meant) = words::nearest(word, known.iter().map(String::as_str)) {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
    }
    error
}

/// Prints a text on standard output.
fn print(text: &str, talk: &Talk) -> Exit {
    let mut out = Out::to(None::<PathBuf>);
    out.text(text);
    out.finish(talk)
}

/// How wide a text may be: what the terminal says, or what fits most.
fn width() -> usize {
    const USUAL: usize = 100;
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(USUAL)
}

/// The choice of colour among arguments that were not read yet.
fn color_of(args: &[OsString]) -> Color {
    let texts = args.iter().map(|arg| arg.to_str().unwrap_or_default());
    let next = texts.clone().skip(1).chain([""]);
    let given = texts
        .zip(next)
        .take_while(|(arg, _)| *arg != "--")
        .find_map(|(arg, next)| if arg == "--color" { Some(next) } else { arg.strip_prefix("--color=") });
    given.and_then(|word| Color::from_str(word, false).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_worse_of_two_exits_counts_and_nothing_selected_least() {
        assert_eq!(Exit::AsExpected.and(Exit::NothingSelected), Exit::NothingSelected);
        assert_eq!(Exit::NothingSelected.and(Exit::Difference), Exit::Difference);
        assert_eq!(Exit::WrongWorld.and(Exit::WrongInput), Exit::WrongWorld);
    }
}
