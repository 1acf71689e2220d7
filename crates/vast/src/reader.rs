//! The common parts of all element readers: names, attributes, text and URLs.
//!
//! An element is recognised by its name alone, regardless of prefix and letter case. Everything
//! that a reader accesses is marked as read; the rest is reported at the end, so that nothing is
//! dropped silently.

use std::borrow::Cow;
use std::sync::Arc;

use super::element::Element;
use super::entity::{self, Kept};
use super::notes::Notes;
use super::places::{ByteOffset, Start};
use super::tree::{Attribute, Kind, Mark, NodeId, Tree};
use super::value::Taken;
use super::{Document, Fault, Url, WarningCode, address, clip, trim};
use playsim_base::place::Place;

/// The maximum total number of creatives, media files, icons, overlays, companions, verifications
/// and extensions. A document with more is rejected.
pub const MAX_PARTS: usize = 100_000;

/// The number of short strings that are remembered.
const SHARED: usize = 64;

/// The state while a document is read.
pub(crate) struct Reader<'t> {
    pub(crate) tree: &'t Tree<'t>,
    pub(crate) notes: Notes<'t>,
    /// The version that the document claims, times ten; the highest number if it is missing or
    /// unknown.
    pub(crate) version: u8,
    /// The elements that have already been reported as newer than the version.
    newer: u128,
    /// Short strings seen before: event names and MIME types repeat often.
    shared: Vec<Option<Arc<str>>>,
    /// The number of parts so far.
    parts: usize,
    /// The first node beyond the limit.
    too_many: Option<NodeId>,
}

/// The value of an attribute.
pub(crate) struct Found<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) at: ByteOffset,
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

    /// Adds a warning at the start of a node.
    pub(crate) fn warn(&mut self, node: NodeId, code: WarningCode, text: impl Into<Arc<str>>) {
        self.notes.warn_at(self.at(node), code, text);
    }

    /// Adds a warning at a byte offset.
    pub(crate) fn warn_at(&mut self, at: ByteOffset, code: WarningCode, text: impl Into<Arc<str>>) {
        self.notes.warn_at(at, code, text);
    }

    /// Reads an embedded document, which has its own version and warnings.
    pub(crate) fn apart(&mut self, read: impl FnOnce(&mut Self) -> Document) -> Document {
        let outer = (
            std::mem::replace(&mut self.version, u8::MAX),
            std::mem::take(&mut self.newer),
        );
        let mark = self.notes.mark();
        let mut document = read(self);
        document.warnings = self.notes.split_off(mark);
        (self.version, self.newer) = outer;
        document
    }

    /// Reads a VAST document that is embedded in a node as text. It has its own version and
    /// warnings.
    pub(crate) fn inside(&mut self, node: NodeId, text: &str) -> Document {
        let tree = self.tree;
        let pieces = tree.inside(node).map(|inner| tree.node(inner));
        // The places inside are exact if a single CDATA section contains the document verbatim.
        let mut sections = pieces.filter(|piece| !piece.text.trim().is_empty());
        let start = match (sections.next(), sections.next()) {
            (Some(piece), None) if piece.kind == Kind::CData => {
                let blank = piece.text.len() - piece.text.trim_start().len();
                Start::At(self.notes.places.of(piece.at + "<![CDATA[".len() + blank))
            }
            (_, _) => Start::AllAt(self.place(node)),
        };
        let mut document = super::read::in_text(text, start);
        document.warnings = self
            .notes
            .count_apart(std::mem::take(&mut document.warnings));
        document
    }

    /// Returns the place of a node.
    pub(crate) fn place(&self, node: NodeId) -> Place {
        self.notes.places.of(self.at(node))
    }

    /// Returns the byte offset of a node.
    pub(crate) fn at(&self, node: NodeId) -> ByteOffset {
        self.tree.node(node).at
    }

    /// Returns the child elements of a node and marks the node as read.
    pub(crate) fn elements(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'t> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        tree.elements(node)
    }

    /// Marks a node with everything in it as read: it is kept verbatim, or a warning says that it
    /// is ignored.
    pub(crate) fn pass(&self, node: NodeId) {
        self.tree.node(node).mark(Mark::Whole);
    }

    /// Warns of a repeated element and ignores it.
    pub(crate) fn second(&mut self, node: NodeId, inside: &str) {
        let text = format!(
            "a second \"{}\" in one \"{inside}\"; ignored",
            self.name(node)
        );
        self.warn(node, WarningCode::ElementTwice, text);
        self.pass(node);
    }

    /// Counts one more part of the document. Returns `false` above the limit, which becomes a fault
    /// at the end.
    pub(crate) fn room(&mut self, node: NodeId) -> bool {
        if self.parts == MAX_PARTS {
            self.too_many.get_or_insert(node);
            return false;
        }
        self.parts += 1;
        true
    }

    /// Returns the fault of a document with too many parts.
    pub(crate) fn too_many_parts(&self) -> Option<Fault> {
        let node = self.too_many?;
        let text =
            format!("more than {MAX_PARTS} creatives, files, icons and other parts, the limit");
        Some(Fault {
            code: 101,
            text: text.into(),
            at: self.place(node),
        })
    }

    /// Returns a string to store; repeated short strings share one allocation.
    pub(crate) fn keep(&mut self, text: &str) -> Arc<str> {
        const LONGEST: usize = 32;
        if text.len() > LONGEST {
            return text.into();
        }
        let hash = text.bytes().fold(5_381_usize, |hash, byte| {
            hash.wrapping_mul(33) ^ usize::from(byte)
        });
        let slot = &mut self.shared[hash % SHARED];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            Some(_) | None => Arc::clone(slot.insert(text.into())),
        }
    }

    /// Returns which element a node is; `None` if it is unknown.
    ///
    /// Call it once for each node, because it warns of unusual letter case and of elements newer
    /// than the version.
    pub(crate) fn element(&mut self, node: NodeId) -> Option<Element> {
        let found = self.tree.node(node);
        let (element, written) = (found.element?, found.text);
        if element.name() != written {
            let text =
                format!("element \"{written}\"; read as \"{element}\", letter case is ignored");
            self.warn(node, WarningCode::LetterCase, text);
        }
        if element.since() > self.version && self.newer & element.bit() == 0 {
            self.newer |= element.bit();
            self.warn_newer(node, &format!("element \"{element}\""), element.since());
        }
        Some(element)
    }

    /// Returns whether a known element is in another letter case.
    pub(crate) fn is_misnamed(&self, node: NodeId) -> bool {
        let found = self.tree.node(node);
        found
            .element
            .is_some_and(|element| element.name() != found.text)
    }

    /// Returns the name of a node for messages: a known element as the standard spells it, others
    /// as written.
    pub(crate) fn name(&self, node: NodeId) -> &'t str {
        let tree = self.tree;
        let found = tree.node(node);
        found.element.map_or(found.text, |element| element.name())
    }

    /// Warns of something newer than the version that the document claims.
    pub(crate) fn warn_newer(&mut self, node: NodeId, what: &str, since: u8) {
        let (claimed, since) = (version_text(self.version), version_text(since));
        let text = format!(
            "{what} exists since VAST {since}, but the document is VAST {claimed}; read anyway"
        );
        self.warn(node, WarningCode::VersionMismatch, text);
    }

    /// Returns an attribute by name, without surrounding white space; `None` if it is missing or
    /// empty.
    pub(crate) fn attribute(&mut self, node: NodeId, name: &'static str) -> Option<Found<'t>> {
        self.attribute_or_empty(node, name)
            .filter(|found| !found.text.is_empty())
    }

    /// Returns an attribute by name, without surrounding white space; `None` if it is missing.
    fn attribute_or_empty(&mut self, node: NodeId, name: &'static str) -> Option<Found<'t>> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        let (mut exact, mut twice, mut alike) = (None, None, None);
        for it in tree
            .attributes(node)
            .iter()
            .filter(|it| it.name.len() == name.len())
        {
            if it.name == name {
                let place = if exact.is_none() {
                    &mut exact
                } else {
                    &mut twice
                };
                place.get_or_insert(it);
            } else if it.name.eq_ignore_ascii_case(name) {
                alike.get_or_insert(it);
            }
        }
        let found = exact.or(alike)?;
        if let Some(second) = twice {
            second.is_read.set(true);
            let text = format!("a second \"{name}\"; the first one is used");
            self.warn_at(second.at, WarningCode::AttributeTwice, text);
        }
        if exact.is_none() {
            let text = format!("attribute \"{}\"; read as \"{name}\"", found.name);
            self.warn_at(found.at, WarningCode::LetterCase, text);
        }
        Some(Found {
            text: self.attribute_filled(found),
            at: found.at,
        })
    }

    /// Returns the value of an attribute that was found.
    pub(crate) fn attribute_value(&mut self, found: &Attribute<'t>) -> Arc<str> {
        let text = self.attribute_filled(found);
        self.keep(&text)
    }

    fn attribute_filled(&mut self, found: &Attribute<'t>) -> Cow<'t, str> {
        found.is_read.set(true);
        let text = trim(found.value);
        if found.is_plain {
            Cow::Borrowed(text)
        } else {
            self.warn_of_less_than(found);
            self.filled(text, found.at)
        }
    }

    /// Warns of a `<` in the value of an attribute. XML 1.0 section 3.1.
    pub(super) fn warn_of_less_than(&mut self, found: &Attribute<'t>) {
        if !found.is_plain && found.value.contains('<') {
            let name = clip(found.name);
            let text =
                format!("an unescaped \"<\" in \"{name}\", expected \"&lt;\"; kept as written");
            self.warn_at(found.at, WarningCode::LessThanInAttribute, text);
        }
    }

    /// Returns an attribute that has two spellings in different versions; both are accepted.
    pub(crate) fn attribute_of_two(
        &mut self,
        node: NodeId,
        name: &'static str,
        other: &'static str,
    ) -> Option<Arc<str>> {
        let is_other = self.tree.attributes(node).iter().any(|it| it.name == other);
        self.attribute_text(node, if is_other { other } else { name })
    }

    /// Returns the value of an attribute by name.
    pub(crate) fn attribute_text(&mut self, node: NodeId, name: &'static str) -> Option<Arc<str>> {
        self.attribute(node, name)
            .map(|found| self.keep(&found.text))
    }

    /// Returns an attribute as parsed by one of the functions of [`super::value`].
    pub(crate) fn attribute_as<T>(
        &mut self,
        node: NodeId,
        name: &'static str,
        read: impl FnOnce(&str) -> Taken<T>,
    ) -> Option<T> {
        // An empty attribute exists, but its value is invalid.
        let found = self.attribute_or_empty(node, name)?;
        self.taken(read(&found.text), name, &found.text, found.at)
    }

    /// Returns the parsed value, and warns if it deviates.
    pub(crate) fn taken<T>(
        &mut self,
        taken: Taken<T>,
        what: &'static str,
        found: &str,
        at: ByteOffset,
    ) -> Option<T> {
        if let Some(oddity) = taken.oddity {
            self.warn_at(
                at,
                oddity.code,
                format!("{what} is \"{}\"; {}", clip(found), oddity.how),
            );
        }
        taken.value
    }

    /// Returns the character data directly inside an element, without surrounding white space.
    pub(crate) fn text(&mut self, node: NodeId) -> Cow<'t, str> {
        let tree = self.tree;
        tree.node(node).mark(Mark::Read);
        let mut whole = Cow::Borrowed("");
        for inner in tree.inside(node) {
            let piece = tree.node(inner);
            let text = match piece.kind {
                Kind::Element => continue,
                Kind::Text => self.filled(piece.text, piece.at),
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
            Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
            Cow::Owned(text) if trim(&text).len() == text.len() => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(String::from(trim(&text))),
        }
    }

    /// Returns the character data directly inside an element; `None` if there is none.
    pub(crate) fn some_text(&mut self, node: NodeId) -> Option<Arc<str>> {
        let text = self.text(node);
        (!text.is_empty()).then(|| self.keep(&text))
    }

    /// Returns the content of an element: its character data, or its source if it contains
    /// elements, such as HTML that is not wrapped in CDATA.
    pub(crate) fn content(&mut self, node: NodeId) -> Arc<str> {
        let tree = self.tree;
        if tree.elements(node).next().is_none() {
            let text = self.text(node);
            return self.keep(&text);
        }
        self.pass(node);
        tree.source_inside(node).trim().into()
    }

    /// Adds the URLs inside an element: its content, or the legacy `URL` elements in it. Warns if
    /// it is empty.
    pub(crate) fn urls(&mut self, node: NodeId, into: &mut Vec<Url>) {
        let name = self.name(node);
        let id = self.attribute_text(node, "id");
        let text = self.text(node);
        if !text.is_empty() {
            self.warn_about_url(node, name, &text);
            into.push(Url {
                text: text.into(),
                id,
                at: self.place(node),
            });
            return;
        }
        let before = into.len();
        for inner in self.elements(node) {
            if self.element(inner) == Some(Element::Url) {
                let id = self.attribute_text(inner, "id").or_else(|| id.clone());
                let text = self.text(inner);
                if !text.is_empty() {
                    self.warn(
                        inner,
                        WarningCode::LegacyUrl,
                        format!("\"URL\" inside \"{name}\"; its content is used as the URL"),
                    );
                    self.warn_about_url(inner, name, &text);
                    into.push(Url {
                        text: text.into(),
                        id,
                        at: self.place(inner),
                    });
                }
            }
        }
        if into.len() == before {
            self.warn(
                node,
                WarningCode::AddressEmpty,
                format!("\"{name}\" contains no URL; nothing is requested"),
            );
        }
    }

    /// Returns the first URL inside an element.
    pub(crate) fn url(&mut self, node: NodeId) -> Option<Url> {
        let mut urls = Vec::new();
        self.urls(node, &mut urls);
        urls.into_iter().next()
    }

    /// Warns if a URL is invalid or has white space around it. `name`: the element that contains
    /// it.
    pub(crate) fn warn_about_url(&mut self, node: NodeId, name: &str, address: &str) {
        self.warn_of_blanks(node, name);
        if let Some(fault) = address::fault(address) {
            let text = format!(
                "\"{}\" of \"{name}\" is not a valid URL: {fault}; used as written",
                clip(address)
            );
            self.warn(node, WarningCode::AddressInvalid, text);
        }
    }

    /// Warns if the piece of text that contains a URL has white space around it.
    fn warn_of_blanks(&mut self, node: NodeId, name: &str) {
        let tree = self.tree;
        let pieces = tree
            .inside(node)
            .map(|inner| tree.node(inner))
            .filter(|it| it.kind != Kind::Element);
        for piece in pieces {
            let address = trim(piece.text);
            if !address.is_empty() && address.len() != piece.text.len() {
                let text = format!(
                    "white space around \"{}\" of \"{name}\"; removed",
                    clip(address)
                );
                self.warn(node, WarningCode::AddressBlanks, text);
                return;
            }
        }
    }

    fn filled(&mut self, text: &'t str, at: ByteOffset) -> Cow<'t, str> {
        let (filled, kept) = entity::fill(text);
        if let Some(kept) = kept {
            self.warn_of_kept(kept, text, at);
        }
        filled
    }

    /// Warns of an entity in a piece of text or a value that is kept as written or ignored.
    pub(super) fn warn_of_entities(&mut self, text: &str, at: ByteOffset) {
        if let Some(kept) = entity::fill(text).1 {
            self.warn_of_kept(kept, text, at);
        }
    }

    fn warn_of_kept(&mut self, kept: Kept<'_>, text: &str, at: ByteOffset) {
        let (code, text) = match kept {
            Kept::Bare => (
                WarningCode::BareAmpersand,
                format!(
                    "an unescaped \"&\" in \"{}\", expected \"&amp;\"; kept as written",
                    clip(text.trim())
                ),
            ),
            Kept::NoCharacter(reference) => (
                WarningCode::CharacterForbidden,
                format!("\"{reference}\" is not a character of XML; kept as written"),
            ),
            Kept::Unknown(name) if self.tree.declares(name.trim_matches(['&', ';'])) => (
                WarningCode::EntityOfDoctype,
                format!("\"{name}\" is declared in the DOCTYPE; not expanded, kept as written"),
            ),
            Kept::Unknown(name) => (
                WarningCode::UnknownEntity,
                format!("\"{name}\" is not declared; kept as written"),
            ),
        };
        self.warn_at(at, code, text);
    }
}

pub(super) fn version_text(version: u8) -> String {
    format!("{}.{}", version / 10, version % 10)
}
