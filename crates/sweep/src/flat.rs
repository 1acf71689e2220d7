//! The flat table of a sweep: one row for each session, for all sessions that are alike, or for all
//! breaks that are.
//!
//! Each column has one type. Varied settings are named as in `--vary`; the others are the same for
//! every sweep.

use std::fmt::Write;
use std::sync::Arc;

use super::sessions::SweepSession;
use super::summary::{BreakOutcome, FailedTag, FirstFrame, RunOutcome};
use super::{Sweep, SweepError};
use playsim_base::named::named;

/// A column of the flat table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, also where no row has a value.
    pub kind: ColumnType,
    /// Whether a row may be without a value: nothing in CSV, `null` in JSON.
    pub is_nullable: bool,
    /// Its content.
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

named! {
    /// The meaning of a row of the flat table.
    FlatRows {
        Alike "alike" "All sessions that are alike.",
        Each "each" "One session.",
        Breaks "breaks" "All breaks that are alike.",
    }
}

/// A column that is not a varied setting.
type Fixed = (&'static str, ColumnType, bool, &'static str);

/// The columns before those of varied settings.
const FIRST: [Fixed; 2] = [
    number(
        "combination",
        "the index of the combination of values, from 0; the last --vary changes fastest",
    ),
    number(
        "sessions",
        "how many sessions this row stands for; sum it to count",
    ),
];

/// The columns of sessions.
const OF_SESSIONS: [Fixed; 11] = [
    nullable(
        "run",
        ColumnType::Int64,
        "the index of the session in its combination; none if counted",
    ),
    text("ended", "how the run ended: idle, until, limit or livelock"),
    nullable(
        "filled_tag",
        ColumnType::Int64,
        "the number of the first tag that showed an ad, from 1, in whichever break",
    ),
    number("ads", "how many ads were shown"),
    number("breaks", "how many breaks asked a tag for ads"),
    number("breaks_filled", "how many of them showed an ad"),
    text(
        "codes",
        "the tags that gave no ad, in order, with their error codes: tag1:303 tag2:301",
    ),
    nullable(
        "first_frame_of",
        ColumnType::Text,
        "what the first picture shows: ad or content",
    ),
    nullable(
        "first_frame_us",
        ColumnType::Int64,
        "microseconds from the first break to it; if counted, up to the next 1000",
    ),
    number("beacons", "how many tracking URLs were called"),
    number(
        "unlisted",
        "how many requests went to URLs without a response",
    ),
];

/// The columns of breaks.
const OF_BREAKS: [Fixed; 7] = [
    number("player", "the number of the player, from 1"),
    number(
        "break",
        "the number of the break among those of its player that asked a tag for ads, from 1",
    ),
    text("kind", "its kind: pre, mid, post, overlay or command"),
    nullable(
        "cue_us",
        ColumnType::Int64,
        "its cue point, in microseconds of the content",
    ),
    nullable(
        "filled_tag",
        ColumnType::Int64,
        "the number of the tag that showed its first ad, from 1",
    ),
    number("ads", "how many ads it showed"),
    text(
        "codes",
        "the tags that gave it no ad, in order, with their error codes: tag1:303 tag2:301",
    ),
];

const fn number(name: &'static str, says: &'static str) -> Fixed {
    (name, ColumnType::Int64, false, says)
}

const fn text(name: &'static str, says: &'static str) -> Fixed {
    (name, ColumnType::Text, false, says)
}

const fn nullable(name: &'static str, kind: ColumnType, says: &'static str) -> Fixed {
    (name, kind, true, says)
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

/// The content of a row about its sessions, without their number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlatKey {
    combination: u64,
    of: Subject,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Session(OfSession),
    Break(OfBreak),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct OfSession {
    run: Option<u64>,
    ended: &'static str,
    filled_tag: Option<u64>,
    ads: u64,
    breaks: (u32, u32),
    failed: Vec<FailedTag>,
    first_frame: Option<(&'static str, u64)>,
    beacons: u32,
    unlisted: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct OfBreak {
    player: u32,
    number: u64,
    kind: &'static str,
    cue_us: Option<u64>,
    filled_tag: Option<u64>,
    ads: u32,
    failed: Vec<FailedTag>,
}

/// The form of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlatForm {
    /// Comma-separated values as in RFC 4180, with a head line.
    Csv,
    /// One JSON object on each line.
    Jsonl,
}

/// The flat table of a sweep: its columns, and how its rows are written.
#[derive(Debug, Clone)]
pub struct FlatTable {
    rows: FlatRows,
    form: FlatForm,
    columns: Vec<Column>,
    /// The values of each combination.
    values: Vec<Vec<Arc<str>>>,
}

impl Sweep<'_> {
    /// The flat table of this sweep.
    ///
    /// # Errors
    ///
    /// If there are too many combinations.
    pub fn flat(&self, rows: FlatRows, form: FlatForm) -> Result<FlatTable, SweepError> {
        let rest = match rows {
            FlatRows::Alike | FlatRows::Each => &OF_SESSIONS[..],
            FlatRows::Breaks => &OF_BREAKS,
        };
        let fixed = |(name, kind, is_nullable, says): &Fixed| Column {
            name: Arc::from(*name),
            kind: *kind,
            is_nullable: *is_nullable,
            says,
        };
        let varied = |axis: &super::Axis| Column {
            name: Arc::from(axis.name()),
            kind: ColumnType::Text,
            is_nullable: false,
            says: "the value, as in --vary",
        };
        let varied = self.axes.iter().map(varied);
        let columns = FIRST
            .iter()
            .map(fixed)
            .chain(varied)
            .chain(rest.iter().map(fixed))
            .collect();
        Ok(FlatTable {
            rows,
            form,
            columns,
            values: self.settings()?,
        })
    }
}

impl FlatTable {
    /// Its columns, in their order.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Its form.
    #[must_use]
    pub fn form(&self) -> FlatForm {
        self.form
    }

    /// The meaning of its rows.
    #[must_use]
    pub fn rows(&self) -> FlatRows {
        self.rows
    }

    /// The head line, if there is one.
    #[must_use]
    pub fn head(&self) -> String {
        match self.form {
            FlatForm::Csv => {
                let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
                names.join(",") + "\n"
            }
            FlatForm::Jsonl => String::new(),
        }
    }

    /// The content of the rows of a session: one row, or one for each break.
    #[must_use]
    pub fn keys(&self, session: SweepSession) -> Vec<FlatKey> {
        let SweepSession {
            combination,
            run,
            outcome,
        } = session;
        let of = match self.rows {
            FlatRows::Alike => vec![Subject::Session(OfSession::of(None, outcome, 1_000))],
            FlatRows::Each => vec![Subject::Session(OfSession::of(Some(run), outcome, 1))],
            FlatRows::Breaks => breaks(outcome),
        };
        of.into_iter()
            .map(|of| FlatKey { combination, of })
            .collect()
    }

    /// Passes the values of a row on, in the order of the [columns](FlatTable::columns), each with
    /// the index of its column.
    pub fn cells(
        &self,
        key: &FlatKey,
        sessions: u64,
        mut put: impl FnMut(usize, Option<FlatCell<'_>>),
    ) {
        let mut columns = 0..self.columns.len();
        let mut cell = |cell: Option<FlatCell<'_>>| {
            if let Some(index) = columns.next() {
                put(index, cell);
            }
        };
        cell(Some(FlatCell::Number(key.combination)));
        cell(Some(FlatCell::Number(sessions)));
        let values = usize::try_from(key.combination)
            .ok()
            .and_then(|index| self.values.get(index));
        values
            .into_iter()
            .flatten()
            .for_each(|value| cell(Some(FlatCell::Text(value))));
        match &key.of {
            Subject::Session(of) => of.cells(cell),
            Subject::Break(of) => of.cells(cell),
        }
    }

    /// Writes a row, given the number of its sessions.
    #[must_use]
    pub fn row(&self, key: &FlatKey, sessions: u64) -> String {
        let mut line = String::with_capacity(128);
        self.cells(key, sessions, |index, cell| {
            self.form
                .cell(index, &self.columns[index].name, cell, &mut line);
        });
        line.push_str(if self.form == FlatForm::Jsonl {
            "}\n"
        } else {
            "\n"
        });
        line
    }
}

fn tag(tag: super::TagNumber) -> u64 {
    u64::from(tag.wp()) + 1
}

/// The breaks of a session. Those of each player have numbers of their own.
fn breaks(outcome: RunOutcome) -> Vec<Subject> {
    let mut last: Vec<(u32, u64)> = Vec::new();
    let mut number = |player: u32| match last.iter_mut().find(|(known, _)| *known == player) {
        Some((_, number)) => {
            *number += 1;
            *number
        }
        None => {
            last.push((player, 1));
            1
        }
    };
    let of = |BreakOutcome {
                  player,
                  kind,
                  cue_us,
                  filled_by,
                  ads,
                  failed,
              }: BreakOutcome| OfBreak {
        player,
        number: number(player),
        kind: kind.name(),
        cue_us,
        filled_tag: filled_by.map(tag),
        ads,
        failed,
    };
    outcome
        .by_break
        .into_iter()
        .map(of)
        .map(Subject::Break)
        .collect()
}

impl OfSession {
    fn of(run: Option<u64>, outcome: RunOutcome, resolution: u64) -> OfSession {
        let frame = |FirstFrame { after_us, of }: FirstFrame| {
            (
                of.name(),
                after_us.div_ceil(resolution).saturating_mul(resolution),
            )
        };
        OfSession {
            run,
            ended: outcome.ended.map_or("", |ended| ended.name()),
            filled_tag: outcome.filled_by.first().copied().map(tag),
            ads: outcome
                .shown
                .iter()
                .map(|shown| shown.places.len() as u64)
                .sum(),
            breaks: (outcome.breaks, outcome.breaks_filled),
            first_frame: outcome.first_frame.map(frame),
            beacons: outcome.pixels(),
            unlisted: outcome.unlisted,
            failed: outcome.failed,
        }
    }

    fn cells(&self, mut cell: impl FnMut(Option<FlatCell<'_>>)) {
        cell(self.run.map(FlatCell::Number));
        cell(Some(FlatCell::Text(self.ended)));
        cell(self.filled_tag.map(FlatCell::Number));
        cell(Some(FlatCell::Number(self.ads)));
        cell(Some(FlatCell::Number(self.breaks.0.into())));
        cell(Some(FlatCell::Number(self.breaks.1.into())));
        cell(Some(FlatCell::Text(&codes(&self.failed))));
        cell(self.first_frame.map(|(of, _)| FlatCell::Text(of)));
        cell(self.first_frame.map(|(_, us)| FlatCell::Number(us)));
        cell(Some(FlatCell::Number(self.beacons.into())));
        cell(Some(FlatCell::Number(self.unlisted.into())));
    }
}

impl OfBreak {
    fn cells(&self, mut cell: impl FnMut(Option<FlatCell<'_>>)) {
        cell(Some(FlatCell::Number(self.player.into())));
        cell(Some(FlatCell::Number(self.number)));
        cell(Some(FlatCell::Text(self.kind)));
        cell(self.cue_us.map(FlatCell::Number));
        cell(self.filled_tag.map(FlatCell::Number));
        cell(Some(FlatCell::Number(self.ads.into())));
        cell(Some(FlatCell::Text(&codes(&self.failed))));
    }
}

fn codes(failed: &[FailedTag]) -> String {
    let mut codes = String::new();
    for FailedTag { tag, code } in failed {
        let gap = if codes.is_empty() { "" } else { " " };
        let _ = write!(
            codes,
            "{gap}{tag}:{}",
            code.map_or("none".to_owned(), |code| code.to_string())
        );
    }
    codes
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlatCell<'a> {
    /// Of a column of numbers.
    Number(u64),
    /// Of a column of text.
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

    /// Writes the value of a column.
    fn cell(self, index: usize, name: &str, cell: Option<FlatCell<'_>>, line: &mut String) {
        if self == FlatForm::Jsonl {
            let mark = if index == 0 { '{' } else { ',' };
            let _ = write!(line, "{mark}\"{name}\":");
        } else if index > 0 {
            line.push(',');
        }
        match (self, cell) {
            (_, Some(FlatCell::Number(number))) => _ = write!(line, "{number}"),
            (FlatForm::Csv, Some(FlatCell::Text(text))) => quoted(text, line),
            (FlatForm::Jsonl, Some(FlatCell::Text(text))) => {
                line.push_str(&serde_json::to_string(text).unwrap_or_default());
            }
            (FlatForm::Csv, None) => {}
            (FlatForm::Jsonl, None) => line.push_str("null"),
        }
    }

    /// Splits a row into its combination, the number of its sessions, and everything else as
    /// written.
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
            FlatForm::Jsonl => {
                format!("{{\"combination\":{combination},\"sessions\":{sessions},{rest}\n")
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_rules::knobs::KNOBS;

    #[test]
    fn no_column_is_called_like_something_that_varies() {
        let fixed: Vec<&str> = FIRST
            .iter()
            .chain(&OF_SESSIONS)
            .chain(&OF_BREAKS)
            .map(|(name, ..)| *name)
            .collect();
        let varied =
            KNOBS
                .iter()
                .map(|knob| knob.name)
                .chain(["profile", "configuration", "order"]);
        for name in varied {
            assert!(!fixed.contains(&name), "{name}");
        }
        // The other ones, such as tag1.after, have a dot.
        assert!(fixed.iter().all(|name| !name.contains('.')));
    }
}
