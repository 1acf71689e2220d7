//! Plays a scenario in all its ways within bounds: what comes earlier or later than it says, and
//! what a user or the page may do in between.
//!
//! A *way* is a series of choices. A choice is either an action at an instant, or the arrival of a
//! response or a step of the scenario at another time. Both are tried in each region of instants at
//! which all comparisons with time have the same answers (`region`): an action from the moment that
//! a player is on the page until a minute after nothing is due any more.
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
//! Not tried are responses other than the scenario's. Limits on tasks and actions, which only a
//! livelock reaches, are not part of a state. What else is not tried is in [`Explored::not_tried`].

mod choices;
mod clock;
mod ends;
mod graph;
mod history;
mod limits;
mod orders;
mod outcome;
mod region;
pub mod replay;
mod report;
mod search;
mod statements;
mod tell;
mod vocabulary;
mod walk;
mod way;

use std::fmt;
use std::sync::{Mutex, PoisonError};

use playsim_base::time::{Span, Time};
use playsim_base::workers;
use playsim_scenario::{Expectation, Scenario, ScenarioError};
use playsim_trace::Trace;

use graph::Graph;
use limits::Limits;
pub use limits::NotTried;
use orders::{Between, Pair};
pub use outcome::Fact;
use region::Region;
pub use vocabulary::{Action, USUAL};
use walk::Walker;

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
    memory: u64,
    orders: u32,
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
            memory: u64::MAX,
            orders: 0,
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

    /// How many bytes may be used for what is found, roughly. What is not tried for this reason is
    /// said.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Bounds {
        self.memory = bytes;
        self
    }

    /// How often a region of one choice is divided where the regions of the next one are not the
    /// same at its first and its last instant, by default 0. A region that would have to be
    /// divided once more is said to be not tried.
    #[must_use]
    pub fn orders(mut self, most: u32) -> Bounds {
        self.orders = most;
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
    /// What was not tried although it is within the bounds, and how often.
    pub not_tried: Vec<(NotTried, usize)>,
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
    /// empty if it was cut, or if anything was not tried.
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
    let now = Mutex::new(Progress {
        depth: 1,
        done: 0,
        of: 1,
        states: 0,
    });
    let goes_on = || goes_on(now.lock().map_or_else(|it| *it.into_inner(), |it| *it));
    let limits = Limits::new(bounds.memory, &goes_on);
    let walker = Walker::new(scenario, bounds, law, limits)?;
    let mut graph = Graph::default();
    let base = walker.base(&graph);
    graph.add(None, base, None, bounds.merges);
    let mut begin = 0;
    let mut is_cut = !walker.limits.goes_on();
    for depth in 0..bounds.acts + bounds.moves {
        let mut pairs = Vec::new();
        // The last instants of regions lead to more runs of this depth.
        while begin < graph.runs.len() && !is_cut {
            let end = graph.runs.len();
            // A run without states of its own leads to nothing new.
            let due: Vec<usize> = (begin..end)
                .filter(|run| graph.states_of(*run) > 0 && graph.runs[*run].done.depth() == depth)
                .collect();
            begin = end;
            for (done, batch) in due.chunks(BATCH).enumerate() {
                let progress = Progress {
                    depth: depth + 1,
                    done: done * BATCH,
                    of: due.len(),
                    states: graph.states(),
                };
                *now.lock().unwrap_or_else(PoisonError::into_inner) = progress;
                let of_batch = workers::each(bounds.threads, batch.len(), |place| {
                    let run = batch[place];
                    let only = graph.runs[run].only.as_ref();
                    walker.expand(&graph.way(run), graph.states_of(run), only, &graph)
                });
                is_cut = !walker.limits.goes_on();
                if is_cut {
                    break;
                }
                for (run, regions) in batch.iter().zip(of_batch) {
                    for region in regions {
                        pairs.extend(add(*run, region, &mut graph, bounds.merges));
                    }
                }
            }
        }
        if is_cut {
            break;
        }
        begin = graph.runs.len() - graph.runs.len().min(graph.len_of_depth(depth + 1));
        divide(&walker, &mut graph, &pairs, bounds);
        is_cut = !walker.limits.goes_on();
    }
    let cut = is_cut.then(|| *now.lock().unwrap_or_else(PoisonError::into_inner));
    if bounds.acts + bounds.moves > 2 {
        walker.limits.leave_out_all(NotTried::Depth);
    }
    Ok(report::report(&walker, &graph, cut))
}

/// Adds what came of a choice in a region, and returns what may have to be divided.
fn add(run: usize, region: Region, graph: &mut Graph, merges: bool) -> Option<Pair> {
    let Region {
        place,
        template,
        from,
        to,
        first,
        last,
        settled,
    } = region;
    let from_run = (run, place);
    graph.add(Some(from_run), first, None, merges)?;
    graph.add(Some(from_run), last?, None, merges)?;
    Some(Pair {
        from: from_run,
        template,
        first: from,
        last: to,
        states: settled.unwrap_or(usize::MAX),
    })
}

/// Divides regions for the choices that follow, and adds the runs within them from which some lead
/// on otherwise.
fn divide(walker: &Walker<'_>, graph: &mut Graph, pairs: &[Pair], bounds: &Bounds) {
    for batch in pairs.chunks(BATCH) {
        let known = &*graph;
        let divided = workers::each(bounds.threads, batch.len(), |place| {
            let pair = &batch[place];
            walker.divide(&known.way(pair.from.0), pair, known)
        });
        if !walker.limits.goes_on() {
            return;
        }
        for (pair, between) in batch.iter().zip(divided) {
            for Between { attempt, only } in between {
                graph.add(Some(pair.from), attempt, Some(only), bounds.merges);
            }
        }
    }
}

#[cfg(test)]
mod tests;
