//! Reads YAML 1.2 into a tree with places.
//!
//! Only this file uses the YAML library. Scalars are strings unless YAML 1.2 says otherwise; a
//! number keeps its spelling, which is taken from the source by its place.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::NonFiniteFloatPolicy;
use serde_saphyr::{Error, Location, Options, Spanned, UserMessageFormatter};

use super::node::{Key, Node, Tree, Wrong};
use super::{DEPTH, MAX_NODES};
use playsim_base::escape::shown;

/// Reads the tree of a YAML document.
pub(super) fn tree(text: &str) -> Result<Node, Wrong> {
    let Spelled(spelled) = serde_saphyr::from_str_with_options(text, options())
        .map_err(|error| wrong(text, &error))?;
    Ok(node(text, spelled))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH,
            flow_nesting_limit: DEPTH,
            max_nodes: MAX_NODES,
            max_events: 3 * MAX_NODES,
        },
        strict_booleans: true,
        with_snippet: false,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
    }
}

/// Returns the error with its place. For some errors the library gives only line and column, not
/// the byte.
fn wrong(text: &str, error: &Error) -> Wrong {
    let range = error
        .location()
        .map_or(0..0, |location| match bytes(text, location) {
            Some(range) => range,
            None => {
                let line = usize::try_from(location.line())
                    .unwrap_or(1)
                    .saturating_sub(1);
                let column = usize::try_from(location.column())
                    .unwrap_or(1)
                    .saturating_sub(1);
                let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
                let letters = text[start..]
                    .chars()
                    .take(column)
                    .take_while(|letter| *letter != '\n');
                let at = start + letters.map(char::len_utf8).sum::<usize>();
                at..at
                    + text[at..]
                        .chars()
                        .next()
                        .filter(|letter| *letter != '\n')
                        .map_or(0, char::len_utf8)
            }
        });
    let error = error.without_snippet();
    if matches!(
        error,
        Error::Budget { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::AliasReplayStackDepthExceeded { .. }
    ) {
        return Wrong::new(&range, super::TOO_BIG);
    }
    if matches!(error, Error::DuplicateMappingKey { .. }) {
        let key = super::node::shown(text[range.clone()].trim_matches(['"', '\'']));
        return Wrong::new(&range, format!("duplicate key \"{}\"", shown(&key)));
    }
    let message = error.render_with_formatter(&UserMessageFormatter);
    let message = message.split(" at line ").next().unwrap_or_default();
    if let Some(value) = unquoted(text, range.start) {
        let why = "a colon and a space begin the value of a key";
        let wrong = Wrong::new(
            &value,
            format!("invalid YAML: {why}; a text that has them needs quotes"),
        );
        let meant = &text[value];
        return if meant.len() <= LONGEST_PROPOSAL {
            wrong.meant(meant)
        } else {
            wrong
        };
    }
    Wrong::new(&range, format!("invalid YAML: {message}"))
}

/// A longer text is not repeated as a proposal.
const LONGEST_PROPOSAL: usize = 200;

/// Returns the text in which there is a colon that YAML does not expect, as in `name: one: two`.
fn unquoted(text: &str, colon: usize) -> Option<Range<usize>> {
    if !text.get(colon..)?.starts_with(':') {
        return None;
    }
    let line = text[..colon].rfind('\n').map_or(0, |end| end + 1);
    let key = line + text[line..colon].rfind(": ")?;
    let start = colon - text[key + 1..colon].trim_start().len();
    // In braces and brackets it ends with the entry, otherwise with the line or at a comment.
    let rest = text[colon..].split('\n').next()?;
    let is_in_braces = text[line..start].contains(['{', '[']);
    let ends: &[&str] = if is_in_braces {
        &[",", "}", "]"]
    } else {
        &[" #"]
    };
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    let value = &text[start..colon + end.unwrap_or(rest.len())];
    let value = value.trim_end();
    let is_plain = !value.starts_with(['"', '\'', '{', '[', '&', '*', '|', '>']);
    is_plain.then(|| start..start + value.len())
}

fn bytes(text: &str, location: Location) -> Option<Range<usize>> {
    let at = |count: u64| usize::try_from(count).ok();
    let start = at(location.span().byte_offset()?)?;
    let end = start + at(location.span().byte_len()?)?;
    text.get(start..end).map(|_| start..end)
}

/// A value as the library returns it.
struct Spelled(Spanned<Shape>);

enum Shape {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Spelled>),
    Map(Vec<(Spanned<String>, Spelled)>),
}

fn node(text: &str, spelled: Spanned<Shape>) -> Node {
    // For an alias: where the value is written, not where it is used.
    let range = bytes(text, spelled.defined).unwrap_or(0..0);
    match spelled.value {
        Shape::Null => Node {
            range,
            tree: Tree::Null,
        },
        Shape::Bool(truth) => Node {
            range,
            tree: Tree::Bool(truth),
        },
        Shape::Number => {
            let number = text[range.clone()].trim().to_owned();
            Node {
                range,
                tree: Tree::Number(number),
            }
        }
        Shape::Text(text) => Node {
            range,
            tree: Tree::Text(text),
        },
        Shape::List(items) => {
            let items = items
                .into_iter()
                .map(|Spelled(item)| node(text, item))
                .collect();
            Node {
                range: range.start..range.end.min(range.start + 1),
                tree: Tree::List(items),
            }
        }
        Shape::Map(entries) => {
            let entries: Vec<(Key, Node)> = entries
                .into_iter()
                .map(|(key, Spelled(value))| {
                    let range = bytes(text, key.defined).unwrap_or(0..0);
                    (
                        Key {
                            range,
                            text: key.value,
                        },
                        node(text, value),
                    )
                })
                .collect();
            // An object without braces begins with its first key.
            let first = entries.first().map(|(key, _)| key.range.clone());
            let range = first
                .filter(|first| first.start == range.start)
                .unwrap_or(range);
            Node {
                range,
                tree: Tree::Map(entries),
            }
        }
    }
}

impl<'de> Deserialize<'de> for Spelled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spelled, D::Error> {
        Spanned::deserialize(deserializer).map(Spelled)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Shape, E> {
        Ok(Shape::Bool(truth))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    #[expect(
        clippy::disallowed_types,
        reason = "the visitor asks for it; the number is read from its text"
    )]
    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Shape, E> {
        Ok(Shape::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Shape, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Shape::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Shape::Map(entries))
    }
}
