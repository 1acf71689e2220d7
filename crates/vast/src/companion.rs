//! `CompanionAds`: creatives next to an ad, or after it.
//!
//! Source: VAST 4.3 section 3.13.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::value::{self, Taken};
use super::{
    Companion, CompanionAds, RenderingMode, Required, WarningCode, extension, resource, tracking,
};

/// Reads a `CompanionAds`.
pub(super) fn read(reader: &mut Reader, node: NodeId) -> CompanionAds {
    let mut ads = CompanionAds {
        required: reader.attribute_as(node, "required", required),
        companions: Vec::new(),
        at: reader.place(node),
    };
    for child in reader.elements(node) {
        if reader.element(child) == Some(Element::Companion) {
            if !reader.room(child) {
                break;
            }
            ads.companions.push(companion(reader, child));
        }
    }
    ads
}

fn companion(reader: &mut Reader, node: NodeId) -> Companion {
    reader.require(node);
    let mut companion = Companion {
        id: reader.attribute_text(node, "id"),
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        asset_width: reader.attribute_as(node, "assetWidth", value::number),
        asset_height: reader.attribute_as(node, "assetHeight", value::number),
        expanded_width: reader.attribute_as(node, "expandedWidth", value::number),
        expanded_height: reader.attribute_as(node, "expandedHeight", value::number),
        api_framework: reader.attribute_text(node, "apiFramework"),
        ad_slot_id: reader.attribute_of_two(node, "adSlotId", "adSlotID"),
        px_ratio: reader.attribute_text(node, "pxratio"),
        rendering_mode: reader.attribute_as(node, "renderingMode", rendering_mode),
        at: reader.place(node),
        ..Companion::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::CompanionClickThrough) if companion.clicks.through.is_none() => {
                companion.clicks.through = reader.url(child);
            }
            Some(Element::CompanionClickTracking) => {
                reader.require(child);
                reader.urls(child, &mut companion.clicks.tracking);
            }
            Some(Element::AltText) if companion.alt_text.is_none() => {
                companion.alt_text = reader.some_text(child)
            }
            Some(Element::AdParameters) if companion.ad_parameters.is_none() => {
                companion.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            Some(Element::TrackingEvents) => {
                tracking::events(reader, child, &mut companion.tracking)
            }
            Some(Element::CreativeExtensions) => {
                extension::read(reader, child, &mut companion.extensions, |_| {})
            }
            element => _ = resource::read(reader, child, element, &mut companion.resources),
        }
    }
    companion
}

fn required(text: &str) -> Taken<Required> {
    let known = [Required::All, Required::Any, Required::None];
    value::keyword(text, known, |known| known.word()).unwrap_or_else(|| {
        Taken::nothing(
            WarningCode::RequiredUnknown,
            "expected \"all\", \"any\" or \"none\", ignored",
        )
    })
}

fn rendering_mode(text: &str) -> Taken<RenderingMode> {
    let known = [
        RenderingMode::Default,
        RenderingMode::EndCard,
        RenderingMode::Concurrent,
    ];
    value::keyword(text, known, RenderingMode::word).unwrap_or_else(|| {
        let how = "expected \"default\", \"end-card\" or \"concurrent\", kept as written";
        Taken::odd(
            RenderingMode::Other(text.into()),
            WarningCode::RenderingModeUnknown,
            how,
        )
    })
}
