//! Warns at the end of every element, attribute and word that was not read: nothing is dropped
//! silently.

use super::defects::is_name;
use super::element::Element;
use super::reader::Reader;
use super::tree::{Attribute, Kind, Mark, NodeId};
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
            Mark::Swept => {}
            Mark::Whole => of_form(reader, node),
            Mark::Unread if is_element => {
                unread_element(reader, node, open.last());
                of_form(reader, node);
            }
            Mark::Unread => {
                unread_text(reader, node, open.last());
                of_form(reader, node);
            }
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
    tree.node(root).mark(Mark::Swept);
}

/// Warns of what is not well-formed in and below a node that was not read: no other reader looks at
/// it. What was read has been checked there.
fn of_form(reader: &mut Reader, node: NodeId) {
    let tree = reader.tree;
    let (mut inner, end) = (node, tree.end(node));
    while inner < end {
        let found = tree.node(inner);
        match found.kind {
            Kind::Element => {
                if found.element.is_none() && !is_name(found.text) {
                    let text = format!("\"{}\" is not a name in XML; ignored", clip(found.text));
                    reader.warn(inner, WarningCode::NameInvalid, text);
                }
                for attribute in tree.attributes(inner) {
                    if !attribute.is_read.get() {
                        attribute_form(reader, inner, attribute);
                    }
                }
            }
            Kind::Text if found.marked() == Mark::Unread => {
                reader.warn_of_entities(found.text, found.at);
            }
            Kind::Text | Kind::CData => {}
        }
        inner = inner.next();
    }
}

/// Warns of what is not well-formed in an attribute that was not read.
fn attribute_form<'t>(reader: &mut Reader<'t>, node: NodeId, attribute: &'t Attribute<'t>) {
    let tree = reader.tree;
    let name = clip(attribute.name);
    let mut before = tree.attributes(node).iter();
    if before.any(|it| it.name == attribute.name && it.at < attribute.at) {
        let text = format!("a second \"{name}\"; ignored");
        reader.warn_at(attribute.at, WarningCode::AttributeTwice, text);
    }
    if !is_name(attribute.name) {
        let text = format!("\"{name}\" is not a name in XML; ignored");
        reader.warn_at(attribute.at, WarningCode::NameInvalid, text);
    }
    if !attribute.is_plain {
        reader.warn_of_less_than(attribute);
        reader.warn_of_entities(attribute.value, attribute.at);
    }
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
        if attribute.is_read.get() {
            continue;
        }
        attribute_form(reader, node, attribute);
        if attribute.declares().is_some() || attribute.name.contains(':') {
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
