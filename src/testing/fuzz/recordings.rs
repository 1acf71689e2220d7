//! A fuzz target for recordings.

use super::sessions::judge;
use crate::import::{self, Hints, Session};
use crate::report::waterfall::Waterfalls;
use crate::scenario::Overrides;
use crate::testing::checks::Checks;
use crate::time::Span;

/// Reads any bytes as a recording. The scenario that is made from it keeps the laws, and its trace can be compared with
/// the recording.
///
/// # Panics
///
/// If a law does not hold.
pub fn recording(bytes: &[u8]) {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let Ok(recording) = import::read("fuzz", bytes, &mut load) else { return };
    let Ok(session) = Session::of(recording, Hints::default()) else { return };
    let (scenario, _) = session.scenario(&Overrides::default());
    let Some(trace) = judge(&scenario, Checks::default()) else { return };
    let report = Waterfalls::of_played(&trace, &scenario);
    let compared = import::compare(&session, &trace, &report, Span::from_millis(500));
    let _ = compared.text(100, false);
}
