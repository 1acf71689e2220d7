//! The tape, to which a run writes its lines.
//!
//! It numbers them, resolves causes that were not yet written when they were named, and adds time
//! updates to the record of the current run where they continue it.

use std::sync::Arc;

use super::digest::Hasher;
use super::{
    Cause, Fields, Kind, PlayerIndex, Record, RuleId, Run, Sink, Text, Time, TimeUpdates, Trace,
    covering,
};
use playsim_api::{Because, BreakNumber, EventName, Line, Outcome};

/// The initial capacity for records, and for lines that tickets refer to.
const ROOM: usize = 64;

/// A trace that is being written.
#[derive(Debug)]
pub struct Tape {
    /// The last of the lines that were passed on before `records`, without their data.
    earlier: Arc<[Record]>,
    records: Vec<Record>,
    players: Vec<Arc<str>>,
    next_seq: u32,
    /// The line that each ticket of the outbox has become.
    tickets: Vec<u32>,
    /// `None` if no digest is wanted.
    hasher: Option<Hasher>,
    /// How many of `records` the digest already covers: all those that can no longer grow.
    hashed: usize,
    opens_turn: bool,
    /// The last line that is more than a call or the listener that made it; the outcome names it as
    /// its cause. A call that only reads must not change even that. Rule INV-23.
    last_happening: u32,
}

/// A line that is to be written.
#[derive(Debug)]
pub struct NewLine {
    /// Its cause.
    pub cause: Cause,
    /// The rule that decided.
    pub rule: Option<RuleId>,
    /// The player it belongs to.
    pub player: Option<PlayerIndex>,
    /// The break it belongs to.
    pub in_break: Option<BreakNumber>,
    /// Its kind, its name and its data.
    pub line: Line,
}

impl Tape {
    /// Returns an empty tape.
    #[must_use]
    pub fn new() -> Tape {
        Tape {
            earlier: Arc::default(),
            records: Vec::with_capacity(ROOM),
            players: Vec::new(),
            next_seq: 0,
            tickets: Vec::with_capacity(ROOM),
            hasher: Some(Hasher::new()),
            hashed: 0,
            opens_turn: false,
            last_happening: 0,
        }
    }

    /// Adds a player, whose lines name this container.
    ///
    /// # Panics
    ///
    /// If there are 65,536 players already.
    pub fn add_player(&mut self, container: Arc<str>) -> PlayerIndex {
        let index = u16::try_from(self.players.len()).expect("a tape has at most 65,536 players");
        self.players.push(container);
        PlayerIndex(index)
    }

    /// Returns the number of the next line.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.next_seq
    }

    /// Returns the records on the tape. The last one may still grow.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns the last records, at most this many: those on the tape, and before them without
    /// their data those that were passed on.
    pub fn last(&self, count: usize) -> impl Iterator<Item = &Record> {
        let all = self.earlier.len() + self.records.len();
        self.earlier
            .iter()
            .chain(&self.records)
            .skip(all.saturating_sub(count))
    }

    /// Returns the record that covers a line.
    #[must_use]
    pub fn record(&self, seq: u32) -> Option<&Record> {
        covering(&self.records, seq)
    }

    /// Returns the record that covers a line, also one that was passed on and is still known,
    /// without its data.
    #[must_use]
    pub fn kept(&self, seq: u32) -> Option<&Record> {
        self.record(seq).or_else(|| covering(&self.earlier, seq))
    }

    /// Replaces the data of the header, if the digest does not cover it yet.
    pub fn set_header(&mut self, data: Fields) {
        if self.hashed == 0
            && let Some(header) = self
                .records
                .first_mut()
                .filter(|record| record.kind == Kind::Header)
        {
            header.data = data;
        }
    }

    /// Replaces the rule of a line of the current turn, and adds to its data.
    pub fn amend(&mut self, seq: u32, rule: RuleId, key: &'static str, value: Text) {
        let place = self
            .records
            .partition_point(|record| record.last_seq() < seq);
        debug_assert!(place >= self.hashed, "line {seq} is in the digest already");
        if let Some(record) = self.records.get_mut(place) {
            record.rule = Some(rule);
            record.data.push(key, value);
        }
    }

    /// Returns the container of each player.
    #[must_use]
    pub fn players(&self) -> &[Arc<str>] {
        &self.players
    }

    /// Makes the next line begin a new turn.
    pub fn begin_turn(&mut self) {
        self.opens_turn = true;
    }

    /// Writes a line and returns its number.
    pub fn write(&mut self, at: Time, line: NewLine) -> u32 {
        let cause = self.resolved(line.cause);
        let NewLine {
            rule,
            player,
            in_break,
            line,
            ..
        } = line;
        let (kind, name, data) = line.into_parts();
        if !matches!(kind, Kind::Call | Kind::Listener) {
            self.last_happening = self.next_seq;
        }
        let opens_turn = std::mem::take(&mut self.opens_turn);
        self.push(Record {
            at,
            seq: self.next_seq,
            cause,
            rule,
            player,
            in_break,
            opens_turn,
            kind,
            name,
            data,
            run: None,
        })
    }

    /// Writes time updates and returns the number of the last one.
    #[inline(always)]
    pub fn write_updates(
        &mut self,
        updates: TimeUpdates,
        Because { rule, cause }: Because,
        player: PlayerIndex,
    ) -> u32 {
        let cause = self.resolved(cause);
        // How lines are stored is no part of a session, so these comparisons are not watched.
        if let Some(last) = self.records.last_mut()
            && let Some(run) = &mut last.run
            && (last.at + run.step.times(u64::from(run.count))).micros() == updates.first.micros()
            && run.step.micros() == updates.step.micros()
            && last.player == Some(player)
            && last.cause == cause
            && last.rule == Some(rule)
        {
            self.opens_turn = false;
            run.count += updates.count;
            self.next_seq += updates.count;
            self.last_happening = self.next_seq - 1;
            return self.last_happening;
        }
        self.begin_updates(updates, cause, rule, player)
    }

    /// Writes time updates that do not continue a run.
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
            in_break: None,
            opens_turn,
            kind: Kind::Event,
            name: Text::Static(EventName::TimeUpdate.name()),
            data: Fields::NONE,
            run: Some(Run {
                step: updates.step,
                count: updates.count,
            }),
        });
        self.next_seq += updates.count - 1;
        self.last_happening = self.next_seq - 1;
        self.last_happening
    }

    /// Records which line an item of the outbox has become, so that others can name it as their
    /// cause.
    pub fn resolve_ticket(&mut self, ticket: u32, line: u32) {
        let index = ticket as usize;
        if self.tickets.len() <= index {
            self.tickets.resize(index + 1, u32::MAX);
        }
        self.tickets[index] = line;
    }

    /// Computes no digest; the outcome is without one.
    pub fn leave_out_digest(&mut self) {
        self.hasher = None;
    }

    /// Passes records that can no longer grow to a sink, and keeps at least the last `kept` of all,
    /// at least one.
    pub fn hand_over(&mut self, kept: usize, sink: &mut impl Sink) {
        // Keeping records moves them, which would cost more than writing them if it were done for
        // each line.
        if self.records.len() < kept.max(1) + ROOM {
            return;
        }
        let finished = self.records.len() - kept.max(1);
        self.hash_up_to(finished);
        self.hashed = 0;
        for record in self.records.drain(..finished) {
            sink.record(&record, record.container(&self.players));
        }
    }

    /// Passes all records that can no longer grow to a sink, and keeps what [`Tape::last`] says of
    /// the last `kept`. A copy of the tape shares these.
    pub fn pass_on(&mut self, kept: usize, sink: &mut impl Sink) {
        let finished = self.records.len().saturating_sub(1);
        self.hash_up_to(finished);
        self.hashed = 0;
        for record in &self.records[..finished] {
            sink.record(record, record.container(&self.players));
        }
        let passed_on = self.records.drain(..finished).map(|record| Record {
            data: Fields::NONE,
            ..record
        });
        let skipped = (self.earlier.len() + finished).saturating_sub(kept);
        self.earlier = self
            .earlier
            .iter()
            .cloned()
            .chain(passed_on)
            .skip(skipped)
            .collect();
    }

    /// Ends the tape with the outcome line, which contains the digest of everything before it.
    #[must_use]
    pub fn finish(mut self, at: Time, rule: RuleId, outcome: Outcome, data: Fields) -> Trace {
        self.hash_up_to(self.records.len());
        let digest = self.hasher.as_ref().map(Hasher::digest);
        let data = data.with_some("digest", digest.map(|digest| digest.to_string()));
        self.begin_turn();
        let line = NewLine {
            cause: Cause::Line(self.last_happening),
            rule: Some(rule),
            player: None,
            in_break: None,
            line: Line::new(outcome, data),
        };
        self.write(at, line);
        Trace {
            records: self.records,
            players: self.players,
            digest: digest.unwrap_or_default(),
        }
    }

    fn push(&mut self, record: Record) -> u32 {
        let seq = record.seq;
        // Each growth moves all records. Growing fourfold moves them half as often as doubling, and
        // memory that is never written to costs only address space.
        if self.records.len() == self.records.capacity() {
            self.records.reserve_exact(3 * self.records.len().max(ROOM));
        }
        self.records.push(record);
        self.next_seq += 1;
        seq
    }

    fn hash_up_to(&mut self, end: usize) {
        if let Some(hasher) = &mut self.hasher {
            for record in &self.records[self.hashed..end] {
                hasher.record(record, &self.players);
            }
        }
        self.hashed = end;
    }

    /// Returns the line that a cause refers to, if there is one.
    #[must_use]
    #[inline]
    pub fn resolved(&self, cause: Cause) -> Option<u32> {
        match cause {
            Cause::Script => None,
            Cause::Line(line) => Some(line),
            // The ticket of an item that writes no line, such as a task, has none.
            Cause::Ticket(ticket) => self
                .tickets
                .get(ticket as usize)
                .copied()
                .filter(|line| *line != u32::MAX),
        }
    }
}

/// A copy has the same capacity as a new tape.
impl Clone for Tape {
    fn clone(&self) -> Tape {
        Tape {
            earlier: Arc::clone(&self.earlier),
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
