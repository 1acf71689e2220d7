//! Random profiles, knobs and settings of players.

use std::sync::Arc;

use playsim::api::BreakKind;
use playsim::api::Decimal;
use playsim::knobs::{KNOBS, Knob, Knobs, Profile, Profiles, Takes};
use playsim::scenario::{AdLoop, AdTurns, Bid, PlayerScript};
use playsim::time::Span;
use playsim::video::Rendition;

use super::dice::Dice;
use super::documents::TAGS;
use super::features::Features;
use super::world::{self, beats};

/// Enough for everything but an endless loop, and few enough that such a loop ends soon.
const TASKS_PER_INSTANT: [u32; 2] = [600, 599];

/// A profile and the knobs set, which may differ from it.
pub(crate) fn setting(features: Features, dice: &mut Dice) -> (Profiles, Knobs) {
    let profile =
        if features.settings && dice.chance(1, 2) { *dice.pick(Profile::ALL) } else { Profile::Default };
    let mut profile = Profiles::from(profile);
    if features.settings && dice.chance(1, 6) {
        profile = profile.and(&(*dice.pick(Profile::ALL)).into());
    }
    let mut knobs = profile.knobs();
    knobs.limit_tasks_per_instant = *dice.pick(&TASKS_PER_INSTANT);
    if dice.chance(1, 2) {
        knobs.ad_timeout = Span::from_millis(*dice.pick(&[0, 250, 500, 1_000, 2_000]));
        knobs.ad_media_timeout = Span::from_millis(*dice.pick(&[0, 250, 1_000]));
        knobs.ad_stall_timeout = Span::from_millis(*dice.pick(&[0, 250, 500, 1_000]));
        knobs.ad_max_wrappers = *dice.pick(&[0, 1, 2, 5]);
    }
    if features.late && dice.chance(1, 3) {
        knobs.playlist_advance_delay = Span::from_millis(*dice.pick(&[250, 500, 1_000]));
    }
    if dice.chance(1, 4) {
        knobs.timeupdate_period = Span::from_millis(*dice.pick(&[100, 125, 200]));
    }
    if features.settings {
        for _ in 0..dice.count(1, 4) {
            turn(dice.pick(KNOBS), &mut knobs, dice);
        }
    }
    (profile, knobs)
}

/// Sets a knob to a value that it accepts.
pub(crate) fn turn(knob: &Knob, knobs: &mut Knobs, dice: &mut Dice) {
    if knob.name == "limit.tasks_per_instant" {
        return;
    }
    let value = match (knob.takes)() {
        Takes::Words(words) => dice.pick(&words).0.to_owned(),
        Takes::Number => dice.below(3).to_string(),
        Takes::Length => (*dice.pick(&["0s", "0.1s", "0.125s", "0.2s", "0.25s", "1s", "3s"])).to_owned(),
        Takes::Limit => (*dice.pick(&["off", "0s", "0.25s", "1s", "3s"])).to_owned(),
        Takes::Form(_) => (*dice.pick(forms(knob))).to_owned(),
    };
    // A value out of its range is not set.
    let _ = knobs.set(knob.name, &value);
}

/// The values that a knob of this kind is given.
fn forms(knob: &Knob) -> &'static [&'static str] {
    match knob.name {
        "edit.max_body" => &["100B", "10MiB"],
        "edit.rate" => &["off", "1"],
        "midroll.ask" => &["at_cue", "at_start", "-0.5s", "-3s"],
        "complete.at" => &["end", "99%", "50%", "-0.25s"],
        _ => &["last", "previous", "all", "none", "window(0.5s)", "window(10s)"],
    }
}

/// The values of a knob that sessions must have been played with; for durations and numbers any two are
/// enough.
pub(crate) fn values(knob: &Knob) -> Vec<String> {
    match (knob.takes)() {
        Takes::Words(words) => words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        Takes::Form(_) => forms(knob).iter().map(|form| (*form).to_owned()).collect(),
        Takes::Length | Takes::Limit | Takes::Number => Vec::new(),
    }
}

/// Settings of every player.
pub(crate) fn player(features: Features, dice: &mut Dice) -> PlayerScript {
    let plan = |dice: &mut Dice| dice.some(1, 3, |dice| *dice.pick(Rendition::ALL));
    PlayerScript {
        ready_after: if features.late { beats(4, dice) } else { Span::ZERO },
        ads: if features.ads { dice.some(0, 3, world::ad_object) } else { Vec::new() },
        plan: (features.renditions && dice.chance(1, 3)).then(|| plan(dice)),
        volume: if features.sound { volume(dice) } else { Decimal::ONE },
        muted: features.sound && dice.chance(1, 3),
        bids: if features.bids { dice.some(1, 3, bid) } else { Vec::new() },
        ad_loop: (features.ads && dice.chance(1, 6)).then(|| ad_loop(dice)),
        ad_turns: if features.ads && dice.chance(1, 6) { ad_turns(dice) } else { AdTurns::default() },
    }
}

/// Settings of the players of one container, in addition to those of every player.
pub(crate) fn player_over(base: &PlayerScript, features: Features, dice: &mut Dice) -> PlayerScript {
    let own = player(features, dice);
    PlayerScript {
        plan: own.plan.or_else(|| base.plan.clone()),
        ad_loop: own.ad_loop.or(base.ad_loop),
        ..own
    }
}

fn ad_loop(dice: &mut Dice) -> AdLoop {
    AdLoop {
        times: 1 + dice.below(3) as u32,
        every: Span::from_millis(250 * (1 + dice.below(6))),
        impressions: dice.chance(1, 2).then(|| 1 + dice.below(2) as u32),
    }
}

fn ad_turns(dice: &mut Dice) -> AdTurns {
    AdTurns { every: 1 + dice.below(3) as u32, offset: dice.below(3) as u32, seen: dice.below(4) as u32 }
}

fn volume(dice: &mut Dice) -> Decimal {
    Decimal::from_millionths(*dice.pick(&[0, 250_000, 500_000, 1_000_000]))
}

fn bid(dice: &mut Dice) -> Bid {
    let kinds = [
        BreakKind::Pre,
        BreakKind::Pre,
        BreakKind::Mid,
        BreakKind::Post,
        BreakKind::Command,
        BreakKind::Overlay,
    ];
    Bid { kind: *dice.pick(&kinds), nth: 1 + dice.below(2) as u32, url: Arc::from(*dice.pick(TAGS)) }
}
