//! The result of a sweep as plain data: one row for each combination of values.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Configuration;
use super::axis::{Axis, AxisValue, CONFIGURATION, Unit};
use super::difference::RowDifference;
use super::figures::Figures;
use super::plan::Base;
use super::price::Price;
use super::setting::Setting;
use super::summary::RunOutcome;
use super::tag::TagNumber;
use super::tips::Found;
use super::unknown;
use playsim_api::Value;
use playsim_base::escape;
use playsim_base::interval::CONFIDENCE;
use playsim_base::number::Decimal;

/// The result of a sweep. [`Table::json`] is the contract of
/// `playsim waterfall --vary --format json`: the fields below in their order, with every key always
/// present. Times are microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Table {
    /// The answer: the main sentence first, then further findings.
    pub answer: Vec<String>,
    /// The profile, where it is not varied.
    pub profile: String,
    /// Which player that is and what is known of it, such as "shaka, measured in 120 recordings";
    /// `None` for the default.
    pub basis: Option<String>,
    /// The knobs that differ from the default, where they are not varied.
    pub knobs: BTreeMap<String, String>,
    /// The tags of the waterfall.
    pub tags: Vec<SweptTag>,
    /// The settings with several values, in the order of the columns.
    pub varied: Vec<Varied>,
    /// The settings with the same value in all rows.
    pub fixed: Vec<Fixed>,
    /// Assumptions in place of values that were not recorded: one sentence each.
    pub assumed: Vec<String>,
    /// Settings without effect: one sentence each.
    pub without_effect: Vec<String>,
    /// How often each combination was played; `None`: nothing is random, and each was played once.
    pub runs: Option<u64>,
    /// The seed of random values.
    pub seed: u64,
    /// The level of confidence of all intervals.
    pub confidence_percent: u32,
    /// One row for each combination; the values of the last column change fastest.
    pub rows: Vec<SweepRow>,
    /// How it is now, for comparison: nothing that has several values is changed, and if nothing
    /// has several, nothing is changed at all. `None` if nothing is set, or if nothing has several
    /// values and sessions are random.
    pub now: Option<SweepRow>,
    /// Why configurations differ from the first one.
    pub reasons: Vec<DifferenceReason>,
    /// The exact values at which the outcome changes, by row.
    pub tipping_points: Vec<TippingPoint>,
    /// How many values between the rows were tried to find them.
    pub tried_between: u64,
    /// The settings with more tipping points between two rows than were looked for.
    pub cut: Vec<String>,
    /// The settings along which an earlier outcome returns: the outcome does not change only once.
    pub returns: Vec<String>,
    /// The prices that were given, some of which may have no effect.
    #[serde(skip)]
    pub(super) given_prices: Vec<Price>,
}

/// A tag of the waterfall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SweptTag {
    /// Its name here, counted from 1.
    pub tag: TagNumber,
    /// Its index in events and traces, counted from 0.
    pub wp: u32,
    /// Its URL as the waterfall names it.
    pub address: String,
    /// Up to when it is known that nothing came, in microseconds: the player of a recording gave it
    /// up then, and its later answer is unknown. `None` if its answer is known.
    pub silent_until_us: Option<u64>,
}

/// Something that has several values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Varied {
    /// Its name, such as `ad.timeout`; `configuration` for compared ones.
    pub name: String,
    /// The unit of its points; `None` if its values have no order.
    pub unit: Option<Unit>,
    /// Its values as written.
    pub values: Vec<String>,
    /// Its values as numbers.
    pub points: Vec<Option<u64>>,
    /// Its value in force, as written; `None` if it has none, or it was not recorded.
    pub now: Option<String>,
    /// The same as a number.
    pub now_point: Option<u64>,
}

impl Varied {
    /// Returns whether its values are configurations that are compared.
    #[must_use]
    pub fn is_configuration(&self) -> bool {
        self.name == CONFIGURATION
    }
}

/// Something and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fixed {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One combination of values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct SweepRow {
    /// The values of varied settings, in the order of [`Table::varied`].
    pub values: Vec<String>,
    /// The outcome of the session; `None` if there were many.
    pub outcome: Option<RunOutcome>,
    /// The revenue of 1,000 sessions with this outcome; `None` if the price of one of its ads is
    /// unknown, or if there are figures.
    #[serde(serialize_with = "maybe_number")]
    pub earned: Option<Decimal>,
    /// The outcomes of many sessions; `None` if there was one.
    pub figures: Option<Figures>,
    /// How the figures differ from how it is now; `None` if there was one session.
    pub difference: Option<RowDifference>,
}

fn maybe_number<S: Serializer>(number: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    number.map(Value::from).serialize(serializer)
}

/// Why a configuration differs from the first one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DifferenceReason {
    /// The configuration.
    pub configuration: String,
    /// The lines of the table that differ.
    pub lines: Vec<String>,
    /// The settings and knobs each of which the difference needs: without it, these lines are as in
    /// the first configuration. Empty: no single one, but several of them together.
    pub because: Vec<String>,
    /// Whether each of them makes only a part of the difference.
    pub is_partial: bool,
}

/// A value from which on the outcome is another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TippingPoint {
    /// A varied setting.
    pub name: String,
    /// The smallest value with the new outcome, as written; the next smaller one has the old
    /// outcome.
    pub value: String,
    /// The same as a number.
    pub point: u64,
    /// The values of everything else that is varied.
    pub others: Vec<Fixed>,
    /// The outcome just below.
    pub before: RunOutcome,
    /// The outcome from here on.
    pub after: RunOutcome,
}

impl SweepRow {
    /// Whether its outcome, or that of some of its sessions, depends on an answer that was not
    /// recorded.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.outcome.as_ref().is_some_and(RunOutcome::is_unknown)
            || self
                .figures
                .as_ref()
                .is_some_and(|figures| figures.unknown.count > 0)
    }
}

impl Table {
    /// The simulated player, in words.
    pub(super) fn player(&self) -> String {
        format!("profile {}", self.basis.as_ref().unwrap_or(&self.profile))
    }

    pub(super) fn new(base: &Base<'_>, axes: &[Axis], seed: u64) -> Table {
        let scenario = base.scenario;
        let tag = |(wp, address): (u32, &std::sync::Arc<str>)| SweptTag {
            tag: TagNumber::of_wp(wp),
            wp,
            address: address.to_string(),
            silent_until_us: base
                .answer(TagNumber::of_wp(wp))
                .and_then(unknown::known_for)
                .map(playsim_base::time::Span::micros),
        };
        let (varied, fixed): (Vec<&Axis>, Vec<&Axis>) =
            axes.iter().partition(|axis| is_column(axis));
        let settings: Vec<&Setting> = fixed
            .iter()
            .flat_map(|axis| &axis.values)
            .flat_map(|value| value.settings.iter())
            .collect();
        let (_, knobs) = base.knobs(&settings);
        let now = |axis: &Axis| base.now(axis, &knobs);
        let column = |axis: &Axis| Varied {
            now: match axis.target {
                Some(_) => now(axis).map(|now| now.value),
                None => Some(Configuration::BASE.to_owned()),
            },
            now_point: now(axis).and_then(|now| now.at),
            name: axis.name.clone(),
            unit: axis.order.map(|order| order.unit),
            values: axis
                .values
                .iter()
                .map(|value| value.label.clone())
                .collect(),
            points: axis.values.iter().map(|value| value.at).collect(),
        };
        let value = |axis: &&Axis| {
            let value = axis.values.first()?.label.clone();
            Some(Fixed {
                name: axis.name.clone(),
                value,
            })
        };
        Table {
            answer: Vec::new(),
            assumed: base.assumed(axes.iter().flat_map(|axis| &axis.values)),
            without_effect: Vec::new(),
            reasons: Vec::new(),
            now: None,
            given_prices: Vec::new(),
            profile: scenario.profile.to_string(),
            basis: scenario.profile.basis(),
            knobs: scenario
                .knobs
                .differing()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            tags: (0..).zip(&base.tags).map(tag).collect(),
            varied: varied.into_iter().map(column).collect(),
            fixed: fixed.iter().filter_map(value).collect(),
            runs: None,
            seed,
            confidence_percent: CONFIDENCE,
            rows: Vec::new(),
            tipping_points: Vec::new(),
            tried_between: 0,
            cut: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// Adds a row, given the value of each axis.
    pub(super) fn add_row<'s>(
        &mut self,
        values: impl Iterator<Item = (&'s Axis, &'s AxisValue)>,
        row: SweepRow,
    ) {
        let labels = values
            .filter(|(axis, _)| is_column(axis))
            .map(|(_, value)| value.label.clone());
        self.rows.push(SweepRow {
            values: labels.collect(),
            ..row
        });
    }

    /// Notes which of the given prices are those of tags that show no ad in any row.
    pub(super) fn note_prices(&mut self) {
        let shows = |row: &SweepRow, tag: TagNumber| {
            row.outcome
                .as_ref()
                .is_some_and(|outcome| outcome.filled_by.contains(&tag))
                || row.figures.as_ref().is_some_and(|figures| {
                    figures
                        .tags
                        .iter()
                        .any(|figures| figures.tag == tag && figures.filled.count > 0)
                })
        };
        for Price { tag, cpm } in &self.given_prices {
            if !self
                .rows
                .iter()
                .chain(&self.now)
                .any(|row| shows(row, *tag))
            {
                self.without_effect.push(format!(
                    "the price {tag}={cpm} has no effect: {tag} shows no ad, whatever is varied"
                ));
            }
        }
    }

    /// Notes how it is now, if anything is set.
    pub(super) fn set_now(&mut self, row: SweepRow) {
        let values = self
            .varied
            .iter()
            .map(|it| it.now.clone().unwrap_or_default())
            .collect();
        let is_set = !self.varied.is_empty() || !self.fixed.is_empty();
        self.now = is_set.then_some(SweepRow { values, ..row });
    }

    /// The index of the row with the values in force, if there is one.
    pub(super) fn row_now(&self) -> Option<usize> {
        if self.varied.is_empty() {
            return None;
        }
        let is_now = |row: &SweepRow| {
            let pairs = self.varied.iter().zip(&row.values);
            let mut same = pairs.map(|(varied, value)| {
                let at = varied.values.iter().position(|known| known == value);
                let point = at.and_then(|at| varied.points[at]);
                point.map_or(varied.now.as_ref() == Some(value), |point| {
                    varied.now_point == Some(point)
                })
            });
            same.all(|is_same| is_same)
        };
        self.rows.iter().position(is_now)
    }

    /// Adds the tipping points that follow a combination along an axis.
    pub(super) fn add_tips(
        &mut self,
        axes: &[Axis],
        along: usize,
        combination: &[usize],
        found: Found,
    ) {
        let axis = &axes[along];
        self.tried_between += found.tried;
        if found.is_cut && !self.cut.contains(&axis.name) {
            self.cut.push(axis.name.clone());
        }
        let others = axes.iter().zip(combination).enumerate();
        let others = others.filter(|(index, (axis, _))| *index != along && is_column(axis));
        let others: Vec<Fixed> = others
            .map(|(_, (axis, at))| Fixed {
                name: axis.name.clone(),
                value: axis.values[*at].label.clone(),
            })
            .collect();
        let Some(order) = axis.order else { return };
        self.tipping_points
            .extend(found.tips.into_iter().map(|tip| TippingPoint {
                name: axis.name.clone(),
                value: order.unit.write(tip.at),
                point: tip.at,
                others: others.clone(),
                before: tip.before,
                after: tip.after,
            }));
    }

    /// Puts the tipping points of each line of rows together, in ascending order, and notes where
    /// an outcome returns.
    pub(super) fn settle_tips(&mut self) {
        // Lines keep the order in which they were found.
        let mut lines: Vec<Vec<TippingPoint>> = Vec::new();
        for tip in std::mem::take(&mut self.tipping_points) {
            let is_on = |line: &&mut Vec<TippingPoint>| {
                line.first()
                    .is_some_and(|first| (&first.name, &first.others) == (&tip.name, &tip.others))
            };
            match lines.iter_mut().find(is_on) {
                Some(line) => line.push(tip),
                None => lines.push(vec![tip]),
            }
        }
        for line in &lines {
            let returns = |nth: usize| {
                line[..=nth]
                    .iter()
                    .any(|earlier| earlier.before.is_like(&line[nth].after))
            };
            if (0..line.len()).any(returns) && !self.returns.contains(&line[0].name) {
                self.returns.push(line[0].name.clone());
            }
        }
        self.tipping_points = lines.into_iter().flatten().collect();
    }

    /// How many wrappers deep a tag was followed at most, in any session.
    pub(super) fn deepest(&self, tag: TagNumber) -> u32 {
        let exact = self
            .rows
            .iter()
            .filter_map(|row| row.outcome.as_ref())
            .flat_map(|outcome| &outcome.asked);
        let exact = exact.filter(|it| it.tag == tag).map(|it| it.hops);
        let counted = self
            .rows
            .iter()
            .filter_map(|row| row.figures.as_ref())
            .flat_map(|figures| &figures.tags);
        let counted = counted.filter(|it| it.tag == tag).map(|it| it.hops);
        exact.chain(counted).max().unwrap_or_default()
    }

    /// Whether an ad was shown in any session.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.rows.iter().any(|row| {
            row.outcome.as_ref().is_some_and(RunOutcome::is_filled)
                || row
                    .figures
                    .as_ref()
                    .is_some_and(|figures| figures.filled.count > 0)
        })
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self)
            .expect("strings and numbers can always be written as JSON");
        escape::json(&text).into_owned()
    }
}

/// Whether an axis is a column of the table.
pub(super) fn is_column(axis: &Axis) -> bool {
    axis.len() != 1
}
