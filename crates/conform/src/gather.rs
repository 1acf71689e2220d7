//! Puts recordings together: which player, version and browser, and which case each is of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playsim_check::recording::Recording;

use super::case::Case;

/// A recording, with the path of its file: what its head does not say is told by the path.
#[derive(Debug)]
pub struct RecordingFile {
    /// The path, as it was given.
    pub path: PathBuf,
    /// What the file contains.
    pub recording: Recording,
}

/// A player in one version and one browser.
#[derive(Debug)]
pub struct FoundPlayer {
    /// The name, without version and browser.
    pub name: String,
    /// Its recordings, each with the index of its case.
    pub recordings: Vec<(usize, Recording)>,
    /// The files of the recordings.
    pub files: Vec<PathBuf>,
}

/// Recordings by player, version and browser, and the cases that they are of.
#[derive(Debug)]
pub struct Gathered {
    /// By name.
    pub cases: Vec<Case>,
    /// By the name of the player, then by its versions and its browser.
    pub players: Vec<FoundPlayer>,
}

impl RecordingFile {
    /// Returns the case: as the head says, or else the name of the file.
    #[must_use]
    pub fn case(&self) -> String {
        let stem = || {
            self.path
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
        };
        self.recording
            .head
            .case
            .as_ref()
            .map_or_else(stem, ToString::to_string)
    }

    /// Returns the player: as the head says, or else the name of the folder.
    fn player(&self) -> String {
        let folder = || {
            self.path
                .parent()
                .and_then(Path::file_name)
                .map(|name| name.to_string_lossy().into_owned())
        };
        let head = self.recording.head.player.as_ref().map(ToString::to_string);
        head.or_else(folder)
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "player".to_owned())
    }
}

impl Gathered {
    /// Puts recordings together. `case` is asked once for each case, with its first recording by
    /// path.
    ///
    /// # Errors
    ///
    /// The first error of `case`.
    pub fn of<E>(
        mut files: Vec<RecordingFile>,
        mut case: impl FnMut(&str, &RecordingFile) -> Result<Case, E>,
    ) -> Result<Gathered, E> {
        // Several recordings of a case are in the order of their files.
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut first: BTreeMap<String, &RecordingFile> = BTreeMap::new();
        for file in &files {
            first.entry(file.case()).or_insert(file);
        }
        let cases = first
            .iter()
            .map(|(name, file)| case(name, file))
            .collect::<Result<_, E>>()?;
        let names: Vec<String> = first.into_keys().collect();
        let mut players: BTreeMap<Column, FoundPlayer> = BTreeMap::new();
        for file in files {
            let index = names
                .binary_search(&file.case())
                .expect("it is among the files");
            let column = Column::of(&file);
            let name = column.player.clone();
            let player = players.entry(column).or_insert_with(|| FoundPlayer {
                name,
                recordings: Vec::new(),
                files: Vec::new(),
            });
            player.recordings.push((index, file.recording));
            player.files.push(file.path);
        }
        Ok(Gathered {
            cases,
            players: merged(players),
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
    fn of(file: &RecordingFile) -> Column {
        let head = &file.recording.head;
        let version =
            |(name, version): &(_, _)| (ToString::to_string(name), ToString::to_string(version));
        Column {
            player: file.player(),
            browser: head.browser.as_ref().map(ToString::to_string),
            versions: head.versions.iter().map(version).collect(),
        }
    }
}

/// Recordings that do not say versions, since the player could not show the case or was not made,
/// belong to those of the same player and browser that do, if there is one such version only.
fn merged(mut players: BTreeMap<Column, FoundPlayer>) -> Vec<FoundPlayer> {
    let silent: Vec<Column> = players
        .keys()
        .filter(|column| column.versions.is_empty())
        .cloned()
        .collect();
    for column in silent {
        let is_other = |other: &&Column| {
            other.player == column.player
                && other.browser == column.browser
                && !other.versions.is_empty()
        };
        let mut others = players.keys().filter(is_other).cloned();
        let (Some(other), None) = (others.next(), others.next()) else {
            continue;
        };
        drop(others);
        let Some(mut from) = players.remove(&column) else {
            continue;
        };
        if let Some(to) = players.get_mut(&other) {
            to.recordings.append(&mut from.recordings);
            to.files.append(&mut from.files);
        }
    }
    players.into_values().collect()
}
