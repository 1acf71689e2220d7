//! Reads JSON into a tree with places.

use serde_json::value::RawValue;

use super::node::{Key, Node, Tree, Wrong};
use super::{DEPTH, MAX_NODES};
use playsim_base::json::{self, Stopped};

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
        if depth > DEPTH || self.nodes > MAX_NODES {
            return Err(Wrong::new(&start, super::TOO_BIG));
        }
        let piece = raw.get();
        let tree = match piece.as_bytes().first() {
            Some(b'{') => {
                return Ok(Node {
                    range: start,
                    tree: Tree::Map(self.map(piece, depth)?),
                });
            }
            Some(b'[') => {
                return Ok(Node {
                    range: start,
                    tree: Tree::List(self.list(piece, depth)?),
                });
            }
            Some(b'"') => {
                let text = serde_json::from_str(piece);
                Tree::Text(text.map_err(|error| wrong(self.text, range.start, &error))?)
            }
            Some(b't') => Tree::Bool(true),
            Some(b'f') => Tree::Bool(false),
            Some(b'n') => Tree::Null,
            Some(_) | None => Tree::Number(piece.to_owned()),
        };
        Ok(Node { range, tree })
    }

    fn list(&mut self, piece: &'a str, depth: usize) -> Result<Vec<Node>, Wrong> {
        let mut items = Vec::new();
        let walked = json::each_part(piece, |_, value| {
            items.push(self.node(value, depth + 1)?);
            Ok(())
        });
        walked.map_err(|stopped| self.wrong(piece, stopped))?;
        Ok(items)
    }

    fn map(&mut self, piece: &'a str, depth: usize) -> Result<Vec<(Key, Node)>, Wrong> {
        let mut seen = std::collections::BTreeSet::new();
        let mut entries = Vec::new();
        let walked = json::each_part(piece, |name, raw| {
            let value = json::range(self.text, raw.get());
            let key = Key {
                range: json::key_before(self.text, value.start),
                text: name.unwrap_or_default(),
            };
            if !seen.insert(key.text.clone()) {
                let message = format!("duplicate key \"{}\"", super::node::shown(&key.text));
                return Err(Wrong::new(&key.range, message));
            }
            entries.push((key, self.node(raw, depth + 1)?));
            Ok(())
        });
        walked.map_err(|stopped| self.wrong(piece, stopped))?;
        Ok(entries)
    }

    fn wrong(&self, piece: &str, stopped: Stopped<Wrong>) -> Wrong {
        match stopped {
            Stopped::Syntax(error) => wrong(self.text, json::range(self.text, piece).start, &error),
            Stopped::Refused(wrong) => wrong,
        }
    }
}

/// Returns the error with its place.
fn wrong(text: &str, base: usize, error: &serde_json::Error) -> Wrong {
    let (at, message) = json::fault(text, base, error);
    Wrong::new(&(at..at), format!("invalid JSON: {message}"))
}
