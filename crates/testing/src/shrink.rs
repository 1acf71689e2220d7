//! Reduces a failing scenario: removes every part without which it still fails.

use super::played::{caught, start, start_like};
use playsim_rules::knobs::Knobs;
use playsim_scenario::Scenario;
use playsim_sim::Simulation;

mod around;
mod documents;
mod parts;
mod values;

pub(super) use around::towards;
use parts::{PARTS, Part};

/// The number of smaller scenarios that are tried at most.
const MOST_TRIES: u32 = 3_000;

/// Reduces a scenario step by step: proposes smaller ones, and continues from those that are kept.
#[derive(Debug, Clone)]
pub(super) struct Shrinker {
    small: Scenario,
    /// The kind of part that is being left out, by its place in the list.
    part: usize,
    /// The next item to leave out, and how many at once.
    start: usize,
    length: usize,
    /// How many items the last proposal left out.
    tried: usize,
    /// Whether something was kept since the first kind of part.
    is_changed: bool,
    /// The kinds of parts that are left out.
    parts: &'static [Part],
    tries: u32,
    /// Whether the scenario may have no steps: it had none.
    may_be_stepless: bool,
    /// Whether the default limit was tried.
    is_last: bool,
    /// The scenario to begin with, if it can be played. Then smaller ones have to be, too: what
    /// uses them should find the failure, not a scenario that is refused.
    whole: Option<Simulation>,
}

impl Shrinker {
    pub(super) fn new(scenario: Scenario) -> Shrinker {
        let mut shrinker = Shrinker {
            may_be_stepless: scenario.steps.is_empty(),
            is_last: false,
            whole: caught(|| start(&scenario)).ok(),
            small: scenario,
            part: 0,
            start: 0,
            length: 0,
            tried: 0,
            is_changed: false,
            parts: PARTS,
            tries: 0,
        };
        shrinker.begin(0);
        shrinker
    }

    /// Leaves out documents as a whole only.
    pub(super) fn keeping_documents(self) -> Shrinker {
        Shrinker {
            parts: &PARTS[..PARTS.len() - 1],
            ..self
        }
    }

    /// The smallest scenario so far.
    #[cfg(feature = "proptest")]
    pub(super) fn smallest(&self) -> &Scenario {
        &self.small
    }

    fn begin(&mut self, part: usize) {
        self.part = part;
        (self.start, self.length) = (0, (self.parts[part].count)(&mut self.small));
    }

    /// Returns the next smaller scenario to try; `None` if there is none.
    pub(super) fn propose(&mut self) -> Option<Scenario> {
        loop {
            let smaller = self
                .propose_part()
                .or_else(|| self.propose_default_limit())?;
            if self.whole.is_none() || caught(|| start_like(self.whole.as_ref(), &smaller)).is_ok()
            {
                return Some(smaller);
            }
        }
    }

    /// Comes last, because an endless loop then takes much longer.
    fn propose_default_limit(&mut self) -> Option<Scenario> {
        if std::mem::replace(&mut self.is_last, true) {
            return None;
        }
        let mut plain = self.small.clone();
        plain.knobs.limit_tasks_per_second = Knobs::default().limit_tasks_per_second;
        self.tried = 0;
        (plain != self.small).then_some(plain)
    }

    fn propose_part(&mut self) -> Option<Scenario> {
        while !self.is_last && self.tries < MOST_TRIES {
            let part = &self.parts[self.part];
            let count = (part.count)(&mut self.small);
            if self.start < count && self.length > 0 {
                let end = (self.start + self.length).min(count);
                let mut smaller = self.small.clone();
                (part.remove)(&mut smaller, self.start..end);
                self.tries += 1;
                self.tried = self.length;
                self.start += self.length;
                // Without any steps a scenario would start on its own.
                if smaller != self.small && (self.may_be_stepless || !smaller.steps.is_empty()) {
                    return Some(smaller);
                }
            } else if self.length > 1 {
                (self.start, self.length) = (0, self.length / 2);
            } else if self.part + 1 < self.parts.len() {
                self.begin(self.part + 1);
            } else if self.is_changed {
                self.is_changed = false;
                self.begin(0);
            } else {
                return None;
            }
        }
        None
    }

    /// Goes on from the scenario that was proposed last, because it still fails.
    pub(super) fn keep(&mut self, smaller: Scenario) {
        self.small = smaller;
        self.start -= self.tried;
        self.is_changed = true;
    }

    /// Goes on until nothing smaller fails.
    pub(super) fn run(mut self, mut fails: impl FnMut(&Scenario) -> bool) -> Scenario {
        while let Some(smaller) = self.propose() {
            if fails(&smaller) {
                self.keep(smaller);
            }
        }
        self.small
    }
}

/// Returns the smallest scenario found that still fails. The given one must fail.
///
/// Whatever is not needed is left out: steps, listeners, tags, documents and parts of them,
/// settings, arguments. A scenario that has steps keeps at least one of them, because without any
/// it would play by itself. Smaller ones that cannot be played are not tried, unless that is true
/// of the given one.
///
/// ```
/// use playsim::testing::{Options, Source, scenario, shrink};
///
/// let stops = |scenario: &playsim::Scenario| scenario.to_json().contains("\"stop\"");
/// let mut drawn = (0..).map(|seed| scenario(&mut Source::from_seed(seed), &Options::default()));
/// let large = drawn.find(stops).unwrap();
/// assert_eq!(shrink(&large, stops).steps.len(), 1);
/// ```
#[must_use]
pub fn shrink(scenario: &Scenario, fails: impl FnMut(&Scenario) -> bool) -> Scenario {
    Shrinker::new(scenario.clone()).run(fails)
}
