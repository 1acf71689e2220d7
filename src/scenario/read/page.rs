//! The page around the players.

use super::node::{Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::page::{Container, Device, Page};

/// The words for devices.
pub(in crate::scenario) const DEVICES: &[(&str, Device)] =
    &[("desktop", Device::Desktop), ("mobile", Device::Mobile)];

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
    fields.later("window", "this version has one page that fits every player");
    fields.only("fullscreen", &["allowed"], "this version has no call that asks for it");
    fields.later("country", "this version serves every country alike");
    fields.only("gesture_policy", &["free"], "this version lets every call play");
    for name in ["script_after", "outstream_script_after"] {
        fields.only(name, &["0s"], "in this version the script is there at 0s; let the init step come later");
    }
    fields.end(reading);
    page
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
