//! What the page has for ads besides the player.
//!
//! Rules: ADX-2, ADX-6, ADX-10, ADX-12, ADX-25.

use std::sync::Arc;

use super::node::{Node, Object, Wrong};
use super::{Reading, scalar};
use crate::page::{CompanionSlot, Sides, VendorFate, VerificationHost};

/// The words for whether the player can measure how much of it is in view.
pub(in crate::scenario) const VIEWABILITY: &[(&str, bool)] = &[("measured", true), ("unknown", false)];

/// The words for whether a click can open a page.
pub(in crate::scenario) const NAVIGATION: &[(&str, bool)] = &[("allowed", true), ("refused", false)];

/// The fields of the page that are about it.
pub(super) fn sides(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Sides {
    let mut sides = Sides::default();
    if let Some(node) = fields.field("companions") {
        sides.companions = companions(node, reading);
    }
    if let Some(node) = fields.field("verification") {
        sides.verification = verification(node, reading);
    }
    if let Some(node) = fields.field("unreachable") {
        let items = reading.keep(node.list("unreachable", "[https://m.test/side.png]")).unwrap_or_default();
        let names = items.iter().map(|item| scalar::name(item, "an address"));
        sides.unreachable = names.filter_map(|name| reading.keep(name)).collect();
    }
    if let Some(node) = fields.field("viewability") {
        sides.measures_view = reading.keep(scalar::word(node, "viewability", VIEWABILITY)).unwrap_or(true);
    }
    if let Some(node) = fields.field("navigation") {
        sides.opens_pages = reading.keep(scalar::word(node, "navigation", NAVIGATION)).unwrap_or(true);
    }
    if let Some(node) = fields.field("language") {
        sides.language = reading.keep(language(node));
    }
    sides
}

fn companions(node: &Node, reading: &mut Reading<'_>) -> Vec<CompanionSlot> {
    let example = "[{ id: side, width: 300, height: 250 }]";
    let items = reading.keep(node.list("companions", example)).unwrap_or_default();
    let mut slots: Vec<CompanionSlot> = Vec::with_capacity(items.len());
    for item in items {
        let Some(slot) = slot(item, reading) else { continue };
        if slots.iter().any(|known| known.id == slot.id) {
            let message = format!("the place \"{}\" for companions stands here twice", slot.id);
            reading.wrongs.push(Wrong::new(&item.range, message));
        }
        slots.push(slot);
    }
    slots
}

fn slot(node: &Node, reading: &mut Reading<'_>) -> Option<CompanionSlot> {
    let example = "{ id: side, width: 300, height: 250 }";
    let mut fields = reading.keep(Object::of(node, "a place for companions", example))?;
    let id = fields.required("id", "id: side").and_then(|node| scalar::name(node, "id"));
    let width = fields.required("width", "width: 300").and_then(|node| scalar::count(node, "width", 1));
    let height = fields.required("height", "height: 250").and_then(|node| scalar::count(node, "height", 1));
    fields.end(reading);
    let (id, width, height) = (reading.keep(id), reading.keep(width), reading.keep(height));
    Some(CompanionSlot { id: id?, width: width?, height: height? })
}

fn verification(node: &Node, reading: &mut Reading<'_>) -> VerificationHost {
    let mut host = Sides::default().verification;
    let object = Object::of(node, "verification", "{ omid: true, vendors: { doubleverify.com: refused } }");
    let Some(mut fields) = reading.keep(object) else { return host };
    if let Some(node) = fields.field("omid") {
        host.omid = reading.keep(scalar::truth(node, "omid")).unwrap_or(true);
    }
    if let Some(node) = fields.field("vendors") {
        let entries = reading.keep(node.entries("vendors", "{ doubleverify.com: refused }"));
        for (key, node) in entries.unwrap_or_default() {
            if let Some(fate) = reading.keep(fate(node, &key.text)) {
                host.vendors.push((Arc::from(key.text.as_str()), fate));
            }
        }
    }
    fields.end(reading);
    host
}

fn fate(node: &Node, vendor: &str) -> Result<VendorFate, Wrong> {
    let words: Vec<(&'static str, VendorFate)> =
        VendorFate::ALL.iter().map(|fate| (fate.name(), *fate)).collect();
    scalar::word(node, vendor, &words)
}

/// A language as pages write it: letters and digits in parts, with hyphens between.
fn language(node: &Node) -> Result<Arc<str>, Wrong> {
    let text = scalar::name(node, "language")?;
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_alphanumeric());
    if text.split('-').all(is_part) {
        Ok(text)
    } else {
        Err(node.not("language", "a language, like en or pt-BR"))
    }
}
