//! The trace: everything that happened, in order. Each line names its cause and its rule.
//!
//! A [`Trace`] is a list of [`Record`]s. A run of time updates between two other lines is one
//! record in a canonical form, whether or not each was delivered to a listener; a run therefore has
//! the same digest however it was driven. Text, JSON lines and the formats of other tools are
//! produced on demand.
//!
//! Rules: TRACE-1 to TRACE-8, CLK-9, EVT-23.

use std::sync::Arc;

use playsim_api::{
    BreakNumber, Cause, Code, EventName, Fields, Kind, LineName, NetLine, Outcome, Purpose, Text,
    TimeUpdates, Value,
};
use playsim_base::time::{Span, Time};
use playsim_rules::RuleId;

use record::{BeaconRecord, Payload, RecordView};

mod causes;
mod digest;
mod explain;
mod export;
mod jsonl;
mod read;
pub mod record;
pub mod session;
mod tape;
mod text;
mod view;

pub use causes::{Causes, Link};
pub use digest::{Bytes, Digest};
pub use explain::{NoSuchLine, find, write_causes};
pub use export::{LeftOutLines, scenario as scenario_name, setting_words};
pub use export::{Site, write_chrome_trace, write_har, write_pixels, write_summary};
pub use jsonl::write_jsonl;
pub use read::{TraceError, read_jsonl};
pub use tape::{NewLine, Tape};
pub use text::line_words;
pub use text::write_text;
pub use view::{Filter, Pattern, View};

pub use playsim_api::PlayerIndex;

/// The version of the form, which the first line of every trace contains.
pub const VERSION: u32 = 1;

/// The version of the form of recordings, which their head contains.
pub const RECORDING_VERSION: u32 = 1;

/// One line, or one run of time updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The time at which it happened.
    pub at: Time,
    /// The sequence number of its first line.
    pub seq: u32,
    /// The number of the line that caused it; `None` for inputs from the script.
    pub cause: Option<u32>,
    /// The rule that decided.
    pub rule: Option<RuleId>,
    /// The player it belongs to; `None` for the whole page.
    pub player: Option<PlayerIndex>,
    /// The break of its player that it belongs to. Traces from other sources do not contain it.
    pub in_break: Option<BreakNumber>,
    /// Whether it is the first line of a turn, which is everything caused by one input of the run.
    pub opens_turn: bool,
    /// Its kind.
    pub kind: Kind,
    /// Its name within the kind.
    pub name: Text,
    /// Its data.
    pub data: Fields,
    /// For time updates: how many there are in a row, and how far apart.
    pub run: Option<Run>,
}

/// How many time updates a record covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The time from one to the next.
    pub step: Span,
    /// Their number, at least 1.
    pub count: u32,
}

/// An event of a trace. Each time update of a run is one of its own.
///
/// Its name is a variant, and is not compared with text: a misspelt name would never match.
///
/// ```
/// # use playsim::{Trace, api::EventName};
/// # fn ads(trace: &Trace) -> usize {
/// trace.events().filter(|event| event.name == EventName::AdStart).count()
/// # }
/// ```
///
/// ```compile_fail,E0277
/// # use playsim::{Trace, api::EventName};
/// # fn ads(trace: &Trace) -> usize {
/// trace.events().filter(|event| event.name == "adStrat").count()
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceEvent<'a> {
    /// Which event.
    pub name: EventName,
    /// The time at which it fired.
    pub at: Time,
    /// The contents of `e.data`; empty for events documented without data.
    pub data: &'a Fields,
    /// The number of its line.
    pub seq: u32,
    /// Its record, which has player, cause and rule.
    pub record: &'a Record,
}

impl<'a> TraceEvent<'a> {
    /// Returns its data, as a type.
    #[must_use]
    pub fn payload(&self) -> Payload<'a> {
        Payload::of(self.record)
    }
}

/// Receives the records of a run that keeps none.
pub trait Sink {
    /// Receives a record, and the container of its player.
    fn record(&mut self, record: &Record, container: Option<&Arc<str>>);

    /// Whether the outcome has the digest of all records. Computing it is a fifth of the cost of a
    /// short run.
    fn wants_digest(&self) -> bool {
        true
    }
}

/// A finished trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The lines in order: the header first, the outcome last.
    pub records: Vec<Record>,
    /// The container of each player.
    pub players: Vec<Arc<str>>,
    /// XXH3-128 over all records except the last.
    pub digest: Digest,
}

impl Record {
    /// Returns its name from the name tables; `None` for a name from page code, a document or
    /// another player.
    #[must_use]
    pub fn line_name(&self) -> Option<LineName> {
        LineName::from_name(self.kind, &self.name)
    }

    /// Returns whether it is a line of this name.
    #[must_use]
    pub fn is(&self, name: impl Into<LineName>) -> bool {
        let name = name.into();
        self.kind == name.kind() && *self.name == *name.name()
    }

    /// Returns the event that page code observes; `None` for any other line.
    #[must_use]
    pub fn event(&self) -> Option<EventName> {
        if self.kind == Kind::Event {
            EventName::from_name(&self.name)
        } else {
            None
        }
    }

    /// Returns the media element's event, whether or not page code observes it. Rule EVT-18.
    #[must_use]
    pub fn media_event(&self) -> Option<EventName> {
        if matches!(self.kind, Kind::Media | Kind::Event) {
            EventName::from_name(&self.name)
        } else {
            None
        }
    }

    /// Returns the event that this line says was dropped with its player. Rule EVT-21.
    pub fn dropped_event(&self) -> Option<EventName> {
        let text = self
            .is(Code::EventDropped)
            .then(|| self.data.text("text"))??;
        EventName::from_name(text.split(' ').next()?)
    }

    /// Returns what its request is for; `None` for lines without a request, and for purposes of
    /// other players.
    #[must_use]
    pub fn purpose(&self) -> Option<Purpose> {
        Purpose::from_name(self.data.text("purpose")?)
    }

    /// Returns the container of its player, given the players of the run.
    fn container<'a>(&self, players: &'a [Arc<str>]) -> Option<&'a Arc<str>> {
        players.get(usize::from(self.player?.0))
    }

    /// Returns whether the player itself wrote this network line: a request, or one that it stopped
    /// waiting for.
    fn is_sent_or_missed(&self) -> bool {
        self.is(NetLine::Request) || self.is(NetLine::Timeout)
    }

    /// Returns the number of lines that it covers.
    #[must_use]
    pub fn lines(&self) -> u32 {
        // A record built by hand may have a count of 0, and is still a line.
        self.run.map_or(1, |run| run.count.max(1))
    }

    /// Returns the sequence number of its last line, at most the largest there is.
    #[must_use]
    pub fn last_seq(&self) -> u32 {
        self.seq.saturating_add(self.lines() - 1)
    }

    /// Returns the time of its last line.
    #[must_use]
    pub fn until(&self) -> Time {
        self.time_of(self.lines() - 1)
    }

    /// Returns its lines one by one, as sequence number and time.
    pub fn each(&self) -> impl Iterator<Item = (u32, Time)> + '_ {
        (0..self.lines()).map(|index| (self.seq.saturating_add(index), self.time_of(index)))
    }

    /// Returns the time of its line at this index, from 0.
    fn time_of(&self, index: u32) -> Time {
        self.run
            .map_or(self.at, |run| self.at + run.step.times(u64::from(index)))
    }
}

/// Returns the record that covers the line of this number.
fn covering(records: &[Record], seq: u32) -> Option<&Record> {
    let after = records.partition_point(|record| record.seq <= seq);
    let record = records.get(after.checked_sub(1)?)?;
    (record.seq..=record.last_seq())
        .contains(&seq)
        .then_some(record)
}

impl Trace {
    /// Returns the events in order: what a listener for all events would have received. An event of
    /// a trace from elsewhere whose name no table has is left out.
    pub fn events(&self) -> impl Iterator<Item = TraceEvent<'_>> + '_ {
        self.records
            .iter()
            .filter_map(|record| Some((record.event()?, record)))
            .flat_map(|(name, record)| {
                record.each().map(move |(seq, at)| TraceEvent {
                    name,
                    at,
                    data: &record.data,
                    seq,
                    record,
                })
            })
    }

    /// Returns the calls of trackers, in order.
    pub fn beacons(&self) -> impl Iterator<Item = BeaconRecord<'_>> + '_ {
        self.records.iter().filter_map(|record| {
            if let RecordView::Beacon(beacon) = record.view() {
                Some(beacon)
            } else {
                None
            }
        })
    }

    /// Returns how the run ended; `None` if the trace has no such line, as a recording. Rule CLK-7.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let last = self
            .records
            .last()
            .filter(|record| record.kind == Kind::Outcome)?;
        Outcome::from_name(&last.name)
    }

    /// Returns the lines that went round in a livelock, in words, if they are known. Rule CLK-6.
    #[must_use]
    pub fn circle(&self) -> Option<String> {
        let last = self.records.last()?;
        let Some(Value::List(lines)) = last.data.get("circle") else {
            return None;
        };
        let lines: Vec<&str> = lines
            .iter()
            .filter_map(|line| Some(&**line.as_text()?))
            .collect();
        Some(lines.join(", "))
    }

    /// Returns whether the run ended by a limit or a livelock, so that events due at its last
    /// instant may be missing. Rule CLK-7.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        matches!(self.outcome(), Some(Outcome::Limit | Outcome::Livelock))
    }

    /// Returns the record that covers the line of this number. It may find none if the records are
    /// not in the order of their numbers, which happens only in a trace built by hand.
    #[must_use]
    pub fn record(&self, seq: u32) -> Option<&Record> {
        covering(&self.records, seq)
    }

    /// Returns the index of the record that covers the line of this number, in whatever order the
    /// records are.
    #[must_use]
    pub fn place(&self, seq: u32) -> Option<usize> {
        let covers = |record: &Record| (record.seq..=record.last_seq()).contains(&seq);
        self.records.iter().position(covers)
    }

    /// Returns the container of a record's player.
    #[must_use]
    pub fn container(&self, record: &Record) -> Option<&Arc<str>> {
        record.container(&self.players)
    }
}
