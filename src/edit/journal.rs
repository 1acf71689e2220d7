//! What is kept of each call.
//!
//! Rules: EDIT-35, EDIT-40, EDIT-45.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Route, ServiceFault};
use crate::api::Fields;
use crate::catalog::Record;
use crate::rules::RuleId;
use crate::time::Time;

/// A mistake in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, named bare.
    pub field: Arc<str>,
    /// A stable word for programs.
    pub code: &'static str,
    /// A sentence that names the field, what was found, what was due, and a form to copy.
    pub message: String,
    /// The rule that says so.
    pub rule: RuleId,
}

/// Something that was taken, and is told all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diag {
    /// A stable word for programs.
    pub code: &'static str,
    /// What was found and what became of it.
    pub text: String,
    /// The rule that says so.
    pub rule: RuleId,
}

/// One call. Rule EDIT-45.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which call it was, counted from 1 since the service was made or reset.
    pub number: u64,
    /// When it came, on the virtual clock.
    pub at: Time,
    /// Its method.
    pub method: Arc<str>,
    /// Its path as sent.
    pub path: Arc<str>,
    /// The route that it took; `None`: the path leads to no edit.
    pub route: Option<Route>,
    /// The id of the video it was for, if it named one.
    pub id: Option<Arc<str>>,
    /// The fields that were read, named bare, as they were sent: a text, or a list of texts.
    pub fields: Fields,
    /// The names of fields that nobody knows, as they were sent. Rule EDIT-35.
    pub unknown: Vec<Arc<str>>,
    /// The status of its answer; that of an answer that was cut too.
    pub status: u16,
    /// What was wrong with the call as a whole; empty: nothing.
    pub detail: String,
    /// The mistakes, in the form's order. Rule EDIT-40.
    pub errors: Vec<FieldError>,
    /// What was taken and is told all the same.
    pub diags: Vec<Diag>,
    /// What went wrong by order. Rule EDIT-44.
    pub fault: Option<ServiceFault>,
    /// The record before the call, if there is one.
    pub before: Option<Arc<Record>>,
    /// The record after the call: where nothing changed, the same.
    pub after: Option<Arc<Record>>,
    /// The rule that decided.
    pub rule: RuleId,
}

impl Entry {
    /// Whether the record is another one since.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.before != self.after
    }
}

/// Calls in the order in which they came. Of very many, or very large ones, the oldest are forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Journal {
    /// Each with the bytes of its form.
    entries: VecDeque<(Arc<Entry>, u64)>,
    bytes: u64,
}

impl Journal {
    /// So many calls are kept, and no more.
    pub const MAX: usize = 10_000;
    /// Their forms have so many bytes together, and no more; the last call is always kept.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// The calls that are kept, the oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Entry>> {
        self.entries.iter().map(|(entry, _)| entry)
    }

    /// How many calls are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there was no call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn push(&mut self, entry: Arc<Entry>, bytes: u64) {
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

impl Serialize for FieldError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("field", &*self.field)?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("message", &self.message)?;
        map.end()
    }
}

impl Serialize for Diag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("rule", &self.rule.to_string())?;
        map.end()
    }
}

/// As an object whose fields without a value are left out; `t` counts microseconds.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("number", &self.number)?;
        map.serialize_entry("t", &self.at.micros())?;
        map.serialize_entry("method", &*self.method)?;
        map.serialize_entry("path", &*self.path)?;
        if let Some(route) = self.route {
            map.serialize_entry("route", route.name())?;
        }
        if let Some(id) = &self.id {
            map.serialize_entry("id", &**id)?;
        }
        map.serialize_entry("fields", &self.fields)?;
        map.serialize_entry("unknown", &self.unknown)?;
        map.serialize_entry("status", &self.status)?;
        if !self.detail.is_empty() {
            map.serialize_entry("detail", &self.detail)?;
        }
        map.serialize_entry("errors", &self.errors)?;
        map.serialize_entry("diags", &self.diags)?;
        if let Some(fault) = &self.fault {
            map.serialize_entry("fault", fault)?;
        }
        for (name, record) in [("before", &self.before), ("after", &self.after)] {
            if let Some(record) = record {
                map.serialize_entry(name, record)?;
            }
        }
        map.serialize_entry("rule", &self.rule.to_string())?;
        map.end()
    }
}

impl Serialize for Journal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
