//! What the page plays, and which ads it asks for.

use std::sync::Arc;

use super::node::{Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::page::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching};

/// The words for whether ads that can be skipped are asked for.
pub(in crate::scenario) const SKIPPABLE: &[(&str, Skippable)] =
    &[("any", Skippable::Any), ("refused", Skippable::Refused), ("required", Skippable::Required)];

/// The words for what is done with conditional ads.
pub(in crate::scenario) const CONDITIONAL: &[(&str, Conditional)] =
    &[("played", Conditional::Played), ("refused", Conditional::Refused)];

/// The words for whether ads must say their category.
pub(in crate::scenario) const CATEGORIES: &[(&str, bool)] = &[("optional", false), ("required", true)];

/// The words for whether VPAID units may run.
pub(in crate::scenario) const VPAID: &[(&str, bool)] = &[("runs", true), ("refused", false)];

/// Takes the fields of a page that say what it plays and which ads it asks for.
pub(super) fn terms(page: &mut Object<'_>, reading: &mut Reading<'_>, terms: &mut AdTerms) {
    if let Some(node) = page.field("plays") {
        let items = reading.keep(node.list("plays", "[video/mp4]")).unwrap_or_default();
        terms.plays = Some(items.iter().filter_map(|item| reading.keep(media_type(item))).collect());
    }
    if let Some(node) = page.field("bitrate") {
        terms.bitrate = reading.keep(scalar::count(node, "bitrate", 0)).unwrap_or_default();
    }
    let Some(node) = page.field("ads") else { return };
    let Some(mut fields) = reading.keep(Object::of(node, "the page's ads", "{ skippable: refused }")) else {
        return;
    };
    if let Some(node) = fields.field("types") {
        let items = reading.keep(node.list("types", "[video, hybrid]")).unwrap_or_default();
        let read = |item| scalar::word(item, "types", AdMedium::WORDS);
        terms.types = items.iter().filter_map(|item| reading.keep(read(item))).collect();
    }
    if let Some(node) = fields.field("skippable") {
        terms.skippable = reading.keep(scalar::word(node, "skippable", SKIPPABLE)).unwrap_or_default();
    }
    let (shortest, longest) = (fields.field("shortest"), fields.field("longest"));
    terms.shortest = shortest.and_then(|node| reading.keep(scalar::span(node, "shortest")));
    terms.longest = longest.and_then(|node| reading.keep(scalar::span(node, "longest")));
    let (smallest, largest) = (fields.field("smallest"), fields.field("largest"));
    terms.smallest = smallest.and_then(|node| reading.keep(scalar::size(node, "smallest")));
    terms.largest = largest.and_then(|node| reading.keep(scalar::size(node, "largest")));
    if let Some(node) = fields.field("categories") {
        terms.requires_category =
            reading.keep(scalar::word(node, "categories", CATEGORIES)).unwrap_or_default();
    }
    if let Some(node) = fields.field("blocked") {
        let items = reading.keep(node.list("blocked", "[IAB25]")).unwrap_or_default();
        terms.blocked = items.iter().filter_map(|item| blocked(item, reading)).collect();
    }
    if let Some(node) = fields.field("conditional") {
        terms.conditional = reading.keep(scalar::word(node, "conditional", CONDITIONAL)).unwrap_or_default();
    }
    if let Some(node) = fields.field("vpaid") {
        terms.vpaid = reading.keep(scalar::word(node, "vpaid", VPAID)).unwrap_or(true);
    }
    terms.stitching = fields.field("stitching").and_then(|node| stitching(node, reading));
    fields.end(reading);
}

fn media_type(node: &Node) -> Result<MediaType, Wrong> {
    let form = "a MIME type, like video/mp4 or \"video/mp4; codecs=avc1\"";
    let text = scalar::text(node, "a media type")?;
    MediaType::read(&text).ok_or_else(|| node.not("a media type", form))
}

fn blocked(node: &Node, reading: &mut Reading<'_>) -> Option<Blocked> {
    if !matches!(node.tree, Tree::Map(_)) {
        let category = reading.keep(scalar::name(node, "a category"))?;
        return Some(Blocked { authority: None, category });
    }
    let example = "{ authority: iabtechlab.com, category: IAB25 }";
    let mut fields = reading.keep(Object::of(node, "a category", example))?;
    let authority = fields.field("authority").map(|node| scalar::name(node, "authority")).transpose();
    let category = fields.required("category", "category: IAB25");
    let category = category.and_then(|node| scalar::name(node, "category"));
    fields.end(reading);
    let (authority, category) = (reading.keep(authority), reading.keep(category));
    Some(Blocked { authority: authority?, category: category? })
}

fn stitching(node: &Node, reading: &mut Reading<'_>) -> Option<Stitching> {
    let example = "{ transcoded: [https://m.test/a.mov] }";
    let mut fields = reading.keep(Object::of(node, "stitching", example))?;
    let transcoded = fields.field("transcoded").map(|node| node.list("transcoded", "[https://m.test/a.mov]"));
    let bitrate = fields.field("bitrate").map(|node| scalar::count(node, "bitrate", 0)).transpose();
    let size = fields.field("size").map(|node| scalar::size(node, "size")).transpose();
    fields.end(reading);
    let items = reading.keep(transcoded.transpose()).flatten().unwrap_or_default();
    let transcoded: Vec<Arc<str>> =
        items.iter().filter_map(|item| reading.keep(scalar::name(item, "transcoded"))).collect();
    let (bitrate, size) = (reading.keep(bitrate), reading.keep(size));
    Some(Stitching { transcoded, bitrate: bitrate?, size: size? })
}
