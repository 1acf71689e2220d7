//! What versions without an element for it carry in extensions: ids of creatives, verifications, icons,
//! mezzanine and interactive files, and the media of a connected-TV ad.
//!
//! The extension itself is kept too. Nothing is read twice: what the ad has in its proper place counts.
//!
//! Sources: VAST CTV Addendum 2024; VAST 4.3 section 3.16; CTV ad portfolio, July 2026.

use std::sync::Arc;

use super::known::Row;
use super::reader::Reader;
use super::{
    Ad, Creative, CreativeKind, Linear, NonLinearAds, UniversalAdId, creative, icon, linear, verification,
};

/// Reads what the `Extension` elements of an ad carry. VAST 2.0.
pub(super) fn of_ad(reader: &mut Reader, extensions: &[usize], ad: &mut Ad) {
    each(reader, extensions, |reader, extension, node, name| match name {
        "AdVerifications" => verification::read(reader, node, true, &mut ad.verifications),
        "UniversalAdId" => {
            let of = reader.attribute_text(node, "creativeId");
            let id = creative::universal_id(reader, node);
            match named(&mut ad.creatives, of.as_deref()) {
                Some(creative) => add_id(creative, id),
                None => warn_of_nobody(reader, node, name),
            }
        }
        "MediaFiles" => {
            let of = creative_id(reader, extension);
            match named(&mut ad.creatives, of.as_deref()) {
                Some(creative) => file(reader, node, name, creative),
                None => warn_of_nobody(reader, node, name),
            }
        }
        _ => {
            let of = reader.attribute_text(node, "mediaFileId");
            match with_file(&mut ad.creatives, of.as_deref()) {
                Some(creative) => file(reader, node, name, creative),
                None => warn_of_nobody(reader, node, name),
            }
        }
    });
}

/// Reads what the `CreativeExtension` elements of a creative carry. VAST 3.0.
pub(super) fn of_creative(reader: &mut Reader, extensions: &[usize], creative: &mut Creative) {
    each(reader, extensions, |reader, _, node, name| match name {
        "UniversalAdId" => {
            let id = creative::universal_id(reader, node);
            add_id(creative, id);
        }
        _ => file(reader, node, name, creative),
    });
}

fn warn_of_nobody(reader: &mut Reader, node: usize, name: &str) {
    let text =
        format!("\"{name}\" in an extension is for no creative that is here; kept in the extension alone");
    reader.warn(reader.at(node), "carrier-for-nobody", text);
}

/// Shows each carried element to `read`. They are of later versions than the document by design.
fn each<'t>(
    reader: &mut Reader<'t>,
    extensions: &[usize],
    mut read: impl FnMut(&mut Reader<'t>, usize, usize, &'static str),
) {
    let version = std::mem::replace(&mut reader.version, u8::MAX);
    for extension in extensions {
        for node in reader.tree.elements(*extension) {
            let name = Row::of(reader.tree.node(node).text).map_or("", Row::name);
            if matches!(
                name,
                "AdVerifications"
                    | "UniversalAdId"
                    | "MediaFiles"
                    | "Mezzanine"
                    | "InteractiveCreativeFile"
                    | "Icon"
                    | "Icons"
            ) && reader.room(node)
            {
                read(reader, *extension, node, name);
            }
        }
    }
    reader.version = version;
}

/// Adds a file or an icon to what the creative holds.
fn file(reader: &mut Reader, node: usize, name: &'static str, creative: &mut Creative) {
    match &mut creative.kind {
        CreativeKind::Linear(linear) => of_linear(reader, node, name, linear),
        CreativeKind::NonLinear(overlays) => of_overlays(reader, node, name, overlays),
        CreativeKind::Companions(_) | CreativeKind::Empty => {}
    }
}

fn of_linear(reader: &mut Reader, node: usize, name: &'static str, linear: &mut Linear) {
    match name {
        "Icon" => linear.icons.push(icon::icon(reader, node)),
        "Icons" => icon::read(reader, node, &mut linear.icons),
        "Mezzanine" => linear.mezzanines.push(linear::media_file(reader, node, "Mezzanine")),
        "InteractiveCreativeFile" => {
            if let Some(file) = linear::interactive_file(reader, node) {
                let is_there =
                    |it: &super::InteractiveFile| it.url.text == file.url.text && it.html == file.html;
                if !linear.interactive_files.iter().any(is_there) {
                    linear.interactive_files.push(file);
                }
            }
        }
        "MediaFiles" => {
            let mut files = linear::Files::default();
            linear::files(reader, node, &mut files);
            linear.media_files.append(&mut files.media);
            linear.mezzanines.append(&mut files.mezzanines);
            linear.interactive_files.append(&mut files.interactive);
            linear.captions.append(&mut files.captions);
        }
        _ => {}
    }
}

fn of_overlays(reader: &mut Reader, node: usize, name: &'static str, overlays: &mut NonLinearAds) {
    let mut files = linear::Files::default();
    match name {
        "Icon" => overlays.icons.push(icon::icon(reader, node)),
        "Icons" => icon::read(reader, node, &mut overlays.icons),
        "Mezzanine" => files.mezzanines.push(linear::media_file(reader, node, "Mezzanine")),
        "InteractiveCreativeFile" => files.interactive.extend(linear::interactive_file(reader, node)),
        "MediaFiles" => linear::files(reader, node, &mut files),
        _ => {}
    }
    if let Some(choice) = overlays.choices.first_mut() {
        choice.media_files.append(&mut files.media);
        choice.mezzanines.append(&mut files.mezzanines);
        choice.interactive_files.append(&mut files.interactive);
        choice.captions.append(&mut files.captions);
    }
}

/// An id that the creative has already is not added again.
fn add_id(creative: &mut Creative, id: UniversalAdId) {
    let is_there = |it: &UniversalAdId| it.registry == id.registry && it.value == id.value;
    if !creative.universal_ids.iter().any(is_there) {
        creative.universal_ids.push(id);
    }
}

/// The text of the `CreativeId` inside a connected-TV extension.
fn creative_id(reader: &mut Reader, extension: usize) -> Option<Arc<str>> {
    let tree = reader.tree;
    let node = tree.elements(extension).find(|it| tree.node(*it).text.eq_ignore_ascii_case("CreativeId"))?;
    reader.some_text(node)
}

/// The creative of this id, or the first one if none is named.
fn named<'a>(creatives: &'a mut [Creative], id: Option<&str>) -> Option<&'a mut Creative> {
    match id {
        Some(id) => creatives.iter_mut().find(|it| it.id.as_deref() == Some(id)),
        None => creatives.first_mut(),
    }
}

/// The creative with the media file of this id; the first with linear media or overlays if none is named.
fn with_file<'a>(creatives: &'a mut [Creative], id: Option<&str>) -> Option<&'a mut Creative> {
    creatives.iter_mut().find(|it| match (&it.kind, id) {
        (CreativeKind::Linear(linear), Some(id)) => {
            linear.media_files.iter().any(|file| file.id.as_deref() == Some(id))
        }
        (CreativeKind::Linear(_) | CreativeKind::NonLinear(_), None) => true,
        (CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty, _) => false,
    })
}
