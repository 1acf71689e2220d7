//! The digest: XXH3-128 over the records.
//!
//! Printed text is not hashed, because printing costs ten times as much as the run. Byte order is
//! fixed, strings are hashed by content, and a run of time updates is hashed in its canonical form.

use std::cell::Cell;
use std::fmt;

use xxhash_rust::xxh3::Xxh3;

use super::Record;
use playsim_api::{BreakNumber, Fields, Value};
use playsim_rules::RuleId;
use std::sync::Arc;

/// A fingerprint of a trace. It is not a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest(pub u128);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Digest {
    /// Returns the fingerprint of a string.
    #[must_use]
    pub fn of_text(text: &str) -> Digest {
        Digest(xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }
}

/// Collects what is hashed in native form and hashes it all at once: a few bytes at a time cost
/// several times as much. The digests compare within one process.
#[derive(Debug, Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Does some work with empty bytes, whose memory is used again on this thread.
    pub fn reused<T>(work: impl FnOnce(&mut Bytes) -> T) -> T {
        thread_local! {
            static BYTES: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
        }
        let mut bytes = Bytes(BYTES.take());
        bytes.0.clear();
        let done = work(&mut bytes);
        BYTES.set(bytes.0);
        done
    }

    /// Returns the digest of what was collected.
    #[must_use]
    pub fn digest128(&self) -> u128 {
        xxhash_rust::xxh3::xxh3_128(&self.0)
    }
}

impl std::hash::Hasher for Bytes {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&self.0)
    }
}

/// Computes the digest of records.
///
/// Bytes are collected before they are hashed, because hashing a few at a time is slow.
pub(super) struct Hasher {
    bytes: Vec<u8>,
    /// Created when the first batch is full; most runs never need it.
    state: Option<Box<Xxh3>>,
}

/// The number of bytes that are hashed at a time.
const BATCH: usize = 8 * 1024;
/// The capacity for a batch and the record that completes it, unless that record is long.
const ROOM: usize = BATCH + 1024;

impl Hasher {
    pub(super) fn new() -> Hasher {
        Hasher {
            bytes: Vec::with_capacity(ROOM),
            state: None,
        }
    }

    pub(super) fn record(&mut self, record: &Record, players: &[Arc<str>]) {
        let mut head = [0; 29];
        head[..8].copy_from_slice(&record.at.micros().to_le_bytes());
        head[8..12].copy_from_slice(&record.seq.to_le_bytes());
        head[12..16].copy_from_slice(&record.cause.unwrap_or(u32::MAX).to_le_bytes());
        head[16..24].copy_from_slice(&record.rule.map_or(0, RuleId::packed).to_le_bytes());
        // The list of kinds is closed, and their order is part of the form. TRACE-2
        head[24] = record.kind as u8;
        head[25..].copy_from_slice(&record.in_break.map_or(0, BreakNumber::get).to_le_bytes());
        self.bytes.extend_from_slice(&head);
        let container = record.container(players);
        self.text(container.map_or("", |id| id));
        self.text(&record.name);
        self.fields(&record.data);
        if let Some(run) = record.run {
            let mut tail = [0; 12];
            tail[..8].copy_from_slice(&run.step.micros().to_le_bytes());
            tail[8..].copy_from_slice(&run.count.to_le_bytes());
            self.bytes.extend_from_slice(&tail);
        }
        if self.bytes.len() >= BATCH {
            self.state
                .get_or_insert_with(|| Box::new(Xxh3::new()))
                .update(&self.bytes);
            self.bytes.clear();
        }
    }

    pub(super) fn digest(&self) -> Digest {
        match &self.state {
            None => Digest(xxhash_rust::xxh3::xxh3_128(&self.bytes)),
            Some(state) => {
                let mut state = state.clone();
                state.update(&self.bytes);
                Digest(state.digest128())
            }
        }
    }

    fn fields(&mut self, fields: &Fields) {
        self.count(fields.iter().len());
        for (key, value) in fields.iter() {
            self.text(key);
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Undefined => self.bytes.push(0),
            Value::Null => self.bytes.push(1),
            Value::Bool(truth) => self.bytes.extend_from_slice(&[2, u8::from(*truth)]),
            Value::Number(number) => {
                let mut bytes = [3; 9];
                bytes[1..].copy_from_slice(&number.millionths().to_le_bytes());
                self.bytes.extend_from_slice(&bytes);
            }
            Value::NaN => self.bytes.push(4),
            Value::Infinity => self.bytes.push(5),
            Value::NegativeInfinity => self.bytes.push(6),
            Value::Text(text) => {
                self.bytes.push(7);
                self.text(text);
            }
            Value::List(items) => {
                self.bytes.push(8);
                self.count(items.len());
                for item in items {
                    self.value(item);
                }
            }
            Value::Map(fields) => {
                self.bytes.push(9);
                self.fields(fields);
            }
            Value::Function(name) => {
                self.bytes.push(10);
                self.text(name);
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&count.to_le_bytes());
    }
}

/// A copy has the same capacity as a new one.
impl Clone for Hasher {
    fn clone(&self) -> Hasher {
        let mut bytes = Vec::with_capacity(ROOM.max(self.bytes.len()));
        bytes.extend_from_slice(&self.bytes);
        Hasher {
            bytes,
            state: self.state.clone(),
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("waiting", &self.bytes.len())
            .finish_non_exhaustive()
    }
}
