//! The lines that a trace must hear for a law.

use super::Session;
use playsim_api::{EventName, Kind};

/// One thing that a trace must have for a law.
#[derive(Debug, Clone, Copy)]
pub(super) enum Need {
    /// All lines of a run: playsim wrote it, and nothing was left out.
    Own,
    /// It is not a trace of playsim, whose own lines say more.
    Foreign,
    /// It says where breaks begin and end.
    Breaks,
    /// Documented events.
    Events(&'static [EventName]),
    /// Events of media elements.
    Media(&'static [EventName]),
    /// Lines of a kind, with this name or any (`*`).
    Lines(Kind, &'static str),
    /// The documents of ads, so that it is known which URLs are trackers.
    Documents,
}

impl Need {
    /// Returns whether a trace has it.
    pub(super) fn is_met(self, session: &Session<'_>) -> bool {
        let hears =
            |kind, names: &[EventName]| names.iter().all(|it| session.hears(kind, it.name()));
        match self {
            Need::Own => session.is_complete,
            Need::Foreign => !session.is_own,
            Need::Breaks => session.is_complete || !session.is_own && session.has_breaks(),
            Need::Events(names) => hears(Kind::Event, names),
            Need::Media(names) => hears(Kind::Media, names),
            Need::Lines(kind, name) => session.hears(kind, name),
            Need::Documents => !session.spots().is_empty(),
        }
    }
}
