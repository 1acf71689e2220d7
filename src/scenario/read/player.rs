//! The settings of players.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, scalar, value};
use crate::ads::BreakKind;
use crate::api::Decimal;
use crate::scenario::{AdLoop, Bid, PlayerScript};
use crate::time::Span;
use crate::video::Rendition;

/// The words for kinds of breaks.
pub(in crate::scenario) const BREAKS: &[(&str, BreakKind)] = &[
    (BreakKind::Pre.word(), BreakKind::Pre),
    (BreakKind::Mid.word(), BreakKind::Mid),
    (BreakKind::Post.word(), BreakKind::Post),
    (BreakKind::Command.word(), BreakKind::Command),
    (BreakKind::Overlay.word(), BreakKind::Overlay),
];

const EXAMPLE_BIDS: &str = "[{ break: pre, nth: 1, url: https://ads.test/bid }]";

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
    if let Some(node) = fields.field("plan") {
        script.plan = plan(node, reading);
    }
    if let Some(node) = fields.field("volume") {
        let volume = scalar::number(node, "volume", Decimal::ZERO, Decimal::ONE);
        script.volume = reading.keep(volume).unwrap_or(Decimal::ONE);
    }
    if let Some(node) = fields.field("muted") {
        script.muted = reading.keep(scalar::truth(node, "muted")).unwrap_or(false);
    }
    if let Some(node) = fields.field("bids") {
        let items = reading.keep(node.list("bids", EXAMPLE_BIDS)).unwrap_or_default();
        script.bids = items.iter().filter_map(|item| bid(item, reading)).collect();
    }
    if let Some(node) = fields.field("ad_loop") {
        script.ad_loop = ad_loop(node, reading);
    }
    let turns = &mut script.ad_turns;
    let numbers = [
        ("ad_frequency", &mut turns.every, 1),
        ("ad_offset", &mut turns.offset, 0),
        ("videos_seen", &mut turns.seen, 0),
    ];
    for (name, number, least) in numbers {
        if let Some(node) = fields.field(name) {
            *number = reading.keep(scalar::count(node, name, least)).unwrap_or(least);
        }
    }
    fields.end(reading);
    script
}

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
fn ad_loop(node: &Node, reading: &mut Reading<'_>) -> Option<AdLoop> {
    let mut fields = reading.keep(Object::of(node, "ad_loop", "{ times: 3, every: 30s, impressions: 2 }"))?;
    let times = fields.required("times", "times: 3").and_then(|node| scalar::count(node, "times", 1));
    let every = fields.required("every", "every: 30s").and_then(|node| {
        let every = scalar::span(node, "every")?;
        if every == Span::ZERO {
            Err(node.not("every", "a length of time above zero, like 30s"))
        } else {
            Ok(every)
        }
    });
    let impressions =
        fields.field("impressions").map(|node| scalar::count(node, "impressions", 1)).transpose();
    fields.end(reading);
    let (times, every) = (reading.keep(times), reading.keep(every));
    let impressions = reading.keep(impressions)?;
    Some(AdLoop { times: times?, every: every?, impressions })
}

/// The renditions that the account's plan allows. Rule QUAL-4.
fn plan(node: &Node, reading: &mut Reading<'_>) -> Option<Vec<Rendition>> {
    let items = reading.keep(node.list("plan", "[ld, sd]"))?;
    if items.is_empty() {
        let message = "\"plan\" is empty; it takes at least one rendition, like [ld, sd]";
        reading.wrongs.push(Wrong::new(&node.range, message));
    }
    Some(items.iter().filter_map(|item| reading.keep(rendition(item))).collect())
}

fn rendition(node: &Node) -> Result<Rendition, Wrong> {
    let known = Rendition::ALL.iter().map(|rendition| rendition.word());
    let Tree::Text(word) = &node.tree else { return Err(node.not("a rendition", "a word, like sd")) };
    Rendition::read(word).ok_or_else(|| Wrong::unknown(&node.range, "rendition", word, known))
}

/// A header bid that wins. Rule REQ-13.
fn bid(node: &Node, reading: &mut Reading<'_>) -> Option<Bid> {
    let mut fields = reading.keep(Object::of(node, "a bid", "{ break: pre, url: https://ads.test/bid }"))?;
    let kind = fields.required("break", "break: pre").and_then(|node| scalar::word(node, "break", BREAKS));
    let nth = fields.field("nth").map(|node| scalar::count(node, "nth", 1)).transpose();
    let url = fields.required("url", "url: https://ads.test/bid").and_then(|node| scalar::name(node, "url"));
    fields.end(reading);
    let (kind, nth, url) = (reading.keep(kind), reading.keep(nth), reading.keep(url));
    Some(Bid { kind: kind?, nth: nth?.unwrap_or(1), url: url? })
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
