//! Which recordings each setting of a fit rests on, and what else would explain the same.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cases::{Settings, knobs, with};
use super::search::{FEWEST, FitSet, single};
use crate::settings::{FittedSetting, values};
use playsim_base::time::Span;
use playsim_rules::knobs::{KNOBS, Knob};

/// A setting, and what the recordings say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FittedKnob {
    /// The knob, with its value.
    pub setting: FittedSetting,
    /// Its value in the profile that the fit began with.
    pub before: String,
    /// Whether the profile that the fit began with has it.
    pub is_of_base: bool,
    /// The recordings that differ more without it.
    pub decided_by: Vec<String>,
    /// The recordings that differ more with it.
    pub contradicted_by: Vec<String>,
    /// Other values that every recording allows, too.
    pub ties: Vec<String>,
    /// For a time: the shortest and the longest that every recording allows, in microseconds.
    /// `None`: no recording is long enough to show an end.
    pub interval_us: Option<(Option<i64>, Option<i64>)>,
}

impl FittedKnob {
    /// Whether enough recordings decide it, and none contradicts it.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided_by.len() >= FEWEST && self.contradicted_by.is_empty()
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
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.interval_us
            .is_some_and(|(shortest, longest)| shortest.is_none() || longest.is_none())
    }
}

/// Settings that would explain the recordings as well as those of the fit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Alternative {
    /// The settings in place of those of the fit.
    pub settings: Vec<FittedSetting>,
}

/// Times closer than this are not told apart.
const RESOLUTION: i64 = 50_000;
/// A time that is longer than any recording.
const ENDLESS: i64 = 3_600_000_000;

impl FitSet<'_> {
    /// Settles which of the settings that were found are decided. The others get the value that
    /// they had before, and are returned with their evidence.
    pub(super) fn settle(&self, base: &Settings, found: Settings) -> (Settings, Vec<FittedKnob>) {
        let mut now = found;
        let mut undecided = Vec::new();
        loop {
            let turned = differing(base, &now).into_iter();
            let knobs = turned.map(|(name, before)| self.knob(&now, name, before, false));
            // The weakest goes first: others may rest on it.
            let weakest = knobs
                .filter(|knob| !knob.is_decided())
                .min_by_key(|knob| knob.decided_by.len());
            let Some(weakest) = weakest else {
                return (now, undecided);
            };
            now = without(&now, base, weakest.setting.knob);
            if !weakest.decided_by.is_empty() {
                undecided.push(weakest);
            }
        }
    }

    /// Settings that enough recordings ask for, and that are out since some contradict them.
    pub(super) fn refuted(&self, now: &Settings) -> Vec<FittedKnob> {
        let all = self.contradicted(now).into_iter();
        all.flat_map(|(settings, evidence)| {
            let knob = move |(knob, value): (&'static str, String)| FittedKnob {
                setting: FittedSetting { knob, value },
                before: now.get(knob).cloned().unwrap_or_else(|| default(knob)),
                is_of_base: false,
                decided_by: self.names(&evidence.supporting),
                contradicted_by: self.names(&evidence.contradicting),
                ties: Vec::new(),
                interval_us: None,
            };
            settings.into_iter().map(knob).collect::<Vec<_>>()
        })
        .collect()
    }

    /// Times that are longer than enough recordings: how long at least, they say, and no more.
    pub(super) fn cut(&self, now: &Settings) -> Vec<FittedKnob> {
        let endless = |knob: &Knob| Settings::from([(knob.name, written(ENDLESS))]);
        let is_time = |knob: &&Knob| {
            let value = now.get(knob.name).cloned();
            micros(&value.unwrap_or_else(|| knob.default())).is_some_and(|value| value >= 0)
        };
        let mut found = Vec::new();
        for knob in KNOBS.iter().filter(is_time) {
            let to = with(now, &endless(knob));
            let evidence = self.evidence(now, &to);
            if evidence.too_short.len() >= FEWEST && evidence.contradicting.is_empty() {
                found.push(FittedKnob {
                    setting: FittedSetting {
                        knob: knob.name,
                        value: written(ENDLESS),
                    },
                    before: now
                        .get(knob.name)
                        .cloned()
                        .unwrap_or_else(|| knob.default()),
                    is_of_base: false,
                    decided_by: self.names(&evidence.too_short),
                    contradicted_by: Vec::new(),
                    ties: Vec::new(),
                    interval_us: Some((self.end(&to, knob.name, ENDLESS, -1), None)),
                });
            }
        }
        found
    }

    fn names(&self, places: &[usize]) -> Vec<String> {
        let names = places.iter().map(|place| self.cases[*place].name());
        names.map(str::to_owned).collect()
    }

    /// What the recordings say about each setting that is not the default: those that were found,
    /// and those of the profile that the fit began with.
    pub(super) fn knobs(&self, base: &Settings, now: &Settings) -> Vec<FittedKnob> {
        let found = differing(base, now);
        let of_base = differing(&Settings::new(), now).into_iter();
        let of_base = of_base.filter(|(name, _)| !found.contains_key(name));
        let of_base: Vec<(&'static str, String)> = of_base.collect();
        let found = found
            .into_iter()
            .map(|(name, before)| (name, before, false));
        found
            .chain(
                of_base
                    .into_iter()
                    .map(|(name, before)| (name, before, true)),
            )
            .map(|(name, before, is_of_base)| {
                let mut knob = self.knob(now, name, before, is_of_base);
                self.add_ties(now, &mut knob);
                knob
            })
            .collect()
    }

    /// What the recordings say about one setting among others.
    fn knob(
        &self,
        now: &Settings,
        name: &'static str,
        before: String,
        is_of_base: bool,
    ) -> FittedKnob {
        let value = now.get(name).cloned().unwrap_or_else(|| default(name));
        let back = with(now, &Settings::from([(name, before.clone())]));
        let evidence = self.evidence(&back, now);
        FittedKnob {
            setting: FittedSetting { knob: name, value },
            before,
            is_of_base,
            decided_by: self.names(&evidence.supporting),
            contradicted_by: self.names(&evidence.contradicting),
            ties: Vec::new(),
            interval_us: None,
        }
    }

    /// Adds what ties with a setting: other values, or the interval of a time.
    fn add_ties(&self, now: &Settings, knob: &mut FittedKnob) {
        let name = knob.setting.knob;
        let tied = self.tied_values(now, name);
        knob.interval_us = micros(&knob.setting.value).map(|value| {
            let end = |direction| self.end(now, name, value, direction);
            (end(-1), end(1))
        });
        // Times that tie are within the interval.
        let is_told = |value: &String| knob.interval_us.is_none() || micros(value).is_none();
        knob.ties = tied.into_iter().filter(is_told).collect();
    }

    /// The values of a knob that no recording tells from the one in force.
    fn tied_values(&self, now: &Settings, name: &'static str) -> Vec<String> {
        let (Some(row), Some(knobs)) = (Knob::named(name), knobs(now)) else {
            return Vec::new();
        };
        let all = values(row, &knobs).into_iter();
        all.filter(|it| self.is_tied(now, &single(it)))
            .map(|it| it.value)
            .collect()
    }

    fn is_tied(&self, now: &Settings, other: &Settings) -> bool {
        let to = with(now, other);
        self.cases.iter().all(|case| {
            let sides = (case.under(now), case.under(&to));
            matches!(sides, (Some(before), Some(after)) if before.is_like(&after))
        })
    }

    /// The last time in a direction that no recording tells from the one in force; `None` if there
    /// is no end to it.
    fn end(&self, now: &Settings, name: &'static str, from: i64, direction: i64) -> Option<i64> {
        let ties = |at: i64| self.is_tied(now, &Settings::from([(name, written(at))]));
        let (mut inside, mut step) = (from, RESOLUTION);
        let mut outside = loop {
            let next = inside + direction * step;
            if next.abs() > ENDLESS {
                return None;
            }
            if from == ENDLESS && next <= 0 {
                break 0;
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
    pub(super) fn alternatives(&self, now: &Settings, knobs: &[FittedKnob]) -> Vec<Alternative> {
        let all: Vec<Settings> = FitSet::all(now).iter().map(single).collect();
        let mut found = Vec::new();
        for knob in knobs {
            let tied = |it: &Settings| self.is_tied(now, it);
            let of_knob = all
                .iter()
                .filter(|it| it.contains_key(knob.setting.knob) && !tied(it));
            for turned in of_knob {
                if let Some(equal) = self.equal_with(now, turned, &all) {
                    let settings = equal.into_iter();
                    let settings = settings.map(|(knob, value)| FittedSetting { knob, value });
                    found.push(Alternative {
                        settings: settings.collect(),
                    });
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The knobs that differ, with the value that they had before.
fn differing(base: &Settings, now: &Settings) -> BTreeMap<&'static str, String> {
    let value = |settings: &Settings, name: &'static str| {
        settings.get(name).cloned().unwrap_or_else(|| default(name))
    };
    let names = base.keys().chain(now.keys());
    names
        .filter(|name| value(base, name) != value(now, name))
        .map(|name| (*name, value(base, name)))
        .collect()
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
