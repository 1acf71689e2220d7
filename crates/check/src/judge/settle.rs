//! Reorders nearly simultaneous lines of a recording.
//!
//! A recorder observes requests, events and media separately. It may write lines of the same task
//! of the page, or of the same video frame, in any order. Lines that are closer together than
//! [`TOGETHER`] are therefore sorted into the expected order before they are judged; lines that are
//! further apart keep their order.

use crate::recording::TOGETHER;
use playsim_api::{EventName, HeaderLine, Kind};
use playsim_base::time::Time;
use playsim_trace::{Record, Trace};
use playsim_vast::{TrackedEvent, TrackingEvent};

/// A recording whose lines are in the order in which they are judged.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) trace: Trace,
    /// The index of each record in the original recording.
    pub(super) places: Vec<usize>,
}

/// The position of a line among simultaneous lines. The lines of an ad's beginning are ordered, and
/// so are those of its end; the beginning of an ad comes after the end of the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// The beginning of an ad, with the position of the line within it.
    Begin(u8),
    /// The end of an ad, with the position of the line within it.
    End(u8),
    /// The player is ready.
    Ready,
    /// Content plays: 0 for `play` and updates, 1 for `start`.
    Content(u8),
    /// Content is over: 0 for `ended`, 1 for `playlistComplete`.
    Over(u8),
    /// Another item is loaded: content events are not moved across it.
    Another,
    /// Anything else.
    Any,
}

/// The position of an ad's last event within its end.
const LAST: u8 = 2;

impl Due {
    fn of(record: &Record) -> Due {
        if record.kind == Kind::Beacon {
            return Due::of_tracker(&TrackedEvent::of(&record.name));
        }
        if record.media_event() == Some(EventName::LoadStart) {
            return Due::Another;
        }
        match record.event() {
            Some(EventName::AdImpression) => Due::Begin(0),
            Some(EventName::AdStart) => Due::Begin(3),
            Some(EventName::AdThirdQuartile) => Due::End(0),
            Some(EventName::AdComplete | EventName::AdSkip) => Due::End(LAST),
            Some(EventName::AdEnd) => Due::End(5),
            Some(EventName::Ready) => Due::Ready,
            Some(EventName::Play | EventName::TimeUpdate) => Due::Content(0),
            Some(EventName::Start) => Due::Content(1),
            Some(EventName::Ended) => Due::Over(0),
            Some(EventName::PlaylistComplete) => Due::Over(1),
            Some(EventName::Skipped) => Due::Another,
            Some(_) | None => Due::Any,
        }
    }

    pub(super) fn of_tracker(event: &TrackedEvent) -> Due {
        match event.known() {
            Some(TrackingEvent::Impression) => Due::Begin(1),
            Some(TrackingEvent::CreativeView) => Due::Begin(2),
            Some(TrackingEvent::Start) => Due::Begin(4),
            Some(TrackingEvent::ThirdQuartile) => Due::End(1),
            Some(TrackingEvent::Complete | TrackingEvent::Skip) => Due::End(3),
            Some(TrackingEvent::CloseLinear) => Due::End(4),
            Some(_) | None => Due::Any,
        }
    }

    /// Returns whether this line comes before another one.
    fn is_before(self, other: Due) -> bool {
        match (self, other) {
            (Due::Begin(one), Due::Begin(other))
            | (Due::End(one), Due::End(other))
            | (Due::Content(one), Due::Content(other))
            | (Due::Over(one), Due::Over(other)) => one < other,
            (Due::End(LAST), Due::Content(_)) | (Due::Ready, Due::Content(_)) => true,
            _ => false,
        }
    }

    /// Returns whether this line must not be moved across the other one.
    fn stops_at(self, other: Due) -> bool {
        let is_of_content = matches!(self, Due::Content(_) | Due::Over(_));
        matches!(
            (self, other),
            (Due::Begin(_), Due::End(_)) | (Due::End(_), Due::Begin(_))
        ) || is_of_content && other == Due::Another
    }
}

/// Returns a recording in the order in which it is judged; `None` if the order does not change.
pub(super) fn settled(trace: &Trace) -> Option<Settled> {
    if trace
        .records
        .first()
        .is_some_and(|first| first.is(HeaderLine::Trace))
    {
        return None;
    }
    let mut places: Vec<usize> = (0..trace.records.len()).collect();
    let is_moved = settle(&mut places, |place| {
        let record = &trace.records[*place];
        (record.at, record.player, Due::of(record))
    });
    is_moved.then(|| {
        let records = places
            .iter()
            .map(|place| trace.records[*place].clone())
            .collect();
        Settled {
            trace: Trace {
                records,
                players: trace.players.clone(),
                digest: trace.digest,
            },
            places,
        }
    })
}

/// Sorts nearly simultaneous items into the expected order. Returns whether any item has moved.
pub(super) fn settle<T, P: PartialEq>(items: &mut [T], due: impl Fn(&T) -> (Time, P, Due)) -> bool {
    let mut is_moved = false;
    for index in 1..items.len() {
        let (at, player, own) = due(&items[index]);
        if own == Due::Any {
            continue;
        }
        let before = (0..index).rev().map(|before| (before, due(&items[before])));
        let near = before
            .take_while(|(_, (earlier, ..))| *earlier + TOGETHER >= at)
            .filter(|(_, (_, other, _))| *other == player)
            .take_while(|(_, (.., other))| !own.stops_at(*other));
        if let Some((to, _)) = near.filter(|(_, (.., other))| own.is_before(*other)).last() {
            items[to..=index].rotate_right(1);
            is_moved = true;
        }
    }
    is_moved
}
