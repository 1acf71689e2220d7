//! One ad, shown once, or never: its trackers, its time on screen, its pauses.

use std::sync::Arc;

use crate::time::{Span, Time};

/// One linear ad that was shown, or whose trackers were called.
#[derive(Debug, Default)]
pub(super) struct Showing {
    /// Its name in findings: the id of the ad, or its film.
    pub(super) name: String,
    /// Its document and ad, if documents are known; an index into the spots.
    pub(super) spot: Option<usize>,
    /// The record with which it begins.
    pub(super) first: usize,
    /// When its first picture was on screen.
    pub(super) from: Option<Moment>,
    /// When it left the screen; `None` if the trace ends before.
    pub(super) to: Option<Moment>,
    /// How long it lasts.
    pub(super) length: Option<Span>,
    /// When its film was paused or stalled.
    pub(super) still: Vec<(Time, Time)>,
    /// The calls of its trackers, in order.
    pub(super) calls: Vec<Call>,
    /// The trackers that its documents name; `None` if they are unknown.
    pub(super) named: Option<Vec<Named>>,
    /// The ads with the same number follow one another in a pod.
    pub(super) pod: Option<usize>,
    /// Whether it plays at normal speed from its beginning to its end, so that times can be judged.
    pub(super) is_steady: bool,
    /// Whether a VPAID or SIMID unit reports its progress, which may be anything.
    pub(super) is_scripted: bool,
    /// Whether the trace contains its beginning.
    pub(super) is_whole: bool,
}

/// A record and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) record: usize,
    pub(super) at: Time,
}

/// A tracker that is called.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) record: usize,
    pub(super) at: Time,
    /// The name of its event, such as `firstQuartile`.
    pub(super) event: Arc<str>,
    /// The URL as called.
    pub(super) url: Arc<str>,
    /// What identifies it: the URL as its document names it, or as called.
    pub(super) key: Arc<str>,
    /// Whether another showing may have called it as well.
    pub(super) is_shared: bool,
}

/// A tracker that a document names.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) event: Arc<str>,
    pub(super) key: Arc<str>,
    /// How many documents are between it and the ad: 0 for the ad's own.
    pub(super) hops: usize,
    /// Whether it belongs to the linear creative or the whole ad, not to a companion, an icon or a click.
    pub(super) is_of_playback: bool,
}

/// The trackers with which the playback of an ad ends.
pub(super) const LAST: [&str; 4] = ["complete", "skip", "closeLinear", "error"];

/// The course of an ad.
pub(super) const COURSE: [&str; 5] = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"];

impl Call {
    /// Returns its place in the [`COURSE`] of an ad: the number of quarters that have been played when it is due.
    pub(super) fn course(&self) -> Option<usize> {
        COURSE.iter().position(|known| **known == *self.event)
    }
}

impl Showing {
    /// Returns whether a call repeats an earlier one of the same URL for the same event.
    pub(super) fn is_again(&self, call: &Call) -> bool {
        let same = |other: &Call| other.key == call.key && other.event == call.event;
        self.calls.iter().any(|other| other.record < call.record && same(other))
    }

    /// Returns the first call for an event.
    pub(super) fn call(&self, event: &str) -> Option<&Call> {
        self.calls.iter().find(|call| *call.event == *event)
    }

    /// Returns whether its documents name a tracker for an event; unknown documents may.
    pub(super) fn names(&self, event: &str) -> bool {
        self.named
            .as_ref()
            .is_none_or(|named| named.iter().any(|it| *it.event == *event && it.is_of_playback))
    }

    /// Returns the call with which its playback ends.
    pub(super) fn last(&self) -> Option<&Call> {
        self.calls.iter().find(|call| LAST.contains(&&*call.event))
    }

    /// Returns how much of it had been played at a time, by the clock and its pauses; `None` if it was not shown.
    pub(super) fn played(&self, at: Time) -> Option<Span> {
        let from = self.from?.at;
        Some(self.still.iter().fold(at - from, |played, (begin, end)| {
            played - ((*end).min(at).max(from) - (*begin).max(from).min(at))
        }))
    }
}
