//! The laws that hold for every scenario: determinism in several forms, the invariants of its
//! trace, and what the scenario itself expects.

use std::sync::Arc;

use super::grid::moment;
use super::lines::{same, same_lines};
use super::places::places;
use super::played::{Played, Why, end, play};
use super::source::Source;
use super::{ad_laws, listening, unreached, wholly};
use playsim_api::{Call, EventName, Kind, Outcome, Query, Value};
use playsim_base::time::Time;
use playsim_check::{expectations, invariants};
use playsim_scenario::{Scenario, Step, StepAct, Target, Trigger, Until};
use playsim_trace::{Record, Sink, Trace};
use playsim_vast::TrackingEvent;

/// Something that holds for every scenario.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// Its name, a sentence.
    pub name: &'static str,
    cost: Cost,
    scope: Scope,
    holds: Holds,
    /// Everything that `holds` draws from, for laws that draw.
    wholly: Option<Wholly>,
}

/// Checks a law on a scenario and its trace, with a source of choices.
type Holds = fn(&Played<'_>, &mut Source) -> Result<(), Why>;

/// Checks a law on a scenario and its trace, leaving nothing to chance.
type Wholly = fn(&Played<'_>) -> Result<(), Why>;

/// The cost of checking a law.
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
    /// Those that were drawn as a whole: their documents list each tracker once, and an error URL
    /// in each ad.
    Drawn,
}

const fn look(name: &'static str, holds: Holds) -> Law {
    Law {
        name,
        cost: Cost::Look,
        scope: Scope::Any,
        holds,
        wholly: None,
    }
}

const fn again(name: &'static str, holds: Holds) -> Law {
    Law {
        name,
        cost: Cost::Again,
        scope: Scope::Any,
        holds,
        wholly: None,
    }
}

/// A law that tries some of many possibilities, or all of them.
const fn tries(name: &'static str, holds: Holds, wholly: Wholly) -> Law {
    Law {
        name,
        cost: Cost::Again,
        scope: Scope::Any,
        holds,
        wholly: Some(wholly),
    }
}

const fn drawn(name: &'static str, holds: Holds) -> Law {
    Law {
        name,
        cost: Cost::Look,
        scope: Scope::Drawn,
        holds,
        wholly: None,
    }
}

/// The law that is checked by playing a scenario.
pub(super) const PLAYABLE: &Law = &look("it can be played, without a panic", |_, _| Ok(()));

/// The law that the user's own expectations make.
pub(super) const EXPECTED: &Law =
    &look("the scenario's own expectations are met", all_expectations);

/// The law that an explorer's caller makes.
pub(super) const OWN: &Law = &look("the law of the caller holds", |_, _| Ok(()));

/// The laws that hold for any scenario and only look at its trace. Who judges by these alone need
/// not carry what the others play.
pub(super) const OF_TRACES: &[Law] = &[
    *PLAYABLE,
    look("the invariants hold", all_invariants),
    *EXPECTED,
    look("every run ends, within its limits", ends),
];

/// All laws.
pub const LAWS: &[Law] = &[
    OF_TRACES[0],
    OF_TRACES[1],
    OF_TRACES[2],
    OF_TRACES[3],
    again("the same scenario gives the same trace", play_again),
    tries("splitting time changes nothing", split, wholly::split),
    tries("a fork continues to the same trace", fork, wholly::fork),
    again("a sink gets the records of the trace", sink),
    tries(
        "listeners of steps that never trigger change nothing",
        silent_listeners,
        wholly::silent_listeners,
    ),
    tries(
        "listeners that only record change nothing",
        recording_listeners,
        wholly::recording_listeners,
    ),
    tries("reading changes nothing", reads, wholly::reads),
    tries(
        "a knob that nothing reads changes nothing",
        unreached::changes_nothing,
        unreached::wholly,
    ),
    drawn("beacons come once and in order", ad_laws::beacons_in_order),
    drawn(
        "each hop gets an error once",
        ad_laws::errors_are_reported_to_each_hop,
    ),
    drawn("limits of ads are kept", ad_laws::budgets_kept),
    drawn(
        "no tracker comes after the end of its ad",
        no_trackers_after,
    ),
];

/// Laws that play a scenario again cost as much as several scenarios: a sample checks each of them
/// on one scenario in this many, a different one for each law.
const SAMPLE: u64 = 16;

impl Law {
    /// Whether checking it plays the scenario again.
    #[must_use]
    pub fn plays_again(&self) -> bool {
        self.cost == Cost::Again
    }

    /// Whether it holds only for scenarios that were drawn as a whole, because their documents are
    /// known.
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
        self.find(
            &Played {
                scenario,
                trace,
                prepared: None,
            },
            false,
        )
        .map_err(|why| why.text)
    }

    /// Checks it with what is drawn by the scenario's seed, and wholly if that is wanted.
    pub(super) fn find(&self, played: &Played<'_>, wholly: bool) -> Result<(), Why> {
        (self.holds)(played, &mut Source::from_seed(played.scenario.seed))?;
        self.wholly
            .filter(|_| wholly)
            .map_or(Ok(()), |wholly| wholly(played))
    }
}

/// INV-1. The second run shares nothing with the first: preparing the scenario gives the same, too.
fn play_again(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    same("the second run", played.trace, &play(played.scenario)?)
}

/// The items, or `None` if there are none: a truncated trace may be empty.
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

/// INV-23.
fn silent_listeners(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let first = usize::from(!source.chance(1, 2));
    listening::silent(played, |heard| first * source.index(heard.len()))
}

/// INV-23.
fn recording_listeners(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let end = end(played.scenario);
    listening::recording(played, || {
        let bind = |source: &mut Source| {
            // A step after the end would prolong the run.
            let at = if source.chance(1, 2) {
                Time::ZERO
            } else {
                moment(20, source).min(end)
            };
            (
                at,
                if source.chance(1, 3) {
                    Call::Once
                } else {
                    Call::On
                },
            )
        };
        vec![bind(source), bind(source)]
    })
}

/// INV-23.
fn reads(played: &Played<'_>, source: &mut Source) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    let (end, places) = (end(scenario), places(scenario));
    let mut steps = Vec::new();
    for _ in 0..source.count(1, 8) {
        let records = unless_empty(&trace.records).filter(|_| source.chance(1, 2));
        let at = records.map(|records| source.pick(records).at);
        let at = at.unwrap_or_else(|| moment(50, source)).min(end);
        let act = StepAct::Read(source.some(1, 4, |source| *source.pick(Query::ALL)));
        let player = match places.as_slice() {
            [] => Target::First,
            places => Target::Container(source.pick(places).clone()),
        };
        steps.push(Step {
            trigger: Trigger::At(at),
            act,
            player,
        });
    }
    listening::reading(played, steps, |acts| {
        if !acts.is_empty() && source.chance(1, 2) {
            let place = source.index(acts.len() + 1);
            acts.insert(place, StepAct::Read(vec![*source.pick(Query::ALL)]));
        }
    })
}

/// INV-3 to INV-18, INV-20 to INV-22.
fn all_invariants(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    match invariants(played.trace).as_slice() {
        [] => Ok(()),
        [first] => Err(Why {
            text: first.to_string(),
            kind: first.rule.to_string(),
        }),
        [first, others @ ..] => {
            let text = format!("{first} (and {} more)", others.len());
            Err(Why {
                text,
                kind: first.rule.to_string(),
            })
        }
    }
}

fn all_expectations(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Some(unmet) = expectations(&played.scenario.expect, played.trace)
        .into_iter()
        .next()
    else {
        return Ok(());
    };
    // How often and when is not the same in a smaller scenario.
    let found = unmet
        .found
        .split(|letter: char| letter.is_ascii_digit())
        .next()
        .unwrap_or_default();
    Err(Why {
        text: unmet.to_string(),
        kind: format!("{}; {found}", unmet.expected),
    })
}

/// Trackers that an ad has only while it plays; those of its end have that as their cause.
/// VPAID-16.
const WHILE_ON: [TrackingEvent; 6] = [
    TrackingEvent::Start,
    TrackingEvent::Midpoint,
    TrackingEvent::Complete,
    TrackingEvent::Skip,
    TrackingEvent::Pause,
    TrackingEvent::Resume,
];

fn no_trackers_after(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    // A mid-roll that loads ahead may fail while the ad of another break is on screen.
    if ad_laws::has_other_ads(trace) || scenario.knobs.asks_ahead() {
        return Ok(());
    }
    let mut last: Vec<(String, bool, u32)> = Vec::new();
    for record in &trace.records {
        let container = trace
            .container(record)
            .map_or_else(String::new, ToString::to_string);
        let at = match last.iter().position(|(known, ..)| *known == container) {
            Some(at) => at,
            None => {
                last.push((container, false, u32::MAX));
                last.len() - 1
            }
        };
        let (_, is_on, end) = &mut last[at];
        // A dropped one was on its way to a player that has been removed. EVT-21
        match record.event().or(record
            .dropped_event()
            .filter(|event| *event == EventName::AdImpression))
        {
            Some(EventName::AdImpression) => *is_on = true,
            Some(EventName::AdComplete | EventName::AdSkip | EventName::AdError) => {
                (*is_on, *end) = (false, record.seq);
            }
            Some(_) | None => {}
        }
        let name = TrackingEvent::from_name(&record.name).filter(|_| record.kind == Kind::Beacon);
        if let Some(name) = name.filter(|name| WHILE_ON.contains(name))
            && !*is_on
            && record.cause != Some(*end)
        {
            return Err(format!("{name} at {} comes after the end of its ad", record.at).into());
        }
    }
    Ok(())
}

/// CLK-7.
fn ends(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    let Some(last) = trace.records.last() else {
        return Err("the trace is empty".to_owned().into());
    };
    let end = end(scenario);
    // A session is not long enough for any limit except the one on what listeners do, and a live
    // stream or a loop without an end: a run that reaches another limit is stuck.
    let limit = last
        .data
        .get("limit")
        .and_then(Value::as_text)
        .map(|limit| &**limit);
    let is_ended = match trace.outcome() {
        Some(Outcome::Idle | Outcome::Until | Outcome::Livelock) => true,
        Some(Outcome::Limit) => {
            limit == Some("limit.tasks_per_second")
                || limit == Some("time") && scenario.until == Until::Idle
        }
        None => false,
    };
    if last.kind == Kind::Outcome && is_ended && last.at <= end {
        Ok(())
    } else {
        Err(format!("it ends with {last:?}").into())
    }
}
