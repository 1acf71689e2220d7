//! Finds the knobs with which the simulator behaves as a player that was recorded.
//!
//! A setting is a claim about a player, and the recordings are the evidence. A setting that makes
//! any recording differ more, in any subject, is out, however many others it would explain: that a
//! recording differs anyway is no excuse. A recording supports a setting if it differs in a subject
//! without it and agrees with it; to differ less is not enough. What is due only after the end of a
//! recording is not explained by that. A setting that fewer than three recordings support is not
//! decided.

use std::collections::BTreeSet;

use serde::Serialize;

use super::case::{Behaviour, Case};
use super::cell::unknown;
use super::settings::FittedSetting;
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::{Knobs, MeasuredSetting, Measurement, Profiles};

mod cases;
mod evidence;
mod held_out;
mod search;
mod suggest;

pub use evidence::FittedKnob;
pub use held_out::{Agreement, HeldOut};
pub use suggest::{Suggestion, suggest};

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
    /// Times of which the recordings show one end only, such as those that are longer than any
    /// recording: the fit leaves them as they were.
    pub cut: Vec<FittedKnob>,
    /// What else would explain the recordings as well: settings in place of those of the fit.
    pub alternatives: Vec<Vec<FittedSetting>>,
    /// The recordings in which a tracker is certainly called for an ad that is not on the screen
    /// (rule TRK-5). Other faults of the player are not listed.
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
    let cases = comparable(cases, options.tolerance);
    let set = FitSet {
        cases: cases.iter().collect(),
        threads: options.threads,
    };
    let before: Settings = base.knobs.differing().collect();
    let (settings, left) = set.settle(&before, set.search(&before));
    let (mut cut, mut undecided): (Vec<_>, Vec<_>) = left.into_iter().partition(FittedKnob::is_cut);
    let now = set.standing(settings);
    add(&mut cut, set.cut(&now), &[]);
    let knobs_now = set.knobs(&before, &now);
    let alternatives = set.alternatives(&now, &knobs_now);
    let (decided, of_base): (Vec<_>, Vec<_>) =
        knobs_now.into_iter().partition(FittedKnob::is_decided);
    add(&mut undecided, set.refuted(&now), &decided);
    let settings = now.settings;
    let are_several = set.by_suite().len() > 1;
    let held_out = [HeldOut::Fifth, HeldOut::Group, HeldOut::Suite].into_iter();
    let held_out = held_out
        .filter(|how| options.holds_out && (are_several || *how != HeldOut::Suite))
        .map(|how| (how, set.held_out(how, &before)))
        .collect();
    let agreement = |settings: &Settings| Agreement::of(&set.cases, settings);
    let name = |case: &FitCase<'_>| case.name().to_owned();
    let faulty = cases.iter().filter(|it| it.has_fault());
    let remaining = cases.iter().filter_map(|case| {
        let observed = case.under(&settings)?;
        let differences = observed.differences + observed.faults;
        (differences > 0).then(|| (name(case), differences))
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
        faults: faulty.map(name).collect(),
        remaining: remaining.collect(),
        knobs: knobs(&settings).unwrap_or_else(|| base.knobs.clone()),
    }
}

/// Returns how recordings of one player speak for and against each setting of a behaviour that is
/// not the default. Nothing else is tried.
#[must_use]
pub fn measure(
    cases: &[(&Case, &Recording)],
    behaviour: &Behaviour,
    options: FitOptions,
) -> Vec<FittedKnob> {
    let cases = comparable(cases, options.tolerance);
    let set = FitSet {
        cases: cases.iter().collect(),
        threads: options.threads,
    };
    let settings: Settings = behaviour.knobs.differing().collect();
    let knob = |name: &&'static str| set.knob(&settings, &settings, name);
    settings.keys().map(knob).collect()
}

/// Returns what recordings say about the settings of a player's profile, as playsim keeps it.
/// Settings that the adapter makes of a player, which a profile of the user's own has, say nothing
/// about the player, and a time with one end only is none. The day is when it was recorded.
#[must_use]
pub fn measurement<'a>(
    recordings: impl IntoIterator<Item = &'a Recording>,
    compared: usize,
    knobs: &[FittedKnob],
    profiles: &Profiles,
    day: &str,
) -> Measurement {
    let mut versions = BTreeSet::new();
    let mut browsers = BTreeSet::new();
    for recording in recordings {
        let all = recording.head.versions.iter();
        versions.extend(all.map(|(name, version)| format!("{name} {version}")));
        browsers.extend(recording.head.browser.as_deref());
    }
    let settings = knobs
        .iter()
        .filter(|it| !it.is_cut() && !profiles.sets_own(it.setting.knob));
    let mut settings: Vec<MeasuredSetting> = settings
        .map(|it| MeasuredSetting {
            knob: it.setting.knob.to_owned(),
            value: it.setting.value.clone(),
            decision: it.decision,
            decided_by: it.decided_by.len(),
            contradicted_by: it.contradicted_by.len(),
        })
        .collect();
    settings.sort_by(|one, other| one.knob.cmp(&other.knob));
    Measurement {
        player: versions.into_iter().collect::<Vec<_>>().join(", "),
        browser: browsers.into_iter().collect::<Vec<_>>().join(", "),
        recorded: day.to_owned(),
        recordings: compared,
        settings,
    }
}

/// Adds knobs that are not listed yet, neither there nor among others.
fn add(all: &mut Vec<FittedKnob>, more: Vec<FittedKnob>, others: &[FittedKnob]) {
    for it in more {
        let is_same = |known: &FittedKnob| known.setting.knob == it.setting.knob;
        if !all.iter().chain(others).any(is_same) {
            all.push(it);
        }
    }
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
    let cases = comparable(cases, tolerance);
    let distance = |it: &Behaviour| {
        let settings: Settings = it.knobs.differing().collect();
        let apart = |it: &FitCase<'_>| it.under(&settings).map(|seen| seen.apart());
        let apart: Vec<Option<usize>> = cases.iter().map(apart).collect();
        let differing = apart.iter().filter(|it| **it != Some(0)).count();
        // That a case cannot be played is worse than any number of differences.
        let unplayed = apart.iter().filter(|it| it.is_none()).count();
        (
            differing,
            unplayed,
            apart.into_iter().flatten().sum::<usize>(),
        )
    };
    behaviours
        .min_by_key(distance)
        .expect("there is one to choose from")
}

fn comparable<'a>(cases: &[(&'a Case, &'a Recording)], tolerance: Tolerance) -> Vec<FitCase<'a>> {
    let comparable = cases.iter().filter(|(_, recording)| {
        unknown(recording).is_none() && recording.head.problems.is_empty()
    });
    comparable
        .map(|(case, recording)| FitCase::of(case, recording, tolerance))
        .collect()
}
