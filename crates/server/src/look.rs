//! Opens a catalog file without changing it.
//!
//! The database repairs a file when it opens it after a crash, and would also write to a damaged
//! one. Here all writes go to memory instead, so that a file that cannot be opened, or is only
//! read, keeps every byte.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::sync::{Mutex, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

/// The size of the pages in which changes are kept, in bytes.
const PAGE: u64 = 4096;

/// A file whose changes are kept in memory.
#[derive(Debug)]
pub(super) struct Look {
    file: FileBackend,
    /// Whether the file can be locked, which requires write permission.
    locks: bool,
    changed: Mutex<Changed>,
}

#[derive(Debug)]
struct Changed {
    len: u64,
    /// How much of the file is still visible. Bytes that were truncated read as zeros if the file
    /// grows again.
    kept: u64,
    pages: BTreeMap<u64, Vec<u8>>,
}

impl Look {
    /// Wraps a file. `locks` says whether it was opened with write permission.
    pub(super) fn at(file: File, locks: bool) -> Result<Look, DatabaseError> {
        let file = FileBackend::new(file)?;
        let len = file.len()?;
        Ok(Look {
            file,
            locks,
            changed: Mutex::new(Changed {
                len,
                kept: len,
                pages: BTreeMap::new(),
            }),
        })
    }

    fn changed(&self) -> std::sync::MutexGuard<'_, Changed> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Changed {
    /// Returns a page of the file with its changes.
    fn page(&self, file: &FileBackend, number: u64) -> io::Result<Vec<u8>> {
        if let Some(page) = self.pages.get(&number) {
            return Ok(page.clone());
        }
        let mut page = vec![0; PAGE as usize];
        let start = number * PAGE;
        let there = self.kept.saturating_sub(start).min(PAGE) as usize;
        file.read(start, &mut page[..there])?;
        Ok(page)
    }

    /// Splits a range by pages: page number, offset in the page, length.
    fn pieces(offset: u64, len: usize) -> impl Iterator<Item = (u64, usize, usize)> {
        let end = offset + len as u64;
        let mut at = offset;
        std::iter::from_fn(move || {
            let (number, within) = (at / PAGE, at % PAGE);
            let piece = (PAGE - within).min(end - at);
            at += piece;
            (piece > 0).then_some((number, within as usize, piece as usize))
        })
    }
}

impl StorageBackend for Look {
    fn len(&self) -> io::Result<u64> {
        Ok(self.changed().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let changed = self.changed();
        if offset
            .checked_add(out.len() as u64)
            .is_none_or(|end| end > changed.len)
        {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut done = 0;
        for (number, within, piece) in Changed::pieces(offset, out.len()) {
            let page = changed.page(&self.file, number)?;
            out[done..done + piece].copy_from_slice(&page[within..within + piece]);
            done += piece;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut changed = self.changed();
        if len < changed.len {
            changed.kept = changed.kept.min(len);
            changed.pages.retain(|number, _| number * PAGE < len);
            let last = len / PAGE;
            if let Some(page) = changed.pages.get_mut(&last) {
                page[(len % PAGE) as usize..].fill(0);
            }
        }
        changed.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut changed = self.changed();
        let mut done = 0;
        for (number, within, piece) in Changed::pieces(offset, data.len()) {
            let mut page = changed.page(&self.file, number)?;
            page[within..within + piece].copy_from_slice(&data[done..done + piece]);
            changed.pages.insert(number, page);
            done += piece;
        }
        changed.len = changed.len.max(offset + data.len() as u64);
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.locks {
            self.file.try_lock_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        if self.locks {
            self.file.try_lock_shared_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.locks {
            self.file.lock_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.locks {
            self.file.lock_shared_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.locks {
            self.file.unlock_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.locks {
            self.file.query_lock_range(start, end)
        } else {
            Err(BackendError::Unsupported)
        }
    }
}
