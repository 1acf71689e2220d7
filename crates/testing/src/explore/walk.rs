//! Plays one way: from the start or a state with a choice, to a state that is known or to its end.

use std::collections::{BTreeMap, BTreeSet};

use playsim_base::time::{Span, Time};
use playsim_base::watch;
use playsim_scenario::{Scenario, ScenarioError};
use playsim_sim::Simulation;

use super::choices::perform;
use super::clock;
use super::history::Relevant;
use super::limits::{Limits, NotTried, STATE_BYTES};
use super::region::{Last, Track};
use super::way::{Attempt, Decision, Done, End, Known, Met, Point, Step};
use super::{Action, Bounds, OwnLaw};
use crate::laws::PLAYABLE;
use crate::played::caught;

/// Plays the ways of a scenario.
pub(super) struct Walker<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) start: Simulation,
    pub(super) bounds: &'s Bounds,
    pub(super) relevant: Relevant,
    /// The law of the caller.
    pub(super) own: &'s OwnLaw<'s>,
    /// When a way that goes on and on is cut.
    pub(super) horizon: Time,
    pub(super) limits: Limits<'s>,
}

/// The most instants of a way. One with more is cut, which is said.
pub(super) const MOST_INSTANTS: usize = 20_000;
/// The most instants after the scenario's own end twice over.
pub(super) const MOST_AFTERWARDS: usize = 1_000;
/// How much later an act is tried once nothing is due any more.
pub(super) const AFTERWARDS: Span = Span::from_secs(60);
/// Later than everything that happens.
pub(super) const NEVER: Time = Time::from_secs(6 * 24 * 3600);

impl<'s> Walker<'s> {
    pub(super) fn new(
        scenario: &'s Scenario,
        bounds: &'s Bounds,
        own: &'s OwnLaw<'s>,
        limits: Limits<'s>,
    ) -> Result<Walker<'s>, ScenarioError> {
        let start = Simulation::movable(scenario)?;
        let mut walker = Walker {
            scenario,
            start,
            bounds,
            relevant: Relevant::of(&scenario.expect),
            own,
            horizon: scenario.until.end().unwrap_or(NEVER),
            limits,
        };
        if scenario.until.end().is_none() {
            walker.horizon = walker.end_of_all();
        }
        if clock::decides_an_answer(scenario) {
            walker.limits.leave_out_all(NotTried::Clock);
        }
        Ok(walker)
    }

    /// Returns when a way is cut that goes on and on: a minute after twice the time of the scenario
    /// as it is, which counts as none if it goes on and on itself.
    fn end_of_all(&self) -> Time {
        let (mut point, mut states) = (self.first(), BTreeSet::new());
        while point
            .run
            .state_digest()
            .is_none_or(|state| states.insert(state))
        {
            if states.len() > MOST_INSTANTS || !self.limits.goes_on() {
                return point.run.now() + AFTERWARDS;
            }
            if !self.plays_on(&mut point) {
                let taken = point.run.now() - Time::ZERO;
                return Time::ZERO + taken.times(2) + AFTERWARDS;
            }
        }
        Time::ZERO + AFTERWARDS
    }

    /// Plays the scenario as it is.
    pub(super) fn base(&self, known: &dyn Known) -> Attempt {
        let mut track = Track::default();
        let point = self.first();
        track.add(self.met(&point));
        track.point = Some(point);
        self.attempt(None, Done::default(), track, known, &mut BTreeMap::new())
    }

    /// Returns the scenario before anything has happened.
    pub(super) fn first(&self) -> Point {
        let run = self.start.fork();
        Point {
            fresh: run.next_number(),
            run,
            history: self.relevant.start(),
            done: Done::default(),
        }
    }

    /// Returns the first state after the last of the choices.
    pub(super) fn replay(&self, way: &[Step]) -> Option<Point> {
        let mut point = self.first();
        for (place, choice) in way {
            for _ in 0..*place {
                self.play_on(&mut point);
            }
            self.apply(&mut point, *choice)?;
            point.done = point.done.and(*choice);
        }
        Some(point)
    }

    /// Begins a run with a choice.
    pub(super) fn track(&self, base: &Point, choice: Decision) -> Track {
        let mut track = Track::default();
        let mut compared = Vec::new();
        let begun = caught(|| {
            let begun = watch::watched(&mut compared, || {
                let mut point = base.clone();
                self.apply(&mut point, choice)?;
                Some(point)
            });
            Ok(begun)
        });
        track.compared = compared;
        match begun {
            Ok(None) => track.end = Some(Last::Nothing),
            Ok(Some(mut point)) => {
                point.done = point.done.and(choice);
                track.add(self.met(&point));
                track.point = Some(point);
            }
            Err(why) => track.end = Some(Last::Panics(why)),
        }
        track
    }

    /// Plays a run up to one of its states. Returns whether it has that state.
    pub(super) fn reach(&self, track: &mut Track, at: usize) -> bool {
        while track.end.is_none() && track.mets.len() <= at {
            self.extend(track);
        }
        at < track.mets.len()
    }

    pub(super) fn extend(&self, track: &mut Track) {
        let Some(point) = &mut track.point else {
            return;
        };
        if !self.limits.goes_on() {
            track.end = Some(Last::Cut);
            return;
        }
        if track.mets.len() >= MOST_INSTANTS {
            self.limits.leave_out(NotTried::Instants);
            track.end = Some(Last::Cut);
            return;
        }
        if point.run.now() > self.horizon {
            if track.at_horizon.is_none() {
                track.at_horizon = Some((point.history.order, point.history.outcome));
            }
            let repeats = point
                .run
                .state_digest()
                .is_some_and(|state| !track.states.insert(state));
            let is_long = track.states.len() > MOST_AFTERWARDS;
            if is_long {
                self.limits.leave_out(NotTried::Instants);
            }
            if repeats || is_long {
                track.end = Some(Last::Endless);
                return;
            }
        }
        let compared = &mut track.compared;
        let played = caught(|| Ok(watch::watched(compared, || self.play_on(point))));
        match played {
            Ok(true) => {
                let met = self.met(point);
                track.add(met);
            }
            Ok(false) => {
                track.add_last();
                track.end = Some(Last::Ended);
            }
            Err(why) => track.end = Some(Last::Panics(why)),
        }
    }

    /// Plays a run on to a known state, or to its end.
    pub(super) fn attempt(
        &self,
        choice: Option<Decision>,
        done: Done,
        mut track: Track,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
    ) -> Attempt {
        let (mut states, mut joins, mut is_over) = (Vec::new(), None, true);
        for at in 0.. {
            if !self.reach(&mut track, at) {
                break;
            }
            let Some(met) = track.mets[at] else { continue };
            if joins.is_some() {
                continue;
            }
            if !self.bounds.merges {
                states.push(met);
                continue;
            }
            match known.state(met.key).or_else(|| own.get(&met.key).copied()) {
                // The same lines lead on from here: they were judged.
                Some(order) if order == met.order => {
                    (joins, is_over) = (Some(met.key), false);
                    break;
                }
                Some(_) => joins = Some(met.key),
                None => {
                    own.insert(met.key, met.order);
                    self.limits.take(STATE_BYTES);
                    states.push(met);
                }
            }
        }
        let longest = track
            .point
            .as_ref()
            .map(|point| point.history.longest(is_over))
            .unwrap_or_default();
        let end = is_over.then(|| self.last(track, known)).flatten();
        Attempt {
            choice,
            done,
            states,
            joins,
            end,
            longest,
        }
    }

    /// Returns what the end of a run shows; `None` if nothing could be done.
    fn last(&self, track: Track, known: &dyn Known) -> Option<End> {
        let Track {
            point,
            end,
            at_horizon,
            ..
        } = track;
        match end? {
            Last::Nothing => None,
            Last::Panics(why) => Some(End {
                order: 0,
                outcome: 0,
                broken: Some(vec![(PLAYABLE, why)]),
            }),
            Last::Ended | Last::Cut => Some(self.end(point?, None, known)),
            Last::Endless => Some(self.end(point?, at_horizon, known)),
        }
    }

    /// Returns the state; `None` if it is not known, as in a run that a limit has stopped in the
    /// middle of a turn.
    fn met(&self, point: &Point) -> Option<Met> {
        let state = point.run.state_digest()?;
        let Done { acts, moves } = point.done;
        let has_fresh = point.run.next_number() > point.fresh;
        let done = (acts, moves, has_fresh);
        let key = point.history.key(state, done, point.run.now());
        Some(Met {
            key,
            order: point.history.order,
        })
    }

    /// Plays the next instant at which a line is written that counts, up to a response that is due
    /// at it, or that may be. Returns whether there was anything to play.
    fn play_on(&self, point: &mut Point) -> bool {
        let before = point.history.order;
        loop {
            point.fresh = point.run.next_number();
            let mut has_played = point.run.step().is_some();
            let put_off_at = point.run.put_off_at();
            let mut may_come = false;
            while has_played && point.run.next_due() == Some(point.run.now()) {
                let now = point.run.now();
                let pending = point.run.pending();
                may_come = pending.iter().any(|it| point.is_fresh(it));
                if may_come || pending.iter().any(|it| it.due == now) {
                    break;
                }
                point.fresh = point.run.next_number();
                has_played = point.run.turn_until(now);
            }
            if point.run.put_off_at() != put_off_at && point.done.acts < self.bounds.acts {
                self.limits.leave_out_all(NotTried::PutOff);
            }
            point.history.take(point.run.records(), &self.relevant);
            let is_met = may_come || point.history.order != before;
            if !has_played || is_met || !self.limits.goes_on() {
                return has_played;
            }
        }
    }

    /// As [`Walker::play_on`]; a panic is the end.
    pub(super) fn plays_on(&self, point: &mut Point) -> bool {
        caught(|| Ok(self.play_on(point))).unwrap_or(false)
    }

    /// Makes a choice; `None` if there is nothing to do.
    pub(super) fn apply(&self, point: &mut Point, choice: Decision) -> Option<()> {
        match choice {
            Decision::Move { number, to, .. } => point.run.reschedule(number, to).then_some(()),
            Decision::Act { at, action, player } => {
                let action: &Action = self.bounds.actions.get(usize::from(action))?;
                point.fresh = point.run.next_number();
                let first = perform(self.scenario, &mut point.run, at, action, player)?;
                let records = point.run.records();
                point.history.take_act(records, first, &self.relevant);
                Some(())
            }
        }
    }
}
