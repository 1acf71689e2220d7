//! What nothing looked at, told at the end of a reading: no element, attribute or word is dropped in silence.

use super::clip;
use super::known::Row;
use super::reader::Reader;
use super::tree::{Kind, Mark};

/// Warns of what was not read in and below an element, and takes it as dealt with.
pub(super) fn sweep(reader: &mut Reader, root: usize) {
    let tree = reader.tree;
    // The elements around the node, each with the names that were read in it.
    let mut open: Vec<(usize, u128)> = Vec::new();
    let mut node = root;
    let end = tree.end(root);
    while node < end {
        while open.last().is_some_and(|(around, _)| tree.end(*around) <= node) {
            open.pop();
        }
        let found = tree.node(node);
        let is_element = found.kind == Kind::Element;
        let row = if is_element { Row::of(found.text) } else { None };
        match found.marked() {
            Mark::Whole => {}
            Mark::Unread if is_element => {
                unread_element(reader, node, row, open.last());
            }
            Mark::Unread => unread_text(reader, node, open.last()),
            Mark::Read => {
                if is_element {
                    unread_attributes(reader, node);
                    remember(&mut open, row);
                    open.push((node, 0));
                }
                node += 1;
                continue;
            }
        }
        remember(&mut open, row);
        node = tree.end(node);
    }
    tree.node(root).mark(Mark::Whole);
}

fn remember(open: &mut [(usize, u128)], row: Option<Row>) {
    if let (Some((_, names)), Some(row)) = (open.last_mut(), row) {
        *names |= row.bit();
    }
}

fn unread_element(reader: &mut Reader, node: usize, row: Option<Row>, around: Option<&(usize, u128)>) {
    let (name, inside) = (clip(reader.tree.node(node).text), inside(reader, around));
    let (code, text) = match row {
        Some(row) if around.is_some_and(|(_, names)| names & row.bit() != 0) => {
            ("element-twice", format!("a second \"{name}\" in one {inside}; passed over"))
        }
        Some(_) => ("element-misplaced", format!("\"{name}\" has no place inside {inside}; passed over")),
        None => ("unknown-element", format!("no version has \"{name}\" inside {inside}; passed over")),
    };
    reader.warn(reader.at(node), code, text);
}

fn unread_text(reader: &mut Reader, node: usize, around: Option<&(usize, u128)>) {
    let found = reader.tree.node(node);
    let words = found.text.trim();
    if !words.is_empty() {
        let text = format!("\"{}\" right inside {}; passed over", clip(words), inside(reader, around));
        let blanks = found.text.len() - found.text.trim_start().len();
        reader.warn(found.at() + blanks, "text-misplaced", text);
    }
}

/// Attributes of other namespaces and declarations of these say nothing to a reader of VAST.
fn unread_attributes(reader: &mut Reader, node: usize) {
    let tree = reader.tree;
    for attribute in tree.attributes(node) {
        if attribute.is_read.get() || attribute.name == "xmlns" || attribute.name.contains(':') {
            continue;
        }
        let (name, element) = (clip(attribute.name), clip(tree.node(node).text));
        let text = format!("no version has the attribute \"{name}\" of \"{element}\"; passed over");
        reader.warn(attribute.at(), "unknown-attribute", text);
    }
}

fn inside(reader: &Reader, around: Option<&(usize, u128)>) -> String {
    match around {
        Some((node, _)) => format!("\"{}\"", clip(reader.tree.node(*node).text)),
        None => String::from("the document"),
    }
}
