//! Reads JSON into a tree with places.

use serde_json::value::RawValue;

use super::MAX_NODES;
use super::node::{Key, Node, Tree, Wrong};
use crate::json::{self, Entries};
use crate::scenario::limits;

/// Reads the tree of a JSON document.
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
        let range = json::range(self.text, raw.get());
        let start = range.start..range.start + 1;
        self.nodes += 1;
        if depth > limits::DEPTH || self.nodes > MAX_NODES {
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
            let value = json::range(self.text, raw.get());
            let key = Key { range: json::key_before(self.text, value.start), text: name };
            if !seen.insert(key.text.clone()) {
                let message = format!("duplicate key \"{}\"", super::node::shown(&key.text));
                return Err(Wrong::new(&key.range, message));
            }
            entries.push((key, self.node(raw, depth + 1)?));
        }
        Ok(entries)
    }
}

/// Returns the error with its place.
fn wrong(text: &str, base: usize, error: &serde_json::Error) -> Wrong {
    let (at, message) = json::fault(text, base, error);
    Wrong::new(&(at..at), format!("invalid JSON: {message}"))
}
