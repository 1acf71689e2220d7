//! The extension module of the Python package, `playsim._playsim`: scenarios, traces, sweeps,
//! recordings and running pages as Python objects.
//!
//! It decides nothing and is not meant to be called by users: the package around it is written in
//! Python. What speaks JSON goes through `playsim_bindings`, as in the npm package; what is large,
//! such as the columns of a sweep, becomes Python objects here. Everything that takes long lets
//! other Python threads run.

#![allow(clippy::disallowed_types, reason = "numbers of Python are floats")]

mod command;
mod drawn;
mod errors;
mod recording;
mod scenario;
mod sweep;
mod trace;
mod values;
mod watched;
mod world;

use pyo3::prelude::*;

/// Answers a request, a text in JSON, with a text in JSON.
#[pyfunction]
fn request(py: Python<'_>, text: &str) -> PyResult<String> {
    py.detach(|| playsim_bindings::request(text))
        .map_err(|error| errors::raised(py, &error))
}

// Objects lock what they change, so Python may run without its global lock.
#[pymodule(gil_used = false)]
mod _playsim {
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python calls it so")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::command::{run, run_shared};
    #[pymodule_export]
    use super::drawn::Draw;
    #[pymodule_export]
    use super::recording::{Recording, Recordings};
    #[pymodule_export]
    use super::request;
    #[pymodule_export]
    use super::scenario::{Scenario, decoded, read};
    #[pymodule_export]
    use super::sweep::sweep;
    #[pymodule_export]
    use super::trace::Trace;
    #[pymodule_export]
    use super::world::World;
}
