//! Trackers and ids, which several kinds of creatives have. VAST 4.3 sections 3.14, 3.7.1.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{
    Offset, TRACKING_EVENTS, TrackedEvent, Tracking, TrackingEvent, UniversalAdId, WarningCode,
    event, value,
};

/// Reads a `UniversalAdId`. The id is its content; VAST 4.0 has it in an attribute as well.
pub(super) fn universal_id(reader: &mut Reader, node: NodeId) -> UniversalAdId {
    reader.require(node);
    let registry = reader.attribute_text(node, "idRegistry");
    let id_value = reader.attribute_text(node, "idValue");
    let text = reader.some_text(node);
    if id_value.is_some() && (41..u8::MAX).contains(&reader.version) {
        let how = if text.is_some() {
            "the content of the element is used"
        } else {
            "used as the id, which belongs in the content of the element"
        };
        let text = format!("idValue of \"UniversalAdId\" is only in VAST 4.0; {how}");
        reader.warn(node, WarningCode::UniversalIdAttribute, text);
    }
    let value = text.or_else(|| id_value.clone());
    if value.is_none() {
        reader.warn(
            node,
            WarningCode::UniversalIdEmpty,
            "\"UniversalAdId\" contains no id",
        );
    } else if id_value.is_some() && id_value != value {
        let text = "idValue differs from the content of \"UniversalAdId\"; the content is used";
        reader.warn(node, WarningCode::UniversalIdDiffers, text);
    }
    UniversalAdId {
        registry,
        value,
        id_value,
        at: reader.place(node),
    }
}

/// Reads a `TrackingEvents`.
pub(super) fn events(reader: &mut Reader, node: NodeId, into: &mut Vec<Tracking>) {
    let mut urls = Vec::new();
    for child in reader.elements(node) {
        if reader.element(child) != Some(Element::Tracking) {
            continue;
        }
        let Some(event) = event::read(reader, child, TRACKING_EVENTS, "an ad") else {
            reader.pass(child);
            continue;
        };
        let offset = tracking_offset(reader, child, &event);
        reader.urls(child, &mut urls);
        into.extend(urls.drain(..).map(|url| Tracking {
            event: event.clone(),
            url,
            offset,
        }));
    }
}

/// Reads the `offset` of a tracker. Only `progress` has one. VAST 4.3 section 3.14.
fn tracking_offset(reader: &mut Reader, node: NodeId, event: &TrackedEvent) -> Option<Offset> {
    if *event == TrackingEvent::Progress {
        let Some(found) = reader.attribute(node, "offset") else {
            let text = "\"progress\" has no \"offset\"; never requested";
            reader.warn(node, WarningCode::OffsetMissing, text);
            return None;
        };
        return reader.taken(value::offset(&found.text), "offset", &found.text, found.at);
    }
    let found = reader.attribute(node, "offset")?;
    let text = format!(
        "offset is \"{}\" on \"{}\"; ignored",
        super::clip(&found.text),
        super::clip(event.name())
    );
    reader.warn_at(found.at, WarningCode::OffsetOnEvent, text);
    None
}
