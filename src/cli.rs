//! The command line: arguments, files, colours, exit codes.
//!
//! Data goes to standard output, messages go to standard error. All decisions about ads and players
//! are made in the library; this module only calls it and prints the results.
//!
//! [`main`] is the whole command line as a function, so that other programs can contain it: the
//! binary is one call of it, and so is the command of the Python package.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

#[cfg(feature = "serve")]
mod address;
#[cfg(feature = "serve")]
mod catalog;
mod check;
mod code;
mod command_line;
#[cfg(feature = "conform")]
mod conform;
mod decode;
mod diff;
mod explain;
mod explore;
mod failure;
#[cfg(feature = "fetch")]
mod fetch;
mod file;
mod findings;
mod format;
mod fuzz;
mod import;
mod input;
mod interrupt;
mod kind;
mod lines;
mod options;
mod output;
mod playground;
mod process;
mod progress;
mod reading;
mod recorded;
#[cfg(feature = "fetch")]
mod requests;
mod rules;
mod run;
mod save;
#[cfg(feature = "serve")]
mod serve;
mod setting;
mod shell;
mod shorthand;
mod source;
mod starter;
mod sweep;
mod test;
mod vary;
mod vast;
mod waterfall;
#[cfg(feature = "origin")]
mod world;
mod writing;

use playsim_base::{escape, words};

pub use process::Process;
pub use reading::bytes_below;

use output::{Out, Talk};

/// The exit codes of all commands; each command's own help says when it returns which.
const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  a difference, a finding or a failed expectation
  2  invalid input: arguments, scenario or trace
  3  I/O error: a file cannot be read or written
  4  nothing was selected";

/// Returns the exit codes of a command for its help, each with when it is returned. Every command
/// returns 2 for invalid input and 3 for a file that cannot be read or written.
fn exits(codes: &[(Exit, &str)]) -> String {
    let always = [
        (Exit::WrongInput, "invalid input: arguments or files"),
        (Exit::WrongWorld, "a file cannot be read or written"),
    ];
    let is_said = |code: &Exit| codes.iter().any(|(said, _)| said == code);
    let more = always.iter().filter(|(code, _)| !is_said(code));
    let mut all: Vec<&(Exit, &str)> = codes.iter().chain(more).collect();
    all.sort_unstable_by_key(|(code, _)| *code as u8);
    let line = |(code, when): &&(Exit, &str)| format!("\n  {}  {when}", *code as u8);
    format!("Exit codes:{}", all.iter().map(line).collect::<String>())
}

const HELP: &str = "\
{about-with-newline}
{usage-heading}
  playsim FILE               does what most people want with it, and says which command that is
  playsim COMMAND [OPTIONS]  playsim COMMAND --help describes its options
";

/// The commands, by who asks.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "What happened in this recording, and what is in this ad?",
        &["waterfall", "vast", "code", "fetch", "import"],
    ),
    (
        "Does my player, or my page, do what the rules say?",
        &["check", "conform", "world"],
    ),
    (
        "What do the rules ask for?",
        &["new", "demo", "run", "explain", "rules", "diff", "test"],
    ),
    ("What else may happen?", &["explore", "fuzz", "sweep"]),
    ("The video edit API", &["serve", "catalog"]),
    (
        "This command line",
        &["schema", "completions", "man", "help"],
    ),
];

/// Plays ad-supported video players without a browser, on a virtual clock: which ads, events,
/// requests and trackers the rules ask for, and what a recording did otherwise
#[derive(Debug, Parser)]
#[command(
    name = "playsim",
    version,
    long_version = long_version(),
    arg_required_else_help = true,
    help_template = format!("{HELP}{}\nOptions:\n{{options}}{{after-help}}", grouped()),
    after_help = format!("{EXIT_CODES}{}", left_out())
)]
struct Cli {
    /// When to colour messages and differences; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a built-in scenario: a pre-roll that the third tag fills
    Demo(starter::Demo),
    /// Write a first scenario, with its VAST file and a JSON Schema
    New(starter::New),
    /// Play scenarios and print their traces
    Run(run::Run),
    /// Play scenarios, and compare each with its golden trace
    Test(test::Test),
    /// Show where two traces differ, and why, on both sides
    Diff(diff::Diff),
    /// Play random sessions, and make a failing one as small as possible
    Fuzz(fuzz::Fuzz),
    /// Try every order and both sides of every threshold, within bounds
    Explore(Box<explore::Explore>),
    /// Judge a player's trace by its scenario, documents and rules
    Check(check::Check),
    /// Show why a line is in a trace: its causes, each with its rule
    Explain(explain::Explain),
    /// Show whether VAST and VMAP documents play, and what they contain
    Vast(vast::Vast),
    /// Show which tag failed, when and why, in a recording or saved VAST
    Waterfall(Box<waterfall::Waterfall>),
    /// Play a scenario many times with random latencies, into one table
    Sweep(Box<sweep::Sweep>),
    /// Play a suite on real players in a browser, and compare them
    #[cfg(feature = "conform")]
    Conform(conform::Conform),
    /// Ask real ad servers as a player would, without calling a tracker
    #[cfg(feature = "fetch")]
    Fetch(Box<fetch::Fetch>),
    /// Make a scenario, which can be changed, of a recording
    Import(import::Import),
    /// Serve the video edit API over HTTP
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    /// Serve a scenario's ad servers and films to real players
    #[cfg(feature = "origin")]
    World(world::World),
    /// Export the records of the server as JSON, or import them
    #[cfg(feature = "serve")]
    Catalog(catalog::Catalog),
    /// List or search the rules that the player follows, and the knobs
    Rules(rules::Rules),
    /// Explain an error code: causes, who has to act, what helps
    Code(code::Code),
    /// Print a JSON Schema
    Schema(Schema),
    /// Print a script that completes arguments in a shell
    Completions(shell::Completions),
    /// Print the manual page, or write the pages of all commands
    Man(shell::Manual),
}

/// Returns the commands of this build in their groups, for the help.
fn grouped() -> String {
    let app = Command::augment_subcommands(clap::Command::new("playsim"));
    let mut text = String::new();
    for (question, names) in GROUPS {
        let known = names.iter().filter_map(|name| app.find_subcommand(name));
        let lines: Vec<String> = known
            .map(|it| {
                let about = it.get_about().map(ToString::to_string).unwrap_or_default();
                format!("  {:11}  {about}\n", it.get_name())
            })
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{question}\n{}", lines.concat()));
        }
    }
    text
}

#[derive(Debug, clap::Args)]
struct Schema {
    /// The kind of file that the schema describes
    #[arg(value_enum)]
    what: SchemaOf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaOf {
    /// A scenario
    Scenario,
    /// A line of a recording
    Recording,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// The result of a command; the number is the exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Exit {
    #[default]
    AsExpected = 0,
    Difference = 1,
    WrongInput = 2,
    WrongWorld = 3,
    NothingSelected = 4,
    NotTried = 5,
    Interrupted = 130,
}

impl Exit {
    /// The result of a question: yes, or a difference.
    fn of(is_so: bool) -> Exit {
        if is_so {
            Exit::AsExpected
        } else {
            Exit::Difference
        }
    }

    /// Combines the results of two parts of a command: the worse one counts, and `NothingSelected`
    /// only if the other part succeeded.
    fn and(self, other: Exit) -> Exit {
        match (self, other) {
            (Exit::NothingSelected, Exit::AsExpected)
            | (Exit::AsExpected, Exit::NothingSelected) => Exit::NothingSelected,
            (Exit::NothingSelected, other) => other,
            (this, Exit::NothingSelected) => this,
            (this, other) => this.max(other),
        }
    }
}

/// Runs the command that the arguments name, the first of which is the name of the program. Returns
/// the exit code: 0 to 4 as `playsim --help` lists them, and 130 if a signal has ended the command
/// early.
///
/// It reads and writes the standard streams of the process, its files and its environment. A
/// process can run one command after another, but pages that two commands write at once may name
/// the later one as their command.
pub fn main(args: impl IntoIterator<Item = OsString>, process: Process) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let talk = Talk::new(color_of(&args));
    let args = match shorthand::with_command(&args, &talk) {
        Ok(args) => args,
        Err(failure) => return failure.report(&talk) as u8,
    };
    process::begin(&args, process);
    // Usage errors are printed before the arguments are parsed, so the colour is looked up
    // beforehand.
    let color = match color_of(&args) {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let cli = match read(&args, color) {
        Ok(cli) => cli,
        Err(error) => {
            let error = with_proposal(escaped(error, &args, color));
            // If standard error is closed, there is no other place to report to.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(Exit::WrongInput as u8);
        }
    };
    let done = match cli.command {
        Command::Demo(demo) => demo.play(&talk),
        Command::New(new) => new.write(&talk),
        Command::Run(run) => run.play(&talk),
        Command::Test(test) => test.judge(&talk),
        Command::Diff(diff) => diff.print(&talk),
        Command::Fuzz(fuzz) => fuzz.judge(&talk),
        Command::Explore(explore) => explore.run(&talk),
        Command::Check(check) => check.judge(&talk),
        Command::Explain(explain) => explain.print(&talk),
        Command::Vast(vast) => Ok(vast.print(&talk)),
        Command::Waterfall(waterfall) => waterfall.run(&talk),
        Command::Sweep(sweep) => sweep.run(&talk),
        #[cfg(feature = "conform")]
        Command::Conform(conform) => conform.run(&talk),
        #[cfg(feature = "fetch")]
        Command::Fetch(fetch) => fetch.run(&talk),
        Command::Import(import) => import.write(&talk),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve.serve(&talk),
        #[cfg(feature = "origin")]
        Command::World(world) => world.serve(&talk),
        #[cfg(feature = "serve")]
        Command::Catalog(catalog) => catalog.act(&talk),
        Command::Code(code) => code.print(&talk),
        Command::Rules(rules) => rules.print(&talk),
        Command::Schema(Schema { what }) => {
            let schema = match what {
                SchemaOf::Scenario => playsim::scenario::schema(),
                SchemaOf::Recording => playsim::recording::schema(),
            };
            Ok(print(&format!("{schema:#}\n"), &talk))
        }
        Command::Completions(completions) => Ok(completions.print(&talk)),
        Command::Man(manual) => manual.print(&talk),
    };
    done.unwrap_or_else(|failure| failure.report(&talk)) as u8
}

/// Returns the version, and those of the forms that it reads and writes.
fn long_version() -> String {
    let [traces, recordings] = [playsim::trace::VERSION, playsim::trace::RECORDING_VERSION];
    format!(
        "{}\ntrace format {traces}\nrecording format {recordings}",
        env!("CARGO_PKG_VERSION")
    )
}

/// Parses the arguments.
fn read(args: &[OsString], color: ColorChoice) -> Result<Cli, clap::Error> {
    Cli::command()
        .color(color)
        .try_get_matches_from(args)
        .and_then(|matches| Cli::from_arg_matches(&matches))
}

/// Returns the error without control characters from the arguments. Clap's messages quote the
/// arguments and contain colour codes, so the error is created again from the escaped arguments.
/// Rule TRACE-9.
fn escaped(error: clap::Error, args: &[OsString], color: ColorChoice) -> clap::Error {
    let shown: Vec<OsString> = args
        .iter()
        .map(|arg| escape::line(&arg.to_string_lossy()).into_owned().into())
        .collect();
    if shown == args {
        return error;
    }
    match read(&shown, color) {
        Err(same) => same,
        // The escaped arguments are valid, so the first error's message is used, escaped and
        // without colour.
        Ok(_) => Cli::command()
            .color(color)
            .error(error.kind(), escape::lines(&error.render().to_string())),
    }
}

/// The commands that this build lacks, each with the feature that contains it.
const LEFT_OUT: &[(&str, &str)] = &[
    #[cfg(not(feature = "serve"))]
    ("catalog", "serve"),
    #[cfg(not(feature = "conform"))]
    ("conform", "conform"),
    #[cfg(not(feature = "fetch"))]
    ("fetch", "fetch"),
    #[cfg(not(feature = "serve"))]
    ("serve", "serve"),
    #[cfg(not(feature = "origin"))]
    ("world", "origin"),
];

/// Says how to get the commands that this build lacks; empty if it has all.
fn left_out() -> String {
    if LEFT_OUT.is_empty() {
        return String::new();
    }
    format!(
        "\n\nNot in this build: {}. All commands: cargo install --path . --features full",
        joined(LEFT_OUT.iter().map(|(name, _)| name), ", ")
    )
}

/// Returns the error for a command that this build lacks.
fn not_built(word: &str) -> Option<clap::Error> {
    let (name, feature) = LEFT_OUT.iter().find(|(name, _)| *name == word)?;
    Some(Cli::command().error(
        clap::error::ErrorKind::InvalidSubcommand,
        format!(
            "'playsim {name}' is not in this build, which lacks the feature `{feature}`; \
             `cargo install --path . --features full` installs every command, and \
             `cargo run --features {feature} -- {name}` runs this one"
        ),
    ))
}

/// Adds a suggestion to the error if the command is unknown, or says that this build lacks it.
fn with_proposal(mut error: clap::Error) -> clap::Error {
    let proposed = error.get(ContextKind::SuggestedSubcommand).is_some();
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        if let Some(error) = not_built(word) {
            return error;
        }
        if proposed {
            return error;
        }
        let known: Vec<String> = Cli::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect();
        if let Some(meant) = words::nearest(word, known.iter().map(String::as_str)) {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
    }
    error
}

/// Decodes a document as commands do: its byte-order mark or its XML declaration says how it is
/// written, or else it is UTF-8. Also returns whether all bytes are valid; those that are not
/// become U+FFFD.
#[must_use]
pub fn decoded(bytes: &[u8]) -> (String, bool) {
    match decode::whole(bytes) {
        Some(text) => (text, true),
        None => (decode::lossy(bytes).0, false),
    }
}

/// Prints to standard output.
fn print(text: &str, talk: &Talk) -> Exit {
    print_to(None, text, talk)
}

/// Joins words, or whatever is shown as such.
fn joined<T: fmt::Display>(all: impl IntoIterator<Item = T>, between: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|it| it.to_string()).collect();
    all.join(between)
}

/// Prints to a file, or to standard output.
fn print_to(file: Option<PathBuf>, text: &str, talk: &Talk) -> Exit {
    let mut out = Out::to(file);
    out.text(text);
    out.finish(talk)
}

/// Returns what is written.
fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).expect("a string takes everything");
    text
}

/// Returns the output width: `COLUMNS`, or 100.
fn width() -> usize {
    const USUAL: usize = 100;
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    columns.unwrap_or(USUAL)
}

/// Finds the `--color` option in arguments that are not parsed yet.
fn color_of(args: &[OsString]) -> Color {
    let texts = args.iter().map(|arg| arg.to_str().unwrap_or_default());
    let next = texts.clone().skip(1).chain([""]);
    let given = texts
        .zip(next)
        .take_while(|(arg, _)| *arg != "--")
        .find_map(|(arg, next)| {
            if arg == "--color" {
                Some(next)
            } else {
                arg.strip_prefix("--color=")
            }
        });
    given
        .and_then(|word| Color::from_str(word, false).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let app = Cli::command();
        let mut known: Vec<&str> = app.get_subcommands().map(clap::Command::get_name).collect();
        known.extend(LEFT_OUT.iter().map(|(name, _)| *name));
        known.push("help");
        known.sort_unstable();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
        assert!(super::grouped().lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn the_worse_of_two_exit_codes_counts_and_nothing_selected_counts_least() {
        assert_eq!(
            Exit::AsExpected.and(Exit::NothingSelected),
            Exit::NothingSelected
        );
        assert_eq!(
            Exit::NothingSelected.and(Exit::Difference),
            Exit::Difference
        );
        assert_eq!(Exit::WrongWorld.and(Exit::WrongInput), Exit::WrongWorld);
    }
}
