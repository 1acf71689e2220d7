//! Traces in the forms of other tools: a web page, timelines and request lists for browsers' tools, lists
//! for ad operations.
//!
//! Unlike text and JSON lines none of them holds everything: each says at its end, or where its form has
//! room for remarks, how many lines of which kind it left out.
//!
//! Rule TRACE-8.

mod ads;
mod chrome_trace;
mod exchange;
mod har;
mod html;
mod left_out;
mod pixels;
mod summary;
mod table;

pub use chrome_trace::write_chrome_trace;
pub use har::write_har;
pub use html::write_html;
pub use pixels::write_pixels;
pub use summary::write_summary;

use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Record, Trace};
use crate::api::{Fields, Value};
use crate::trace::text::{plain, setting};

/// The header's line, if the trace has one.
fn header(trace: &Trace) -> Option<&Record> {
    trace.records.first().filter(|record| record.kind == crate::api::Kind::Header)
}

/// The outcome's line, if the trace has one.
fn outcome(trace: &Trace) -> Option<&Record> {
    trace.records.last().filter(|record| record.kind == crate::api::Kind::Outcome)
}

/// What the scenario calls itself; empty if it does not.
fn scenario(trace: &Trace) -> String {
    header(trace).map_or_else(String::new, |header| field(header, "scenario"))
}

/// Profile, changed knobs and seed in words.
fn setting_words(trace: &Trace) -> String {
    let mut words = String::new();
    if let Some(header) = header(trace) {
        // Writing to a text cannot fail.
        let _ = setting(header, &mut words);
    }
    words
}

/// A field in words; empty if the line does not carry it.
fn field(record: &Record, key: &str) -> String {
    record.data.get(key).map_or_else(String::new, plain)
}

fn integer(record: &Record, key: &str) -> Option<i64> {
    record.data.get(key).and_then(Value::as_integer)
}

/// The container of a line's player; empty for the whole page.
fn container<'a>(trace: &'a Trace, record: &Record) -> &'a str {
    trace.container(record).map_or("", |id| id)
}

/// Fields as JSON, in their own order; nothing if there are none.
fn json_of(fields: &Fields) -> Option<Box<RawValue>> {
    if fields.is_empty() { None } else { Some(raw(fields)) }
}

/// What prints itself as JSON.
fn raw(value: &impl fmt::Display) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).expect("values print themselves as JSON")
}

/// A value of ours as one line of JSON. Keys stand as declared: a map of the JSON library would sort them.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all keys are texts")
}
