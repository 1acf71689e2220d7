//! Prints a comparison: each place with the lines around it, and below the first place its causes.
//!
//! `-` marks lines of the first side, `+` those of the second, and `~` lines that are on both at
//! different times. Time and player are printed only where they change.

use std::fmt::{self, Write};
use std::ops::Range;

use super::{Change, Comparison, Line, LineRow, Side, key};
use playsim_base::escape;
use playsim_base::time::Time;
use playsim_base::words::{self, counted};

/// The number of equal lines printed before and after those that differ.
const BEFORE: usize = 3;
const AFTER: usize = 2;
/// The maximum number of lines printed before a difference in order to begin at the input that
/// caused it.
const TURN: usize = 12;
/// The longest chain of causes printed.
const LONGEST_CHAIN: usize = 8;

impl Comparison<'_> {
    /// Writes the places with at most `lines` of their lines. Returns whether that was all of them.
    ///
    /// # Errors
    ///
    /// If the sink fails.
    pub fn write(&self, lines: usize, sink: &mut impl Write) -> Result<bool, fmt::Error> {
        // A side read from a text file is untrusted input, so it is escaped.
        let sink = &mut escape::Lines(sink);
        writeln!(sink, "--- {}\n+++ {}", self.first.name, self.second.name)?;
        if let Some((first, second)) = self.other_heads() {
            writeln!(sink, "- {first}\n+ {second}")?;
        }
        let places = self.places();
        let Some(first) = places.first() else {
            return Ok(true);
        };
        let same: usize = self.rows[..first.start]
            .iter()
            .map(|row| row.first.len())
            .sum();
        let same = counted(same, "identical line");
        match places.len() {
            1 => writeln!(sink, "1 place differs, after {same}\n")?,
            more => writeln!(sink, "{more} places differ, the first after {same}\n")?,
        }
        let mut left = lines;
        let mut are_all = true;
        for (index, place) in places.iter().enumerate() {
            let mut text = String::new();
            self.place(place.clone(), &mut text)?;
            are_all &= text.lines().count() <= left;
            if index > 0 && left > 0 {
                writeln!(sink)?;
            }
            for line in text.lines().take(left) {
                writeln!(sink, "{line}")?;
                left -= 1;
            }
            if index == 0 {
                self.causes(&self.rows[place.start], sink)?;
            }
        }
        Ok(are_all)
    }

    /// Returns the rows of each place. Differences with few lines between them share a place.
    fn places(&self) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        for (index, row) in self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.change != Change::Same)
        {
            match places.last_mut() {
                Some(last) if index - last.end <= AFTER => last.end = index + 1,
                Some(last) if self.moves_on(last.clone(), row) => last.end = index + 1,
                Some(_) | None => places.push(index..index + 1),
            }
        }
        places
    }

    /// Returns whether a row has the same time shift as all differences of the last place: one
    /// delay counts as one place.
    fn moves_on(&self, last: Range<usize>, row: &LineRow) -> bool {
        let mut changed = self.rows[last]
            .iter()
            .map(|row| row.change)
            .filter(|change| *change != Change::Same);
        matches!(row.change, Change::Moved(_)) && changed.all(|change| change == row.change)
    }

    fn place(&self, place: Range<usize>, sink: &mut impl Write) -> fmt::Result {
        let mut hunk = Hunk {
            comparison: self,
            sink,
            last: None,
        };
        for row in &self.rows[self.context(place.start)..place.start] {
            hunk.row(row)?;
        }
        let mut rows = self.rows[place.clone()].iter().peekable();
        while let Some(row) = rows.next() {
            hunk.row(row)?;
            // One delay shifts everything after it, and is reported only once.
            let Change::Moved(apart) = row.change else {
                continue;
            };
            let mut more = 0;
            while let Some(row) =
                rows.next_if(|row| row.change == Change::Same || row.change == Change::Moved(apart))
            {
                more += if row.change == Change::Same {
                    0
                } else {
                    row.first.len()
                };
            }
            match more {
                0 => {}
                1 => hunk.note(&format!("... and the next line, also {}", later(apart)))?,
                more => hunk.note(&format!(
                    "... and the next {more} lines, also {}",
                    later(apart)
                ))?,
            }
        }
        let after = place.end..self.rows.len().min(place.end + AFTER);
        for row in self.rows[after]
            .iter()
            .take_while(|row| row.change == Change::Same)
        {
            hunk.row(row)?;
        }
        Ok(())
    }

    /// Returns the first row to print before a difference: the input, if it is not too far away.
    fn context(&self, row: usize) -> usize {
        let usual = row.saturating_sub(BEFORE);
        let here = |row: &LineRow| {
            let line = self.lines[0].get(row.first.start)?;
            Some((line.at, self.first.record(*line).player))
        };
        let begin = self.rows[..row]
            .iter()
            .rposition(|before| here(before) != here(&self.rows[row]));
        let begin = begin.map_or(0, |before| before + 1);
        if begin + TURN < row {
            usual
        } else {
            begin.min(usual)
        }
    }

    /// Prints the causes of the first line that differs, on both sides. The end that both chains
    /// share is printed for the first side only.
    fn causes(&self, row: &LineRow, sink: &mut impl Write) -> fmt::Result {
        let sides = [
            (self.first, row.first.clone()),
            (self.second, row.second.clone()),
        ];
        let chain = |index: usize| {
            let (side, lines): &(&Side, Range<usize>) = &sides[index];
            self.lines[index]
                .get(lines.start)
                .map_or_else(Vec::new, |line| side.chain(*line))
        };
        let chains = [chain(0), chain(1)];
        let [first, second] = &chains;
        let same = first
            .iter()
            .rev()
            .zip(second.iter().rev())
            .take_while(|(a, b)| a.text == b.text)
            .count();
        for (index, ((side, lines), sign)) in sides.iter().zip(["-", "+"]).enumerate() {
            writeln!(sink)?;
            let chain = &chains[index];
            match (chain.is_empty(), self.differs(index, lines.start)) {
                (true, _) => writeln!(sink, "{sign} {} has no more lines here", side.name)?,
                (false, false) => writeln!(sink, "{sign} {} continues with", side.name)?,
                (false, true) => writeln!(sink, "{sign} {} has", side.name)?,
            }
            // A single shared line is printed on both sides.
            let own = if index == 0 || same < 2 {
                chain.len()
            } else {
                (chain.len() - same).max(1)
            };
            let longest = own.min(LONGEST_CHAIN);
            for Cause { place, text } in &chain[..longest] {
                writeln!(sink, "  {place:>12}  {text}")?;
            }
            match (own - longest, chain.len() - own) {
                (0, 0) => {}
                (0, _) => writeln!(sink, "            <- the same as above")?,
                (more, _) => writeln!(sink, "            <- ... and {more} more")?,
            }
        }
        Ok(())
    }

    /// Returns whether a line of a side differs.
    fn differs(&self, side: usize, line: usize) -> bool {
        let lines = |row: &LineRow| {
            if side == 0 {
                row.first.clone()
            } else {
                row.second.clone()
            }
        };
        self.rows
            .iter()
            .any(|row| row.change != Change::Same && lines(row).contains(&line))
    }

    /// Returns the words of a row on one side.
    fn words(&self, side: usize, row: &LineRow) -> String {
        let (of, lines) = if side == 0 {
            (self.first, &row.first)
        } else {
            (self.second, &row.second)
        };
        let lines = &self.lines[side][lines.clone()];
        let Some(first) = lines.first() else {
            return String::new();
        };
        let mut words = of.words[first.record].clone();
        if let Some(last) = lines.last().filter(|_| lines.len() > 1) {
            let steps = lines.windows(2).map(|two| two[1].at - two[0].at);
            let step = steps
                .clone()
                .next()
                .filter(|step| steps.clone().all(|other| other == *step));
            let every = step.map_or_else(String::new, |step| format!(", every {step}"));
            let _ = write!(words, "  {} times{every}, to {}", lines.len(), last.at);
        }
        if row.change == Change::Other {
            words.push_str(&self.unprinted_data(side, row));
        }
        words
    }

    /// Returns the data that differ, if the printed line does not contain them.
    fn unprinted_data(&self, side: usize, row: &LineRow) -> String {
        let first = (self.first, self.lines[0][row.first.start]);
        let second = (self.second, self.lines[1][row.second.start]);
        if self.first.words[first.1.record] != self.second.words[second.1.record] {
            return String::new();
        }
        let (own, other) = if side == 0 {
            (first, second)
        } else {
            (second, first)
        };
        let (own, other) = (own.0.record(own.1), other.0.record(other.1));
        let fields = key::fields(own).filter(|(key, value)| other.data.get(key) != Some(value));
        let fields: Vec<String> = fields
            .map(|(key, value)| format!("{}={value:#}", escape::line(key)))
            .collect();
        if fields.is_empty() {
            String::new()
        } else {
            format!("  ({})", fields.join(" "))
        }
    }
}

/// One line of a chain of causes.
struct Cause {
    /// Its sequence number, or its line in the text form.
    place: String,
    text: String,
}

impl Side {
    /// Returns a line and its causes, the line itself first.
    fn chain(&self, line: Line) -> Vec<Cause> {
        let Some(causes) = self.trace.causes(line.seq) else {
            return Vec::new();
        };
        let what = if self.is_text { "line" } else { "seq" };
        let mut chain = Vec::new();
        for (index, link) in causes.links.iter().enumerate() {
            let arrow = if index == 0 { "" } else { "<- " };
            let at = if index == 0 { line.at } else { link.at };
            let container = escape::line(self.trace.container(link.record).map_or("", |id| id));
            let gap = if container.is_empty() { "" } else { "  " };
            let record = self
                .trace
                .records
                .partition_point(|record| record.seq < link.record.seq);
            let words = self.words.get(record).map_or("", String::as_str);
            let rule = link
                .record
                .rule
                .map_or_else(String::new, |rule| format!("  [{rule}]"));
            let text = format!("{at:13}  {container}{gap}{words}{rule}");
            chain.push(Cause {
                place: format!("{arrow}{what} {}", link.seq),
                text,
            });
        }
        if let Some(lost) = causes.lost {
            chain.push(Cause {
                place: format!("<- {what} {lost}"),
                text: "is not in this trace".to_owned(),
            });
        }
        chain
    }
}

/// Prints the lines of one place, with time and player only where they change.
struct Hunk<'a, W> {
    comparison: &'a Comparison<'a>,
    sink: &'a mut W,
    last: Option<(Time, String)>,
}

impl<W: Write> Hunk<'_, W> {
    fn row(&mut self, row: &LineRow) -> fmt::Result {
        match row.change {
            Change::Same => self.line(" ", 0, row, ""),
            Change::Moved(apart) => self.line("~", 0, row, &format!("  ({})", later(apart))),
            Change::OnlyFirst => self.line("-", 0, row, ""),
            Change::OnlySecond => self.line("+", 1, row, ""),
            Change::Other => {
                self.line("-", 0, row, "")?;
                self.line("+", 1, row, "")
            }
        }
    }

    fn line(&mut self, sign: &str, side: usize, row: &LineRow, note: &str) -> fmt::Result {
        let comparison = self.comparison;
        let (of, index) = if side == 0 {
            (comparison.first, row.first.start)
        } else {
            (comparison.second, row.second.start)
        };
        let Some(line) = comparison.lines[side].get(index) else {
            return Ok(());
        };
        let here = (line.at, escape::line(of.container(*line)).into_owned());
        let words = comparison.words(side, row);
        let width = self.width();
        if self.last.as_ref() == Some(&here) {
            writeln!(self.sink, "{sign} {:13}  {:width$}  {words}{note}", "", "")?;
        } else {
            writeln!(
                self.sink,
                "{sign} {:13}  {}  {words}{note}",
                here.0,
                words::padded(&here.1, width)
            )?;
        }
        // Several time updates have no single time for the next line to share.
        self.last = Some(here).filter(|_| row.first.len().max(row.second.len()) == 1);
        Ok(())
    }

    fn note(&mut self, text: &str) -> fmt::Result {
        let width = self.width();
        self.last = None;
        writeln!(self.sink, "~ {:13}  {:width$}  {text}", "", "")
    }

    fn width(&self) -> usize {
        let sides = [self.comparison.first, self.comparison.second];
        let ids = sides.iter().flat_map(|side| &side.trace.players);
        ids.map(|id| words::width(&escape::line(id)))
            .max()
            .unwrap_or(0)
            .clamp(4, 20)
    }
}

/// Returns the delay of the second side, such as `0.250000 s later`.
fn later(apart: i128) -> String {
    let micros = u64::try_from(apart.unsigned_abs()).unwrap_or(u64::MAX);
    let word = if apart < 0 { "earlier" } else { "later" };
    format!("{} s {word}", Time::from_micros(micros))
}
