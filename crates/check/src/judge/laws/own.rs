//! The invariants, which hold for every trace of playsim, whatever the scenario. Some of them hold
//! for any player that has the documented events.
//!
//! Values that no line contains, such as a position or an index, are judged by the getters that the
//! scenario reads; without getters, fewer laws apply.
//!
//! Invariants that compare two runs (INV-1, INV-2, INV-23, INV-24, INV-26) are properties of an
//! engine rather than of a trace, and are tested elsewhere.
//!
//! Rules: INV-3 to INV-18, INV-20 to INV-22.

use playsim_api::{LineName, Value};
use playsim_trace::Record;

pub(super) mod ads;
pub(super) mod answers;
pub(super) mod breaks;
pub(super) mod content;
pub(super) mod order;
pub(super) mod position;
pub(super) mod settings;

/// Returns the result of a call, unless it failed.
fn returned(record: &Record, call: impl Into<LineName>) -> Option<&Value> {
    if record.is(call) {
        record.data.get("returns")
    } else {
        None
    }
}

/// Returns whether a call has an argument that has an effect.
fn has_argument(record: &Record) -> bool {
    match record.data.get("args") {
        Some(Value::List(args)) => args.first().is_some_and(|first| *first != Value::Undefined),
        _ => false,
    }
}
