//! `Linear` and the files of an ad.
//!
//! Sources: VAST 4.3 sections 3.8 to 3.10.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::value::Taken;
use super::{
    CaptionFile, Clicks, InteractiveFile, Linear, MediaFile, Offset, WarningCode, extension, icon,
    resource, tracking, value,
};
use playsim_base::time::Span;

/// The content of a `MediaFiles`.
#[derive(Default)]
pub(super) struct Files {
    pub(super) media: Vec<MediaFile>,
    pub(super) mezzanines: Vec<MediaFile>,
    pub(super) interactive: Vec<InteractiveFile>,
    pub(super) captions: Vec<CaptionFile>,
}

/// Reads a `Linear`. In a wrapper it has only trackers, clicks and icons.
pub(super) fn read(reader: &mut Reader, node: NodeId, in_wrapper: bool) -> Linear {
    let mut linear = Linear {
        skip_offset: reader.attribute_as(node, "skipoffset", value::offset),
        ..Linear::default()
    };
    if linear.skip_offset.is_some() && reader.version < 30 {
        reader.warn_newer(node, "attribute \"skipoffset\"", 30);
    }
    let mut has_duration = false;
    let mut found = Files::default();
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::Duration) if !has_duration => {
                has_duration = true;
                linear.duration = duration(reader, child);
            }
            Some(Element::AdParameters) if linear.ad_parameters.is_none() => {
                linear.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            Some(Element::TrackingEvents) => tracking::events(reader, child, &mut linear.tracking),
            Some(Element::VideoClicks) => clicks(reader, child, &mut linear.clicks),
            Some(Element::MediaFiles) => files(reader, child, &mut found),
            Some(Element::Icons) => icon::read(reader, child, &mut linear.icons),
            Some(Element::CreativeExtensions) => {
                extension::read(reader, child, &mut linear.extensions, |_| {})
            }
            _ => {}
        }
    }
    linear.media_files = found.media;
    linear.mezzanines = found.mezzanines;
    linear.interactive_files = found.interactive;
    linear.captions = found.captions;
    if in_wrapper {
        return linear;
    }
    warn_of_late_offsets(reader, node, &linear);
    if !has_duration {
        reader.warn(
            node,
            WarningCode::DurationMissing,
            "\"Linear\" has no \"Duration\"; the length of the media is used",
        );
    }
    if linear.media_files.is_empty() {
        reader.warn(
            node,
            WarningCode::MediaFilesMissing,
            "\"Linear\" has no \"MediaFile\"; nothing in it can be played",
        );
    }
    linear
}

/// Warns of an ad that ends before it may be skipped, or before a `progress` tracker is due:
/// neither ever happens.
fn warn_of_late_offsets(reader: &mut Reader, node: NodeId, linear: &Linear) {
    let Some(duration) = linear.duration else {
        return;
    };
    let late = |offset: Option<Offset>| match offset {
        Some(Offset::At(offset)) if offset > duration => {
            Some((value::clock(offset), value::clock(duration)))
        }
        _ => None,
    };
    if let Some((offset, duration)) = late(linear.skip_offset) {
        let text =
            format!("skipoffset is {offset}, but the ad lasts {duration}; it can never be skipped");
        reader.warn(node, WarningCode::SkipOffsetBeyond, text);
    }
    for tracking in &linear.tracking {
        if let Some((offset, duration)) = late(tracking.offset) {
            let text = format!(
                "the offset of \"progress\" is {offset}, but the ad lasts {duration}; never requested"
            );
            let at = tracking.url.at;
            reader.notes.warn_in(at, WarningCode::ProgressBeyond, text);
        }
    }
}

/// Reads a `Duration`; `None` if it is zero or not a time.
pub(super) fn duration(reader: &mut Reader, node: NodeId) -> Option<Span> {
    let text = reader.text(node);
    if text.is_empty() {
        reader.warn(
            node,
            WarningCode::DurationMissing,
            "\"Duration\" is empty; the length of the media is used",
        );
        return None;
    }
    let span = reader.taken(value::time(&text), "Duration", &text, reader.at(node))?;
    if span == Span::ZERO {
        let warning = format!(
            "Duration is \"{}\"; the length of the media is used",
            super::clip(&text)
        );
        reader.warn(node, WarningCode::DurationZero, warning);
        return None;
    }
    Some(span)
}

/// Reads a `MediaFiles`.
pub(super) fn files(reader: &mut Reader, node: NodeId, into: &mut Files) {
    for child in reader.elements(node) {
        let element = reader.element(child);
        let is_file = matches!(
            element,
            Some(Element::MediaFile | Element::Mezzanine | Element::InteractiveCreativeFile)
        );
        if is_file && !reader.room(child) {
            return;
        }
        match element {
            Some(Element::MediaFile) => into.media.push(media_file(reader, child)),
            // A mezzanine file is for stitching, never for playing. VAST 4.3 section 3.9.2.
            Some(Element::Mezzanine) => into.mezzanines.push(media_file(reader, child)),
            Some(Element::InteractiveCreativeFile) => {
                into.interactive.extend(interactive_file(reader, child))
            }
            Some(Element::ClosedCaptionFiles) => captions(reader, child, &mut into.captions),
            _ => {}
        }
    }
}

fn captions(reader: &mut Reader, node: NodeId, into: &mut Vec<CaptionFile>) {
    for child in reader.elements(node) {
        if reader.element(child) != Some(Element::ClosedCaptionFile) {
            continue;
        }
        if let Some(url) = reader.url(child) {
            into.push(CaptionFile {
                url,
                mime: reader.attribute_text(child, "type"),
                language: reader.attribute_text(child, "language"),
            });
        }
    }
}

/// Reads an `InteractiveCreativeFile`; `None` if it holds neither a URL nor code.
pub(super) fn interactive_file(reader: &mut Reader, node: NodeId) -> Option<InteractiveFile> {
    let mut file = InteractiveFile {
        mime: reader.attribute_text(node, "type"),
        api_framework: reader.attribute_text(node, "apiFramework"),
        variable_duration: reader.attribute_as(node, "variableDuration", value::boolean),
        media_file_id: reader.attribute_text(node, "mediaFileId"),
        ..InteractiveFile::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::HtmlResource) if file.html.is_none() => {
                file.html = Some(reader.content(child)).filter(|code| !code.is_empty());
            }
            Some(Element::AdParameters) if file.ad_parameters.is_none() => {
                file.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            _ => {}
        }
    }
    if file.html.is_some() {
        file.url.at = reader.place(node);
        return Some(file);
    }
    file.url = reader.url(node)?;
    Some(file)
}

/// Reads a `MediaFile` or a `Mezzanine`.
pub(super) fn media_file(reader: &mut Reader, node: NodeId) -> MediaFile {
    let name = reader.name(node);
    let text = reader.text(node);
    if text.is_empty() {
        let warning = format!("\"{name}\" contains no URL; kept, but it cannot be loaded");
        reader.warn(node, WarningCode::MediaFileEmpty, warning);
    } else {
        reader.warn_about_url(node, name, &text);
    }
    let mime = reader.attribute_text(node, "type");
    if mime.is_none() {
        let warning = format!("\"{name}\" has no \"type\"; it is derived from the end of its URL");
        reader.warn(node, WarningCode::MediaTypeMissing, warning);
    }
    reader.require(node);
    let delivery = reader.attribute(node, "delivery").map(|found| {
        let taken = delivery(&found.text);
        reader.taken(taken, "delivery", &found.text, found.at);
        reader.keep(&found.text)
    });
    let bitrate = reader.attribute_as(node, "bitrate", value::number);
    let min_bitrate = reader.attribute_as(node, "minBitrate", value::number);
    let max_bitrate = reader.attribute_as(node, "maxBitrate", value::number);
    MediaFile {
        url: text.into(),
        id: reader.attribute_text(node, "id"),
        mime,
        delivery,
        codec: reader.attribute_text(node, "codec"),
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        bitrate: bitrate.or_else(|| middle(min_bitrate, max_bitrate)),
        min_bitrate,
        max_bitrate,
        scalable: reader.attribute_as(node, "scalable", value::boolean),
        maintain_aspect_ratio: reader.attribute_as(node, "maintainAspectRatio", value::boolean),
        file_size: reader.attribute_text(node, "fileSize"),
        media_type: reader.attribute_text(node, "mediaType"),
        media_file_id: reader.attribute_text(node, "mediaFileId"),
        api_framework: reader.attribute_text(node, "apiFramework"),
        at: Some(reader.place(node)),
    }
}

/// Checks `delivery`: one of two keywords. Anything else is kept as written.
fn delivery(text: &str) -> Taken<()> {
    const WORDS: [&str; 2] = ["progressive", "streaming"];
    match WORDS
        .into_iter()
        .find(|word| text.eq_ignore_ascii_case(word))
    {
        Some(word) if word == text => Taken::plain(()),
        Some(word) => Taken::odd((), WarningCode::LetterCase, format!("expected \"{word}\"")),
        None => Taken::nothing(
            WarningCode::DeliveryUnknown,
            "expected \"progressive\" or \"streaming\", kept as written",
        ),
    }
}

/// Returns the mean of two bounds, or the only one.
fn middle(least: Option<u32>, most: Option<u32>) -> Option<u32> {
    match (least, most) {
        (Some(least), Some(most)) => Some(least.midpoint(most)),
        (one, other) => one.or(other),
    }
}

fn clicks(reader: &mut Reader, node: NodeId, clicks: &mut Clicks) {
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::ClickThrough) if clicks.through.is_none() => {
                clicks.through = reader.url(child)
            }
            Some(Element::ClickThrough) => reader.second(child, "VideoClicks"),
            Some(Element::ClickTracking) => reader.urls(child, &mut clicks.tracking),
            Some(Element::CustomClick) => reader.urls(child, &mut clicks.custom),
            _ => {}
        }
    }
}
