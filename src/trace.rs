//! The trace: everything that happened, in order, each line with its cause and its rule.
//!
//! A [`Trace`] is a list of [`Record`]s. A run of time updates between two other lines is one record, in
//! one canonical form, whether or not each was delivered to a listener: so the same run has the same
//! digest however it was driven. Text, JSON lines and the forms of other tools are printed on demand.
//!
//! Rules: TRACE-1 to TRACE-8, CLK-9, EVT-23.

use std::sync::Arc;

use crate::api::{Cause, Fields, Kind, Text, TimeUpdates, Value};
use crate::rules::RuleId;
use crate::time::{Span, Time};

mod causes;
mod digest;
mod explain;
mod export;
mod jsonl;
mod read;
mod tape;
mod text;
mod view;

pub use causes::{Causes, Link};
pub use digest::Digest;
pub use explain::{find, write_causes};
pub use export::{write_chrome_trace, write_har, write_html, write_pixels, write_summary};
pub use jsonl::{write_jsonl, write_jsonl_record};
pub use read::{TraceError, read_jsonl};
pub use tape::{NewLine, Tape};
pub use text::{line_words, write_text};
pub use view::{Filter, Pattern, View};

/// The form's version, in the first line of every trace.
pub const VERSION: u32 = 1;

/// Which player of the run, counted from 0 in the order they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerIndex(pub u16);

/// One line, or one run of time updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// When.
    pub at: Time,
    /// The running number of its first line.
    pub seq: u32,
    /// The number of the line that led to it; `None` for what the script gives.
    pub cause: Option<u32>,
    /// The rule that decided.
    pub rule: Option<RuleId>,
    /// Whose line it is; `None` for the whole page.
    pub player: Option<PlayerIndex>,
    /// Whether it is the first line of its turn: what one input of the run led to.
    pub opens_turn: bool,
    /// Its kind.
    pub kind: Kind,
    /// Its name within the kind.
    pub name: Text,
    /// What it carries.
    pub data: Fields,
    /// For time updates: how many follow one another, and how far apart.
    pub run: Option<Run>,
}

/// How many time updates a record stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// From one to the next.
    pub step: Span,
    /// How many, at least 1.
    pub count: u32,
}

/// Takes the records of a run that keeps none.
pub trait Sink {
    /// Takes a record, and the container of its player.
    fn record(&mut self, record: &Record, container: Option<&Arc<str>>);
}

/// A finished trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The lines in order: first the header, last the outcome.
    pub records: Vec<Record>,
    /// The container of each player.
    pub players: Vec<Arc<str>>,
    /// XXH3-128 over all records but the last.
    pub digest: Digest,
}

impl Record {
    /// The container of its player, of a run with these.
    fn container<'a>(&self, players: &'a [Arc<str>]) -> Option<&'a Arc<str>> {
        players.get(usize::from(self.player?.0))
    }

    /// How many lines it stands for.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.run.map_or(1, |run| run.count)
    }

    /// When its last line comes.
    #[must_use]
    pub fn until(&self) -> Time {
        self.run.map_or(self.at, |run| self.at + run.step.times(u64::from(run.count - 1)))
    }

    /// Its lines one by one: running number and time.
    pub fn each(&self) -> impl Iterator<Item = (u32, Time)> + '_ {
        let step = self.run.map_or(Span::ZERO, |run| run.step);
        (0..self.lines()).map(move |index| (self.seq + index, self.at + step.times(u64::from(index))))
    }
}

impl Trace {
    /// The events in order, as name, time and data: what a listener of everything would have heard.
    pub fn events(&self) -> impl Iterator<Item = (&str, Time, &Fields)> + '_ {
        self.records
            .iter()
            .filter(|record| record.kind == Kind::Event)
            .flat_map(|record| record.each().map(move |(_, at)| (&*record.name, at, &record.data)))
    }

    /// The word of the outcome: `idle`, `until`, `limit` or `livelock`. Rule CLK-7.
    #[must_use]
    pub fn outcome(&self) -> &str {
        self.records.last().map_or("", |record| &record.name)
    }

    /// The record that holds the line of this number.
    #[must_use]
    pub fn record(&self, seq: u32) -> Option<&Record> {
        let after = self.records.partition_point(|record| record.seq <= seq);
        self.records.get(after.checked_sub(1)?).filter(|record| seq - record.seq < record.lines())
    }

    /// The container of a record's player.
    #[must_use]
    pub fn container(&self, record: &Record) -> Option<&Arc<str>> {
        record.container(&self.players)
    }
}
