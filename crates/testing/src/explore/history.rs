//! The lines that a way has written so far, reduced to what can still matter: for the outcome, the
//! expectations and the laws.
//!
//! Two ways in the same state will write the same lines, but the lines before them count for their
//! judgement too. They are equal only if they have written the same lines, in any order and at any
//! time, and if each expectation has got equally far. The order of the lines is kept separately: it
//! shows whether this sequence was judged before. Times, positions and running numbers are left
//! out.

use std::hash::Hash;

use playsim_api::{EventName, Kind, PlayerIndex, Value};
use playsim_base::time::{Span, Time};
use playsim_base::watch;
use playsim_scenario::Expectation;
use playsim_trace::{Bytes, Record};
use xxhash_rust::xxh3::xxh3_128;

use super::statements::{Longest, PAIRS};

/// The data of a line that tell it from others of its name. Numbers that grow with time are not
/// among them.
const TELLING: [&str; 11] = [
    "ad", "binding", "by", "code", "creative", "error", "hop", "how", "outcome", "purpose", "wp",
];

/// What of the lines matters, for one scenario.
#[derive(Debug)]
pub(super) struct Relevant {
    /// The events of each expectation about an order.
    orders: Vec<Vec<EventName>>,
    /// The two events of each statement and each expectation about the time between them.
    awaited: Vec<(EventName, EventName, Option<Span>)>,
    /// The lines whose data an expectation compares.
    compared: Vec<(Kind, &'static str)>,
    /// The getters whose reading an expectation compares: at which time, with what.
    read: Vec<(&'static str, Option<Time>, Value)>,
}

/// What a way has written so far.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// How many records were taken.
    taken: usize,
    /// The sum of the lines.
    bag: u128,
    /// The lines in their order.
    pub(super) order: u128,
    /// The sum of the lines that make the outcome.
    pub(super) outcome: u128,
    /// How many events of each expectation about an order have come.
    reached: Vec<u32>,
    /// For each expectation about the time between two events, since when a player has waited for
    /// the second.
    since: Vec<Vec<(Option<PlayerIndex>, Time)>>,
    /// Whether the last reading that each expectation is about was as expected.
    read: Vec<Option<bool>>,
    /// How long that took.
    longest: Longest,
}

impl Relevant {
    pub(super) fn of(expect: &[Expectation]) -> Relevant {
        let (mut orders, mut awaited) = (
            Vec::new(),
            Vec::from(PAIRS.map(|(first, second)| (first, second, None))),
        );
        let (mut compared, mut read) = (Vec::new(), Vec::new());
        for expectation in expect {
            match expectation {
                Expectation::Order(names) => orders.push(names.clone()),
                Expectation::Event { event, data, .. } => {
                    if data.as_map().is_some() {
                        compared.push((Kind::Event, event.name()));
                    }
                }
                Expectation::Call { call, .. } => compared.push((Kind::Call, call.name())),
                Expectation::Read { query, at, is } => {
                    read.push((query.name(), *at, is.clone()));
                }
                Expectation::After {
                    event,
                    comes,
                    within,
                } => awaited.push((*event, *comes, Some(*within))),
                Expectation::Never(_) | Expectation::AtMostOne(_) | Expectation::Diag { .. } => {}
            }
        }
        Relevant {
            orders,
            awaited,
            compared,
            read,
        }
    }

    /// Returns the history of a way that has written nothing.
    pub(super) fn start(&self) -> History {
        let (reached, since) = (
            vec![0; self.orders.len()],
            vec![Vec::new(); self.awaited.len()],
        );
        History {
            taken: 0,
            bag: 0,
            order: 0,
            outcome: 0,
            reached,
            since,
            read: vec![None; self.read.len()],
            longest: Longest::default(),
        }
    }

    fn compares(&self, record: &Record) -> bool {
        self.compared
            .iter()
            .any(|(kind, name)| *kind == record.kind && *name == &*record.name)
    }
}

impl History {
    /// Takes the lines that were written since.
    pub(super) fn take(&mut self, records: &[Record], relevant: &Relevant) {
        for record in records.get(self.taken..).unwrap_or_default() {
            self.add(record, relevant);
        }
        self.taken = records.len();
    }

    /// Leaves out the lines that were written so far.
    pub(super) fn skip(&mut self, records: &[Record]) {
        self.taken = records.len();
    }

    /// Takes the lines of an act, the first of which is at a place, and those before. One that had
    /// no effect counts as one that was not done, unless an expectation is about it.
    pub(super) fn take_act(
        &mut self,
        records: &[Record],
        first: usize,
        relevant: &Relevant,
    ) -> bool {
        self.take(records.get(..first).unwrap_or_default(), relevant);
        let own = records.get(self.taken..).unwrap_or_default();
        let has_effect = own.len() != 1 || own.iter().any(|record| relevant.compares(record));
        if !has_effect {
            self.taken = records.len();
        }
        self.take(records, relevant);
        has_effect
    }

    fn add(&mut self, record: &Record, relevant: &Relevant) {
        if is_of_the_clock(record) || record.kind == Kind::Header {
            return;
        }
        if let Some(event) = record.event() {
            for (names, reached) in relevant.orders.iter().zip(&mut self.reached) {
                if names.get(*reached as usize) == Some(&event) {
                    *reached += 1;
                }
            }
        }
        let verdict = |line: &mut Bytes| self.judge(record, relevant, line);
        let line = digest(record, relevant, verdict);
        self.bag = self.bag.wrapping_add(line);
        let mut pair = [0; 32];
        pair[..16].copy_from_slice(&self.order.to_le_bytes());
        pair[16..].copy_from_slice(&line.to_le_bytes());
        self.order = xxh3_128(&pair);
        if makes_the_outcome(record) {
            self.outcome = self.outcome.wrapping_add(digest(record, relevant, |_| ()));
        }
    }

    /// Adds to a line whether expectations are met: that is part of what was written.
    fn judge(&mut self, record: &Record, relevant: &Relevant, line: &mut Bytes) {
        for (pair, ((first, second, within), since)) in
            relevant.awaited.iter().zip(&mut self.since).enumerate()
        {
            if record.is(*second) {
                for (_, at) in since.extract_if(.., |(player, _)| *player == record.player) {
                    let after = record.at - at;
                    self.longest.follows(pair, after);
                    if within.is_some_and(|within| after > within) {
                        pair.hash(line);
                    }
                }
            }
            if record.is(*first) && since.iter().all(|(player, _)| *player != record.player) {
                since.push((record.player, record.at));
            }
        }
        for ((name, at, is), read) in relevant.read.iter().zip(&mut self.read) {
            if record.kind == Kind::Call
                && *name == &*record.name
                && at.is_none_or(|at| at == record.at)
                && let Some(returned) = record.data.get("returns")
            {
                *read = Some(is_same(returned, is));
                read.hash(line);
            }
        }
    }

    /// Returns the longest times between events; at the end of a way, those that wait have waited
    /// in vain.
    pub(super) fn longest(&self, is_end: bool) -> Longest {
        let mut longest = self.longest;
        for (pair, _) in self
            .since
            .iter()
            .enumerate()
            .filter(|(_, since)| is_end && !since.is_empty())
        {
            longest.stays_open(pair);
        }
        longest
    }

    /// Returns the key of a state with this history.
    pub(super) fn key(&self, state: u128, done: impl Hash, now: Time) -> u128 {
        Bytes::reused(|key| {
            (state, self.bag, &done, &self.reached, &self.read).hash(key);
            for (player, since) in self.since.iter().flatten() {
                (player, (now - *since).micros()).hash(key);
            }
            key.digest128()
        })
    }
}

/// Whether it is a line that comes as time passes.
pub(super) fn is_of_the_clock(record: &Record) -> bool {
    let event = record.media_event();
    matches!(event, Some(EventName::TimeUpdate | EventName::Progress))
}

/// Whether an outcome is told apart by it: what page code hears, what ad servers hear, and what
/// went wrong.
pub(super) fn makes_the_outcome(record: &Record) -> bool {
    let is_failure = record.kind == Kind::Ad && record.data.get("code").is_some();
    let is_told = is_failure || matches!(record.kind, Kind::Event | Kind::Beacon | Kind::Diag);
    is_told && !is_of_the_clock(record)
}

/// Compares what a getter returned with what is expected; numbers as an explorer watches it.
fn is_same(returned: &Value, is: &Value) -> bool {
    let millionths = |value: &Value| Some(value.as_number()?.millionths());
    if let (Some(one), Some(other)) = (millionths(returned), millionths(is)) {
        watch::is_equal(one.max(0).unsigned_abs(), other.max(0).unsigned_abs());
    }
    returned == is
}

fn digest(record: &Record, relevant: &Relevant, verdict: impl FnOnce(&mut Bytes)) -> u128 {
    Bytes::reused(|line| {
        verdict(line);
        record.kind.hash(line);
        record.name.hash(line);
        record.player.hash(line);
        if relevant.compares(record) {
            record.data.hash(line);
        } else {
            for key in TELLING {
                record.data.get(key).hash(line);
            }
        }
        line.digest128()
    })
}
