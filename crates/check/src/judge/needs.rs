//! The lines that a trace must hear for a law.

use super::Session;
use playsim_api::{EventName, Kind};
use playsim_trace::Record;

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
    /// Trackers of an ad.
    Trackers,
    /// Listeners that run.
    Listeners,
}

const DOCUMENTS: &str = "the documents of its ads (--scenario, or the text of responses)";

impl Need {
    /// Returns whether a trace has it.
    pub(super) fn is_met(self, session: &Session<'_>) -> bool {
        self.missing(session).is_none()
    }

    /// Returns what a trace lacks; `None` if it has what is needed.
    pub(super) fn missing(self, session: &Session<'_>) -> Option<String> {
        let unheard = |kind: Kind, names: &[EventName]| {
            let names = names.iter().map(|it| it.name());
            let unheard: Vec<&str> = names.filter(|it| !session.hears(kind, it)).collect();
            let lines = format!("lines {} {}", kind.name(), unheard.join(", "));
            (!unheard.is_empty()).then_some(lines)
        };
        let lacks = |has: bool, what: &str| (!has).then(|| what.to_owned());
        match self {
            Need::Own => lacks(session.is_complete, "a whole trace of playsim"),
            Need::Foreign => lacks(
                !session.is_own,
                "a recording: a trace of playsim is judged by other rules",
            ),
            Need::Breaks => lacks(
                session.is_complete || !session.is_own && session.has_breaks(),
                "lines break begin, end",
            ),
            Need::Events(names) => unheard(Kind::Event, names),
            Need::Media(names) => unheard(Kind::Media, names),
            Need::Lines(kind, name) => lacks(
                session.hears(kind, name),
                &format!("lines {} {name}", kind.name()),
            ),
            Need::Documents => lacks(!session.spots().is_empty(), DOCUMENTS),
            Need::Trackers => lacks(
                session.showings().iter().any(|it| !it.calls.is_empty()),
                if session.spots().is_empty() {
                    DOCUMENTS
                } else {
                    "a tracker of an ad that was shown"
                },
            ),
            Need::Listeners => {
                let is_one = |record: &Record| record.kind == Kind::Listener;
                lacks(session.trace.records.iter().any(is_one), "lines listener")
            }
        }
    }
}
