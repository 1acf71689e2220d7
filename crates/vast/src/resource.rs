//! The resources that icons, overlays and companions show, and the data for them.
//!
//! Sources: VAST 4.3 sections 3.8.2, 3.15.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{AdParameters, Resource, ResourceKind, WarningCode, value};

/// Reads a `StaticResource`, an `IFrameResource` or an `HTMLResource`; `false` if the element is
/// none of them. An empty one is not added.
pub(super) fn read(
    reader: &mut Reader,
    node: NodeId,
    element: Option<Element>,
    into: &mut Vec<Resource>,
) -> bool {
    let kind = match element {
        Some(Element::StaticResource) => ResourceKind::Static,
        Some(Element::IFrameResource) => ResourceKind::IFrame,
        Some(Element::HtmlResource) => ResourceKind::Html,
        _ => return false,
    };
    reader.require(node);
    let mime = reader.attribute_text(node, "creativeType");
    let xml_encoded = reader.attribute_as(node, "xmlEncoded", value::boolean);
    let content = match kind {
        ResourceKind::Html => reader.content(node),
        ResourceKind::Static | ResourceKind::IFrame => match reader.url(node) {
            Some(url) => url.text,
            None => return true,
        },
    };
    if content.is_empty() {
        let text = format!("\"{}\" is empty; nothing is shown", reader.name(node));
        reader.warn(node, WarningCode::ResourceEmpty, text);
        return true;
    }
    into.push(Resource {
        kind,
        content,
        mime,
        xml_encoded,
        at: reader.place(node),
    });
    true
}

/// Reads an `AdParameters`.
pub(super) fn ad_parameters(reader: &mut Reader, node: NodeId) -> AdParameters {
    AdParameters {
        xml_encoded: reader.attribute_as(node, "xmlEncoded", value::boolean),
        text: reader.content(node),
        at: reader.place(node),
    }
}
