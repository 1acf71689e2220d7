//! What must hold for every scenario: determinism in several forms, and the invariants of its trace.

use std::sync::Arc;

use playsim::api::{Call, Fields, Kind, Outcome, Query, Value};
use playsim::check::invariants;
use playsim::knobs::values::AskAhead;
use playsim::scenario::{ListenerScript, Scenario, Step, StepAct, Target, Trigger, Until};
use playsim::sim::{MAX_TIME, Simulation};
use playsim::time::Time;
use playsim::trace::{Record, Sink, Trace};

use super::dice::Dice;
use super::{ad_laws, features, steps, unreached};

/// A law and its name. It gets the scenario, its trace, and a source of choices.
pub(crate) struct Law {
    pub(crate) name: &'static str,
    pub(crate) share: Share,
    pub(crate) holds: fn(&Scenario, &Trace, &mut Dice) -> Result<(), String>,
}

/// The number of scenarios on which a law is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Every scenario: the law only looks at the trace.
    All,
    /// One in the given number, a different one for each law: the law plays the scenario again.
    OneIn(u64),
}

/// Laws that play a scenario again cost as much as several scenarios.
const AGAIN: Share = Share::OneIn(16);

pub(crate) const LAWS: &[Law] = &[
    Law { name: "the same scenario gives the same trace", share: AGAIN, holds: again },
    Law { name: "splitting time changes nothing", share: AGAIN, holds: split },
    Law { name: "a fork continues to the same trace", share: AGAIN, holds: fork },
    Law { name: "a sink gets the records of the trace", share: AGAIN, holds: sink },
    Law {
        name: "listeners of steps that never trigger change nothing",
        share: AGAIN,
        holds: silent_listeners,
    },
    Law { name: "listeners that only record change nothing", share: AGAIN, holds: recording_listeners },
    Law { name: "reading changes nothing", share: AGAIN, holds: reads },
    Law {
        name: "a knob that nothing reads changes nothing",
        share: AGAIN,
        holds: unreached::changes_nothing,
    },
    Law { name: "the invariants hold", share: Share::All, holds: all_invariants },
    Law { name: "every run ends with an outcome", share: Share::All, holds: ends },
    Law { name: "beacons come once and in order", share: Share::All, holds: ad_laws::beacons_in_order },
    Law {
        name: "each hop gets an error once",
        share: Share::All,
        holds: ad_laws::errors_are_reported_to_each_hop,
    },
    Law { name: "limits of ads are kept", share: Share::All, holds: ad_laws::budgets_kept },
    Law { name: "no tracker comes after the end of its ad", share: Share::All, holds: no_trackers_after },
];

impl Law {
    /// Whether it is checked on the scenario of a seed; `number` is its index in the list.
    pub(crate) fn is_due(&self, number: usize, seed: u64) -> bool {
        match self.share {
            Share::All => true,
            Share::OneIn(of) => (seed + number as u64).is_multiple_of(of),
        }
    }
}

pub(crate) fn play(scenario: &Scenario) -> Result<Trace, String> {
    Simulation::new(scenario).map(Simulation::run).map_err(|error| error.to_string())
}

fn start(scenario: &Scenario) -> Result<Simulation, String> {
    Simulation::new(scenario).map_err(|error| error.to_string())
}

/// INV-1.
fn again(scenario: &Scenario, trace: &Trace, _: &mut Dice) -> Result<(), String> {
    same("the second run", trace, &play(scenario)?)
}

/// INV-2.
fn split(scenario: &Scenario, trace: &Trace, dice: &mut Dice) -> Result<(), String> {
    let mut run = start(scenario)?;
    // Also at the instants of lines, not only between them.
    let mut cuts = dice.some(1, 6, |dice| steps::moment(60, dice));
    cuts.extend(dice.some(1, 6, |dice| dice.pick(&trace.records).until()));
    if dice.chance(1, 2) {
        cuts.sort_unstable();
    }
    for cut in cuts {
        run.run_until(cut);
    }
    same("the run in pieces", trace, &run.run())
}

/// INV-24.
fn fork(scenario: &Scenario, trace: &Trace, dice: &mut Dice) -> Result<(), String> {
    let mut run = start(scenario)?;
    let turns = dice.index(trace.records.len() + 1);
    for _ in 0..turns {
        if run.step().is_none() {
            break;
        }
    }
    let mut fork = run.fork();
    if dice.chance(1, 2) {
        // The original has continued before the fork does.
        while run.step().is_some() {}
        fork.run_until(Time::from_secs(3));
    }
    same("the fork", trace, &fork.run())?;
    same("the original", trace, &run.run())
}

struct Keep(Vec<Record>);

impl Sink for Keep {
    fn record(&mut self, record: &Record, _: Option<&Arc<str>>) {
        self.0.push(record.clone());
    }
}

fn sink(scenario: &Scenario, trace: &Trace, _: &mut Dice) -> Result<(), String> {
    let mut keep = Keep(Vec::new());
    start(scenario)?.run_into(&mut keep);
    same_lines("the sink's", &trace.records, &keep.0)
}

/// INV-23: the listener of a step that never triggers is bound and runs, and writes no line.
fn silent_listeners(scenario: &Scenario, trace: &Trace, dice: &mut Dice) -> Result<(), String> {
    let mut other = scenario.clone();
    let first = usize::from(!dice.chance(1, 2));
    for place in features::places(scenario) {
        let heard = features::heard(scenario, &place);
        for event in heard.iter().skip(first * dice.index(heard.len())) {
            let trigger = Trigger::On { event: *event, nth: Some(u32::MAX), after: None };
            let act = StepAct::Read(vec![Query::IsReady]);
            other.steps.push(Step { trigger, act, player: Target::Container(place.clone()) });
        }
    }
    let own = Lines::of(trace, |_| false);
    own.same("with listeners", &Lines::of(&play(&other)?, |_| false))
}

/// The name of a listener that generated scenarios do not use.
const RECORDER: &str = "recorder";

/// INV-23: the only additional lines are the calls that bind the listeners and the listeners' own lines
/// (EVT-2).
fn recording_listeners(scenario: &Scenario, trace: &Trace, dice: &mut Dice) -> Result<(), String> {
    let mut other = scenario.clone();
    other.listeners.push((RECORDER.into(), ListenerScript::default()));
    for place in features::places(scenario) {
        let names: Vec<Value> =
            features::heard(scenario, &place).iter().map(|event| Value::from(event.name())).collect();
        for _ in 0..2 {
            // A step after the end would prolong the run.
            let at = if dice.chance(1, 2) { Time::ZERO } else { steps::moment(20, dice).min(end(scenario)) };
            let call = if dice.chance(1, 3) { Call::Once } else { Call::On };
            let args = vec![Value::List(Vec::clone(&names)), Value::Function(RECORDER.into())];
            let act = StepAct::Do { call, args };
            let player = Target::Container(place.clone());
            other.steps.push(Step { trigger: Trigger::At(at), act, player });
        }
    }
    let is_new = |record: &Record| {
        let args = record.data.get("args").filter(|_| record.kind == Kind::Call);
        let binds =
            matches!(args, Some(Value::List(args)) if args.get(1) == Some(&Value::Function(RECORDER.into())));
        binds || record.kind == Kind::Listener && record.data.get("binding") == Some(&Value::from(RECORDER))
    };
    let own = Lines::of(trace, is_new);
    own.same("with recording listeners", &Lines::of(&play(&other)?, is_new))
}

/// INV-23.
fn reads(scenario: &Scenario, trace: &Trace, dice: &mut Dice) -> Result<(), String> {
    let mut other = scenario.clone();
    for _ in 0..dice.count(1, 8) {
        let at = if dice.chance(1, 2) { dice.pick(&trace.records).at } else { steps::moment(50, dice) };
        let at = at.min(end(scenario));
        let act = StepAct::Read(dice.some(1, 4, |dice| *dice.pick(Query::ALL)));
        let player = match features::places(scenario).as_slice() {
            [] => Target::First,
            places => Target::Container(dice.pick(places).clone()),
        };
        other.steps.push(Step { trigger: Trigger::At(at), act, player });
    }
    for (_, script) in &mut other.listeners {
        if !script.acts.is_empty() && dice.chance(1, 2) {
            let place = dice.index(script.acts.len() + 1);
            script.acts.insert(place, StepAct::Read(vec![*dice.pick(Query::ALL)]));
        }
    }
    // Reads of the scenario itself are left out on both sides: they cannot be reported apart.
    let is_read = |record: &Record| {
        let gives = record.data.get("returns").is_some() || record.data.get("error").is_some();
        let args = record.data.get("args");
        let has_none = args.is_none_or(|args| *args == Value::List(Vec::new()));
        record.kind == Kind::Call && Query::from_name(&record.name).is_some() && gives && has_none
    };
    Lines::of(trace, is_read).same("with reads", &Lines::of(&play(&other)?, is_read))
}

/// INV-3 to INV-18, INV-22.
fn all_invariants(_: &Scenario, trace: &Trace, _: &mut Dice) -> Result<(), String> {
    match invariants::judge(trace).as_slice() {
        [] => Ok(()),
        [first, others @ ..] => Err(format!("{first} (and {} more)", others.len())),
    }
}

/// Trackers that an ad has only while it plays; those of its end have that as their cause. VPAID-16.
const WHILE_ON: [&str; 6] = ["start", "midpoint", "complete", "skip", "pause", "resume"];

fn no_trackers_after(scenario: &Scenario, trace: &Trace, _: &mut Dice) -> Result<(), String> {
    // A mid-roll that loads ahead may fail while the ad of another break is on screen.
    if ad_laws::has_other_ads(trace) || scenario.knobs.midroll_ask != AskAhead::AtCue {
        return Ok(());
    }
    let mut last: Vec<(String, bool, u32)> = Vec::new();
    for record in &trace.records {
        let container = trace.container(record).map_or_else(String::new, ToString::to_string);
        let at = match last.iter().position(|(known, ..)| *known == container) {
            Some(at) => at,
            None => {
                last.push((container, false, u32::MAX));
                last.len() - 1
            }
        };
        let (_, is_on, end) = &mut last[at];
        match (record.kind, &*record.name) {
            (Kind::Event, "adImpression") => *is_on = true,
            // It was on its way to a player that has been removed. EVT-21
            (Kind::Diag, "event_dropped") if is_impression(record) => *is_on = true,
            (Kind::Event, "adComplete" | "adSkip" | "adError") => (*is_on, *end) = (false, record.seq),
            (Kind::Beacon, name) if WHILE_ON.contains(&name) && !*is_on && record.cause != Some(*end) => {
                return Err(format!("{name} at {} comes after the end of its ad", record.at));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_impression(dropped: &Record) -> bool {
    dropped.data.get("text").and_then(Value::as_text).is_some_and(|text| text.starts_with("adImpression "))
}

/// CLK-7.
fn ends(scenario: &Scenario, trace: &Trace, _: &mut Dice) -> Result<(), String> {
    let Some(last) = trace.records.last() else { return Err("the trace is empty".to_owned()) };
    let end = end(scenario);
    // None of these is long enough for any limit except the one on what listeners do: a run that reaches
    // another limit is stuck.
    let limit = last.data.get("limit").and_then(Value::as_text);
    let is_acts = limit.is_some_and(|limit| **limit == *"limit.tasks_per_instant");
    let is_known = match trace.outcome() {
        Some(Outcome::Idle | Outcome::Until | Outcome::Livelock) => true,
        Some(Outcome::Limit) => is_acts,
        None => false,
    };
    if last.kind == Kind::Outcome && is_known && last.at <= end {
        Ok(())
    } else {
        Err(format!("it ends with {last:?}"))
    }
}

fn end(scenario: &Scenario) -> Time {
    match scenario.until {
        Until::Idle => MAX_TIME,
        Until::At(at) => at,
    }
}

/// Checks that two traces are the same to the last byte.
pub(crate) fn same(what: &str, expected: &Trace, found: &Trace) -> Result<(), String> {
    same_lines(what, &expected.records, &found.records)?;
    if expected.digest != found.digest || expected.players != found.players {
        return Err(format!("{what}: the lines are the same, and the digest is not"));
    }
    Ok(())
}

fn same_lines<T: PartialEq + std::fmt::Debug>(what: &str, expected: &[T], found: &[T]) -> Result<(), String> {
    let differs = expected.iter().zip(found).position(|(expected, found)| expected != found);
    let at = differs.or((expected.len() != found.len()).then_some(expected.len().min(found.len())));
    match at {
        None => Ok(()),
        Some(at) => Err(format!(
            "{what} line {at} is\n  {:?}\nwhere the trace has\n  {:?}",
            found.get(at),
            expected.get(at)
        )),
    }
}

/// The lines of a trace without some of them, renumbered, with each time update on its own.
#[derive(Debug, PartialEq)]
pub(crate) struct Lines(Vec<Line>);

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
    pub(crate) fn of(trace: &Trace, leave_out: impl Fn(&Record) -> bool) -> Lines {
        let count = trace.records.iter().map(|record| record.lines() as usize).sum();
        let mut numbers = vec![LEFT_OUT; count];
        let mut lines: Vec<Line> = Vec::with_capacity(count);
        for record in trace.records.iter().filter(|record| !leave_out(record)) {
            for (seq, at) in record.each() {
                let new = u32::try_from(lines.len()).expect("a trace has fewer lines");
                numbers[seq as usize] = new;
                // A run that has nothing left to do ends with its last action, even if that is a read.
                let is_idle = matches!(
                    (record.kind, &*record.name),
                    (Kind::Outcome, "idle") | (Kind::Diag, "queue_never_drained")
                );
                lines.push(Line {
                    at: if is_idle { Time::ZERO } else { at },
                    seq: new,
                    cause: record.cause.map(|cause| numbers[cause as usize]),
                    container: trace.container(record).map_or_else(String::new, ToString::to_string),
                    kind: record.kind,
                    name: record.name.to_string(),
                    data: shown(record),
                });
            }
        }
        Lines(lines)
    }

    pub(crate) fn same(&self, what: &str, other: &Lines) -> Result<(), String> {
        same_lines(what, &self.0, &other.0)
    }
}

/// The payload of a line, without values that count other lines: digests, and the last lines of a livelock.
fn shown(record: &Record) -> Fields {
    let is_frame = matches!(record.kind, Kind::Header | Kind::Outcome);
    let counts = |key: &str| is_frame && matches!(key, "digest" | "lines" | "causes");
    let fields = record.data.iter().filter(|(key, _)| !counts(key));
    fields.map(|(key, value)| (key.clone(), value.clone())).collect()
}
