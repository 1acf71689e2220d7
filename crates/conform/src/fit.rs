//! Finds the knobs that bring the simulator nearest to a player, over all cases together.
//!
//! One case alone proves little: many knobs can explain a missing tracker. So a knob is taken only
//! for its effect over all of them. Knobs are taken one after another, the one first that makes
//! most cases the same; in the end those that another one has made superfluous are given back.

use serde::Serialize;

use super::case::{Behaviour, Case, Held};
use super::cell::unknown;
use super::settings::{FittedSetting, settings};
use playsim_check::compare::Marks;
use playsim_check::recording::{Recording, Tolerance};
use playsim_rules::knobs::Knobs;

/// The knobs that fit a player best.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fit {
    /// The profile that they are turned from.
    pub base: String,
    /// The knobs, in the order in which they were taken.
    pub steps: Vec<FitStep>,
    /// How many cases can be compared.
    pub cases: usize,
    /// How many of them are the same with the base alone.
    pub same_before: usize,
    /// How many of them are the same with all knobs.
    pub same: usize,
    /// The cases that differ still, each with the number of its differences.
    pub remaining: Vec<(String, usize)>,
    /// The settings with all knobs.
    #[serde(skip)]
    pub knobs: Knobs,
}

/// A knob that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FitStep {
    /// The knob and its value.
    pub setting: FittedSetting,
    /// The cases that are the same with it and were not before.
    pub gained: Vec<String>,
    /// How many differences it removes in all cases together.
    pub removed: u64,
}

/// How near the simulator is to a player: cases that differ, and how far they are apart altogether.
/// Less is nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    differing: usize,
    distance: u64,
}

/// A case with its recording, the marks of its simulation, and the distance between both.
struct Pair<'a> {
    held: Held<'a>,
    marks: Option<Marks>,
    distance: u64,
}

/// Finds the knobs that fit recordings of one player best. Recordings that cannot be compared are
/// left out.
#[must_use]
pub fn fit(cases: &[(&Case, &Recording)], base: &Behaviour, tolerance: Tolerance) -> Fit {
    let mut fitting = Fitting::of(cases, tolerance);
    fitting.settle(&base.knobs);
    let same_before = fitting.same();
    let mut taken = fitting.take(&base.knobs);
    fitting.give_back(&base.knobs, &mut taken);
    let (knobs, steps) = fitting.steps(&base.knobs, taken);
    let remaining = fitting.pairs.iter().filter(|pair| pair.distance > 0);
    let remaining = remaining
        .map(|pair| (pair.held.case.name.to_string(), pair.differences()))
        .collect();
    let (cases, same) = (fitting.pairs.len(), fitting.same());
    Fit {
        base: base.name.clone(),
        steps,
        cases,
        same_before,
        same,
        remaining,
        knobs,
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
    let mut fitting = Fitting::of(cases, tolerance);
    let scored = behaviours.map(|it| {
        fitting.settle(&it.knobs);
        (fitting.now(), it)
    });
    scored
        .min_by_key(|(score, _)| *score)
        .map(|(_, it)| it)
        .expect("there is one to choose from")
}

/// How far apart a case is that cannot be played with the settings: further than any that can.
const UNPLAYABLE: u64 = u64::MAX / 1_000;

impl Pair<'_> {
    /// Returns the marks of the simulation with these settings; `None` if it cannot be played.
    fn play(&self, knobs: &Knobs) -> Option<Marks> {
        self.held
            .case
            .play(knobs)
            .ok()
            .map(|trace| self.held.marks(&trace))
    }

    /// Returns how far apart the two are with these settings.
    fn with(&self, knobs: &Knobs) -> u64 {
        let marks = self.play(knobs);
        // Most settings change nothing that can be heard.
        if marks == self.marks {
            self.distance
        } else {
            self.apart(marks.as_ref())
        }
    }

    fn apart(&self, marks: Option<&Marks>) -> u64 {
        marks.map_or(UNPLAYABLE, |marks| self.held.compare(marks).distance())
    }

    fn settle(&mut self, knobs: &Knobs) {
        self.marks = self.play(knobs);
        self.distance = self.apart(self.marks.as_ref());
    }

    fn differences(&self) -> usize {
        self.marks
            .as_ref()
            .map_or(0, |marks| self.held.compare(marks).differences.len())
    }
}

struct Fitting<'a> {
    pairs: Vec<Pair<'a>>,
}

impl<'a> Fitting<'a> {
    fn of(cases: &[(&'a Case, &'a Recording)], tolerance: Tolerance) -> Fitting<'a> {
        let comparable = cases.iter().filter(|(_, recording)| {
            unknown(recording).is_none() && recording.head.problems.is_empty()
        });
        let pair = |(case, recording): &(&'a Case, &'a Recording)| Pair {
            held: case.held(recording, tolerance),
            marks: None,
            distance: UNPLAYABLE,
        };
        Fitting {
            pairs: comparable.map(pair).collect(),
        }
    }

    /// Takes these settings for those that the distances are of.
    fn settle(&mut self, knobs: &Knobs) {
        for pair in &mut self.pairs {
            pair.settle(knobs);
        }
    }

    fn same(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.distance == 0).count()
    }

    /// Returns the score with these settings; `None` as soon as it cannot be less than `bound`.
    fn score(&self, knobs: &Knobs, bound: Score) -> Option<Score> {
        let mut score = Score {
            differing: 0,
            distance: 0,
        };
        let (differing, same): (Vec<&Pair<'_>>, Vec<&Pair<'_>>) =
            self.pairs.iter().partition(|pair| pair.distance > 0);
        let now: u64 = differing.iter().map(|pair| pair.distance).sum();
        let first = differing.len();
        for (index, pair) in differing.into_iter().chain(same).enumerate() {
            // A value that improves none of the differing cases cannot help at all.
            if index == first && score.differing == first && score.distance >= now {
                return None;
            }
            let distance = pair.with(knobs);
            score.differing += usize::from(distance > 0);
            score.distance += distance;
            if score >= bound {
                return None;
            }
        }
        Some(score)
    }

    fn now(&self) -> Score {
        let differing = self.pairs.len() - self.same();
        Score {
            differing,
            distance: self.pairs.iter().map(|pair| pair.distance).sum(),
        }
    }

    /// Returns the settings that change how far a case is apart which differs now.
    fn telling(&self, knobs: &Knobs) -> Vec<FittedSetting> {
        let differing: Vec<&Pair<'_>> =
            self.pairs.iter().filter(|pair| pair.distance > 0).collect();
        let mut all = settings(knobs);
        all.retain(|setting| {
            let turned = setting.on(knobs);
            turned.is_some_and(|turned| {
                differing
                    .iter()
                    .any(|pair| pair.with(&turned) != pair.distance)
            })
        });
        all
    }

    /// Returns the setting that comes nearest, if any comes nearer. Of several equal ones the
    /// first.
    fn best(&self, knobs: &Knobs, candidates: &[FittedSetting]) -> Option<(FittedSetting, Knobs)> {
        let mut bound = self.now();
        let mut best = None;
        for setting in candidates {
            let Some(turned) = setting.on(knobs) else {
                continue;
            };
            if let Some(score) = self.score(&turned, bound) {
                bound = score;
                best = Some((setting.clone(), turned));
            }
        }
        best
    }

    /// Takes settings one after another, the one that comes nearest first, until none comes nearer.
    fn take(&mut self, base: &Knobs) -> Vec<FittedSetting> {
        let mut taken = Vec::new();
        let mut knobs = base.clone();
        // Most settings change nothing that can be heard. Which ones do is found out in the first
        // round, and once more when none of them helps any longer: a knob may matter only after
        // another one.
        let mut candidates = self.telling(&knobs);
        while let Some((setting, turned)) = self.best(&knobs, &candidates).or_else(|| {
            candidates = self.telling(&knobs);
            self.best(&knobs, &candidates)
        }) {
            self.settle(&turned);
            taken.push(setting);
            knobs = turned;
        }
        taken
    }

    /// Gives back the settings without which the simulator is as near.
    fn give_back(&mut self, base: &Knobs, taken: &mut Vec<FittedSetting>) {
        for index in (0..taken.len()).rev() {
            let mut without = base.clone();
            for (other, setting) in taken.iter().enumerate() {
                if other != index {
                    without
                        .set(setting.knob, &setting.value)
                        .expect("it was taken before");
                }
            }
            let now = self.now();
            let beyond = Score {
                distance: now.distance + 1,
                ..now
            };
            if self.score(&without, beyond).is_some() {
                taken.remove(index);
                self.settle(&without);
            }
        }
    }

    /// Turns the settings one after another, and says what each of them does.
    fn steps(&mut self, base: &Knobs, taken: Vec<FittedSetting>) -> (Knobs, Vec<FitStep>) {
        let mut knobs = base.clone();
        self.settle(&knobs);
        let mut steps = Vec::new();
        for setting in taken {
            let before: Vec<u64> = self.pairs.iter().map(|pair| pair.distance).collect();
            knobs
                .set(setting.knob, &setting.value)
                .expect("it was taken before");
            self.settle(&knobs);
            let gained = self.pairs.iter().zip(&before);
            let gained = gained.filter(|(pair, before)| pair.distance == 0 && **before > 0);
            let gained = gained
                .map(|(pair, _)| pair.held.case.name.to_string())
                .collect();
            let sum: u64 = self.pairs.iter().map(|pair| pair.distance).sum();
            let removed = before.iter().sum::<u64>().saturating_sub(sum);
            steps.push(FitStep {
                setting,
                gained,
                removed,
            });
        }
        (knobs, steps)
    }
}
