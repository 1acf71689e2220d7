//! The settings of players.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::ads::ADS;
use super::{
    Definitions, FieldRow, Node, Reading, SHARE, Scenario, Shape, Writer, WrittenForm, Wrong,
    count, field_rows, list,
};
use crate::form::{Length, List, Name, Opt, OrNull, Truth, Word, Words, part, twice};
use crate::{AdLoop, Bid, PlayerScript};
use playsim_api::BreakKind;
use playsim_api::video::Rendition;
use playsim_base::time::Span;

/// The settings of a player.
pub(super) const PLAYER: Shape<PlayerScript> = Shape {
    definition: Some("player"),
    ..Shape::new(
        "player",
        "{ ready_after: 50ms }",
        "Settings of players.",
        PlayerScript::default,
        &[field_rows! { PlayerScript:
            "ready_after" ready_after: Length, "How long a player takes to become ready.";
            "ads" ads: ADS, "Ad objects at player level.";
            "plan" plan: OrNull(PLAN), "The renditions that the account's plan allows. Default: all.";
            "volume" volume: SHARE, "The initial volume.";
            "muted" muted: Truth, "Whether the player starts muted.";
            "bids" bids: list("a bid", &BID, "[{ break: pre, nth: 1, url: https://ads.test/bid }]"),
                "Header bids that win.";
            "ad_loop" ad_loop: OrNull(&AD_LOOP),
                "The first pre-roll slot is requested again during the content; other pre-roll slots are not.";
            "ad_frequency" ad_turns.every: count(1), "Only every nth video has ads.";
            "ad_offset" ad_turns.offset: count(0), "How many videos come before the first one with ads.";
            "videos_seen" ad_turns.seen: count(0), "How many videos were seen before this page was loaded.";
        }],
    )
};

/// The settings of the players of single containers, on top of those of every player.
pub(super) const PLAYERS: FieldRow<Scenario> = FieldRow {
    key: "players",
    about: "Settings on top of those of `player`, by container.",
    required: None,
    read: |node, scenario, reading| {
        let example = "{ side: { ready_after: 50ms } }";
        let entries = reading
            .keep(node.entries("players", example))
            .unwrap_or_default();
        for (key, node) in entries {
            if !reading.containers.iter().any(|id| **id == key.text) {
                let known = reading.containers.iter().map(|id| &**id);
                let wrong = Wrong::unknown(&key.range, "container of the page", &key.text, known);
                reading.wrongs.push(wrong);
            }
            let script = PLAYER.read_over(node, scenario.player.clone(), reading);
            scenario
                .players
                .extend(script.map(|script| (Arc::from(&*key.text), script)));
        }
        true
    },
    same: |one, other| one.players == other.players,
    write: |scenario, out| {
        out.refuse(|_| twice("container", scenario.players.iter().map(|(id, _)| &**id)));
        let known: BTreeSet<&str> = scenario.page.containers.iter().map(|it| &*it.id).collect();
        out.object(|out| {
            for (container, script) in &scenario.players {
                out.part(|| part("player", container));
                let is_known = known.contains(&**container);
                out.refuse_if(!is_known, "the page has no such container");
                out.key(container);
                PLAYER.write_over(script, &scenario.player, out);
            }
        });
    },
    schema: |definitions| json!({ "type": ["object", "null"], "additionalProperties": PLAYER.schema(definitions) }),
};

const PLAN: List<Word<Rendition>> = list("a rendition", RENDITION, "[ld, sd]").filled();

/// A rendition.
pub(super) const RENDITION: Word<Rendition> = Word {
    what: "rendition",
    takes: "a word, like sd",
    all: Rendition::ALL,
    name: Rendition::name,
};

/// A header bid that wins. Rule REQ-13.
const BID: Shape<Bid> = Shape::new(
    "a bid",
    "{ break: pre, url: https://ads.test/bid }",
    "A header bid that wins: its URL becomes an ad tag.",
    || Bid {
        kind: BreakKind::Pre,
        nth: 1,
        url: Arc::default(),
    },
    &[field_rows! { Bid:
        "break" kind: BREAKS => "break: pre", "The kind of break that it is for.";
        "nth" nth: count(1), "Which of those breaks.";
        "url" url: Name => "url: https://ads.test/bid", "The URL.";
    }],
);

/// The kinds of breaks that a bid can be for.
const BREAKS: Words<BreakKind> = Words(&[
    (BreakKind::Pre.name(), BreakKind::Pre),
    (BreakKind::Mid.name(), BreakKind::Mid),
    (BreakKind::Post.name(), BreakKind::Post),
    (BreakKind::Command.name(), BreakKind::Command),
    (BreakKind::Overlay.name(), BreakKind::Overlay),
]);

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
const AD_LOOP: Shape<AdLoop> = Shape::new(
    "ad_loop",
    "{ times: 3, every: 30s, impressions: 2 }",
    "The first pre-roll slot is requested again during the content; other pre-roll slots are not.",
    || AdLoop {
        times: 1,
        every: Span::from_secs(1),
        impressions: None,
    },
    &[field_rows! { AdLoop:
        "times" times: count(1) => "times: 3", "How many times an item requests the slot, the pre-roll included.";
        "every" every: Period => "every: 30s", "From one request to the next, in content time; above zero.";
        "impressions" impressions: Opt(count(1)), "How many started ads end the loop. Default: any number.";
    }],
);

/// A length of time above zero.
struct Period;

impl WrittenForm for Period {
    type Of = Span;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Span> {
        let length = Length.read(node, what, reading)?;
        let above_zero = || node.not(what, "a length of time above zero, like 30s");
        reading.keep(
            (length != Span::ZERO)
                .then_some(length)
                .ok_or_else(above_zero),
        )
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        Length.schema(definitions)
    }

    fn write(&self, value: &Span, out: &mut Writer) {
        let is_zero = *value == Span::ZERO;
        out.refuse(|name| {
            is_zero.then(|| format!("\"{name}\" is 0; it must be a length of time above zero"))
        });
        Length.write(value, out);
    }
}
