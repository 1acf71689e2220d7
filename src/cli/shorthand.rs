//! `playsim FILE`: puts the command before a file that most people want for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::failure::{Failure, bail};
use super::file::has_ending;
use super::kind::Kind;
use super::output::{Talk, as_argument};
use super::{Cli, LEFT_OUT, input, recorded, test, waterfall};

/// Puts the command that reads a file before it, if the first word of the arguments is a file and
/// no command. Says so on standard error.
pub(super) fn with_command(args: &[OsString], talk: &Talk) -> Result<Vec<OsString>, Failure> {
    let Some(at) = first_word(args) else {
        return Ok(args.to_vec());
    };
    let word = args[at].to_string_lossy();
    let app = Cli::command();
    let is_command = app.get_subcommands().any(|it| it.get_name() == word)
        || LEFT_OUT.iter().any(|(name, _)| *name == word)
        || word == "help";
    let path = PathBuf::from(&args[at]);
    let is_path = path.exists() || word.contains(['/', '\\', '.']) && !word.contains("://");
    if is_command || !is_path {
        return Ok(args.to_vec());
    }
    let kind = kind_of(&path)?;
    let path = if kind == Kind::Text {
        scenario_of(&path)?
    } else {
        path
    };
    let command = kind.command();
    talk.say(&format!(
        "{} is {}: playsim {command} {}",
        input::name(Path::new(&args[at])),
        kind.words(),
        input::argument(&path)
    ));
    let mut args = args.to_vec();
    args[at] = path.into_os_string();
    args.insert(at, command.into());
    Ok(args)
}

/// Returns the index of the first argument that is no option.
fn first_word(args: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        match arg.to_str() {
            Some("--color") => at += 2,
            Some(text) if text.starts_with("--color=") => at += 1,
            Some(text) if text.starts_with('-') => return None,
            Some(_) | None => return Some(at),
        }
    }
    None
}

/// Returns the scenario of a golden trace.
fn scenario_of(trace: &Path) -> Result<PathBuf, Failure> {
    let beside = ["yaml", "yml", "json"].map(|ending| trace.with_extension(ending));
    let found = beside.into_iter().find(|file| file.is_file());
    found.filter(|_| has_ending(trace, &["trace"])).ok_or_else(|| {
        let name = input::name(trace);
        Failure::Input(format!(
            "{name} is a trace in text form, without a scenario beside it: playsim diff compares it with \
             another trace; playsim run --format jsonl writes traces that playsim check can judge"
        ))
    })
}

/// Returns what a file or folder is.
fn kind_of(path: &Path) -> Result<Kind, Failure> {
    let word = path.to_string_lossy();
    let name = input::name(path);
    if path.is_dir() {
        let has_scenarios = test::has_scenarios(path);
        let has_recordings = waterfall::has_recordings(path);
        return match (has_scenarios, has_recordings) {
            (true, false) => Ok(Kind::Scenarios),
            (false, true) => Ok(Kind::Recordings),
            (true, true) => bail!(
                "{name} has scenarios and recordings: playsim test {0} plays the scenarios, \
                 playsim waterfall {0} makes one table of the recordings",
                as_argument(&name)
            ),
            (false, false) => bail!(
                "{name} has neither scenarios (.yaml, .json) nor recordings (.har, .chlsj, .chlsx)"
            ),
        };
    }
    if path.is_file() && recorded::is_recording(&word) {
        return Ok(Kind::Recording);
    }
    recorded::check_form(&word)?;
    let text = input::text(path)?;
    Kind::of_text(path, &text).ok_or_else(|| {
        Failure::Input(format!(
            "{name} is nothing that playsim knows: no scenario, trace, recording (HTTP archive), VAST or \
             VMAP document"
        ))
    })
}
