//! A recorded session: the requests of a page with their responses, whatever tool recorded them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::certainty::Note;
use playsim_base::time::{Span, Time};
use playsim_scenario::world::is_data_url;
use playsim_trace::Record;

/// The requests that a tool recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestRecording {
    /// The name of the file or folder, for messages.
    pub name: String,
    /// The tool that recorded it, such as `Firefox 130.0`; empty if it does not say.
    pub tool: String,
    /// The calendar instant of its time 0, in microseconds since 1970; `None` if it has no dates,
    /// or dates without a zone.
    pub epoch_micros: Option<i64>,
    /// What the times of its requests are good for.
    pub clock: RecordedClock,
    /// The pages that it lists.
    pub pages: Vec<RecordedPage>,
    /// The requests in the order in which they were sent; those of one instant in the order of the
    /// file.
    pub exchanges: Vec<Exchange>,
    /// Errors in the file, and how it was read nevertheless.
    pub notes: Vec<Note>,
    /// Whether the file breaks off.
    pub is_cut: bool,
    /// What a recorder heard of films: lines of media elements and of the screen, each with the
    /// number of requests that were sent before it.
    pub films: Vec<(usize, Record)>,
    /// Captures in the same file with a clock that cannot be compared with that of the others.
    pub apart: Vec<RequestRecording>,
    /// The names of header fields with secrets, in lower case, whose values were not read.
    pub dropped: BTreeSet<String>,
}

/// What the times of requests are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordedClock {
    /// Their differences hold.
    #[default]
    Exact,
    /// They are whole seconds.
    Seconds,
    /// None of them can be read.
    Unreadable,
}

impl RecordedClock {
    /// Returns how much later than it says something may have been.
    pub(super) const fn slack(self) -> Span {
        match self {
            RecordedClock::Exact => Span::ZERO,
            RecordedClock::Seconds | RecordedClock::Unreadable => Span::from_secs(1),
        }
    }
}

/// A page of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedPage {
    /// Its id, by which requests refer to it.
    pub id: String,
    /// When it began to load.
    pub started: Option<Time>,
    /// Its title, which in most tools is its URL.
    pub title: String,
}

/// One request and its result. A redirect is an exchange of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exchange {
    /// Its position in the file, from 0.
    pub number: usize,
    /// When it was sent, since the earliest time in the recording; `None` if the recording does not
    /// say.
    pub started: Option<Time>,
    /// The URL.
    pub url: Arc<str>,
    /// The method, in capitals.
    pub method: String,
    /// The id of its page.
    pub page: Option<String>,
    /// The browser's resource type: `xhr`, `fetch`, `image`, `media`, `script`, `document`, `ping`,
    /// ...; in lower case.
    pub purpose: Option<String>,
    /// The URL of the script or document that sent it.
    pub initiator: Option<Arc<str>>,
    /// The place in that script that sent it: line and column.
    pub site: Option<Arc<str>>,
    /// The outcome.
    pub outcome: RecordedOutcome,
    /// How long it took until the first byte of the response.
    pub first_byte: Option<Span>,
    /// How long it took until the last byte, or until it failed. Zero for a request that failed
    /// says nothing.
    pub time: Option<Span>,
    /// The media type of the response, without parameters, in lower case.
    pub mime: Option<String>,
    /// The body of the response.
    pub body: Body,
    /// How long the media file plays, if the body begins with a header that says so.
    pub film: Option<Span>,
    /// Whether the browser took the answer from its own store, and sent nothing.
    pub is_stored: bool,
}

/// The outcome of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RecordedOutcome {
    /// A response with this status.
    Response(u16),
    /// A redirect with this status to this URL.
    Redirect(u16, Arc<str>),
    /// No response, for this reason in the words of the tool; `None` if it says nothing.
    Failed(Option<String>),
    /// A response that ended within its body, for this reason.
    BrokeOff(Option<String>),
    /// The recording does not say.
    #[default]
    Unknown,
}

/// The body of a response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Body {
    /// The response has none, it broke off, or the recording says that it is empty.
    #[default]
    Empty,
    /// The body, or its beginning if it is no XML.
    Text(Arc<str>),
    /// There was one, but the recording does not have it, or only as it was compressed.
    Missing,
    /// There was one, of which the tool kept only this beginning.
    Cut(Arc<str>),
}

impl RequestRecording {
    /// Returns how many requests were sent: the document of a `data:` URL needs none.
    #[must_use]
    pub fn sent(&self) -> usize {
        let is_sent = |it: &&Exchange| !is_data_url(&it.url);
        self.exchanges.iter().filter(is_sent).count()
    }
}

impl Exchange {
    /// Returns when it was sent; an unknown time counts as the start of the recording.
    #[must_use]
    pub fn at(&self) -> Time {
        self.started.unwrap_or_default()
    }

    /// Returns when it was over.
    #[must_use]
    pub fn over(&self) -> Time {
        self.at() + self.time.unwrap_or_default()
    }

    /// Returns the body, if the recording has it.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match &self.body {
            Body::Text(text) => Some(text),
            Body::Empty | Body::Missing | Body::Cut(_) => None,
        }
    }

    /// Returns whether there was a body that the recording does not have, or not whole.
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self.body, Body::Missing | Body::Cut(_))
    }

    /// Returns whether it was answered without a redirect.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self.outcome {
            RecordedOutcome::Response(status) => Some(status),
            RecordedOutcome::Redirect(..)
            | RecordedOutcome::Failed(_)
            | RecordedOutcome::BrokeOff(_)
            | RecordedOutcome::Unknown => None,
        }
    }
}

impl RecordedOutcome {
    /// Returns the words of the tool for a failure.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            RecordedOutcome::Failed(words) | RecordedOutcome::BrokeOff(words) => words.as_deref(),
            RecordedOutcome::Response(_)
            | RecordedOutcome::Redirect(..)
            | RecordedOutcome::Unknown => None,
        }
    }

    /// Returns whether the page ended it, as the tool says.
    #[must_use]
    pub fn is_ended_by_page(&self) -> bool {
        was_ended(self.words().unwrap_or_default())
    }

    /// Returns how a request for a film failed; `None` if it did not fail, or if that is unknown.
    pub(crate) fn film_failure(&self) -> Option<String> {
        match self {
            RecordedOutcome::Response(status) if *status >= 400 => Some(format!("status {status}")),
            // A browser cancels a request for media on its own, to continue with ranges.
            RecordedOutcome::Failed(_) if self.is_ended_by_page() => None,
            RecordedOutcome::Failed(words) => {
                Some(words.clone().unwrap_or_else(|| "no answer".to_owned()))
            }
            RecordedOutcome::Response(_)
            | RecordedOutcome::Redirect(..)
            | RecordedOutcome::BrokeOff(_)
            | RecordedOutcome::Unknown => None,
        }
    }
}

/// Returns whether the page cancelled a request, by the message of a tool.
pub(super) fn was_ended(how: &str) -> bool {
    const WORDS: &[&str] = &["abort", "cancel", "client disconnected", "client closed"];
    let how = how.to_ascii_lowercase();
    WORDS.iter().any(|word| how.contains(word))
}
