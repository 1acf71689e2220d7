//! Errors of the library as exceptions of the package.

use playsim::ScenarioError;
use playsim_bindings::scenario_failure;
use pyo3::prelude::*;
use serde_json::json;

/// The exception for an error in JSON: the package chooses its class.
pub(crate) fn raised(py: Python<'_>, error: &str) -> PyErr {
    let made = || {
        py.import("playsim.errors")?
            .getattr("of_failure")?
            .call1((error,))
    };
    made().map_or_else(|failed| failed, PyErr::from_value)
}

/// The exception for a scenario that cannot be read or played.
pub(crate) fn of_scenario(py: Python<'_>, error: &ScenarioError) -> PyErr {
    if let ScenarioError::Mistakes(_) = error {
        raised(py, &scenario_failure(error))
    } else {
        raised(
            py,
            &json!({ "message": error.to_string(), "mistakes": [] }).to_string(),
        )
    }
}

/// The exception for an argument that is wrong; the message says what to write instead.
pub(crate) fn argument(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    raised(py, &json!({ "message": message.to_string() }).to_string())
}
