//! Scenarios: read once, played any number of times.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use playsim::sweep::cores;
use playsim::{cli, scenario, vast};
use pyo3::prelude::*;

use crate::errors::of_scenario;
use crate::trace::Trace;

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// A scenario that can be played.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct Scenario(pub(crate) playsim::Scenario);

/// Reads a scenario in YAML or JSON. The documents that it names are in `files`, or else in the
/// folder.
#[pyfunction]
#[pyo3(signature = (text, name, files = None, folder = None))]
pub(crate) fn read(
    py: Python<'_>,
    text: &str,
    name: &str,
    files: Option<HashMap<String, String>>,
    folder: Option<PathBuf>,
) -> PyResult<Scenario> {
    let mut load = |path: &str| {
        if let Some(text) = files.as_ref().and_then(|files| files.get(path)) {
            return Ok(text.clone());
        }
        match &folder {
            Some(folder) => document(folder, path),
            None => Err(io::Error::other(
                "a scenario in a text has no folder; give the file with files={...}, or read the scenario from its file",
            )),
        }
    };
    py.detach(|| scenario::read(name, text, &mut load))
        .map(Scenario)
        .map_err(|error| of_scenario(py, &error))
}

/// Reads a document below the folder of its scenario.
fn document(folder: &Path, path: &str) -> io::Result<String> {
    let (text, is_valid) = cli::decoded(&cli::bytes_below(folder, Path::new(path))?);
    // Ad servers may also return images or compressed data: such a response can be played, and
    // fails as it should.
    if is_valid || vast::is_other_file(&text) {
        Ok(text)
    } else {
        Err(io::Error::other("it is not valid UTF-8"))
    }
}

/// Decodes a document as the command line does; bytes that are not valid become U+FFFD.
#[pyfunction]
pub(crate) fn decoded(bytes: &[u8]) -> String {
    cli::decoded(bytes).0
}

/// Reads a file of a limited size.
pub(crate) fn file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it is larger than {} MB",
            MAX_BYTES >> 20
        )));
    }
    Ok(bytes)
}

#[pymethods]
impl Scenario {
    /// Plays it to its end.
    fn run(&self, py: Python<'_>) -> PyResult<Trace> {
        let trace = py.detach(|| playsim::Simulation::new(&self.0).map(playsim::Simulation::run));
        Ok(Trace {
            trace: trace.map_err(|error| of_scenario(py, &error))?,
            scenario: self.0.clone(),
        })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed
    }

    #[getter]
    fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// The number of threads that this machine runs at once.
    #[staticmethod]
    fn cores() -> usize {
        cores()
    }

    /// As YAML; the documents are in [`files`](Scenario::files).
    fn yaml(&self) -> String {
        self.0.to_yaml()
    }

    /// As JSON; the documents are in [`files`](Scenario::files).
    fn json(&self) -> String {
        self.0.to_json()
    }

    /// The scenario with its documents in it.
    fn inlined(&self) -> Scenario {
        Scenario(self.0.inlined())
    }

    /// The documents: paths and texts.
    fn files(&self) -> Vec<(String, String)> {
        self.0
            .files()
            .iter()
            .map(|(path, text)| (path.to_string(), text.to_string()))
            .collect()
    }
}
