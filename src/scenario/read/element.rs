//! A bare media element: its content attributes, and where it stands.

use std::sync::Arc;

use super::node::{Node, Object, Tree};
use super::{Reading, scalar};
use crate::element::{ElementConfig, Preload};

/// The values of `preload`.
pub(in crate::scenario) const PRELOADS: &[(&str, Preload)] =
    &[("none", Preload::None), ("metadata", Preload::Metadata), ("auto", Preload::Auto)];

/// `{ src: movie.mp4, loop: true, preload: none }`.
pub(super) fn element(node: &Node, reading: &mut Reading<'_>) -> Option<ElementConfig> {
    let mut fields = reading.keep(Object::of(node, "element", "{ src: movie.mp4, preload: none }"))?;
    let mut config = ElementConfig::default();
    if let Some(node) = fields.field("src") {
        config.source = reading.keep(scalar::text(node, "src"));
    }
    if let Some(node) = fields.field("preload") {
        config.preload = reading.keep(scalar::word(node, "preload", PRELOADS)).unwrap_or_default();
    }
    for (name, attribute) in
        [("autoplay", &mut config.autoplay), ("loop", &mut config.looping), ("muted", &mut config.muted)]
    {
        if let Some(node) = fields.field(name) {
            *attribute = reading.keep(scalar::truth(node, name)).unwrap_or_default();
        }
    }
    fields.end(reading);
    Some(config)
}

/// The place that a step takes for an element: steps may wait for what happens there.
pub(super) fn place(step: &Node) -> Option<Arc<str>> {
    let init = inside(step, "init")?;
    inside(init, "element")?;
    match &inside(init, "div")?.tree {
        Tree::Text(div) | Tree::Number(div) => Some(div.as_str().into()),
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => None,
    }
}

fn inside<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    let Tree::Map(entries) = &node.tree else { return None };
    entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
}
