//! One `Creative`: linear, overlays, companions.
//!
//! Sources: VAST 4.3 sections 3.7 to 3.14.

use std::sync::Arc;

use super::reader::Reader;
use super::{
    Clicks, Creative, CreativeKind, InteractiveFile, Linear, MediaFile, NonLinear, Offset, Tracking, value,
};
use crate::time::Span;

/// Reads a `Creative`. Of several known children a linear one counts before overlays, those before
/// companions.
pub(super) fn read(reader: &mut Reader, node: usize, in_wrapper: bool) -> Creative {
    let (mut linear, mut nonlinear, mut companions) = (None, None, None);
    let mut kinds = 0;
    for child in reader.elements(node) {
        let slot = match reader.name(child) {
            "Linear" => &mut linear,
            "NonLinearAds" => &mut nonlinear,
            "CompanionAds" => &mut companions,
            _ => continue,
        };
        slot.get_or_insert(child);
        kinds += 1;
    }
    if kinds > 1 {
        let text = format!(
            "\"Creative\" holds {kinds} of \"Linear\", \"NonLinearAds\", \"CompanionAds\"; the first of these counts"
        );
        reader.warn(reader.at(node), "creative-mixed", text);
    }
    let kind = if let Some(linear) = linear {
        CreativeKind::Linear(read_linear(reader, linear, in_wrapper))
    } else if let Some(nonlinear) = nonlinear {
        CreativeKind::NonLinear(read_nonlinear(reader, nonlinear))
    } else if let Some(companions) = companions {
        CreativeKind::Companions(count(reader, companions, "Companion"))
    } else {
        let text =
            "\"Creative\" holds neither \"Linear\", \"NonLinearAds\" nor \"CompanionAds\"; nothing to show";
        reader.warn(reader.at(node), "creative-empty", text);
        CreativeKind::Empty
    };
    Creative {
        id: reader.attribute_text(node, "id"),
        sequence: reader.attribute_as(node, "sequence", value::number),
        kind,
        at: reader.place(node),
    }
}

fn count(reader: &mut Reader, node: usize, name: &str) -> u32 {
    let mut count = 0;
    for child in reader.elements(node) {
        count += u32::from(reader.name(child) == name);
    }
    count
}

fn read_linear(reader: &mut Reader, node: usize, in_wrapper: bool) -> Linear {
    let mut linear =
        Linear { skip_offset: reader.attribute_as(node, "skipoffset", value::offset), ..Linear::default() };
    if linear.skip_offset.is_some() && reader.version < 30 {
        reader.warn_newer(reader.at(node), "attribute \"skipoffset\"", 30);
    }
    let mut has_duration = false;
    for child in reader.elements(node) {
        match reader.name(child) {
            "Duration" if !has_duration => {
                has_duration = true;
                linear.duration = duration(reader, child);
            }
            "TrackingEvents" => tracking(reader, child, &mut linear.tracking),
            "VideoClicks" => clicks(reader, child, &mut linear.clicks),
            "MediaFiles" => media_files(reader, child, &mut linear),
            "Icons" => linear.icons += count(reader, child, "Icon"),
            _ => {}
        }
    }
    if in_wrapper {
        return linear;
    }
    let at = reader.at(node);
    if !has_duration {
        reader.warn(at, "duration-missing", "\"Linear\" has no \"Duration\"; the media's length counts");
    }
    if linear.media_files.is_empty() {
        reader.warn(
            at,
            "media-files-missing",
            "\"Linear\" has no \"MediaFile\"; nothing in it can be played",
        );
    }
    linear
}

fn duration(reader: &mut Reader, node: usize) -> Option<Span> {
    let (text, at) = (reader.text(node), reader.at(node));
    if text.is_empty() {
        reader.warn(at, "duration-missing", "\"Duration\" is empty; the media's length counts");
        return None;
    }
    let span = reader.taken(value::time(&text), "Duration", &text, at)?;
    if span == Span::ZERO {
        let warning = format!("Duration is \"{}\"; the media's length counts", super::clip(&text));
        reader.warn(at, "duration-zero", warning);
        return None;
    }
    Some(span)
}

fn media_files(reader: &mut Reader, node: usize, linear: &mut Linear) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "MediaFile" => linear.media_files.push(media_file(reader, child)),
            "InteractiveCreativeFile" => {
                if let Some(url) = reader.url(child, "InteractiveCreativeFile") {
                    linear.interactive_files.push(InteractiveFile {
                        url,
                        mime: reader.attribute_text(child, "type"),
                        api_framework: reader.attribute_text(child, "apiFramework"),
                    });
                }
            }
            // A mezzanine file is for stitching, never for playing. VAST 4.3 section 3.9.2.
            _ => {}
        }
    }
}

fn media_file(reader: &mut Reader, node: usize) -> MediaFile {
    let text = reader.text(node);
    if text.is_empty() {
        let warning = "\"MediaFile\" holds no address; kept, but it cannot be loaded";
        reader.warn(reader.at(node), "media-file-empty", warning);
    } else {
        reader.warn_of_blanks(node, "MediaFile");
    }
    let mime = reader.attribute_text(node, "type");
    if mime.is_none() {
        let warning = "\"MediaFile\" has no \"type\"; whether it can be played is not known";
        reader.warn(reader.at(node), "media-type-missing", warning);
    }
    MediaFile {
        url: text.into(),
        mime,
        delivery: reader.attribute_text(node, "delivery"),
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        bitrate: bitrate(reader, node),
        api_framework: reader.attribute_text(node, "apiFramework"),
        at: Some(reader.place(node)),
    }
}

fn bitrate(reader: &mut Reader, node: usize) -> Option<u32> {
    let bitrate = reader.attribute_as(node, "bitrate", value::number);
    if bitrate.is_some() {
        return bitrate;
    }
    let least = reader.attribute_as(node, "minBitrate", value::number);
    let most = reader.attribute_as(node, "maxBitrate", value::number);
    match (least, most) {
        (Some(least), Some(most)) => Some(least.midpoint(most)),
        (one, other) => one.or(other),
    }
}

fn read_nonlinear(reader: &mut Reader, node: usize) -> NonLinear {
    let mut nonlinear = NonLinear {
        skip_offset: reader.attribute_as(node, "skipoffset", value::offset),
        ..NonLinear::default()
    };
    for child in reader.elements(node) {
        match reader.name(child) {
            "NonLinear" => {
                if nonlinear.choices == 0 {
                    nonlinear.min_suggested_duration = suggested(reader, child);
                    nonlinear.clicks = nonlinear_clicks(reader, child);
                }
                nonlinear.choices += 1;
            }
            "TrackingEvents" => tracking(reader, child, &mut nonlinear.tracking),
            _ => {}
        }
    }
    nonlinear
}

fn nonlinear_clicks(reader: &mut Reader, node: usize) -> Clicks {
    let mut clicks = Clicks::default();
    for child in reader.elements(node) {
        match reader.name(child) {
            "NonLinearClickThrough" if clicks.through.is_none() => {
                clicks.through = reader.url(child, "NonLinearClickThrough");
            }
            "NonLinearClickTracking" => {
                reader.urls(child, "NonLinearClickTracking", &mut clicks.tracking);
            }
            _ => {}
        }
    }
    clicks
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

fn tracking(reader: &mut Reader, node: usize, into: &mut Vec<Tracking>) {
    for child in reader.elements(node) {
        if reader.name(child) != "Tracking" {
            continue;
        }
        let Some(event) = event(reader, child) else { continue };
        let offset = tracking_offset(reader, child, &event);
        let mut urls = Vec::new();
        reader.urls(child, "Tracking", &mut urls);
        into.extend(urls.into_iter().map(|url| Tracking { event: Arc::clone(&event), url, offset }));
    }
}

/// The event of a `Tracking` element; without one it is never called.
pub(super) fn event(reader: &mut Reader, node: usize) -> Option<Arc<str>> {
    let event = reader.attribute_text(node, "event");
    if event.is_none() {
        let text = "\"Tracking\" has no \"event\"; never called";
        reader.warn(reader.at(node), "event-missing", text);
    }
    event
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

fn clicks(reader: &mut Reader, node: usize, clicks: &mut Clicks) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "ClickThrough" if clicks.through.is_none() => clicks.through = reader.url(child, "ClickThrough"),
            "ClickThrough" => {
                reader.warn(reader.at(child), "element-twice", "a second \"ClickThrough\"; passed over");
            }
            "ClickTracking" => reader.urls(child, "ClickTracking", &mut clicks.tracking),
            "CustomClick" => reader.urls(child, "CustomClick", &mut clicks.custom),
            _ => {}
        }
    }
}
