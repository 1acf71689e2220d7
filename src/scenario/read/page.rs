//! The page around the players.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::sides::sides;
use super::{Reading, scalar, terms};
use crate::ads::{given_by_pages, is_standard_macro};
use crate::page::{Container, Device, MacroValue, Page};

/// The words for devices.
pub(in crate::scenario) const DEVICES: &[(&str, Device)] =
    &[("desktop", Device::Desktop), ("mobile", Device::Mobile)];

/// The words for whether the page may fill the screen.
pub(in crate::scenario) const FULLSCREEN: &[(&str, bool)] = &[("allowed", true), ("refused", false)];

/// The words for whether a start by script needs a gesture before it.
pub(in crate::scenario) const GESTURE_POLICIES: &[(&str, bool)] = &[("free", false), ("required", true)];

/// The page.
pub(super) fn page(node: &Node, reading: &mut Reading<'_>) -> Page {
    let mut page = Page::default();
    let Some(mut fields) = reading.keep(Object::of(node, "page", "{ device: mobile }")) else { return page };
    if let Some(node) = fields.field("device") {
        page.device = reading.keep(scalar::word(node, "device", DEVICES)).unwrap_or_default();
    }
    if let Some(node) = fields.field("epoch") {
        page.epoch_micros = reading.keep(epoch(node)).unwrap_or_default();
    }
    if let Some(node) = fields.field("containers") {
        page.containers = containers(node, reading);
    }
    if let Some(node) = fields.field("country") {
        page.country = reading.keep(country(node, "country"));
    }
    if let Some(node) = fields.field("window") {
        page.window = reading.keep(scalar::size(node, "window")).unwrap_or_default();
    }
    if let Some(node) = fields.field("fullscreen") {
        page.allows_fullscreen = reading.keep(scalar::word(node, "fullscreen", FULLSCREEN)).unwrap_or(true);
    }
    if let Some(node) = fields.field("gesture_policy") {
        page.gesture_required = reading.keep(scalar::word(node, "gesture_policy", GESTURE_POLICIES));
    }
    if let Some(node) = fields.field("script_after") {
        page.script_after = reading.keep(scalar::span_or_never(node, "script_after")).flatten();
    }
    if let Some(node) = fields.field("outstream_script_after") {
        let after = scalar::span_or_never(node, "outstream_script_after");
        page.outstream_script_after = reading.keep(after).flatten();
    }
    if let Some(node) = fields.field("macros") {
        page.macros = macros(node, reading);
    }
    page.sides = sides(&mut fields, reading);
    terms::terms(&mut fields, reading, &mut page.ads);
    fields.end(reading);
    page
}

/// The word for a value that the page knows and does not tell.
pub(in crate::scenario) const WITHHELD: &str = "withheld";

/// What the page has for macros in addresses. Rule MAC-5.
fn macros(node: &Node, reading: &mut Reading<'_>) -> Vec<(Arc<str>, MacroValue)> {
    let entries = node.entries("macros", "{ IFA: 6f1c, GDPRCONSENT: withheld }");
    let mut macros = Vec::new();
    for (key, node) in reading.keep(entries).unwrap_or_default() {
        let value = macro_name(key).and_then(|name| Ok((name, macro_value(node, &key.text)?)));
        macros.extend(reading.keep(value));
    }
    macros
}

fn macro_name(key: &Key) -> Result<Arc<str>, Wrong> {
    if given_by_pages().any(|name| *name == *key.text) {
        return Ok(key.text.as_str().into());
    }
    if is_standard_macro(&key.text) {
        let message =
            format!("the value of {} comes from clock, player, ad or chance; a page cannot say it", key.text);
        return Err(Wrong::new(&key.range, message));
    }
    Err(Wrong::unknown(&key.range, "macro of a page", &key.text, given_by_pages()))
}

fn macro_value(node: &Node, name: &str) -> Result<MacroValue, Wrong> {
    let form = "a text, a number, a list of them, or withheld";
    let item = |node: &Node| match &node.tree {
        Tree::Text(text) => Ok(Arc::from(text.as_str())),
        Tree::Number(number) => Ok(Arc::from(number.as_str())),
        Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_) => Err(node.not(name, form)),
    };
    match &node.tree {
        Tree::Text(text) if text == WITHHELD => Ok(MacroValue::Withheld),
        Tree::List(items) if items.is_empty() => Err(node.not(name, form)),
        Tree::List(items) => items.iter().map(item).collect::<Result<_, _>>().map(MacroValue::Items),
        Tree::Text(_) | Tree::Number(_) | Tree::Null | Tree::Bool(_) | Tree::Map(_) => {
            Ok(MacroValue::Items(vec![item(node)?]))
        }
    }
}

/// A country as two letters; in capitals, however it is written. Rule EDIT-27.
pub(super) fn country(node: &Node, what: &str) -> Result<Arc<str>, Wrong> {
    let code = scalar::text(node, what)?;
    country_of(&code).ok_or_else(|| node.not(what, "a country as two letters, like US"))
}

/// The country of this code.
pub(super) fn country_of(code: &str) -> Option<Arc<str>> {
    let is_code = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_code.then(|| code.to_ascii_uppercase().into())
}

fn epoch(node: &Node) -> Result<i64, Wrong> {
    let form = "a calendar instant, like 2026-01-01T00:00:00Z";
    let text = scalar::text(node, "epoch")?;
    let instant: jiff::Timestamp = text.parse().map_err(|_| node.not("epoch", form))?;
    if instant.subsec_nanosecond() % 1_000 == 0 {
        Ok(instant.as_microsecond())
    } else {
        Err(node.not("epoch", "an instant no finer than a microsecond"))
    }
}

fn containers(node: &Node, reading: &mut Reading<'_>) -> Vec<Container> {
    let items = reading.keep(node.list("containers", "[main, side]")).unwrap_or_default();
    let mut containers: Vec<Container> = Vec::with_capacity(items.len());
    for item in items {
        let Some(container) = container(item, reading) else { continue };
        if containers.iter().any(|known| known.id == container.id) {
            let message = format!("container \"{}\" stands here twice", container.id);
            reading.wrongs.push(Wrong::new(&item.range, message));
        }
        containers.push(container);
    }
    containers
}

fn container(node: &Node, reading: &mut Reading<'_>) -> Option<Container> {
    if !matches!(node.tree, Tree::Map(_)) {
        let id = reading.keep(scalar::name(node, "a container"))?;
        return Some(Container { id, player_class: true });
    }
    let mut fields = reading.keep(Object::of(node, "a container", "{ id: side }"))?;
    let id = fields.required("id", "id: side").and_then(|node| scalar::name(node, "id"));
    let player_class =
        fields.field("player_class").map(|node| scalar::truth(node, "player_class")).transpose();
    fields.end(reading);
    let (id, player_class) = (reading.keep(id), reading.keep(player_class));
    Some(Container { id: id?, player_class: player_class?.unwrap_or(true) })
}
