//! Warns at the end of every element, attribute and word that was not read: nothing is dropped
//! silently.

use super::element::Element;
use super::reader::Reader;
use super::tree::{Kind, Mark, NodeId};
use super::{WarningCode, clip};

/// Warns of everything in and below an element that was not read, and marks it as dealt with.
pub(super) fn sweep(reader: &mut Reader, root: NodeId) {
    let tree = reader.tree;
    // The ancestors of the node, each with the set of elements that were read in it.
    let mut open: Vec<(NodeId, u128)> = Vec::new();
    let mut node = root;
    let end = tree.end(root);
    while node < end {
        while open
            .last()
            .is_some_and(|(around, _)| tree.end(*around) <= node)
        {
            open.pop();
        }
        let found = tree.node(node);
        let is_element = found.kind == Kind::Element;
        match found.marked() {
            Mark::Whole => {}
            Mark::Unread if is_element => {
                unread_element(reader, node, open.last());
            }
            Mark::Unread => unread_text(reader, node, open.last()),
            Mark::Read => {
                if is_element {
                    unread_attributes(reader, node);
                    remember(&mut open, found.element);
                    open.push((node, 0));
                }
                node = node.next();
                continue;
            }
        }
        remember(&mut open, found.element);
        node = tree.end(node);
    }
    tree.node(root).mark(Mark::Whole);
}

fn remember(open: &mut [(NodeId, u128)], element: Option<Element>) {
    if let (Some((_, read)), Some(element)) = (open.last_mut(), element) {
        *read |= element.bit();
    }
}

fn unread_element(reader: &mut Reader, node: NodeId, around: Option<&(NodeId, u128)>) {
    let (found, inside) = (reader.tree.node(node), inside(reader, around));
    let name = clip(found.text);
    let (code, text) = match found.element {
        Some(element) if around.is_some_and(|(_, read)| read & element.bit() != 0) => (
            WarningCode::ElementTwice,
            format!("a second \"{name}\" in one {inside}; ignored"),
        ),
        Some(_) => (
            WarningCode::ElementMisplaced,
            format!("\"{name}\" has no meaning inside {inside}; ignored"),
        ),
        None => (
            WarningCode::UnknownElement,
            format!("no version has \"{name}\" inside {inside}; ignored"),
        ),
    };
    reader.warn(node, code, text);
}

fn unread_text(reader: &mut Reader, node: NodeId, around: Option<&(NodeId, u128)>) {
    let found = reader.tree.node(node);
    let words = found.text.trim();
    if !words.is_empty() {
        let text = format!(
            "\"{}\" directly inside {}; ignored",
            clip(words),
            inside(reader, around)
        );
        let blanks = found.text.len() - found.text.trim_start().len();
        reader.warn_at(found.at + blanks, WarningCode::TextMisplaced, text);
    }
}

/// Warns of unread attributes, except namespaced ones and namespace declarations, which are not
/// VAST's.
fn unread_attributes(reader: &mut Reader, node: NodeId) {
    let tree = reader.tree;
    for attribute in tree.attributes(node) {
        if attribute.is_read.get() || attribute.declares().is_some() || attribute.name.contains(':')
        {
            continue;
        }
        let (name, element) = (clip(attribute.name), clip(tree.node(node).text));
        let text = format!("no version has the attribute \"{name}\" of \"{element}\"; ignored");
        reader.warn_at(attribute.at, WarningCode::UnknownAttribute, text);
    }
}

fn inside(reader: &Reader, around: Option<&(NodeId, u128)>) -> String {
    match around {
        Some((node, _)) => format!("\"{}\"", clip(reader.tree.node(*node).text)),
        None => String::from("the document"),
    }
}
