//! One ad, shown once, or never: its trackers, its time on screen, its pauses. Identity is an ad
//! *and* its break: the same ad in two breaks is shown twice.

use std::sync::Arc;

use super::settle::{Due, settle};
use super::{Session, Sure};
use playsim_base::time::{Span, Time};
use playsim_trace::PlayerIndex;
use playsim_vast::{TrackedEvent, TrackingEvent};

/// One ad that was shown, or whose trackers were called.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Showing {
    /// Its name in findings: the id of the ad, or its film.
    pub(super) name: String,
    /// The same of an ad whose film may be on screen.
    pub(super) spot: Option<usize>,
    /// The ad that its trackers are of, if documents are known; an index into the spots.
    pub(super) known: Option<usize>,
    /// From when on it can be skipped.
    pub(super) skip_from: Option<Span>,
    /// Its player, if lines name players.
    pub(super) player: Option<PlayerIndex>,
    /// The record with which it begins.
    pub(super) first: usize,
    /// When its first picture was on screen.
    pub(super) from: Option<Moment>,
    /// When it left the screen; `None` if the trace ends before.
    pub(super) to: Option<Moment>,
    /// How long it lasts.
    pub(super) length: Option<Span>,
    /// Whether only its document says that, and not its film.
    pub(super) is_length_written: bool,
    /// When its film was paused or stalled.
    pub(super) still: Vec<(Time, Time)>,
    /// The positions of its film that were heard.
    pub(super) positions: Vec<(Time, Span)>,
    /// The calls of its trackers, in order.
    pub(super) calls: Vec<TrackerCall>,
    /// The trackers that its documents name; `None` if they are unknown.
    pub(super) named: Option<Vec<NamedTracker>>,
    /// The ads with the same number follow one another in a pod.
    pub(super) pod: Option<usize>,
    /// Whether it plays at normal speed from its beginning to its end, so that times can be judged.
    pub(super) is_steady: bool,
    /// Whether a VPAID or SIMID unit reports its progress, which may be anything.
    pub(super) is_scripted: bool,
    /// Whether the trace contains its beginning.
    pub(super) is_whole: bool,
    /// Whether it is an overlay, which has no film and may have no quartiles.
    pub(super) is_overlay: bool,
}

/// A record and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) record: usize,
    pub(super) at: Time,
}

/// A tracker that is called.
#[derive(Debug, Clone)]
pub(super) struct TrackerCall {
    pub(super) record: usize,
    /// Its place among the calls of its ad.
    pub(super) turn: usize,
    pub(super) at: Time,
    /// The event that it reports.
    pub(super) event: TrackedEvent,
    /// The URL as called.
    pub(super) url: Arc<str>,
    /// Its identity: the URL as written in its document, or else as called.
    pub(super) key: Arc<str>,
    /// Whether another showing may have called it as well.
    pub(super) is_shared: bool,
    /// The code of an error, if its URL has one.
    pub(super) code: Option<Arc<str>>,
}

/// A tracker that a document names.
#[derive(Debug, Clone)]
pub(super) struct NamedTracker {
    pub(super) event: TrackedEvent,
    pub(super) key: Arc<str>,
    /// How many documents are between it and the ad: 0 for the ad's own.
    pub(super) hops: usize,
    /// Whether it belongs to the linear creative or the whole ad, not to a companion, an icon or a
    /// click.
    pub(super) is_of_playback: bool,
    /// Whether its call can be missed: its URL is absolute, and it is certain that its document led
    /// to the ad.
    pub(super) is_due: bool,
}

/// The trackers with which the playback of an ad ends.
pub(super) const LAST: [TrackingEvent; 4] = [
    TrackingEvent::Complete,
    TrackingEvent::Skip,
    TrackingEvent::CloseLinear,
    TrackingEvent::Error,
];

/// The trackers with which an ad begins.
pub(super) const FIRST: [TrackingEvent; 4] = [
    TrackingEvent::Impression,
    TrackingEvent::CreativeView,
    TrackingEvent::Start,
    TrackingEvent::Loaded,
];

/// The course of an ad.
pub(super) const COURSE: [TrackingEvent; 5] = [
    TrackingEvent::Start,
    TrackingEvent::FirstQuartile,
    TrackingEvent::Midpoint,
    TrackingEvent::ThirdQuartile,
    TrackingEvent::Complete,
];

/// The codes of linear ads that fail and do not play.
const ENDS: [&str; 5] = ["400", "401", "402", "403", "405"];

/// Returns whether an event is one of a list.
pub(super) fn is_among(event: &TrackedEvent, list: &[TrackingEvent]) -> bool {
    event.known().is_some_and(|known| list.contains(&known))
}

impl TrackerCall {
    /// Returns its place in the [`COURSE`] of an ad: the number of quarters that have been played
    /// when it is due.
    pub(super) fn course(&self) -> Option<usize> {
        COURSE.iter().position(|known| self.event == *known)
    }
}

impl Showing {
    /// Returns whether a call repeats an earlier one of the same URL for the same event.
    pub(super) fn is_again(&self, call: &TrackerCall) -> bool {
        let same = |other: &TrackerCall| other.key == call.key && other.event == call.event;
        self.calls
            .iter()
            .any(|other| other.turn < call.turn && same(other))
    }

    /// Returns the first call for an event.
    pub(super) fn call(&self, event: TrackingEvent) -> Option<&TrackerCall> {
        self.calls.iter().find(|call| call.event == event)
    }

    /// Returns whether its documents name a tracker for an event; unknown documents may.
    pub(super) fn names(&self, event: TrackingEvent) -> bool {
        self.named.as_ref().is_none_or(|named| {
            named
                .iter()
                .any(|it| it.event == event && it.is_of_playback && it.is_due)
        })
    }

    /// Returns the call with which its playback ends. An error ends it only if it is one of a
    /// linear ad: a companion or a verification script may fail, and the ad plays on.
    pub(super) fn last(&self) -> Option<&TrackerCall> {
        let is_end = |call: &&TrackerCall| {
            is_among(&call.event, &LAST)
                && (call.event != TrackingEvent::Error
                    || !call.is_shared
                        && call
                            .code
                            .as_deref()
                            .is_some_and(|code| ENDS.contains(&code)))
        };
        self.calls.iter().find(is_end)
    }

    /// Returns the position of its film at a time: from the last one that was heard, advanced by
    /// the time since.
    pub(super) fn position(&self, at: Time) -> Option<Span> {
        let (heard, position) = self.positions.iter().rfind(|(heard, _)| *heard <= at)?;
        let still = self.still.iter().fold(Span::ZERO, |sum, (begin, end)| {
            sum + ((*end).min(at).max(*heard) - (*begin).max(*heard).min(at))
        });
        Some(*position + ((at - *heard) - still))
    }

    /// How sure a finding about the trackers that were called is: some of them may be those of
    /// another ad.
    pub(super) fn settled(&self) -> Sure {
        if self.calls.iter().any(|call| call.is_shared) {
            Sure::Likely
        } else {
            Sure::Certain
        }
    }

    /// How sure a finding about a tracker that is missing is.
    pub(super) fn sure(&self) -> Sure {
        if self.named.is_some() {
            self.settled()
        } else {
            Sure::Likely
        }
    }

    /// How sure a finding about a missing tracker of an event is. A browser may answer a URL from
    /// its memory that the page has requested before, also for another ad, and no recording of the
    /// network shows that.
    pub(super) fn sure_of_missing(&self, session: &Session<'_>, event: TrackingEvent) -> Sure {
        // Each call of a URL with a macro is another URL.
        let is_same_each_time = |it: &&NamedTracker| playsim_vast::macros(&it.key).is_empty();
        let mut named = self
            .named
            .iter()
            .flatten()
            .filter(|it| it.event == event)
            .filter(is_same_each_time);
        let is_by_another = |it: &NamedTracker| {
            let is_it = |call: &TrackerCall| call.key == it.key;
            !self.calls.iter().any(is_it)
                && session
                    .showings()
                    .iter()
                    .any(|other| other.calls.iter().any(is_it))
        };
        if !session.is_own && named.any(is_by_another) {
            Sure::Depends
        } else {
            self.sure()
        }
    }

    /// Puts calls in order: in a recording, those that come together in the order that is due for
    /// them.
    pub(super) fn settle(&mut self, is_own: bool) {
        self.calls.sort_by_key(|call| call.record);
        if !is_own {
            settle(&mut self.calls, |call| {
                (call.at, (), Due::of_tracker(&call.event))
            });
        }
        self.calls
            .iter_mut()
            .enumerate()
            .for_each(|(turn, call)| call.turn = turn);
    }

    /// Returns how much of it had been played at a time, by the clock and its pauses; `None` if it
    /// was not shown.
    pub(super) fn played(&self, at: Time) -> Option<Span> {
        let from = self.from?.at;
        Some(self.still.iter().fold(at - from, |played, (begin, end)| {
            played - ((*end).min(at).max(from) - (*begin).max(from).min(at))
        }))
    }
}
