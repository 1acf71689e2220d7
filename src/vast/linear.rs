//! `Linear` and the files of an ad.
//!
//! Sources: VAST 4.3 sections 3.8 to 3.10.

use super::reader::Reader;
use super::{
    CaptionFile, Clicks, InteractiveFile, Linear, MediaFile, creative, extension, icon, resource, value,
};
use crate::time::Span;

/// What `MediaFiles` holds.
#[derive(Default)]
pub(super) struct Files {
    pub(super) media: Vec<MediaFile>,
    pub(super) mezzanines: Vec<MediaFile>,
    pub(super) interactive: Vec<InteractiveFile>,
    pub(super) captions: Vec<CaptionFile>,
}

/// Reads a `Linear`; in a wrapper it has trackers, clicks and icons alone.
pub(super) fn read(reader: &mut Reader, node: usize, in_wrapper: bool) -> Linear {
    let mut linear =
        Linear { skip_offset: reader.attribute_as(node, "skipoffset", value::offset), ..Linear::default() };
    if linear.skip_offset.is_some() && reader.version < 30 {
        reader.warn_newer(reader.at(node), "attribute \"skipoffset\"", 30);
    }
    let mut has_duration = false;
    let mut found = Files::default();
    for child in reader.elements(node) {
        match reader.name(child) {
            "Duration" if !has_duration => {
                has_duration = true;
                linear.duration = duration(reader, child);
            }
            "AdParameters" if linear.ad_parameters.is_none() => {
                linear.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            "TrackingEvents" => creative::tracking(reader, child, &mut linear.tracking),
            "VideoClicks" => clicks(reader, child, &mut linear.clicks),
            "MediaFiles" => files(reader, child, &mut found),
            "Icons" => icon::read(reader, child, &mut linear.icons),
            "CreativeExtensions" => extension::read(reader, child, &mut linear.extensions, |_| {}),
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

/// Reads a `Duration`; zero and what is no time give none.
pub(super) fn duration(reader: &mut Reader, node: usize) -> Option<Span> {
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

/// Reads a `MediaFiles`.
pub(super) fn files(reader: &mut Reader, node: usize, into: &mut Files) {
    for child in reader.elements(node) {
        let name = reader.name(child);
        if matches!(name, "MediaFile" | "Mezzanine" | "InteractiveCreativeFile") && !reader.room(child) {
            return;
        }
        match name {
            "MediaFile" => into.media.push(media_file(reader, child, "MediaFile")),
            // A mezzanine file is for stitching, never for playing. VAST 4.3 section 3.9.2.
            "Mezzanine" => into.mezzanines.push(media_file(reader, child, "Mezzanine")),
            "InteractiveCreativeFile" => into.interactive.extend(interactive_file(reader, child)),
            "ClosedCaptionFiles" => captions(reader, child, &mut into.captions),
            _ => {}
        }
    }
}

fn captions(reader: &mut Reader, node: usize, into: &mut Vec<CaptionFile>) {
    for child in reader.elements(node) {
        if reader.name(child) != "ClosedCaptionFile" {
            continue;
        }
        if let Some(url) = reader.url(child, "ClosedCaptionFile") {
            into.push(CaptionFile {
                url,
                mime: reader.attribute_text(child, "type"),
                language: reader.attribute_text(child, "language"),
            });
        }
    }
}

/// Reads an `InteractiveCreativeFile`. One that holds neither an address nor code is none.
pub(super) fn interactive_file(reader: &mut Reader, node: usize) -> Option<InteractiveFile> {
    let mut file = InteractiveFile {
        mime: reader.attribute_text(node, "type"),
        api_framework: reader.attribute_text(node, "apiFramework"),
        variable_duration: reader.attribute_as(node, "variableDuration", value::boolean),
        media_file_id: reader.attribute_text(node, "mediaFileId"),
        ..InteractiveFile::default()
    };
    for child in reader.elements(node) {
        match reader.name(child) {
            "HTMLResource" if file.html.is_none() => {
                file.html = Some(reader.content(child)).filter(|code| !code.is_empty());
            }
            "AdParameters" if file.ad_parameters.is_none() => {
                file.ad_parameters = Some(resource::ad_parameters(reader, child));
            }
            _ => {}
        }
    }
    if file.html.is_some() {
        file.url.at = reader.place(node);
        return Some(file);
    }
    file.url = reader.url(node, "InteractiveCreativeFile")?;
    Some(file)
}

/// Reads a `MediaFile` or a `Mezzanine`.
pub(super) fn media_file(reader: &mut Reader, node: usize, name: &'static str) -> MediaFile {
    let text = reader.text(node);
    if text.is_empty() {
        let warning = format!("\"{name}\" holds no address; kept, but it cannot be loaded");
        reader.warn(reader.at(node), "media-file-empty", warning);
    } else {
        reader.warn_of_blanks(node, name);
    }
    let mime = reader.attribute_text(node, "type");
    if mime.is_none() {
        let warning = format!("\"{name}\" has no \"type\"; the end of its address counts");
        reader.warn(reader.at(node), "media-type-missing", warning);
    }
    let bitrate = reader.attribute_as(node, "bitrate", value::number);
    let min_bitrate = reader.attribute_as(node, "minBitrate", value::number);
    let max_bitrate = reader.attribute_as(node, "maxBitrate", value::number);
    MediaFile {
        url: text.into(),
        id: reader.attribute_text(node, "id"),
        mime,
        delivery: reader.attribute_text(node, "delivery"),
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

/// The mean of two bounds, or the only one.
fn middle(least: Option<u32>, most: Option<u32>) -> Option<u32> {
    match (least, most) {
        (Some(least), Some(most)) => Some(least.midpoint(most)),
        (one, other) => one.or(other),
    }
}

fn clicks(reader: &mut Reader, node: usize, clicks: &mut Clicks) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "ClickThrough" if clicks.through.is_none() => clicks.through = reader.url(child, "ClickThrough"),
            "ClickThrough" => {
                reader.warn(reader.at(child), "element-twice", "a second \"ClickThrough\"; passed over");
                reader.pass(child);
            }
            "ClickTracking" => reader.urls(child, "ClickTracking", &mut clicks.tracking),
            "CustomClick" => reader.urls(child, "CustomClick", &mut clicks.custom),
            _ => {}
        }
    }
}
