//! Laws without chance: variations that a random session samples are tried at every instant, with
//! every event and getter.
//!
//! A scenario that is judged on its own is judged so; its seed then decides nothing.

use std::sync::Arc;

use playsim_api::{Call, Query};
use playsim_base::time::Time;
use playsim_scenario::{Step, StepAct, Target, Trigger};
use playsim_sim::Simulation;

use super::lines::same;
use super::listening;
use super::places::places;
use super::played::{Played, Why, end};

/// How many instants are tried one by one, each of which plays the scenario again: all of them in
/// most scenarios.
const ALONE: usize = 64;
/// How many instants have reads.
const READ: usize = 200;
/// How many instants have recording listeners, each of which hears all that follows.
const BOUND: usize = 8;

/// The instants at which something occurs, in order: those of the lines, and those just before
/// them.
fn instants(played: &Played<'_>) -> Vec<Time> {
    let around = |at: Time| [Time::from_micros(at.micros().saturating_sub(1)), at];
    let lines = played
        .trace
        .records
        .iter()
        .flat_map(|record| [record.at, record.until()]);
    let mut all: Vec<Time> = lines.flat_map(around).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// At most this many of them, from the first to the last.
fn spread(all: &[Time], most: usize) -> impl Iterator<Item = Time> {
    let count = all.len().min(most);
    (0..count).map(move |index| all[index * (all.len() - 1) / (count - 1).max(1)])
}

/// INV-2: a run in one piece between any two instants, and in two pieces.
pub(super) fn split(played: &Played<'_>) -> Result<(), Why> {
    let instants = instants(played);
    let mut run = played.start()?;
    for at in &instants {
        run.run_until(*at);
        // An instant that has passed.
        run.run_until(Time::ZERO);
    }
    same("the run in pieces", played.trace, &run.run())?;
    for at in spread(&instants, ALONE) {
        let mut run = played.start()?;
        run.run_until(at);
        same(
            &format!("the run in pieces, cut at {at},"),
            played.trace,
            &run.run(),
        )?;
    }
    Ok(())
}

/// INV-24: every step by a copy of the copy before, every step after a copy took the same, and
/// copies that play to the end.
pub(super) fn fork(played: &Played<'_>) -> Result<(), Why> {
    let mut copy = played.start()?;
    while copy.step().is_some() {
        copy = copy.fork();
    }
    same("the fork of forks", played.trace, &copy.run())?;
    let mut original = played.start()?;
    loop {
        let mut copy = original.fork();
        let is_over = copy.step().is_none();
        if original.step().is_none() || is_over {
            break;
        }
    }
    same("the original of forks", played.trace, &original.run())?;
    let mut original = played.start()?;
    for at in spread(&instants(played), ALONE) {
        original.run_until(at);
        let mut ahead: Simulation = original.fork();
        let behind = ahead.fork();
        while ahead.step().is_some() {}
        same(&format!("the fork at {at}"), played.trace, &ahead.run())?;
        same(
            &format!("the fork at {at}, after another,"),
            played.trace,
            &behind.run(),
        )?;
    }
    Ok(())
}

/// INV-23: all events in all places.
pub(super) fn silent_listeners(played: &Played<'_>) -> Result<(), Why> {
    listening::silent(played, |_| 0)
}

/// INV-23: all events in all places, bound by each call, from the start and later.
pub(super) fn recording_listeners(played: &Played<'_>) -> Result<(), Why> {
    let (instants, end) = (instants(played), end(played.scenario));
    for call in [Call::On, Call::Once] {
        listening::recording(played, || vec![(Time::ZERO, call)])?;
        for at in spread(&instants, BOUND) {
            // A step after the end would prolong the run.
            listening::recording(played, || vec![(at.min(end), call)])?;
        }
    }
    Ok(())
}

/// INV-23: all getters in all places, at every instant and around each act of a listener.
pub(super) fn reads(played: &Played<'_>) -> Result<(), Why> {
    let (instants, end) = (instants(played), end(played.scenario));
    let all = || StepAct::Read(Query::ALL.to_vec());
    let places: Vec<Target> = match places(played.scenario) {
        places if places.is_empty() => vec![Target::First],
        places => places
            .into_iter()
            .map(|place: Arc<str>| Target::Container(place))
            .collect(),
    };
    let at = |at: Time| {
        let trigger = Trigger::At(at.min(end));
        places.iter().map(move |place| Step {
            trigger,
            act: all(),
            player: place.clone(),
        })
    };
    let steps = spread(&instants, READ).flat_map(at).collect();
    listening::reading(played, steps, |acts| {
        if !acts.is_empty() {
            let own = std::mem::take(acts);
            acts.push(all());
            acts.extend(own.into_iter().flat_map(|act| [act, all()]));
        }
    })
}
