//! The search for settings that no recording contradicts.

use std::collections::BTreeSet;

use super::cases::{FitCase, Settings, Standing, Step, Support, knobs, with};
use crate::settings::{FittedSetting, settings};
use playsim_base::workers;
use playsim_rules::knobs::FEWEST_RECORDINGS;

/// How many recordings must support a setting.
pub(super) const FEWEST: usize = FEWEST_RECORDINGS;

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
struct Found {
    settings: Settings,
    evidence: Evidence,
}

impl Found {
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
    pub(super) fn evidence(&self, step: &Step<'_>) -> Evidence {
        self.evidence_of(step, 0..self.cases.len())
    }

    fn evidence_of(&self, step: &Step<'_>, places: impl IntoIterator<Item = usize>) -> Evidence {
        let mut evidence = Evidence::default();
        for place in places {
            let (support, is_solved) = self.cases[place].support(step.before(place), step);
            match support {
                Support::For => {
                    evidence.supporting.push(place);
                    evidence.solved += usize::from(is_solved);
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
        let mut now = self.standing(base.clone());
        let mut candidates = self.telling(&now);
        loop {
            let step = self.step(&now, &candidates).or_else(|| {
                // A setting may matter only after another one.
                candidates = self.telling(&now);
                self.step(&now, &candidates)
            });
            let step = step.or_else(|| self.joint(&now, &candidates));
            let Some(step) = step else {
                return now.settings;
            };
            now = self.standing(with(&now.settings, &step.settings));
        }
    }

    /// What differs in each recording under some settings.
    pub(super) fn standing(&self, settings: Settings) -> Standing {
        let observed = workers::each(self.threads, self.cases.len(), |place| {
            self.cases[place].under(&settings)
        });
        Standing { settings, observed }
    }

    /// Whether a recording tells what a step changes.
    pub(super) fn tells(&self, place: usize, step: &Step<'_>) -> bool {
        self.cases[place].tells(step.before(place), step)
    }

    /// Those of these settings that turn a knob which a run of these cases reads.
    fn read<'s>(
        &self,
        candidates: &'s [Settings],
        settings: &Settings,
        places: &[usize],
    ) -> Vec<&'s Settings> {
        let runs = places
            .iter()
            .map(|place| self.cases[*place].under(settings));
        let runs: Vec<_> = runs.flatten().collect();
        let is_read = |name: &&str| runs.iter().any(|it| it.read.contains(*name));
        candidates
            .iter()
            .filter(|it| it.keys().any(is_read))
            .collect()
    }

    /// All settings that are tried, one value of one knob at a time.
    pub(super) fn all(now: &Settings) -> Vec<FittedSetting> {
        knobs(now).map_or_else(Vec::new, |knobs| settings(&knobs))
    }

    /// The settings that change something in a recording that reads them.
    pub(super) fn telling(&self, now: &Standing) -> Vec<Settings> {
        let all = FitSet::all(&now.settings);
        let tells = workers::each(self.threads, all.len(), |index| {
            let step = Step::of(now, &single(&all[index]));
            (0..self.cases.len()).any(|place| self.tells(place, &step))
        });
        let pairs = all.iter().zip(tells);
        pairs
            .filter(|(_, tells)| *tells)
            .map(|(setting, _)| single(setting))
            .collect()
    }

    /// The best single step that no recording contradicts; of several equal ones the first.
    fn step(&self, now: &Standing, candidates: &[Settings]) -> Option<Found> {
        let steps = self.steps(now, candidates).into_iter();
        steps
            .filter(|it| it.evidence.contradicting.is_empty() && !it.evidence.supporting.is_empty())
            .min_by_key(Found::rank)
    }

    fn steps(&self, now: &Standing, candidates: &[Settings]) -> Vec<Found> {
        workers::each(self.threads, candidates.len(), |index| Found {
            settings: candidates[index].clone(),
            evidence: self.evidence(&Step::of(now, &candidates[index])),
        })
    }

    /// Settings that enough recordings ask for, and some contradict: the best value of each knob.
    pub(super) fn contradicted(&self, now: &Standing) -> Vec<(Settings, Evidence)> {
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
    fn joint(&self, now: &Standing, candidates: &[Settings]) -> Option<Found> {
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
            next.sort_by_key(|it: &Found| (it.evidence.contradicting.len(), it.rank()));
            next.truncate(PAIRS);
            if depth == 3 || !found.is_empty() {
                break;
            }
            open = next;
        }
        found.into_iter().min_by_key(Found::rank)
    }

    /// Adds one more setting to what was found: those with which nothing contradicts it any more,
    /// and those with which less does.
    fn mended(
        &self,
        now: &Standing,
        found: &Found,
        candidates: &[Settings],
    ) -> (Vec<Found>, Vec<Found>) {
        let refuting = &found.evidence.contradicting;
        // What is not read where it is contradicted mends nothing there.
        let there = with(&now.settings, &found.settings);
        let mut others = self.read(candidates, &there, refuting);
        others.retain(|it| it.keys().all(|name| !found.settings.contains_key(name)));
        let tried = workers::each(self.threads, others.len(), |index| {
            let settings = with(&found.settings, others[index]);
            let step = Step::of(now, &settings);
            let left = self.evidence_of(&step, refuting.iter().copied());
            let is_better = left.contradicting.len() < refuting.len();
            is_better.then(|| Found {
                evidence: self.evidence(&step),
                settings,
            })
        });
        let better = tried.into_iter().flatten().filter(|it| {
            it.evidence.supporting.len() >= FEWEST
                && it.evidence.contradicting.len() < refuting.len()
        });
        better.partition(|it| it.evidence.contradicting.is_empty())
    }

    /// What else would explain the same: settings with `turned`, which some recordings tell from
    /// the ones in force, and up to two others with which none does.
    pub(super) fn equal_with(
        &self,
        now: &Standing,
        turned: &Settings,
        candidates: &[Settings],
    ) -> Option<Settings> {
        let unlike = |step: &Step<'_>, places: &[usize]| -> Vec<usize> {
            let places = places.iter().copied();
            places.filter(|place| self.tells(*place, step)).collect()
        };
        let all: Vec<usize> = (0..self.cases.len()).collect();
        let mut open = vec![(unlike(&Step::of(now, turned), &all), turned.clone())];
        for _ in 0..2 {
            let mut next: Vec<(Vec<usize>, Settings)> = Vec::new();
            for (left, settings) in &open {
                let sample = &left[..left.len().min(SAMPLE)];
                let mut others = self.read(candidates, &with(&now.settings, settings), sample);
                others.retain(|it| it.keys().all(|name| !settings.contains_key(name)));
                let tried = workers::each(self.threads, others.len(), |index| {
                    let both = with(settings, others[index]);
                    let step = Step::of(now, &both);
                    let helps = unlike(&step, sample).len() < sample.len();
                    let left_then = helps.then(|| unlike(&step, &all))?;
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
