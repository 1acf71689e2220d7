//! Files that are whole or not there: written under another name, and renamed when they are
//! complete.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use playsim_base::words::io_error;

use super::{Exit, Failure, Out, Talk, file};

/// The ending of files that are not complete.
pub(super) const PART: &str = ".part";

/// Writes a table to a file, or to standard output.
pub(super) fn write(
    path: Option<&Path>,
    talk: &Talk,
    write: impl FnOnce(&mut Out) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    // A device or a pipe cannot be replaced.
    let replaced = path.filter(|path| !path.exists() || path.is_file());
    let Some(path) = replaced else {
        let mut out = Out::to(path.map(Path::to_path_buf));
        write(&mut out)?;
        return Ok(out.finish(talk));
    };
    // A link stays one.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    complete(&path, talk, |out| write(out).map(|()| path.clone())).map(|(exit, _)| exit)
}

/// Writes a table to a file, whose path `write` returns: it may depend on what was written. While
/// it is not complete, its name is the given one with another ending.
pub(super) fn complete(
    path: &Path,
    talk: &Talk,
    write: impl FnOnce(&mut Out) -> Result<PathBuf, Failure>,
) -> Result<(Exit, PathBuf), Failure> {
    let (part, file) = begin(path)?;
    // It stays locked until it has its name.
    let _locked = file.try_clone().map_err(cannot("write", path))?;
    let mut out = Out::through(file, path.to_path_buf());
    let written = write(&mut out).map(|path| (out.finish(talk), path));
    match &written {
        Ok((Exit::AsExpected, path)) => fs::rename(&part, path).map_err(cannot("write", path))?,
        Ok(_) | Err(_) => {
            let _ = fs::remove_file(&part);
        }
    }
    written
}

/// Begins the file that is to become the one at a path, and locks it. Another process may be at
/// work on the same; what one has left that was killed is used again.
fn begin(path: &Path) -> Result<(PathBuf, File), Failure> {
    let mut number = 0u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}{PART}"));
        let part = PathBuf::from(name);
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part);
        let file = file.map_err(cannot("write", path))?;
        match file.try_lock() {
            // If it is gone, another process has just completed it.
            Ok(()) if part.exists() => {
                file.set_len(0).map_err(cannot("write", path))?;
                return Ok((part, file));
            }
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => number += 1,
            Err(TryLockError::Error(error)) => return Err(cannot("lock", &part)(error)),
        }
    }
}

/// Makes a failure of an error of the file system.
pub(super) fn cannot(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Failure {
    let name = file::name(path);
    move |error| Failure::Io(format!("cannot {what} {name}: {}", io_error(&error)))
}
