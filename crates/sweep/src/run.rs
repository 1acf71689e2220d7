//! How the combinations of a sweep are played: once each, or many times each.

use std::sync::atomic::{AtomicU64, Ordering};

use super::axis::Axis;
use super::difference::{Got, PAIRED, Pairs};
use super::figures::Counts;
use super::plan::{Base, Point};
use super::price::Prices;
use super::setting::{Setting, SettingSource};
use super::summary::RunOutcome;
use super::table::{SweepRow, Table};
use super::together::Together;
use super::{Combination, PIECE, Sweep, SweepError, tips};
use playsim_base::workers;

/// The counts of the sessions of a row.
#[derive(Default)]
struct Counted {
    counts: Counts,
    pairs: Pairs,
}

impl Sweep<'_> {
    /// Plays each combination once, and looks for tipping points.
    pub(super) fn play(
        &self,
        base: &Base<'_>,
        combinations: &[Combination],
        table: &mut Table,
    ) -> Result<(), SweepError> {
        // From each row to the next one along each ordered axis.
        let gaps: Vec<(usize, usize)> = (0..combinations.len())
            .flat_map(|row| self.nexts(&combinations[row]).map(move |axis| (row, axis)))
            .collect();
        let all = (combinations.len() + gaps.len()) as u64;
        let done = AtomicU64::new(0);
        let outcomes = workers::each(self.threads, combinations.len(), |row| {
            let outcome = self
                .point(base, &combinations[row], None)
                .map(|point| point.outcome(0));
            self.tell(&done, 1, all);
            outcome
        });
        let outcomes = outcomes
            .into_iter()
            .collect::<Result<Vec<RunOutcome>, SweepError>>()?;
        let found = workers::each(self.threads, gaps.len(), |gap| {
            let (row, axis) = gaps[gap];
            let next = self.next_row(row, axis);
            let found = self.between(base, (row, next), axis, combinations, &outcomes);
            self.tell(&done, 1, all);
            found
        });
        for ((row, axis), found) in gaps.iter().zip(found) {
            table.add_tips(&self.axes, *axis, &combinations[*row], found?);
        }
        let prices = Prices::new(&self.prices, self.scenario);
        let row = |outcome| SweepRow {
            earned: prices.of_outcome(&outcome),
            outcome: Some(outcome),
            ..SweepRow::default()
        };
        for (combination, outcome) in combinations.iter().zip(outcomes) {
            table.add_row(self.axes.iter().zip(self.values(combination)), row(outcome));
        }
        table.set_now(row(self.now(base)?.outcome(0)));
        table.settle_tips();
        Ok(())
    }

    /// The axes along which a combination has a next value.
    fn nexts(&self, combination: &Combination) -> impl Iterator<Item = usize> {
        let ordered = self.axes.iter().zip(combination).enumerate();
        ordered
            .filter(|(_, (axis, at))| axis.order.is_some() && *at + 1 < axis.len())
            .map(|(index, _)| index)
    }

    /// The row of the next value along an axis.
    fn next_row(&self, row: usize, axis: usize) -> usize {
        row + self.axes[axis + 1..]
            .iter()
            .map(Axis::len)
            .product::<usize>()
    }

    fn between(
        &self,
        base: &Base<'_>,
        (row, next): (usize, usize),
        axis: usize,
        combinations: &[Combination],
        outcomes: &[RunOutcome],
    ) -> Result<tips::Found, SweepError> {
        let at = |row: usize| self.axes[axis].values[combinations[row][axis]].at;
        let (Some(order), Some(low), Some(high)) = (self.axes[axis].order, at(row), at(next))
        else {
            return Ok(tips::Found::default());
        };
        tips::between((low, &outcomes[row]), (high, &outcomes[next]), &mut |at| {
            let moved = Some((axis, order.setting(at)?));
            Ok(self.point(base, &combinations[row], moved)?.outcome(0))
        })
    }

    /// Plays each combination many times, and counts.
    pub(super) fn tabulate(
        &self,
        base: &Base<'_>,
        combinations: &[Combination],
        table: &mut Table,
    ) -> Result<(), SweepError> {
        let prices = Prices::new(&self.prices, self.scenario);
        let runs = table.runs.unwrap_or_default();
        let compared = if table.varied.is_empty() {
            0
        } else {
            runs.min(PAIRED)
        };
        let all = runs * combinations.len() as u64 + compared;
        let done = AtomicU64::new(0);
        let now = Together::new(self.now(base)?);
        let pieces = usize::try_from(compared.div_ceil(PIECE)).unwrap_or(usize::MAX);
        let now = workers::each(self.threads, pieces, |piece| {
            let (from, until) = part(piece as u64, compared);
            if self.is_stopped() {
                return Vec::new();
            }
            self.tell(&done, until - from, all);
            (from..until)
                .map(|run| now.outcome(run))
                .collect::<Vec<RunOutcome>>()
        });
        let now: Vec<RunOutcome> = now.into_iter().flatten().collect();
        let got: Vec<Got> = now
            .iter()
            .map(|outcome| Got::of(outcome, &prices))
            .collect();
        for combination in combinations {
            let sessions = Together::new(self.point(base, combination, None)?);
            let add = |counted: &mut Counted, piece| {
                let (from, until) = part(piece, runs);
                if self.is_stopped() {
                    return;
                }
                for run in from..until {
                    let outcome = sessions.outcome(run);
                    counted.counts.add(&outcome, &prices);
                    if let Some(now) = usize::try_from(run).ok().and_then(|run| got.get(run)) {
                        counted.pairs.add(*now, Got::of(&outcome, &prices));
                    }
                }
                self.tell(&done, until - from, all);
            };
            let counted = workers::sum(self.threads, runs.div_ceil(PIECE), Counted::default, add);
            if self.is_stopped() {
                return Err(SweepError::Stopped);
            }
            let mut sum = Counted::default();
            for counted in counted {
                sum.counts.merge(counted.counts);
                sum.pairs.merge(counted.pairs);
            }
            let figures = sum.counts.figures(base.tags.len(), &prices);
            let difference = sum.pairs.difference(&prices);
            let row = SweepRow {
                figures: Some(figures),
                difference,
                ..SweepRow::default()
            };
            table.add_row(self.axes.iter().zip(self.values(combination)), row);
        }
        if compared > 0 {
            let mut counts = Counts::default();
            now.iter().for_each(|outcome| counts.add(outcome, &prices));
            let figures = counts.figures(base.tags.len(), &prices);
            table.set_now(SweepRow {
                figures: Some(figures),
                ..SweepRow::default()
            });
        }
        Ok(())
    }

    /// The current state: only settings with one value in all rows apply, and none if all settings
    /// have one value.
    fn now(&self, base: &Base<'_>) -> Result<Point, SweepError> {
        let has_several = self.axes.iter().any(super::table::is_column);
        let fixed = self
            .axes
            .iter()
            .filter(|axis| has_several && axis.len() == 1);
        base.point(
            fixed.flat_map(|axis| axis.values[0].settings.iter()),
            self.seed,
        )
    }

    /// Refuses the latency of a hop that no session requested: whoever gave it expects that it
    /// changes something.
    pub(super) fn check_hops(&self, table: &Table) -> Result<(), SweepError> {
        for setting in self
            .axes
            .iter()
            .flat_map(|axis| &axis.values)
            .flat_map(|value| value.settings.iter())
        {
            let Setting::After(SettingSource::Hop(tag, hop), _) = setting else {
                continue;
            };
            let deepest = table.deepest(*tag);
            if deepest < *hop {
                return Err(SweepError::input(format!(
                    "{tag}.hop{hop}.after changes nothing: no session requested what is behind {} of {tag}; {}",
                    playsim_base::words::counted(
                        usize::try_from(*hop).unwrap_or(usize::MAX),
                        "wrapper"
                    ),
                    match deepest {
                        0 => "none of its wrappers was followed".to_owned(),
                        _ => format!("its last one is {tag}.hop{deepest}"),
                    }
                )));
            }
        }
        Ok(())
    }

    pub(super) fn tell(&self, done: &AtomicU64, more: u64, all: u64) {
        let now = done.fetch_add(more, Ordering::Relaxed) + more;
        if let Some(progress) = self.progress {
            progress(now, all);
        }
    }
}

/// The first run of a piece, and the one after its last.
fn part(piece: u64, runs: u64) -> (u64, u64) {
    let from = piece * PIECE;
    (from, (from + PIECE).min(runs))
}
