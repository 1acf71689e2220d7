//! `playsim conform run`: the pages of a suite, opened by the driver of a browser.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, PoisonError};

use clap::ValueEnum;
use data_encoding::BASE64;
use playsim::conform::stage::{DRIVER, Stage, StagedSuite};
use playsim::recording::Recording;
use playsim_base::words::{counted, io_error, padded, width};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::serve::{Kept, KeptFile, Suite};
use crate::cli::failure::Failure;
use crate::cli::output::Talk;
use crate::cli::{Exit, input, writing};

const RUN: &str = "\
Needs Node 20, and in the node_modules of the current folder or of --driver-folder:
  chromium  playwright-core: npm install playwright-core
  firefox   puppeteer-core: npm install puppeteer-core
  webkit    no package, but the program WebKitWebDriver (Debian: webkit2gtk-driver), and without a display Xvfb

Examples:
  playsim conform run suite --adapter adapters/shaka.js --lib lib/shaka.js -o recordings
  playsim conform run suite --adapter adapters/shaka.js --lib lib/shaka.js -o recordings --browser firefox --jobs 4
  playsim conform run suite --adapter adapters/element.js -o recordings --only 'seek_*' --repeat 3
  playsim conform report recordings --suite suite

Exit codes:
  0  each case was played, or needs what the player does not have
  1  a case was not played: it has no recording, the adapter has a fault, or a step was never taken
  2  invalid input: arguments or scenarios
  3  Node, its packages or the browser are missing, or a file cannot be written";

#[derive(Debug, clap::Args)]
#[command(after_help = RUN)]
pub(super) struct Run {
    #[command(flatten)]
    suite: Suite,
    /// The browser
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    browser: Browser,
    /// The file of the browser, or for webkit of its driver
    /// [default: the browser that Playwright has installed, or the one on the path]
    #[arg(long, value_name = "FILE")]
    executable: Option<PathBuf>,
    /// How many cases are played side by side, each in a browser of its own
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// How often each case is played; the report says which results differ
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Make no screenshots
    #[arg(long)]
    no_screenshots: bool,
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
    /// The folder whose node_modules has the driver's package [default: the current one]
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    driver_folder: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Browser {
    #[default]
    Chromium,
    Firefox,
    Webkit,
}

/// A case to play, and which recording of it this is.
#[derive(Debug, Clone, Serialize)]
struct Due {
    name: String,
    run: u32,
}

/// The driver's report on a case.
#[derive(Debug, Deserialize)]
struct Played {
    name: String,
    run: u32,
    seconds: Json,
    problem: Option<String>,
    #[serde(default)]
    shots: Vec<Shot>,
}

/// A screenshot.
#[derive(Debug, Deserialize)]
struct Shot {
    /// Microseconds since the recorder started.
    at: u64,
    /// Its kind, in one word.
    of: String,
    #[serde(rename = "type")]
    ending: String,
    /// The file in base64.
    data: String,
}

impl Run {
    pub(super) fn run(self, talk: &Talk) -> Result<Exit, Failure> {
        let kept = Kept::default();
        let suite = self.suite.staged(&kept, talk, None)?;
        let names = suite
            .cases
            .iter()
            .map(|staged| staged.case.name.to_string());
        let once: Vec<String> = names.collect();
        let due: Vec<Due> = (1..=self.repeat)
            .flat_map(|run| {
                once.iter().map(move |name| Due {
                    name: name.clone(),
                    run,
                })
            })
            .collect();
        let jobs = due.len().min(self.jobs as usize).max(1);
        let servers = self.servers(&suite, jobs, talk)?;
        let given = json!({
            "urls": servers.iter().map(|server| server.url.as_str()).collect::<Vec<_>>(),
            "cases": due,
            "browser": self.browser,
            "executable": self.executable,
            "headed": self.headed,
            "shots": !self.no_screenshots,
            "modules": self.driver_folder,
        });
        let result = self.drive(&given, &due, &kept, talk);
        for server in servers {
            server.stop();
        }
        result
    }

    /// Starts a server for each job, which plays one case at a time.
    fn servers(
        &self,
        suite: &Arc<StagedSuite>,
        jobs: usize,
        talk: &Talk,
    ) -> Result<Vec<Serving>, Failure> {
        let listening = &self.suite.listening;
        let log = if listening.has_log() {
            listening.log(talk)?
        } else {
            Arc::new(|_: &_| {})
        };
        let mut servers = Vec::new();
        for job in 0..jobs {
            let server = if job == 0 {
                listening.open()?
            } else {
                listening.open_another()?
            };
            let url = format!("http://{}", server.address());
            let (end, ended) = tokio::sync::oneshot::channel::<()>();
            let (stage, log) = (Arc::new(Stage::new(Arc::clone(suite))), Arc::clone(&log));
            let thread = std::thread::spawn(move || {
                server.run(stage, log, async {
                    // A sender that is dropped is an end, too.
                    let _ = ended.await;
                });
            });
            servers.push(Serving { url, end, thread });
        }
        Ok(servers)
    }

    /// Runs the driver, and prints a line for each case as it ends.
    fn drive(&self, given: &Json, due: &[Due], kept: &Kept, talk: &Talk) -> Result<Exit, Failure> {
        let mut node = Driver(start(given)?);
        let Some(said) = node.0.stdout.take() else {
            return Err(no_driver("it has no output"));
        };
        let longest = due
            .iter()
            .map(|due| width(&due.name))
            .max()
            .unwrap_or_default();
        let mut sums = Sums::default();
        for line in BufReader::new(said).lines() {
            let line = line.map_err(|error| no_driver(&io_error(&error)))?;
            let Ok(played) = serde_json::from_str::<Played>(&line) else {
                talk.say(&line);
                continue;
            };
            let key = (played.name.clone(), played.run);
            let recorded = kept
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get(&key)
                .cloned();
            if let Some(recorded) = &recorded {
                keep_shots(&recorded.file, &played.shots)?;
            }
            let told = sums.count(recorded.as_ref(), played.problem.as_deref());
            let (name, seconds) = (padded(&played.name, longest), &played.seconds);
            let line = playsim_base::escape::line(&told).into_owned();
            // A closed standard output must not stop the run.
            let _ = writeln!(io::stdout().lock(), "{name} {seconds:>7} s  {line}");
        }
        let status = node
            .0
            .wait()
            .map_err(|error| no_driver(&io_error(&error)))?;
        if !status.success() && sums.seen < due.len() {
            return Err(Failure::Io(
                "the browser driver stopped; its message is above".to_owned(),
            ));
        }
        let missing = sums.missing + due.len().saturating_sub(sums.seen);
        sums.unplayed = unplayed(kept)?;
        talk.say(&self.summary(&sums, due.len(), missing));
        Ok(Exit::of(missing + sums.unplayed == 0))
    }

    fn summary(&self, sums: &Sums, due: usize, missing: usize) -> String {
        let folder = input::name(&self.suite.output);
        let mut text = format!(
            "{} of {due} in {folder}",
            counted(due - missing, "recording")
        );
        if sums.unplayed > 0 {
            text.push_str(&format!(
                "; {} NOT PLAYED as written: what kept them from it is the adapter's or the page's, and says nothing \
                 about the player until it is mended",
                counted(sums.unplayed, "case")
            ));
        }
        let suite: Vec<String> = self
            .suite
            .suite
            .iter()
            .map(|path| input::name(path))
            .collect();
        let suite = suite.first().map_or("", String::as_str);
        format!(
            "{text}\nTry next: playsim conform report {folder} --suite {suite} --format html -o report.html"
        )
    }
}

/// How many cases went which way.
#[derive(Debug, Default)]
struct Sums {
    seen: usize,
    /// Those without a recording.
    missing: usize,
    /// Those that something kept from being played as written.
    unplayed: usize,
}

impl Sums {
    /// Counts a case, and returns what became of it.
    fn count(&mut self, recorded: Option<&KeptFile>, problem: Option<&str>) -> String {
        self.seen += 1;
        match (recorded, problem) {
            (
                Some(KeptFile {
                    cannot: Some(cannot),
                    ..
                }),
                _,
            ) => format!("not shown: {cannot}"),
            (Some(KeptFile { problems, .. }), _) if !problems.is_empty() => {
                format!(
                    "NOT PLAYED, as far as this case shows: {}",
                    problems.join("; ")
                )
            }
            (Some(KeptFile { file, .. }), _) => input::name(file),
            (None, problem) => {
                self.missing += 1;
                format!(
                    "no recording: {}",
                    problem.unwrap_or("the page did not send one")
                )
            }
        }
    }
}

/// How many cases were not played as they are written, as the report counts them: a button that
/// one case did not find is the player's doing if another case found it.
fn unplayed(kept: &Kept) -> Result<usize, Failure> {
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let shown = kept.values().filter(|it| it.cannot.is_none());
    let recordings: Vec<Recording> = shown
        .map(|it| {
            Recording::read(&input::name(&it.file), &input::found_text(&it.file)?)
                .map_err(Failure::input)
        })
        .collect::<Result<_, Failure>>()?;
    let played = playsim::conform::are_played(&recordings);
    Ok(played.iter().filter(|is_played| !*is_played).count())
}

/// Writes the screenshots of a recording to a folder next to it:
/// `CASE.shots/MICROSECONDS_WORD.jpg`.
fn keep_shots(recording: &Path, shots: &[Shot]) -> Result<(), Failure> {
    let folder = recording.with_extension("shots");
    // Those of an earlier recording.
    let _ = fs::remove_dir_all(&folder);
    if shots.is_empty() {
        return Ok(());
    }
    let failed = || Failure::cannot("write", &folder);
    fs::create_dir_all(&folder).map_err(failed())?;
    for Shot {
        at,
        of,
        ending,
        data,
    } in shots
    {
        let Ok(bytes) = BASE64.decode(data.as_bytes()) else {
            continue;
        };
        writing::write(&folder.join(format!("{at:010}_{of}.{ending}")), bytes).map_err(failed())?;
    }
    Ok(())
}

/// A server that runs.
struct Serving {
    url: String,
    end: tokio::sync::oneshot::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Serving {
    fn stop(self) {
        let _ = self.end.send(());
        let _ = self.thread.join();
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
    let sent = child.stdin.take().map_or(Ok(()), |mut stdin| {
        stdin.write_all(given.to_string().as_bytes())
    });
    sent.map_err(|error| no_driver(&io_error(&error)))?;
    Ok(child)
}

fn no_driver(why: &str) -> Failure {
    Failure::Io(format!("the browser driver cannot be run: {why}"))
}
