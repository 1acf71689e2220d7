//! A scenario's text as a tree whose every node knows where it stands.
//!
//! Both forms of text become this tree, so that everything above it is written once and every message
//! has its place.

use std::ops::Range;

use super::Reading;
use crate::words;

/// A value in the text.
#[derive(Debug)]
pub(super) struct Node {
    /// Where it stands, in bytes; of a list or an object only its beginning.
    pub(super) range: Range<usize>,
    /// What it is.
    pub(super) tree: Tree,
}

/// What a value in the text is.
#[derive(Debug)]
pub(super) enum Tree {
    /// Nothing, or the word `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number exactly as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Named values in the order of the text. No name stands twice.
    Map(Vec<(Key, Node)>),
}

/// The name of a named value.
#[derive(Debug)]
pub(super) struct Key {
    /// Where it stands, in bytes.
    pub(super) range: Range<usize>,
    /// The name itself.
    pub(super) text: String,
}

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) range: Range<usize>,
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
}

impl Wrong {
    pub(super) fn new(range: &Range<usize>, message: impl Into<String>) -> Wrong {
        Wrong { range: range.clone(), message: message.into(), suggestion: None }
    }

    pub(super) fn meant(mut self, suggestion: impl Into<String>) -> Wrong {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// `no call is named "curentTime"` with the nearest word, or with the list of what there is.
    pub(super) fn unknown<'a>(
        range: &Range<usize>,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) -> Wrong {
        match words::nearest(word, known.clone()) {
            Some(meant) => Wrong::new(range, format!("no {what} is named \"{}\"", shown(word))).meant(meant),
            None if known.clone().into_iter().next().is_none() => {
                Wrong::new(range, format!("no {what} is named \"{}\"; there are none", shown(word)))
            }
            None => Wrong::new(range, words::unknown(what, &shown(word), known)),
        }
    }

    /// `"skip.scope" is not built yet; the knobs of this version stand in ...`
    pub(super) fn later(range: &Range<usize>, name: &str, instead: &str) -> Wrong {
        Wrong::new(range, format!("\"{name}\" is not built yet; {instead}"))
    }
}

/// A word of the text as messages show it: never longer than a line, and on one line.
pub(super) fn shown(word: &str) -> String {
    let mut short: String =
        word.chars().take(60).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if short.len() < word.len() {
        short.push_str("...");
    }
    short
}

/// What a message is about: a field's name stands in quotes, a description such as `a step` does not.
pub(super) fn subject(what: &str) -> String {
    if what.contains(' ') { what.to_owned() } else { format!("\"{what}\"") }
}

impl Node {
    /// What it is, for messages.
    pub(super) fn found(&self) -> String {
        match &self.tree {
            Tree::Null => "empty".to_owned(),
            Tree::Bool(truth) => format!("\"{truth}\""),
            Tree::Number(text) | Tree::Text(text) => format!("\"{}\"", shown(text)),
            Tree::List(_) => "a list".to_owned(),
            Tree::Map(_) => "an object".to_owned(),
        }
    }

    /// `"page" is a list; it takes an object, like ...`
    pub(super) fn not(&self, what: &str, takes: &str) -> Wrong {
        Wrong::new(&self.range, format!("{} is {}; it takes {takes}", subject(what), self.found()))
    }

    /// The items of a list; nothing at all is an empty one.
    pub(super) fn list(&self, what: &str, example: &str) -> Result<&[Node], Wrong> {
        match &self.tree {
            Tree::List(items) => Ok(items),
            Tree::Null => Ok(&[]),
            Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::Map(_) => {
                Err(self.not(what, &format!("a list, like {example}")))
            }
        }
    }

    /// Names and values of an object; nothing at all is an empty one.
    pub(super) fn entries(&self, what: &str, example: &str) -> Result<&[(Key, Node)], Wrong> {
        match &self.tree {
            Tree::Map(entries) => Ok(entries),
            Tree::Null => Ok(&[]),
            Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) => {
                Err(self.not(what, &format!("an object, like {example}")))
            }
        }
    }
}

/// An object with known fields: what is not asked for is an error.
pub(super) struct Object<'a> {
    what: &'static str,
    range: Range<usize>,
    entries: &'a [(Key, Node)],
    known: Vec<&'static str>,
    /// Unknown fields that were reported already.
    reported: Vec<&'a str>,
}

impl<'a> Object<'a> {
    /// The object that this node is; `what` is its name in messages, such as `a step`.
    pub(super) fn of(node: &'a Node, what: &'static str, example: &str) -> Result<Object<'a>, Wrong> {
        let entries = node.entries(what, example)?;
        Ok(Object { what, range: node.range.clone(), entries, known: Vec::new(), reported: Vec::new() })
    }

    /// Where it begins.
    pub(super) fn range(&self) -> &Range<usize> {
        &self.range
    }

    /// A field, if it is there.
    pub(super) fn field(&mut self, name: &'static str) -> Option<&'a Node> {
        self.entry(name).map(|(_, node)| node)
    }

    /// A field with its key, if it is there.
    pub(super) fn entry(&mut self, name: &'static str) -> Option<(&'a Key, &'a Node)> {
        self.known.push(name);
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, node)| (key, node))
    }

    /// A field that must be there.
    pub(super) fn required(&mut self, name: &'static str, example: &str) -> Result<&'a Node, Wrong> {
        if let Some(node) = self.field(name) {
            return Ok(node);
        }
        // A misspelt field is reported as such, and not as missing too.
        if let Some((key, _)) =
            self.entries.iter().find(|(key, _)| words::nearest(&key.text, [name]).is_some())
        {
            self.reported.push(&key.text);
            let what = format!("field of {}", self.what);
            return Err(Wrong::unknown(&key.range, &what, &key.text, [name]));
        }
        let missing = format!("{} has no \"{name}\"; it needs one, like {example}", subject(self.what));
        Err(Wrong::new(&self.range, missing))
    }

    /// Whether there are fields that nobody asked for. Then what is missing was probably misspelt.
    pub(super) fn has_unknown(&self) -> bool {
        self.entries.iter().any(|(key, _)| !self.known.contains(&&*key.text))
    }

    /// Reports the fields that nobody asked for.
    pub(super) fn end(self, reading: &mut Reading<'_>) {
        let is_known = |name: &str| self.known.contains(&name) || self.reported.contains(&name);
        for (key, _) in self.entries.iter().filter(|(key, _)| !is_known(&key.text)) {
            let what = format!("field of {}", self.what);
            reading.wrongs.push(Wrong::unknown(&key.range, &what, &key.text, self.known.iter().copied()));
        }
    }
}
