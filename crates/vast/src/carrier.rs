//! Elements that older versions carry in extensions: ids of creatives, verifications, icons,
//! mezzanine and interactive files, and the media of a connected-TV ad.
//!
//! The extension itself is kept as well. A part that the ad already has in its proper place is not
//! added again.
//!
//! Sources: VAST CTV Addendum 2024; VAST 4.3 section 3.16; CTV ad portfolio, July 2026.

use std::sync::Arc;

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{
    Ad, Creative, CreativeKind, Linear, NonLinearAds, UniversalAdId, WarningCode, icon, linear,
    tracking, verification,
};

/// An element that an extension may carry.
#[derive(Debug, Clone, Copy)]
enum Carried {
    Verifications,
    UniversalId,
    Part(Part),
}

/// A carried element that is added to a creative.
#[derive(Debug, Clone, Copy)]
enum Part {
    Media,
    Mezzanine,
    Interactive,
    Icon,
    Icons,
}

impl Carried {
    fn of(element: Option<Element>) -> Option<Carried> {
        Some(match element {
            Some(Element::AdVerifications) => Carried::Verifications,
            Some(Element::UniversalAdId) => Carried::UniversalId,
            Some(Element::MediaFiles) => Carried::Part(Part::Media),
            Some(Element::Mezzanine) => Carried::Part(Part::Mezzanine),
            Some(Element::InteractiveCreativeFile) => Carried::Part(Part::Interactive),
            Some(Element::Icon) => Carried::Part(Part::Icon),
            Some(Element::Icons) => Carried::Part(Part::Icons),
            _ => return None,
        })
    }
}

/// Reads the elements in the `Extension` elements of an ad. VAST 2.0.
pub(super) fn of_ad(reader: &mut Reader, extensions: &[NodeId], ad: &mut Ad) {
    each(
        reader,
        extensions,
        |reader, extension, node, carried| match carried {
            Carried::Verifications => verification::read(reader, node, true, &mut ad.verifications),
            Carried::UniversalId => {
                let of = reader.attribute_text(node, "creativeId");
                let id = tracking::universal_id(reader, node);
                match named(&mut ad.creatives, of.as_deref()) {
                    Some(creative) => add_id(creative, id),
                    None => warn_of_no_creative(reader, node),
                }
            }
            Carried::Part(part @ Part::Media) => {
                let of = creative_id(reader, extension);
                match named(&mut ad.creatives, of.as_deref()) {
                    Some(creative) => add_part(reader, node, part, creative),
                    None => warn_of_no_creative(reader, node),
                }
            }
            Carried::Part(
                part @ (Part::Mezzanine | Part::Interactive | Part::Icon | Part::Icons),
            ) => {
                let of = reader.attribute_text(node, "mediaFileId");
                match with_file(&mut ad.creatives, of.as_deref()) {
                    Some(creative) => add_part(reader, node, part, creative),
                    None => warn_of_no_creative(reader, node),
                }
            }
        },
    );
}

/// Reads the elements in the `CreativeExtension` elements of a creative. VAST 3.0.
pub(super) fn of_creative(reader: &mut Reader, extensions: &[NodeId], creative: &mut Creative) {
    each(
        reader,
        extensions,
        |reader, _, node, carried| match carried {
            Carried::UniversalId => {
                let id = tracking::universal_id(reader, node);
                add_id(creative, id);
            }
            Carried::Part(part) => add_part(reader, node, part, creative),
            // Verifications belong to an ad, not to a creative.
            Carried::Verifications => {}
        },
    );
}

fn warn_of_no_creative(reader: &mut Reader, node: NodeId) {
    let name = reader.name(node);
    let text = format!(
        "\"{name}\" in an extension is for a creative that does not exist; only the extension is kept"
    );
    reader.warn(node, WarningCode::CarrierForNobody, text);
}

/// Calls `read` for each carried element. They are newer than the document by design, so nothing
/// warns of that.
fn each<'t>(
    reader: &mut Reader<'t>,
    extensions: &[NodeId],
    mut read: impl FnMut(&mut Reader<'t>, NodeId, NodeId, Carried),
) {
    let version = std::mem::replace(&mut reader.version, u8::MAX);
    for extension in extensions {
        for node in reader.tree.elements(*extension) {
            if let Some(carried) = Carried::of(reader.tree.node(node).element)
                && reader.room(node)
            {
                read(reader, *extension, node, carried);
            }
        }
    }
    reader.version = version;
}

/// Adds a file or an icon to a creative.
fn add_part(reader: &mut Reader, node: NodeId, part: Part, creative: &mut Creative) {
    match &mut creative.kind {
        CreativeKind::Linear(linear) => of_linear(reader, node, part, linear),
        CreativeKind::NonLinear(overlays) => of_overlays(reader, node, part, overlays),
        CreativeKind::Companions(_) | CreativeKind::Empty => {}
    }
}

fn of_linear(reader: &mut Reader, node: NodeId, part: Part, linear: &mut Linear) {
    match part {
        Part::Icon => linear.icons.push(icon::icon(reader, node)),
        Part::Icons => icon::read(reader, node, &mut linear.icons),
        Part::Mezzanine => linear.mezzanines.push(linear::media_file(reader, node)),
        Part::Interactive => {
            if let Some(file) = linear::interactive_file(reader, node) {
                let is_there = |it: &super::InteractiveFile| {
                    it.url.text == file.url.text && it.html == file.html
                };
                if !linear.interactive_files.iter().any(is_there) {
                    linear.interactive_files.push(file);
                }
            }
        }
        Part::Media => {
            let mut files = linear::Files::default();
            linear::files(reader, node, &mut files);
            linear.media_files.append(&mut files.media);
            linear.mezzanines.append(&mut files.mezzanines);
            linear.interactive_files.append(&mut files.interactive);
            linear.captions.append(&mut files.captions);
        }
    }
}

fn of_overlays(reader: &mut Reader, node: NodeId, part: Part, overlays: &mut NonLinearAds) {
    let mut files = linear::Files::default();
    match part {
        Part::Icon => overlays.icons.push(icon::icon(reader, node)),
        Part::Icons => icon::read(reader, node, &mut overlays.icons),
        Part::Mezzanine => files.mezzanines.push(linear::media_file(reader, node)),
        Part::Interactive => files
            .interactive
            .extend(linear::interactive_file(reader, node)),
        Part::Media => linear::files(reader, node, &mut files),
    }
    if let Some(choice) = overlays.choices.first_mut() {
        choice.media_files.append(&mut files.media);
        choice.mezzanines.append(&mut files.mezzanines);
        choice.interactive_files.append(&mut files.interactive);
        choice.captions.append(&mut files.captions);
    }
}

/// Adds an id, unless the creative has it already.
fn add_id(creative: &mut Creative, id: UniversalAdId) {
    let is_there = |it: &UniversalAdId| it.registry == id.registry && it.value == id.value;
    if !creative.universal_ids.iter().any(is_there) {
        creative.universal_ids.push(id);
    }
}

/// Returns the content of the `CreativeId` inside a connected-TV extension.
fn creative_id(reader: &mut Reader, extension: NodeId) -> Option<Arc<str>> {
    let tree = reader.tree;
    let node = tree
        .elements(extension)
        .find(|it| tree.node(*it).text.eq_ignore_ascii_case("CreativeId"))?;
    reader.some_text(node)
}

/// Returns the creative with this id, or the first one if no id is given.
fn named<'a>(creatives: &'a mut [Creative], id: Option<&str>) -> Option<&'a mut Creative> {
    match id {
        Some(id) => creatives.iter_mut().find(|it| it.id.as_deref() == Some(id)),
        None => creatives.first_mut(),
    }
}

/// Returns the creative with this media file; without an id, the first one that is linear or an
/// overlay.
fn with_file<'a>(creatives: &'a mut [Creative], id: Option<&str>) -> Option<&'a mut Creative> {
    creatives.iter_mut().find(|it| match (&it.kind, id) {
        (CreativeKind::Linear(linear), Some(id)) => linear
            .media_files
            .iter()
            .any(|file| file.id.as_deref() == Some(id)),
        (CreativeKind::Linear(_) | CreativeKind::NonLinear(_), None) => true,
        (CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty, _) => {
            false
        }
    })
}
