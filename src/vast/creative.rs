//! One `Creative`: linear, overlays, companions; and trackers, which all of them have.
//!
//! Sources: VAST 4.3 sections 3.7 to 3.14.

use std::sync::Arc;

use super::reader::Reader;
use super::{
    Creative, CreativeKind, Offset, Tracking, UniversalAdId, carrier, companion, event, extension, linear,
    overlay, value,
};

/// Reads a `Creative`. Of several known children a linear one counts before overlays, those before
/// companions; what does not count is kept beside.
pub(super) fn read(reader: &mut Reader, node: usize, in_wrapper: bool) -> Creative {
    let mut creative = Creative {
        id: reader.attribute_text(node, "id"),
        sequence: reader.attribute_as(node, "sequence", value::number),
        ad_id: reader.attribute_of_two(node, "adId", "AdID"),
        api_framework: reader.attribute_text(node, "apiFramework"),
        at: reader.place(node),
        ..Creative::default()
    };
    let mut kinds = Vec::new();
    let mut carriers = Vec::new();
    for child in reader.elements(node) {
        match reader.name(child) {
            "Linear" => kinds.push(CreativeKind::Linear(linear::read(reader, child, in_wrapper))),
            "NonLinearAds" => kinds.push(CreativeKind::NonLinear(overlay::read(reader, child))),
            "CompanionAds" => kinds.push(CreativeKind::Companions(companion::read(reader, child))),
            "UniversalAdId" => creative.universal_ids.push(universal_id(reader, child)),
            "CreativeExtensions" => {
                extension::read(reader, child, &mut creative.extensions, |it| carriers.push(it));
            }
            _ => {}
        }
    }
    if kinds.len() > 1 {
        let text = format!(
            "\"Creative\" holds {} of \"Linear\", \"NonLinearAds\", \"CompanionAds\"; the first of these counts",
            kinds.len()
        );
        reader.warn(reader.at(node), "creative-mixed", text);
    }
    match kinds.iter().enumerate().min_by_key(|(index, kind)| (rank(kind), *index)) {
        Some((first, _)) => creative.kind = kinds.remove(first),
        None => {
            let text = "\"Creative\" holds neither \"Linear\", \"NonLinearAds\" nor \"CompanionAds\"; nothing to show";
            reader.warn(reader.at(node), "creative-empty", text);
        }
    }
    creative.also = kinds;
    carrier::of_creative(reader, &carriers, &mut creative);
    creative
}

/// Which kind counts before another.
fn rank(kind: &CreativeKind) -> u8 {
    match kind {
        CreativeKind::Linear(_) => 0,
        CreativeKind::NonLinear(_) => 1,
        CreativeKind::Companions(_) => 2,
        CreativeKind::Empty => 3,
    }
}

/// Reads a `UniversalAdId`. The text counts; VAST 4.0 has the id in an attribute too.
pub(super) fn universal_id(reader: &mut Reader, node: usize) -> UniversalAdId {
    let registry = reader.attribute_text(node, "idRegistry");
    let id_value = reader.attribute_text(node, "idValue");
    let value = reader.some_text(node).or_else(|| id_value.clone());
    if value.is_none() {
        reader.warn(reader.at(node), "universal-id-empty", "\"UniversalAdId\" holds no id");
    } else if id_value.is_some() && id_value != value {
        let text = "idValue is another than the text of \"UniversalAdId\"; the text counts";
        reader.warn(reader.at(node), "universal-id-differs", text);
    }
    UniversalAdId { registry, value, id_value, at: reader.place(node) }
}

/// Reads a `TrackingEvents`.
pub(super) fn tracking(reader: &mut Reader, node: usize, into: &mut Vec<Tracking>) {
    for child in reader.elements(node) {
        if reader.name(child) != "Tracking" {
            continue;
        }
        let Some(event) = event::read(reader, child, event::OF_ADS, "an ad") else {
            reader.pass(child);
            continue;
        };
        let offset = tracking_offset(reader, child, &event);
        let mut urls = Vec::new();
        reader.urls(child, "Tracking", &mut urls);
        into.extend(urls.into_iter().map(|url| Tracking { event: Arc::clone(&event), url, offset }));
    }
}

/// Only `progress` has an offset. VAST 4.3 section 3.14.
fn tracking_offset(reader: &mut Reader, node: usize, event: &str) -> Option<Offset> {
    if event == "progress" {
        let Some(found) = reader.attribute(node, "offset") else {
            let text = "\"progress\" without an \"offset\"; never called";
            reader.warn(reader.at(node), "offset-missing", text);
            return None;
        };
        return reader.taken(value::offset(&found.text), "offset", &found.text, found.at);
    }
    let found = reader.attribute(node, "offset")?;
    let text =
        format!("offset is \"{}\" on \"{}\"; passed over", super::clip(&found.text), super::clip(event));
    reader.warn(found.at, "offset-on-event", text);
    None
}
