//! `playsim conform serve` and `run`: the pages of a suite, opened by hand or by a browser driver.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use playsim::conform::stage::{DRIVER, Library, PAGE, Sent, Stage, Staged};
use playsim::conform::{Case, foreign_hosts};
use playsim::internal::words::{self, counted, io_error};
use playsim::scenario::Overrides;
use serde_json::{Value as Json, json};

use crate::cli::failure::Failure;
use crate::cli::file::has_ending;
use crate::cli::output::Talk;
use crate::cli::world::Listening;
use crate::cli::{Exit, input};

/// What is served.
#[derive(Debug, clap::Args)]
pub(super) struct Suite {
    /// Scenarios, and folders with scenarios
    #[arg(required = true, value_name = "SUITE")]
    suite: Vec<PathBuf>,
    /// The script that drives the player
    #[arg(long, value_name = "FILE")]
    adapter: PathBuf,
    /// The player's scripts and style sheets (.css), in the order in which the page loads them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    lib: Vec<PathBuf>,
    /// The folder for the recordings: PLAYER/CASE.jsonl
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Only this case; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    listening: Listening,
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

const RUN: &str = "\
Needs Node 20 and the package playwright-core or playwright, in the node_modules of the current folder or of
--driver-folder: npm install playwright-core

Examples:
  playsim conform run suite --adapter adapters/shaka.js --lib lib/shaka.js -o recordings
  playsim conform run suite/pre_roll.yaml --adapter adapters/element.js -o recordings --chromium /usr/bin/chromium

Exit codes:
  0  each case has a recording
  1  a case has none
  2  invalid input: arguments or scenarios
  3  Node, Playwright or the browser is missing, or a file cannot be written";

#[derive(Debug, clap::Args)]
#[command(after_help = RUN)]
pub(super) struct Run {
    #[command(flatten)]
    suite: Suite,
    /// The browser [default: the one that Playwright has installed]
    #[arg(long, value_name = "FILE")]
    chromium: Option<PathBuf>,
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
    /// The folder whose node_modules has playwright-core or playwright [default: the current one]
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    driver_folder: PathBuf,
}

/// What became of each case: the file of its recording, and why the player could not show it.
type Kept = Arc<Mutex<BTreeMap<String, (PathBuf, Option<String>)>>>;

impl Serve {
    pub(super) fn serve(self, talk: &Talk) -> Result<Exit, Failure> {
        let stage = self.suite.stage(&Kept::default(), talk, Some(talk.color))?;
        let folder = input::name(&self.suite.output);
        self.suite.listening.serve(Arc::new(stage), talk, |at| {
            format!(
                "chromium --host-resolver-rules=\"MAP *.test {at}\" http://{PAGE}/\n\
                 recordings go to {folder}; stop with Ctrl-C"
            )
        })
    }
}

impl Run {
    pub(super) fn run(self, talk: &Talk) -> Result<Exit, Failure> {
        let kept = Kept::default();
        let stage = self.suite.stage(&kept, talk, None)?;
        let names = stage.names();
        let server = self.suite.listening.open()?;
        let log = match self.suite.listening.has_log() {
            true => self.suite.listening.log(talk)?,
            false => Arc::new(|_: &_| {}),
        };
        let given = json!({
            "url": format!("http://{}", server.address()),
            "cases": names,
            "executable": self.chromium,
            "headed": self.headed,
            "modules": self.driver_folder,
        });
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let serving = std::thread::spawn(move || {
            server.run(Arc::new(stage), log, async {
                // A sender that is dropped is an end, too.
                let _ = ended.await;
            });
        });
        let result = self.drive(&given, &names, &kept, talk);
        let _ = end.send(());
        let _ = serving.join();
        result
    }

    /// Runs the driver, and prints a line for each case as it ends.
    fn drive(&self, given: &Json, names: &[String], kept: &Kept, talk: &Talk) -> Result<Exit, Failure> {
        let mut node = Driver(start(given)?);
        let Some(said) = node.0.stdout.take() else { return Err(no_driver("it has no output")) };
        let width = names.iter().map(String::len).max().unwrap_or_default();
        let (mut missing, mut seen) = (0, 0);
        for line in BufReader::new(said).lines() {
            let line = line.map_err(|error| no_driver(&io_error(&error)))?;
            let Ok(case) = serde_json::from_str::<Json>(&line) else {
                talk.say(&line);
                continue;
            };
            seen += 1;
            let name = case["name"].as_str().unwrap_or_default();
            let problem = case["problem"].as_str();
            let recorded = kept.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
            let told = match (recorded, problem) {
                (Some((_, Some(cannot))), _) => format!("not shown: {cannot}"),
                (Some((file, None)), _) => input::name(&file),
                (None, problem) => {
                    missing += 1;
                    format!("no recording: {}", problem.unwrap_or("the page did not send one"))
                }
            };
            let seconds = &case["seconds"];
            // A closed standard output must not stop the run.
            let line = playsim::internal::escape::line(&told).into_owned();
            let _ = writeln!(io::stdout().lock(), "{name:width$} {seconds:>7} s  {line}");
        }
        let status = node.0.wait().map_err(|error| no_driver(&io_error(&error)))?;
        if !status.success() && seen < names.len() {
            let text = "the browser driver stopped; its message is above. Install Playwright's own browser with \
                        npx playwright install chromium, or name another one with --chromium FILE";
            return Err(Failure::Io(text.to_owned()));
        }
        missing += names.len() - seen.min(names.len());
        talk.say(&format!(
            "{} of {} in {}",
            counted(names.len() - missing, "recording"),
            counted(names.len(), "case"),
            input::name(&self.suite.output)
        ));
        Ok(if missing == 0 { Exit::AsExpected } else { Exit::Difference })
    }
}

/// The driver's process; it ends with this command.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the driver with what it is given.
fn start(given: &Json) -> Result<Child, Failure> {
    // The script is an argument, so that standard input is free for what it is given.
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", DRIVER]);
    let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            let text = "Node is not installed: no program node is on the path. Install Node 20 or newer, or open the \
                        pages by hand with playsim conform serve";
            return Failure::Io(text.to_owned());
        }
        no_driver(&io_error(&error))
    })?;
    let sent = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(given.to_string().as_bytes()));
    sent.map_err(|error| no_driver(&io_error(&error)))?;
    Ok(child)
}

fn no_driver(why: &str) -> Failure {
    Failure::Io(format!("the browser driver cannot be run: {why}"))
}

impl Suite {
    /// Reads everything that is served. With a `color`, each recording is reported when it arrives.
    fn stage(&self, kept: &Kept, talk: &Talk, color: Option<bool>) -> Result<Stage, Failure> {
        let cases = self.cases(talk)?;
        let adapter = input::text(&self.adapter)?;
        let library = |file: &PathBuf| {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok(Library { name, bytes: input::bytes(file)?.into() })
        };
        let libraries = self.lib.iter().map(library).collect::<Result<Vec<_>, Failure>>()?;
        let (folder, kept) = (self.output.clone(), Arc::clone(kept));
        let keep = move |sent: Sent| {
            let file = write(&folder, &sent)?;
            if let Some(color) = color {
                let why = sent.cannot.as_ref().map(|why| format!(" (not shown: {why})")).unwrap_or_default();
                Talk::colored(color).say(&format!("{}{why}", input::name(&file)));
            }
            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(sent.case, (file, sent.cannot));
            Ok(())
        };
        Ok(Stage::new(cases, adapter, libraries, Box::new(keep)))
    }

    /// Reads the cases, in the order of their names.
    fn cases(&self, talk: &Talk) -> Result<Vec<Staged>, Failure> {
        let mut cases: BTreeMap<String, (PathBuf, Staged)> = BTreeMap::new();
        for file in self.files()? {
            let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
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
            let case = case.map_err(|error| Failure::Input(format!("{shown}: {error}")))?;
            let of_file =
                file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if let Some((other, _)) = cases.insert(name, (file, Staged { case, file: of_file })) {
                let text = format!("{} and {shown} are two cases with the same name", input::name(&other));
                return Err(Failure::Input(text));
            }
        }
        if let Some(unknown) = self.only.iter().find(|name| !cases.contains_key(*name)) {
            let known = cases.keys().map(String::as_str);
            return Err(Failure::NothingSelected(match words::nearest(unknown, known) {
                Some(meant) => format!("there is no case {unknown}; did you mean {meant}?"),
                None => format!("there is no case {unknown} among {}", counted(cases.len(), "case")),
            }));
        }
        cases.retain(|name, _| self.only.is_empty() || self.only.contains(name));
        Ok(cases.into_values().map(|(_, staged)| staged).collect())
    }

    /// The files of the suite.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.suite {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let failed =
                |error| Failure::Io(format!("cannot read {}: {}", input::name(path), io_error(&error)));
            let mut found = Vec::new();
            for entry in std::fs::read_dir(path).map_err(failed)? {
                found.push(entry.map_err(failed)?.path());
            }
            found.retain(|file| file.is_file() && has_ending(file, &["yaml", "yml"]));
            if found.is_empty() {
                let text = format!("{} has no scenarios (.yaml)", input::name(path));
                return Err(Failure::NothingSelected(text));
            }
            found.sort();
            files.append(&mut found);
        }
        Ok(files)
    }
}

/// Writes a recording to PLAYER/CASE.jsonl.
fn write(folder: &Path, sent: &Sent) -> Result<PathBuf, String> {
    let folder = folder.join(&sent.player);
    let file = folder.join(format!("{}.jsonl", sent.case));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &sent.text));
    written.map_err(|error| format!("cannot write {}: {}", input::name(&file), io_error(&error)))?;
    Ok(file)
}
