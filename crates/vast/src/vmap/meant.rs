//! Whether an unreadable document was meant to be VMAP, and its error code in that case.
//!
//! Source: VMAP 1.0.1 section 2.5.

use super::super::element::Element;
use super::super::reader::Reader;
use super::super::tree::{Declared, NodeId};

/// The code of a document whose root element is one of VMAP's, but which its schema does not allow.
/// VMAP 1.0.1 section 2.5.
pub(crate) const WRONG: u16 = 1000;

/// The code of a document whose root element is one of VMAP's, but which cannot be parsed. VMAP
/// 1.0.1 section 2.5.
pub(crate) const UNPARSED: u16 = 1002;

/// Whether input that is not XML was meant to be VMAP: by the name of its first element, or its
/// prefix.
pub(crate) fn is_broken(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // Declarations, comments and the DOCTYPE may precede the root element.
    while let Some(after) = ["<?", "<!"].iter().find_map(|mark| rest.strip_prefix(mark)) {
        let end = if after.starts_with("--") { "-->" } else { ">" };
        let Some((_, next)) = after.split_once(end) else {
            return false;
        };
        rest = next.trim_start();
    }
    let Some(tag) = rest.strip_prefix('<') else {
        return false;
    };
    let name = tag
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))
        .next()
        .unwrap_or_default();
    let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
    let is_name = |known: &&str| known.eq_ignore_ascii_case(local);
    prefix.eq_ignore_ascii_case("vmap") || ["VMAP", "AdBreak", "AdSource"].iter().any(is_name)
}

/// Whether a root element other than `VMAP` belongs to VMAP: by its namespace, its prefix or its
/// name.
pub(crate) fn is_of_vmap(reader: &Reader, node: NodeId, element: Option<Element>) -> bool {
    let tree = reader.tree;
    let prefix = tree.prefix(node);
    let own = prefix.map_or(Declared::Default, Declared::Prefix);
    let namespace = tree
        .attributes(node)
        .iter()
        .find(|attribute| attribute.declares() == Some(own));
    matches!(element, Some(Element::AdBreak | Element::AdSource))
        || prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("vmap"))
        || namespace.is_some_and(|namespace| namespace.value.to_ascii_lowercase().contains("vmap"))
}
