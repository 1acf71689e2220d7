//! What every part of the reading shares: names, attributes, texts, addresses.
//!
//! An element is known by its name alone; a prefix or another letter case does not hide it. What is looked at
//! is marked as read: the rest is told at the end, so that nothing is dropped in silence.

use std::borrow::Cow;
use std::sync::Arc;

use super::entity::{self, Kept};
use super::known::Row;
use super::notes::Notes;
use super::places::Start;
use super::tree::{Attribute, Kind, Mark, Tree};
use super::value::Taken;
use super::{Document, Fault, Url, clip};
use crate::place::Place;

/// A document that holds more creatives, media files, icons, overlays, companions, verifications and
/// extensions than this, all together, is refused.
pub const MAX_PARTS: usize = 100_000;

/// So many short texts are remembered.
const SHARED: usize = 64;

/// A reading under way.
pub(crate) struct Reader<'t> {
    pub(crate) tree: &'t Tree<'t>,
    pub(crate) notes: Notes<'t>,
    /// The version that the document claims, times ten; the highest if it claims none that is known.
    pub(crate) version: u8,
    /// Which names were already found newer than the version.
    newer: u128,
    /// Short texts that came before: event names and MIME types come again and again.
    shared: Vec<Option<Arc<str>>>,
    /// How many parts there are so far.
    parts: usize,
    /// The first node for which there was no room.
    too_many: Option<usize>,
}

/// An attribute's text.
pub(crate) struct Found<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(tree: &'t Tree<'t>, notes: Notes<'t>) -> Reader<'t> {
        Reader {
            tree,
            notes,
            version: u8::MAX,
            newer: 0,
            shared: vec![None; SHARED],
            parts: 0,
            too_many: None,
        }
    }

    /// Notes something tolerated at a byte.
    pub(crate) fn warn(&mut self, at: usize, code: &'static str, text: impl Into<Arc<str>>) {
        self.notes.warn(at, code, text);
    }

    /// Reads a document inside this one: its version and its warnings are its own.
    pub(crate) fn apart(&mut self, read: impl FnOnce(&mut Self) -> Document) -> Document {
        let outer = (std::mem::replace(&mut self.version, u8::MAX), std::mem::take(&mut self.newer));
        let mark = self.notes.mark();
        let mut document = read(self);
        document.warnings = self.notes.split_off(mark);
        (self.version, self.newer) = outer;
        document
    }

    /// Reads a VAST document that stands inside a node as text: its version and its warnings are its own.
    pub(crate) fn inside(&mut self, node: usize, text: &str) -> Document {
        let tree = self.tree;
        let pieces = tree.inside(node).map(|inner| tree.node(inner));
        // Where one CDATA section holds all of it, it stands there as written.
        let mut sections = pieces.filter(|piece| !piece.text.trim().is_empty());
        let start = match (sections.next(), sections.next()) {
            (Some(piece), None) if piece.kind == Kind::CData => {
                let blank = piece.text.len() - piece.text.trim_start().len();
                Start::At(self.notes.places.of(piece.at() + "<![CDATA[".len() + blank))
            }
            (_, _) => Start::AllAt(self.place(node)),
        };
        let mut document = super::read::in_text(text, start);
        document.warnings = self.notes.count_apart(std::mem::take(&mut document.warnings));
        document
    }

    /// Where a node stands.
    pub(crate) fn place(&self, node: usize) -> Place {
        self.notes.places.of(self.at(node))
    }

    /// The first byte of a node.
    pub(crate) fn at(&self, node: usize) -> usize {
        self.tree.node(node).at()
    }

    /// The elements directly inside a node, which is read by that.
    pub(crate) fn elements(&self, node: usize) -> impl Iterator<Item = usize> + use<'t> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        tree.elements(node)
    }

    /// Takes a node and all that is in it as read: it is kept as it is, or said to be passed over.
    pub(crate) fn pass(&self, node: usize) {
        self.tree.node(node).mark(Mark::Whole);
    }

    /// Counts one more part of the document; `false` if there is no room for it, which makes a fault in the end.
    pub(crate) fn room(&mut self, node: usize) -> bool {
        if self.parts == MAX_PARTS {
            self.too_many.get_or_insert(node);
            return false;
        }
        self.parts += 1;
        true
    }

    /// The fault of a document that holds too many parts.
    pub(crate) fn too_many_parts(&self) -> Option<Fault> {
        let node = self.too_many?;
        let text = format!("more than {MAX_PARTS} creatives, files, icons and other parts, the limit");
        Some(Fault { code: 101, text: text.into(), at: self.place(node) })
    }

    /// A text to be kept; short ones that come again share one allocation.
    pub(crate) fn keep(&mut self, text: &str) -> Arc<str> {
        const LONGEST: usize = 32;
        if text.len() > LONGEST {
            return text.into();
        }
        let hash = text.bytes().fold(5_381_usize, |hash, byte| hash.wrapping_mul(33) ^ usize::from(byte));
        let slot = &mut self.shared[hash % SHARED];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            Some(_) | None => Arc::clone(slot.insert(text.into())),
        }
    }

    /// The name of an element as the standard spells it; empty if it is none that is looked at.
    ///
    /// Asked once per element, since it warns of another letter case and of a name newer than the version.
    pub(crate) fn name(&mut self, node: usize) -> &'static str {
        let written = self.tree.node(node).text;
        let Some(row) = Row::of(written) else { return "" };
        let name = row.name();
        if name != written {
            let text = format!("element \"{written}\"; taken as \"{name}\", whatever its letter case");
            self.warn(self.at(node), "letter-case", text);
        }
        if row.since() > self.version && self.newer & row.bit() == 0 {
            self.newer |= row.bit();
            self.warn_newer(self.at(node), &format!("element \"{name}\""), row.since());
        }
        name
    }

    /// Notes something that the claimed version does not have yet.
    pub(crate) fn warn_newer(&mut self, at: usize, what: &str, since: u8) {
        let (claimed, since) = (version_text(self.version), version_text(since));
        let text =
            format!("{what} exists since VAST {since}, the document says {claimed}; read all the same");
        self.warn(at, "version-mismatch", text);
    }

    /// An attribute by its name, blanks around it taken off; `None` if it is missing or empty.
    pub(crate) fn attribute(&mut self, node: usize, name: &'static str) -> Option<Found<'t>> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        let attributes = tree.attributes(node);
        let mut same = attributes.iter().filter(|it| it.name == name);
        let found = match same.next() {
            Some(found) => {
                if let Some(second) = same.next() {
                    second.is_read.set(true);
                    self.warn(
                        second.at(),
                        "attribute-twice",
                        format!("a second \"{name}\"; the first counts"),
                    );
                }
                found
            }
            None => {
                let found = attributes.iter().find(|it| it.name.eq_ignore_ascii_case(name))?;
                let text = format!("attribute \"{}\"; taken as \"{name}\"", found.name);
                self.warn(found.at(), "letter-case", text);
                found
            }
        };
        let text = self.attribute_filled(found);
        (!text.is_empty()).then_some(Found { text, at: found.at() })
    }

    /// The text of an attribute that was found, kept.
    pub(crate) fn attribute_value(&mut self, found: &Attribute<'t>) -> Arc<str> {
        let text = self.attribute_filled(found);
        self.keep(&text)
    }

    fn attribute_filled(&mut self, found: &Attribute<'t>) -> Cow<'t, str> {
        found.is_read.set(true);
        self.filled(found.value.trim(), found.at())
    }

    /// An attribute that versions spell in two ways; neither is odd.
    pub(crate) fn attribute_of_two(
        &mut self,
        node: usize,
        name: &'static str,
        other: &'static str,
    ) -> Option<Arc<str>> {
        let is_other = self.tree.attributes(node).iter().any(|it| it.name == other);
        self.attribute_text(node, if is_other { other } else { name })
    }

    /// An attribute's text, kept.
    pub(crate) fn attribute_text(&mut self, node: usize, name: &'static str) -> Option<Arc<str>> {
        self.attribute(node, name).map(|found| self.keep(&found.text))
    }

    /// An attribute read by one of the readings of [`super::value`].
    pub(crate) fn attribute_as<T>(
        &mut self,
        node: usize,
        name: &'static str,
        read: impl FnOnce(&str) -> Taken<T>,
    ) -> Option<T> {
        let Some(found) = self.attribute(node, name) else {
            // An empty one is there, and says nothing that could be read.
            let tree = self.tree;
            let empty = tree.attributes(node).iter().find(|it| it.name.eq_ignore_ascii_case(name))?;
            return self.taken(read(""), name, "", empty.at());
        };
        self.taken(read(&found.text), name, &found.text, found.at)
    }

    /// The value of a reading, after noting what was odd.
    pub(crate) fn taken<T>(
        &mut self,
        taken: Taken<T>,
        what: &'static str,
        found: &str,
        at: usize,
    ) -> Option<T> {
        if let Some(oddity) = taken.oddity {
            self.warn(at, oddity.code, format!("{what} is \"{}\"; {}", clip(found), oddity.how));
        }
        taken.value
    }

    /// The text directly inside an element, blanks around it taken off.
    pub(crate) fn text(&mut self, node: usize) -> Cow<'t, str> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        let mut whole = Cow::Borrowed("");
        for inner in tree.inside(node) {
            let piece = tree.node(inner);
            let text = match piece.kind {
                Kind::Element => continue,
                Kind::Text => self.filled(piece.text, piece.at()),
                Kind::CData => Cow::Borrowed(piece.text),
            };
            piece.mark(Mark::Read);
            if whole.is_empty() {
                whole = text;
            } else {
                whole.to_mut().push_str(&text);
            }
        }
        match whole {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) if text.trim().len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(String::from(text.trim())),
        }
    }

    /// The text directly inside an element, kept; `None` if there is none.
    pub(crate) fn some_text(&mut self, node: usize) -> Option<Arc<str>> {
        let text = self.text(node);
        (!text.is_empty()).then(|| self.keep(&text))
    }

    /// What stands inside an element: its text, or its source if it holds elements, as HTML code does that
    /// nobody wrapped in CDATA.
    pub(crate) fn content(&mut self, node: usize) -> Arc<str> {
        let tree = self.tree;
        if tree.elements(node).next().is_none() {
            let text = self.text(node);
            return self.keep(&text);
        }
        self.pass(node);
        tree.source_inside(node).trim().into()
    }

    /// The addresses inside an element: its text, or the legacy `URL` elements in it. None, with a warning,
    /// if it is empty.
    pub(crate) fn urls(&mut self, node: usize, name: &'static str, into: &mut Vec<Url>) {
        let id = self.attribute_text(node, "id");
        let text = self.text(node);
        if !text.is_empty() {
            self.warn_of_blanks(node, name);
            into.push(Url { text: text.into(), id, at: self.place(node) });
            return;
        }
        let before = into.len();
        for inner in self.elements(node) {
            if self.name(inner) == "URL" {
                let id = self.attribute_text(inner, "id").or_else(|| id.clone());
                let text = self.text(inner);
                if !text.is_empty() {
                    self.warn(
                        self.at(inner),
                        "legacy-url",
                        format!("\"URL\" inside \"{name}\"; taken as its address"),
                    );
                    into.push(Url { text: text.into(), id, at: self.place(inner) });
                }
            }
        }
        if into.len() == before {
            self.warn(
                self.at(node),
                "address-empty",
                format!("\"{name}\" holds no address; nothing is called"),
            );
        }
    }

    /// The first address inside an element.
    pub(crate) fn url(&mut self, node: usize, name: &'static str) -> Option<Url> {
        let mut urls = Vec::new();
        self.urls(node, name, &mut urls);
        urls.into_iter().next()
    }

    /// Warns if the piece of text that holds an address has blanks around it.
    pub(crate) fn warn_of_blanks(&mut self, node: usize, name: &'static str) {
        let tree = self.tree;
        let pieces = tree.inside(node).map(|inner| tree.node(inner)).filter(|it| it.kind != Kind::Element);
        for piece in pieces {
            let address = piece.text.trim();
            if !address.is_empty() && address.len() != piece.text.len() {
                let text = format!("blanks around \"{}\" of \"{name}\"; taken off", clip(address));
                self.warn(self.at(node), "address-blanks", text);
                return;
            }
        }
    }

    fn filled(&mut self, text: &'t str, at: usize) -> Cow<'t, str> {
        let (filled, kept) = entity::fill(text);
        match kept {
            Some(Kept::Bare) => {
                let text =
                    format!("a bare \"&\" in \"{}\", due was \"&amp;\"; kept as written", clip(text.trim()));
                self.warn(at, "bare-ampersand", text);
            }
            Some(Kept::Unknown(name)) => {
                let (code, text) = if self.tree.declares(name.trim_matches(['&', ';'])) {
                    (
                        "entity-of-doctype",
                        format!("the DOCTYPE declares \"{name}\"; not filled, kept as written"),
                    )
                } else {
                    ("unknown-entity", format!("nothing declares \"{name}\"; kept as written"))
                };
                self.warn(at, code, text);
            }
            None => {}
        }
        filled
    }
}

fn version_text(version: u8) -> String {
    format!("{}.{}", version / 10, version % 10)
}
