//! `playsim demo` and `playsim new`: a demo to start with, and typical failures to look at.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use playsim::internal::scenario::{FAILURES, Ready, ready_made, starter};
use playsim::internal::words::{self, io_error};
use playsim::scenario::{self, Overrides};
use playsim::trace::{Filter, write_text};

use super::failure::{Failure, Invalid};
use super::output::{Out, Talk, as_argument};
use super::{Exit, input, run};

const TRY_NEXT: &str = "
Above: > call, : listener, < answer, @ clock, ? request, ! beacon, * decision; a bare word is an event.
Try next:
  playsim new first                  write a scenario of your own
  playsim run first.yaml             play it
  playsim run first.yaml --view ads  show only ad requests, decisions, breaks and beacons
  playsim run first.yaml --why       show the rule that decided each line
  playsim rules REQ                  list the rules of ad requests";

/// The scenario that `demo` plays by default.
const DEMO: &str = "waterfall";

#[derive(Debug, clap::Args)]
pub(super) struct Demo {
    /// The scenario to play, see --list
    #[arg(default_value = DEMO, hide_default_value = true, value_parser = ready, value_name = "NAME")]
    name: String,
    /// List the built-in scenarios with their results
    #[arg(long)]
    list: bool,
}

impl Demo {
    /// Plays a built-in scenario, or lists them.
    pub(super) fn play(self, talk: &Talk) -> Exit {
        if self.list {
            return super::print(&list(), talk);
        }
        match ready_of(&self.name) {
            None => play(&scenario::demo(), TRY_NEXT, talk),
            Some(ready) => {
                let name = ready.name;
                let next = format!(
                    "\nTry next:\n  playsim new {name} --from {name}   write it to files, to change it"
                );
                play(ready.files, &next, talk)
            }
        }
    }
}

/// Returns the names of the built-in scenarios.
fn names() -> impl Iterator<Item = &'static str> + Clone {
    [DEMO].into_iter().chain(FAILURES.iter().map(|ready| ready.name))
}

fn list() -> String {
    let width = names().map(str::len).max().unwrap_or(0);
    let first = (DEMO, "three tags: no ad, no response, an ad (the default)");
    let rows = [first].into_iter().chain(FAILURES.iter().map(|ready| (ready.name, ready.about)));
    rows.map(|(name, about)| format!("{name:width$}  {about}\n")).collect()
}

/// Parses the name of a built-in scenario. Hyphens count as underscores, and case is ignored.
fn ready(word: &str) -> Result<String, Invalid> {
    let name = word.to_lowercase().replace('-', "_");
    match names().find(|known| *known == name) {
        Some(known) => Ok(known.to_owned()),
        None => Err(Invalid(words::unknown("built-in scenario", word, names()))),
    }
}

fn ready_of(name: &str) -> Option<&'static Ready> {
    FAILURES.iter().find(|ready| ready.name == name)
}

/// Plays a scenario from its files, and prints what to try next.
fn play(files: &[(&'static str, &'static str)], next: &str, talk: &Talk) -> Exit {
    let (name, text) = files[0];
    let mut load = |path: &str| {
        let file = files.iter().find(|(name, _)| *name == path);
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let played = input::read(name, text, &Overrides::default(), &mut load)
        .and_then(|given| run::play(name, &given.scenario).map(|trace| (given, trace)));
    let (given, trace) = match played {
        Ok(played) => played,
        Err(fault) => return fault.report(talk),
    };
    let mut out = Out::to(None);
    // `out` keeps a write error for the end.
    let _ = write_text(&trace, &Filter::default(), false, &mut out);
    let is_closed = out.is_closed();
    let exit = out.finish(talk).and(run::judge(name, &given, &trace, talk));
    if !is_closed {
        talk.say(next);
    }
    exit
}

#[derive(Debug, clap::Args)]
pub(super) struct New {
    /// The scenario's name; writes NAME.yaml, its documents and scenario.schema.json
    name: PathBuf,
    /// Start from a built-in scenario, see playsim demo --list
    #[arg(long, value_name = "NAME", value_parser = ready)]
    from: Option<String>,
}

impl New {
    /// Writes the files, unless one of them exists already.
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        let stem = self.name.file_name().and_then(|name| name.to_str());
        let stem =
            stem.map(|name| name.strip_suffix(".yaml").unwrap_or(name)).filter(|stem| !stem.is_empty());
        let Some(stem) = stem else {
            return Err(Failure::Input(format!(
                "\"{}\" is not a valid scenario name; use a file name such as first",
                input::name(&self.name)
            )));
        };
        let folder = self.name.parent().unwrap_or(Path::new(""));
        let files = match self.from.as_deref().and_then(ready_of) {
            Some(ready) => ready_made(ready, stem),
            None if self.from.is_some() => {
                let shown_to_editors = starter(stem).pop();
                let [(_, demo), (name, ad)] = scenario::demo();
                let files = [(format!("{stem}.yaml"), demo.to_owned()), (name.to_owned(), ad.to_owned())];
                files.into_iter().chain(shown_to_editors).collect()
            }
            None => starter(stem),
        };
        let written = write_files(folder, &files)?;
        let first = as_argument(&written[0]);
        talk.say(&format!("wrote {}\nTry next:\n  playsim run {first}", written.join(", ")));
        Ok(Exit::AsExpected)
    }
}

/// Writes the files of a scenario, the scenario itself first, and returns the names of the written files.
/// Another file that already exists with the same content is kept.
fn write_files(folder: &Path, files: &[(String, String)]) -> Result<Vec<String>, Failure> {
    let cannot = |path: &Path, error: &io::Error| {
        Failure::Io(format!("cannot write {}: {}", input::name(path), io_error(error)))
    };
    let mut missing = Vec::new();
    for (index, (name, content)) in files.iter().enumerate() {
        let path = folder.join(name);
        match fs::read(&path) {
            Ok(there) if index > 0 && there == content.as_bytes() => {}
            Ok(_) if index > 0 => {
                return Err(Failure::Io(format!(
                    "{} already exists with other content; nothing was written. Choose an empty folder, \
                     such as playsim new trials/{}",
                    input::name(&path),
                    files[0].0.trim_end_matches(".yaml"),
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push((path, content)),
            Ok(_) => {
                let text = format!("{} already exists; nothing was written", input::name(&path));
                return Err(Failure::Io(text));
            }
            Err(error) => return Err(cannot(&path, &error)),
        }
    }
    let mut written = Vec::new();
    for (path, content) in missing {
        create(&path, content).map_err(|error| cannot(&path, &error))?;
        written.push(input::name(&path));
    }
    Ok(written)
}

fn create(path: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
}
