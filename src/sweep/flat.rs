//! The flat table of a sweep: one row for each session, or for all sessions that are alike.
//!
//! Its columns are the same for every sweep, each of one type, so that files of several sweeps can be read as one.

use std::fmt::Write;
use std::sync::Arc;

use super::sessions::Session;
use super::summary::{FailedTag, FirstFrame, Outcome};

/// A column of the flat table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnType,
    /// Whether a row may be without a value: nothing in CSV, `null` in JSON.
    pub is_nullable: bool,
    /// What it says.
    pub says: &'static str,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// A whole number that a signed one of 64 bits holds.
    Int64,
    /// Text.
    Text,
}

/// The columns of the flat table, in their order.
pub const COLUMNS: &[Column] = &[
    number("combination", "the index of the combination of values, from 0; the last --vary changes fastest"),
    number("sessions", "how many sessions this row stands for; sum it to count"),
    text("settings", "the values of the combination, such as ad.timeout=2s; tag1.fill=60%"),
    column("run", ColumnType::Int64, true, "the index of the session in its combination; none if counted"),
    text("ended", "how the run ended: idle, until, limit or livelock"),
    column("filled_tag", ColumnType::Int64, true, "the number of the first tag that showed an ad, from 1"),
    number("ads", "how many ads were shown"),
    number("breaks", "how many breaks asked a tag for ads"),
    number("breaks_filled", "how many of them showed an ad"),
    text("codes", "the tags that gave no ad, in order, with their error codes: tag1:303 tag2:301"),
    column("first_frame_of", ColumnType::Text, true, "what the first picture shows: ad or content"),
    column(
        "first_frame_us",
        ColumnType::Int64,
        true,
        "microseconds from the first break to it; if counted, up to the next 1000",
    ),
    number("beacons", "how many tracking URLs were called"),
    number("unlisted", "how many requests went to URLs without a response"),
];

const fn column(name: &'static str, kind: ColumnType, is_nullable: bool, says: &'static str) -> Column {
    Column { name, kind, is_nullable, says }
}

const fn number(name: &'static str, says: &'static str) -> Column {
    column(name, ColumnType::Int64, false, says)
}

const fn text(name: &'static str, says: &'static str) -> Column {
    column(name, ColumnType::Text, false, says)
}

impl ColumnType {
    /// Its name: `int64` or `string`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Int64 => "int64",
            ColumnType::Text => "string",
        }
    }
}

/// What a row says of its sessions, without their number and the settings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlatKey {
    /// The index of the combination.
    pub combination: u64,
    run: Option<u64>,
    ended: &'static str,
    filled_tag: Option<u32>,
    ads: usize,
    breaks: (u32, u32),
    failed: Vec<FailedTag>,
    first_frame: Option<(&'static str, u64)>,
    beacons: u32,
    unlisted: u32,
}

/// The form of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlatForm {
    /// Comma-separated values as in RFC 4180, with a head line.
    Csv,
    /// One JSON object on each line.
    Jsonl,
}

impl FlatKey {
    /// The row of a session of its own.
    #[must_use]
    pub fn of_one(session: Session) -> FlatKey {
        let run = Some(session.run);
        FlatKey { run, ..FlatKey::of(session.combination, session.outcome, 1) }
    }

    /// The row of all sessions that are alike.
    #[must_use]
    pub fn of_alike(session: Session) -> FlatKey {
        FlatKey::of(session.combination, session.outcome, 1_000)
    }

    fn of(combination: u64, outcome: Outcome, resolution: u64) -> FlatKey {
        let frame = |FirstFrame { after_us, of }: FirstFrame| {
            (of.name(), after_us.div_ceil(resolution).saturating_mul(resolution))
        };
        FlatKey {
            combination,
            run: None,
            ended: outcome.ended.map_or("", |ended| ended.name()),
            filled_tag: outcome.filled_by.first().map(|tag| tag.wp() + 1),
            ads: outcome.shown.iter().map(|shown| shown.places.len()).sum(),
            breaks: (outcome.breaks, outcome.breaks_filled),
            first_frame: outcome.first_frame.map(frame),
            beacons: outcome.pixels(),
            unlisted: outcome.unlisted,
            failed: outcome.failed,
        }
    }

    /// Writes the row, given how many sessions it stands for and the settings of its combination.
    #[must_use]
    pub fn row(&self, form: FlatForm, sessions: u64, settings: &Arc<str>) -> String {
        let mut codes = String::new();
        for FailedTag { tag, code } in &self.failed {
            let gap = if codes.is_empty() { "" } else { " " };
            let _ = write!(codes, "{gap}{tag}:{}", code.map_or("none".to_owned(), |code| code.to_string()));
        }
        let number = |value: u64| Some(Cell::Number(value));
        let cells = [
            number(self.combination),
            number(sessions),
            Some(Cell::Text(settings)),
            self.run.map(Cell::Number),
            Some(Cell::Text(self.ended)),
            self.filled_tag.map(|tag| Cell::Number(tag.into())),
            number(self.ads as u64),
            number(self.breaks.0.into()),
            number(self.breaks.1.into()),
            Some(Cell::Text(&codes)),
            self.first_frame.map(|(of, _)| Cell::Text(of)),
            self.first_frame.map(|(_, us)| Cell::Number(us)),
            number(self.beacons.into()),
            number(self.unlisted.into()),
        ];
        form.line(&cells)
    }
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
enum Cell<'a> {
    Number(u64),
    Text(&'a str),
}

impl FlatForm {
    /// The ending of the names of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            FlatForm::Csv => "csv",
            FlatForm::Jsonl => "jsonl",
        }
    }

    /// The first line, if there is one that is no row.
    #[must_use]
    pub fn head(self) -> String {
        match self {
            FlatForm::Csv => COLUMNS.iter().map(|column| column.name).collect::<Vec<_>>().join(",") + "\n",
            FlatForm::Jsonl => String::new(),
        }
    }

    fn line(self, cells: &[Option<Cell<'_>>; COLUMNS.len()]) -> String {
        let mut line = String::with_capacity(128);
        for (index, (column, cell)) in COLUMNS.iter().zip(cells).enumerate() {
            if self == FlatForm::Jsonl {
                let mark = if index == 0 { '{' } else { ',' };
                let _ = write!(line, "{mark}\"{}\":", column.name);
            } else if index > 0 {
                line.push(',');
            }
            match (self, cell) {
                (_, Some(Cell::Number(number))) => _ = write!(line, "{number}"),
                (FlatForm::Csv, Some(Cell::Text(text))) => quoted(text, &mut line),
                (FlatForm::Jsonl, Some(Cell::Text(text))) => {
                    line.push_str(&serde_json::to_string(text).unwrap_or_default());
                }
                (FlatForm::Csv, None) => {}
                (FlatForm::Jsonl, None) => line.push_str("null"),
            }
        }
        line.push_str(if self == FlatForm::Jsonl { "}\n" } else { "\n" });
        line
    }

    /// Splits a row into its combination, the number of its sessions, and everything else as written.
    #[must_use]
    pub fn split(self, line: &str) -> Option<(u64, u64, &str)> {
        let (first, second) = match self {
            FlatForm::Csv => ("", ""),
            FlatForm::Jsonl => ("{\"combination\":", "\"sessions\":"),
        };
        let (combination, rest) = line.strip_prefix(first)?.split_once(',')?;
        let (sessions, rest) = rest.strip_prefix(second)?.split_once(',')?;
        Some((combination.parse().ok()?, sessions.parse().ok()?, rest))
    }

    /// Puts a row together again, with another number of sessions.
    #[must_use]
    pub fn join(self, combination: u64, sessions: u64, rest: &str) -> String {
        match self {
            FlatForm::Csv => format!("{combination},{sessions},{rest}\n"),
            FlatForm::Jsonl => format!("{{\"combination\":{combination},\"sessions\":{sessions},{rest}\n"),
        }
    }
}

/// Writes a value of a line of CSV.
fn quoted(text: &str, line: &mut String) {
    if text.contains([',', '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(text);
    }
}
