//! A scenario against its golden trace, as `playsim test` compares them.

use playsim::check;
use playsim::diff::{self, Side};
use playsim::place::Place;
use playsim::recording::Tolerance;
use playsim::trace::{Filter, write_text};
use playsim::{Scenario, Trace};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::Answer;
use crate::answers::failure;

/// The most lines of a difference.
const MOST_LINES: usize = 60;

/// A golden trace, and its name in messages.
#[derive(Deserialize)]
pub(crate) struct Golden {
    golden: Option<String>,
    #[serde(default)]
    golden_name: String,
    #[serde(default)]
    name: String,
}

impl Golden {
    /// Compares a run with it: `{ "text", "same", "difference", "invariants", "stopped" }`. `same`
    /// is null if there is no golden trace.
    pub(crate) fn judge(&self, trace: &Trace) -> Answer {
        let mut text = String::new();
        write_text(trace, &Filter::default(), false, &mut text).map_err(failure)?;
        // A checkout may have changed the line endings.
        let golden = self
            .golden
            .as_ref()
            .map(|golden| golden.replace("\r\n", "\n"));
        let same = golden.as_ref().map(|golden| *golden == text);
        let difference = golden
            .filter(|_| same == Some(false))
            .map(|it| self.difference(&it, &text, trace));
        let invariants: Vec<String> = check::invariants(trace)
            .iter()
            .map(ToString::to_string)
            .collect();
        let stopped = trace
            .outcome()
            .filter(|_| trace.is_cut_short())
            .map(|outcome| outcome.name());
        Ok(json!({
            "text": text, "same": same, "difference": difference, "invariants": invariants, "stopped": stopped,
        })
        .to_string())
    }

    /// Returns the first differences in words.
    fn difference(&self, golden: &str, now: &str, trace: &Trace) -> String {
        let first = match Side::of_text(&self.golden_name, golden, &Filter::default()) {
            Ok(side) => side,
            Err(error) => return error.to_string(),
        };
        let second = Side::of_trace(&self.name, trace.clone(), &Filter::default());
        let comparison = diff::compare(&first, &second, Tolerance::EXACT);
        if comparison.is_equal() && comparison.other_heads().is_none() {
            return diff::layout(&self.golden_name, golden, now);
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = comparison.write(MOST_LINES, &mut text);
        text
    }
}

/// The expectations that a trace does not meet, with their places.
pub(crate) fn failed(scenario: &Scenario, places: &[Place], trace: &Trace) -> Json {
    let each = |it: check::UnmetExpectation| {
        let place = it.number.checked_sub(1).and_then(|index| places.get(index));
        json!({
            "number": it.number, "expected": it.expected, "found": it.found, "line": place.map(|it| it.line),
        })
    };
    check::expectations(&scenario.expect, trace)
        .into_iter()
        .map(each)
        .collect()
}
