//! The documents that are changed.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A document, and where its parts are if a strict parser reads it.
#[derive(Debug)]
pub(crate) struct Seed {
    /// Its path, relative to its folder.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Its elements without the root, in document order.
    pub(crate) elements: Vec<Element>,
    /// Its attributes: the range of the whole, and that of the value.
    pub(crate) attributes: Vec<(Range<usize>, Range<usize>)>,
}

/// The position of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) range: Range<usize>,
    /// The range between its tags; `None` for an empty element.
    pub(crate) inner: Option<Range<usize>>,
    /// The index of its parent; `None`: the root.
    pub(crate) parent: Option<usize>,
}

/// All documents, by name.
pub(crate) fn all() -> Vec<Seed> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = match std::env::var_os("PLAYSIM_CORPUS").map(PathBuf::from) {
        Some(folder) => vec![folder],
        None => {
            println!("PLAYSIM_CORPUS names no folder: the documents of fixtures are changed");
            vec![fixtures.join("vast"), fixtures.join("scenarios")]
        }
    };
    let mut files = Vec::new();
    for folder in &folders {
        collect(folder, folder, &mut files);
    }
    files.sort();
    let seeds: Vec<Seed> = files
        .into_iter()
        .map(|(name, path)| seed(name, &path))
        .collect();
    assert!(seeds.len() > 50, "there are only {} documents", seeds.len());
    seeds
}

fn collect(root: &Path, folder: &Path, into: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(root, &path, into);
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            let name = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .display()
                .to_string();
            into.push((name, path));
        }
    }
}

fn seed(name: String, path: &Path) -> Seed {
    let bytes = std::fs::read(path).expect("a listed file can be read");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (elements, attributes) = parts(&text);
    Seed {
        name,
        text,
        elements,
        attributes,
    }
}

type Attributes = Vec<(Range<usize>, Range<usize>)>;

/// Returns elements and attributes; none if a strict parser refuses the document.
fn parts(text: &str) -> (Vec<Element>, Attributes) {
    let Some(document) = strict(text) else {
        return (Vec::new(), Vec::new());
    };
    let root = document.root_element();
    let nodes: Vec<_> = root
        .descendants()
        .filter(|node| node.is_element() && *node != root)
        .collect();
    let element = |node: &roxmltree::Node<'_, '_>| {
        let first = node.first_child().map(|child| child.range().start);
        let last = node.last_child().map(|child| child.range().end);
        let parent = node
            .parent()
            .and_then(|parent| nodes.iter().position(|other| *other == parent));
        Element {
            range: node.range(),
            inner: first.zip(last).map(|(first, last)| first..last),
            parent,
        }
    };
    let attributes = document
        .descendants()
        .flat_map(|node| node.attributes().collect::<Vec<_>>());
    let attributes = attributes
        .map(|attribute| (attribute.range(), attribute.range_value()))
        .collect();
    (nodes.iter().map(element).collect(), attributes)
}

/// Parses a document strictly; `None`: it is refused.
pub(crate) fn strict(text: &str) -> Option<roxmltree::Document<'_>> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options).ok()
}
