//! Which recordings each setting of a fit rests on, and what else would explain the same.

use std::collections::BTreeSet;

use serde::Serialize;

use super::cases::{Settings, Standing, Step, knobs, with};
use super::search::{Evidence, FEWEST, FitSet, single};
use crate::settings::{FittedSetting, values};
use playsim_base::time::Span;
use playsim_rules::knobs::{Decision, KNOBS, Knob};

/// A setting, and what the recordings say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FittedKnob {
    /// The knob, with its value.
    pub setting: FittedSetting,
    /// Its value in the profile that the fit began with; the default, if the setting is of that
    /// profile.
    pub before: String,
    /// Whether the profile that the fit began with has it.
    pub is_of_base: bool,
    /// The recordings that differ more without it.
    pub decided_by: Vec<String>,
    /// The recordings that differ more with it.
    pub contradicted_by: Vec<String>,
    /// Whether the recordings decide it.
    pub decision: Decision,
    /// Other values that every recording allows, too.
    pub ties: Vec<String>,
    /// For a time: the shortest and the longest that every recording allows, in microseconds.
    /// `None`: no recording is long enough to show an end.
    pub interval_us: Option<Interval>,
}

/// The ends of a range of times.
type Interval = (Option<i64>, Option<i64>);

impl FittedKnob {
    /// Whether enough recordings decide it, and none contradicts it.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        matches!(self.decision, Decision::Decided)
    }

    /// Returns the values that explain the recordings as well, in words: a range of times, or
    /// others by name.
    #[must_use]
    pub fn as_good(&self) -> Option<String> {
        let range = self.interval_us.map(|ends| match ends {
            (Some(shortest), Some(longest)) if shortest == longest => written(shortest),
            (Some(shortest), Some(longest)) => {
                format!("from {} to {}", written(shortest), written(longest))
            }
            (Some(shortest), None) => format!("at least {}", written(shortest)),
            (None, Some(longest)) => format!("at most {}", written(longest)),
            (None, None) => "any time".to_owned(),
        });
        let ties = (!self.ties.is_empty()).then(|| self.ties.join(", "));
        match (range, ties) {
            (Some(range), Some(ties)) => Some(format!("{range}, {ties}")),
            (range, ties) => range.or(ties),
        }
    }

    /// Whether it is a time of which the recordings show one end only.
    pub(super) fn is_cut(&self) -> bool {
        self.interval_us
            .is_some_and(|(shortest, longest)| shortest.is_none() || longest.is_none())
    }
}

/// Times closer than this are not told apart.
const RESOLUTION: i64 = 50_000;
/// A time that is longer than any recording.
const ENDLESS: i64 = 3_600_000_000;

impl FitSet<'_> {
    /// Settles which of the settings that were found are decided. The others get the value that
    /// they had before, and are returned with their evidence; so do times with one end only, of
    /// which any value would be a guess.
    pub(super) fn settle(&self, base: &Settings, found: Settings) -> (Settings, Vec<FittedKnob>) {
        let mut now = found;
        let mut left = Vec::new();
        loop {
            let turned = names(base, &now).into_iter();
            let turned = turned.filter(|name| value(base, name) != value(&now, name));
            let mut knobs: Vec<_> = turned.map(|name| self.knob(base, &now, name)).collect();
            // The weakest goes first: others may rest on it.
            knobs.sort_by_key(|knob| knob.decided_by.len());
            let weakest = knobs.iter().position(|knob| !knob.is_decided());
            let next = weakest.or_else(|| {
                let now = self.standing(now.clone());
                knobs.iter_mut().position(|knob| {
                    knob.interval_us = self.interval(&now, &knob.setting);
                    knob.is_cut()
                })
            });
            let Some(next) = next else {
                return (now, left);
            };
            let knob = knobs.swap_remove(next);
            now = without(&now, base, knob.setting.knob);
            if !knob.decided_by.is_empty() {
                left.push(knob);
            }
        }
    }

    /// Settings that enough recordings ask for, and that are out since some contradict them.
    pub(super) fn refuted(&self, now: &Standing) -> Vec<FittedKnob> {
        let all = self.contradicted(now).into_iter();
        all.flat_map(|(settings, evidence)| {
            let before = |knob| value(&now.settings, knob);
            let knob = |(knob, it)| self.fitted(knob, it, before(knob), &evidence);
            settings.into_iter().map(knob).collect::<Vec<_>>()
        })
        .collect()
    }

    /// Times that are longer than enough recordings: how long at least, they say, and no more.
    pub(super) fn cut(&self, now: &Standing) -> Vec<FittedKnob> {
        let value = |name| value(&now.settings, name);
        let is_time = |knob: &&Knob| micros(&value(knob.name)).is_some_and(|it| it >= 0);
        let cut = |knob: &Knob| {
            let name = knob.name;
            let endless = Settings::from([(name, written(ENDLESS))]);
            let evidence = self.evidence(&Step::of(now, &endless));
            let is_cut = evidence.too_short.len() >= FEWEST && evidence.contradicting.is_empty();
            is_cut.then(|| {
                let then = self.standing(with(&now.settings, &endless));
                FittedKnob {
                    decided_by: self.cases_at(&evidence.too_short),
                    interval_us: Some((self.end(&then, name, ENDLESS, -1), None)),
                    ..self.fitted(name, written(ENDLESS), value(name), &evidence)
                }
            })
        };
        KNOBS.iter().filter(is_time).filter_map(cut).collect()
    }

    fn cases_at(&self, places: &[usize]) -> Vec<String> {
        let names = places.iter().map(|place| self.cases[*place].name());
        names.map(str::to_owned).collect()
    }

    /// The evidence for each setting that is not the default: those that were found, then those of
    /// the profile that the fit began with.
    pub(super) fn knobs(&self, base: &Settings, now: &Standing) -> Vec<FittedKnob> {
        let knobs = names(base, &now.settings).into_iter();
        let knobs = knobs.map(|name| self.knob(base, &now.settings, name));
        let mut knobs: Vec<FittedKnob> = knobs
            .filter(|knob| knob.setting.value != knob.before)
            .collect();
        knobs.sort_by_key(|knob| knob.is_of_base);
        knobs.iter_mut().for_each(|knob| self.add_ties(now, knob));
        knobs
    }

    /// The evidence for the value of one knob among other settings.
    pub(super) fn knob(&self, base: &Settings, now: &Settings, name: &'static str) -> FittedKnob {
        let (before, value) = (value(base, name), value(now, name));
        let is_of_base = before == value;
        let before = if is_of_base { default(name) } else { before };
        let back = with(now, &Settings::from([(name, before.clone())]));
        let back = self.standing(back);
        let step = Step::to(&back, now.clone());
        FittedKnob {
            is_of_base,
            ..self.fitted(name, value, before, &self.evidence(&step))
        }
    }

    fn fitted(
        &self,
        knob: &'static str,
        value: String,
        before: String,
        evidence: &Evidence,
    ) -> FittedKnob {
        FittedKnob {
            setting: FittedSetting { knob, value },
            before,
            is_of_base: false,
            decision: Decision::of(evidence.supporting.len(), evidence.contradicting.len()),
            decided_by: self.cases_at(&evidence.supporting),
            contradicted_by: self.cases_at(&evidence.contradicting),
            ties: Vec::new(),
            interval_us: None,
        }
    }

    /// Adds what ties with a setting: other values, or the interval of a time.
    fn add_ties(&self, now: &Standing, knob: &mut FittedKnob) {
        let name = knob.setting.knob;
        let tied = self.tied_values(now, name);
        knob.interval_us = self.interval(now, &knob.setting);
        // Times that tie are within the interval.
        let is_told = |value: &String| knob.interval_us.is_none() || micros(value).is_none();
        knob.ties = tied.into_iter().filter(is_told).collect();
    }

    /// The interval of a time; `None` if the value is none.
    fn interval(&self, now: &Standing, setting: &FittedSetting) -> Option<Interval> {
        let value = micros(&setting.value)?;
        let end = |direction| self.end(now, setting.knob, value, direction);
        Some((end(-1), end(1)))
    }

    /// The values of a knob that no recording tells from the one in force.
    fn tied_values(&self, now: &Standing, name: &'static str) -> Vec<String> {
        let (Some(row), Some(knobs)) = (Knob::named(name), knobs(&now.settings)) else {
            return Vec::new();
        };
        let all = values(row, &knobs).into_iter();
        all.filter(|it| self.is_tied(now, &single(it)))
            .map(|it| it.value)
            .collect()
    }

    fn is_tied(&self, now: &Standing, other: &Settings) -> bool {
        let step = Step::of(now, other);
        !(0..self.cases.len()).any(|place| self.tells(place, &step))
    }

    /// The last time in a direction that no recording tells from the one in force; `None` if there
    /// is no end to it.
    fn end(&self, now: &Standing, name: &'static str, from: i64, direction: i64) -> Option<i64> {
        let ties = |at: i64| self.is_tied(now, &Settings::from([(name, written(at))]));
        let (mut inside, mut step) = (from.clamp(-ENDLESS, ENDLESS), RESOLUTION);
        let mut outside = loop {
            let next = inside + direction * step;
            if next.abs() > ENDLESS {
                return None;
            }
            if !ties(next) {
                break next;
            }
            (inside, step) = (next, step * 2);
        };
        while (outside - inside).abs() > RESOLUTION {
            let middle = inside + (outside - inside) / 2;
            if ties(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Some(inside)
    }

    /// What else would explain the recordings: for each setting and each other value of its knob,
    /// the one or two settings with which no recording tells them from the fit.
    pub(super) fn alternatives(
        &self,
        now: &Standing,
        knobs: &[FittedKnob],
    ) -> Vec<Vec<FittedSetting>> {
        let all: Vec<Settings> = FitSet::all(&now.settings).iter().map(single).collect();
        let mut found = BTreeSet::new();
        for knob in knobs {
            let of_knob = all.iter().filter(|it| it.contains_key(knob.setting.knob));
            let told = of_knob.filter(|it| !self.is_tied(now, it));
            for equal in told.filter_map(|turned| self.equal_with(now, turned, &all)) {
                let settings = equal.into_iter();
                let settings = settings.map(|(knob, value)| FittedSetting { knob, value });
                found.insert(settings.collect());
            }
        }
        found.into_iter().collect()
    }
}

/// The knobs that either of two settings has.
fn names(base: &Settings, now: &Settings) -> BTreeSet<&'static str> {
    base.keys().chain(now.keys()).copied().collect()
}

/// The value of a knob that is in force with some settings.
fn value(settings: &Settings, name: &str) -> String {
    let set = settings.get(name).cloned();
    set.unwrap_or_else(|| default(name))
}

fn without(now: &Settings, base: &Settings, name: &'static str) -> Settings {
    let mut all = now.clone();
    match base.get(name) {
        Some(value) => all.insert(name, value.clone()),
        None => all.remove(name),
    };
    all
}

fn default(name: &str) -> String {
    Knob::named(name).map_or_else(String::new, Knob::default)
}

/// Returns the microseconds of a time, which may lie before something.
fn micros(value: &str) -> Option<i64> {
    let (sign, length) = match value.strip_prefix('-') {
        Some(length) => (-1, length),
        None => (1, value),
    };
    let length: Span = length.parse().ok()?;
    Some(sign * i64::try_from(length.micros()).ok()?)
}

/// Writes a time as settings have it.
pub(super) fn written(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let length = micros.unsigned_abs();
    if length.is_multiple_of(1_000_000) {
        format!("{sign}{}s", length / 1_000_000)
    } else {
        format!("{sign}{}ms", length / 1_000)
    }
}
