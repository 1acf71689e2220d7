//! Scenarios played, and why that fails.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::scenario::Scenario;
use crate::sim::Simulation;
use crate::trace::Trace;

/// Why a law does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Why {
    pub(super) text: String,
    /// What another scenario must have in common with this one to count as the same failure.
    pub(super) kind: String,
}

impl From<String> for Why {
    fn from(text: String) -> Why {
        Why { text, kind: String::new() }
    }
}

pub(super) fn start(scenario: &Scenario) -> Result<Simulation, Why> {
    Simulation::new(scenario)
        .map_err(|error| Why { text: error.to_string(), kind: "it is refused".to_owned() })
}

pub(super) fn play(scenario: &Scenario) -> Result<Trace, Why> {
    start(scenario).map(Simulation::run)
}

/// A panic counts as a failure.
pub(super) fn caught<T>(run: impl FnOnce() -> Result<T, Why>) -> Result<T, Why> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = format!("it panics: {}", text.unwrap_or("without a message"));
        Err(Why { text, kind: "it panics".to_owned() })
    })
}
