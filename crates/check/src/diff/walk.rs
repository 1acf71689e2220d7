//! Pairs the lines of two sides and turns the pairs into rows.
//!
//! First, all lines except time updates are paired by kind, name and data; then the remaining lines
//! between two of those pairs by kind and name; finally the time updates between two pairs, by
//! time.

use std::ops::Range;

use super::{Change, Comparison, LineRow, align};
use crate::recording::{self, Tolerance};
use playsim_api::{EventName, UiLine};
use playsim_trace::Record;

/// How the rows are found.
pub(super) struct Walk<'a> {
    pub(super) comparison: &'a Comparison<'a>,
    /// A number for each line of each side: equal numbers mean equal kind, name and data.
    pub(super) exact: [Vec<u32>; 2],
    /// The same for kind and name alone.
    pub(super) loose: [Vec<u32>; 2],
    pub(super) tolerance: Tolerance,
    pub(super) anchor: Anchor,
}

/// The last film that came on screen, or before that the first request to play, and how much later
/// it comes on the second side.
#[derive(Debug, Default)]
pub(super) struct Anchor {
    ahead: i128,
    /// The same when the accumulated difference was last reported.
    reported: i128,
}

impl Walk<'_> {
    /// Returns the rows in order. Every line of both sides is in exactly one of them.
    pub(super) fn rows(&mut self) -> Vec<LineRow> {
        let all = [0, 1].map(|side| self.comparison.lines[side].len());
        let mut pairs = Vec::new();
        self.pairs([0..all[0], 0..all[1]], &self.exact, &mut pairs);
        // The remaining lines between two pairs are paired by name: their data differ, but neither
        // is an extra line.
        let mut more = Vec::new();
        for gap in gaps(&pairs, all) {
            self.pairs(gap, &self.loose, &mut more);
        }
        pairs.append(&mut more);
        pairs.sort_unstable();
        if self.comparison.is_foreign()
            && let Some((i, j)) = pairs
                .iter()
                .find(|(i, _)| recording::is_play(self.first(*i)))
        {
            // The recording may have begun any time before the page.
            let ahead = self.ahead(*i, *j);
            self.anchor = Anchor {
                ahead,
                reported: ahead,
            };
        }
        let mut rows = Vec::new();
        let mut ahead = 0;
        for (index, gap) in gaps(&pairs, all).into_iter().enumerate() {
            self.gap(gap, ahead, &mut rows);
            if let Some((i, j)) = pairs.get(index) {
                ahead = self.ahead(*i, *j);
                self.push(Some(*i), Some(*j), &mut rows);
            }
        }
        rows
    }

    /// Pairs all lines except time updates by their keys.
    fn pairs(&self, gap: [Range<usize>; 2], keys: &[Vec<u32>; 2], pairs: &mut Vec<(usize, usize)>) {
        let solid = |side: usize| -> Vec<usize> {
            gap[side]
                .clone()
                .filter(|index| !self.is_update(side, *index))
                .collect()
        };
        let (first, second) = (solid(0), solid(1));
        let of = |side: usize, lines: &[usize]| {
            lines
                .iter()
                .map(|index| keys[side][*index])
                .collect::<Vec<_>>()
        };
        let common = align::common(&of(0, &first), &of(1, &second));
        pairs.extend(common.into_iter().map(|(i, j)| (first[i], second[j])));
    }

    /// Adds the lines between two pairs: those of one side alone, and time updates.
    fn gap(&mut self, [first, second]: [Range<usize>; 2], ahead: i128, rows: &mut Vec<LineRow>) {
        let (mut i, mut j) = (first.start, second.start);
        while i < first.end || j < second.end {
            if i < first.end && !self.is_update(0, i) {
                self.push(Some(i), None, rows);
                i += 1;
            } else if j < second.end && !self.is_update(1, j) {
                self.push(None, Some(j), rows);
                j += 1;
            } else {
                let updates = |side: usize, from: usize, end: usize| {
                    (from..end)
                        .find(|index| !self.is_update(side, *index))
                        .unwrap_or(end)
                };
                let (i_end, j_end) = (updates(0, i, first.end), updates(1, j, second.end));
                self.updates([i..i_end, j..j_end], ahead, rows);
                (i, j) = (i_end, j_end);
            }
        }
    }

    /// Pairs time updates whose distance in time is near that of the last pair. If there are none,
    /// and both sides have the same number of time updates, pairs them in order.
    fn updates(
        &mut self,
        [first, second]: [Range<usize>; 2],
        ahead: i128,
        rows: &mut Vec<LineRow>,
    ) {
        let within = i128::from(self.tolerance.within.micros());
        let is_one = |i: usize, j: usize| {
            let apart = self.ahead(i, j);
            apart.abs() <= within || (apart - ahead).abs() <= within
        };
        let mut pairs = Vec::new();
        let (mut i, mut j) = (first.start, second.start);
        while i < first.end && j < second.end {
            if is_one(i, j) {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            } else if self.ahead(i, j) > ahead {
                i += 1;
            } else {
                j += 1;
            }
        }
        if pairs.is_empty() && first.len() == second.len() {
            pairs.extend(first.clone().zip(second.clone()));
        }
        let (mut i, mut j) = (first.start, second.start);
        for (next_i, next_j) in pairs.iter().copied().chain([(first.end, second.end)]) {
            (i..next_i).for_each(|i| self.push(Some(i), None, rows));
            (j..next_j).for_each(|j| self.push(None, Some(j), rows));
            if next_i < first.end {
                self.push(Some(next_i), Some(next_j), rows);
            }
            (i, j) = (next_i + 1, next_j + 1);
        }
    }

    /// Returns by how many microseconds a line of the second side is later than one of the first.
    fn ahead(&self, i: usize, j: usize) -> i128 {
        self.comparison.at(1, j) - self.comparison.at(0, i)
    }

    fn is_update(&self, side: usize, index: usize) -> bool {
        let of = if side == 0 {
            self.comparison.first
        } else {
            self.comparison.second
        };
        of.is_update(self.comparison.lines[side][index])
    }

    /// Adds a row, or merges time updates into the last row if they continue it in the same way.
    fn push(&mut self, first: Option<usize>, second: Option<usize>, rows: &mut Vec<LineRow>) {
        let change = match (first, second) {
            (Some(i), Some(j)) if self.exact[0][i] != self.exact[1][j] => Change::Other,
            (Some(i), Some(j)) => self.moved(i, j),
            (Some(_), None) => Change::OnlyFirst,
            (None, _) => Change::OnlySecond,
        };
        let (last_first, last_second) = rows
            .last()
            .map_or((0, 0), |row: &LineRow| (row.first.end, row.second.end));
        let row = LineRow {
            change,
            first: first.map_or(last_first..last_first, |i| i..i + 1),
            second: second.map_or(last_second..last_second, |j| j..j + 1),
        };
        match rows.last_mut() {
            Some(last) if last.change == change && self.continues(last, &row) => {
                last.first.end = row.first.end;
                last.second.end = row.second.end;
            }
            Some(_) | None => rows.push(row),
        }
    }

    /// Returns the difference in time of two lines that are otherwise equal. In recordings of
    /// players, times count from the last film that came on screen, and the accumulated difference
    /// has a limit of its own.
    fn moved(&mut self, i: usize, j: usize) -> Change {
        let ahead = self.ahead(i, j);
        let is_foreign = self.comparison.is_foreign();
        let apart = if is_foreign {
            ahead - self.anchor.ahead
        } else {
            ahead
        };
        let is_anchor = is_foreign && self.is_anchor(i);
        let mut change = match apart.abs() <= i128::from(self.tolerance.within.micros()) {
            true => Change::Same,
            false => Change::Moved(apart),
        };
        if is_anchor {
            self.anchor.ahead = ahead;
            let added = ahead - self.anchor.reported;
            if change == Change::Same && added.abs() > i128::from(self.tolerance.overall.micros()) {
                self.anchor.reported = ahead;
                change = Change::Moved(added);
            }
        }
        change
    }

    /// Returns a line of the first side.
    fn first(&self, i: usize) -> &Record {
        self.comparison.first.record(self.comparison.lines[0][i])
    }

    /// Returns whether something comes on screen with a line of the first side.
    fn is_anchor(&self, i: usize) -> bool {
        let record = self.first(i);
        let events = [EventName::AdStart, EventName::AdEnd, EventName::Start];
        record.is(UiLine::Shown) || record.event().is_some_and(|event| events.contains(&event))
    }

    /// Returns whether a row continues the last one: its lines are time updates of the same player.
    fn continues(&self, last: &LineRow, row: &LineRow) -> bool {
        let continues = |side: usize, last: &Range<usize>, row: &Range<usize>| {
            row.is_empty()
                || self.is_update(side, row.start)
                    && self.is_update(side, last.start)
                    && self.exact[side][row.start] == self.exact[side][last.start]
        };
        continues(0, &last.first, &row.first) && continues(1, &last.second, &row.second)
    }
}

/// Returns the ranges between pairs, including before the first and after the last.
fn gaps(pairs: &[(usize, usize)], all: [usize; 2]) -> Vec<[Range<usize>; 2]> {
    let ends = pairs.iter().copied().chain([(all[0], all[1])]);
    let mut from = (0, 0);
    ends.map(|(i, j)| {
        let gap = [from.0..i, from.1..j];
        from = (i + 1, j + 1);
        gap
    })
    .collect()
}
