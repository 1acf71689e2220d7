//! `NonLinearAds`: what is shown over the content.
//!
//! The 4.4 draft and connected TV have `Duration`, `MediaFiles` and `Icons` here; they are read whatever the
//! version, and said to be of the draft.
//!
//! Source: VAST 4.3 section 3.12.

use super::reader::Reader;
use super::{NonLinear, NonLinearAds, creative, extension, icon, linear, resource, value};
use crate::time::Span;

/// The version that is a draft, times ten.
const DRAFT: u8 = 44;

/// Reads a `NonLinearAds`.
pub(super) fn read(reader: &mut Reader, node: usize) -> NonLinearAds {
    let mut ads = NonLinearAds {
        skip_offset: reader.attribute_as(node, "skipoffset", value::offset),
        ..NonLinearAds::default()
    };
    for child in reader.elements(node) {
        match reader.name(child) {
            "NonLinear" => {
                if !reader.room(child) {
                    break;
                }
                ads.choices.push(choice(reader, child));
            }
            "TrackingEvents" => creative::tracking(reader, child, &mut ads.tracking),
            "Icons" => {
                warn_of_draft(reader, child, "Icons", "NonLinearAds");
                icon::read(reader, child, &mut ads.icons);
            }
            _ => {}
        }
    }
    ads
}

fn choice(reader: &mut Reader, node: usize) -> NonLinear {
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
        let name = reader.name(child);
        if !part(reader, child, name, &mut choice) {
            resource::read(reader, child, name, &mut choice.resources);
        }
    }
    choice
}

/// Reads what a `NonLinear` holds besides resources.
fn part(reader: &mut Reader, node: usize, name: &'static str, choice: &mut NonLinear) -> bool {
    match name {
        "NonLinearClickThrough" if choice.clicks.through.is_none() => {
            choice.clicks.through = reader.url(node, "NonLinearClickThrough");
        }
        "NonLinearClickTracking" => reader.urls(node, name, &mut choice.clicks.tracking),
        "NonLinearCustomClick" => reader.urls(node, name, &mut choice.clicks.custom),
        "AdParameters" if choice.ad_parameters.is_none() => {
            choice.ad_parameters = Some(resource::ad_parameters(reader, node));
        }
        "CreativeExtensions" => extension::read(reader, node, &mut choice.extensions, |_| {}),
        "Duration" if choice.duration.is_none() => {
            warn_of_draft(reader, node, name, "NonLinear");
            choice.duration = linear::duration(reader, node);
        }
        "MediaFiles" => {
            warn_of_draft(reader, node, name, "NonLinear");
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

fn warn_of_draft(reader: &mut Reader, node: usize, name: &str, inside: &str) {
    if reader.version < DRAFT {
        let text = format!("\"{name}\" inside \"{inside}\" is of the VAST 4.4 draft; read all the same");
        reader.warn(reader.at(node), "draft-form", text);
    }
}

fn suggested(reader: &mut Reader, node: usize) -> Option<Span> {
    let span = reader.attribute_as(node, "minSuggestedDuration", value::time)?;
    if span == Span::ZERO {
        let text = "minSuggestedDuration is zero; taken as not said";
        reader.warn(reader.at(node), "duration-zero", text);
        return None;
    }
    Some(span)
}
