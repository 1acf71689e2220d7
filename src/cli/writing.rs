//! All writing of files: a file is whole, or it is not there. It is written under another name next
//! to its own, and renamed when it is complete. A full disk or a signal leaves what was there
//! before.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::interrupt;

/// The ending of files that are not complete.
pub(super) const PART: &str = ".part";

/// The files that are not complete, which a signal that ends the process removes.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is being written.
#[derive(Debug)]
pub(super) struct NewFile {
    sink: BufWriter<File>,
    /// Where it is written; `None` if that is its own name, because it is a device or a pipe.
    part: Option<PathBuf>,
    /// The name that it gets.
    path: PathBuf,
}

impl NewFile {
    /// Begins a file, which takes the place of one that is there.
    pub(super) fn begin(path: &Path) -> io::Result<NewFile> {
        // A link stays one.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_there = match fs::metadata(&path) {
            // A device or a pipe cannot be replaced.
            Ok(about) if !about.is_file() => {
                return Ok(NewFile {
                    sink: BufWriter::new(File::create(&path)?),
                    part: None,
                    path,
                });
            }
            Ok(about) => Some(about.permissions()),
            Err(_) => None,
        };
        if is_there.is_some() {
            // One that must not be written must not be replaced either.
            File::options().write(true).open(&path)?;
        }
        interrupt::before_the_end(remove_parts);
        let (part, file) = begin(&path)?;
        let new = NewFile {
            sink: BufWriter::new(file),
            part: Some(part),
            path,
        };
        if let Some(permissions) = is_there {
            new.sink.get_ref().set_permissions(permissions)?;
        }
        Ok(new)
    }

    /// Gives the file its name: it is complete.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.sink.flush()?;
        match &self.part {
            Some(part) => fs::rename(part, &self.path)?,
            None => return Ok(()),
        }
        self.forget();
        Ok(())
    }

    /// Gives the file a name that depends on what was written.
    pub(super) fn finish_as(mut self, path: PathBuf) -> io::Result<()> {
        self.path = path;
        self.finish()
    }

    /// Gives the file its name, unless another file has it.
    fn finish_new(mut self) -> io::Result<()> {
        self.sink.flush()?;
        let Some(part) = &self.part else {
            return Ok(());
        };
        match fs::hard_link(part, &self.path) {
            // The name of the part is removed with it.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Not every file system has links.
            Err(_) if fs::symlink_metadata(&self.path).is_ok() => {
                Err(io::ErrorKind::AlreadyExists.into())
            }
            Err(_) => self.finish(),
        }
    }

    /// The part has its name, or is gone.
    fn forget(&mut self) {
        if let Some(part) = self.part.take() {
            parts().remove(&part);
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // What cannot be removed stays, under a name that says what it is.
            let _ = fs::remove_file(part);
        }
        self.forget();
    }
}

/// Writes a whole file.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::begin(path)?;
    file.write_all(content.as_ref())?;
    file.finish()
}

/// Writes a whole file, unless one of this name is there.
pub(super) fn write_new(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut file = NewFile::begin(path)?;
    file.write_all(content.as_ref())?;
    file.finish_new()
}

/// Removes the files that are not complete: the process ends.
fn remove_parts() {
    for part in &*parts() {
        let _ = fs::remove_file(part);
    }
}

fn parts() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the file that is to become the one at a path, and locks it. Another process may be at
/// work on the same; what one has left that was killed is used again.
fn begin(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}{PART}"));
        let part = PathBuf::from(name);
        // Held until the file is open, so that a signal finds it.
        let mut parts = parts();
        let is_own = parts.contains(&part);
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => number += 1,
            _ if is_own => number += 1,
            // Not every file system has locks.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            // If it is gone, another process has just completed it.
            Ok(()) | Err(TryLockError::Error(_)) if part.exists() => {
                file.set_len(0)?;
                parts.insert(part.clone());
                return Ok((part, file));
            }
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
    }
}
