//! XML as a flat tree with byte ranges.
//!
//! Built in one pass over quick-xml's events. Namespaces are ignored: a name is the part after the
//! prefix, declared or not. Input that is not XML is rejected with the place and the reason; white
//! space and words outside the root element are tolerated. Text stays as written: entities are
//! expanded by [`entity`].
//!
//! Nodes are in document order, an element before its content, so a subtree is a range of nodes.
//!
//! [`entity`]: super::entity

mod build;

use std::cell::Cell;

use super::defects::Defects;
use super::element::Element;
use super::not_xml::NotXml;
use super::places::ByteOffset;

/// A document with deeper nesting of elements is rejected as not XML.
pub const MAX_DEPTH: usize = 256;

/// A document with more elements, pieces of text and attributes in total is not read.
pub const MAX_NODES: usize = 1_000_000;

/// A document with an element that has more attributes is not read.
pub const MAX_ATTRIBUTES: usize = 256;

/// A document that is well-formed enough, as nodes.
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
    /// The byte offset of its first use, if it is used.
    pub(crate) used_at: Option<ByteOffset>,
    /// Whether an `xmlns:` attribute somewhere in the document declares it.
    pub(crate) is_declared: bool,
}

/// The index of a node in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The next node in document order.
    pub(crate) fn next(self) -> NodeId {
        NodeId(self.0 + 1)
    }
}

/// An element or a piece of text.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: Kind,
    /// The name of an element without its prefix; the text of other nodes.
    pub(crate) text: &'a str,
    /// Which element it is, if it is a known one.
    pub(crate) element: Option<Element>,
    /// Its first byte.
    pub(crate) at: ByteOffset,
    /// The byte after its last.
    to: ByteOffset,
    /// The node after its last descendant.
    end: NodeId,
    attributes: (u32, u32),
    /// The row of its prefix.
    prefix: Option<u8>,
    mark: Cell<Mark>,
}

/// How far a node has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// It has not been looked at.
    Unread,
    /// It has been looked at; everything inside has its own mark.
    Read,
    /// It is kept as written, or a warning says that it is ignored, with everything inside.
    Whole,
    /// Everything inside has been warned of.
    Swept,
}

/// The kind of a node.
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
    /// Its value, entities not expanded.
    pub(crate) value: &'a str,
    /// Whether its tag has no `&`, `:` or `<`: its value is as written.
    pub(crate) is_plain: bool,
    /// The first byte of its name.
    pub(crate) at: ByteOffset,
    /// Whether it has been looked at.
    pub(crate) is_read: Cell<bool>,
}

/// A namespace that an attribute declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declared<'a> {
    /// That of names without a prefix.
    Default,
    /// That of names with this prefix.
    Prefix(&'a str),
}

impl<'a> Attribute<'a> {
    /// Returns the namespace that it declares, if it is a declaration.
    pub(crate) fn declares(&self) -> Option<Declared<'a>> {
        match self.name.strip_prefix("xmlns")? {
            "" => Some(Declared::Default),
            rest => rest.strip_prefix(':').map(Declared::Prefix),
        }
    }
}

impl Node<'_> {
    /// Returns how far it has been read.
    pub(crate) fn marked(&self) -> Mark {
        self.mark.get()
    }

    /// Marks it. A mark is never lowered.
    pub(crate) fn mark(&self, mark: Mark) {
        self.mark.set(self.mark.get().max(mark));
    }
}

impl<'a> Tree<'a> {
    /// Reads XML shorter than 4 GiB. What no XML parser would accept is added to `defects`, whether
    /// or not the rest can be read: also words outside the root element, which are ignored, and a
    /// byte-order mark, of which the caller has removed one at the start.
    pub(crate) fn read(text: &'a str, defects: &mut Defects<'a>) -> Result<Tree<'a>, NotXml> {
        build::Builder::new(text, defects).build()
    }

    /// Returns the root element.
    pub(crate) fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns a node by its index.
    pub(crate) fn node(&self, node: NodeId) -> &Node<'a> {
        &self.nodes[node.0 as usize]
    }

    /// Returns the indices of the direct children of a node.
    pub(crate) fn inside(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.end(node);
        let mut next = node.next();
        std::iter::from_fn(move || {
            let this = (next < end).then_some(next)?;
            next = self.end(this);
            Some(this)
        })
    }

    /// Returns the index after the last node inside a node.
    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        self.node(node).end
    }

    /// Returns the source of a node.
    pub(crate) fn source(&self, node: NodeId) -> &'a str {
        let node = self.node(node);
        &self.text[node.at.index()..node.to.index()]
    }

    /// Returns the source between the tags of an element; empty if there is none.
    pub(crate) fn source_inside(&self, node: NodeId) -> &'a str {
        let mut inside = self.inside(node);
        let Some(first) = inside.next() else {
            return "";
        };
        let last = inside.last().unwrap_or(first);
        &self.text[self.node(first).at.index()..self.node(last).to.index()]
    }

    /// Returns the child elements of a node.
    pub(crate) fn elements(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.inside(node)
            .filter(|inner| self.node(*inner).kind == Kind::Element)
    }

    /// Returns the prefixes of element and attribute names in order of appearance.
    pub(crate) fn prefixes(&self) -> &[Prefix<'a>] {
        &self.prefixes
    }

    /// Returns the prefix of an element; it may be wrong in a document with too many prefixes.
    pub(crate) fn prefix(&self, node: NodeId) -> Option<&'a str> {
        self.node(node)
            .prefix
            .map(|row| self.prefixes[usize::from(row)].name)
    }

    /// Whether the `DOCTYPE` declares an entity of this name.
    pub(crate) fn declares(&self, entity: &str) -> bool {
        let mut rest = self.doctype;
        while let Some((_, after)) = rest.split_once("<!ENTITY") {
            if after.split_whitespace().next() == Some(entity) {
                return true;
            }
            rest = after;
        }
        false
    }

    /// Returns the attributes of an element in document order.
    pub(crate) fn attributes(&self, node: NodeId) -> &[Attribute<'a>] {
        let (from, to) = self.node(node).attributes;
        &self.attributes[from as usize..to as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, usize) {
        let fault = Tree::read(text, &mut Defects::default()).expect_err("this is not XML");
        (fault.text, fault.at.index())
    }

    #[test]
    fn a_run_of_text_and_entities_is_one_node() {
        let tree = Tree::read(
            "<a> x&amp;y&z &nbsp;<b/> <![CDATA[1]]]></a>",
            &mut Defects::default(),
        )
        .expect("it is XML");
        let texts: Vec<_> = tree
            .inside(tree.root())
            .map(|node| tree.node(node).text)
            .collect();
        assert_eq!(texts, [" x&amp;y&z &nbsp;", "b", "1]"]);
    }

    #[test]
    fn what_is_not_xml_is_reported_with_its_place() {
        assert_eq!(
            fault(""),
            (
                String::from("the document is empty; expected an element such as \"<VAST>\""),
                0
            )
        );
        assert_eq!(
            fault("<a><b></a>"),
            (String::from("found \"</a>\"; expected \"</b>\""), 6)
        );
        assert_eq!(
            fault("<a><b/>"),
            (String::from("\"<a>\" is opened here but never closed"), 0)
        );
        assert_eq!(fault("<a/><b/>").1, 4);
        assert_eq!(fault("<a>1 < 2</a>").1, 5);
        assert_eq!(fault("<a b=c/>").1, 5);
        assert_eq!(fault("<a b=\"c></a>").1, 0);
        assert_eq!(fault("<a><![CDATA[x</a>").1, 3);
        assert_eq!(fault("</a>").1, 0);
    }

    #[test]
    fn attributes_keep_their_place_and_the_first_of_two_comes_first() {
        let tree = Tree::read(
            "<x:a one='1' \u{e9}=\"2\" one=\"3\"/>",
            &mut Defects::default(),
        )
        .expect("it is XML");
        let found: Vec<_> = tree
            .attributes(tree.root())
            .iter()
            .map(|it| (it.name, it.value, it.at.index()))
            .collect();
        assert_eq!(
            found,
            [("one", "1", 5), ("\u{e9}", "2", 13), ("one", "3", 20)]
        );
        assert_eq!(tree.node(tree.root()).text, "a");
    }

    #[test]
    fn declared_entities_are_found_in_the_doctype() {
        let text = "<!DOCTYPE a [<!ENTITY lol \"lol\"><!ENTITY % b 'c'>]><a>&lol;</a>";
        let tree = Tree::read(text, &mut Defects::default()).expect("it is XML");
        assert!(tree.declares("lol"));
        assert!(!tree.declares("lo"));
        assert!(!tree.declares("b"));
        assert!(
            !Tree::read("<a>&lol;</a>", &mut Defects::default())
                .expect("it is XML")
                .declares("lol")
        );
    }

    #[test]
    fn byte_order_marks_shift_no_offset() {
        for marks in ["", "\u{feff}", "\u{feff}\u{feff}\u{feff}"] {
            let text = format!("{marks}<a b='1'>\u{feff}x</a>");
            let mut defects = Defects::default();
            let tree = Tree::read(&text, &mut defects).expect("it is XML");
            let stray = defects.stray;
            assert_eq!(tree.source(tree.root()), &text[marks.len()..]);
            assert_eq!(tree.attributes(tree.root())[0].at.index(), marks.len() + 3);
            assert_eq!(tree.node(tree.root().next()).text, "\u{feff}x");
            let reported = stray.map(|stray| (stray.at.index(), stray.shown().into_owned()));
            assert_eq!(
                reported,
                (!marks.is_empty()).then(|| (0, String::from("a byte-order mark")))
            );
            assert_eq!(fault(&format!("{marks}<a><b></a>")).1, marks.len() + 6);
        }
        let expected = "expected an element such as \"<VAST>\"";
        assert_eq!(
            fault("\u{feff}\u{feff}"),
            (format!("found a byte-order mark; {expected}"), 0)
        );
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |depth| "<a>".repeat(depth) + &"</a>".repeat(depth);
        assert!(Tree::read(&deep(MAX_DEPTH), &mut Defects::default()).is_ok());
        assert!(Tree::read(&deep(MAX_DEPTH + 1), &mut Defects::default()).is_err());
    }
}
