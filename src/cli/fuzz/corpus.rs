//! Scenarios in a folder: those that are judged first, and the one that failed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use playsim::testing::Broken;

use crate::cli::failure::Failure;
use crate::cli::file::has_ending;
use crate::cli::{input, reading, writing};

/// The number of names that are tried for a file.
const MOST_NAMES: u32 = 1_000;

/// Returns the scenarios of a folder in the order of their names; none if there is no such folder
/// yet.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = match reading::entries(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        paths => paths.map_err(Failure::cannot("read the folder", folder))?,
    };
    paths.retain(|path| has_ending(path, &["yaml", "yml", "json"]) && path.is_file());
    for path in &paths {
        reading::check_found(path).map_err(Failure::cannot("read", path))?;
    }
    Ok(paths)
}

/// Writes the scenario of a finding into a folder, and returns the name of its file. A file with
/// the same content is kept, and one with other content too: the new one gets a number.
pub(super) fn write(folder: &Path, broken: &Broken) -> Result<String, Failure> {
    let (text, name) = (broken.text(), broken.file());
    let (stem, end) = name.rsplit_once('.').unwrap_or((&name, "yaml"));
    for number in 1..=MOST_NAMES {
        let name = if number == 1 {
            name.clone()
        } else {
            format!("{stem}-{number}.{end}")
        };
        let path = folder.join(name);
        let is_new = match reading::bytes_found(&path) {
            Ok(there) if there == text.as_bytes() => return Ok(input::name(&path)),
            Ok(_) => false,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if is_new {
            let made = if folder == Path::new("") {
                Ok(())
            } else {
                fs::create_dir_all(folder)
            };
            let written = made.and_then(|()| writing::write(&path, &text));
            written.map_err(Failure::cannot("write", &path))?;
            return Ok(input::name(&path));
        }
    }
    Err(Failure::Io(format!(
        "cannot write {name}: there are {MOST_NAMES} files of such names"
    )))
}
