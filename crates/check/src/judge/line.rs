//! A line of a trace with its name from the tables.

use std::ops::Deref;

use playsim_api::{EventName, LineName};
use playsim_trace::Record;

/// A record whose name was looked up: almost every invariant asks every line for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) record: &'a Record,
    name: Option<LineName>,
}

impl<'a> Line<'a> {
    pub(super) fn of(record: &'a Record) -> Line<'a> {
        Line {
            record,
            name: record.line_name(),
        }
    }

    /// Like [`Record::line_name`].
    pub(super) fn line_name(&self) -> Option<LineName> {
        self.name
    }

    /// Like [`Record::is`].
    pub(super) fn is(&self, name: impl Into<LineName>) -> bool {
        let name = name.into();
        // A name that is both a call and a getter is read as a call.
        if let LineName::Query(_) = name {
            self.record.is(name)
        } else {
            self.name == Some(name)
        }
    }

    /// Like [`Record::event`].
    pub(super) fn event(&self) -> Option<EventName> {
        if let Some(LineName::Event(name)) = self.name {
            Some(name)
        } else {
            None
        }
    }

    /// Like [`Record::media_event`].
    pub(super) fn media_event(&self) -> Option<EventName> {
        if let Some(LineName::Event(name) | LineName::MediaEvent(name)) = self.name {
            Some(name)
        } else {
            None
        }
    }
}

impl Deref for Line<'_> {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.record
    }
}
