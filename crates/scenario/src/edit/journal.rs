//! The journal: the record of each call.
//!
//! Rules: EDIT-35, EDIT-40, EDIT-45.

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{Route, ServiceFault};
use playsim_api::catalog::VideoRecord;
use playsim_api::video::{InvalidValue, proposing, quoted};
use playsim_api::{Code, Fields};
use playsim_base::time::Time;
use playsim_rules::RuleId;

/// A mistake in a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct FieldError {
    /// The field, without prefix.
    pub field: Arc<str>,
    /// A stable word for programs.
    pub code: &'static str,
    /// The error: the field, its value, and the accepted values.
    pub message: String,
    /// The rule that says so. Answers do not name it.
    #[serde(skip)]
    pub rule: RuleId,
}

/// `field "publish" is "2024-01-31"; it must be a date as day-month-year, like 31-01-2024`. The
/// rule is that of the field.
pub(super) fn mistake(field: &str, found: &str, fault: InvalidValue, rule: RuleId) -> FieldError {
    let message = fault.message(&format!("field \"{field}\""), &quoted(found));
    let message = proposing(message, fault.meant.as_deref());
    FieldError {
        field: field.into(),
        code: fault.code,
        message,
        rule: fault.rule.unwrap_or(rule),
    }
}

/// A remark about a value that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct Diag {
    /// Its subject.
    #[serde(serialize_with = "collect_str")]
    pub code: Code,
    /// The finding and its effect.
    pub text: String,
    /// The rule that says so.
    #[serde(serialize_with = "collect_str")]
    pub rule: RuleId,
}

/// One call. Rule EDIT-45.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Hash)]
pub struct JournalEntry {
    /// Its number, counted from 1 since the service was made or reset.
    pub number: u64,
    /// When it arrived, on the virtual clock.
    #[serde(rename = "t", serialize_with = "micros")]
    pub at: Time,
    /// Its method.
    pub method: Arc<str>,
    /// Its path as sent.
    pub path: Arc<str>,
    /// Its route; `None`: its path is not one that edits.
    #[serde(serialize_with = "route_name", skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
    /// The id of its video, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// The known fields as sent, without prefix: a string, or a list of strings.
    pub fields: Fields,
    /// The names of unknown fields, as sent. Rule EDIT-35.
    pub unknown: Vec<Arc<str>>,
    /// The status of its answer, even if the connection was closed instead.
    pub status: u16,
    /// Errors of the call as a whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The mistakes, in the form's order. Rule EDIT-40.
    pub errors: Vec<FieldError>,
    /// Remarks about accepted values.
    pub diags: Vec<Diag>,
    /// The planned fault. Rule EDIT-44.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ServiceFault>,
    /// The record before the call, if it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Arc<VideoRecord>>,
    /// The record after the call; the same if nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Arc<VideoRecord>>,
    /// The rule that decided.
    #[serde(serialize_with = "collect_str")]
    pub rule: RuleId,
}

impl JournalEntry {
    /// Whether the call changed the record.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.before != self.after
    }
}

/// Calls in the order in which they arrived. Above a number and a size of calls, the oldest are
/// dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Journal {
    /// Each with the bytes of its form.
    entries: VecDeque<(Arc<JournalEntry>, u64)>,
    bytes: u64,
}

impl Journal {
    /// The most calls that are kept.
    pub const MAX: usize = 10_000;
    /// The most bytes that their forms have in total; the last call is always kept.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Returns the calls that are kept, the oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<JournalEntry>> {
        self.entries.iter().map(|(entry, _)| entry)
    }

    /// Returns the number of calls that are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no calls are kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn push(&mut self, entry: Arc<JournalEntry>, bytes: u64) {
        self.entries.push_back((entry, bytes));
        self.bytes += bytes;
        while self.entries.len() > 1
            && (self.entries.len() > Journal::MAX || self.bytes > Journal::MAX_BYTES)
            && let Some((_, bytes)) = self.entries.pop_front()
        {
            self.bytes -= bytes;
        }
    }
}

impl Serialize for Journal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn collect_str<S: Serializer>(text: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(text)
}

fn micros<S: Serializer>(at: &Time, to: S) -> Result<S::Ok, S::Error> {
    at.micros().serialize(to)
}

fn route_name<S: Serializer>(route: &Option<Route>, to: S) -> Result<S::Ok, S::Error> {
    route.map(Route::name).serialize(to)
}
