//! What media addresses play.

use std::sync::Arc;

use super::node::{Key, Node, Object};
use super::{Reading, scalar};
use crate::media::MediaFault;
use crate::scenario::MediaScript;
use crate::time::{Position, Span};

/// The words for how media fail.
pub(in crate::scenario) const MEDIA_FAULTS: &[(&str, MediaFault)] = &[
    (MediaFault::Network.word(), MediaFault::Network),
    (MediaFault::Decode.word(), MediaFault::Decode),
    (MediaFault::Unsupported.word(), MediaFault::Unsupported),
    (MediaFault::NotFound.word(), MediaFault::NotFound),
];

/// How much longer than the place of its failure a medium is that fails and has no duration.
const BEHIND_FAILURE: Span = Span::from_secs(1);

/// What media addresses play, and what those play that are not listed.
pub(super) fn media(
    node: &Node,
    reading: &mut Reading<'_>,
) -> (Vec<(Arc<str>, MediaScript)>, Option<MediaScript>) {
    let entries = reading.keep(node.entries("media", "{ film.mp4: { duration: 60s } }")).unwrap_or_default();
    let (mut media, mut default) = (Vec::new(), None);
    for (Key { text, .. }, node) in entries {
        let script = medium(node, reading);
        if text == "default" {
            default = script;
        } else {
            media.extend(script.map(|script| (Arc::from(&**text), script)));
        }
    }
    (media, default)
}

fn medium(node: &Node, reading: &mut Reading<'_>) -> Option<MediaScript> {
    let mut fields = reading.keep(Object::of(node, "a medium", "{ duration: 60s }"))?;
    for name in ["live", "window", "stops_at", "back_at"] {
        fields.later(name, "this version plays media of a fixed duration, like { duration: 60s }");
    }
    for name in ["bandwidth", "bitrate", "switch_after"] {
        fields.later(name, "this version says where data runs out by stalls: [{ at: 5s, for: 2s }]");
    }
    fields.later("vpaid", "this version plays media files, like { duration: 15s }");
    let fails = fields.field("fails").map(|node| media_failure(node, reading));
    let duration = match fails {
        Some(_) => fields.field("duration").map(|node| scalar::span(node, "duration")).transpose(),
        None => fields
            .required("duration", "duration: 60s")
            .and_then(|node| scalar::span(node, "duration"))
            .map(Some),
    };
    let metadata_after =
        fields.field("metadata_after").map(|node| scalar::span(node, "metadata_after")).transpose();
    let stalls = fields.field("stalls").map(|node| stalls(node, reading)).unwrap_or_default();
    fields.end(reading);
    let (duration, metadata_after) = (reading.keep(duration), reading.keep(metadata_after));
    let fails = fails.map_or(Some(None), |fails| fails.map(Some))?;
    let duration = duration?.unwrap_or_else(|| {
        let at = fails.and_then(|(at, _)| at).unwrap_or_default();
        at + BEHIND_FAILURE - Position::ZERO
    });
    Some(MediaScript {
        duration,
        metadata_after: metadata_after?.unwrap_or_default(),
        stalls,
        fails,
        ..MediaScript::default()
    })
}

fn media_failure(node: &Node, reading: &mut Reading<'_>) -> Option<(Option<Position>, MediaFault)> {
    let mut fields = reading.keep(Object::of(node, "fails", "{ at: 3s, how: decode }"))?;
    let at = fields.field("at").map(|node| scalar::position(node, "at")).transpose();
    let how = fields.required("how", "how: decode").and_then(|node| scalar::word(node, "how", MEDIA_FAULTS));
    fields.end(reading);
    let (at, how) = (reading.keep(at), reading.keep(how));
    Some((at?, how?))
}

fn stalls(node: &Node, reading: &mut Reading<'_>) -> Vec<(Position, Span)> {
    let items = reading.keep(node.list("stalls", "[{ at: 5s, for: 2s }]")).unwrap_or_default();
    let mut stall = |node: &Node| {
        let mut fields = reading.keep(Object::of(node, "a stall", "{ at: 5s, for: 2s }"))?;
        let at = fields.required("at", "at: 5s").and_then(|node| scalar::position(node, "at"));
        let length = fields.required("for", "for: 2s").and_then(|node| scalar::span(node, "for"));
        fields.end(reading);
        let (at, length) = (reading.keep(at), reading.keep(length));
        Some((at?, length?))
    };
    let mut stalls: Vec<(Position, Span)> = items.iter().filter_map(&mut stall).collect();
    stalls.sort_unstable();
    stalls
}
