//! What icons, overlays and companions show, and the data that goes with it.
//!
//! Sources: VAST 4.3 sections 3.8.2, 3.15.

use super::reader::Reader;
use super::{AdParameters, Resource, ResourceKind, value};

/// Reads a `StaticResource`, an `IFrameResource` or an `HTMLResource`, if the element is one of them.
/// An empty one is none.
pub(super) fn read(reader: &mut Reader, node: usize, name: &'static str, into: &mut Vec<Resource>) -> bool {
    let kind = match name {
        "StaticResource" => ResourceKind::Static,
        "IFrameResource" => ResourceKind::IFrame,
        "HTMLResource" => ResourceKind::Html,
        _ => return false,
    };
    let mime = reader.attribute_text(node, "creativeType");
    let xml_encoded = reader.attribute_as(node, "xmlEncoded", value::boolean);
    let content = match kind {
        ResourceKind::Html => reader.content(node),
        ResourceKind::Static | ResourceKind::IFrame => match reader.url(node, name) {
            Some(url) => url.text,
            None => return true,
        },
    };
    if content.is_empty() {
        let text = format!("\"{name}\" is empty; it shows nothing");
        reader.warn(reader.at(node), "resource-empty", text);
        return true;
    }
    into.push(Resource { kind, content, mime, xml_encoded, at: reader.place(node) });
    true
}

/// Reads an `AdParameters`.
pub(super) fn ad_parameters(reader: &mut Reader, node: usize) -> AdParameters {
    AdParameters {
        xml_encoded: reader.attribute_as(node, "xmlEncoded", value::boolean),
        text: reader.content(node),
        at: reader.place(node),
    }
}
