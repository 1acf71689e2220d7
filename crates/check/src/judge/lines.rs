//! The content of single lines.

use std::sync::Arc;

use playsim_api::{Kind, NetLine, Value};
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_trace::Record;

/// Returns the position of the media element that a line contains.
pub(super) fn position(record: &Record) -> Option<Span> {
    let position = record
        .data
        .get("position")
        .filter(|_| record.kind == Kind::Media)?;
    seconds(position.as_number()?)
}

/// Returns a number of seconds as a length; `None` if it is negative.
pub(super) fn seconds(number: Decimal) -> Option<Span> {
    u64::try_from(number.millionths())
        .ok()
        .map(Span::from_micros)
}

/// Something that page code or the user does, whether the line is a call or an action of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Play,
    Pause,
    Stop,
    Destroy,
    Src,
    Skip,
    Click,
    Mute,
    Unmute,
}

impl Act {
    /// The names that adapters give to calls and actions.
    const NAMES: [(&str, Act); 9] = [
        ("play", Act::Play),
        ("pause", Act::Pause),
        ("stop", Act::Stop),
        ("destroy", Act::Destroy),
        ("src", Act::Src),
        ("skip", Act::Skip),
        ("click", Act::Click),
        ("mute", Act::Mute),
        ("unmute", Act::Unmute),
    ];

    /// Returns the act that a line shows.
    pub(super) fn of(record: &Record) -> Option<Act> {
        let named = || Act::NAMES.iter().find(|(name, _)| *name == &*record.name);
        if matches!(record.kind, Kind::Call | Kind::User) {
            named().map(|(_, act)| *act)
        } else {
            None
        }
    }
}

/// Returns the URL of a request.
pub(super) fn requested(record: &Record) -> Option<Arc<str>> {
    text(record, "url").filter(|_| record.is(NetLine::Request))
}

/// Returns the URL of a tracker or of any other request.
pub(super) fn called(record: &Record) -> Option<Arc<str>> {
    if record.kind == Kind::Beacon {
        text(record, "url")
    } else {
        requested(record)
    }
}

/// Returns a string in the data of a line.
pub(super) fn text(record: &Record, key: &str) -> Option<Arc<str>> {
    record
        .data
        .get(key)
        .and_then(Value::as_text)
        .map(|text| Arc::from(&**text))
}

/// Returns a length for messages, in seconds without superfluous digits; rounded to milliseconds.
pub(crate) fn brief(span: Span) -> Decimal {
    let millis = span.micros().saturating_add(500) / 1_000;
    Decimal::seconds(millis.saturating_mul(1_000))
}
