//! Traces in the formats of other tools: timelines and request lists for browser tools, lists for
//! ad operations.
//!
//! Unlike text and JSON lines, none of them contains everything. Each states at its end, or where
//! its format allows remarks, how many lines of which kind it left out.
//!
//! Rule TRACE-8.

mod chrome_trace;
mod exchange;
mod har;
mod left_out;
mod pixels;
mod summary;

pub use chrome_trace::write_chrome_trace;
pub use har::{Site, write_har};
pub use left_out::LeftOutLines;
pub use pixels::write_pixels;
pub use summary::write_summary;

use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Record, Trace};
use crate::text::{plain, setting};
use playsim_api::Fields;
use playsim_base::escape;

/// Returns the header line, if the trace has one.
fn header(trace: &Trace) -> Option<&Record> {
    trace
        .records
        .first()
        .filter(|record| record.kind == playsim_api::Kind::Header)
}

/// Returns the outcome line, if the trace has one.
fn outcome(trace: &Trace) -> Option<&Record> {
    trace
        .records
        .last()
        .filter(|record| record.kind == playsim_api::Kind::Outcome)
}

/// Returns the name of the scenario; empty if it has none.
pub fn scenario(trace: &Trace) -> String {
    header(trace).map_or_else(String::new, |header| field(header, "scenario"))
}

/// Returns profile, changed knobs and seed in words.
pub fn setting_words(trace: &Trace) -> String {
    let mut words = String::new();
    if let Some(header) = header(trace) {
        // Writing to a string cannot fail.
        let _ = setting(header, &mut words);
    }
    words
}

/// Returns a field in words; empty if the line does not have it.
fn field(record: &Record, key: &str) -> String {
    record.data.get(key).map_or_else(String::new, plain)
}

fn integer(record: &Record, key: &str) -> Option<i64> {
    record.data.integer(key)
}

/// Returns the container of a line's player; empty for the whole page.
fn container<'a>(trace: &'a Trace, record: &Record) -> &'a str {
    trace.container(record).map_or("", |id| id)
}

/// Returns fields as JSON, in their own order; `None` if there are none.
fn json_of(fields: &Fields) -> Option<Box<RawValue>> {
    if fields.is_empty() {
        None
    } else {
        Some(raw(fields))
    }
}

/// Converts a value whose printed form is JSON.
fn raw(value: &impl fmt::Display) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).expect("values print themselves as JSON")
}

/// Returns a value as one line of JSON, with keys as declared; a map of the JSON library would sort
/// them.
fn line(value: &impl Serialize) -> String {
    escape::json(&serde_json::to_string(value).expect("all keys are strings")).into_owned()
}
