//! `Extensions` and `CreativeExtensions`: kept as written, whatever they contain.
//!
//! Source: VAST 4.3 section 3.18.

use super::Extension;
use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;

/// Adds the extensions inside `Extensions` or `CreativeExtensions`, and calls `each` with each of
/// them.
pub(super) fn read(
    reader: &mut Reader,
    node: NodeId,
    into: &mut Vec<Extension>,
    mut each: impl FnMut(NodeId),
) {
    for child in reader.elements(node) {
        if matches!(
            reader.element(child),
            Some(Element::Extension | Element::CreativeExtension)
        ) {
            if !reader.room(child) {
                return;
            }
            into.push(extension(reader, child));
            each(child);
        }
    }
}

fn extension(reader: &mut Reader, node: NodeId) -> Extension {
    let tree = reader.tree;
    let kind = reader.attribute_text(node, "type");
    let mut attributes = Vec::new();
    for attribute in tree.attributes(node).iter().filter(|it| !it.is_read.get()) {
        let value = reader.attribute_value(attribute);
        attributes.push((reader.keep(attribute.name), value));
    }
    reader.pass(node);
    Extension {
        kind,
        attributes,
        xml: tree.source(node).into(),
        at: reader.place(node),
    }
}
