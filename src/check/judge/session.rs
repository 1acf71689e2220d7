//! What a trace shows, gathered from its lines.

use super::CheckOptions;
use super::screen::{self, Shown};
use super::showing::Showing;
use super::spots::Spots;
use crate::api::{HeaderLine, Kind};
use crate::recording::{Hears, Recording};
use crate::time::{Span, Time};
use crate::trace::{Record, Trace};

/// What a trace shows.
#[derive(Debug)]
pub(super) struct Session<'a> {
    pub(super) trace: &'a Trace,
    /// What was heard; of a trace without a head only the names that it contains.
    hears: &'a Hears,
    has_head: bool,
    /// Whether playsim wrote it.
    pub(super) is_own: bool,
    /// Whether playsim wrote it and no line was left out.
    pub(super) is_complete: bool,
    pub(super) within: Span,
    /// The ads that the documents contain.
    pub(super) spots: Spots,
    /// The linear ads, in the order in which they begin; they are gathered from the rest.
    pub(super) showings: Vec<Showing>,
    /// The films on screen, in order.
    pub(super) screen: Vec<Shown>,
    /// The time of the last line.
    pub(super) end: Time,
}

impl<'a> Session<'a> {
    /// Gathers all but the showings.
    pub(super) fn of(recording: &'a Recording, options: &CheckOptions) -> Session<'a> {
        let trace = &recording.trace;
        let first = trace.records.first();
        let is_own = first.is_some_and(|first| first.is(HeaderLine::Trace));
        let has_head = first.is_some_and(|first| first.kind == Kind::Header);
        let has_all = trace
            .records
            .iter()
            .try_fold(0_u32, |due, record| (record.seq == due).then(|| record.last_seq().saturating_add(1)));
        let ends = trace.records.last().is_some_and(|last| last.kind == Kind::Outcome);
        let spots = Spots::of(trace, options);
        Session {
            trace,
            hears: &recording.head.hears,
            has_head,
            is_own,
            is_complete: is_own && ends && has_all.is_some(),
            within: options.within,
            screen: screen::of(trace, &spots),
            spots,
            showings: Vec::new(),
            end: trace.records.last().map_or(Time::ZERO, Record::until),
        }
    }

    /// Returns whether a line of this kind and name would be in the trace. Without a head, and in an excerpt, only
    /// names that occur are known to be heard.
    pub(super) fn hears(&self, kind: Kind, name: &str) -> bool {
        let occurs = || self.trace.records.iter().any(|record| record.kind == kind && *record.name == *name);
        let says = self.has_head && (!self.is_own || self.is_complete);
        if says { self.hears.hears(kind, name) } else { occurs() }
    }

    /// Returns the position of the content at a record, if it is known.
    pub(super) fn content_at(&self, record: usize) -> Option<Span> {
        screen::content_at(self.trace, &self.spots, &self.screen, record)
    }

    /// Returns whether films on screen are known, from lines of their own or from media events.
    pub(super) fn sees(&self) -> bool {
        !self.screen.is_empty()
    }

    /// Returns the records with their indexes.
    pub(super) fn lines(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Record)> + Clone + use<'a> {
        self.trace.records.iter().enumerate()
    }

    /// Returns whether the trace goes on for at least this long after a time, so that what is missing is missing.
    pub(super) fn goes_on(&self, after: Time, span: Span) -> bool {
        self.end >= after + span
    }
}
