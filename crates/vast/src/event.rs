//! Tracking events as documents write them, and misspellings of them.

use super::reader::Reader;
use super::tracked::{TrackedEvent, TrackingEvent};
use super::tree::NodeId;
use super::{WarningCode, clip};

/// The events of a VMAP break. VMAP 1.0.1 section 2.3.3.
pub(super) const OF_BREAKS: &[&str] = &[
    TrackingEvent::BreakStart.name(),
    TrackingEvent::BreakEnd.name(),
    TrackingEvent::Error.name(),
];

/// Returns the event of a `Tracking` element; `None` if it has none, so that it is never requested.
///
/// A name in another letter case is corrected. A name that is not in `known` is kept as written,
/// with a warning that it is never requested. `what`: the source of the events, for the warning.
pub(super) fn read(
    reader: &mut Reader,
    node: NodeId,
    known: &[&str],
    what: &str,
) -> Option<TrackedEvent> {
    let Some(found) = reader.attribute(node, "event") else {
        let text = "\"Tracking\" has no \"event\"; never requested";
        reader.warn(node, WarningCode::EventMissing, text);
        return None;
    };
    if known.contains(&&*found.text) {
        return Some(TrackedEvent::of(&found.text));
    }
    if let Some(meant) = known
        .iter()
        .find(|name| name.eq_ignore_ascii_case(&found.text))
    {
        let text = format!("event is \"{}\"; read as \"{meant}\"", clip(&found.text));
        reader.warn_at(found.at, WarningCode::LetterCase, text);
        return Some(TrackedEvent::of(meant));
    }
    let text = format!(
        "\"{}\" is not an event of {what}; never requested",
        clip(&found.text)
    );
    reader.warn_at(found.at, WarningCode::EventUnknown, text);
    Some(TrackedEvent::of(&found.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_events_differ_in_letter_case_alone() {
        for names in [super::super::TRACKING_EVENTS, OF_BREAKS] {
            let mut lower: Vec<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
            lower.sort_unstable();
            lower.dedup();
            assert_eq!(lower.len(), names.len());
        }
    }

    #[test]
    fn letter_case_of_events_is_corrected_and_unknown_ones_are_reported() {
        let tracking =
            |event| format!("<Tracking event=\"{event}\">https://t.test/{event}</Tracking>");
        let all: String = ["start", "Start", "firstquartile", "bogusEventName"]
            .map(tracking)
            .concat();
        let text = format!(
            "<VAST version=\"4.2\"><Ad><InLine><Creatives><Creative><Linear><TrackingEvents>{all}\
             </TrackingEvents></Linear></Creative></Creatives></InLine></Ad></VAST>"
        );
        let document = crate::read(&text);
        let super::super::CreativeKind::Linear(linear) = &document.ads[0].creatives[0].kind else {
            panic!("the creative is linear");
        };
        let events: Vec<&str> = linear
            .tracking
            .iter()
            .map(|tracking| tracking.event.name())
            .collect();
        assert_eq!(
            events,
            ["start", "start", "firstQuartile", "bogusEventName"]
        );
        let texts = |code| {
            document
                .warnings
                .iter()
                .filter(|it| it.code == code)
                .map(|it| &*it.text)
                .collect()
        };
        let (cases, unknown): (Vec<&str>, Vec<&str>) = (
            texts(WarningCode::LetterCase),
            texts(WarningCode::EventUnknown),
        );
        assert_eq!(
            cases,
            [
                "event is \"Start\"; read as \"start\"",
                "event is \"firstquartile\"; read as \"firstQuartile\""
            ]
        );
        assert_eq!(
            unknown,
            ["\"bogusEventName\" is not an event of an ad; never requested"]
        );
    }
}
