//! Compares two traces and shows where they differ, in order, with the causes on both sides.
//!
//! Either side is a trace or a trace in text form; only what both forms contain is compared. Two
//! lines are the same if their kind, name and data are equal or, when one side is in text form, if
//! their words are equal. Their times may differ by a tolerance. Sequence numbers and the numbers
//! of requests and breaks are not compared, because one extra line would change all later ones.
//!
//! Of a recording from a real player, what its recorder could not hear is not missed, and fields
//! that only one side has are not compared. Times count from what came on screen last, so that one
//! late ad is one difference. See [`meet`].
//!
//! Time updates are periodic: the other lines are aligned first, then the updates between two of
//! them are aligned by time.
//!
//! Rule TRACE-7.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::recording::{Hears, Tolerance};
use playsim_api::{EventName, Kind};
use playsim_base::time::Time;
use playsim_trace::{Filter, Record, Trace, TraceError, line_words};

mod align;
mod foreign;
mod key;
mod layout;
mod print;
pub(crate) mod text;
mod walk;

pub use align::common;
pub use foreign::{Shared, meet};
pub(crate) use key::{fields, write_fields};
pub use layout::layout;
pub use text::BEGINNING;

/// One of the two traces.
#[derive(Debug, Clone)]
pub struct Side {
    name: String,
    trace: Trace,
    /// The words of each record, as in the text form.
    words: Vec<String>,
    /// The lines that the filter shows, in order.
    lines: Vec<Line>,
    /// Whether it was read from text, so that only the words of each line are known.
    is_text: bool,
    /// The kinds of lines that the recorder could hear; `None` for a simulation.
    hears: Option<Hears>,
    filter: Filter,
}

/// A line to compare: a record, or one time update of a run.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// The index of its record.
    record: usize,
    /// Its sequence number; in text form, its line number in the file.
    seq: u32,
    at: Time,
}

/// How the lines of a [`LineRow`] differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Same,
    /// The lines are equal but their times differ. Holds how many microseconds later the second one
    /// is.
    Moved(i128),
    /// The kind and name are equal, but the data differ.
    Other,
    OnlyFirst,
    OnlySecond,
}

/// Lines that are equal on both sides or are on one side only. Holds several lines only if they are
/// time updates.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineRow {
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
    rows: Vec<LineRow>,
}

impl Side {
    /// Returns a side that compares the lines of a trace that the filter shows.
    #[must_use]
    pub fn of_trace(name: &str, trace: Trace, filter: &Filter) -> Side {
        let words = trace.records.iter().map(line_words).collect();
        Side::new(name, trace, words, false, filter)
    }

    /// Returns a side with the same name and filter for another trace.
    fn with_trace(&self, trace: Trace) -> Side {
        let words = trace.records.iter().map(line_words).collect();
        let hears = self.hears.clone();
        Side {
            hears,
            ..Side::new(&self.name, trace, words, self.is_text, &self.filter)
        }
    }

    /// Leaves lines out of the comparison.
    fn keep_lines(&mut self, is_kept: impl Fn(&Record) -> bool) {
        let records = &self.trace.records;
        self.lines.retain(|line| is_kept(&records[line.record]));
    }

    /// Returns a side read from a trace in text form.
    ///
    /// # Errors
    ///
    /// If it is not a trace, has another version, or contains a line that belongs to no time.
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
            let line = move |(seq, at)| Line {
                record: index,
                seq: if is_text { record.seq } else { seq },
                at,
            };
            record.each().map(line)
        });
        let lines = lines.collect();
        let hears = Hears::of(&trace);
        Side {
            name: name.to_owned(),
            trace,
            words,
            lines,
            is_text,
            hears,
            filter: filter.clone(),
        }
    }

    /// Returns its trace.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns whether only the outcome of the trace is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines
            .iter()
            .all(|line| self.record(*line).kind == Kind::Outcome)
    }

    /// Returns whether it is a recording, in which what could not be heard is unknown.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.hears.is_some()
    }

    /// Returns the header in words: profile, knobs and seed.
    fn head(&self) -> Option<&str> {
        let is_header = self
            .trace
            .records
            .first()
            .is_some_and(|record| record.kind == Kind::Header);
        self.words.first().filter(|_| is_header).map(String::as_str)
    }

    /// Returns its description.
    #[must_use]
    pub fn what(&self) -> &'static str {
        let is_header = self
            .trace
            .records
            .first()
            .is_some_and(|record| record.kind == Kind::Header);
        match (self.is_recording(), is_header) {
            (true, true) => "a recording",
            (true, false) => "a recording without a head",
            (false, _) => "a trace",
        }
    }

    fn record(&self, line: Line) -> &Record {
        &self.trace.records[line.record]
    }

    fn container(&self, line: Line) -> &str {
        self.trace.container(self.record(line)).map_or("", |id| id)
    }

    fn is_update(&self, line: Line) -> bool {
        let record = self.record(line);
        record.is(EventName::TimeUpdate) && record.data.is_empty()
    }

    /// Returns the lines to compare with the other side: a recording lacks some kinds of lines.
    fn lines_to_compare(&self, other: &Side) -> Vec<Line> {
        let is_heard = |line: &Line| {
            let record = self.record(*line);
            // Events under a player's own names have no counterpart in a simulation.
            let is_native = record.kind == Kind::Native && !other.is_recording();
            !is_native
                && other
                    .hears
                    .as_ref()
                    .is_none_or(|hears| hears.hears(record.kind, &record.name))
        };
        self.lines.iter().copied().filter(is_heard).collect()
    }
}

/// Compares two sides. The times of equal lines may differ by the tolerance; between two
/// simulations only `within` counts, from the start.
#[must_use]
pub fn compare<'a>(
    first: &'a Side,
    second: &'a Side,
    tolerance: impl Into<Tolerance>,
) -> Comparison<'a> {
    let lines = [
        first.lines_to_compare(second),
        second.lines_to_compare(first),
    ];
    let mut comparison = Comparison {
        first,
        second,
        lines,
        rows: Vec::new(),
    };
    comparison.rows = comparison.aligned(tolerance.into());
    comparison
}

impl Comparison<'_> {
    /// Returns whether the sides are equal. Headers do not count: different settings may give the
    /// same trace.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.rows.iter().all(|row| row.change == Change::Same)
    }

    /// Returns the number of lines compared, on the side that has fewer.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.lines[0].len().min(self.lines[1].len())
    }

    /// Returns the profile, knobs and seed of both sides if they differ.
    #[must_use]
    pub fn other_heads(&self) -> Option<(&str, &str)> {
        let heads = (self.first.head()?, self.second.head()?);
        (heads.0 != heads.1).then_some(heads)
    }

    /// Returns whether all differences are time updates.
    #[must_use]
    pub fn differs_in_updates_only(&self) -> bool {
        let mut changed = self
            .rows
            .iter()
            .filter(|row| row.change != Change::Same)
            .peekable();
        let is_update = |row: &LineRow| match row.change {
            Change::OnlySecond => self.second.is_update(self.lines[1][row.second.start]),
            Change::Same | Change::Moved(_) | Change::Other | Change::OnlyFirst => {
                self.first.is_update(self.lines[0][row.first.start])
            }
        };
        changed.peek().is_some() && changed.all(is_update)
    }

    /// Returns whether one side was recorded from a player.
    fn is_foreign(&self) -> bool {
        self.first.is_recording() || self.second.is_recording()
    }

    /// Returns the line of the second side that is the counterpart of one of the first, by their
    /// numbers.
    #[must_use]
    pub fn counterpart(&self, seq: u32) -> Option<u32> {
        let counterpart = |row: &LineRow| {
            let index = self.lines[0][row.first.clone()]
                .iter()
                .position(|line| line.seq == seq)?;
            self.lines[1][row.second.clone()]
                .get(index)
                .map(|line| line.seq)
        };
        self.rows.iter().find_map(counterpart)
    }

    fn aligned(&self, tolerance: Tolerance) -> Vec<LineRow> {
        let [first, second] = &self.lines;
        let shared = self
            .is_foreign()
            .then(|| foreign::Shared::of(&self.first.trace, &self.second.trace));
        let are_words = self.first.is_text || self.second.is_text;
        let names_players = |side: &Side, lines: &[Line]| {
            lines.iter().any(|line| side.record(*line).player.is_some())
        };
        let players = names_players(self.first, first) && names_players(self.second, second);
        let keys = |exact: bool| {
            let mut known = BTreeMap::new();
            let mut of = |side: &Side, lines: &[Line]| -> Vec<u32> {
                let number = |line: &Line| {
                    let form = key::KeyForm {
                        exact,
                        are_words,
                        players,
                        shared: shared.as_ref(),
                    };
                    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                    *known.entry(key::of(side, *line, form)).or_insert(next)
                };
                lines.iter().map(number).collect()
            };
            [of(self.first, first), of(self.second, second)]
        };
        let mut walk = walk::Walk {
            comparison: self,
            exact: keys(true),
            loose: keys(false),
            tolerance,
            anchor: walk::Anchor::default(),
        };
        walk.rows()
    }

    fn at(&self, side: usize, index: usize) -> i128 {
        i128::from(self.lines[side][index].at.micros())
    }
}

#[cfg(test)]
mod tests;
