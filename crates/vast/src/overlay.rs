//! `NonLinearAds`: overlays on the content.
//!
//! The 4.4 draft and connected TV have `Duration`, `MediaFiles` and `Icons` here; they are read in
//! every version, with a warning.
//!
//! Source: VAST 4.3 section 3.12.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{
    NonLinear, NonLinearAds, WarningCode, extension, icon, linear, resource, tracking, value,
};
use playsim_base::time::Span;

/// The version that is a draft, times ten.
const DRAFT: u8 = 44;

/// Reads a `NonLinearAds`. In a wrapper its choices have no size since VAST 3.0.
pub(super) fn read(reader: &mut Reader, node: NodeId, in_wrapper: bool) -> NonLinearAds {
    let mut ads = NonLinearAds {
        skip_offset: reader.attribute_as(node, "skipoffset", value::offset),
        ..NonLinearAds::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::NonLinear) => {
                if !reader.room(child) {
                    break;
                }
                if !in_wrapper || reader.version == 20 {
                    reader.require(child);
                }
                ads.choices.push(choice(reader, child));
            }
            Some(Element::TrackingEvents) => tracking::events(reader, child, &mut ads.tracking),
            Some(Element::Icons) => {
                warn_of_draft(reader, child, "NonLinearAds");
                icon::read(reader, child, &mut ads.icons);
            }
            _ => {}
        }
    }
    ads
}

fn choice(reader: &mut Reader, node: NodeId) -> NonLinear {
    let mut choice = NonLinear {
        id: reader.attribute_text(node, "id"),
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        expanded_width: reader.attribute_as(node, "expandedWidth", value::number),
        expanded_height: reader.attribute_as(node, "expandedHeight", value::number),
        scalable: reader.attribute_as(node, "scalable", value::boolean),
        maintain_aspect_ratio: reader.attribute_as(node, "maintainAspectRatio", value::boolean),
        min_suggested_duration: suggested(reader, node),
        api_framework: reader.attribute_text(node, "apiFramework"),
        at: reader.place(node),
        ..NonLinear::default()
    };
    for child in reader.elements(node) {
        let element = reader.element(child);
        if !part(reader, child, element, &mut choice) {
            resource::read(reader, child, element, &mut choice.resources);
        }
    }
    choice
}

/// Reads a child of a `NonLinear` other than a resource; `false` if the element is not one.
fn part(
    reader: &mut Reader,
    node: NodeId,
    element: Option<Element>,
    choice: &mut NonLinear,
) -> bool {
    match element {
        Some(Element::NonLinearClickThrough) if choice.clicks.through.is_none() => {
            choice.clicks.through = reader.url(node);
        }
        Some(Element::NonLinearClickTracking) => reader.urls(node, &mut choice.clicks.tracking),
        Some(Element::NonLinearCustomClick) => reader.urls(node, &mut choice.clicks.custom),
        Some(Element::AdParameters) if choice.ad_parameters.is_none() => {
            choice.ad_parameters = Some(resource::ad_parameters(reader, node));
        }
        Some(Element::CreativeExtensions) => {
            extension::read(reader, node, &mut choice.extensions, |_| {})
        }
        Some(Element::Duration) if choice.duration.is_none() => {
            warn_of_draft(reader, node, "NonLinear");
            choice.duration = linear::duration(reader, node);
        }
        Some(Element::MediaFiles) => {
            warn_of_draft(reader, node, "NonLinear");
            let mut files = linear::Files::default();
            linear::files(reader, node, &mut files);
            choice.media_files.append(&mut files.media);
            choice.mezzanines.append(&mut files.mezzanines);
            choice.interactive_files.append(&mut files.interactive);
            choice.captions.append(&mut files.captions);
        }
        _ => return false,
    }
    true
}

fn warn_of_draft(reader: &mut Reader, node: NodeId, inside: &str) {
    if reader.version < DRAFT {
        let name = reader.name(node);
        let text =
            format!("\"{name}\" inside \"{inside}\" is only in the VAST 4.4 draft; read anyway");
        reader.warn(node, WarningCode::DraftForm, text);
    }
}

fn suggested(reader: &mut Reader, node: NodeId) -> Option<Span> {
    let span = reader.attribute_as(node, "minSuggestedDuration", value::time)?;
    if span == Span::ZERO {
        let text = "minSuggestedDuration is zero; ignored";
        reader.warn(node, WarningCode::DurationZero, text);
        return None;
    }
    Some(span)
}
