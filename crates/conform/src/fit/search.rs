//! The search for settings that no recording contradicts.

use std::collections::BTreeSet;

use super::cases::{FitCase, Settings, Support, knobs, with};
use crate::settings::{FittedSetting, settings};
use playsim_base::workers;

/// How many recordings must support a setting.
pub(super) const FEWEST: usize = 3;

/// How many settings that some recording contradicts are tried together with others.
const PROMISING: usize = 12;
/// How many pairs that are still contradicted are tried with a third setting.
const PAIRS: usize = 4;
/// Of how many recordings one must be mended by a setting, before it is tried on all of them.
const SAMPLE: usize = 3;

/// Some of the recordings, on some threads.
pub(super) struct FitSet<'a> {
    pub(super) cases: Vec<&'a FitCase<'a>>,
    pub(super) threads: usize,
}

/// The evidence for and against a step from some settings to others: the places of recordings in
/// the set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Evidence {
    pub(super) supporting: Vec<usize>,
    pub(super) contradicting: Vec<usize>,
    /// Those that end before they could tell.
    pub(super) too_short: Vec<usize>,
    /// How many recordings are the same with the step, and were not before.
    solved: usize,
}

/// One setting, or several that only together are not contradicted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    settings: Settings,
    evidence: Evidence,
}

impl Step {
    /// A better step is less: it solves more, and more support it.
    fn rank(&self) -> (usize, usize, usize) {
        let most = |count: usize| usize::MAX - count;
        let evidence = &self.evidence;
        (
            most(evidence.solved),
            most(evidence.supporting.len()),
            self.settings.len(),
        )
    }
}

impl FitSet<'_> {
    /// The evidence of all recordings.
    pub(super) fn evidence(&self, from: &Settings, to: &Settings) -> Evidence {
        let all = 0..self.cases.len();
        self.evidence_of(from, to, all)
    }

    fn evidence_of(
        &self,
        from: &Settings,
        to: &Settings,
        places: impl IntoIterator<Item = usize>,
    ) -> Evidence {
        let mut evidence = Evidence::default();
        for place in places {
            let case = self.cases[place];
            match case.support(from, to) {
                Support::For => {
                    evidence.supporting.push(place);
                    let is_same = |it: &Settings| case.under(it).is_some_and(|it| it.is_same());
                    evidence.solved += usize::from(is_same(to) && !is_same(from));
                }
                Support::Against => evidence.contradicting.push(place),
                Support::TooShort => evidence.too_short.push(place),
                Support::Neutral => {}
            }
        }
        evidence
    }

    /// Takes one step after another from some settings: the one that solves most, as long as there
    /// is one that no recording contradicts.
    pub(super) fn search(&self, base: &Settings) -> Settings {
        let mut now = base.clone();
        let mut candidates = self.telling(&now);
        loop {
            let step = self.step(&now, &candidates).or_else(|| {
                // A setting may matter only after another one.
                candidates = self.telling(&now);
                self.step(&now, &candidates)
            });
            let step = step.or_else(|| self.joint(&now, &candidates));
            let Some(step) = step else { return now };
            now = with(&now, &step.settings);
        }
    }

    /// All settings that are tried, one value of one knob at a time.
    pub(super) fn all(now: &Settings) -> Vec<FittedSetting> {
        knobs(now).map_or_else(Vec::new, |knobs| settings(&knobs))
    }

    /// The settings that change something in a recording that reads them.
    pub(super) fn telling(&self, now: &Settings) -> Vec<Settings> {
        let all = FitSet::all(now);
        let tells = workers::each(self.threads, all.len(), |index| {
            let turned = with(now, &single(&all[index]));
            let changes =
                |case: &&FitCase<'_>| case.reads(now, all[index].knob) && case.tells(now, &turned);
            self.cases.iter().any(changes)
        });
        let pairs = all.iter().zip(tells);
        pairs
            .filter(|(_, tells)| *tells)
            .map(|(setting, _)| single(setting))
            .collect()
    }

    /// The best single step that no recording contradicts; of several equal ones the first.
    fn step(&self, now: &Settings, candidates: &[Settings]) -> Option<Step> {
        let steps = self.steps(now, candidates).into_iter();
        steps
            .filter(|it| it.evidence.contradicting.is_empty() && !it.evidence.supporting.is_empty())
            .min_by_key(Step::rank)
    }

    fn steps(&self, now: &Settings, candidates: &[Settings]) -> Vec<Step> {
        workers::each(self.threads, candidates.len(), |index| Step {
            settings: candidates[index].clone(),
            evidence: self.evidence(now, &with(now, &candidates[index])),
        })
    }

    /// Settings that enough recordings ask for, and some contradict: the best value of each knob.
    pub(super) fn contradicted(&self, now: &Settings) -> Vec<(Settings, Evidence)> {
        let mut steps = self.steps(now, &self.telling(now));
        steps.retain(|it| {
            it.evidence.supporting.len() >= FEWEST && !it.evidence.contradicting.is_empty()
        });
        steps.sort_by_key(|it| (it.evidence.contradicting.len(), it.rank()));
        let mut knobs = BTreeSet::new();
        steps.retain(|it| it.settings.keys().all(|name| knobs.insert(*name)));
        steps
            .into_iter()
            .map(|it| (it.settings, it.evidence))
            .collect()
    }

    /// The best two or three settings that are contradicted each alone, and not together.
    fn joint(&self, now: &Settings, candidates: &[Settings]) -> Option<Step> {
        let mut promising = self.steps(now, candidates);
        promising.retain(|it| it.evidence.supporting.len() >= FEWEST);
        promising.sort_by_key(|it| (it.evidence.contradicting.len(), it.rank()));
        promising.truncate(PROMISING);
        let mut found = Vec::new();
        let mut open = promising;
        for depth in 2..=3 {
            let mut next = Vec::new();
            for step in &open {
                let (done, partly) = self.mended(now, step, candidates);
                found.extend(done);
                next.extend(partly);
            }
            next.sort_by_key(|it: &Step| (it.evidence.contradicting.len(), it.rank()));
            next.truncate(PAIRS);
            if depth == 3 || !found.is_empty() {
                break;
            }
            open = next;
        }
        found.into_iter().min_by_key(Step::rank)
    }

    /// Adds one more setting to a step: those with which nothing contradicts it any more, and those
    /// with which less does.
    fn mended(
        &self,
        now: &Settings,
        step: &Step,
        candidates: &[Settings],
    ) -> (Vec<Step>, Vec<Step>) {
        let taken: BTreeSet<&str> = step.settings.keys().copied().collect();
        let others: Vec<&Settings> = candidates
            .iter()
            .filter(|it| it.keys().all(|name| !taken.contains(name)))
            .collect();
        let tried = workers::each(self.threads, others.len(), |index| {
            let settings = with(&step.settings, others[index]);
            let to = with(now, &settings);
            let left = self.evidence_of(now, &to, step.evidence.contradicting.iter().copied());
            let is_better = left.contradicting.len() < step.evidence.contradicting.len();
            is_better.then(|| Step {
                evidence: self.evidence(now, &to),
                settings,
            })
        });
        let better = tried.into_iter().flatten().filter(|it| {
            it.evidence.supporting.len() >= FEWEST
                && it.evidence.contradicting.len() < step.evidence.contradicting.len()
        });
        better.partition(|it| it.evidence.contradicting.is_empty())
    }

    /// What else would explain the same: settings with `turned`, which some recordings tell from
    /// the ones in force, and up to two others with which none does.
    pub(super) fn equal_with(
        &self,
        now: &Settings,
        turned: &Settings,
        candidates: &[Settings],
    ) -> Option<Settings> {
        let unlike = |to: &Settings, places: &[usize]| -> Vec<usize> {
            let places = places.iter().copied();
            places
                .filter(|place| self.cases[*place].tells(now, to))
                .collect()
        };
        let all: Vec<usize> = (0..self.cases.len()).collect();
        let mut open = vec![(unlike(&with(now, turned), &all), turned.clone())];
        for _ in 0..2 {
            let mut next: Vec<(Vec<usize>, Settings)> = Vec::new();
            for (left, settings) in &open {
                let others: Vec<&Settings> = candidates
                    .iter()
                    .filter(|it| it.keys().all(|name| !settings.contains_key(name)))
                    .collect();
                let sample = &left[..left.len().min(SAMPLE)];
                let tried = workers::each(self.threads, others.len(), |index| {
                    let both = with(settings, others[index]);
                    let to = with(now, &both);
                    let helps = unlike(&to, sample).len() < sample.len();
                    let left_then = helps.then(|| unlike(&to, &all))?;
                    (left_then.len() < left.len()).then_some((left_then, both))
                });
                next.extend(tried.into_iter().flatten());
            }
            next.sort();
            next.sort_by_key(|(left, _)| left.len());
            if let Some((left, settings)) = next.first()
                && left.is_empty()
            {
                return Some(settings.clone());
            }
            next.truncate(PAIRS);
            open = next;
        }
        None
    }
}

/// One setting as settings.
pub(super) fn single(setting: &FittedSetting) -> Settings {
    Settings::from([(setting.knob, setting.value.clone())])
}
