//! Plays a scenario with what was observed of the world: when each answer came, when page code and
//! the user acted, and where a film ran out of data.
//!
//! What a player does follows from its scenario and from these times. So a trace is held against
//! what the scenario gives with the times of the trace, and not with those that its author wrote.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Simulation;
use super::moves::PendingWork;
use playsim_api::{EventName, HeaderLine, Kind, NetLine, Value};
use playsim_base::time::{Position, Span, Time};
use playsim_scenario::{Scenario, ScenarioError, Trigger};
use playsim_trace::{Record, Trace};
use playsim_vast::names::{browser_form, steady};

/// The times of a trace that are not up to the player.
#[derive(Debug, Default, PartialEq, Eq)]
struct Observed {
    /// How long each answer of a URL took, in the order of the requests.
    answers: BTreeMap<String, VecDeque<Span>>,
    /// When each act was done, by its kind and name, in order.
    acts: BTreeMap<(Kind, String), VecDeque<Time>>,
    /// When playback was first requested.
    play: Option<Time>,
}

/// Plays a scenario whose answers come when they came in a trace, and whose timed steps are done
/// when they were done there. Times of a recording count from the first call of `play()`, those of
/// a trace of playsim from its start.
///
/// Answers and steps that the trace does not have stay as they are.
///
/// # Errors
///
/// If the scenario cannot be played.
pub fn play_observed(scenario: &Scenario, trace: &Trace) -> Result<Trace, ScenarioError> {
    let played = Simulation::new(scenario)?.run();
    let (seen, due) = (Observed::of(trace), Observed::of(&played));
    let is_own = trace
        .records
        .first()
        .is_some_and(|first| first.is(HeaderLine::Trace));
    let offset = match (seen.play, due.play) {
        (Some(seen), Some(due)) if !is_own => (seen, due),
        _ => (Time::ZERO, Time::ZERO),
    };
    let mut scenario = scenario.clone();
    let is_moved = move_steps(&mut scenario, &played, seen.acts, offset);
    let is_stalled = give_stalls(&mut scenario, trace);
    if !is_moved && !is_stalled && seen.answers == due.answers {
        return Ok(played);
    }
    let mut run = Simulation::movable(&scenario)?;
    let mut answers = seen.answers;
    let mut known: BTreeSet<u32> = BTreeSet::new();
    loop {
        let sent = run.now();
        for pending in run.pending() {
            let PendingWork::Response { url, .. } = &pending.work else {
                continue;
            };
            if !known.insert(pending.number) {
                continue;
            }
            let after = answers.get_mut(&key(url)).and_then(VecDeque::pop_front);
            if let Some(after) = after.filter(|after| sent + *after != pending.due) {
                run.reschedule(pending.number, sent + after);
            }
        }
        if run.step().is_none() {
            return Ok(run.run());
        }
    }
}

/// Moves the steps of a scenario to the times at which the trace has their acts. Returns whether
/// one was moved.
fn move_steps(
    scenario: &mut Scenario,
    played: &Trace,
    mut seen: BTreeMap<(Kind, String), VecDeque<Time>>,
    (from, to): (Time, Time),
) -> bool {
    // Steps at one time stay together: the first act of a time says when they are done.
    let mut moved: BTreeMap<Time, Time> = BTreeMap::new();
    for record in played.records.iter().filter(|record| is_act(record)) {
        let times = seen.get_mut(&(record.kind, record.name.to_string()));
        if let Some(at) = times.and_then(VecDeque::pop_front) {
            moved.entry(record.at).or_insert(to + (at - from));
        }
    }
    let mut is_moved = false;
    for step in &mut scenario.steps {
        if let Trigger::At(at) = step.trigger
            && let Some(other) = moved.get(&at).filter(|other| **other != at)
        {
            step.trigger = Trigger::At(*other);
            is_moved = true;
        }
    }
    is_moved
}

/// Lets films run out of data where they did in a recording. Returns whether that changes one. A
/// film that was loaded several times stays as it is: which load ran out is not known.
fn give_stalls(scenario: &mut Scenario, trace: &Trace) -> bool {
    let mut films = stalls(trace);
    let mut is_changed = false;
    for (url, script) in &mut scenario.media {
        let film = films.remove(&key(url)).unwrap_or_default();
        if film.loads <= 1 && !film.stalls.is_empty() && film.stalls != script.stalls {
            script.stalls = film.stalls;
            is_changed = true;
        }
    }
    is_changed
}

/// How a film went on in a recording.
#[derive(Debug, Default)]
struct Film {
    loads: u32,
    /// Where it ran out of data while it played, and for how long.
    stalls: Vec<(Position, Span)>,
    /// Where and since when it has none.
    since: Option<(Position, Time)>,
}

/// Returns the films of a recording, by their URLs.
fn stalls(trace: &Trace) -> BTreeMap<String, Film> {
    let mut films: BTreeMap<String, Film> = BTreeMap::new();
    for record in trace.records.iter().filter(|it| it.kind == Kind::Media) {
        let (Some(src), Some(event)) = (record.data.text("src"), record.media_event()) else {
            continue;
        };
        let film = films.entry(key(src)).or_default();
        film.loads += u32::from(event == EventName::LoadStart);
        if event == EventName::Waiting {
            let position = record.data.get("position").and_then(Value::as_number);
            let position = position.and_then(|it| u64::try_from(it.millionths()).ok());
            // At its start a film loads, and does not run out of data.
            let position = position.filter(|position| *position > 0);
            film.since = position.map(|position| (Position::from_micros(position), record.at));
        } else if matches!(event, EventName::Playing | EventName::TimeUpdate) {
            let stall = film.since.take();
            let stall = stall.map(|(position, from)| (position, record.at - from));
            film.stalls.extend(stall);
        } else if matches!(
            event,
            EventName::Pause | EventName::Seeking | EventName::Ended | EventName::Emptied
        ) {
            // What else held it up is no lack of data.
            film.since = None;
        }
    }
    films
}

/// Returns whether a line is an act that a step may do.
fn is_act(record: &Record) -> bool {
    (record.kind.is_act() || record.kind == Kind::Edit) && record.cause.is_none()
}

/// Returns a URL in the form in which a trace and a simulation have it both.
fn key(url: &str) -> String {
    steady(&browser_form(url))
}

impl Observed {
    fn of(trace: &Trace) -> Observed {
        let mut observed = Observed::default();
        let mut open: BTreeMap<String, VecDeque<Time>> = BTreeMap::new();
        for record in &trace.records {
            if record.kind.is_act() && record.name == *"play" {
                observed.play = observed.play.or(Some(record.at));
            }
            if is_act(record) {
                let acts = observed.acts.entry((record.kind, record.name.to_string()));
                acts.or_default().push_back(record.at);
            }
            let Some(url) = record.data.text("url").filter(|_| record.kind == Kind::Net) else {
                continue;
            };
            let url = key(url);
            let Some(line) = NetLine::from_name(&record.name) else {
                continue;
            };
            match line {
                NetLine::Request => open.entry(url).or_default().push_back(record.at),
                NetLine::Response
                | NetLine::Redirect
                | NetLine::Failed
                | NetLine::Late
                | NetLine::Dropped => {
                    let sent = open.get_mut(&url).and_then(VecDeque::pop_front);
                    if let Some(sent) = sent {
                        let answers = observed.answers.entry(url.clone()).or_default();
                        answers.push_back(record.at - sent);
                    }
                    if line == NetLine::Redirect {
                        // What follows is asked for at once, and told under its own URL.
                        let to = record.data.text("to").map_or(url, |to| key(to));
                        open.entry(to).or_default().push_front(record.at);
                    }
                }
                // The player does not wait any more, but the answer may still come.
                NetLine::Timeout => {}
            }
        }
        observed
    }
}
