//! An XML text as a flat tree with byte ranges.
//!
//! One pass over quick-xml's events. Namespaces are not looked at: a name is what stands after its prefix,
//! declared or not. What is no XML at all ends the reading with the place and the reason; blanks and words
//! outside of the root element are tolerated. Texts stay as written: entities are [`entity`]'s work.
//!
//! Nodes stand in document order, an element before what it holds, so a subtree is a range of nodes.
//!
//! [`entity`]: super::entity

use std::cell::Cell;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::not_xml::NotXml;

/// A document whose elements stand deeper inside one another is no XML.
pub const MAX_DEPTH: usize = 256;

/// A document of more elements, texts and attributes, all together, is not looked into.
pub const MAX_NODES: usize = 1_000_000;

/// A document with an element of more attributes is not looked into.
pub const MAX_ATTRIBUTES: usize = 256;

/// So many prefixes are told apart; what uses more is no advertisement.
const MAX_PREFIXES: usize = 32;

/// A text that is well-formed enough, as nodes.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    prefixes: Vec<Prefix<'a>>,
}

/// A prefix of names, such as `xsi`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prefix<'a> {
    pub(crate) name: &'a str,
    /// Where it is used first, if it is.
    pub(crate) used_at: Option<usize>,
    /// Whether an `xmlns:` attribute somewhere in the document declares it.
    pub(crate) is_declared: bool,
}

/// Words outside of the root element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stray<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// An element or a piece of text.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: Kind,
    /// An element's name without its prefix; a text's text.
    pub(crate) text: &'a str,
    /// Its first byte.
    at: u32,
    /// The byte after its last.
    to: u32,
    /// The node after its last descendant.
    end: u32,
    attributes: (u32, u32),
    /// The row of its prefix.
    prefix: Option<u8>,
    mark: Cell<Mark>,
}

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// Nothing looked at it.
    Unread,
    /// It was looked at; each thing inside has a mark of its own.
    Read,
    /// It was dealt with together with all that is inside.
    Whole,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Element,
    /// Text in which `&` starts an entity.
    Text,
    /// Text of a CDATA section.
    CData,
}

/// An attribute as written.
#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    /// Its name with its prefix.
    pub(crate) name: &'a str,
    /// Its text, entities not filled.
    pub(crate) value: &'a str,
    /// The first byte of its name.
    at: u32,
    /// Whether something looked at it.
    pub(crate) is_read: Cell<bool>,
}

impl Node<'_> {
    /// Its first byte.
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }

    /// What became of it.
    pub(crate) fn marked(&self) -> Mark {
        self.mark.get()
    }

    /// Marks it; a mark is never taken back.
    pub(crate) fn mark(&self, mark: Mark) {
        self.mark.set(self.mark.get().max(mark));
    }
}

impl Attribute<'_> {
    /// The first byte of its name.
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }
}

impl<'a> Tree<'a> {
    /// Reads a text without a byte-order mark, shorter than 4 GiB. The first words outside of the root
    /// element, which are passed over, go to `stray`, whether or not the rest is XML.
    pub(crate) fn read(text: &'a str, stray: &mut Option<Stray<'a>>) -> Result<Tree<'a>, NotXml> {
        Builder::new(text, stray).build()
    }

    /// The root element.
    pub(crate) fn root(&self) -> usize {
        0
    }

    /// A node by its number.
    pub(crate) fn node(&self, node: usize) -> &Node<'a> {
        &self.nodes[node]
    }

    /// The numbers of what stands directly inside a node.
    pub(crate) fn inside(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.end(node);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let this = (next < end).then_some(next)?;
            next = self.end(this);
            Some(this)
        })
    }

    /// The node after the last one inside a node.
    pub(crate) fn end(&self, node: usize) -> usize {
        self.nodes[node].end as usize
    }

    /// A node as it stands in the text.
    pub(crate) fn source(&self, node: usize) -> &'a str {
        let node = &self.nodes[node];
        &self.text[node.at as usize..node.to as usize]
    }

    /// What stands between the tags of an element; empty if nothing does.
    pub(crate) fn source_inside(&self, node: usize) -> &'a str {
        let mut inside = self.inside(node);
        let Some(first) = inside.next() else { return "" };
        let last = inside.last().unwrap_or(first);
        &self.text[self.nodes[first].at as usize..self.nodes[last].to as usize]
    }

    /// The elements directly inside a node.
    pub(crate) fn elements(&self, node: usize) -> impl Iterator<Item = usize> {
        self.inside(node).filter(|inner| self.nodes[*inner].kind == Kind::Element)
    }

    /// The prefixes of element and attribute names in the order in which they appear.
    pub(crate) fn prefixes(&self) -> &[Prefix<'a>] {
        &self.prefixes
    }

    /// The prefix of an element's name; what uses too many prefixes may get another one.
    pub(crate) fn prefix(&self, node: usize) -> Option<&'a str> {
        self.nodes[node].prefix.map(|row| self.prefixes[usize::from(row)].name)
    }

    /// The attributes of an element in document order.
    pub(crate) fn attributes(&self, node: usize) -> &[Attribute<'a>] {
        let (from, to) = self.nodes[node].attributes;
        &self.attributes[from as usize..to as usize]
    }
}

struct Builder<'a, 's> {
    text: &'a str,
    tree: Tree<'a>,
    stray: &'s mut Option<Stray<'a>>,
    /// The elements not closed yet.
    open: Vec<usize>,
}

impl<'a, 's> Builder<'a, 's> {
    fn new(text: &'a str, stray: &'s mut Option<Stray<'a>>) -> Builder<'a, 's> {
        let nodes = Vec::with_capacity(text.len() / 32 + 4);
        let attributes = Vec::with_capacity(text.len() / 64 + 4);
        let tree = Tree { text, nodes, attributes, prefixes: Vec::new() };
        Builder { text, tree, stray, open: Vec::with_capacity(16) }
    }

    fn build(mut self) -> Result<Tree<'a>, NotXml> {
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
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
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
        let shown = super::clip(name);
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
            let text = format!("\"<{}>\" is opened here and never closed", super::clip(node.text));
            return Err(NotXml { text, at: node.at() });
        }
        if self.tree.nodes.is_empty() {
            let found = match self.stray.take() {
                Some(stray) => format!("found \"{}\"", super::clip(stray.text)),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, usize) {
        let fault = Tree::read(text, &mut None).expect_err("this text is no XML");
        (fault.text, fault.at)
    }

    #[test]
    fn a_run_of_text_and_entities_is_one_node() {
        let tree = Tree::read("<a> x&amp;y&z &nbsp;<b/> <![CDATA[1]]]></a>", &mut None).expect("it is XML");
        let texts: Vec<_> = tree.inside(0).map(|node| tree.node(node).text).collect();
        assert_eq!(texts, [" x&amp;y&z &nbsp;", "b", "1]"]);
    }

    #[test]
    fn what_is_no_xml_is_named_with_its_place() {
        assert_eq!(fault(""), (String::from("the text is empty; due was an element such as \"<VAST>\""), 0));
        assert_eq!(fault("<a><b></a>"), (String::from("found \"</a>\"; due was \"</b>\""), 6));
        assert_eq!(fault("<a><b/>"), (String::from("\"<a>\" is opened here and never closed"), 0));
        assert_eq!(fault("<a/><b/>").1, 4);
        assert_eq!(fault("<a>1 < 2</a>").1, 5);
        assert_eq!(fault("<a b=c/>").1, 5);
        assert_eq!(fault("<a b=\"c></a>").1, 0);
        assert_eq!(fault("<a><![CDATA[x</a>").1, 3);
        assert_eq!(fault("</a>").1, 0);
    }

    #[test]
    fn attributes_keep_their_place_and_the_first_of_two_comes_first() {
        let tree = Tree::read("<x:a one='1' \u{e9}=\"2\" one=\"3\"/>", &mut None).expect("it is XML");
        let found: Vec<_> = tree.attributes(0).iter().map(|it| (it.name, it.value, it.at())).collect();
        assert_eq!(found, [("one", "1", 5), ("\u{e9}", "2", 13), ("one", "3", 20)]);
        assert_eq!(tree.node(0).text, "a");
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |depth| "<a>".repeat(depth) + &"</a>".repeat(depth);
        assert!(Tree::read(&deep(MAX_DEPTH), &mut None).is_ok());
        assert!(Tree::read(&deep(MAX_DEPTH + 1), &mut None).is_err());
    }
}
