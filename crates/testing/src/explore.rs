//! Plays a scenario in all its ways within bounds: what comes earlier or later than it says, and
//! what a user or the page may do in between.
//!
//! A *way* is a series of choices. A choice is either an action at an instant, or the arrival of a
//! response or a step of the scenario at another time. Between two instants at which something
//! happens, one time represents all others. Where the lines that an action causes at once change
//! within that gap, the exact instant is found by bisection and both sides are tried.
//!
//! Two ways that reach the same state after the same lines continue alike and are played only once
//! from there. Most ways are therefore counted, not played. Each distinct sequence of lines is
//! judged by the laws that look at a trace and by the scenario's own expectations.
//!
//! ```
//! use playsim::testing::{Bounds, explore};
//!
//! let [(name, text), (_, document)] = playsim::scenario::demo();
//! let demo = playsim::scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
//! let found = explore(&demo, &Bounds::default())?;
//! assert!(found.cut.is_none() && found.ways > 100);
//! assert!(found.outcomes.len() > 1);
//! # Ok::<(), playsim::ScenarioError>(())
//! ```
//!
//! Not tried are responses other than the scenario's, two choices within a microsecond, and actions
//! that cause the same lines at once throughout a gap but different ones later. Limits on tasks and
//! actions, which only a livelock reaches, are not part of a state.

mod choices;
mod graph;
mod history;
mod outcome;
pub mod replay;
mod statements;
mod vocabulary;
mod walk;

use std::fmt;

use playsim_base::time::{Span, Time};
use playsim_base::workers;
use playsim_scenario::{Expectation, Scenario, ScenarioError};
use playsim_trace::Trace;

use graph::Graph;
pub use outcome::Fact;
use outcome::Outline;
pub use vocabulary::{Action, USUAL};
use walk::{Attempt, Decision, Step, Walker};

/// The bounds within which ways are played.
#[derive(Debug, Clone)]
pub struct Bounds {
    actions: Vec<Action>,
    acts: u32,
    moves: u32,
    within: Span,
    latencies: bool,
    merges: bool,
    threads: usize,
}

/// One act and one move in a way, from the usual acts; steps move by up to 50 ms, responses to any
/// time.
impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            actions: Action::list(USUAL).unwrap_or_default(),
            acts: 1,
            moves: 1,
            within: Span::from_millis(50),
            latencies: true,
            merges: true,
            threads: 1,
        }
    }
}

impl Bounds {
    /// The most acts in one way.
    #[must_use]
    pub fn acts(mut self, most: u32) -> Bounds {
        self.acts = most;
        self
    }

    /// The most things in one way that come at another time.
    #[must_use]
    pub fn moves(mut self, most: u32) -> Bounds {
        self.moves = most;
        self
    }

    /// What may be done.
    #[must_use]
    pub fn actions(mut self, actions: Vec<Action>) -> Bounds {
        self.actions = actions;
        self
    }

    /// How much earlier or later a step may come, and a response too if not any latency is tried.
    #[must_use]
    pub fn within(mut self, span: Span) -> Bounds {
        self.within = span;
        self
    }

    /// Whether a response may have any latency, and not only one within the window.
    #[must_use]
    pub fn any_latency(mut self, any: bool) -> Bounds {
        self.latencies = any;
        self
    }

    /// How many threads play. The result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Bounds {
        self.threads = threads.max(1);
        self
    }

    /// Plays every way to its end, and leaves nothing out. This takes very long, and finds the
    /// same.
    #[must_use]
    pub fn by_force(mut self) -> Bounds {
        self.merges = false;
        self
    }
}

/// How far an exploration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The depth whose ways are tried: the number of choices.
    pub depth: u32,
    /// How many runs of this depth were tried on, of how many.
    pub done: usize,
    /// How many there are.
    pub of: usize,
    /// The states that were met.
    pub states: usize,
}

/// What an exploration has found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explored {
    /// The number of ways; the largest number there is if there are more.
    pub ways: u128,
    /// The number of different states.
    pub states: usize,
    /// How many parts of ways were played.
    pub runs: usize,
    /// How many different series of lines were judged.
    pub judged: usize,
    /// Where it was cut; `None` if all ways within the bounds are in it.
    pub cut: Option<Progress>,
    /// The outcomes, that of the scenario itself first, then the most frequent first.
    pub outcomes: Vec<OutcomeClass>,
    /// The laws and expectations that do not hold in every way.
    pub broken: Vec<BrokenWay>,
    /// The instants of the scenario's own way, in order.
    pub instants: Vec<Time>,
    /// The ways with one choice, in the order of their instants: where the scenario's own way may
    /// part.
    pub branches: Vec<Branch>,
    /// What is true in every way within the bounds, as expectations that a scenario may adopt;
    /// empty if it was cut.
    pub statements: Vec<Expectation>,
}

/// Ways with the same outcome: the same events, trackers, failures and last states, in whatever
/// order and whenever.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OutcomeClass {
    /// How many ways lead to it.
    pub ways: u128,
    /// What a viewer sees of it, in words. Several outcomes may look alike.
    pub seen: String,
    /// How often each thing occurs in it, in the order of their first occurrence.
    pub facts: Vec<(Fact, u32)>,
    /// A way with the fewest choices that leads to it.
    pub way: Way,
}

/// A way with one choice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// The act, or what comes at another time.
    pub what: String,
    /// Whether it is an act.
    pub is_act: bool,
    /// When it is done, or comes.
    pub at: Time,
    /// The index of its outcome.
    pub outcome: usize,
    /// Whether it breaks a law or an expectation.
    pub is_broken: bool,
}

/// A law or an expectation that does not hold in every way.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BrokenWay {
    /// The name of the law.
    pub law: &'static str,
    /// In what manner it is broken.
    pub why: String,
    /// How many of the series of lines that were judged break it in this manner.
    pub runs: usize,
    /// A way with the fewest choices that breaks it.
    pub way: Way,
}

/// One way, as a scenario of its own.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Way {
    /// What is otherwise than in the scenario.
    pub choices: Vec<Choice>,
    /// The scenario that plays this way.
    pub scenario: Box<Scenario>,
    /// The first line in which it differs from the scenario as it is; `None` if none does.
    pub parts_at: Option<String>,
}

/// One thing that is otherwise than in the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// When it is done, or comes.
    pub at: Time,
    /// Whether it is an act.
    pub is_act: bool,
    /// In words, without its time.
    pub what: String,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.at, self.what)
    }
}

/// A law of a caller: says why a trace breaks it.
pub type OwnLaw<'a> = dyn Fn(&Trace) -> Result<(), String> + Sync + 'a;

/// How many runs are tried on before the results are put together.
const BATCH: usize = 64;

/// Plays a scenario in all its ways within bounds.
///
/// # Errors
///
/// If the scenario cannot be played.
pub fn explore(scenario: &Scenario, bounds: &Bounds) -> Result<Explored, ScenarioError> {
    explore_while(scenario, bounds, &|_| true)
}

/// Plays a scenario in all its ways within bounds, as long as `goes_on` says so. It is asked often;
/// what was found until then is the result.
///
/// # Errors
///
/// If the scenario cannot be played.
pub fn explore_while(
    scenario: &Scenario,
    bounds: &Bounds,
    goes_on: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Explored, ScenarioError> {
    explore_judged(scenario, bounds, goes_on, &|_| Ok(()))
}

/// As [`explore_while`], with one more law. Each series of lines is judged once, whatever its
/// times: the law may ask what happened and in which order, and compare times for equality, but not
/// how long something took.
///
/// # Errors
///
/// If the scenario cannot be played.
pub fn explore_judged(
    scenario: &Scenario,
    bounds: &Bounds,
    goes_on: &(dyn Fn(Progress) -> bool + Sync),
    law: &OwnLaw<'_>,
) -> Result<Explored, ScenarioError> {
    let walker = Walker::new(scenario, bounds, law)?;
    let mut graph = Graph::default();
    let base = walker.base(&graph);
    graph.add(None, base, bounds.merges);
    let (mut cut, mut begin) = (None, 0);
    'depths: for depth in 0..bounds.acts + bounds.moves {
        let end = graph.runs.len();
        // A run without states of its own leads to nothing new.
        let due: Vec<usize> = (begin..end)
            .filter(|run| graph.states_of(*run) > 0)
            .collect();
        begin = end;
        let mut done = 0;
        for batch in due.chunks(BATCH) {
            let progress = Progress {
                depth: depth + 1,
                done,
                of: due.len(),
                states: graph.states(),
            };
            let of_batch = expand(&walker, &graph, batch, bounds.threads, &|| {
                goes_on(progress)
            });
            for (run, attempts) in of_batch {
                let Some(attempts) = attempts else {
                    cut = Some(Progress {
                        done,
                        states: graph.states(),
                        ..progress
                    });
                    break 'depths;
                };
                for (place, attempt) in attempts {
                    graph.add(Some((run, place)), attempt, bounds.merges);
                }
                done += 1;
            }
        }
    }
    Ok(report(&walker, &graph, cut))
}

/// What came of the choices at the states of a run, each with the place of the state; `None` if it
/// was not tried any more.
type Expanded = Option<Vec<(usize, Attempt)>>;

/// Tries on the runs of a batch, on some threads, and returns the results in the order of the runs.
fn expand(
    walker: &Walker<'_>,
    graph: &Graph,
    batch: &[usize],
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Vec<(usize, Expanded)> {
    let tried = workers::each(threads, batch.len(), |place| {
        let run = batch[place];
        goes_on().then(|| walker.expand(&graph.way(run), graph.states_of(run), graph))
    });
    batch.iter().copied().zip(tried).collect()
}

fn report(walker: &Walker<'_>, graph: &Graph, cut: Option<Progress>) -> Explored {
    let base = walker.whole(&[]).and_then(|whole| whole.trace);
    let way = |way: &[Step]| {
        let whole = walker.whole(way)?;
        let outline = whole.trace.as_ref().map(Outline::of).unwrap_or_default();
        let parts_at = base
            .as_ref()
            .zip(whole.trace.as_ref())
            .and_then(|(base, it)| outcome::parting(base, it));
        let words = walker.words(way);
        Some((
            outline,
            Way {
                choices: words,
                scenario: Box::new(whole.scenario),
                parts_at,
            },
        ))
    };
    let found = graph.outcomes();
    let ways = found
        .values()
        .fold(0_u128, |sum, (ways, _)| sum.saturating_add(*ways));
    let mut outcomes: Vec<(usize, u128, OutcomeClass)> = found
        .iter()
        .filter_map(|(key, (ways, run))| {
            let (outline, way) = way(&graph.way(*run))?;
            let (ways, facts) = (*ways, outline.facts);
            Some((
                *run,
                *key,
                OutcomeClass {
                    ways,
                    seen: outcome::seen(&facts),
                    facts,
                    way,
                },
            ))
        })
        .collect();
    outcomes.sort_by_key(|(run, _, class)| (*run != 0, std::cmp::Reverse(class.ways), *run));
    let broken = graph.broken.iter().filter_map(|broken| {
        let (_, way) = way(&graph.way(broken.run))?;
        let (law, why) = (broken.law.name, broken.why.text.clone());
        Some(BrokenWay {
            law,
            why,
            runs: broken.runs,
            way,
        })
    });
    let branches = branches(walker, graph, |key| {
        outcomes.iter().position(|(_, known, _)| *known == key)
    });
    let outcomes: Vec<OutcomeClass> = outcomes.into_iter().map(|(.., class)| class).collect();
    let statements = match cut {
        None => statements::statements(&outcomes, graph.longest),
        Some(_) => Vec::new(),
    };
    Explored {
        ways,
        states: graph.states(),
        runs: graph.runs.len(),
        judged: graph.judged(),
        cut,
        broken: broken.collect(),
        instants: walker.instants(graph.states_of(0)),
        branches,
        statements,
        outcomes,
    }
}

fn branches(
    walker: &Walker<'_>,
    graph: &Graph,
    number_of: impl Fn(u128) -> Option<usize>,
) -> Vec<Branch> {
    let branch = |(run, place, choice): (usize, usize, Decision)| {
        let (what, at) = walker.branch(place, choice)?;
        let run = graph.runs.get(run)?;
        let (outcome, is_broken) = (number_of(run.outcome)?, run.is_broken);
        Some(Branch {
            what,
            is_act: matches!(choice, Decision::Act { .. }),
            at,
            outcome,
            is_broken,
        })
    };
    graph.branches().filter_map(branch).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod oracle;
