//! Traces and parts of traces, compared line by line.

use super::played::Why;
use playsim_api::{Code, Fields, Kind, Outcome};
use playsim_base::time::Time;
use playsim_trace::{Record, Trace};

/// Checks that two traces are the same to the last byte.
pub(super) fn same(what: &str, expected: &Trace, found: &Trace) -> Result<(), Why> {
    same_lines(what, &expected.records, &found.records)?;
    if expected.digest != found.digest || expected.players != found.players {
        return Err(format!("{what}: the lines are the same, and the digest is not").into());
    }
    Ok(())
}

pub(super) fn same_lines<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &[T],
    found: &[T],
) -> Result<(), Why> {
    let differs = expected
        .iter()
        .zip(found)
        .position(|(expected, found)| expected != found);
    let at = differs.or((expected.len() != found.len()).then_some(expected.len().min(found.len())));
    match at {
        None => Ok(()),
        Some(at) => Err(format!(
            "{what} line {at} is\n  {:?}\nwhere the trace has\n  {:?}",
            found.get(at),
            expected.get(at)
        )
        .into()),
    }
}

/// The lines of a trace without some of them, renumbered, with each time update on its own.
#[derive(Debug, PartialEq)]
pub(super) struct Lines(Vec<Line>);

#[derive(Debug, PartialEq)]
struct Line {
    at: Time,
    seq: u32,
    cause: Option<u32>,
    container: String,
    kind: Kind,
    name: String,
    data: Fields,
}

/// Replaces the number of a line that was left out.
const LEFT_OUT: u32 = u32::MAX;

impl Lines {
    pub(super) fn of(trace: &Trace, leave_out: impl Fn(&Record) -> bool) -> Lines {
        let count = trace
            .records
            .iter()
            .map(|record| record.lines() as usize)
            .sum();
        // A trace that was cut may name lines that it does not have.
        let last = trace
            .records
            .iter()
            .map(|record| record.last_seq() as usize + 1)
            .max()
            .unwrap_or(0);
        let mut numbers = vec![LEFT_OUT; last];
        let mut lines: Vec<Line> = Vec::with_capacity(count);
        for record in trace.records.iter().filter(|record| !leave_out(record)) {
            for (seq, at) in record.each() {
                let new = u32::try_from(lines.len()).expect("a trace has fewer lines");
                numbers[seq as usize] = new;
                // A run that has nothing left to do ends with its last action, even if that is a
                // read.
                let is_idle = record.is(Outcome::Idle) || record.is(Code::QueueNeverDrained);
                lines.push(Line {
                    at: if is_idle { Time::ZERO } else { at },
                    seq: new,
                    cause: record
                        .cause
                        .map(|cause| numbers.get(cause as usize).copied().unwrap_or(LEFT_OUT)),
                    container: trace
                        .container(record)
                        .map_or_else(String::new, ToString::to_string),
                    kind: record.kind,
                    name: record.name.to_string(),
                    data: shown(record),
                });
            }
        }
        Lines(lines)
    }

    pub(super) fn same(&self, what: &str, other: &Lines) -> Result<(), Why> {
        same_lines(what, &self.0, &other.0)
    }
}

/// The payload of a line, without values that count other lines: digests, and the last lines and
/// the circle of a livelock.
fn shown(record: &Record) -> Fields {
    let is_frame = matches!(record.kind, Kind::Header | Kind::Outcome);
    let counts = |key: &str| is_frame && matches!(key, "digest" | "lines" | "causes" | "circle");
    let fields = record.data.iter().filter(|(key, _)| !counts(key));
    fields
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::play;
    use crate::{Options, Source, scenario};
    use playsim_api::{EventName, Query};
    use playsim_base::time::Span;
    use playsim_scenario::{Scenario, Step, StepAct, Target, Trigger};

    fn is_ready(record: &Record) -> bool {
        record.kind == Kind::Event && *record.name == *EventName::Ready.name()
    }

    /// The first scenario in which some player becomes ready.
    fn ready() -> (Scenario, Trace) {
        let mut drawn =
            (0..).map(|seed| scenario(&mut Source::from_seed(seed), &Options::default()));
        let played = drawn.find_map(|scenario| {
            let trace = play(&scenario)
                .ok()
                .filter(|trace| trace.records.iter().any(is_ready))?;
            Some((scenario, trace))
        });
        played.expect("some player becomes ready")
    }

    #[test]
    fn the_comparison_finds_one_line_that_differs() {
        let (_, trace) = ready();
        for at in 0..trace.records.len() {
            let mut other = trace.clone();
            other.records[at].at += Span::from_micros(1);
            assert!(same("the other", &trace, &other).is_err(), "line {at}");
        }
        let mut other = trace.clone();
        other.records.retain(|record| !is_ready(record));
        assert!(same("the other", &trace, &other).is_err());
        let without = Lines::of(&trace, is_ready);
        assert!(
            Lines::of(&trace, |_| false)
                .same("the other", &without)
                .is_err()
        );
    }

    #[test]
    fn a_listener_that_acts_does_not_count_as_recording() {
        let (scenario, before) = ready();
        let line = before
            .records
            .iter()
            .find(|record| is_ready(record))
            .expect("a player becomes ready");
        let player = Target::Container(
            before
                .container(line)
                .expect("an event has a player")
                .clone(),
        );
        let trigger = Trigger::On {
            event: EventName::Ready,
            nth: None,
            after: None,
        };
        let act = StepAct::Read(vec![Query::IsReady]);
        let after = play(&scenario.with_step(Step {
            trigger,
            act,
            player,
        }))
        .expect("it is playable");
        let lines = |trace: &Trace| Lines::of(trace, |_| false);
        assert!(lines(&before).same("acting", &lines(&after)).is_err());
    }
}
