//! An XML text as a flat tree with byte ranges.
//!
//! One pass over quick-xml's events. Namespaces are not looked at: a name is what stands after its prefix,
//! declared or not. What is no XML at all ends the reading with the place and the reason; blanks and words
//! outside of the root element are tolerated. Texts stay as written: entities are [`entity`]'s work.
//!
//! Nodes stand in document order, an element before what it holds, so a subtree is a range of nodes.
//!
//! [`entity`]: super::entity

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::not_xml::NotXml;

/// Elements may stand so deep inside one another.
pub(crate) const MAX_DEPTH: usize = 256;

/// So many prefixes are told apart; what uses more is no advertisement.
const MAX_PREFIXES: usize = 32;

/// A text that is well-formed enough, as nodes.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
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
    pub(crate) at: usize,
    /// The byte after its last.
    pub(crate) to: usize,
    /// The node after its last descendant.
    end: usize,
    attributes: (usize, usize),
    /// The row of its prefix.
    prefix: Option<u8>,
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
    pub(crate) at: usize,
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
        let end = self.nodes[node].end;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let this = (next < end).then_some(next)?;
            next = self.nodes[this].end;
            Some(this)
        })
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
        &self.attributes[from..to]
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
        let tree = Tree { nodes, attributes, prefixes: Vec::new() };
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
                Event::Text(_) | Event::GeneralRef(_) => self.words(from, to),
                Event::CData(_) => {
                    self.leaf(Kind::CData, &self.text[from + "<![CDATA[".len()..to - "]]>".len()], from, to);
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
            self.tree.attributes.push(Attribute { name, value, at });
        }
        self.open.push(self.tree.nodes.len());
        let attributes = (first, self.tree.attributes.len());
        self.tree.nodes.push(Node {
            kind: Kind::Element,
            text: local,
            at: from,
            to,
            end: 0,
            attributes,
            prefix,
        });
        Ok(())
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
            self.tree.nodes[node].end = end;
            self.tree.nodes[node].to = to;
        }
    }

    /// Text or an entity; the pieces of one run, which the reader gives apart, become one node.
    fn words(&mut self, from: usize, to: usize) {
        let text = &self.text[from..to];
        if let Some(last) = self.tree.nodes.last_mut()
            && last.kind == Kind::Text
            && last.to == from
        {
            last.text = &self.text[last.at..to];
            last.to = to;
            return;
        }
        // What is blank before an entity belongs to its run.
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        if blank && self.text.as_bytes().get(to) != Some(&b'&') {
            return;
        }
        self.leaf(Kind::Text, text, from, to);
    }

    fn leaf(&mut self, kind: Kind, text: &'a str, from: usize, to: usize) {
        if self.open.is_empty() {
            let at = from + (text.len() - text.trim_start().len());
            self.stray.get_or_insert(Stray { text: text.trim(), at });
            return;
        }
        let (end, attributes) = (self.tree.nodes.len() + 1, (0, 0));
        self.tree.nodes.push(Node { kind, text, at: from, to, end, attributes, prefix: None });
    }

    fn finish(self) -> Result<Tree<'a>, NotXml> {
        if let Some(open) = self.open.last() {
            let node = &self.tree.nodes[*open];
            let text = format!("\"<{}>\" is opened here and never closed", super::clip(node.text));
            return Err(NotXml { text, at: node.at });
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
        let found: Vec<_> = tree.attributes(0).iter().map(|it| (it.name, it.value, it.at)).collect();
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
