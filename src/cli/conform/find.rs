//! Finds recordings, their players and their cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playsim::conform::{Case, Tolerance};
use playsim::recording::Recording;
use playsim::scenario::Overrides;
use playsim::time::Span;
use playsim_base::words::{counted, io_error};

use crate::cli::failure::Failure;
use crate::cli::file::has_ending;
use crate::cli::input;
use crate::cli::output::Talk;

/// Which recordings, and how far their times may differ.
#[derive(Debug, clap::Args)]
pub(super) struct Given {
    /// Recordings, and folders with recordings (.jsonl, .json)
    #[arg(value_name = "RECORDING", required = true)]
    paths: Vec<PathBuf>,
    /// The folder with the scenarios of the cases, if the recordings do not say
    #[arg(long, value_name = "FOLDER")]
    suite: Option<PathBuf>,
    /// How far times may differ, counted from the film that was last shown [default: 531.2ms, two positions
    /// of Chromium]
    #[arg(long, value_name = "TIME")]
    within: Option<Span>,
    /// How far times may differ, counted from the start [default: 2s]
    #[arg(long, value_name = "TIME")]
    overall: Option<Span>,
}

/// Recordings by player, version and browser, and the cases that they are of.
pub(super) struct Found {
    /// By name.
    pub(super) cases: Vec<Case>,
    /// By the name of the player, then by its versions and its browser.
    pub(super) players: Vec<FoundPlayer>,
}

/// A player in one version and one browser.
pub(super) struct FoundPlayer {
    pub(super) name: String,
    /// Its recordings, each with the index of its case.
    pub(super) recordings: Vec<(usize, Recording)>,
    /// The files of the recordings.
    pub(super) files: Vec<PathBuf>,
}

/// A recording, with its file.
struct Read {
    file: PathBuf,
    recording: Recording,
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
        Given { paths: vec![folder.to_owned()], suite: self.suite.clone(), ..*self }
    }

    /// Reads all recordings, and the scenarios that they are of. A file in a folder that is not a recording
    /// is skipped, and reported.
    pub(super) fn find(&self, talk: &Talk) -> Result<Found, Failure> {
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
                read.push(Read {
                    file: path.clone(),
                    recording: recording.map_err(|error| Failure::Input(error.to_string()))?,
                });
            }
        }
        self.sort(read)
    }

    fn sort(&self, mut read: Vec<Read>) -> Result<Found, Failure> {
        // Several recordings of a case are in the order of their files.
        read.sort_by(|one, other| one.file.cmp(&other.file));
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        for it in &read {
            let case = case(it);
            let scenario = self.scenario(it, &case)?;
            files.entry(case).or_insert(scenario);
        }
        let mut cases = Vec::new();
        for (name, file) in &files {
            let given = input::scenario(file, &Overrides::default())?;
            let case = Case::of(name, given.scenario);
            cases.push(case.map_err(|error| Failure::Input(format!("{}: {error}", input::name(file))))?);
        }
        let mut players: BTreeMap<Column, FoundPlayer> = BTreeMap::new();
        for it in read {
            let index = files.keys().position(|name| *name == case(&it)).expect("it is among the files");
            let column = Column::of(&it);
            let name = column.player.clone();
            let player = players.entry(column).or_insert_with(|| FoundPlayer {
                name,
                recordings: Vec::new(),
                files: Vec::new(),
            });
            player.recordings.push((index, it.recording));
            player.files.push(it.file);
        }
        Ok(Found { cases, players: merged(players) })
    }

    /// Returns the file of a recording's scenario.
    fn scenario(&self, it: &Read, case: &str) -> Result<PathBuf, Failure> {
        let endings = ["yaml", "yml", "json"];
        let head = it.recording.head.scenario.as_deref();
        let named = head.map_or_else(Vec::new, |path| vec![PathBuf::from(path)]);
        let named = named.into_iter().chain(endings.map(|ending| PathBuf::from(format!("{case}.{ending}"))));
        let mut places: Vec<PathBuf> = self.suite.iter().cloned().collect();
        places.extend(it.file.ancestors().skip(1).take(3).map(Path::to_path_buf));
        let is_within =
            |path: &&PathBuf| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let named: Vec<PathBuf> = named.filter(|path| is_within(&path)).collect();
        let all = places.iter().flat_map(|place| named.iter().map(move |path| place.join(path)));
        let by_name = self
            .suite
            .iter()
            .flat_map(|suite| named.iter().filter_map(|path| path.file_name()).map(|name| suite.join(name)));
        let is_scenario = |file: &PathBuf| file.is_file() && *file != it.file;
        all.chain(by_name).find(is_scenario).ok_or_else(|| {
            Failure::Input(format!(
                "{}: found no {case}.yaml next to it or above it; give the folder of the cases with --suite",
                input::name(&it.file)
            ))
        })
    }
}

/// The key that distinguishes columns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    player: String,
    browser: Option<String>,
    versions: Vec<(String, String)>,
}

impl Column {
    fn of(it: &Read) -> Column {
        let head = &it.recording.head;
        let version = |(name, version): &(_, _)| (ToString::to_string(name), ToString::to_string(version));
        Column {
            player: player(it),
            browser: head.browser.as_ref().map(ToString::to_string),
            versions: head.versions.iter().map(version).collect(),
        }
    }
}

/// Recordings that do not say versions, since the player could not show the case or was not made, belong to
/// those of the same player and browser that do, if there is one such version only.
fn merged(mut players: BTreeMap<Column, FoundPlayer>) -> Vec<FoundPlayer> {
    let silent: Vec<Column> = players.keys().filter(|column| column.versions.is_empty()).cloned().collect();
    for column in silent {
        let is_other = |other: &&Column| {
            other.player == column.player && other.browser == column.browser && !other.versions.is_empty()
        };
        let mut others = players.keys().filter(is_other).cloned();
        let (Some(other), None) = (others.next(), others.next()) else { continue };
        drop(others);
        let Some(mut from) = players.remove(&column) else { continue };
        if let Some(to) = players.get_mut(&other) {
            to.recordings.append(&mut from.recordings);
            to.files.append(&mut from.files);
        }
    }
    players.into_values().collect()
}

/// Returns the recordings of a player, each with its case.
pub(super) fn pairs<'a>(
    cases: &'a [Case],
    recordings: &'a [(usize, Recording)],
) -> Vec<(&'a Case, &'a Recording)> {
    recordings.iter().map(|(index, recording)| (&cases[*index], recording)).collect()
}

/// Returns the player of a recording: as its head says, or else the name of its folder.
fn player(it: &Read) -> String {
    let folder =
        || it.file.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let head = it.recording.head.player.as_ref().map(ToString::to_string);
    head.or_else(folder).filter(|name| !name.is_empty()).unwrap_or_else(|| "player".to_owned())
}

/// Returns the case of a recording: as its head says, or else the name of its file.
fn case(it: &Read) -> String {
    let stem = || it.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    it.recording.head.case.as_ref().map_or_else(stem, ToString::to_string)
}

fn folder(path: &Path, read: &mut Vec<Read>, talk: &Talk) -> Result<(), Failure> {
    let failed = |error| Failure::Io(format!("cannot read {}: {}", input::name(path), io_error(&error)));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    let mut strangers = 0;
    for entry in entries {
        if entry.is_dir() {
            folder(&entry, read, talk)?;
        } else if has_ending(&entry, &["jsonl", "json"]) {
            match Recording::read(&input::name(&entry), &input::text(&entry)?) {
                Ok(recording) => read.push(Read { file: entry, recording }),
                // Such folders contain other JSON files too: reports, packages.
                Err(_) if has_ending(&entry, &["json"]) => strangers += 1,
                Err(error) => return Err(Failure::Input(error.to_string())),
            }
        }
    }
    if strangers > 0 {
        let name = input::name(path);
        talk.say(&format!("{name}: skipped {} that no recorder wrote", counted(strangers, "JSON file")));
    }
    Ok(())
}
