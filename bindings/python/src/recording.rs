//! Recordings of real pages: one, understood and played, or many as a table.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

use crate::errors::{argument, raised};
use crate::scenario::file;
use crate::watched::watched;

/// A recording, understood and played.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct Recording(playsim_bindings::Recording);

#[pymethods]
impl Recording {
    /// Reads a file; `options` are those of `playsim_bindings::Recording` in JSON.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<Recording> {
        let read = watched(py, None, |_| {
            let bytes = file(&path)?;
            let mut load = beside(&path);
            Ok::<_, io::Error>(playsim_bindings::Recording::with_files(
                options, &bytes, &mut load,
            ))
        })??;
        read.map(Recording).map_err(|error| raised(py, &error))
    }

    /// Answers `{ "op" }` in JSON.
    fn perform(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        watched(py, None, |_| self.0.perform(text))?.map_err(|error| raised(py, &error))
    }
}

/// Many recordings as a table.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct Recordings(Mutex<playsim_bindings::Recordings>);

#[pymethods]
impl Recordings {
    #[new]
    fn new() -> Recordings {
        Recordings(Mutex::default())
    }

    /// Adds a file; one that cannot be read is left out, and the table says so.
    fn add(&self, py: Python<'_>, path: PathBuf, options: &str, is_before: bool) -> PyResult<()> {
        let added = py.detach(|| {
            let bytes = file(&path).map_err(|error| format!("it cannot be read: {error}"));
            let mut set = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            set.add(
                options,
                bytes.as_deref().map_err(Clone::clone),
                &mut beside(&path),
                is_before,
            )
        });
        added.map_err(|error| raised(py, &error))
    }

    /// Adds what another table has.
    fn merge(&self, py: Python<'_>, other: &Recordings) {
        py.detach(|| {
            let other = other
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .merge(other);
        });
    }

    /// Answers `{ "op" }` in JSON.
    fn perform(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        let set = self
            .0
            .try_lock()
            .map_err(|_| argument(py, "the table is in use on another thread"))?
            .clone();
        py.detach(|| set.perform(text))
            .map_err(|error| raised(py, &error))
    }
}

/// Reads files in or below the folder of a recording. A name that leads elsewhere is refused.
fn beside(recording: &Path) -> impl FnMut(&str) -> io::Result<Vec<u8>> + use<> {
    let folder = recording
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    move |path| playsim::cli::bytes_below(&folder, Path::new(path))
}
