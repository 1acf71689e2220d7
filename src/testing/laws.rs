//! What must hold for every scenario: determinism in several forms, the invariants of its trace, and what the
//! scenario itself expects.

use std::sync::Arc;

use super::grid::moment;
use super::lines::{Lines, same, same_lines};
use super::places::{heard, places};
use super::played::{Played, Why, play};
use super::source::Source;
use super::{ad_laws, unreached};
use crate::api::{Call, Kind, Outcome, Query, Value};
use crate::check::{expectations, invariants};
use crate::scenario::{ListenerScript, Scenario, Step, StepAct, Target, Trigger, Until};
use crate::sim::MAX_TIME;
use crate::time::Time;
use crate::trace::{Record, Sink, Trace};

/// Something that holds for every scenario.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// Its name, a sentence.
    pub name: &'static str,
    cost: Cost,
    scope: Scope,
    holds: Holds,
}

/// Checks a law on a scenario and its trace, with a source of choices.
type Holds = fn(&Played<'_>, &mut Source) -> Result<(), Why>;

/// What it costs to check a law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// It only looks at the trace.
    Look,
    /// It plays the scenario again, once or several times.
    Again,
}

/// The scenarios for which a law holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Any,
    /// Those that were drawn as a whole: their documents list each tracker once, and an error URL in each ad.
    Drawn,
}

const fn look(name: &'static str, holds: Holds) -> Law {
    Law { name, cost: Cost::Look, scope: Scope::Any, holds }
}

const fn again(name: &'static str, holds: Holds) -> Law {
    Law { name, cost: Cost::Again, scope: Scope::Any, holds }
}

const fn drawn(name: &'static str, holds: Holds) -> Law {
    Law { name, cost: Cost::Look, scope: Scope::Drawn, holds }
}

/// All laws.
pub const LAWS: &[Law] = &[
    look("it can be played, without a panic", |_, _| Ok(())),
    look("the invariants hold", all_invariants),
    look("the scenario's own expectations are met", all_expectations),
    look("every run ends, within its limits", ends),
    again("the same scenario gives the same trace", play_again),
    again("splitting time changes nothing", split),
    again("a fork continues to the same trace", fork),
    again("a sink gets the records of the trace", sink),
    again("listeners of steps that never trigger change nothing", silent_listeners),
    again("listeners that only record change nothing", recording_listeners),
    again("reading changes nothing", reads),
    again("a knob that nothing reads changes nothing", unreached::changes_nothing),
    drawn("beacons come once and in order", ad_laws::beacons_in_order),
    drawn("each hop gets an error once", ad_laws::errors_are_reported_to_each_hop),
    drawn("limits of ads are kept", ad_laws::budgets_kept),
    drawn("no tracker comes after the end of its ad", no_trackers_after),
];

/// The law that is checked by playing a scenario.
pub(super) const PLAYABLE: &Law = &LAWS[0];

/// The law that the user's own expectations make.
pub(super) const EXPECTED: &Law = &LAWS[2];

/// Laws that play a scenario again cost as much as several scenarios: a sample checks each of them on one
/// scenario in so many, a different one for each law.
const SAMPLE: u64 = 16;

impl Law {
    /// Whether checking it plays the scenario again.
    #[must_use]
    pub fn plays_again(&self) -> bool {
        self.cost == Cost::Again
    }

    /// Whether it holds only for scenarios that were drawn as a whole, because their documents are known.
    #[must_use]
    pub fn is_of_drawn(&self) -> bool {
        self.scope == Scope::Drawn
    }

    /// Whether a sample includes it, at this place in the list, for the scenario of a seed.
    pub(super) fn is_sampled(&self, place: usize, seed: u64) -> bool {
        !self.plays_again() || seed.wrapping_add(place as u64).is_multiple_of(SAMPLE)
    }

    /// Checks it on a scenario and its trace. What it chooses follows from the scenario's seed.
    ///
    /// # Errors
    ///
    /// Why it does not hold.
    pub fn judge(&self, scenario: &Scenario, trace: &Trace) -> Result<(), String> {
        self.find(&Played { scenario, trace, prepared: None }).map_err(|why| why.text)
    }

    pub(super) fn find(&self, played: &Played<'_>) -> Result<(), Why> {
        (self.holds)(played, &mut Source::from_seed(played.scenario.seed))
    }
}

/// INV-1. The second run shares nothing with the first: preparing the scenario gives the same, too.
fn play_again(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    same("the second run", played.trace, &play(played.scenario)?)
}

/// What there is to choose from, if there is anything: a trace that was cut may be empty.
fn unless_empty<T>(items: &[T]) -> Option<&[T]> {
    (!items.is_empty()).then_some(items)
}

/// INV-2.
fn split(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let (trace, mut run) = (played.trace, played.start()?);
    // Also at the instants of lines, not only between them.
    let mut cuts = source.some(1, 6, |source| moment(60, source));
    if let Some(records) = unless_empty(&trace.records) {
        cuts.extend(source.some(1, 6, |source| source.pick(records).until()));
    }
    if source.chance(1, 2) {
        cuts.sort_unstable();
    }
    for cut in cuts {
        run.run_until(cut);
    }
    same("the run in pieces", trace, &run.run())
}

/// INV-24.
fn fork(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let (trace, mut run) = (played.trace, played.start()?);
    let turns = source.index(trace.records.len() + 1);
    for _ in 0..turns {
        if run.step().is_none() {
            break;
        }
    }
    let mut fork = run.fork();
    if source.chance(1, 2) {
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

fn sink(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let mut keep = Keep(Vec::new());
    played.start()?.run_into(&mut keep);
    same_lines("the sink's", &played.trace.records, &keep.0)
}

/// Without any steps a scenario plays by itself; with one more it would not.
fn starts_by_itself(scenario: &Scenario) -> bool {
    scenario.steps.is_empty()
}

/// INV-23: the listener of a step that never triggers is bound and runs, and writes no line.
fn silent_listeners(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let Played { scenario, trace, .. } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    let first = usize::from(!source.chance(1, 2));
    for place in places(scenario) {
        let heard = heard(scenario, &place);
        for event in heard.iter().skip(first * source.index(heard.len())) {
            let trigger = Trigger::On { event: *event, nth: Some(u32::MAX), after: None };
            let act = StepAct::Read(vec![Query::IsReady]);
            other.steps.push(Step { trigger, act, player: Target::Container(place.clone()) });
        }
    }
    let own = Lines::of(trace, |_| false);
    own.same("with listeners", &Lines::of(&played.play(&other)?, |_| false))
}

/// The name of a listener that generated scenarios do not use.
const RECORDER: &str = "recorder";

/// INV-23: the only additional lines are the calls that bind the listeners and the listeners' own lines
/// (EVT-2).
fn recording_listeners(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let Played { scenario, trace, .. } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    other.listeners.push((RECORDER.into(), ListenerScript::default()));
    for place in places(scenario) {
        let names: Vec<Value> =
            heard(scenario, &place).iter().map(|event| Value::from(event.name())).collect();
        for _ in 0..2 {
            // A step after the end would prolong the run.
            let at = if source.chance(1, 2) { Time::ZERO } else { moment(20, source).min(end(scenario)) };
            let call = if source.chance(1, 3) { Call::Once } else { Call::On };
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
    own.same("with recording listeners", &Lines::of(&played.play(&other)?, is_new))
}

/// INV-23.
fn reads(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let Played { scenario, trace, .. } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    for _ in 0..source.count(1, 8) {
        let records = unless_empty(&trace.records).filter(|_| source.chance(1, 2));
        let at = records.map(|records| source.pick(records).at);
        let at = at.unwrap_or_else(|| moment(50, source)).min(end(scenario));
        let act = StepAct::Read(source.some(1, 4, |source| *source.pick(Query::ALL)));
        let player = match places(scenario).as_slice() {
            [] => Target::First,
            places => Target::Container(source.pick(places).clone()),
        };
        other.steps.push(Step { trigger: Trigger::At(at), act, player });
    }
    for (_, script) in &mut other.listeners {
        if !script.acts.is_empty() && source.chance(1, 2) {
            let place = source.index(script.acts.len() + 1);
            script.acts.insert(place, StepAct::Read(vec![*source.pick(Query::ALL)]));
        }
    }
    // Reads of the scenario itself are left out on both sides: they cannot be reported apart.
    let is_read = |record: &Record| {
        let gives = record.data.get("returns").is_some() || record.data.get("error").is_some();
        let args = record.data.get("args");
        let has_none = args.is_none_or(|args| *args == Value::List(Vec::new()));
        record.kind == Kind::Call && Query::from_name(&record.name).is_some() && gives && has_none
    };
    Lines::of(trace, is_read).same("with reads", &Lines::of(&played.play(&other)?, is_read))
}

/// INV-3 to INV-18, INV-20 to INV-22.
fn all_invariants(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    match invariants::judge(played.trace).as_slice() {
        [] => Ok(()),
        [first] => Err(Why { text: first.to_string(), kind: first.rule.to_string() }),
        [first, others @ ..] => {
            let text = format!("{first} (and {} more)", others.len());
            Err(Why { text, kind: first.rule.to_string() })
        }
    }
}

fn all_expectations(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Some(unmet) = expectations(&played.scenario.expect, played.trace).into_iter().next() else {
        return Ok(());
    };
    // How often and when is not the same in a smaller scenario.
    let found = unmet.found.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or_default();
    Err(Why { text: unmet.to_string(), kind: format!("{}; {found}", unmet.expected) })
}

/// Trackers that an ad has only while it plays; those of its end have that as their cause. VPAID-16.
const WHILE_ON: [&str; 6] = ["start", "midpoint", "complete", "skip", "pause", "resume"];

fn no_trackers_after(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played { scenario, trace, .. } = *played;
    // A mid-roll that loads ahead may fail while the ad of another break is on screen.
    if ad_laws::has_other_ads(trace) || scenario.knobs.asks_ahead() {
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
                return Err(format!("{name} at {} comes after the end of its ad", record.at).into());
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
fn ends(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played { scenario, trace, .. } = *played;
    let Some(last) = trace.records.last() else { return Err("the trace is empty".to_owned().into()) };
    let end = end(scenario);
    // A session is not long enough for any limit except the one on what listeners do, and a live stream or a
    // loop without an end: a run that reaches another limit is stuck.
    let limit = last.data.get("limit").and_then(Value::as_text).map(|limit| &**limit);
    let is_ended = match trace.outcome() {
        Some(Outcome::Idle | Outcome::Until | Outcome::Livelock) => true,
        Some(Outcome::Limit) => {
            limit == Some("limit.tasks_per_second") || limit == Some("time") && scenario.until == Until::Idle
        }
        None => false,
    };
    if last.kind == Kind::Outcome && is_ended && last.at <= end {
        Ok(())
    } else {
        Err(format!("it ends with {last:?}").into())
    }
}

fn end(scenario: &Scenario) -> Time {
    match scenario.until {
        Until::Idle => MAX_TIME,
        Until::At(at) => at,
    }
}
