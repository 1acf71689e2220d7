//! What a recording says about settings: how the player that was recorded differs from the
//! simulator under them.
//!
//! A session depends on nothing but the knobs that it reads. So each is played once for all
//! settings that agree in those, and what came of it is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::case::{Case, Held};
use crate::evidence::impossible_lines;
use playsim_check::compare::{Difference, DifferenceKind, Importance, What};
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::Knobs;

/// Knobs that do not have their defaults, with their values.
pub(super) type Settings = BTreeMap<&'static str, String>;

/// Returns the knobs with these settings; `None` if they do not go together.
pub(super) fn knobs(settings: &Settings) -> Option<Knobs> {
    let mut knobs = Knobs::default();
    for (name, value) in settings {
        knobs.set(name, value).ok()?;
    }
    Some(knobs)
}

/// Returns settings with some of them replaced.
pub(super) fn with(settings: &Settings, other: &Settings) -> Settings {
    let mut all = settings.clone();
    all.extend(other.iter().map(|(name, value)| (*name, value.clone())));
    all
}

/// Settings, and what differs under them in each recording of a set.
pub(super) struct Standing {
    pub(super) settings: Settings,
    pub(super) observed: Vec<Option<Arc<Observed>>>,
}

/// A step from some settings to others.
pub(super) struct Step<'s> {
    from: &'s Standing,
    to: Settings,
    /// The knobs that have another value after it.
    knobs: Vec<&'static str>,
}

impl<'s> Step<'s> {
    /// The step to the same settings with some of them replaced.
    pub(super) fn of(from: &'s Standing, other: &Settings) -> Step<'s> {
        Step::to(from, with(&from.settings, other))
    }

    pub(super) fn to(from: &'s Standing, to: Settings) -> Step<'s> {
        let before = &from.settings;
        let all = before.keys().chain(to.keys());
        let knobs = all.filter(|name| before.get(*name) != to.get(*name));
        let knobs = knobs.copied().collect();
        Step { from, to, knobs }
    }

    /// What differed in a recording before it.
    pub(super) fn before(&self, place: usize) -> Option<&'s Observed> {
        self.from.observed[place].as_deref()
    }

    /// Whether a run before the step reads what the step changes. If it does not, the run after it
    /// is the same.
    fn concerns(&self, before: &Observed) -> bool {
        self.knobs.iter().any(|name| before.read.contains(name))
    }
}

/// What differs between a recording and the simulator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Observed {
    /// The knobs that the simulator has read, without those that the scenario sets itself.
    pub(super) read: Arc<BTreeSet<&'static str>>,
    /// How far apart both sides are in each subject, such as "the tracker resume", and in how many
    /// lines, without the player's faults. Subjects in which they agree are not there.
    subjects: BTreeMap<Arc<str>, (Apart, usize)>,
    /// How many differences there are, without the player's faults.
    pub(super) differences: usize,
    /// How many differences count as faults of the player: see [`FitCase::is_fault`].
    pub(super) faults: usize,
    /// How many lines of the simulation lie beyond the end of the recording.
    pub(super) cut: usize,
    /// How many lines are the same on both sides.
    pub(super) same: usize,
    /// Whether all lines of both sides are the same, and in the same order.
    pub(super) is_in_order: bool,
    /// Whether the same documents are asked for, and the same films are on screen.
    pub(super) is_in_view: bool,
}

impl Observed {
    /// Whether nothing differs, and nothing is left open.
    pub(super) fn is_same(&self) -> bool {
        self.apart() == 0
    }

    /// How many lines are not the same on both sides.
    pub(super) fn apart(&self) -> usize {
        self.differences + self.faults + self.cut
    }

    /// Whether this and another one differ from the recording in the same.
    fn is_like(&self, other: &Observed) -> bool {
        (&self.subjects, self.faults, self.cut) == (&other.subjects, other.faults, other.cut)
    }
}

/// Whether a recording supports a step from some settings to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Support {
    /// There is no subject in which both sides agree now, and did not before.
    Neutral,
    /// They agree in one subject more, and are further apart in none.
    For,
    /// They differ in a subject in which they agreed, or are further apart in one.
    Against,
    /// What differed is now due after the end of the recording.
    TooShort,
}

impl Support {
    fn of(before: &Observed, after: &Observed) -> Support {
        let is_further = |(subject, now): (&Arc<str>, &(Apart, usize))| {
            let known = before.subjects.get(subject);
            known.is_none_or(|before| now.0 > before.0)
        };
        if after.subjects.iter().any(is_further) {
            return Support::Against;
        }
        let agrees = |subject: &Arc<str>| !after.subjects.contains_key(subject);
        let is_nearer = before.subjects.keys().any(agrees);
        if after.cut > before.cut && (is_nearer || after.faults < before.faults) {
            Support::TooShort
        } else if is_nearer {
            Support::For
        } else {
            Support::Neutral
        }
    }
}

/// How far apart both sides are in a subject, by the worst of its lines. With a setting with which
/// a line comes at all, that line may still come elsewhere or late: that is no new difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Apart {
    /// Both have the line, at another time.
    InTime,
    /// Both have it, in another place or with other contents.
    InPlace,
    /// Only one of them has it.
    Wholly,
}

impl Apart {
    const fn of(kind: DifferenceKind) -> Apart {
        match kind {
            DifferenceKind::Extra | DifferenceKind::Missing => Apart::Wholly,
            DifferenceKind::Order | DifferenceKind::Value => Apart::InPlace,
            DifferenceKind::Time | DifferenceKind::Overall => Apart::InTime,
        }
    }
}

/// What a run gave, by the values of the knobs that it read.
type ByValues = BTreeMap<Vec<(&'static str, String)>, Arc<Observed>>;

/// A recording with its case.
pub(super) struct FitCase<'a> {
    held: Held<'a>,
    /// The trackers of ads that are not on the screen.
    impossible: BTreeSet<u32>,
    /// What was seen so far, by the knobs that were read and by their values.
    known: Mutex<BTreeMap<Arc<BTreeSet<&'static str>>, ByValues>>,
}

impl<'a> FitCase<'a> {
    pub(super) fn of(
        case: &'a Case,
        recording: &'a Recording,
        tolerance: Tolerance,
    ) -> FitCase<'a> {
        FitCase {
            held: case.held(recording, tolerance),
            impossible: impossible_lines(case, recording),
            known: Mutex::default(),
        }
    }

    /// The name of its case.
    pub(super) fn name(&self) -> &'a str {
        &self.held.case.name
    }

    /// The suite that its case is of.
    pub(super) fn suite(&self) -> &'a str {
        &self.held.case.suite
    }

    /// Whether a tracker is certainly called for an ad that is not on the screen.
    pub(super) fn has_fault(&self) -> bool {
        !self.impossible.is_empty()
    }

    /// What differs under some settings; `None` if the case cannot be played with them.
    pub(super) fn under(&self, settings: &Settings) -> Option<Arc<Observed>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known()
            .iter()
            .find_map(|(read, all)| all.get(&restricted(settings, read)).cloned());
        if found.is_some() {
            return found;
        }
        // Played without the lock: what comes of it is the same, whichever thread is first.
        let observed = Arc::new(self.play(settings)?);
        let read = Arc::clone(&observed.read);
        let values = restricted(settings, &read);
        known()
            .entry(read)
            .or_default()
            .insert(values, Arc::clone(&observed));
        Some(observed)
    }

    /// Whether the simulator differs otherwise from the recording after a step.
    pub(super) fn tells(&self, before: Option<&Observed>, step: &Step<'_>) -> bool {
        if before.is_some_and(|it| !step.concerns(it)) {
            return false;
        }
        match (before, self.under(&step.to)) {
            (Some(before), Some(after)) => !before.is_like(&after),
            (before, after) => before.is_some() != after.is_some(),
        }
    }

    /// Whether it supports a step, and whether it is the same after it and was not before.
    pub(super) fn support(&self, before: Option<&Observed>, step: &Step<'_>) -> (Support, bool) {
        // That a case can be played at all is no evidence of what the player does.
        let Some(before) = before.filter(|it| step.concerns(it)) else {
            return (Support::Neutral, false);
        };
        self.under(&step.to)
            .map_or((Support::Against, false), |after| {
                let is_solved = after.is_same() && !before.is_same();
                (Support::of(before, &after), is_solved)
            })
    }

    fn play(&self, settings: &Settings) -> Option<Observed> {
        let case = self.held.case;
        let (trace, read) = case.play_noting(&knobs(settings)?).ok()?;
        let compared = self.held.compare(&self.held.marks(&trace));
        let mut observed = Observed {
            read: Arc::new(read),
            cut: compared.unseen.len(),
            same: compared.same,
            is_in_order: compared.unseen.is_empty(),
            is_in_view: compared.unseen.is_empty(),
            ..Observed::default()
        };
        for it in &compared.differences {
            let is_timing = matches!(it.kind, DifferenceKind::Time | DifferenceKind::Overall);
            observed.is_in_order &= is_timing;
            observed.is_in_view &= is_timing || !is_of_view(&it.of);
            if self.is_fault(it) {
                observed.faults += 1;
            } else {
                let subject = it.of.class().into();
                let known = observed.subjects.entry(subject);
                let (apart, lines) = known.or_insert((Apart::of(it.kind), 0));
                *apart = Apart::of(it.kind).max(*apart);
                *lines += 1;
                observed.differences += 1;
            }
        }
        Some(observed)
    }

    /// Whether a difference is taken for a fault of the player, which supports no setting: the film
    /// never comes back, or a tracker is called for an ad that is not on the screen.
    fn is_fault(&self, it: &Difference) -> bool {
        let never = it.kind == DifferenceKind::Missing && it.importance == Importance::NoContent;
        never
            || it
                .recorded
                .is_some_and(|at| self.impossible.contains(&at.seq))
    }
}

/// Returns the settings that a run reads.
fn restricted(settings: &Settings, read: &BTreeSet<&'static str>) -> Vec<(&'static str, String)> {
    let own = settings.iter().filter(|(name, _)| read.contains(*name));
    own.map(|(name, value)| (*name, value.clone())).collect()
}

/// Whether a difference is one of the documents that are asked for and of the films on screen.
const fn is_of_view(what: &What) -> bool {
    match what {
        What::Content | What::ContentEnd | What::Ad | What::Asks | What::Opens => true,
        What::Flash
        | What::Stranger
        | What::Addition
        | What::Tracker { .. }
        | What::Event
        | What::Act
        | What::Update
        | What::Line(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_cannot_be_played_before_a_step_is_no_evidence_for_it() {
        let text = r#"{
            "videos": [{ "id": "film", "renditions": { "sd": "http://content.test/film.webm" } }],
            "media": { "http://content.test/film.webm": { "duration": "6s" } }
        }"#;
        let none = &mut |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let scenario = playsim_scenario::read("one.json", text, none).expect("it reads");
        let case = Case::of("one", scenario).expect("it plays");
        let head = r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"some","hears":["net"]}}"#;
        let recording = Recording::read("one.jsonl", head).expect("it is a recording");
        let case = FitCase::of(&case, &recording, Tolerance::default());
        let unplayable = Settings::from([("ad.timeout", "soon".to_owned())]);
        assert_eq!(case.under(&unplayable), None);
        let standing = Standing {
            observed: Vec::new(),
            settings: unplayable,
        };
        let support = case.support(None, &Step::to(&standing, Settings::new()));
        assert_eq!(support, (Support::Neutral, false));
    }
}
