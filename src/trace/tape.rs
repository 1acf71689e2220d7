//! The tape: where a run writes its lines.
//!
//! It numbers them, resolves causes that were not written yet when they were named, and lays time
//! updates that continue the last run into that run's record.

use std::sync::Arc;

use super::digest::Hasher;
use super::{
    Cause, Fields, Kind, PlayerIndex, Record, RuleId, Run, Sink, Text, Time, TimeUpdates, Trace, Value,
};

/// So many records, and lines that tickets name, find room before anything grows.
const ROOM: usize = 64;

/// A trace that is being written.
#[derive(Debug)]
pub struct Tape {
    records: Vec<Record>,
    players: Vec<Arc<str>>,
    next_seq: u32,
    /// The line that each ticket of the outbox became.
    tickets: Vec<u32>,
    hasher: Hasher,
    /// How many of `records` are in the digest already: all that can grow no more.
    hashed: usize,
    opens_turn: bool,
    /// The last line that is more than a call or the listener that made it: what the run ends after. A
    /// reading changes nothing, not even that. Rule INV-23.
    last_happening: u32,
}

/// A line that is to be written.
#[derive(Debug)]
pub struct NewLine {
    /// What led to it.
    pub cause: Cause,
    /// The rule that decided.
    pub rule: Option<RuleId>,
    /// Whose line it is.
    pub player: Option<PlayerIndex>,
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: Text,
    /// What it carries.
    pub data: Fields,
}

impl Tape {
    /// An empty tape.
    #[must_use]
    pub fn new() -> Tape {
        Tape {
            records: Vec::with_capacity(ROOM),
            players: Vec::new(),
            next_seq: 0,
            tickets: Vec::with_capacity(ROOM),
            hasher: Hasher::new(),
            hashed: 0,
            opens_turn: false,
            last_happening: 0,
        }
    }

    /// A player joins; its lines carry the container's id.
    pub fn add_player(&mut self, container: Arc<str>) -> PlayerIndex {
        let index = u16::try_from(self.players.len()).expect("a run has at most 65,535 players");
        self.players.push(container);
        PlayerIndex(index)
    }

    /// The number that the next line gets.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.next_seq
    }

    /// The records that stand on the tape. The last one may still grow.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The container of each player.
    #[must_use]
    pub fn players(&self) -> &[Arc<str>] {
        &self.players
    }

    /// From here on a new turn begins.
    pub fn begin_turn(&mut self) {
        self.opens_turn = true;
    }

    /// Writes a line; gives its number.
    pub fn write(&mut self, at: Time, line: NewLine) -> u32 {
        let cause = self.resolved(line.cause);
        if !matches!(line.kind, Kind::Call | Kind::Listener) {
            self.last_happening = self.next_seq;
        }
        let opens_turn = std::mem::take(&mut self.opens_turn);
        self.push(Record {
            at,
            seq: self.next_seq,
            cause,
            rule: line.rule,
            player: line.player,
            opens_turn,
            kind: line.kind,
            name: line.name,
            data: line.data,
            run: None,
        })
    }

    /// Writes time updates; gives the number of the last one.
    #[inline(always)]
    pub fn write_updates(
        &mut self,
        updates: TimeUpdates,
        cause: Cause,
        rule: RuleId,
        player: PlayerIndex,
    ) -> u32 {
        let cause = self.resolved(cause);
        if let Some(last) = self.records.last_mut()
            && let Some(run) = &mut last.run
            && last.at + run.step.times(u64::from(run.count)) == updates.first
            && run.step == updates.step
            && (last.player, last.cause, last.rule) == (Some(player), cause, Some(rule))
        {
            self.opens_turn = false;
            run.count += updates.count;
            self.next_seq += updates.count;
            self.last_happening = self.next_seq - 1;
            return self.last_happening;
        }
        self.begin_updates(updates, cause, rule, player)
    }

    /// Writes time updates that continue no run.
    #[inline(never)]
    fn begin_updates(
        &mut self,
        updates: TimeUpdates,
        cause: Option<u32>,
        rule: RuleId,
        player: PlayerIndex,
    ) -> u32 {
        let opens_turn = std::mem::take(&mut self.opens_turn);
        self.push(Record {
            at: updates.first,
            seq: self.next_seq,
            cause,
            rule: Some(rule),
            player: Some(player),
            opens_turn,
            kind: Kind::Event,
            name: Text::Static("timeupdate"),
            data: Fields::NONE,
            run: Some(Run { step: updates.step, count: updates.count }),
        });
        self.next_seq += updates.count - 1;
        self.last_happening = self.next_seq - 1;
        self.last_happening
    }

    /// Says which line an item of the outbox became, so that others can name it as their cause.
    pub fn redeem(&mut self, ticket: u32, line: u32) {
        let index = ticket as usize;
        if self.tickets.len() <= index {
            self.tickets.resize(index + 1, u32::MAX);
        }
        self.tickets[index] = line;
    }

    /// Hands the records that can grow no more to a reader, and keeps only the last `kept` of all.
    pub fn hand_over(&mut self, kept: usize, sink: &mut impl Sink) {
        let finished = self.records.len().saturating_sub(kept.max(1));
        self.hash_up_to(finished);
        self.hashed = 0;
        for record in self.records.drain(..finished) {
            sink.record(&record, record.container(&self.players));
        }
    }

    /// Ends the tape with the outcome's line, which carries the digest of all before it.
    #[must_use]
    pub fn finish(mut self, at: Time, outcome: &'static str, data: Fields) -> Trace {
        self.hash_up_to(self.records.len());
        let digest = self.hasher.digest();
        self.begin_turn();
        let line = NewLine {
            cause: Cause::Line(self.last_happening),
            rule: Some(if outcome == "livelock" { crate::rule!("CLK-6") } else { crate::rule!("CLK-7") }),
            player: None,
            kind: Kind::Outcome,
            name: outcome.into(),
            data: data.with("digest", Value::from(digest.to_string())),
        };
        self.write(at, line);
        Trace { records: self.records, players: self.players, digest }
    }

    fn push(&mut self, record: Record) -> u32 {
        let seq = record.seq;
        // Each growth moves all records. Fourfold they are moved half as often as by doubling, and what is
        // never written to costs an address, not memory.
        if self.records.len() == self.records.capacity() {
            self.records.reserve_exact(3 * self.records.len().max(ROOM));
        }
        self.records.push(record);
        self.next_seq += 1;
        seq
    }

    fn hash_up_to(&mut self, end: usize) {
        for record in &self.records[self.hashed..end] {
            self.hasher.record(record, &self.players);
        }
        self.hashed = end;
    }

    /// The line that a cause names, if it is or became one.
    #[must_use]
    pub fn resolved(&self, cause: Cause) -> Option<u32> {
        match cause {
            Cause::Script => None,
            Cause::Line(line) => Some(line),
            // A ticket without a line belongs to an item that leaves none, such as a task.
            Cause::Ticket(ticket) => {
                self.tickets.get(ticket as usize).copied().filter(|line| *line != u32::MAX)
            }
        }
    }
}

/// A copy has the room that a new tape has.
impl Clone for Tape {
    fn clone(&self) -> Tape {
        Tape {
            records: with_room(&self.records),
            players: self.players.clone(),
            next_seq: self.next_seq,
            tickets: with_room(&self.tickets),
            hasher: self.hasher.clone(),
            hashed: self.hashed,
            opens_turn: self.opens_turn,
            last_happening: self.last_happening,
        }
    }
}

fn with_room<T: Clone>(items: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(items.len() + ROOM);
    copy.extend_from_slice(items);
    copy
}

impl Default for Tape {
    fn default() -> Tape {
        Tape::new()
    }
}
