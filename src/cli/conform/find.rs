//! Finds recordings, their players and their cases.

use std::path::{Path, PathBuf};

use playsim::conform::{Case, Gathered, RecordingFile, Tolerance};
use playsim::recording::Recording;
use playsim::scenario::Overrides;
use playsim::time::Span;
use playsim_base::words::counted;

use crate::cli::failure::Failure;
use crate::cli::file::has_ending;
use crate::cli::output::Talk;
use crate::cli::{input, reading};

/// Which recordings, and how far their times may differ.
#[derive(Debug, clap::Args)]
pub(super) struct Given {
    /// Recordings, and folders with recordings (.jsonl, .json)
    #[arg(value_name = "RECORDING", required = true)]
    paths: Vec<PathBuf>,
    /// The folder with the scenarios of the cases, if the recordings do not say; may be repeated
    #[arg(long, value_name = "FOLDER")]
    suite: Vec<PathBuf>,
    /// How far times may differ, counted from the film that was last shown
    /// [default: 531.2ms, two positions of Chromium]
    #[arg(long, value_name = "TIME")]
    within: Option<Span>,
    /// How far times may differ, counted from the start [default: 2s]
    #[arg(long, value_name = "TIME")]
    overall: Option<Span>,
}

impl Given {
    pub(super) fn tolerance(&self) -> Tolerance {
        let usual = Tolerance::default();
        Tolerance {
            within: self.within.unwrap_or(usual.within),
            overall: self.overall.unwrap_or(usual.overall),
        }
    }

    /// Returns the same, with the recordings of another folder.
    pub(super) fn instead(&self, folder: &Path) -> Given {
        Given {
            paths: vec![folder.to_owned()],
            suite: self.suite.clone(),
            ..*self
        }
    }

    /// Reads all recordings, and the scenarios that they are of. A file in a folder that is not a
    /// recording is skipped, and reported.
    pub(super) fn find(&self, talk: &Talk) -> Result<Gathered, Failure> {
        let mut read = Vec::new();
        for path in &self.paths {
            if path.is_dir() {
                let before = read.len();
                folder(path, &mut read, talk)?;
                if read.len() == before {
                    let name = input::name(path);
                    return Err(Failure::NothingSelected(format!(
                        "{name} has no recordings (.jsonl, .json)"
                    )));
                }
            } else {
                let text = input::text(path)?;
                let recording = Recording::read(&input::name(path), &text);
                read.push(RecordingFile {
                    path: path.clone(),
                    recording: recording.map_err(Failure::input)?,
                });
            }
        }
        self.sort(read)
    }

    fn sort(&self, read: Vec<RecordingFile>) -> Result<Gathered, Failure> {
        Gathered::of(read, |name, first| {
            let file = self.scenario(first, name)?;
            let given = input::found_scenario(&file, &Overrides::default())?;
            let case =
                Case::of(name, given.scenario).map_err(Failure::about(&input::name(&file)))?;
            let folder = file.parent().and_then(Path::file_name);
            let suite = folder.unwrap_or_default().to_string_lossy();
            Ok(case.in_suite(&suite))
        })
    }

    /// Returns the file of a recording's scenario.
    fn scenario(&self, it: &RecordingFile, case: &str) -> Result<PathBuf, Failure> {
        let endings = ["yaml", "yml", "json"];
        let head = it.recording.head.scenario.as_deref();
        let named = head.map_or_else(Vec::new, |path| vec![PathBuf::from(path)]);
        let named = named
            .into_iter()
            .chain(endings.map(|ending| PathBuf::from(format!("{case}.{ending}"))));
        let mut places: Vec<PathBuf> = self.suite.clone();
        places.extend(it.path.ancestors().skip(1).take(3).map(Path::to_path_buf));
        let is_within = |path: &&PathBuf| {
            path.components()
                .all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        let named: Vec<PathBuf> = named.filter(|path| is_within(&path)).collect();
        let all = places
            .iter()
            .flat_map(|place| named.iter().map(move |path| place.join(path)));
        let by_name = self.suite.iter().flat_map(|suite| {
            named
                .iter()
                .filter_map(|path| path.file_name())
                .map(|name| suite.join(name))
        });
        let is_scenario = |file: &PathBuf| file.is_file() && *file != it.path;
        all.chain(by_name).find(is_scenario).ok_or_else(|| {
            Failure::Input(format!(
                "{}: found no {case}.yaml next to it or above it; give the folder of the cases with --suite",
                input::name(&it.path)
            ))
        })
    }
}

/// Returns the recordings of a player, each with its case.
pub(super) fn pairs<'a>(
    cases: &'a [Case],
    recordings: &'a [(usize, Recording)],
) -> Vec<(&'a Case, &'a Recording)> {
    recordings
        .iter()
        .map(|(index, recording)| (&cases[*index], recording))
        .collect()
}

fn folder(path: &Path, read: &mut Vec<RecordingFile>, talk: &Talk) -> Result<(), Failure> {
    let mut strangers = 0;
    for entry in reading::entries(path).map_err(Failure::cannot("read", path))? {
        // A link to a folder is not followed: it may lead back here.
        if entry.is_dir() && !entry.is_symlink() {
            folder(&entry, read, talk)?;
        } else if has_ending(&entry, &["jsonl", "json"]) && !entry.is_dir() {
            match Recording::read(&input::name(&entry), &input::found_text(&entry)?) {
                Ok(recording) => read.push(RecordingFile {
                    path: entry,
                    recording,
                }),
                // Such folders contain other JSON files too: reports, packages.
                Err(_) if has_ending(&entry, &["json"]) => strangers += 1,
                Err(error) => return Err(Failure::input(error)),
            }
        }
    }
    if strangers > 0 {
        let name = input::name(path);
        talk.say(&format!(
            "{name}: skipped {} that no recorder wrote",
            counted(strangers, "JSON file")
        ));
    }
    Ok(())
}
