//! Ways of a page whose code is outside. Its state cannot be forked, so each way is played from the
//! start.
//!
//! Who plays the ways calls the page code and decides which ways there are. Here is what that takes
//! of the simulation: when an act can matter, what may be moved, what has been written, and how a
//! way ends. The words and the judgement are those of [`explore`](super::explore()).

use std::hash::Hash;

use playsim_api::PlayerIndex;
use playsim_base::time::Time;
use playsim_scenario::{Scenario, ScenarioError};
use playsim_sim::{Pending, Simulation};
use playsim_trace::{Bytes, Record, Trace};

use super::choices::{MICROSECOND, pending, perform, word_of_act, word_of_move};
use super::ends::{judge, last_states};
use super::history::{History, Relevant, is_of_the_clock};
use super::outcome::{Outline, parting, seen};
use super::search::is_of_use;
use super::walk::NEVER;
use super::{Action, Fact};

/// The most thresholds that are looked for between two instants.
const MOST_THRESHOLDS: usize = 4;

/// What is the same in all ways of a scenario.
#[derive(Debug)]
pub struct Replay {
    scenario: Scenario,
    start: Simulation,
    actions: Vec<Action>,
    relevant: Relevant,
}

/// What one way has written so far, as far as it matters.
#[derive(Debug, Clone)]
pub struct Past {
    history: History,
    /// How many records are in `exact`, and a digest of them with their times.
    taken: usize,
    exact: u128,
}

/// An act that is worth trying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PossibleAct {
    /// When.
    pub at: Time,
    /// The place of the act in the list of acts.
    pub action: usize,
    /// The player that it is done to.
    pub player: PlayerIndex,
}

/// How a way ends.
#[derive(Debug)]
#[non_exhaustive]
pub struct PlayedEnd {
    /// Equal in ways with the same outcome.
    pub outcome: u128,
    /// How often each thing occurs, in the order of the first occurrence.
    pub facts: Vec<(Fact, u32)>,
    /// What a viewer sees of it, in words.
    pub seen: String,
}

/// A law that a trace breaks.
#[derive(Debug)]
#[non_exhaustive]
pub struct BrokenLaw {
    /// The name of the law.
    pub law: &'static str,
    /// Why.
    pub why: String,
    /// In what manner it is broken.
    pub kind: String,
}

impl Replay {
    /// Prepares a scenario.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be played.
    pub fn new(scenario: Scenario, actions: Vec<Action>) -> Result<Replay, ScenarioError> {
        let start = Simulation::movable(&scenario)?;
        let relevant = Relevant::of(&scenario.expect);
        Ok(Replay {
            scenario,
            start,
            actions,
            relevant,
        })
    }

    /// Begins a way.
    #[must_use]
    pub fn begin(&self) -> (Simulation, Past) {
        (
            self.start.fork(),
            Past {
                history: self.relevant.start(),
                taken: 0,
                exact: 0,
            },
        )
    }

    /// Takes what the run has written since.
    pub fn take(&self, run: &Simulation, past: &mut Past) {
        past.history.take(run.records(), &self.relevant);
        past.take_exactly(run.records());
    }

    /// Returns the acts that may be done between now and the next instant: at once, and from each
    /// instant on from which their own lines are others. They are tried on forks of the run, which
    /// must not call any page code.
    #[must_use]
    pub fn possible_acts(&self, run: &Simulation, next: Option<Time>) -> Vec<PossibleAct> {
        let mut acts = Vec::new();
        for player in run.live_players() {
            for (action, known) in self.actions.iter().enumerate() {
                let all = instants(run.now(), next, |at| {
                    let mut tried = run.fork();
                    let mut history = self.relevant.start();
                    history.skip(tried.records());
                    let first = perform(&self.scenario, &mut tried, at, known, player)?;
                    history.take_act(tried.records(), first, &self.relevant);
                    Some(history.order)
                });
                acts.extend(all.into_iter().map(|at| PossibleAct { at, action, player }));
            }
        }
        acts
    }

    /// Does an act, and returns it in words; `None` if there is nothing to do.
    pub fn act(&self, run: &mut Simulation, past: &mut Past, act: PossibleAct) -> Option<String> {
        let PossibleAct { at, action, player } = act;
        let action = self.actions.get(action)?;
        let word = word_of_act(run, at, action, player).to_string();
        self.take(run, past);
        let first = perform(&self.scenario, run, at, action, player)?;
        past.history.take_act(run.records(), first, &self.relevant);
        Some(word)
    }

    /// Returns the laws that a trace breaks, the scenario's own expectations among them.
    #[must_use]
    pub fn judge(&self, trace: &Trace) -> Vec<BrokenLaw> {
        let all = judge(&self.scenario, trace).into_iter();
        all.map(|(law, why)| BrokenLaw {
            law: law.name,
            why: why.text,
            kind: why.kind,
        })
        .collect()
    }
}

impl PossibleAct {
    /// The act at this place in the list, done to a player at an instant.
    #[must_use]
    pub fn new(at: Time, action: usize, player: PlayerIndex) -> PossibleAct {
        PossibleAct { at, action, player }
    }
}

impl Past {
    /// Returns a digest of the lines in their order, without their times.
    #[must_use]
    pub fn order(&self) -> u128 {
        self.history.order
    }

    /// Returns a digest of the lines with their times and data, time updates left out. The same way
    /// has the same, unless the page code does not always do the same.
    #[must_use]
    pub fn exact(&self) -> u128 {
        self.exact
    }

    fn take_exactly(&mut self, records: &[Record]) {
        for record in records.get(self.taken..).unwrap_or_default() {
            if !is_of_the_clock(record) {
                let Record {
                    at,
                    kind,
                    name,
                    player,
                    data,
                    ..
                } = record;
                self.exact = Bytes::reused(|line| {
                    (self.exact, at.micros(), kind, name, player, data).hash(line);
                    line.digest128()
                });
            }
        }
        self.taken = records.len();
    }

    /// Returns a digest of a state with these lines behind it, in whatever order. `None` if the
    /// state is not known. Page code outside is not in it.
    #[must_use]
    pub fn key(&self, run: &Simulation, acts: u32, moves: u32) -> Option<u128> {
        let state = run.state_digest_around_page_code()?;
        Some(self.history.key(state, (acts, moves), run.now()))
    }

    /// Returns what came of the way with this trace.
    #[must_use]
    pub fn end(&self, trace: &Trace) -> PlayedEnd {
        let Outline { facts } = Outline::of(trace);
        let outcome = self.history.outcome.wrapping_add(last_states(trace));
        PlayedEnd {
            outcome,
            seen: seen(&facts),
            facts,
        }
    }
}

/// Returns when an act between two instants may have another effect: at once, and from each instant
/// on from which its own lines, of which `effect` returns a digest, are others.
fn instants(
    now: Time,
    next: Option<Time>,
    mut effect: impl FnMut(Time) -> Option<u128>,
) -> Vec<Time> {
    let Some(mut of_first) = effect(now) else {
        return Vec::new();
    };
    let mut instants = vec![now];
    let Some(last) = next.map(|due| due - (Time::ZERO + MICROSECOND)) else {
        return instants;
    };
    let (mut low, last) = (now, Time::ZERO + last);
    if last <= now {
        return instants;
    }
    let Some(of_last) = effect(last) else {
        return instants;
    };
    while of_first != of_last && instants.len() <= MOST_THRESHOLDS {
        let (mut same, mut other, mut of_other) = (low, last, of_last);
        while other - same > MICROSECOND {
            let middle = same + (other - same).share(1, 2);
            match effect(middle) {
                Some(found) if found == of_first => same = middle,
                Some(found) => (other, of_other) = (middle, found),
                None => return instants,
            }
        }
        instants.push(other);
        (low, of_first) = (other, of_other);
    }
    instants
}

/// Lets something pending come at another time, or never if there is none, and returns that in
/// words; `None` if it cannot be moved.
pub fn reschedule(run: &mut Simulation, number: u32, to: Option<Time>) -> Option<String> {
    let pending = pending(run, number)?;
    let to = to.unwrap_or(NEVER);
    run.reschedule(number, to)
        .then(|| word_of_move(&pending, to).to_string())
}

/// Returns when the next thing is due, if it is not held back for ever.
#[must_use]
pub fn next_due(run: &Simulation) -> Option<Time> {
    run.next_due().filter(|due| *due < NEVER)
}

/// Whether somebody waits for something pending.
#[must_use]
pub fn is_awaited(pending: &Pending) -> bool {
    is_of_use(&pending.work)
}

/// Returns the first line in which a trace differs from another, with its time.
#[must_use]
pub fn parts_at(base: &Trace, other: &Trace) -> Option<String> {
    parting(base, other)
}
