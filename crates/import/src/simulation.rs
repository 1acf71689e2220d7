//! The third step: the documented player's behaviour in the same world, and where the page deviated
//! from it.

use serde::Serialize;

use super::evidence::Evidence;
use super::verdict::PageVerdict;
use playsim_base::time::Span;
use playsim_report::comparison::ProductComparison;
use playsim_report::waterfall::Waterfalls;
use playsim_scenario::{Overrides, Scenario};
use playsim_sim::Simulation as Run;
use playsim_trace::Trace;

mod compare;
mod differences;
mod films;
mod scenario;

pub use compare::compare;
pub use differences::{PageDifference, Rank};
pub(super) use scenario::Player;

/// A recording, played by the documented player.
#[derive(Debug)]
pub struct PageSimulation {
    /// The scenario that was played.
    pub scenario: Scenario,
    /// The trace of the player.
    pub trace: Trace,
    /// The behaviour of each tag in it.
    pub report: Waterfalls,
    /// The recording and the simulation side by side.
    pub comparison: ProductComparison,
    /// The deviations of the page from the documented behaviour, the worst first.
    pub differences: Vec<PageDifference>,
}

/// How a recording is simulated.
#[derive(Debug, Clone)]
pub struct PlaySettings {
    /// The profile and the knobs of the simulated player.
    pub overrides: Overrides,
    /// The largest difference between two times that does not count; half a second by default.
    pub within: Span,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            overrides: Overrides::default(),
            within: Span::from_millis(500),
        }
    }
}

impl PageSimulation {
    /// Plays a scenario that was made from a recording, and compares it with the recording.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be played, which only happens if it was changed.
    pub fn of(
        evidence: &Evidence,
        verdict: &PageVerdict,
        scenario: Scenario,
        within: Span,
    ) -> Result<PageSimulation, playsim_scenario::ScenarioError> {
        let trace = Run::new(&scenario)?.run();
        let mut report = Waterfalls::of_played(&trace, &scenario);
        report.leave_open();
        let comparison = compare(evidence, verdict, &trace, &report, within);
        let differences = differences::of(evidence, verdict, &comparison, &report);
        Ok(PageSimulation {
            scenario,
            trace,
            report,
            comparison,
            differences,
        })
    }
}

/// A simulation in JSON.
#[derive(Serialize)]
pub(super) struct View<'a> {
    differences: &'a [PageDifference],
    report: &'a Waterfalls,
    comparison: &'a ProductComparison,
}

impl PageSimulation {
    pub(super) fn view(&self) -> View<'_> {
        View {
            differences: &self.differences,
            report: &self.report,
            comparison: &self.comparison,
        }
    }
}
