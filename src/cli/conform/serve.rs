//! `playsim conform serve`: the pages of a suite, opened by hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use playsim::conform::stage::{Library, PAGE, Sent, Stage, Staged, StagedSuite};
use playsim::conform::{Case, foreign_hosts};
use playsim::scenario::Overrides;
use playsim::trace::Pattern;
use playsim_base::words::{self, counted, io_error};

use crate::cli::failure::Failure;
use crate::cli::file::has_ending;
use crate::cli::output::Talk;
use crate::cli::world::Listening;
use crate::cli::{Exit, file, input, reading, writing};

/// What is served.
#[derive(Debug, clap::Args)]
pub(super) struct Suite {
    /// Scenarios, and folders with scenarios
    #[arg(required = true, value_name = "SUITE")]
    pub(super) suite: Vec<PathBuf>,
    /// The script that drives the player
    #[arg(long, value_name = "FILE")]
    adapter: PathBuf,
    /// The player's scripts and style sheets (.css), in the order in which the page loads them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    lib: Vec<PathBuf>,
    /// The folder for the recordings: PLAYER/BROWSER/CASE.jsonl
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: PathBuf,
    /// Only these cases, with * as a wildcard, such as 'tag_*'; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only a part of the cases, such as 2/4 for the second of four parts, for several machines
    #[arg(long, value_name = "PART/OF")]
    shard: Option<Shard>,
    #[command(flatten)]
    pub(super) listening: Listening,
}

/// Every n-th case, beginning with one of the first n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shard {
    part: usize,
    of: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err("it must be a part and the number of parts, such as 1/4 to 4/4".to_owned()),
        }
    }
}

const SERVE: &str = "\
The page http://page.test/ lists the cases. Open it in a browser that resolves all hosts *.test to the address in the
first line of standard output. Each page plays its case and sends the recording.

Examples:
  playsim conform serve suite --adapter adapters/shaka.js --lib lib/shaka.js -o recordings
  chromium --host-resolver-rules=\"MAP *.test 127.0.0.1:PORT\" http://page.test/";

#[derive(Debug, clap::Args)]
#[command(after_help = SERVE)]
pub(super) struct Serve {
    #[command(flatten)]
    suite: Suite,
}

/// The result of each recording of a case.
pub(super) type Kept = Arc<Mutex<BTreeMap<(String, u32), KeptFile>>>;

/// A recording that was kept.
#[derive(Debug, Clone)]
pub(super) struct KeptFile {
    pub(super) file: PathBuf,
    /// Why the player could not show the case.
    pub(super) cannot: Option<String>,
    /// The reason why the case was not played as it is written.
    pub(super) problems: Vec<String>,
}

impl Serve {
    pub(super) fn serve(self, talk: &Talk) -> Result<Exit, Failure> {
        let stage = Stage::new(
            self.suite
                .staged(&Kept::default(), talk, Some(talk.color))?,
        );
        let folder = input::name(&self.suite.output);
        self.suite.listening.serve(Arc::new(stage), talk, |at| {
            format!(
                "chromium --host-resolver-rules=\"MAP *.test {at}\" http://{PAGE}/\n\
                 recordings go to {folder}; stop with Ctrl-C"
            )
        })
    }
}

impl Suite {
    /// Reads everything that is served. With a `color`, each recording is reported when it arrives.
    pub(super) fn staged(
        &self,
        kept: &Kept,
        talk: &Talk,
        color: Option<bool>,
    ) -> Result<Arc<StagedSuite>, Failure> {
        let cases = self.cases(talk)?;
        let adapter = input::text(&self.adapter)?;
        let library = |file: &PathBuf| {
            Ok(Library {
                name: file::last(file),
                bytes: input::bytes(file)?.into(),
            })
        };
        let libraries = self
            .lib
            .iter()
            .map(library)
            .collect::<Result<Vec<_>, Failure>>()?;
        let name = file::stem(&self.adapter);
        let (folder, kept) = (self.output.clone(), Arc::clone(kept));
        let keep = move |sent: Sent| {
            let file = write(&folder, &sent)?;
            if let Some(color) = color {
                let why = sent
                    .cannot
                    .as_ref()
                    .map(|why| format!(" (not shown: {why})"));
                let why =
                    why.or_else(|| Some(format!(" (NOT PLAYED: {})", sent.problems.first()?)));
                let line = format!("{}{}", input::name(&file), why.unwrap_or_default());
                Talk::colored(color).say(&playsim_base::escape::line(&line));
            }
            let kept_file = KeptFile {
                file,
                cannot: sent.cannot,
                problems: sent.problems,
            };
            kept.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert((sent.case, sent.run), kept_file);
            Ok(())
        };
        Ok(Arc::new(StagedSuite {
            cases,
            name,
            adapter: adapter.into(),
            libraries,
            keep: Box::new(keep),
        }))
    }

    /// Reads the cases, in the order of their names.
    fn cases(&self, talk: &Talk) -> Result<Vec<Staged>, Failure> {
        let mut cases: BTreeMap<String, (PathBuf, Staged)> = BTreeMap::new();
        for file in self.files()? {
            let name = file::stem(&file);
            let shown = input::name(&file);
            let given = input::scenario(&file, &Overrides::default())?;
            let foreign = foreign_hosts(&given.scenario);
            if !foreign.is_empty() {
                talk.say(&format!(
                    "{shown}: {} cannot be reached; only hosts that end in .test lead to the server",
                    foreign.join(", ")
                ));
            }
            let case = Case::of(&name, given.scenario);
            let case = case.map_err(Failure::about(&shown))?;
            let of_file = file::last(&file);
            if let Some((other, _)) = cases.insert(
                name,
                (
                    file,
                    Staged {
                        case,
                        file: of_file,
                    },
                ),
            ) {
                let text = format!(
                    "{} and {shown} are two cases with the same name",
                    input::name(&other)
                );
                return Err(Failure::Input(text));
            }
        }
        let only: Vec<Pattern> = self.only.iter().map(|text| Pattern::new(text)).collect();
        for (unknown, pattern) in self.only.iter().zip(&only) {
            if cases.keys().any(|name| pattern.matches(name)) {
                continue;
            }
            let known = cases.keys().map(String::as_str);
            return Err(Failure::NothingSelected(
                match words::nearest(unknown, known) {
                    Some(meant) => format!("there is no case {unknown}; did you mean {meant}?"),
                    None => format!(
                        "there is no case {unknown} among {}",
                        counted(cases.len(), "case")
                    ),
                },
            ));
        }
        cases.retain(|name, _| only.is_empty() || only.iter().any(|pattern| pattern.matches(name)));
        let staged = cases.into_values().map(|(_, staged)| staged);
        Ok(match self.shard {
            Some(Shard { part, of }) => staged.skip(part - 1).step_by(of).collect(),
            None => staged.collect(),
        })
    }

    /// The files of the suite.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.suite {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let is_scenario = |file: &Path| file.is_file() && has_ending(file, &["yaml", "yml"]);
            let mut found = reading::files_in(path, is_scenario)?;
            if found.is_empty() {
                let text = format!("{} has no scenarios (.yaml)", input::name(path));
                return Err(Failure::NothingSelected(text));
            }
            files.append(&mut found);
        }
        Ok(files)
    }
}

/// Writes a recording to PLAYER/BROWSER/CASE.jsonl; the second one of a case to CASE.2.jsonl.
fn write(folder: &Path, sent: &Sent) -> Result<PathBuf, String> {
    let folder = folder.join(&sent.player).join(&sent.browser);
    let file = match sent.run {
        1 => folder.join(format!("{}.jsonl", sent.case)),
        run => folder.join(format!("{}.{run}.jsonl", sent.case)),
    };
    let written = std::fs::create_dir_all(&folder).and_then(|()| writing::write(&file, &sent.text));
    written
        .map_err(|error| format!("cannot write {}: {}", input::name(&file), io_error(&error)))?;
    Ok(file)
}
