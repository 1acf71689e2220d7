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
mod walk;

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
        let walk = walk::Walk { comparison: self, exact: keys(true), loose: keys(false), within };
        walk.rows()
    }

    fn at(&self, side: usize, index: usize) -> i128 {
        i128::from(self.lines[side][index].at.micros())
    }
}

#[cfg(test)]
mod tests;
