//! The one pass that builds the tree.

use std::cell::Cell;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::super::not_xml::NotXml;
use super::{Attribute, Kind, MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, Mark, Node, Prefix, Stray, Tree};

/// So many prefixes are told apart; what uses more is no advertisement.
const MAX_PREFIXES: usize = 32;

/// A tree under way.
pub(super) struct Builder<'a, 's> {
    text: &'a str,
    tree: Tree<'a>,
    stray: &'s mut Option<Stray<'a>>,
    /// The elements not closed yet.
    open: Vec<usize>,
}

impl<'a, 's> Builder<'a, 's> {
    pub(super) fn new(text: &'a str, stray: &'s mut Option<Stray<'a>>) -> Builder<'a, 's> {
        let nodes = Vec::with_capacity(text.len() / 32 + 4);
        let attributes = Vec::with_capacity(text.len() / 64 + 4);
        let tree = Tree { text, nodes, attributes, prefixes: Vec::new(), doctype: "" };
        Builder { text, tree, stray, open: Vec::with_capacity(16) }
    }

    pub(super) fn build(mut self) -> Result<Tree<'a>, NotXml> {
        let mut reader = Reader::from_str(self.text);
        reader.config_mut().allow_dangling_amp = true;
        loop {
            let from = offset(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(NotXml::new(self.text, &error, offset(reader.error_position()))),
            };
            let to = offset(reader.buffer_position());
            match event {
                Event::Start(tag) => self.start(&tag, from, to)?,
                Event::Empty(tag) => {
                    self.start(&tag, from, to)?;
                    self.close(to);
                }
                Event::End(_) => self.close(to),
                Event::Text(_) | Event::GeneralRef(_) => self.words(from, to)?,
                Event::CData(_) => {
                    self.leaf(Kind::CData, &self.text[from + "<![CDATA[".len()..to - "]]>".len()], from, to)?;
                }
                Event::DocType(_) => self.tree.doctype = &self.text[from..to],
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof => break,
            }
        }
        self.finish()
    }

    fn start(&mut self, tag: &BytesStart, from: usize, to: usize) -> Result<(), NotXml> {
        let name = &self.text[from + 1..from + 1 + tag.name().0.len()];
        let refuse = |text: String| Err(NotXml { text, at: from });
        if name.is_empty() {
            return refuse(String::from("a bare \"<\"; in a text it is written \"&lt;\""));
        }
        let shown = super::super::clip(name);
        if self.open.is_empty() && !self.tree.nodes.is_empty() {
            return refuse(format!(
                "found \"<{shown}>\" after the root element; due was the end of the text"
            ));
        }
        if self.open.len() == MAX_DEPTH {
            return refuse(format!("\"<{shown}>\" stands deeper than {MAX_DEPTH} elements, the limit"));
        }
        let (prefix, local) = match name.rsplit_once(':') {
            Some((prefix, local)) => {
                let row = self.prefix(prefix);
                self.tree.prefixes[row].used_at.get_or_insert(from);
                (u8::try_from(row).ok(), local)
            }
            None => (None, name),
        };
        self.room(from)?;
        let first = self.tree.attributes.len();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| NotXml::of_attribute(&shown, &error, from))?;
            // Both are parts of `text`: the event borrows from it.
            let at = part_at(self.text, attribute.key.0);
            let value_at = part_at(self.text, &attribute.value);
            let name = &self.text[at..at + attribute.key.0.len()];
            let value = &self.text[value_at..value_at + attribute.value.len()];
            match name.split_once(':') {
                Some(("xmlns", prefix)) => {
                    let row = self.prefix(prefix);
                    self.tree.prefixes[row].is_declared = true;
                }
                Some((prefix, _)) => {
                    let row = self.prefix(prefix);
                    self.tree.prefixes[row].used_at.get_or_insert(at);
                }
                None => {}
            }
            self.room(from)?;
            if self.tree.attributes.len() - first == MAX_ATTRIBUTES {
                return refuse(format!("\"<{shown}>\" has more than {MAX_ATTRIBUTES} attributes, the limit"));
            }
            self.tree.attributes.push(Attribute { name, value, at: short(at), is_read: Cell::new(false) });
        }
        self.open.push(self.tree.nodes.len());
        let attributes = (short(first), short(self.tree.attributes.len()));
        self.tree.nodes.push(Node {
            kind: Kind::Element,
            text: local,
            at: short(from),
            to: short(to),
            end: 0,
            attributes,
            prefix,
            mark: Cell::new(Mark::Unread),
        });
        Ok(())
    }

    /// Refuses what would be one node or attribute too many.
    fn room(&self, at: usize) -> Result<(), NotXml> {
        if self.tree.nodes.len() + self.tree.attributes.len() < MAX_NODES {
            return Ok(());
        }
        let text = format!("more than {MAX_NODES} elements, texts and attributes, the limit");
        Err(NotXml { text, at })
    }

    /// The row of a prefix; behind the limit all share the last row.
    fn prefix(&mut self, name: &'a str) -> usize {
        let prefixes = &mut self.tree.prefixes;
        match prefixes.iter().position(|prefix| prefix.name == name) {
            Some(row) => row,
            None if prefixes.len() == MAX_PREFIXES => MAX_PREFIXES - 1,
            None => {
                // XML itself declares this one.
                prefixes.push(Prefix { name, used_at: None, is_declared: name == "xml" });
                prefixes.len() - 1
            }
        }
    }

    fn close(&mut self, to: usize) {
        let end = self.tree.nodes.len();
        if let Some(node) = self.open.pop() {
            self.tree.nodes[node].end = short(end);
            self.tree.nodes[node].to = short(to);
        }
    }

    /// Text or an entity; the pieces of one run, which the reader gives apart, become one node.
    fn words(&mut self, from: usize, to: usize) -> Result<(), NotXml> {
        let text = &self.text[from..to];
        if let Some(last) = self.tree.nodes.last_mut()
            && last.kind == Kind::Text
            && last.to as usize == from
        {
            last.text = &self.text[last.at as usize..to];
            last.to = short(to);
            return Ok(());
        }
        // What is blank before an entity belongs to its run.
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        if blank && self.text.as_bytes().get(to) != Some(&b'&') {
            return Ok(());
        }
        self.leaf(Kind::Text, text, from, to)
    }

    fn leaf(&mut self, kind: Kind, text: &'a str, from: usize, to: usize) -> Result<(), NotXml> {
        if self.open.is_empty() {
            let at = from + (text.len() - text.trim_start().len());
            self.stray.get_or_insert(Stray { text: text.trim(), at });
            return Ok(());
        }
        self.room(from)?;
        self.tree.nodes.push(Node {
            kind,
            text,
            at: short(from),
            to: short(to),
            end: short(self.tree.nodes.len() + 1),
            attributes: (0, 0),
            prefix: None,
            mark: Cell::new(Mark::Unread),
        });
        Ok(())
    }

    fn finish(self) -> Result<Tree<'a>, NotXml> {
        if let Some(open) = self.open.last() {
            let node = &self.tree.nodes[*open];
            let text = format!("\"<{}>\" is opened here and never closed", super::super::clip(node.text));
            return Err(NotXml { text, at: node.at() });
        }
        if self.tree.nodes.is_empty() {
            let found = match self.stray.take() {
                Some(stray) => format!("found \"{}\"", super::super::clip(stray.text)),
                None => String::from("the text is empty"),
            };
            return Err(NotXml { text: format!("{found}; due was an element such as \"<VAST>\""), at: 0 });
        }
        Ok(self.tree)
    }
}

/// Where `part`, a slice of `text`, starts in it.
fn part_at(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// A count or an offset in a text that is shorter than 4 GiB.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
