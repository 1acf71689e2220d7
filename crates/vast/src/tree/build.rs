//! Builds the tree in one pass.

use std::cell::Cell;

use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::super::defects::{BYTE_ORDER_MARK, Defect, Defects, Stray, is_name};
use super::super::element::Element;
use super::super::not_xml::NotXml;
use super::{
    Attribute, Kind, MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, Mark, Node, NodeId, Prefix, Tree,
};

/// The number of prefixes that are distinguished; no ad document uses more.
const MAX_PREFIXES: usize = 32;

/// A tree that is being built.
pub(super) struct Builder<'a, 's> {
    text: &'a str,
    tree: Tree<'a>,
    defects: &'s mut Defects<'a>,
    /// The elements not closed yet.
    open: Vec<NodeId>,
}

impl<'a, 's> Builder<'a, 's> {
    pub(super) fn new(text: &'a str, defects: &'s mut Defects<'a>) -> Builder<'a, 's> {
        let nodes = Vec::with_capacity(text.len() / 32 + 4);
        let attributes = Vec::with_capacity(text.len() / 32 + 4);
        let tree = Tree {
            text,
            nodes,
            attributes,
            prefixes: Vec::new(),
            doctype: "",
        };
        Builder {
            text,
            tree,
            defects,
            open: Vec::with_capacity(16),
        }
    }

    pub(super) fn build(mut self) -> Result<Tree<'a>, NotXml> {
        // quick-xml skips a byte-order mark without counting it: marks are cut off here, and its
        // offsets are relative to the rest.
        let marks = self.text.len() - self.text.trim_start_matches(BYTE_ORDER_MARK).len();
        if marks > 0 {
            self.words(0, marks)?;
        }
        self.defects.add_characters(self.text);
        let mut reader = Reader::from_str(&self.text[marks..]);
        reader.config_mut().allow_dangling_amp = true;
        reader.config_mut().trim_text_start = true;
        let offset = |position: u64| marks + usize::try_from(position).unwrap_or(self.text.len());
        loop {
            let from = offset(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    return Err(NotXml::new(
                        self.text,
                        &error,
                        offset(reader.error_position()).into(),
                    ));
                }
            };
            let to = offset(reader.buffer_position());
            // White space between tags is no event of its own; it counts as the beginning of what
            // follows. Within a run of text and entities it must be kept.
            let is_run = matches!(event, Event::Text(_) | Event::GeneralRef(_));
            reader.config_mut().trim_text_start = !is_run;
            match event {
                Event::Start(tag) => self.start(&tag, to)?,
                Event::Empty(tag) => {
                    self.start(&tag, to)?;
                    self.close(to);
                }
                Event::End(_) => self.close(to),
                Event::Text(_) | Event::GeneralRef(_) => self.words(from, to)?,
                Event::CData(section) => {
                    let inside = part_at(self.text, &section);
                    let text = &self.text[inside..inside + section.len()];
                    self.leaf(Kind::CData, text, inside - "<![CDATA[".len(), to)?;
                }
                Event::DocType(_) => self.doctype(from, to),
                Event::Comment(comment) => self.comment(part_at(self.text, &comment), &comment),
                Event::Decl(inside) => self.declaration(part_at(self.text, &inside) - 2, &inside),
                Event::PI(inside) => {
                    let name = inside.target();
                    if !is_name(name) || name.eq_ignore_ascii_case("xml") {
                        let at = part_at(self.text, name);
                        self.defects.add(Defect::InstructionName, at);
                    }
                }
                Event::Eof => break,
            }
        }
        self.finish()
    }

    /// Keeps a `DOCTYPE`. There is at most one, before the root element. XML 1.0 section 2.8.
    fn doctype(&mut self, from: usize, to: usize) {
        let written = &self.text[from..to];
        let is_only = self.tree.doctype.is_empty() && self.tree.nodes.is_empty();
        if !is_only || !written.trim_start().starts_with("<!DOCTYPE") {
            let at = from + (written.len() - written.trim_start().len());
            self.defects.add(Defect::DoctypeMisplaced, at);
        }
        self.tree.doctype = written;
    }

    /// A comment has no two hyphens in a row, and none at its end. XML 1.0 section 2.5.
    fn comment(&mut self, at: usize, inside: &str) {
        let hyphens = inside.find("--");
        let last = || inside.ends_with('-').then(|| inside.len() - 1);
        if let Some(hyphens) = hyphens.or_else(last) {
            self.defects.add(Defect::CommentHyphens, at + hyphens);
        }
    }

    /// The XML declaration is at the start. XML 1.0 section 2.8.
    fn declaration(&mut self, at: usize, inside: &str) {
        if at > 0 {
            self.defects.add(Defect::DeclarationLate, at);
        }
        if !is_declaration(inside) {
            self.defects.add(Defect::DeclarationForm, at);
        }
    }

    fn start(&mut self, tag: &BytesStart, to: usize) -> Result<(), NotXml> {
        // The name is a slice of `text`, right after the "<".
        let name_at = part_at(self.text, tag.name().0);
        let (from, name) = (
            name_at - 1,
            &self.text[name_at..name_at + tag.name().0.len()],
        );
        let refuse = |text: String| {
            Err(NotXml {
                text,
                at: from.into(),
            })
        };
        if name.is_empty() {
            return refuse(String::from(
                "an unescaped \"<\"; in text it is written \"&lt;\"",
            ));
        }
        let shown = || super::super::clip(name);
        if self.open.is_empty() && !self.tree.nodes.is_empty() {
            let text = format!(
                "found \"<{}>\" after the root element; expected the end of the document",
                shown()
            );
            return refuse(text);
        }
        if self.open.len() == MAX_DEPTH {
            let text = format!(
                "\"<{}>\" is nested deeper than {MAX_DEPTH} elements, the limit",
                shown()
            );
            return refuse(text);
        }
        // One search shows that most tags have no prefix, no entity and no "<" at all.
        let is_plain = memchr::memchr3(b':', b'&', b'<', tag.as_bytes()).is_none();
        let colon = if is_plain {
            None
        } else {
            name.bytes().rposition(is_colon)
        };
        let (prefix, local) = match colon {
            Some(colon) => {
                let (prefix, local) = (&name[..colon], &name[colon + 1..]);
                let row = self.prefix(prefix);
                self.tree.prefixes[row].used_at.get_or_insert(from.into());
                (u8::try_from(row).ok(), local)
            }
            None => (None, name),
        };
        self.room(from)?;
        let first = self.tree.attributes.len();
        for attribute in tag.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|error| NotXml::of_attribute(&shown(), &error, from.into()))?;
            // Both are slices of `text`: the event borrows from it.
            let at = part_at(self.text, attribute.key.0);
            let value_at = part_at(self.text, &attribute.value);
            let name = &self.text[at..at + attribute.key.0.len()];
            let value = &self.text[value_at..value_at + attribute.value.len()];
            if !self.text.as_bytes()[at - 1].is_ascii_whitespace() {
                self.defects.add(Defect::AttributesJoined, at);
            }
            let colon = if is_plain {
                None
            } else {
                name.bytes().position(is_colon)
            };
            match colon.map(|colon| (&name[..colon], &name[colon + 1..])) {
                Some(("xmlns", prefix)) => {
                    let row = self.prefix(prefix);
                    self.tree.prefixes[row].is_declared = true;
                }
                Some((prefix, _)) => {
                    let row = self.prefix(prefix);
                    self.tree.prefixes[row].used_at.get_or_insert(at.into());
                }
                None => {}
            }
            self.room(from)?;
            if self.tree.attributes.len() - first == MAX_ATTRIBUTES {
                let text = format!(
                    "\"<{}>\" has more than {MAX_ATTRIBUTES} attributes, the limit",
                    shown()
                );
                return refuse(text);
            }
            let is_read = Cell::new(false);
            self.tree.attributes.push(Attribute {
                name,
                value,
                is_plain,
                at: at.into(),
                is_read,
            });
        }
        self.open.push(self.next_node());
        let attributes = (short(first), short(self.tree.attributes.len()));
        self.tree.nodes.push(Node {
            kind: Kind::Element,
            text: local,
            element: Element::of(local),
            at: from.into(),
            to: to.into(),
            end: NodeId(0),
            attributes,
            prefix,
            mark: Cell::new(Mark::Unread),
        });
        Ok(())
    }

    /// Fails if one more node or attribute would exceed the limit.
    fn room(&self, at: usize) -> Result<(), NotXml> {
        if self.tree.nodes.len() + self.tree.attributes.len() < MAX_NODES {
            return Ok(());
        }
        let text =
            format!("more than {MAX_NODES} elements, pieces of text and attributes, the limit");
        Err(NotXml {
            text,
            at: at.into(),
        })
    }

    /// The node that is added next.
    fn next_node(&self) -> NodeId {
        NodeId(short(self.tree.nodes.len()))
    }

    /// Returns the row of a prefix; beyond the limit all share the last row.
    fn prefix(&mut self, name: &'a str) -> usize {
        let prefixes = &mut self.tree.prefixes;
        match prefixes.iter().position(|prefix| prefix.name == name) {
            Some(row) => row,
            None if prefixes.len() == MAX_PREFIXES => MAX_PREFIXES - 1,
            None => {
                // Declared by XML itself.
                prefixes.push(Prefix {
                    name,
                    used_at: None,
                    is_declared: name == "xml",
                });
                prefixes.len() - 1
            }
        }
    }

    fn close(&mut self, to: usize) {
        let end = self.next_node();
        if let Some(NodeId(node)) = self.open.pop() {
            let node = &mut self.tree.nodes[node as usize];
            (node.end, node.to) = (end, to.into());
        }
    }

    /// Adds text or an entity. quick-xml reports the pieces of one run separately; they become one
    /// node.
    fn words(&mut self, from: usize, to: usize) -> Result<(), NotXml> {
        let text = &self.text[from..to];
        if let Some(end) = section_end(text) {
            self.defects.add(Defect::SectionEnd, from + end);
        }
        if let Some(last) = self.tree.nodes.last_mut()
            && last.kind == Kind::Text
            && last.to == from.into()
        {
            last.text = &self.text[last.at.index()..to];
            last.to = to.into();
            return Ok(());
        }
        // White space before an entity belongs to its run.
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        if blank && self.text.as_bytes().get(to) != Some(&b'&') {
            return Ok(());
        }
        self.leaf(Kind::Text, text, from, to)
    }

    fn leaf(&mut self, kind: Kind, text: &'a str, from: usize, to: usize) -> Result<(), NotXml> {
        if self.open.is_empty() {
            let at = from + (text.len() - text.trim_start().len());
            self.defects.stray.get_or_insert(Stray {
                text: text.trim(),
                at: at.into(),
            });
            return Ok(());
        }
        self.room(from)?;
        self.tree.nodes.push(Node {
            kind,
            text,
            element: None,
            at: from.into(),
            to: to.into(),
            end: self.next_node().next(),
            attributes: (0, 0),
            prefix: None,
            mark: Cell::new(Mark::Unread),
        });
        Ok(())
    }

    fn finish(self) -> Result<Tree<'a>, NotXml> {
        if let Some(open) = self.open.last() {
            let node = self.tree.node(*open);
            let text = format!(
                "\"<{}>\" is opened here but never closed",
                super::super::clip(node.text)
            );
            return Err(NotXml { text, at: node.at });
        }
        if self.tree.nodes.is_empty() {
            let found = match self.defects.stray.take() {
                Some(stray) => format!("found {}", stray.shown()),
                None => String::from("the document is empty"),
            };
            let text = format!("{found}; expected an element such as \"<VAST>\"");
            return Err(NotXml { text, at: 0.into() });
        }
        Ok(self.tree)
    }
}

/// Finds `]]>`, which text must not contain. XML 1.0 section 2.4.
fn section_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'>', bytes).find_map(|at| {
        let start = at.checked_sub(2)?;
        (bytes[start..at] == *b"]]").then_some(start)
    })
}

/// Whether this is what an XML declaration has between `<?` and `?>`. XML 1.0 section 2.8.
fn is_declaration(inside: &str) -> bool {
    let mut due = ["version", "encoding", "standalone"].iter();
    let mut has_version = false;
    for attribute in Attributes::new(inside, "xml".len()) {
        let Ok(attribute) = attribute else {
            return false;
        };
        let (name, value) = (attribute.key.0, &*attribute.value);
        let at = part_at(inside, name);
        let is_sound = match name {
            "version" => value.starts_with("1."),
            "standalone" => matches!(value, "yes" | "no"),
            _ => value.starts_with(|c: char| c.is_ascii_alphabetic()),
        };
        has_version |= name == "version";
        let is_spaced = inside.as_bytes()[at - 1].is_ascii_whitespace();
        if !is_sound || !is_spaced || !has_version || !due.any(|known| *known == name) {
            return false;
        }
    }
    has_version
}

/// Names are short: looking at each byte is quicker than a search that is made for long texts.
fn is_colon(byte: u8) -> bool {
    byte == b':'
}

/// Returns the byte offset of `part`, a slice of `text`, in it.
fn part_at(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Converts a count of things in a document shorter than 4 GiB.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
