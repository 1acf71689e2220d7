//! `playsim demo` and `playsim new`: a demo to start with, and typical failures to look at.

use std::io;
use std::path::PathBuf;

use playsim::scenario::{self, Overrides};
use playsim::trace::{Filter, write_text};
use playsim_base::words::{self, Columns};
use playsim_scenario::{FAILURES, Ready, ready_made, starter};

use super::failure::{Failure, Invalid};
use super::output::{Out, Talk, as_argument};
use super::save::SavedAs;
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
    pub(super) fn play(self, talk: &Talk) -> Result<Exit, Failure> {
        if self.list {
            return Ok(super::print(&list(), talk));
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
    [DEMO]
        .into_iter()
        .chain(FAILURES.iter().map(|ready| ready.name))
}

fn list() -> String {
    let mut list = Columns::new(&["", ""]);
    let first = (DEMO, "three tags: no ad, no response, an ad (the default)");
    let rows = [first]
        .into_iter()
        .chain(FAILURES.iter().map(|ready| (ready.name, ready.about)));
    rows.for_each(|(name, about)| list.row([name, about]));
    list.text()
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
fn play(files: &[(&'static str, &'static str)], next: &str, talk: &Talk) -> Result<Exit, Failure> {
    let (name, text) = files[0];
    let mut load = |path: &str| {
        let file = files.iter().find(|(name, _)| *name == path);
        file.map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    let given = input::read(name, text, &Overrides::default(), &mut load)?;
    let trace = run::play(name, &given.scenario)?;
    let mut out = Out::to(None);
    // `out` keeps a write error for the end.
    let _ = write_text(&trace, &Filter::default(), false, &mut out);
    let is_closed = out.is_closed();
    let exit = out.finish(talk).and(run::judge(name, &given, &trace, talk));
    if !is_closed {
        talk.say(next);
    }
    Ok(exit)
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
        let place = SavedAs::read(&self.name)?;
        let stem = place.stem.as_str();
        let files = match self.from.as_deref().and_then(ready_of) {
            Some(ready) => ready_made(ready, stem),
            None if self.from.is_some() => {
                let shown_to_editors = starter(stem).pop();
                let [(_, demo), (name, ad)] = scenario::demo();
                let files = [
                    (place.file(), demo.to_owned()),
                    (name.to_owned(), ad.to_owned()),
                ];
                files.into_iter().chain(shown_to_editors).collect()
            }
            None => starter(stem),
        };
        let written = place.write(&files, "playsim new")?;
        let first = as_argument(&written[0]);
        talk.say(&format!(
            "wrote {}\nTry next:\n  playsim run {first}",
            written.join(", ")
        ));
        Ok(Exit::AsExpected)
    }
}
