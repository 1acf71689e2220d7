//! `playsim waterfall` with many recordings: one table of all their tags, alone or beside that of
//! others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use playsim::import::{
    self, Evidence, Hints, PageVerdict, PlaySettings, PlayedRecording, RecordingLinks,
    RecordingPage, RecordingSet, RecordingTable,
};
use playsim_base::{escape, workers};

use super::session::Output;
use crate::cli::failure::{Failure, bail};
use crate::cli::format::Format;
use crate::cli::output::{Talk, as_argument};
use crate::cli::progress::Progress;
use crate::cli::vary::Threads;
use crate::cli::{Exit, command_line, file, input, reading, recorded, width, writing, written};

/// Returns whether arguments are many recordings: several files, a folder, or something to compare
/// with.
pub(super) fn are_given(words: &[String], against: &[PathBuf]) -> bool {
    let is_set = |word: &String| Path::new(word).is_dir() && has_recordings(Path::new(word));
    !against.is_empty()
        || words.iter().any(is_set)
        || (words.len() > 1 && words.iter().all(|word| recorded::is_recording(word)))
}

/// What is given for many recordings.
pub(super) struct Recordings<'a> {
    pub(super) hints: Hints,
    pub(super) output: &'a Output,
    pub(super) threads: Threads,
}

impl Recordings<'_> {
    /// Reads recordings, and those to compare with, and prints the table.
    pub(super) fn print(
        &self,
        recordings: &[PathBuf],
        against: &[PathBuf],
        talk: &Talk,
    ) -> Result<Exit, Failure> {
        let (format, output) = (self.output.format, self.output.output.as_deref());
        let all = || recordings.iter().chain(against);
        let written = |file: &&PathBuf| output.is_some_and(|output| input::is_same(file, output));
        if let Some(file) = all().find(written) {
            let name = input::name(file);
            bail!("{name} is a recording, and -o would overwrite it");
        }
        let pages = Pages::of(output, format, all())?;
        let (set, mut exit) = self.set(recordings, pages.as_ref());
        let before = (!against.is_empty()).then(|| self.set(against, pages.as_ref()));
        if let Some((_, other)) = &before {
            exit = exit.and(*other);
        }
        let table = RecordingTable::of(set, before.map(|(set, _)| set));
        // Whether any recording shows an ad, and nothing differs from those to compare with.
        exit = exit.and(Exit::of(
            table.set.with_ad.count > 0 && !table.has_changed(),
        ));
        for it in table
            .set
            .left_out
            .iter()
            .chain(table.before.iter().flat_map(|it| &it.left_out))
        {
            talk.error(&format!("{}: left out: {}", it.name, it.reason));
        }
        // Of recordings that cannot be read there is no table.
        if table.set.recordings == 0 {
            return Ok(exit);
        }
        let output = Output {
            format,
            output: pages
                .as_ref()
                .map(|pages| pages.folder.join(INDEX))
                .or_else(|| self.output.output.clone()),
        };
        let text = |paints| table.text(width(), paints);
        let printed = output.print(
            talk,
            || table.json(),
            text,
            |out| {
                if format == Format::Csv {
                    out.text(&table.csv());
                } else {
                    let links = pages.map(|pages| pages.links).unwrap_or_default();
                    // `out` keeps a write error for the end.
                    let _ = table.page(&command_line::current(), &links).write(out);
                }
                Exit::AsExpected
            },
        );
        Ok(exit.and(printed))
    }

    /// Reads a set of recordings on several threads. What each of them adds does not depend on the
    /// order.
    fn set(&self, files: &[PathBuf], pages: Option<&Pages>) -> (RecordingSet, Exit) {
        let progress = Progress::of("reading");
        let empty = || (RecordingSet::default(), Exit::AsExpected);
        let add = |(set, exit): &mut (RecordingSet, Exit), number: u64| {
            let file = &files[number as usize];
            progress.tell(number, files.len() as u64);
            if let Err(failure) = self.add(file, pages, set) {
                *exit = exit.and(failure.exit());
                set.leave_out(&input::name(file), &reason(file, &failure));
            }
        };
        let sums = workers::sum(self.threads.count(), files.len() as u64, empty, add);
        let both = |(mut set, exit): (RecordingSet, Exit), (other, failed)| {
            set.merge(other);
            (set, exit.and(failed))
        };
        sums.into_iter().fold(empty(), both)
    }

    /// Adds a recording. Nothing of it is simulated, unless it gets a page of its own.
    fn add(
        &self,
        file: &Path,
        pages: Option<&Pages>,
        set: &mut RecordingSet,
    ) -> Result<(), Failure> {
        let hints = self.hints.clone();
        let recording = recorded::read(file)?;
        if let Some(pages) = pages {
            let played = import::play(recording, hints, &PlaySettings::default());
            let played = played.map_err(Failure::input)?;
            pages.write(file, &played)?;
            set.add(&input::name(file), &played.evidence, &played.verdict);
            return Ok(());
        }
        let evidence = Evidence::of(recording, hints).map_err(Failure::input)?;
        set.add(&input::name(file), &evidence, &PageVerdict::of(&evidence));
        Ok(())
    }
}

/// The page with the table, in a folder of pages.
const INDEX: &str = "index.html";

/// The folder to which a page for each recording is written.
struct Pages {
    folder: PathBuf,
    /// The name of the file of each recording's page, by the recording's name.
    files: BTreeMap<String, String>,
    links: RecordingLinks,
}

impl Pages {
    /// Returns the folder, if `-o` names one and pages are written.
    fn of<'f>(
        output: Option<&Path>,
        format: Format,
        recordings: impl Iterator<Item = &'f PathBuf>,
    ) -> Result<Option<Pages>, Failure> {
        let is_folder = |output: &&Path| {
            output.is_dir()
                || output
                    .to_string_lossy()
                    .ends_with(['/', std::path::MAIN_SEPARATOR])
        };
        let Some(folder) = output.filter(is_folder) else {
            return Ok(None);
        };
        let name = input::name(folder);
        if format != Format::Html {
            bail!(
                "{name} is a folder, to which only pages are written; add --format html, or name a file"
            );
        }
        fs::create_dir_all(folder).map_err(Failure::cannot("make", folder))?;
        let mut taken: BTreeSet<String> = BTreeSet::from([INDEX.to_lowercase()]);
        let (mut files, mut links) = (BTreeMap::new(), RecordingLinks::default());
        for recording in recordings.map(|recording| input::name(recording)) {
            let stem = page_stem(&recording);
            let numbered = (2..).map(|number| format!("{stem}-{number}.html"));
            let mut tries = std::iter::once(format!("{stem}.html")).chain(numbered);
            // Some file systems do not tell capitals from other letters.
            let Some(file) = tries.find(|file| taken.insert(file.to_lowercase())) else {
                continue;
            };
            links.add(recording.clone(), file.clone());
            files.insert(recording, file);
        }
        Ok(Some(Pages {
            folder: folder.to_owned(),
            files,
            links,
        }))
    }

    /// Writes the page of a recording.
    fn write(&self, recording: &Path, played: &PlayedRecording) -> Result<(), Failure> {
        let name = input::name(recording);
        let Some(file) = self.files.get(&name).map(|file| self.folder.join(file)) else {
            return Ok(());
        };
        let command = format!("playsim waterfall {} --format html", as_argument(&name));
        let page = RecordingPage::new(played).with_command(command);
        let page = written(|text| page.write(text));
        writing::write(&file, escape::lines(&page).as_bytes())
            .map_err(Failure::cannot("write", &file))
    }
}

/// Returns the name of a recording's page without its ending: `today/00.har.gz` has `today-00`.
fn page_stem(recording: &str) -> String {
    let plain = |letter: char| {
        if letter.is_alphanumeric() || "._-".contains(letter) {
            letter
        } else {
            '-'
        }
    };
    let name: String = recording.chars().map(plain).collect();
    let name = name.trim_start_matches(['.', '-']);
    let endings = [".gz", ".har", ".zip", ".chlsj", ".chlsx"];
    let stem = endings.iter().fold(name, |name, ending| {
        name.strip_suffix(ending).unwrap_or(name)
    });
    if stem.is_empty() {
        "recording".to_owned()
    } else {
        stem.to_owned()
    }
}

/// Returns the files that arguments mean, in the order of their names, each once.
pub(super) fn files(words: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for word in words {
        if file::is_stdin(word) {
            bail!(
                "standard input (-) is one recording, and cannot be one of many; write it to a file"
            );
        }
        if !word.is_dir() {
            files.push(word.clone());
            continue;
        }
        let name = input::name(word);
        let found = reading::files_in(word, is_file_with_recording)?;
        if found.is_empty() {
            bail!(
                "{name} has no recordings; expected files such as session.har, session.har.gz or session.chlsj"
            );
        }
        files.extend(found);
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Returns whether a folder has a recording. A folder of saved answers has none.
pub(in crate::cli) fn has_recordings(folder: &Path) -> bool {
    let paths = reading::entries(folder).unwrap_or_default();
    paths.iter().any(|path| is_file_with_recording(path))
}

fn is_file_with_recording(path: &Path) -> bool {
    path.is_file() && recorded::is_recording(&path.to_string_lossy())
}

/// Returns why a file is left out, without its name, which stands before it.
fn reason(file: &Path, failure: &Failure) -> String {
    let text = failure.words().0.replace('\n', "; ");
    for name in [input::name(file), input::heading(file)] {
        if let Some(rest) = text.strip_prefix(&format!("{name}: ")) {
            return rest.to_owned();
        }
    }
    text
}
