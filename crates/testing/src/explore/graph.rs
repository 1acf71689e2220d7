//! The states and ways that were found, and how many ways lead to each outcome.

use std::collections::BTreeMap;

use super::orders::Only;
use super::statements::Longest;
use super::way::{Attempt, Decision, Done, End, Known, Met, Step};
use crate::laws::Law;
use crate::played::Why;

/// The index of a state.
type StateIndex = u32;

/// A part of a way: from a choice to a known state, or to the end.
#[derive(Debug)]
pub(super) struct Run {
    /// The run and the state at which the choice was made.
    from: Option<(usize, StateIndex)>,
    choice: Option<Decision>,
    pub(super) done: Done,
    /// Which choices are tried from it; `None` if all are. Where only some are, no other run may
    /// join its states.
    pub(super) only: Option<Only>,
    /// Its first state, and how many it has of its own.
    first: StateIndex,
    own: u32,
    /// The state of another run that follows.
    joins: Option<StateIndex>,
    pub(super) outcome: u128,
    /// Whether its lines break a law.
    pub(super) is_broken: bool,
}

/// A law that ways break, in one manner.
#[derive(Debug)]
pub(super) struct BrokenLaw {
    pub(super) law: &'static Law,
    pub(super) why: Why,
    /// The first run that breaks it.
    pub(super) run: usize,
    /// How many runs that were judged break it.
    pub(super) runs: usize,
}

/// Everything that was found so far.
#[derive(Debug, Default)]
pub(super) struct Graph {
    known: BTreeMap<u128, (StateIndex, u128)>,
    /// The series of lines that were judged, each with whether it breaks a law.
    judged: BTreeMap<u128, bool>,
    /// The run of each state.
    run_of: Vec<u32>,
    pub(super) runs: Vec<Run>,
    pub(super) broken: Vec<BrokenLaw>,
    pub(super) longest: Longest,
}

impl Known for Graph {
    fn state(&self, key: u128) -> Option<u128> {
        self.known.get(&key).map(|(_, order)| *order)
    }

    fn is_judged(&self, order: u128) -> bool {
        self.judged.contains_key(&order)
    }
}

impl Graph {
    pub(super) fn states(&self) -> usize {
        self.run_of.len()
    }

    pub(super) fn judged(&self) -> usize {
        self.judged.len()
    }

    /// Returns how many states a run has of its own, which are its first ones.
    pub(super) fn states_of(&self, run: usize) -> usize {
        self.runs.get(run).map_or(0, |run| run.own as usize)
    }

    /// Returns the way that leads to a run.
    pub(super) fn way(&self, run: usize) -> Vec<Step> {
        let (mut way, mut next) = (Vec::new(), self.runs.get(run));
        while let Some(Run {
            from: Some((before, state)),
            choice: Some(choice),
            ..
        }) = next
        {
            next = self.runs.get(*before);
            let first = next.map_or(0, |before| before.first);
            way.push(((state - first) as usize, *choice));
        }
        way.reverse();
        way
    }

    /// Adds what came of a choice at a state of a run, the state counted within the run.
    /// Returns its number, if anything could be done.
    pub(super) fn add(
        &mut self,
        from: Option<(usize, usize)>,
        attempt: Attempt,
        only: Option<Only>,
        merges: bool,
    ) -> Option<usize> {
        let Attempt {
            choice,
            done,
            states,
            joins,
            end,
            longest,
        } = attempt;
        self.longest.add(longest);
        // Nothing could be done.
        if states.is_empty() && joins.is_none() && end.is_none() {
            return None;
        }
        let from = from.and_then(|(run, place)| {
            let first = self.runs.get(run)?.first;
            Some((run, first + u32::try_from(place).ok()?))
        });
        let (number, first) = (self.runs.len(), count(self.states()));
        let mut joined = joins;
        for Met { key, order } in states {
            // Another run of the batch may have met it.
            if merges && self.known.contains_key(&key) {
                joined = Some(key);
                break;
            }
            if only.is_none() {
                self.known.insert(key, (count(self.states()), order));
            }
            self.run_of.push(count(number));
        }
        let own = count(self.states()) - first;
        let joins = joined
            .and_then(|key| self.known.get(&key))
            .map(|(state, _)| *state);
        // Another run of the batch may have written the same lines.
        let is_first = end
            .as_ref()
            .is_some_and(|end| !self.judged.contains_key(&end.order));
        let (outcome, is_broken) = match &end {
            Some(End {
                order,
                outcome,
                broken: Some(broken),
            }) => {
                self.judged.entry(*order).or_insert(!broken.is_empty());
                (*outcome, !broken.is_empty())
            }
            Some(End {
                order,
                outcome,
                broken: None,
            }) => (
                *outcome,
                self.judged.get(order).copied().unwrap_or_default(),
            ),
            None => joins
                .and_then(|state| self.of_state(state))
                .unwrap_or_default(),
        };
        self.runs.push(Run {
            from,
            choice,
            done,
            only,
            first,
            own,
            joins,
            outcome,
            is_broken,
        });
        if let Some(End {
            broken: Some(broken),
            ..
        }) = end.filter(|_| is_first)
        {
            for (law, why) in broken {
                let known = self
                    .broken
                    .iter_mut()
                    .find(|it| it.law.name == law.name && it.why.kind == why.kind);
                match known {
                    Some(known) => known.runs += 1,
                    None => self.broken.push(BrokenLaw {
                        law,
                        why,
                        run: number,
                        runs: 1,
                    }),
                }
            }
        }
        Some(number)
    }

    /// Returns how many runs have this many choices.
    pub(super) fn len_of_depth(&self, depth: u32) -> usize {
        self.runs
            .iter()
            .filter(|run| run.done.depth() == depth)
            .count()
    }

    /// Returns the outcome of the run that goes on from a state, and whether it breaks a law.
    fn of_state(&self, state: StateIndex) -> Option<(u128, bool)> {
        let run = self.runs.get(*self.run_of.get(state as usize)? as usize)?;
        Some((run.outcome, run.is_broken))
    }

    /// Returns the runs that begin on the scenario's own way, each with the place of its state
    /// there.
    pub(super) fn branches(&self) -> impl Iterator<Item = (usize, usize, Decision)> + '_ {
        self.runs.iter().enumerate().filter_map(|(number, run)| {
            let (0, state) = run.from? else { return None };
            Some((number, state as usize, run.choice?))
        })
    }

    /// Returns how many ways lead to each outcome, and the first run with it. A way is one for each
    /// series of choices.
    pub(super) fn outcomes(&self) -> BTreeMap<u128, (u128, usize)> {
        let mut outcomes: BTreeMap<u128, (u128, usize)> = BTreeMap::new();
        // The number of ways that pass each state.
        let mut passing = vec![0_u128; self.states()];
        let deepest = self
            .runs
            .iter()
            .map(|run| run.done.depth())
            .max()
            .unwrap_or(0);
        for depth in 0..=deepest {
            let runs: Vec<usize> = (0..self.runs.len())
                .filter(|run| self.runs[*run].done.depth() == depth)
                .collect();
            // Ways that begin: one for each way that passes the state of the choice.
            for number in &runs {
                let run = &self.runs[*number];
                let ways = run.from.map_or(1, |(_, state)| passing[state as usize]);
                let start = if run.own > 0 {
                    Some(run.first)
                } else {
                    run.joins
                };
                match start {
                    Some(state) => {
                        passing[state as usize] = passing[state as usize].saturating_add(ways)
                    }
                    None => {
                        let entry = outcomes.entry(run.outcome).or_insert((0, *number));
                        entry.0 = entry.0.saturating_add(ways);
                    }
                }
            }
            self.pass_on(&runs, &mut passing);
            for number in &runs {
                let run = &self.runs[*number];
                let entry = outcomes.entry(run.outcome).or_insert((0, *number));
                entry.1 = entry.1.min(*number);
                if run.own > 0 && run.joins.is_none() {
                    let last = run.first + run.own - 1;
                    entry.0 = entry.0.saturating_add(passing[last as usize]);
                }
            }
        }
        outcomes
    }

    /// Lets the ways of some runs, all of one depth, pass from state to state, each state after
    /// those before it.
    fn pass_on(&self, runs: &[usize], passing: &mut [u128]) {
        let next = |state: StateIndex| {
            let run = &self.runs[self.run_of[state as usize] as usize];
            let is_last = state + 1 == run.first + run.own;
            if is_last { run.joins } else { Some(state + 1) }
        };
        let mut before = vec![0_u32; self.states()];
        let states = || {
            runs.iter()
                .map(|run| &self.runs[*run])
                .flat_map(|run| run.first..run.first + run.own)
        };
        for state in states() {
            if let Some(next) = next(state) {
                before[next as usize] += 1;
            }
        }
        let mut ready: Vec<StateIndex> = states()
            .filter(|state| before[*state as usize] == 0)
            .collect();
        while let Some(state) = ready.pop() {
            if let Some(next) = next(state) {
                passing[next as usize] =
                    passing[next as usize].saturating_add(passing[state as usize]);
                before[next as usize] -= 1;
                if before[next as usize] == 0 {
                    ready.push(next);
                }
            }
        }
    }
}

/// There are fewer states than this can count: each takes more bytes than the memory has room for.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
