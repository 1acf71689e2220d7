//! Reads one `Creative`: linear, overlays or companions, and the trackers that all of them have.
//!
//! Sources: VAST 4.3 sections 3.7 to 3.14.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{
    Creative, CreativeKind, WarningCode, carrier, companion, extension, linear, overlay, tracking,
    value,
};

/// Reads a `Creative`. If it has several known children, a linear one takes precedence over
/// overlays, and those over companions; the others are kept separately.
pub(super) fn read(reader: &mut Reader, node: NodeId, in_wrapper: bool) -> Creative {
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
        match reader.element(child) {
            Some(Element::Linear) => kinds.push(CreativeKind::Linear(linear::read(
                reader, child, in_wrapper,
            ))),
            Some(Element::NonLinearAds) => kinds.push(CreativeKind::NonLinear(overlay::read(
                reader, child, in_wrapper,
            ))),
            Some(Element::CompanionAds) => {
                kinds.push(CreativeKind::Companions(companion::read(reader, child)))
            }
            Some(Element::UniversalAdId) => creative
                .universal_ids
                .push(tracking::universal_id(reader, child)),
            Some(Element::CreativeExtensions) => {
                extension::read(reader, child, &mut creative.extensions, |it| {
                    carriers.push(it)
                });
            }
            _ => {}
        }
    }
    if kinds.len() > 1 {
        let text = format!(
            "\"Creative\" contains {} of \"Linear\", \"NonLinearAds\", \"CompanionAds\"; the first of these is used",
            kinds.len()
        );
        reader.warn(node, WarningCode::CreativeMixed, text);
    }
    match kinds
        .iter()
        .enumerate()
        .min_by_key(|(index, kind)| (rank(kind), *index))
    {
        Some((first, _)) => creative.kind = kinds.remove(first),
        None => {
            let text = "\"Creative\" contains neither \"Linear\", \"NonLinearAds\" nor \"CompanionAds\"; nothing to show";
            reader.warn(node, WarningCode::CreativeEmpty, text);
        }
    }
    creative.also = kinds;
    carrier::of_creative(reader, &carriers, &mut creative);
    creative
}

/// Returns the precedence of a kind; the lowest takes precedence.
fn rank(kind: &CreativeKind) -> u8 {
    match kind {
        CreativeKind::Linear(_) => 0,
        CreativeKind::NonLinear(_) => 1,
        CreativeKind::Companions(_) => 2,
        CreativeKind::Empty => 3,
    }
}
