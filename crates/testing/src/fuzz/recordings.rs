//! A fuzz target for recordings.

use super::sessions::judge;
use crate::checks::Checks;
use playsim_base::time::Span;
use playsim_import::{self as import, Evidence, Hints, PageSimulation, PageVerdict};
use playsim_scenario::Overrides;

/// Reads any bytes as a recording. The scenario that is made from it keeps the laws, and its trace
/// can be compared with the recording.
///
/// # Panics
///
/// If a law does not hold.
pub fn recording(bytes: &[u8]) {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let Ok(recording) = import::read("fuzz", bytes, &mut load) else {
        return;
    };
    let Ok(evidence) = Evidence::of(recording, Hints::default()) else {
        return;
    };
    let verdict = PageVerdict::of(&evidence);
    let (scenario, _) = import::scenario(&evidence, &verdict, &Overrides::default());
    if judge(&scenario, Checks::default()).is_some() {
        let simulation = PageSimulation::of(&evidence, &verdict, scenario, Span::from_millis(500));
        let simulation = simulation.expect("it was just played");
        let _ = (
            verdict.to_string(),
            evidence.json(),
            simulation.comparison.text(100, false),
        );
    }
}
