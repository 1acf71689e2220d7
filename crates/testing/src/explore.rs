//! Plays a scenario in all its ways within bounds: what comes earlier or later than it says, and what a user
//! or the page may do in between.
//!
//! A *way* is a series of choices. A choice is an act at an instant, or something that the world does, such
//! as the arrival of a response, at another time. Between two instants at which anything happens it makes no
//! difference when an act is done or a response arrives, so one time stands for all of them; where the lines
//! that an act causes at once change in between, the exact instant is found by bisection and both sides are
//! tried.
//!
//! Ways that come to the same state with the same lines behind them go on alike, and are played on once. So
//! the number of ways is counted, not played. Each series of lines is judged by the laws that look at a trace
//! and by the scenario's own expectations.
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
//! What is not tried: other responses than those of the scenario, more than one choice between two
//! microseconds, and acts whose lines at once are the same throughout a gap although their later effect
//! differs. Limits on tasks and actions, which only a livelock reaches, are not part of a state.

mod choices;
mod graph;
mod history;
mod outcome;
pub mod replay;
mod statements;
mod vocabulary;
mod walk;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use playsim_base::time::Span;
use playsim_scenario::{Expectation, Scenario, ScenarioError};

use graph::Graph;
pub use outcome::Fact;
use outcome::Outline;
pub use vocabulary::{Deed, USUAL};
use walk::{Attempt, Step, Walker};

/// The bounds within which ways are played.
#[derive(Debug, Clone)]
pub struct Bounds {
    deeds: Vec<Deed>,
    acts: u32,
    moves: u32,
    within: Span,
    latencies: bool,
    merges: bool,
    reduces: bool,
    threads: usize,
}

/// One act and one move in a way, from the usual acts; steps move by up to 50 ms, responses to any time.
impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            deeds: Deed::list(USUAL).unwrap_or_default(),
            acts: 1,
            moves: 1,
            within: Span::from_millis(50),
            latencies: true,
            merges: true,
            reduces: true,
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
    pub fn deeds(mut self, deeds: Vec<Deed>) -> Bounds {
        self.deeds = deeds;
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

    /// Plays every way to its end, and leaves nothing out. This takes very long, and finds the same.
    #[must_use]
    pub fn by_force(mut self) -> Bounds {
        (self.merges, self.reduces) = (false, false);
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
    /// What is true in every way within the bounds, as expectations that a scenario may adopt; empty if it was
    /// cut.
    pub statements: Vec<Expectation>,
}

/// Ways with the same outcome: the same events, trackers, failures and last states, in whatever order and
/// whenever.
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
    /// What is otherwise than in the scenario, each with its time.
    pub choices: Vec<String>,
    /// The scenario that plays this way.
    pub scenario: Box<Scenario>,
    /// The first line in which it differs from the scenario as it is; `None` if none does.
    pub parts_at: Option<String>,
}

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

/// Plays a scenario in all its ways within bounds, as long as `goes_on` says so. It is asked often; what was
/// found until then is the result.
///
/// # Errors
///
/// If the scenario cannot be played.
pub fn explore_while(
    scenario: &Scenario,
    bounds: &Bounds,
    goes_on: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Explored, ScenarioError> {
    let walker = Walker::new(scenario, bounds)?;
    let mut graph = Graph::default();
    let base = walker.base(&graph);
    graph.add(None, base, bounds.merges);
    let (mut cut, mut begin) = (None, 0);
    'depths: for depth in 0..bounds.acts + bounds.moves {
        let end = graph.runs.len();
        // A run without states of its own leads to nothing new.
        let due: Vec<usize> = (begin..end).filter(|run| graph.states_of(*run) > 0).collect();
        begin = end;
        let mut done = 0;
        for batch in due.chunks(BATCH) {
            let progress = Progress { depth: depth + 1, done, of: due.len(), states: graph.states() };
            let of_batch = expand(&walker, &graph, batch, bounds.threads, &|| goes_on(progress));
            for (run, attempts) in of_batch {
                let Some(attempts) = attempts else {
                    cut = Some(Progress { done, states: graph.states(), ..progress });
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

/// What came of the choices at the states of a run, each with the place of the state; `None` if it was not
/// tried any more.
type Expanded = Option<Vec<(usize, Attempt)>>;

/// Tries on the runs of a batch, on some threads, and returns the results in the order of the runs.
fn expand(
    walker: &Walker<'_>,
    graph: &Graph,
    batch: &[usize],
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Vec<(usize, Expanded)> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(batch.len()));
    let work = || {
        while let Some(run) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
            let attempts = goes_on().then(|| walker.expand(&graph.way(*run), graph.states_of(*run), graph));
            results.lock().expect("no thread panics while it holds the results").push((*run, attempts));
        }
    };
    if threads <= 1 {
        work();
    } else {
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    let mut results = results.into_inner().expect("no thread panics while it holds the results");
    results.sort_by_key(|(run, _)| *run);
    results
}

fn report(walker: &Walker<'_>, graph: &Graph, cut: Option<Progress>) -> Explored {
    let base = walker.whole(&[]).map(|whole| whole.trace);
    let way = |way: &[Step]| {
        let whole = walker.whole(way)?;
        let outline = Outline::of(&whole.trace);
        let parts_at = base.as_ref().and_then(|base| outcome::parting(base, &whole.trace));
        let words = walker.words(way);
        Some((outline, Way { choices: words, scenario: Box::new(whole.scenario), parts_at }))
    };
    let found = graph.outcomes();
    let ways = found.values().fold(0_u128, |sum, (ways, _)| sum.saturating_add(*ways));
    let mut outcomes: Vec<(usize, OutcomeClass)> = found
        .values()
        .filter_map(|(ways, run)| {
            let (outline, way) = way(&graph.way(*run))?;
            let (ways, facts) = (*ways, outline.facts);
            Some((*run, OutcomeClass { ways, seen: outcome::seen(&facts), facts, way }))
        })
        .collect();
    outcomes.sort_by_key(|(run, class)| (*run != 0, std::cmp::Reverse(class.ways), *run));
    let broken = graph.broken.iter().filter_map(|broken| {
        let (_, way) = way(&graph.way(broken.run))?;
        let (law, why) = (broken.law.name, broken.why.text.clone());
        Some(BrokenWay { law, why, runs: broken.runs, way })
    });
    let outcomes: Vec<OutcomeClass> = outcomes.into_iter().map(|(_, class)| class).collect();
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
        statements,
        outcomes,
    }
}

#[cfg(test)]
mod tests;
