//! JSON text as a tree with places.
//!
//! The reader of JSON gives no places, but it does give the raw text of every value, and where that lies
//! in the whole is its place. Numbers stay exactly as they are written.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Key, Node, Tree, Wrong};
use super::{MAX_DEPTH, MAX_NODES};

/// The tree of a JSON text.
pub(super) fn tree(text: &str) -> Result<Node, Wrong> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| wrong(text, 0, &error))?;
    Reader { text, nodes: 0 }.node(raw, 0)
}

struct Reader<'a> {
    text: &'a str,
    nodes: usize,
}

impl<'a> Reader<'a> {
    fn node(&mut self, raw: &'a RawValue, depth: usize) -> Result<Node, Wrong> {
        let range = self.range(raw.get());
        let start = range.start..range.start + 1;
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(Wrong::new(&start, super::TOO_BIG));
        }
        let piece = raw.get();
        let fault = |error: serde_json::Error| wrong(self.text, range.start, &error);
        match piece.as_bytes().first() {
            Some(b'{') => {
                let Entries(entries) = serde_json::from_str(piece).map_err(fault)?;
                self.map(entries, depth).map(|entries| Node { range: start, tree: Tree::Map(entries) })
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(piece).map_err(fault)?;
                let items: Result<Vec<Node>, Wrong> =
                    items.into_iter().map(|item| self.node(item, depth + 1)).collect();
                Ok(Node { range: start, tree: Tree::List(items?) })
            }
            Some(b'"') => {
                let text: String = serde_json::from_str(piece).map_err(fault)?;
                Ok(Node { range, tree: Tree::Text(text) })
            }
            Some(b't') => Ok(Node { range, tree: Tree::Bool(true) }),
            Some(b'f') => Ok(Node { range, tree: Tree::Bool(false) }),
            Some(b'n') => Ok(Node { range, tree: Tree::Null }),
            Some(_) | None => Ok(Node { range, tree: Tree::Number(piece.to_owned()) }),
        }
    }

    fn map(&mut self, raw: Vec<(String, &'a RawValue)>, depth: usize) -> Result<Vec<(Key, Node)>, Wrong> {
        let mut seen = std::collections::BTreeSet::new();
        let mut entries = Vec::with_capacity(raw.len());
        for (name, raw) in raw {
            let key = Key { range: self.key_before(self.range(raw.get()).start), text: name };
            if !seen.insert(key.text.clone()) {
                let message = format!("\"{}\" stands here twice", super::node::shown(&key.text));
                return Err(Wrong::new(&key.range, message));
            }
            entries.push((key, self.node(raw, depth + 1)?));
        }
        Ok(entries)
    }

    /// Where a piece of the text lies in it.
    fn range(&self, piece: &str) -> Range<usize> {
        let start = piece.as_ptr().addr() - self.text.as_ptr().addr();
        start..start + piece.len()
    }

    /// Where the key before a value stands. Only an escaped quote can stand within it.
    fn key_before(&self, value: usize) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let end = bytes[..value].iter().rposition(|byte| *byte == b'"').unwrap_or(0);
        let is_opening = |at: &usize| {
            let escapes = bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count();
            bytes[*at] == b'"' && escapes % 2 == 0
        };
        let start = (0..end).rev().find(is_opening).unwrap_or(end);
        start..end + 1
    }
}

/// The error at its place; the columns of the JSON reader count bytes of the piece it was given.
fn wrong(text: &str, base: usize, error: &serde_json::Error) -> Wrong {
    let piece = &text[base..];
    let line_start: usize =
        piece.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut at = (base + line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    Wrong::new(&(at..at), format!("this is no JSON: {message}"))
}

/// The names and raw values of an object, in their order and with all that stand twice.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries<'de>, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
