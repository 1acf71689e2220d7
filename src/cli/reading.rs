//! All reading of files: no other module of the command line opens one.
//!
//! A path that the user gives may be anything, also a pipe. A path that comes from a file, or that
//! was found in a folder, leads to a regular file in or below that folder, or it is refused: a
//! symbolic link may lead anywhere, and a pipe would be waited for without end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// The maximum size of an input file; individual formats have lower limits.
const MAX_BYTES: u64 = 64 << 20;

/// Opens a file that the user gives.
pub(super) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Reads a file that the user gives.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    open(path).and_then(limited)
}

/// Reads a file in or below a folder; the path is relative to it.
///
/// # Errors
///
/// If it leads elsewhere, is not a regular file, is too large, or cannot be read.
pub fn bytes_below(folder: &Path, path: &Path) -> io::Result<Vec<u8>> {
    bytes_within(folder, &folder.join(path))
}

/// Reads a file by its whole path, which must lead to a place in or below a folder.
pub(super) fn bytes_within(folder: &Path, path: &Path) -> io::Result<Vec<u8>> {
    File::open(place_within(folder, path)?).and_then(limited)
}

/// Opens a file by its path, which came from its folder: next to another file, or by a listing.
pub(super) fn open_found(path: &Path) -> io::Result<File> {
    File::open(place_within(folder_of(path), path)?)
}

/// Reads a file by its path, which came from its folder: next to another file, or by a listing.
pub(super) fn bytes_found(path: &Path) -> io::Result<Vec<u8>> {
    open_found(path).and_then(limited)
}

/// Checks that a path, which came from its folder, leads to a regular file in or below it.
pub(super) fn check_found(path: &Path) -> io::Result<()> {
    place_within(folder_of(path), path).map(drop)
}

/// Returns the paths in a folder, in order.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

/// Returns the files in a folder of a kind, in order, each of which may be read.
pub(super) fn files_in(
    folder: &Path,
    is_one: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = entries(folder).map_err(Failure::cannot("read", folder))?;
    files.retain(|path| !path.is_dir() && is_one(path));
    for file in &files {
        check_found(file).map_err(Failure::cannot("read", file))?;
    }
    Ok(files)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns how many bytes of memory the machine has, where Linux says it.
pub(super) fn memory_of_machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = text.lines();
    let total = lines.find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1_024)
}

/// Reads at most the size that is allowed.
pub(super) fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it is larger than {} MB",
            MAX_BYTES >> 20
        )));
    }
    Ok(bytes)
}

/// Returns where a path leads, through all links.
fn place_within(folder: &Path, path: &Path) -> io::Result<PathBuf> {
    // The empty path is the current folder.
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    let place = path.canonicalize()?;
    if !place.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other(
            "it leads out of its folder, and nothing outside is read",
        ));
    }
    // Asked before it is opened: opening a pipe waits for its other end.
    let kind = fs::metadata(&place)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_below_a_folder_are_read() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let read = |path: &str| bytes_below(&source, Path::new(path));
        assert!(read("main.rs").is_ok() && read("cli/reading.rs").is_ok());
        assert!(read("cli/../main.rs").is_ok());
        for (path, due) in [
            ("../Cargo.toml", "it leads out of its folder"),
            ("/etc/hostname", "it leads out of its folder"),
            ("cli", "directory"),
            ("nothing.rs", "entity not found"),
        ] {
            let error = read(path).unwrap_err();
            let text = format!("{} {error}", error.kind());
            assert!(text.contains(due), "{path}: {text}");
        }
    }
}
