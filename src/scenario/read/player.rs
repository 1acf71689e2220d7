//! The settings of players.

use std::sync::Arc;

use super::node::{Key, Node, Object, Wrong};
use super::{Reading, scalar, value};
use crate::scenario::PlayerScript;

/// Settings of a player, on top of others.
pub(super) fn player(node: &Node, base: PlayerScript, reading: &mut Reading<'_>) -> PlayerScript {
    let mut script = base;
    let Some(mut fields) = reading.keep(Object::of(node, "player", "{ ready_after: 50ms }")) else {
        return script;
    };
    if let Some(node) = fields.field("ready_after") {
        script.ready_after = reading.keep(scalar::span(node, "ready_after")).unwrap_or_default();
    }
    if let Some(node) = fields.field("ads") {
        script.ads = value::ads(node, reading);
    }
    fields.later("plan", "this version allows all renditions");
    fields.only("volume", &["1", "1.0"], "in this version players start at volume 1");
    fields.only("muted", &["false"], "in this version players start with sound");
    fields.later("bids", "this version asks the ad tags of ads: [{ adType: 0, mobile: [...] }]");
    fields.end(reading);
    script
}

/// Settings of the players of single containers, on top of those of every player.
pub(super) fn players(
    node: &Node,
    base: &PlayerScript,
    reading: &mut Reading<'_>,
) -> Vec<(Arc<str>, PlayerScript)> {
    let entries =
        reading.keep(node.entries("players", "{ side: { ready_after: 50ms } }")).unwrap_or_default();
    for (key, _) in entries.iter().filter(|(key, _)| !reading.containers.iter().any(|id| **id == key.text)) {
        let known = reading.containers.iter().map(|id| &**id);
        let wrong = Wrong::unknown(&key.range, "container of the page", &key.text, known);
        reading.wrongs.push(wrong);
    }
    let script = |(key, node): &(Key, Node)| (Arc::from(&*key.text), player(node, base.clone(), reading));
    entries.iter().map(script).collect()
}
