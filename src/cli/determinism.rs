//! Whether a scenario gives the same trace in every way it can be played.
//!
//! Rules: CLK-5, CLK-9, CLK-11.

use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::time::Time;
use playsim::trace::{Filter, Trace, View, write_jsonl};

/// Into so many pieces of equal length a run is split.
const PIECES: u64 = 97;

/// Plays a scenario again, in one go, step by step, in pieces of time and forked in the middle, and
/// compares each with its trace.
///
/// # Errors
///
/// How it was played and the first line that differs.
pub(super) fn check(scenario: &Scenario, trace: &Trace) -> Result<(), String> {
    let new = || Simulation::new(scenario).map_err(|error| error.to_string());
    compare("again", trace, &new()?.run())?;

    let mut stepped = new()?;
    let mut steps = 0;
    while stepped.step().is_some() {
        steps += 1;
    }
    compare("step by step", trace, &stepped.run())?;

    let mut pieces = new()?;
    let end = trace.records.last().map_or(Time::ZERO, |record| record.at).micros();
    for piece in 1..PIECES {
        pieces.run_until(Time::from_micros(end / PIECES * piece));
    }
    compare("in pieces of time", trace, &pieces.run())?;

    let mut original = new()?;
    for _ in 0..steps / 2 {
        original.step();
    }
    let fork = original.fork();
    compare("forked in the middle", trace, &fork.run())?;
    compare("after it was forked", trace, &original.run())
}

fn compare(how: &str, first: &Trace, other: &Trace) -> Result<(), String> {
    if first == other {
        return Ok(());
    }
    let (first_lines, other_lines) = (lines(first), lines(other));
    let mut pairs = (1..).zip(first_lines.lines()).zip(other_lines.lines());
    let difference = match pairs.find(|((_, a), b)| a != b) {
        Some(((number, a), b)) => {
            format!("line {number} of the JSON lines differs\n  first  {a}\n  then   {b}")
        }
        None => {
            format!("the lines are the same, digests or turns differ: {} and {}", first.digest, other.digest)
        }
    };
    Err(format!("played {how}, the trace is another one: {difference}"))
}

fn lines(trace: &Trace) -> String {
    let mut text = String::new();
    let filter = Filter { view: View::All, ..Filter::default() };
    // Writing to a text cannot fail.
    let _ = write_jsonl(trace, &filter, true, &mut text);
    text
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
        let trace = Simulation::new(&scenario).expect("the demo can be played").run();
        (scenario, trace)
    }

    #[test]
    fn the_demo_is_the_same_in_every_way() {
        let (scenario, trace) = demo(0);
        assert_eq!(check(&scenario, &trace), Ok(()));
    }

    #[test]
    fn the_first_line_that_differs_is_shown_from_both() {
        let ((scenario, _), (_, other)) = (demo(0), demo(7));
        let difference = check(&scenario, &other).expect_err("the seed stands in the header");
        let lines: Vec<&str> = difference.lines().collect();
        assert_eq!(lines[0], "played again, the trace is another one: line 1 of the JSON lines differs");
        assert!(lines[1].starts_with("  first  {") && lines[1].contains("\"seed\":7,"), "{}", lines[1]);
        assert!(lines[2].starts_with("  then   {") && lines[2].contains("\"seed\":0,"), "{}", lines[2]);
    }
}
