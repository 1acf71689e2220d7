//! Reads scenarios, documents and standard input.

use std::io;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use playsim::place::Place;
use playsim::scenario::{self, Overrides, Scenario};
use playsim::vast;
use playsim_base::words::io_error;
use playsim_scenario::expectation_places;

use super::decode;
use super::failure::Failure;
use super::file::is_stdin;
pub(super) use super::file::name;
use super::output::as_argument;
use super::{kind, reading};

/// Returns a file's name for the heading above its trace: never an absolute path, so that traces
/// are the same on every machine.
pub(super) fn heading(file: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| file.strip_prefix(here).ok().map(Path::to_path_buf));
    match below.as_deref().or(file.file_name().map(Path::new)) {
        Some(short) if file.is_absolute() => name(short),
        Some(_) | None => name(file),
    }
}

/// Returns a file's name as an argument of a command.
pub(super) fn argument(file: &Path) -> String {
    as_argument(&name(file))
}

/// Returns the URL of a file, against which relative URLs in it are resolved.
pub(super) fn address(file: &Path) -> String {
    let mut address = String::from("file:");
    for letter in heading(file).chars() {
        match letter {
            // Brackets and braces would be taken for macros, the others for an escape or the end of
            // the path.
            '%' | '[' | ']' | '{' | '}' | '?' | '#' => {
                address.push_str(&format!("%{:02X}", u32::from(letter)))
            }
            _ if std::path::is_separator(letter) => address.push('/'),
            _ => address.push(letter),
        }
    }
    address
}

/// Returns the existing file below `folder` with a URL made by [`address`].
pub(super) fn file_at(folder: &Path, address: &str) -> Option<PathBuf> {
    let path = address.strip_prefix("file:")?;
    let path = path
        .split(['?', '#'])
        .next()
        .filter(|path| !path.is_empty() && !path.starts_with('/'))?;
    let path = percent_decode_str(path).collect();
    Some(folder.join(String::from_utf8(path).ok()?)).filter(|file| file.is_file())
}

/// Returns the folder to which the URL of a file is relative.
pub(super) fn folder(file: &Path) -> PathBuf {
    let is_short = file.is_absolute() && Path::new(&heading(file)).parent() == Some(Path::new(""));
    let parent = file.parent().filter(|_| is_short);
    parent.map(Path::to_path_buf).unwrap_or_default()
}

/// Reads a file or standard input.
pub(super) fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let result = if is_stdin(file) {
        reading::limited(io::stdin().lock())
    } else {
        reading::bytes(file)
    };
    result.map_err(Failure::cannot("read", file))
}

/// Reads a file or standard input as UTF-8.
pub(super) fn text(file: &Path) -> Result<String, Failure> {
    as_text(file, bytes(file)?)
}

/// Reads a file as UTF-8 that was found in its folder.
pub(super) fn found_text(file: &Path) -> Result<String, Failure> {
    let bytes = reading::bytes_found(file).map_err(Failure::cannot("read", file))?;
    as_text(file, bytes)
}

/// Returns the content of a file as UTF-8.
pub(super) fn as_text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Input(format!("{} is not valid UTF-8 (at byte {at})", name(file)))
    })
}

/// A scenario, with the places of its expectations in the file.
pub(super) struct Given {
    pub(super) scenario: Scenario,
    pub(super) expect_at: Vec<Place>,
}

/// Reads a scenario from a file, with overrides.
pub(super) fn scenario(file: &Path, overrides: &Overrides) -> Result<Given, Failure> {
    scenario_of(file, &text(file)?, overrides)
}

/// Reads a scenario from the content of a file.
pub(super) fn scenario_of(
    file: &Path,
    text: &str,
    overrides: &Overrides,
) -> Result<Given, Failure> {
    let folder = if is_stdin(file) { None } else { file.parent() };
    read(&name(file), text, overrides, &mut |path| {
        load(folder.unwrap_or(Path::new("")), path)
    })
    .map_err(|failure| kind::no_scenario(file, text).unwrap_or(failure))
}

/// Reads a scenario; `load` reads the files it names.
pub(super) fn read(
    name: &str,
    text: &str,
    overrides: &Overrides,
    load: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<Given, Failure> {
    let scenario = scenario::read_over(name, text, overrides, load)
        .map_err(|error| Failure::of_scenario(error, text))?;
    let is_judged = !scenario.expect.is_empty();
    let expect_at = if is_judged {
        expectation_places(name, text)
    } else {
        Vec::new()
    };
    Ok(Given {
        scenario,
        expect_at,
    })
}

/// Reads a scenario from a file that was found in its folder.
pub(super) fn found_scenario(file: &Path, overrides: &Overrides) -> Result<Given, Failure> {
    scenario_of(file, &found_text(file)?, overrides)
}

/// Loads a file that a scenario names, from the scenario's folder.
pub(super) fn load(folder: &Path, path: &str) -> io::Result<String> {
    let bytes = reading::bytes_below(folder, Path::new(path));
    let bytes = bytes.map_err(|error| io::Error::other(io_error(&error)))?;
    // Ad servers may also return images or compressed data: such a response can be played, and
    // fails as it should.
    let other = || Some(decode::lossy(&bytes).0).filter(|text| vast::is_other_file(text));
    decode::whole(&bytes)
        .or_else(other)
        .ok_or_else(|| io::Error::other("it is not valid UTF-8"))
}

/// Returns the files of a scenario's documents.
pub(super) fn documents(file: &Path, scenario: &Scenario) -> impl Iterator<Item = PathBuf> {
    let folder = file
        .parent()
        .filter(|_| !is_stdin(file))
        .map(Path::to_path_buf)
        .unwrap_or_default();
    scenario
        .files()
        .into_iter()
        .map(move |(name, _)| folder.join(&*name))
}

/// Says which part of a scenario a path names, if it does.
pub(super) fn part_at(file: &Path, scenario: &Scenario, path: &Path) -> Option<&'static str> {
    if is_same(file, path) {
        Some("the scenario")
    } else if documents(file, scenario).any(|document| is_same(&document, path)) {
        Some("a document of the scenario")
    } else {
        None
    }
}

/// Returns whether two paths name the same existing file.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { path.canonicalize().ok() };
    real(a).is_some_and(|a| real(b).is_some_and(|b| a == b))
}
