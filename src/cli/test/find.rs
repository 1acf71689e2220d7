//! Finds the scenarios that the paths of `playsim test` mean, and golden traces without a scenario.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use playsim::api::{HeaderLine, Kind};
use playsim::trace::Pattern;
use playsim_base::escape;
use playsim_check::diff::BEGINNING;
use playsim_scenario as scenario;

use crate::cli::Exit;
use crate::cli::failure::{Failure, bail};
use crate::cli::file::has_ending;
use crate::cli::output::Talk;
use crate::cli::{file, input, reading};

/// The file extensions of scenarios.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// A scenario and its golden trace, which may not exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case {
    /// The path as given or found.
    pub(super) file: PathBuf,
    /// The folder that it was found in or below; `None` if it was given.
    pub(super) folder: Option<PathBuf>,
    /// The path without its extension, with slashes, escaped to fit on one line.
    pub(super) name: String,
    pub(super) golden: PathBuf,
}

impl Case {
    pub(super) fn of(file: PathBuf) -> Case {
        let name = file.with_extension("").to_string_lossy().replace('\\', "/");
        let name = escape::line(name.strip_prefix("./").unwrap_or(&name)).into_owned();
        let [trace, recording] = ["trace", "jsonl"].map(|ending| file.with_extension(ending));
        let golden = if !trace.exists() && is_recording(&recording) {
            recording
        } else {
            trace
        };
        Case {
            golden,
            name,
            file,
            folder: None,
        }
    }

    fn found(file: PathBuf, folder: &Path) -> Case {
        Case {
            folder: Some(folder.to_owned()),
            ..Case::of(file)
        }
    }

    /// Reads the scenario's file.
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        match &self.folder {
            Some(folder) => reading::bytes_within(folder, &self.file),
            None => reading::bytes(&self.file),
        }
    }

    /// Returns whether the golden trace was recorded from a real player: such a trace is compared,
    /// and never written.
    pub(super) fn is_recorded(&self) -> bool {
        has_ending(&self.golden, &["jsonl"])
    }

    /// Returns whether a pattern matches the name of this case, or the part of its name after a
    /// slash.
    pub(super) fn is_named(&self, patterns: &[Pattern]) -> bool {
        let ends = self
            .name
            .match_indices('/')
            .map(|(at, _)| &self.name[at + 1..]);
        let mut names = ends.chain([self.name.as_str()]);
        names.any(|name| patterns.iter().any(|pattern| pattern.matches(name)))
    }
}

/// Returns whether a file is a recording: its first line says so.
fn is_recording(path: &Path) -> bool {
    // Only the first line is read: what follows may be large, and a limit might cut a character in
    // two.
    let mut head = String::new();
    let read = reading::open_found(path)
        .and_then(|file| BufReader::new(file.take(LONGEST_HEAD)).read_line(&mut head));
    let head = serde_json::from_str::<serde_json::Value>(&head).ok();
    read.is_ok()
        && head.is_some_and(|head| {
            head["kind"] == Kind::Header.name() && head["name"] == HeaderLine::Recording.name()
        })
}

/// Heads are far shorter.
const LONGEST_HEAD: u64 = 1 << 20;

/// The result of the search.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Sorted and without duplicates.
    pub(super) cases: Vec<Case>,
    /// Golden traces without a scenario.
    pub(super) orphans: Vec<Case>,
    /// Files with a scenario's extension that are not scenarios.
    pub(super) strangers: Vec<String>,
    /// Whether a path was invalid; the error is already printed.
    pub(super) exit: Exit,
}

/// Finds the cases of all paths, or of the current folder if there are none.
pub(super) fn find(paths: &[PathBuf], talk: &Talk) -> Found {
    let mut found = Found::default();
    let here = [PathBuf::from(".")];
    for path in if paths.is_empty() { &here } else { paths } {
        let result = if path.is_dir() {
            walk(path, path, &mut found)
        } else {
            given(path, &mut found)
        };
        if let Err(failure) = result {
            found.exit = found.exit.and(failure.report(talk));
        }
    }
    let mut seen = BTreeSet::new();
    found
        .cases
        .sort_by(|a, b| a.name.cmp(&b.name).then(a.file.cmp(&b.file)));
    found.orphans.sort_by(|a, b| a.name.cmp(&b.name));
    let real = |case: &Case| {
        case.file
            .canonicalize()
            .unwrap_or_else(|_| case.file.clone())
    };
    found.cases.retain(|case| seen.insert(real(case)));
    found.orphans.dedup();
    share_no_golden(&mut found, talk);
    found
}

/// Returns whether there is a scenario in a folder or below it.
pub(super) fn has_cases(folder: &Path) -> bool {
    let mut found = Found::default();
    walk(folder, folder, &mut found).is_ok() && !found.cases.is_empty()
}

/// Adds the case of a path that is not a folder.
fn given(path: &Path, found: &mut Found) -> Result<(), Failure> {
    let name = input::name(path);
    if file::is_stdin(path) {
        bail!("a case must be a file, with its golden trace in the same folder; - has none");
    }
    if has_ending(path, &["trace"]) {
        bail!("{name} is a golden trace; give its scenario instead");
    }
    let case = Case::of(path.to_owned());
    let text = case.bytes().map_err(Failure::cannot("read", path))?;
    if !scenario::is_scenario(&name, &String::from_utf8_lossy(&text)) {
        bail!("{name} is not a scenario: it has neither \"videos\" nor \"steps\"");
    }
    found.cases.push(case);
    Ok(())
}

/// Adds the cases in a folder and below it; `root` is the folder that was given.
fn walk(folder: &Path, root: &Path, found: &mut Found) -> Result<(), Failure> {
    for path in reading::entries(folder).map_err(Failure::cannot("read", folder))? {
        // Names in the current folder need no "./".
        let path = match path.strip_prefix(".") {
            Ok(short) if folder == Path::new(".") => short.to_owned(),
            Ok(_) | Err(_) => path,
        };
        // A link to a folder is not followed: it may lead back here.
        if path.is_dir() && !path.is_symlink() {
            if !is_left_out(&path) {
                walk(&path, root, found)?;
            }
        } else if has_ending(&path, &ENDINGS) {
            file(Case::found(path, root), found);
        } else if has_ending(&path, &["trace"]) && is_orphan(&path) && is_trace(&path) {
            found.orphans.push(Case::found(path, root));
        }
    }
    Ok(())
}

/// Adds a file with a scenario's extension that was found in a folder. One that cannot be read
/// counts as a case, so that the error is reported.
fn file(case: Case, found: &mut Found) {
    let name = input::name(&case.file);
    let text = case
        .bytes()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match text {
        Ok(text) if !scenario::is_scenario(&name, &text) => {
            // `playsim new` writes a schema next to the scenario.
            if !text.contains("\"$schema\"") {
                found.strangers.push(name);
            }
        }
        Ok(_) | Err(_) => found.cases.push(case),
    }
}

/// Returns whether a folder is skipped: hidden folders, `node_modules`, and build output.
fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "node_modules" || folder.join("CACHEDIR.TAG").exists()
}

fn is_orphan(golden: &Path) -> bool {
    let is_there = |ending: &&str| golden.with_extension(ending).symlink_metadata().is_ok();
    !ENDINGS.iter().any(is_there)
}

/// Returns whether a file is a trace in text form: other files may have the same extension.
fn is_trace(path: &Path) -> bool {
    let mut begin = [0; BEGINNING.len()];
    let read = reading::open_found(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *BEGINNING.as_bytes()
}

/// Rejects scenarios that differ only in their extension, as they would share one golden trace.
fn share_no_golden(found: &mut Found, talk: &Talk) {
    let mut doubles = Vec::new();
    for two in found
        .cases
        .windows(2)
        .filter(|two| two[0].golden == two[1].golden)
    {
        let [first, second] = [&two[0], &two[1]].map(|case| input::name(&case.file));
        talk.error(&format!(
            "{first} and {second} have the same golden trace, {}; rename one",
            input::name(&two[0].golden)
        ));
        doubles.push(two[0].golden.clone());
        found.exit = found.exit.and(Exit::WrongInput);
    }
    found.cases.retain(|case| !doubles.contains(&case.golden));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_a_whole_name_or_its_end() {
        let case = Case::of("ads/preroll/fills.yaml".into());
        let is_named = |pattern: &str| case.is_named(&[Pattern::new(pattern)]);
        for pattern in [
            "ads/preroll/fills",
            "fills",
            "preroll/*",
            "*roll/fills",
            "f*",
        ] {
            assert!(is_named(pattern), "{pattern}");
        }
        assert!(!is_named("preroll") && !is_named("fill"));
    }

    #[test]
    fn a_case_is_named_by_its_path_and_its_golden_trace_is_in_the_same_folder() {
        let case = Case::of("./ads/fills.first.yaml".into());
        assert_eq!(case.name, "ads/fills.first");
        assert_eq!(case.golden, Path::new("./ads/fills.first.trace"));
    }
}
