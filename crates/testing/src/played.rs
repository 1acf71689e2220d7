//! Scenarios played, and why that fails.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use playsim_base::time::Time;
use playsim_scenario::{Scenario, ScenarioError};
use playsim_sim::{MAX_TIME, Simulation};
use playsim_trace::Trace;

/// Why a law does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Why {
    pub(super) text: String,
    /// The kind of failure, which another scenario must share to count as the same failure.
    pub(super) kind: String,
}

impl From<String> for Why {
    fn from(text: String) -> Why {
        Why {
            text,
            kind: String::new(),
        }
    }
}

impl From<ScenarioError> for Why {
    fn from(error: ScenarioError) -> Why {
        Why {
            text: error.to_string(),
            kind: "it is refused".to_owned(),
        }
    }
}

/// A scenario and its trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) trace: &'a Trace,
    /// The scenario prepared, if it is: then playing it again, or one with the same world, costs
    /// little more than the run.
    pub(super) prepared: Option<&'a Simulation>,
}

impl Played<'_> {
    /// Returns the same session, not begun.
    pub(super) fn start(&self) -> Result<Simulation, Why> {
        self.prepared
            .map_or_else(|| start(self.scenario), |prepared| Ok(prepared.fork()))
    }

    /// Plays a scenario that differs in few things.
    pub(super) fn play(&self, other: &Scenario) -> Result<Trace, Why> {
        Ok(start_like(self.prepared, other)?.run())
    }
}

pub(super) fn start(scenario: &Scenario) -> Result<Simulation, Why> {
    Ok(Simulation::new(scenario)?)
}

/// Prepares a scenario, and shares what it has in common with another one.
pub(super) fn start_like(
    other: Option<&Simulation>,
    scenario: &Scenario,
) -> Result<Simulation, Why> {
    Ok(other.map_or_else(
        || Simulation::new(scenario),
        |other| other.with_scenario(scenario),
    )?)
}

pub(super) fn play(scenario: &Scenario) -> Result<Trace, Why> {
    start(scenario).map(Simulation::run)
}

/// When a scenario ends at the latest.
pub(super) fn end(scenario: &Scenario) -> Time {
    scenario.until.end().unwrap_or(MAX_TIME)
}

thread_local! {
    /// Whether a panic of this thread is caught.
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread becomes a finding, so that its message need not be printed.
pub fn is_catching() -> bool {
    IS_CATCHING.get()
}

/// A panic counts as a failure.
pub(super) fn caught<T>(run: impl FnOnce() -> Result<T, Why>) -> Result<T, Why> {
    let outer = IS_CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    IS_CATCHING.set(outer);
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = format!("it panics: {}", text.unwrap_or("without a message"));
        Err(Why {
            text,
            kind: "it panics".to_owned(),
        })
    })
}
