//! The names of tracking events, and names that were meant to be one of them.
//!
//! Sources: VAST 2.0.1 to 4.3 (section 3.14 and the notes on changes); older names from the schemas of 2.0 and 3.0.

use std::sync::Arc;

use super::clip;
use super::reader::Reader;

/// The events that some version of VAST has.
pub const OF_ADS: &[&str] = &[
    "loaded",
    "start",
    "firstQuartile",
    "midpoint",
    "thirdQuartile",
    "complete",
    "progress",
    "skip",
    "closeLinear",
    "otherAdInteraction",
    "interactiveStart",
    "mute",
    "unmute",
    "pause",
    "resume",
    "rewind",
    "playerExpand",
    "playerCollapse",
    "fullscreen",
    "exitFullscreen",
    "expand",
    "collapse",
    "notUsed",
    "creativeView",
    "acceptInvitation",
    "acceptInvitationLinear",
    "timeSpentViewing",
    "adExpand",
    "adCollapse",
    "minimize",
    "close",
    "overlayViewDuration",
    "verificationNotExecuted",
];

/// The events of a VMAP break. VMAP 1.0.1 section 2.3.3.
pub(super) const OF_BREAKS: &[&str] = &["breakStart", "breakEnd", "error"];

/// The event of a `Tracking` element, `what` it is one of; without one it is never called.
///
/// A name in another letter case is read as the one that was meant. What is none of `known` is kept as written: nothing
/// ever calls it, and that is told.
pub(super) fn read(reader: &mut Reader, node: usize, known: &[&str], what: &str) -> Option<Arc<str>> {
    let Some(found) = reader.attribute(node, "event") else {
        let text = "\"Tracking\" has no \"event\"; never called";
        reader.warn(reader.at(node), "event-missing", text);
        return None;
    };
    if known.contains(&&*found.text) {
        return Some(reader.keep(&found.text));
    }
    if let Some(meant) = known.iter().find(|name| name.eq_ignore_ascii_case(&found.text)) {
        let text = format!("event is \"{}\"; taken as \"{meant}\"", clip(&found.text));
        reader.warn(found.at, "letter-case", text);
        return Some(reader.keep(meant));
    }
    let text = format!("\"{}\" is no event of {what}; never called", clip(&found.text));
    reader.warn(found.at, "event-unknown", text);
    Some(reader.keep(&found.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_events_differ_in_letter_case_alone() {
        for names in [OF_ADS, OF_BREAKS] {
            let mut lower: Vec<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
            lower.sort_unstable();
            lower.dedup();
            assert_eq!(lower.len(), names.len());
        }
    }

    #[test]
    fn events_are_read_as_meant_and_strange_ones_are_told() {
        let tracking = |event| format!("<Tracking event=\"{event}\">https://t.test/{event}</Tracking>");
        let all: String = ["start", "Start", "firstquartile", "bogusEventName"].map(tracking).concat();
        let text = format!(
            "<VAST version=\"4.2\"><Ad><InLine><Creatives><Creative><Linear><TrackingEvents>{all}\
             </TrackingEvents></Linear></Creative></Creatives></InLine></Ad></VAST>"
        );
        let document = crate::vast::read(&text);
        let super::super::CreativeKind::Linear(linear) = &document.ads[0].creatives[0].kind else {
            panic!("the creative is linear");
        };
        let events: Vec<&str> = linear.tracking.iter().map(|tracking| &*tracking.event).collect();
        assert_eq!(events, ["start", "start", "firstQuartile", "bogusEventName"]);
        let told = |code| document.warnings.iter().filter(|it| it.code == code).map(|it| &*it.text).collect();
        let (cases, unknown): (Vec<&str>, Vec<&str>) = (told("letter-case"), told("event-unknown"));
        assert_eq!(
            cases,
            [
                "event is \"Start\"; taken as \"start\"",
                "event is \"firstquartile\"; taken as \"firstQuartile\""
            ]
        );
        assert_eq!(unknown, ["\"bogusEventName\" is no event of an ad; never called"]);
    }
}
