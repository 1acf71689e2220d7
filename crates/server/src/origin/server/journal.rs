//! The log of requests: one entry for each, written when it is over.

use std::fmt;

use serde::Serialize;
use tokio::time::Instant;

use super::{Log, span};
use crate::origin::AssetKind;
use playsim_base::escape;
use playsim_base::time::Span;

/// A request and what became of it. Times count from the start of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OriginEntry {
    /// When it arrived, in milliseconds.
    #[serde(rename = "ms", serialize_with = "millis")]
    pub at: Span,
    /// The method.
    pub method: String,
    /// Host, path and query.
    pub url: String,
    /// The `Range` header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The request.
    #[serde(serialize_with = "word")]
    pub what: AssetKind,
    /// The event of a tracker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The status; `None` if there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// When the head of the response was given to the network.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "some_millis"
    )]
    pub head: Option<Span>,
    /// When it was over.
    #[serde(serialize_with = "millis")]
    pub end: Span,
    /// How many bytes of the body were given to the network.
    pub bytes: u64,
    /// How it ended.
    #[serde(serialize_with = "outcome")]
    pub ended: OriginOutcome,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OriginOutcome {
    /// All of the response was sent.
    Sent,
    /// The client went away before that, or the server was stopped.
    Gone,
    /// The connection was closed before a byte.
    Closed,
    /// The connection was reset before a byte.
    Reset,
    /// The connection was closed within the body.
    Cut,
}

impl OriginOutcome {
    /// Returns the word for it in logs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            OriginOutcome::Sent => "sent",
            OriginOutcome::Gone => "gone",
            OriginOutcome::Closed => "closed",
            OriginOutcome::Reset => "reset",
            OriginOutcome::Cut => "cut",
        }
    }
}

fn millis<S: serde::Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    // Three decimals of a millisecond are the microseconds.
    let text = in_millis(*span);
    serde_json::value::RawValue::from_string(text)
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

fn some_millis<S: serde::Serializer>(
    span: &Option<Span>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    millis(&span.unwrap_or_default(), serializer)
}

fn word<S: serde::Serializer>(what: &AssetKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(what.word())
}

fn outcome<S: serde::Serializer>(
    outcome: &OriginOutcome,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.word())
}

fn in_millis(span: Span) -> String {
    format!("{}.{:03}", span.micros() / 1000, span.micros() % 1000)
}

/// One line for people: when, status, what, how long it took, method and URL, how it ended if not
/// as usual.
impl fmt::Display for OriginEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self
            .status
            .map_or_else(|| "-".to_owned(), |status| status.to_string());
        let what = self.event.as_deref().unwrap_or(self.what.word());
        let took = (self.end - self.at).micros() / 1000;
        let what = escape::line(what);
        write!(f, "{:>12} {status:>3} {what:<14} {took:>6} ms  ", self.at)?;
        write!(
            f,
            "{} {}",
            escape::line(&self.method),
            escape::line(&self.url)
        )?;
        if let Some(range) = &self.range {
            write!(f, " {}", escape::line(range))?;
        }
        match self.ended {
            OriginOutcome::Sent => Ok(()),
            ended @ (OriginOutcome::Gone
            | OriginOutcome::Closed
            | OriginOutcome::Reset
            | OriginOutcome::Cut) => {
                write!(f, " ({})", ended.word())
            }
        }
    }
}

/// Writes the entry of a request when it is dropped: then the request is over, whatever happened.
pub(super) struct Writer {
    entry: OriginEntry,
    started: Instant,
    log: Log,
}

impl Writer {
    pub(super) fn new(entry: OriginEntry, started: Instant, log: Log) -> Writer {
        Writer {
            entry,
            started,
            log,
        }
    }

    pub(super) fn answered(&mut self, status: u16) {
        self.entry.status = Some(status);
        self.entry.head = Some(span(self.started.elapsed()));
    }

    pub(super) fn sent(&mut self, bytes: u64) {
        self.entry.bytes += bytes;
    }

    pub(super) fn ended(&mut self, how: OriginOutcome) {
        self.entry.ended = how;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.entry.end = span(self.started.elapsed());
        (self.log)(&self.entry);
    }
}
