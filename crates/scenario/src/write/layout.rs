//! The layout of a written scenario: whatever fits on one line is put on one line.

#[cfg(feature = "yaml")]
use std::fmt::Write;

#[cfg(feature = "yaml")]
use crate::read::node::Key;
use crate::read::node::{Node, Tree};
use crate::writer::quote;

/// The longest line, if there is a place to break it.
const WIDTH: usize = 100;
const INDENT: usize = 2;

/// As JSON.
pub(super) fn json(root: &Node) -> String {
    let mut out = String::new();
    let is_broken = root.map().is_some_and(|entries| !entries.is_empty());
    broken_json(root, 0, is_broken, &mut out);
    out.push('\n');
    out
}

/// As YAML.
#[cfg(feature = "yaml")]
pub(super) fn yaml(root: &Node) -> String {
    let mut out = String::new();
    match root.map() {
        Some(entries) if !entries.is_empty() => yaml_fields(entries, 0, &mut out),
        Some(_) | None => {
            inline(root, JSON, &mut out);
            out.push('\n');
        }
    }
    out
}

/// How strings are written.
#[derive(Clone, Copy)]
struct Scalars {
    key: fn(&str, &mut String),
    text: fn(&str, &mut String),
}

const JSON: Scalars = Scalars {
    key: json_scalar,
    text: json_scalar,
};
#[cfg(feature = "yaml")]
const YAML: Scalars = Scalars {
    key: yaml_key,
    text: yaml_scalar,
};

fn json_scalar(text: &str, out: &mut String) {
    quote(text, out);
}

/// On one line.
fn inline(node: &Node, scalars: Scalars, out: &mut String) {
    match &node.tree {
        Tree::Null => out.push_str("null"),
        Tree::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Tree::Number(number) => out.push_str(number),
        Tree::Text(text) => (scalars.text)(text, out),
        Tree::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                inline(item, scalars, out);
            }
            out.push(']');
        }
        Tree::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Tree::Map(entries) => {
            for (index, (key, node)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "{ " } else { ", " });
                (scalars.key)(&key.text, out);
                out.push_str(": ");
                inline(node, scalars, out);
            }
            out.push_str(" }");
        }
    }
}

/// On one line, if it fits into the rest of the line.
fn fitting(node: &Node, scalars: Scalars, used: usize) -> Option<String> {
    let mut line = String::new();
    inline(node, scalars, &mut line);
    let has_parts = matches!(&node.tree, Tree::List(parts) if !parts.is_empty())
        || matches!(&node.tree, Tree::Map(parts) if !parts.is_empty());
    (!has_parts || used + line.chars().count() <= WIDTH).then_some(line)
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn column(out: &str) -> usize {
    let start = out.rfind('\n').map_or(0, |newline| newline + 1);
    out[start..].chars().count()
}

fn broken_json(node: &Node, indent: usize, must_break: bool, out: &mut String) {
    if let Some(line) = fitting(node, JSON, column(out)).filter(|_| !must_break) {
        return out.push_str(&line);
    }
    let inner = indent + INDENT;
    match &node.tree {
        Tree::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                new_line(inner, out);
                broken_json(item, inner, false, out);
            }
            new_line(indent, out);
            out.push(']');
        }
        Tree::Map(entries) => {
            out.push('{');
            for (index, (key, node)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                new_line(inner, out);
                quote(&key.text, out);
                out.push_str(": ");
                broken_json(node, inner, false, out);
            }
            new_line(indent, out);
            out.push('}');
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) => inline(node, JSON, out),
    }
}

/// The fields of an object, a line or more for each. The first one begins where `out` ends.
#[cfg(feature = "yaml")]
fn yaml_fields(entries: &[(Key, Node)], indent: usize, out: &mut String) {
    for (index, (key, node)) in entries.iter().enumerate() {
        if index > 0 {
            out.extend(std::iter::repeat_n(' ', indent));
        }
        yaml_key(&key.text, out);
        out.push(':');
        let line = fitting(node, YAML, column(out) + 1);
        match (&node.tree, line) {
            (_, Some(line)) => {
                out.push(' ');
                out.push_str(&line);
                out.push('\n');
            }
            (Tree::Map(entries), None) => {
                new_line(indent + INDENT, out);
                yaml_fields(entries, indent + INDENT, out);
            }
            (Tree::List(items), None) => {
                out.push('\n');
                yaml_items(items, indent + INDENT, out);
            }
            (Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_), None) => out.push('\n'),
        }
    }
}

#[cfg(feature = "yaml")]
fn yaml_items(items: &[Node], indent: usize, out: &mut String) {
    for item in items {
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str("- ");
        match (item.map(), fitting(item, YAML, column(out))) {
            (Some(entries), None) => yaml_fields(entries, indent + INDENT, out),
            (_, Some(line)) => {
                out.push_str(&line);
                out.push('\n');
            }
            // A list in a list stays on its line, however long it is.
            (None, None) => {
                inline(item, YAML, out);
                out.push('\n');
            }
        }
    }
}

/// A YAML key. `on`, a field of steps, is not quoted, although YAML 1.1 reads it as a truth value.
#[cfg(feature = "yaml")]
fn yaml_key(key: &str, out: &mut String) {
    if key == "on" {
        out.push_str(key)
    } else {
        yaml_scalar(key, out)
    }
}

/// A YAML string, without quotes where no reader mistakes it for another type.
#[cfg(feature = "yaml")]
fn yaml_scalar(text: &str, out: &mut String) {
    if is_plain(text) {
        return out.push_str(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quote(text, &mut quoted);
    for letter in quoted.chars() {
        match letter {
            // Characters that YAML does not allow, or treats as line ends.
            '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
}

/// Whether a string needs no quotes: words, a path, a URL, a length of time.
#[cfg(feature = "yaml")]
fn is_plain(text: &str) -> bool {
    const RESERVED: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || " ._/-+=?&%:".contains(letter);
    let begins = text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_length = text.strip_suffix('s').is_some_and(|number| {
        number.starts_with(|letter: char| letter.is_ascii_digit())
            && number
                .bytes()
                .all(|letter| letter.is_ascii_digit() || letter == b'.')
    });
    let is_reserved = RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text));
    let is_one = !text.contains(": ") && !text.ends_with([':', ' ']);
    is_length || (begins && text.chars().all(is_inside) && is_one && !is_reserved)
}
