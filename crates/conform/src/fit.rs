//! Finds the knobs with which the simulator behaves as a player that was recorded.
//!
//! A setting is a claim about a player, and the recordings are the evidence. A setting that makes
//! any recording differ more, in any subject, is out, however many others it would explain: that a
//! recording differs anyway is no excuse. A recording supports a setting if it differs in a subject
//! without it and agrees with it; to differ less is not enough. What is due only after the end of a
//! recording is not explained by that. A setting that fewer than three recordings support is not
//! decided.

use std::collections::BTreeMap;

use serde::Serialize;

use super::case::{Behaviour, Case};
use super::cell::unknown;
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::Knobs;

mod cases;
mod evidence;
mod held_out;
mod search;
mod suggest;

pub use evidence::{Alternative, FittedKnob};
pub use held_out::{Agreement, HeldOut};
pub use suggest::Suggestion;

use cases::{FitCase, Settings, knobs};
use search::FitSet;

/// The knobs that fit a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fit {
    /// The profile that the fit began with.
    pub base: String,
    /// How recordings are predicted by settings that were fitted without them.
    pub held_out: Vec<(HeldOut, Agreement)>,
    /// How all recordings agree with the defaults.
    pub by_default: Agreement,
    /// How they agree with the profile that the fit began with.
    pub before: Agreement,
    /// How they agree with the fit.
    pub after: Agreement,
    /// The settings that the recordings decide, whether they were found or the profile that the fit
    /// began with has them.
    pub decided: Vec<FittedKnob>,
    /// The settings of that profile that too few recordings ask for, or that some contradict. The
    /// fit keeps them: they have other evidence.
    pub of_base: Vec<FittedKnob>,
    /// Settings that too few recordings support, or that some contradict: they are left as they
    /// were.
    pub undecided: Vec<FittedKnob>,
    /// Times that are longer than the recordings that would tell: the fit leaves them as they were.
    pub cut: Vec<FittedKnob>,
    /// What else would explain the recordings as well.
    pub alternatives: Vec<Alternative>,
    /// The recordings that show a fault of the player, which no setting explains.
    pub faults: Vec<String>,
    /// The recordings that differ still, each with the number of its differences.
    pub remaining: Vec<(String, usize)>,
    /// The settings of the fit.
    #[serde(skip)]
    pub knobs: Knobs,
}

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitOptions {
    /// How far times may differ.
    pub tolerance: Tolerance,
    /// Whether to find out how well recordings are predicted that were held out.
    pub holds_out: bool,
    /// How many threads to use. What comes of it does not depend on them.
    pub threads: usize,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions {
            tolerance: Tolerance::default(),
            holds_out: true,
            threads: 1,
        }
    }
}

/// Finds the knobs that fit recordings of one player. Recordings that cannot be compared are left
/// out.
#[must_use]
pub fn fit(cases: &[(&Case, &Recording)], base: &Behaviour, options: FitOptions) -> Fit {
    Fitting::of(cases, options).fit(base)
}

/// Finds situations in which a fit and what else would explain the recordings differ: each a
/// scenario to record the player with.
#[must_use]
pub fn suggest(cases: &[(&Case, &Recording)], fit: &Fit, options: FitOptions) -> Vec<Suggestion> {
    let fitting = Fitting::of(cases, options);
    suggest::suggestions(&fitting.cases, fit)
}

/// Returns the behaviour that is nearest to a player as it is; of several equal ones the first.
///
/// # Panics
///
/// If there is none to choose from.
#[must_use]
pub fn nearest(
    cases: &[(&Case, &Recording)],
    behaviours: impl Iterator<Item = Behaviour>,
    tolerance: Tolerance,
) -> Behaviour {
    let options = FitOptions {
        tolerance,
        ..FitOptions::default()
    };
    let fitting = Fitting::of(cases, options);
    let distance = |it: &Behaviour| {
        let settings = settings_of(&it.knobs);
        let seen = fitting.cases.iter().map(|it| it.under(&settings));
        let (mut differing, mut differences) = (0, 0);
        for observed in seen {
            let (is_same, count) = observed.map_or((false, usize::from(u16::MAX)), |it| {
                (it.is_same(), it.differences + it.faults + it.cut)
            });
            differing += usize::from(!is_same);
            differences += count;
        }
        (differing, differences)
    };
    behaviours
        .min_by_key(distance)
        .expect("there is one to choose from")
}

struct Fitting<'a> {
    cases: Vec<FitCase<'a>>,
    options: FitOptions,
}

impl<'a> Fitting<'a> {
    fn of(cases: &[(&'a Case, &'a Recording)], options: FitOptions) -> Fitting<'a> {
        let comparable = cases.iter().filter(|(_, recording)| {
            unknown(recording).is_none() && recording.head.problems.is_empty()
        });
        let case = |(case, recording): &(&'a Case, &'a Recording)| {
            FitCase::of(case, recording, options.tolerance)
        };
        Fitting {
            cases: comparable.map(case).collect(),
            options,
        }
    }

    fn fit(&self, base: &Behaviour) -> Fit {
        let set = FitSet {
            cases: self.cases.iter().collect(),
            threads: self.options.threads,
        };
        let before = settings_of(&base.knobs);
        let (settings, mut undecided) = set.settle(&before, set.search(&before));
        undecided.extend(set.refuted(&settings));
        let cut = set.cut(&settings);
        let knobs_now = set.knobs(&before, &settings);
        let alternatives = set.alternatives(&settings, &knobs_now);
        let (decided, of_base) = knobs_now.into_iter().partition(FittedKnob::is_decided);
        let held_out = [HeldOut::Fifth, HeldOut::Group].into_iter();
        let held_out = held_out
            .filter(|_| self.options.holds_out)
            .map(|how| (how, set.held_out(how, &before)))
            .collect();
        let agreement = |settings: &Settings| Agreement::of(&set.cases, settings);
        let names = |case: &FitCase<'_>| case.name().to_owned();
        let faulty = self.cases.iter().filter(|it| it.has_fault());
        let remaining = self.cases.iter().filter_map(|case| {
            let observed = case.under(&settings)?;
            let differences = observed.differences + observed.faults;
            (differences > 0).then(|| (names(case), differences))
        });
        Fit {
            base: base.name.clone(),
            held_out,
            by_default: agreement(&Settings::new()),
            before: agreement(&before),
            after: agreement(&settings),
            decided,
            of_base,
            undecided,
            cut,
            alternatives,
            faults: faulty.map(names).collect(),
            remaining: remaining.collect(),
            knobs: knobs(&settings).unwrap_or_else(|| base.knobs.clone()),
        }
    }
}

fn settings_of(knobs: &Knobs) -> Settings {
    knobs.differing().collect::<BTreeMap<_, _>>()
}
