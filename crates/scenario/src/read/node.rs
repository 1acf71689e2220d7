//! A scenario file as a tree whose nodes know their places.
//!
//! YAML and JSON both become this tree, so everything above it is written once and every message
//! has its place.

use std::ops::Range;

use playsim_base::escape;
pub(crate) use playsim_base::escape::shown;
use playsim_base::words;

/// A value in the file.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Where it is, in bytes; for a list or an object, only its beginning.
    pub(crate) range: Range<usize>,
    /// Its kind.
    pub(crate) tree: Tree,
}

/// The content of a value.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    /// Empty, or the word `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, exactly as written.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Named values, in the order of the file. No name occurs twice.
    Map(Vec<(Key, Node)>),
}

/// The name of a named value.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    /// Where it is, in bytes.
    pub(crate) range: Range<usize>,
    /// The name itself.
    pub(crate) text: String,
}

/// One error.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) range: Range<usize>,
    pub message: String,
    pub(crate) suggestion: Option<String>,
}

impl Wrong {
    pub(crate) fn new(range: &Range<usize>, message: impl Into<String>) -> Wrong {
        // Messages quote names from the scenario; escaping keeps each message on one line.
        let message = escape::line(&message.into()).into_owned();
        Wrong {
            range: range.clone(),
            message,
            suggestion: None,
        }
    }

    pub(crate) fn meant(mut self, suggestion: impl Into<String>) -> Wrong {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// Suggests the word that resembles the one in the file, if there is one.
    pub(crate) fn meant_among<'a>(
        self,
        word: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Wrong {
        match words::nearest(word, known) {
            Some(meant) => self.meant(meant),
            None => self,
        }
    }

    /// `unknown call "curentTime"` with the nearest known word, or with the list of known words.
    pub(crate) fn unknown<'a>(
        range: &Range<usize>,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) -> Wrong {
        if known.clone().into_iter().next().is_none() {
            return Wrong::new(
                range,
                format!("unknown {what} \"{}\"; none are defined", shown(word)),
            );
        }
        let (message, meant) = words::unknown_or_meant(what, word, known);
        Wrong {
            suggestion: meant.map(str::to_owned),
            ..Wrong::new(range, message)
        }
    }
}

/// The subject of a message: a field's name is quoted, a description such as `a step` is not.
pub(crate) fn subject(what: &str) -> String {
    if what.contains(' ') {
        what.to_owned()
    } else {
        format!("\"{what}\"")
    }
}

impl Node {
    /// Describes the value, for messages.
    pub(crate) fn found(&self) -> String {
        match &self.tree {
            Tree::Null => "empty".to_owned(),
            Tree::Bool(truth) => format!("\"{truth}\""),
            Tree::Number(text) | Tree::Text(text) => format!("\"{}\"", shown(text)),
            Tree::List(_) => "a list".to_owned(),
            Tree::Map(_) => "an object".to_owned(),
        }
    }

    /// `"page" is a list; it must be an object, like ...`
    pub(crate) fn not(&self, what: &str, takes: &str) -> Wrong {
        Wrong::new(
            &self.range,
            format!("{} is {}; it must be {takes}", subject(what), self.found()),
        )
    }

    /// Returns a string.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Tree::Text(text) = &self.tree {
            Some(text)
        } else {
            None
        }
    }

    /// Returns the names and values of an object.
    pub(crate) fn map(&self) -> Option<&[(Key, Node)]> {
        if let Tree::Map(entries) = &self.tree {
            Some(entries)
        } else {
            None
        }
    }

    /// Returns the value with this name, if this is an object that has it.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.map()?
            .iter()
            .find(|(key, _)| key.text == name)
            .map(|(_, node)| node)
    }

    /// Returns the items of a list; any other value is the only item.
    pub(crate) fn items(&self) -> &[Node] {
        if let Tree::List(items) = &self.tree {
            items
        } else {
            std::slice::from_ref(self)
        }
    }

    /// Returns the items of a list; an empty value counts as an empty list.
    pub(crate) fn list(&self, what: &str, example: &str) -> Result<&[Node], Wrong> {
        match &self.tree {
            Tree::List(items) => Ok(items),
            Tree::Null => Ok(&[]),
            Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::Map(_) => {
                Err(self.not(what, &format!("a list, like {example}")))
            }
        }
    }

    /// Returns an object without one of its fields.
    pub(crate) fn without(&self, name: &str) -> Node {
        let entries = self.map().unwrap_or_default().iter();
        Node {
            range: self.range.clone(),
            tree: Tree::Map(
                entries
                    .filter(|(key, _)| key.text != name)
                    .cloned()
                    .collect(),
            ),
        }
    }

    /// Returns the names and values of an object; an empty value counts as an empty object.
    pub(crate) fn entries(&self, what: &str, example: &str) -> Result<&[(Key, Node)], Wrong> {
        match self.map() {
            Some(entries) => Ok(entries),
            None if matches!(self.tree, Tree::Null) => Ok(&[]),
            None => Err(self.not(what, &format!("an object, like {example}"))),
        }
    }
}

/// An object with known fields: a field that is never read is an error.
pub(crate) struct Object<'a> {
    what: &'static str,
    range: Range<usize>,
    entries: &'a [(Key, Node)],
    known: Vec<&'static str>,
    /// Unknown fields that were reported already.
    reported: Vec<&'a str>,
}

impl<'a> Object<'a> {
    /// Takes a node as an object; `what` is its name in messages, such as `a step`.
    pub(crate) fn of(
        node: &'a Node,
        what: &'static str,
        example: &str,
    ) -> Result<Object<'a>, Wrong> {
        let entries = node.entries(what, example)?;
        Ok(Object {
            what,
            range: node.range.clone(),
            entries,
            known: Vec::new(),
            reported: Vec::new(),
        })
    }

    /// Where it begins.
    pub(crate) fn range(&self) -> &Range<usize> {
        &self.range
    }

    /// Returns a field, if it exists.
    pub(crate) fn field(&mut self, name: &'static str) -> Option<&'a Node> {
        self.entry(name).map(|(_, node)| node)
    }

    /// Returns a field with its key, if it exists.
    pub(crate) fn entry(&mut self, name: &'static str) -> Option<(&'a Key, &'a Node)> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.entries
            .iter()
            .find(|(key, _)| key.text == name)
            .map(|(key, node)| (key, node))
    }

    /// Returns a required field.
    pub(crate) fn required(
        &mut self,
        name: &'static str,
        example: &str,
    ) -> Result<&'a Node, Wrong> {
        if let Some(node) = self.field(name) {
            return Ok(node);
        }
        // A misspelled field is reported as such, and not also as missing.
        if let Some((key, _)) = self
            .entries
            .iter()
            .find(|(key, _)| words::nearest(&key.text, [name]).is_some())
        {
            self.reported.push(&key.text);
            let what = format!("field of {}", self.what);
            return Err(Wrong::unknown(&key.range, &what, &key.text, [name]));
        }
        let missing = format!(
            "{} has no \"{name}\"; it needs one, like {example}",
            subject(self.what)
        );
        Err(Wrong::new(&self.range, missing))
    }

    /// The unknown fields, each as an error that has not been reported.
    pub(super) fn unknown(&self) -> impl Iterator<Item = Wrong> {
        let is_known = |name: &str| self.known.contains(&name) || self.reported.contains(&name);
        self.entries
            .iter()
            .filter(move |(key, _)| !is_known(&key.text))
            .map(|(key, _)| {
                let what = format!("field of {}", self.what);
                Wrong::unknown(&key.range, &what, &key.text, self.known.iter().copied())
            })
    }

    /// Whether there are unknown fields. If so, a missing field was probably misspelled.
    pub(crate) fn has_unknown(&self) -> bool {
        self.entries
            .iter()
            .any(|(key, _)| !self.known.contains(&&*key.text))
    }
}
