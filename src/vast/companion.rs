//! `CompanionAds`: what is shown beside an ad, or behind it.
//!
//! Source: VAST 4.3 section 3.13.

use super::reader::Reader;
use super::value::{self, Taken};
use super::{Companion, CompanionAds, RenderingMode, Required, creative, extension, resource};

/// Reads a `CompanionAds`.
pub(super) fn read(reader: &mut Reader, node: usize) -> CompanionAds {
    let mut ads = CompanionAds {
        required: reader.attribute_as(node, "required", required),
        companions: Vec::new(),
        at: reader.place(node),
    };
    for child in reader.elements(node) {
        if reader.name(child) == "Companion" {
            if !reader.room(child) {
                break;
            }
            ads.companions.push(companion(reader, child));
        }
    }
    ads
}

fn companion(reader: &mut Reader, node: usize) -> Companion {
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
        match reader.name(child) {
            "CompanionClickThrough" if companion.clicks.through.is_none() => {
                companion.clicks.through = reader.url(child, "CompanionClickThrough");
            }
            "CompanionClickTracking" => {
                reader.urls(child, "CompanionClickTracking", &mut companion.clicks.tracking);
            }
            "AltText" if companion.alt_text.is_none() => companion.alt_text = reader.some_text(child),
            "AdParameters" if companion.ad_parameters.is_none() => {
                companion.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            "TrackingEvents" => creative::tracking(reader, child, &mut companion.tracking),
            "CreativeExtensions" => extension::read(reader, child, &mut companion.extensions, |_| {}),
            name => _ = resource::read(reader, child, name, &mut companion.resources),
        }
    }
    companion
}

fn required(text: &str) -> Taken<Required> {
    let known = [Required::All, Required::Any, Required::None];
    match known.into_iter().find(|it| it.word().eq_ignore_ascii_case(text)) {
        Some(found) if found.word() == text => Taken::plain(found),
        Some(found) => Taken::odd(found, "letter-case", format!("taken as \"{}\"", found.word())),
        None => Taken::nothing("required-unknown", "none of \"all\", \"any\", \"none\", not taken"),
    }
}

fn rendering_mode(text: &str) -> Taken<RenderingMode> {
    let known = [RenderingMode::Default, RenderingMode::EndCard, RenderingMode::Concurrent];
    match known.into_iter().find(|it| it.word().eq_ignore_ascii_case(text)) {
        Some(found) if found.word() == text => Taken::plain(found),
        Some(found) => {
            let how = format!("taken as \"{}\"", found.word());
            Taken::odd(found, "letter-case", how)
        }
        None => {
            let how = "none of \"default\", \"end-card\", \"concurrent\", kept as written";
            Taken::odd(RenderingMode::Other(text.into()), "rendering-mode-unknown", how)
        }
    }
}
