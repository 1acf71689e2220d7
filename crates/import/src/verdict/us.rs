//! Times in JSON: microseconds.

use serde::{Serialize, Serializer};

use super::RecordedEnd;
use playsim_base::time::{Span, Time};
use playsim_vast::TrackingEvent;

pub(super) fn time<S: Serializer>(it: &Time, to: S) -> Result<S::Ok, S::Error> {
    it.micros().serialize(to)
}

pub(super) fn span<S: Serializer>(it: &Span, to: S) -> Result<S::Ok, S::Error> {
    it.micros().serialize(to)
}

pub(super) fn maybe_span<S: Serializer>(it: &Option<Span>, to: S) -> Result<S::Ok, S::Error> {
    it.map(Span::micros).serialize(to)
}

pub(super) fn range<S: Serializer>(it: &(Span, Span), to: S) -> Result<S::Ok, S::Error> {
    [it.0.micros(), it.1.micros()].serialize(to)
}

#[derive(Serialize)]
struct Event<'a> {
    event: &'a str,
    us: u64,
}

pub(super) fn end<S: Serializer>(
    it: &Option<(Time, RecordedEnd)>,
    to: S,
) -> Result<S::Ok, S::Error> {
    it.map(|(at, end)| Event {
        event: end.word(),
        us: at.micros(),
    })
    .serialize(to)
}

pub(super) fn events<S: Serializer>(
    it: &[(TrackingEvent, Span)],
    to: S,
) -> Result<S::Ok, S::Error> {
    it.iter()
        .map(|(event, by)| Event {
            event: event.name(),
            us: by.micros(),
        })
        .collect::<Vec<_>>()
        .serialize(to)
}
