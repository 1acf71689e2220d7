//! Where two traces differ, first place first, with what led to it on both sides.
//!
//! The sides are traces or texts of traces; what is compared is what both hold. Lines are the same if kind,
//! name and data are; where one side is a text, if the words are. Their times may lie apart by a tolerance.
//! Numbers of lines and requests say nothing: one line more would change all behind it. Of a recording,
//! which has no header, only the kinds of lines that it has are asked for.
//!
//! Time updates are the beat between the other lines: first those are aligned, then the updates between
//! two of them by time.
//!
//! Rule TRACE-7.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::api::Kind;
use crate::time::{Span, Time};
use crate::trace::{Filter, Record, Trace, TraceError, line_words};

mod align;
mod key;
mod print;
mod text;

pub use text::BEGINNING;

/// One of the two traces.
#[derive(Debug, Clone)]
pub struct Side {
    name: String,
    trace: Trace,
    /// The words of each record, as the text form writes them.
    words: Vec<String>,
    /// The lines that are shown, in order.
    lines: Vec<Line>,
    /// Whether it was read from text: then its words are all there is.
    is_text: bool,
}

/// A line that is compared: a record, or one time update of a run.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// The index of its record.
    record: usize,
    /// Its running number; in a text the number of the text's line.
    seq: u32,
    at: Time,
}

/// How the lines of a [`Row`] differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Same,
    /// The same at another time: by how many microseconds later on the second side.
    Moved(i128),
    /// The same kind and name, other data.
    Other,
    OnlyFirst,
    OnlySecond,
}

/// Lines that are the same on both sides or stand on one; several only if they are time updates.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    change: Change,
    first: Range<usize>,
    second: Range<usize>,
}

/// Two traces side by side.
#[derive(Debug)]
pub struct Comparison<'a> {
    first: &'a Side,
    second: &'a Side,
    /// The lines that are compared, of each side.
    lines: [Vec<Line>; 2],
    rows: Vec<Row>,
}

impl Side {
    /// A trace, of which the lines that the filter shows are compared.
    #[must_use]
    pub fn of_trace(name: &str, trace: Trace, filter: &Filter) -> Side {
        let words = trace.records.iter().map(line_words).collect();
        Side::new(name, trace, words, false, filter)
    }

    /// The text form of a trace.
    ///
    /// # Errors
    ///
    /// When it is none, is of another version, or a line stands below no time.
    pub fn of_text(name: &str, text: &str, filter: &Filter) -> Result<Side, TraceError> {
        let text::Read { trace, words } = text::read(name, text)?;
        Ok(Side::new(name, trace, words, true, filter))
    }

    fn new(name: &str, trace: Trace, words: Vec<String>, is_text: bool, filter: &Filter) -> Side {
        let shown = trace
            .records
            .iter()
            .enumerate()
            .filter(|(_, record)| record.kind != Kind::Header && filter.shows(record));
        let lines = shown.flat_map(|(index, record)| {
            let line =
                move |(seq, at)| Line { record: index, seq: if is_text { record.seq } else { seq }, at };
            record.each().map(line)
        });
        let lines = lines.collect();
        Side { name: name.to_owned(), trace, words, lines, is_text }
    }

    /// Whether nothing but the outcome is shown of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| self.record(*line).kind == Kind::Outcome)
    }

    /// Whether it has no header: a recording, of which nobody knows what is missing.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.head().is_none()
    }

    /// The header in words: profile, knobs and seed.
    fn head(&self) -> Option<&str> {
        let is_header = self.trace.records.first().is_some_and(|record| record.kind == Kind::Header);
        self.words.first().filter(|_| is_header).map(String::as_str)
    }

    fn record(&self, line: Line) -> &Record {
        &self.trace.records[line.record]
    }

    fn container(&self, line: Line) -> &str {
        self.trace.container(self.record(line)).map_or("", |id| id)
    }

    fn is_update(&self, line: Line) -> bool {
        let record = self.record(line);
        record.kind == Kind::Event && &*record.name == "timeupdate" && record.data.is_empty()
    }

    /// The lines to compare with a side of these kinds.
    fn lines_beside(&self, other: &Side) -> Vec<Line> {
        let has = |kind: Kind| other.lines.iter().any(|line| other.record(*line).kind == kind);
        let is_asked_for = |kind: Kind| !other.is_recording() || has(kind);
        let mut kinds = Kind::ALL.to_vec();
        kinds.retain(|kind| is_asked_for(*kind));
        self.lines.iter().copied().filter(|line| kinds.contains(&self.record(*line).kind)).collect()
    }
}

/// Compares two sides; the times of the same line may lie `within` this span.
#[must_use]
pub fn compare<'a>(first: &'a Side, second: &'a Side, within: Span) -> Comparison<'a> {
    let lines = [first.lines_beside(second), second.lines_beside(first)];
    let mut comparison = Comparison { first, second, lines, rows: Vec::new() };
    comparison.rows = comparison.aligned(within);
    comparison
}

impl Comparison<'_> {
    /// Whether nothing differs. The headers are not asked: other settings may well give the same.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.rows.iter().all(|row| row.change == Change::Same)
    }

    /// How many lines were compared, on the side that has fewer.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.lines[0].len().min(self.lines[1].len())
    }

    /// Profile, knobs and seed of both sides, if they differ.
    #[must_use]
    pub fn other_heads(&self) -> Option<(&str, &str)> {
        let heads = (self.first.head()?, self.second.head()?);
        (heads.0 != heads.1).then_some(heads)
    }

    /// Whether all that differs are time updates.
    #[must_use]
    pub fn differs_in_updates_only(&self) -> bool {
        let mut changed = self.rows.iter().filter(|row| row.change != Change::Same).peekable();
        let is_update = |row: &Row| match row.change {
            Change::OnlySecond => self.second.is_update(self.lines[1][row.second.start]),
            Change::Same | Change::Moved(_) | Change::Other | Change::OnlyFirst => {
                self.first.is_update(self.lines[0][row.first.start])
            }
        };
        changed.peek().is_some() && changed.all(is_update)
    }

    fn aligned(&self, within: Span) -> Vec<Row> {
        let [first, second] = &self.lines;
        let are_words = self.first.is_text || self.second.is_text;
        let names_players =
            |side: &Side, lines: &[Line]| lines.iter().any(|line| side.record(*line).player.is_some());
        let players = names_players(self.first, first) && names_players(self.second, second);
        let keys = |exact: bool| {
            let mut known = BTreeMap::new();
            let mut of = |side: &Side, lines: &[Line]| -> Vec<u32> {
                let number = |line: &Line| {
                    let form = key::Form { exact, are_words, players };
                    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                    *known.entry(key::of(side, *line, form)).or_insert(next)
                };
                lines.iter().map(number).collect()
            };
            [of(self.first, first), of(self.second, second)]
        };
        let walk = Walk { comparison: self, exact: keys(true), loose: keys(false), within };
        walk.rows()
    }

    fn at(&self, side: usize, index: usize) -> i128 {
        i128::from(self.lines[side][index].at.micros())
    }
}

/// How the rows are found.
struct Walk<'a> {
    comparison: &'a Comparison<'a>,
    /// For each line of each side a number: the same for the same kind, name and data.
    exact: [Vec<u32>; 2],
    /// The same for kind and name alone.
    loose: [Vec<u32>; 2],
    within: Span,
}

impl Walk<'_> {
    fn rows(&self) -> Vec<Row> {
        let all = [0, 1].map(|side| self.comparison.lines[side].len());
        let mut pairs = Vec::new();
        self.pairs([0..all[0], 0..all[1]], &self.exact, &mut pairs);
        // What is left between two of them is paired by name: other data, not another line.
        let mut more = Vec::new();
        for gap in gaps(&pairs, all) {
            self.pairs(gap, &self.loose, &mut more);
        }
        pairs.append(&mut more);
        pairs.sort_unstable();
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

    /// Pairs all but the time updates by their keys.
    fn pairs(&self, gap: [Range<usize>; 2], keys: &[Vec<u32>; 2], pairs: &mut Vec<(usize, usize)>) {
        let solid = |side: usize| -> Vec<usize> {
            gap[side].clone().filter(|index| !self.is_update(side, *index)).collect()
        };
        let (first, second) = (solid(0), solid(1));
        let of =
            |side: usize, lines: &[usize]| lines.iter().map(|index| keys[side][*index]).collect::<Vec<_>>();
        let common = align::common(&of(0, &first), &of(1, &second));
        pairs.extend(common.into_iter().map(|(i, j)| (first[i], second[j])));
    }

    /// Lines between two pairs: those of one side alone, and time updates.
    fn gap(&self, [first, second]: [Range<usize>; 2], ahead: i128, rows: &mut Vec<Row>) {
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
                    (from..end).find(|index| !self.is_update(side, *index)).unwrap_or(end)
                };
                let (i_end, j_end) = (updates(0, i, first.end), updates(1, j, second.end));
                self.updates([i..i_end, j..j_end], ahead, rows);
                (i, j) = (i_end, j_end);
            }
        }
    }

    /// Time updates: two are one if they are as far apart as the last pair was, or near enough. If no two
    /// are and there are as many on both sides, they are paired as they stand.
    fn updates(&self, [first, second]: [Range<usize>; 2], ahead: i128, rows: &mut Vec<Row>) {
        let within = i128::from(self.within.micros());
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

    /// By how many microseconds a line of the second side is later than one of the first.
    fn ahead(&self, i: usize, j: usize) -> i128 {
        self.comparison.at(1, j) - self.comparison.at(0, i)
    }

    fn is_update(&self, side: usize, index: usize) -> bool {
        let of = if side == 0 { self.comparison.first } else { self.comparison.second };
        of.is_update(self.comparison.lines[side][index])
    }

    /// Adds a row, or lays time updates into the last one if they follow one another in the same way.
    fn push(&self, first: Option<usize>, second: Option<usize>, rows: &mut Vec<Row>) {
        let change = match (first, second) {
            (Some(i), Some(j)) if self.exact[0][i] != self.exact[1][j] => Change::Other,
            (Some(i), Some(j)) => {
                let apart = self.ahead(i, j);
                let is_near = apart.abs() <= i128::from(self.within.micros());
                if is_near { Change::Same } else { Change::Moved(apart) }
            }
            (Some(_), None) => Change::OnlyFirst,
            (None, _) => Change::OnlySecond,
        };
        let (last_first, last_second) =
            rows.last().map_or((0, 0), |row: &Row| (row.first.end, row.second.end));
        let row = Row {
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

    /// Whether the lines of a row are time updates of the player of the last one.
    fn continues(&self, last: &Row, row: &Row) -> bool {
        let continues = |side: usize, last: &Range<usize>, row: &Range<usize>| {
            row.is_empty()
                || self.is_update(side, row.start)
                    && self.is_update(side, last.start)
                    && self.exact[side][row.start] == self.exact[side][last.start]
        };
        continues(0, &last.first, &row.first) && continues(1, &last.second, &row.second)
    }
}

/// The ranges between pairs, before the first and behind the last.
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

#[cfg(test)]
mod tests;
