//! Plays ways: from a state of a run, everything that may be done otherwise there, each to a state
//! that is known or to the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use playsim_api::PlayerIndex;
use playsim_base::time::{Span, Time};
use playsim_engine::player::ResponseStatus;
use playsim_scenario::{Scenario, ScenarioError, Step as ScenarioStep, Target, Trigger, Until};
use playsim_sim::{Pending, PendingWork, Simulation};
use playsim_trace::Trace;

use super::choices::{MICROSECOND, instants, perform, word_of_act, word_of_move, work_word};
use super::history::{History, Relevant};
use super::statements::Longest;
use super::{Action, Bounds, Choice, OwnLaw};
use crate::laws::{Law, OF_TRACES, OWN, PLAYABLE};
use crate::options;
use crate::played::{Played, Why, caught};

/// One thing that is done otherwise than in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// The user or the page does something.
    Act {
        at: Time,
        /// The index of the action.
        action: u16,
        player: PlayerIndex,
    },
    /// Something that the world does comes at another time.
    Move {
        /// The number of the pending thing.
        number: u32,
        to: Time,
    },
}

/// A choice, and how many instants its run had played before.
pub(super) type Step = (usize, Decision);

/// How many acts and moves a way has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Done {
    pub(super) acts: u32,
    pub(super) moves: u32,
}

impl Done {
    pub(super) fn and(self, choice: Decision) -> Done {
        match choice {
            Decision::Act { .. } => Done {
                acts: self.acts + 1,
                ..self
            },
            Decision::Move { .. } => Done {
                moves: self.moves + 1,
                ..self
            },
        }
    }

    pub(super) fn depth(self) -> u32 {
        self.acts + self.moves
    }
}

/// A state on a way, after everything of its instant.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) run: Simulation,
    history: History,
    done: Done,
}

/// A state that was met, as the explorer knows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    pub(super) key: u128,
    pub(super) order: u128,
}

/// What came of one choice.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) choice: Option<Decision>,
    pub(super) done: Done,
    /// The states that were new, in order.
    pub(super) states: Vec<Met>,
    /// The known state that follows, if the way comes to one.
    pub(super) joins: Option<u128>,
    /// What its end shows, if it was played to its end.
    pub(super) end: Option<End>,
    /// The longest times between events, up to there.
    pub(super) longest: Longest,
}

/// The end of a way.
#[derive(Debug)]
pub(super) struct End {
    /// The lines in their order.
    pub(super) order: u128,
    /// The outcome.
    pub(super) outcome: u128,
    /// The laws that it breaks; `None` if the same lines were judged before.
    pub(super) broken: Option<Vec<(&'static Law, Why)>>,
}

/// What is known before a batch.
pub(super) trait Known: Sync {
    /// The order of the lines with which a state was met first.
    fn state(&self, key: u128) -> Option<u128>;
    /// Whether lines in this order were judged.
    fn is_judged(&self, order: u128) -> bool;
}

/// Plays the ways of a scenario.
pub(super) struct Walker<'s> {
    scenario: &'s Scenario,
    start: Simulation,
    bounds: &'s Bounds,
    relevant: Relevant,
    /// The law of the caller.
    own: &'s OwnLaw<'s>,
    /// When a way that goes on and on is cut.
    horizon: Time,
}

/// The most instants of a way. One with more is not played on.
const MOST_INSTANTS: usize = 20_000;
/// Later than everything that happens.
pub(super) const NEVER: Time = Time::from_secs(6 * 24 * 3600);

impl<'s> Walker<'s> {
    pub(super) fn new(
        scenario: &'s Scenario,
        bounds: &'s Bounds,
        own: &'s OwnLaw<'s>,
    ) -> Result<Walker<'s>, ScenarioError> {
        let start = Simulation::movable(scenario)?;
        let horizon = scenario
            .until
            .end()
            .unwrap_or_else(|| options::end(scenario));
        Ok(Walker {
            scenario,
            start,
            bounds,
            relevant: Relevant::of(&scenario.expect),
            own,
            horizon,
        })
    }

    /// Plays the scenario as it is.
    pub(super) fn base(&self, known: &dyn Known) -> Attempt {
        self.attempt(None, Done::default(), known, &mut BTreeMap::new(), || {
            Some(self.first())
        })
    }

    /// Returns the first state of the scenario as it is.
    fn first(&self) -> Point {
        let mut point = Point {
            run: self.start.fork(),
            history: self.relevant.start(),
            done: Done::default(),
        };
        self.play_on(&mut point);
        point
    }

    /// Returns the first state after the last of the choices.
    fn replay(&self, way: &[Step]) -> Option<Point> {
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

    /// Tries everything that may be done otherwise at the first states of a run. Returns each
    /// attempt with the place of its state.
    pub(super) fn expand(
        &self,
        way: &[Step],
        states: usize,
        known: &dyn Known,
    ) -> Vec<(usize, Attempt)> {
        let (mut all, mut own) = (Vec::new(), BTreeMap::new());
        let Some(mut point) = caught(|| Ok(self.replay(way))).ok().flatten() else {
            return all;
        };
        for place in 0..states {
            if place > 0 {
                self.play_on(&mut point);
            }
            let mut attempts = Vec::new();
            // What is done at an instant is done at its end.
            let is_over = point.run.next_due() != Some(point.run.now());
            if is_over && point.done.acts < self.bounds.acts {
                self.try_acts(&point, known, &mut own, &mut attempts);
            }
            if point.done.moves < self.bounds.moves {
                self.try_moves(&point, known, &mut own, &mut attempts);
            }
            all.extend(attempts.into_iter().map(|attempt| (place, attempt)));
        }
        all
    }

    fn try_acts(
        &self,
        point: &Point,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
        attempts: &mut Vec<Attempt>,
    ) {
        for player in point.run.live_players() {
            for action in
                (0..self.bounds.actions.len()).filter_map(|index| u16::try_from(index).ok())
            {
                for at in self.instants_of_act(point, action, player) {
                    let choice = Decision::Act { at, action, player };
                    attempts.push(self.try_one(point, choice, known, own));
                }
            }
        }
    }

    /// Returns when an act between this state and the next may have another effect: at once, and
    /// from each instant on from which its own lines are others.
    fn instants_of_act(&self, point: &Point, action: u16, player: PlayerIndex) -> Vec<Time> {
        instants(point.run.now(), point.run.next_due(), |at| {
            let lines = caught(|| Ok(self.lines_of_act(point, at, action, player)));
            lines.unwrap_or(Some(0))
        })
    }

    /// Returns a digest of the lines that an act causes at once; `None` if there is nothing to do.
    fn lines_of_act(
        &self,
        point: &Point,
        at: Time,
        action: u16,
        player: PlayerIndex,
    ) -> Option<u128> {
        let mut point = Point {
            history: self.relevant.start(),
            ..point.clone()
        };
        point.history.skip(point.run.records());
        self.apply(&mut point, Decision::Act { at, action, player })?;
        Some(point.history.order)
    }

    fn try_moves(
        &self,
        point: &Point,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
        attempts: &mut Vec<Attempt>,
    ) {
        let now = point.run.now();
        let Some(next) = point.run.next_due() else {
            return;
        };
        for pending in point.run.pending() {
            if pending.due > next && next > now + MICROSECOND {
                // It comes in this gap, before what is next, with room for those that come after
                // it.
                let room = Span::from_micros(u64::from(self.bounds.moves - point.done.moves));
                let to = (now + MICROSECOND).max(Time::ZERO + (next - (Time::ZERO + room)));
                let may = self
                    .window_of(&pending)
                    .is_none_or(|within| pending.due - to <= within);
                if may {
                    let choice = Decision::Move {
                        number: pending.number,
                        to,
                    };
                    attempts.push(self.try_one(point, choice, known, own));
                }
            } else if pending.due == next {
                self.try_later(point, &pending, known, own, attempts);
            }
        }
    }

    /// Holds something back that is due next, and lets it come in each later gap.
    fn try_later(
        &self,
        point: &Point,
        pending: &Pending,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
        attempts: &mut Vec<Attempt>,
    ) {
        let number = pending.number;
        let mut held = point.clone();
        if !held.run.reschedule(number, NEVER) {
            return;
        }
        let within = self.window_of(pending);
        loop {
            let has_next = held
                .run
                .next_due()
                .is_some_and(|due| due < NEVER && due <= self.horizon);
            if !has_next || !self.plays_on(&mut held) {
                return;
            }
            let after = held.run.now().max(pending.due) + MICROSECOND;
            if within.is_some_and(|within| after - pending.due > within) {
                return;
            }
            // What is held back comes after everything.
            let next = held.run.next_due().filter(|due| *due < NEVER);
            let is_gap = next.is_none_or(|next| after < next);
            if is_gap {
                let choice = Decision::Move { number, to: after };
                attempts.push(self.try_one(point, choice, known, own));
            }
            let is_awaited = held
                .run
                .pending()
                .iter()
                .any(|other| other.number == number && is_of_use(&other.work));
            if !is_awaited {
                return;
            }
        }
    }

    /// Returns how far something may be moved; `None` if by any time.
    fn window_of(&self, pending: &Pending) -> Option<Span> {
        let is_response = matches!(pending.work, PendingWork::Response { .. });
        (!(is_response && self.bounds.latencies)).then_some(self.bounds.within)
    }

    fn try_one(
        &self,
        point: &Point,
        choice: Decision,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
    ) -> Attempt {
        self.attempt(Some(choice), point.done.and(choice), known, own, || {
            let mut point = point.clone();
            self.apply(&mut point, choice)?;
            Some(point)
        })
    }

    /// Plays on from a state to a known one, or to the end.
    fn attempt(
        &self,
        choice: Option<Decision>,
        done: Done,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
        begin: impl FnOnce() -> Option<Point>,
    ) -> Attempt {
        let (mut states, mut joins) = (Vec::new(), None);
        let played = caught(|| {
            let Some(mut point) = begin() else {
                return Ok(None);
            };
            point.done = done;
            for _ in 0..MOST_INSTANTS {
                let met = self.met(&point).filter(|_| joins.is_none());
                if let Some(met) = met.filter(|_| self.bounds.merges) {
                    match known.state(met.key).or_else(|| own.get(&met.key).copied()) {
                        // The same lines lead on from here: they were judged.
                        Some(order) if order == met.order => {
                            return Ok(Some((point, false, Some(met.key))));
                        }
                        Some(_) => joins = Some(met.key),
                        None => {
                            own.insert(met.key, met.order);
                            states.push(met);
                        }
                    }
                } else {
                    states.extend(met);
                }
                if !self.play_on(&mut point) || point.run.now() > self.horizon {
                    break;
                }
            }
            Ok(Some((point, true, joins)))
        });
        let (end, longest) = match played {
            Ok(Some((point, true, _))) => {
                let longest = point.history.longest(true);
                (Some(self.end(point, known)), longest)
            }
            Ok(Some((point, false, key))) => {
                joins = key;
                (None, point.history.longest(false))
            }
            Ok(None) => (None, Longest::default()),
            Err(why) => (
                Some(End {
                    order: 0,
                    outcome: 0,
                    broken: Some(vec![(PLAYABLE, why)]),
                }),
                Longest::default(),
            ),
        };
        Attempt {
            choice,
            done,
            states,
            joins,
            end,
            longest,
        }
    }

    /// Returns the state; `None` if it is not known, as in a run that a limit has stopped in the
    /// middle of a turn.
    fn met(&self, point: &Point) -> Option<Met> {
        let state = point.run.state_digest()?;
        let Done { acts, moves } = point.done;
        let key = point.history.key(state, (acts, moves), point.run.now());
        Some(Met {
            key,
            order: point.history.order,
        })
    }

    /// Judges the end of a way.
    fn end(&self, point: Point, known: &dyn Known) -> End {
        let Point { run, history, .. } = point;
        let order = history.order;
        let trace = caught(|| {
            if run.next_due().is_none() {
                return Ok(run.run());
            }
            Ok(Simulation::new(&self.cut(run.to_scenario()))?.run())
        });
        let trace = match trace {
            Ok(trace) => trace,
            Err(why) => {
                return End {
                    order,
                    outcome: 0,
                    broken: Some(vec![(PLAYABLE, why)]),
                };
            }
        };
        let outcome = history.outcome.wrapping_add(last_states(&trace));
        let broken = (!known.is_judged(order)).then(|| self.judge(&trace));
        End {
            order,
            outcome,
            broken,
        }
    }

    /// Returns the laws that a trace breaks, that of the caller among them.
    fn judge(&self, trace: &Trace) -> Vec<(&'static Law, Why)> {
        let mut broken = judge(self.scenario, trace);
        let own = caught(|| {
            (self.own)(trace).map_err(|text| Why {
                kind: text.clone(),
                text,
            })
        })
        .err();
        broken.extend(own.map(|why| (OWN, why)));
        broken
    }

    /// Plays the next instant, up to a response that is due at it. Time updates that nothing
    /// listens to belong to one. Returns whether there was anything to play.
    fn play_on(&self, point: &mut Point) -> bool {
        let run = &mut point.run;
        let mut has_played = run.step().is_some();
        while has_played && run.next_due() == Some(run.now()) {
            let now = run.now();
            if run.pending().iter().any(|pending| pending.due == now) {
                break;
            }
            has_played = run.turn_until(now);
        }
        point.history.take(point.run.records(), &self.relevant);
        has_played
    }

    /// As [`Walker::play_on`]; a panic is the end.
    fn plays_on(&self, point: &mut Point) -> bool {
        caught(|| Ok(self.play_on(point))).unwrap_or(false)
    }

    /// Makes a choice; `None` if there is nothing to do.
    fn apply(&self, point: &mut Point, choice: Decision) -> Option<()> {
        match choice {
            Decision::Move { number, to, .. } => point.run.reschedule(number, to).then_some(()),
            Decision::Act { at, action, player } => {
                let action: &Action = self.bounds.actions.get(usize::from(action))?;
                perform(self.scenario, &mut point.run, at, action, player)?;
                point.history.take_act(point.run.records(), &self.relevant);
                Some(())
            }
        }
    }

    /// Returns a way whose last choice panics, as a scenario.
    fn panicking(&self, way: &[Step]) -> Option<Whole> {
        let ((place, choice), before) = way.split_last()?;
        let mut point = caught(|| Ok(self.replay(before))).ok().flatten()?;
        for _ in 0..*place {
            self.plays_on(&mut point);
        }
        let mut scenario = point.run.to_scenario();
        if let Decision::Act { at, action, player } = *choice {
            let container = Arc::clone(point.run.container(player)?);
            let act = self.bounds.actions.get(usize::from(action))?;
            let act = act.act(self.scenario, &point.run, &container)?;
            let player = Target::Container(container);
            scenario.steps.push(ScenarioStep {
                trigger: Trigger::At(at),
                act,
                player,
            });
        }
        Some(Whole {
            scenario,
            trace: None,
        })
    }

    /// Plays a way to its end.
    pub(super) fn whole(&self, way: &[Step]) -> Option<Whole> {
        let Ok(point) = caught(|| Ok(self.replay(way))) else {
            return self.panicking(way);
        };
        let point = point?;
        let mut scenario = point.run.to_scenario();
        let goes_on = caught(|| {
            let mut run = point.run;
            run.run_until(self.horizon);
            Ok(run.next_due().is_some())
        });
        if goes_on.is_ok_and(|goes_on| goes_on) {
            scenario = self.cut(scenario);
        }
        let trace = caught(|| Ok(Simulation::new(&scenario)?.run())).ok();
        Some(Whole { scenario, trace })
    }

    /// Returns a scenario that goes on and on, with an end.
    fn cut(&self, scenario: Scenario) -> Scenario {
        Scenario {
            until: Until::At(self.horizon),
            ..scenario
        }
    }

    /// Returns the choices of a way in words.
    pub(super) fn words(&self, way: &[Step]) -> Vec<Choice> {
        let word = |number: usize| {
            let (place, choice) = way.get(number)?;
            let mut point = caught(|| Ok(self.replay(&way[..number]))).ok().flatten()?;
            for _ in 0..*place {
                self.plays_on(&mut point);
            }
            self.word(&point, *choice)
        };
        (0..way.len()).map_while(word).collect()
    }

    /// Returns the instants of the scenario's own way, at which its first states were met.
    pub(super) fn instants(&self, states: usize) -> Vec<Time> {
        let mut point = self.first();
        let mut instants = vec![point.run.now()];
        for _ in 1..states {
            self.plays_on(&mut point);
            instants.push(point.run.now());
        }
        instants
    }

    /// Returns what a choice at a place of the scenario's own way is about, and when it comes.
    pub(super) fn branch(&self, place: usize, choice: Decision) -> Option<(String, Time)> {
        let mut point = self.first();
        for _ in 0..place {
            self.plays_on(&mut point);
        }
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some((word_of_act(&point.run, at, action, player).what, at))
            }
            Decision::Move { number, to } => {
                let pending = point
                    .run
                    .pending()
                    .into_iter()
                    .find(|pending| pending.number == number)?;
                Some((work_word(&pending.work), to))
            }
        }
    }

    fn word(&self, point: &Point, choice: Decision) -> Option<Choice> {
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some(word_of_act(&point.run, at, action, player))
            }
            Decision::Move { number, to } => {
                let pending = point
                    .run
                    .pending()
                    .into_iter()
                    .find(|pending| pending.number == number)?;
                Some(word_of_move(&pending, to))
            }
        }
    }
}

/// Returns the laws that a trace breaks, the scenario's own expectations among them.
pub(super) fn judge(scenario: &Scenario, trace: &Trace) -> Vec<(&'static Law, Why)> {
    let played = Played {
        scenario,
        trace,
        prepared: None,
    };
    OF_TRACES
        .iter()
        .filter_map(|law| Some((law, caught(|| law.find(&played, false)).err()?)))
        .collect()
}

/// A way that was played to its end, as a scenario of its own.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) scenario: Scenario,
    /// `None` if it panics.
    pub(super) trace: Option<Trace>,
}

/// Whether a response is waited for.
pub(super) fn is_of_use(work: &PendingWork) -> bool {
    match work {
        PendingWork::Response { status, .. } => *status == ResponseStatus::Awaited,
        PendingWork::Step(_) => true,
    }
}

/// Returns a digest of the last state of each player.
pub(super) fn last_states(trace: &Trace) -> u128 {
    let last = trace.records.last();
    let states = last.and_then(|record| record.data.get("states"));
    let text = states.map(ToString::to_string).unwrap_or_default();
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}
