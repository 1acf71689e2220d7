//! An XML text as a flat tree with byte ranges.
//!
//! One pass over quick-xml's events. Namespaces are not looked at: a name is what stands after its prefix,
//! declared or not. What is no XML at all ends the reading with the place and the reason; blanks and words
//! outside of the root element are tolerated. Texts stay as written: entities are [`entity`]'s work.
//!
//! Nodes stand in document order, an element before what it holds, so a subtree is a range of nodes.
//!
//! [`entity`]: super::entity

mod build;

use std::cell::Cell;

use super::not_xml::NotXml;

/// A document whose elements stand deeper inside one another is no XML.
pub const MAX_DEPTH: usize = 256;

/// A document of more elements, texts and attributes, all together, is not looked into.
pub const MAX_NODES: usize = 1_000_000;

/// A document with an element of more attributes is not looked into.
pub const MAX_ATTRIBUTES: usize = 256;

/// A text that is well-formed enough, as nodes.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    prefixes: Vec<Prefix<'a>>,
    /// The `DOCTYPE`, as written; empty if there is none.
    doctype: &'a str,
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
        build::Builder::new(text, stray).build()
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

    /// Whether the `DOCTYPE` declares an entity of this name.
    pub(crate) fn declares(&self, entity: &str) -> bool {
        let mut rest = self.doctype;
        while let Some((_, behind)) = rest.split_once("<!ENTITY") {
            if behind.split_whitespace().next() == Some(entity) {
                return true;
            }
            rest = behind;
        }
        false
    }

    /// The attributes of an element in document order.
    pub(crate) fn attributes(&self, node: usize) -> &[Attribute<'a>] {
        let (from, to) = self.nodes[node].attributes;
        &self.attributes[from as usize..to as usize]
    }
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
    fn the_doctype_says_which_entities_it_declares() {
        let text = "<!DOCTYPE a [<!ENTITY lol \"lol\"><!ENTITY % b 'c'>]><a>&lol;</a>";
        let tree = Tree::read(text, &mut None).expect("it is XML");
        assert!(tree.declares("lol"));
        assert!(!tree.declares("lo"));
        assert!(!tree.declares("b"));
        assert!(!Tree::read("<a>&lol;</a>", &mut None).expect("it is XML").declares("lol"));
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |depth| "<a>".repeat(depth) + &"</a>".repeat(depth);
        assert!(Tree::read(&deep(MAX_DEPTH), &mut None).is_ok());
        assert!(Tree::read(&deep(MAX_DEPTH + 1), &mut None).is_err());
    }
}
