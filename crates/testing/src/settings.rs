//! Random profiles, knobs and settings of players.

use std::sync::Arc;

use playsim_api::BreakKind;
use playsim_api::Decimal;
use playsim_api::video::Rendition;
use playsim_base::time::Span;
use playsim_rules::knobs::{KNOBS, Knob, Knobs, Profile, Profiles, Takes};
use playsim_scenario::{AdLoop, AdTurns, Bid, PlayerScript};

use super::ad_objects::ad_object;
use super::feature::Feature;
use super::grid::beats;
use super::plan::Plan;
use super::source::Source;

/// Enough for everything but an endless loop, and few enough that such a loop ends soon.
pub(super) const TASKS_PER_SECOND: [u32; 2] = [600, 599];

/// A profile and the knobs set, which may differ from it.
pub(super) fn setting(plan: &Plan, source: &mut Source) -> (Profiles, Knobs) {
    let profile = if let Some(chosen) = &plan.profiles {
        source.pick(chosen).clone()
    } else {
        profiles(plan, source)
    };
    let mut knobs = profile.knobs();
    knobs.limit_tasks_per_second = *source.pick(&TASKS_PER_SECOND);
    if source.chance(1, 2) {
        knobs.ad_timeout = Span::from_millis(*source.pick(&[0, 250, 500, 1_000, 2_000]));
        knobs.ad_media_timeout = Span::from_millis(*source.pick(&[0, 250, 1_000]));
        knobs.ad_stall_timeout = Span::from_millis(*source.pick(&[0, 250, 500, 1_000]));
        knobs.ad_max_wrappers = *source.pick(&[0, 1, 2, 5]);
    }
    if plan.has(Feature::Late) && source.chance(1, 3) {
        knobs.playlist_advance_delay = Span::from_millis(*source.pick(&[250, 500, 1_000]));
    }
    if source.chance(1, 4) {
        knobs.timeupdate_period = Span::from_millis(*source.pick(&[100, 125, 200]));
    }
    if plan.has(Feature::Settings) {
        for _ in 0..source.count(1, 4) {
            set_randomly(source.pick(KNOBS), &mut knobs, source);
        }
    }
    (profile, knobs)
}

/// One profile or two.
fn profiles(plan: &Plan, source: &mut Source) -> Profiles {
    let is_any = plan.has(Feature::Settings) && source.chance(1, 2);
    let profile = Profiles::from(if is_any {
        *source.pick(Profile::ALL)
    } else {
        Profile::Default
    });
    if plan.has(Feature::Settings) && source.chance(1, 6) {
        return profile.and(&(*source.pick(Profile::ALL)).into());
    }
    profile
}

/// Sets a knob to a value that it accepts.
pub(super) fn set_randomly(knob: &Knob, knobs: &mut Knobs, source: &mut Source) {
    if knob.name == "limit.tasks_per_second" {
        return;
    }
    set(knob.name, source.pick::<&str>(&choices(knob)), knobs);
}

/// Sets a knob to one of its choices, unless that is out of its range.
pub(super) fn set(name: &str, value: &str, knobs: &mut Knobs) {
    let _ = knobs.set(name, value);
}

/// The values that a knob is turned to.
pub(super) fn choices(knob: &Knob) -> Vec<&'static str> {
    match (knob.takes)() {
        Takes::Words(words) => words.iter().map(|(word, _)| *word).collect(),
        Takes::Number => vec!["0", "1", "2"],
        Takes::Length => vec!["0s", "0.1s", "0.125s", "0.2s", "0.25s", "1s", "3s"],
        Takes::Limit => vec!["off", "0s", "0.25s", "1s", "3s"],
        Takes::Form(_) => forms(knob).to_vec(),
    }
}

/// The values that a knob of this kind is given.
fn forms(knob: &Knob) -> &'static [&'static str] {
    match knob.name {
        "edit.max_body" => &["100B", "10MiB"],
        "edit.rate" => &["off", "1"],
        "midroll.ask" | "postroll.ask" => &["at_cue", "at_start", "-0.5s", "-3s"],
        "complete.at" => &["end", "99%", "50%", "-0.25s"],
        _ => &[
            "last",
            "previous",
            "all",
            "none",
            "window(0.5s)",
            "window(10s)",
        ],
    }
}

/// The values of a knob that sessions must have been played with; for durations and numbers any two
/// are enough.
pub(super) fn values(knob: &Knob) -> Vec<String> {
    match (knob.takes)() {
        Takes::Words(words) => words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        Takes::Form(_) => forms(knob).iter().map(|form| (*form).to_owned()).collect(),
        Takes::Length | Takes::Limit | Takes::Number => Vec::new(),
    }
}

/// Settings of every player.
pub(super) fn player(plan: &Plan, source: &mut Source) -> PlayerScript {
    let renditions = |source: &mut Source| source.some(1, 3, |source| *source.pick(Rendition::ALL));
    PlayerScript {
        ready_after: if plan.has(Feature::Late) {
            beats(4, source)
        } else {
            Span::ZERO
        },
        ads: if plan.has(Feature::Ads) {
            source.some(0, 3, |source| ad_object(plan, source))
        } else {
            Vec::new()
        },
        plan: (plan.has(Feature::Renditions) && source.chance(1, 3)).then(|| renditions(source)),
        volume: if plan.has(Feature::Sound) {
            volume(source)
        } else {
            Decimal::ONE
        },
        muted: plan.has(Feature::Sound) && source.chance(1, 3),
        bids: if plan.has(Feature::Bids) {
            source.some(1, 3, |source| bid(plan, source))
        } else {
            Vec::new()
        },
        ad_loop: (plan.has(Feature::Ads) && source.chance(1, 6)).then(|| ad_loop(source)),
        ad_turns: if plan.has(Feature::Ads) && source.chance(1, 6) {
            ad_turns(source)
        } else {
            AdTurns::default()
        },
    }
}

/// Settings of the players of one container, in addition to those of every player.
pub(super) fn player_over(base: &PlayerScript, plan: &Plan, source: &mut Source) -> PlayerScript {
    let own = player(plan, source);
    PlayerScript {
        plan: own.plan.or_else(|| base.plan.clone()),
        ad_loop: own.ad_loop.or(base.ad_loop),
        ..own
    }
}

fn ad_loop(source: &mut Source) -> AdLoop {
    AdLoop {
        times: 1 + source.below(3) as u32,
        every: Span::from_millis(250 * (1 + source.below(6))),
        impressions: source.chance(1, 2).then(|| 1 + source.below(2) as u32),
    }
}

fn ad_turns(source: &mut Source) -> AdTurns {
    AdTurns {
        every: 1 + source.below(3) as u32,
        offset: source.below(3) as u32,
        seen: source.below(4) as u32,
    }
}

fn volume(source: &mut Source) -> Decimal {
    Decimal::from_millionths(*source.pick(&[0, 250_000, 500_000, 1_000_000]))
}

fn bid(plan: &Plan, source: &mut Source) -> Bid {
    let kinds = [
        BreakKind::Pre,
        BreakKind::Pre,
        BreakKind::Mid,
        BreakKind::Post,
        BreakKind::Command,
        BreakKind::Overlay,
    ];
    Bid {
        kind: *source.pick(&kinds),
        nth: 1 + source.below(2) as u32,
        url: Arc::from(&**source.pick(&plan.tags)),
    }
}
