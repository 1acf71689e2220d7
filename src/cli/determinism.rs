//! Checks that a scenario gives the same trace in every way in which it can be played.
//!
//! Rules: CLK-5, CLK-9, CLK-11.

use std::fmt;

use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::time::Time;
use playsim::trace::{Trace, write_jsonl};

use super::{lines, written};

/// The number of equal time slices into which a run is split.
const PIECES: u64 = 97;

/// Plays a scenario again (in one go, step by step, in time slices, and forked in the middle), and
/// compares every trace with the first one.
///
/// # Errors
///
/// How the scenario was played, and which line differs first.
///
/// # Panics
///
/// If the scenario cannot be played.
pub(super) fn check(scenario: &Scenario, trace: &Trace) -> Result<(), Difference> {
    let new = || Simulation::new(scenario).expect("the scenario has been played before");
    compare("again", trace, &new().run())?;

    let mut stepped = new();
    let mut steps = 0;
    while stepped.step().is_some() {
        steps += 1;
    }
    compare("step by step", trace, &stepped.run())?;

    let mut pieces = new();
    let end = trace
        .records
        .last()
        .map_or(Time::ZERO, |record| record.at)
        .micros();
    for piece in 1..PIECES {
        pieces.run_until(Time::from_micros(end / PIECES * piece));
    }
    compare("in time slices", trace, &pieces.run())?;

    let mut original = new();
    for _ in 0..steps / 2 {
        original.step();
    }
    let fork = original.fork();
    compare("forked in the middle", trace, &fork.run())?;
    compare("on after a fork", trace, &original.run())
}

/// Another trace of the same scenario.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// How the scenario was played.
    how: &'static str,
    /// Where the two traces differ.
    at: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "played {}, the scenario gives another trace: {}",
            self.how, self.at
        )
    }
}

fn compare(how: &'static str, first: &Trace, other: &Trace) -> Result<(), Difference> {
    if first == other {
        return Ok(());
    }
    let (first_lines, other_lines) = (lines(first), lines(other));
    let mut pairs = (1..).zip(first_lines.lines()).zip(other_lines.lines());
    let at = match pairs.find(|((_, a), b)| a != b) {
        Some(((number, a), b)) => {
            format!("line {number} of the JSON lines differs\n  first  {a}\n  then   {b}")
        }
        None => {
            format!(
                "the lines are equal, but digests or turns differ: {} and {}",
                first.digest, other.digest
            )
        }
    };
    Err(Difference { how, at })
}

fn lines(trace: &Trace) -> String {
    written(|text| write_jsonl(trace, &lines::all(), true, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The built-in demo, played with a seed.
    fn demo(seed: u64) -> (Scenario, Trace) {
        let files = playsim::scenario::demo();
        let (name, text) = files[0];
        let mut scenario = playsim::scenario::read(name, text, &mut |_| Ok(files[1].1.to_owned()))
            .expect("the demo reads without error");
        scenario.seed = seed;
        let trace = Simulation::new(&scenario)
            .expect("the demo can be played")
            .run();
        (scenario, trace)
    }

    #[test]
    fn the_demo_gives_the_same_trace_in_every_way() {
        let (scenario, trace) = demo(0);
        assert_eq!(check(&scenario, &trace), Ok(()));
    }

    #[test]
    fn the_first_differing_line_is_shown_from_both_traces() {
        let ((scenario, _), (_, other)) = (demo(0), demo(7));
        let difference = check(&scenario, &other)
            .expect_err("the header names the seed")
            .to_string();
        let lines: Vec<&str> = difference.lines().collect();
        assert_eq!(
            lines[0],
            "played again, the scenario gives another trace: line 1 of the JSON lines differs"
        );
        assert!(
            lines[1].starts_with("  first  {") && lines[1].contains("\"seed\":7,"),
            "{}",
            lines[1]
        );
        assert!(
            lines[2].starts_with("  then   {") && lines[2].contains("\"seed\":0,"),
            "{}",
            lines[2]
        );
    }
}
