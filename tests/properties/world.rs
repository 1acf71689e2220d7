//! Random scenarios: first which features are on, then the surroundings, then the steps.
//!
//! Times are multiples of 250 ms, so that responses, ends, time-outs and calls often coincide.

use std::sync::Arc;

use playsim::api::{Decimal, Fields, NetworkFault, Value};
use playsim::media::{Delivery, Live, MediaFault, Vpaid, VpaidScript};
use playsim::page::{Container, Device, Page};
use playsim::scenario::{AnswerScript, MediaScript, Scenario, ScriptedAnswer, Until};
use playsim::time::{Position, Span, Time};

use super::dice::Dice;
use super::documents::{self, LISTS, SPOTS, TAGS};
use super::features::Features;
use super::steps::{self, Cast};
use super::{attachments, records, settings, terms, units};

pub(crate) const CONTAINERS: &[&str] = &["main", "side", "third"];
pub(crate) const VIDEOS: &[&str] = &["v0", "v1", "v2", "v3"];
/// The container of outstream units.
pub(crate) const UNIT: &str = "unit";
pub(crate) const FILMS: &[&str] = &["film-0.mp4", "film-1.mp4", "film-2.mp4", "film-3.mp4"];

/// Returns the scenario of a seed.
pub(crate) fn scenario(seed: u64) -> Scenario {
    let dice = &mut Dice::new(seed);
    let features = Features::draw(dice);
    let (profile, knobs) = settings::setting(features, dice);
    let containers = if features.several { dice.count(2, 3) } else { 1 };
    let player = settings::player(features, dice);
    let mut scenario = Scenario {
        name: format!("seed {seed}").into(),
        profile,
        knobs,
        seed: dice.below(3),
        until: Until::At(Time::from_secs(*dice.pick(&[5, 15, 40]))),
        page: page(containers, features, dice),
        videos: records::videos(features, dice),
        media: media(features, dice),
        media_default: dice.chance(1, 3).then(|| medium(features, dice)),
        network: network(features, dice),
        ignore_query: if dice.chance(1, 6) { vec!["cb".into()] } else { Vec::new() },
        players: if features.several {
            vec![("side".into(), settings::player_over(&player, features, dice))]
        } else {
            Vec::new()
        },
        player,
        ..Scenario::default()
    };
    let cast = Cast::new(&scenario, features, dice);
    (scenario.listeners, scenario.steps) = (cast.listeners(dice), cast.steps(dice));
    scenario
}

/// A duration of a few steps of the grid; often none.
pub(crate) fn beats(most: u64, dice: &mut Dice) -> Span {
    if dice.chance(1, 3) { Span::ZERO } else { Span::from_millis(250 * dice.below(most + 1)) }
}

fn page(containers: usize, features: Features, dice: &mut Dice) -> Page {
    let unit = features.units.then_some(&UNIT);
    let container = |id: &&str| Container { id: (*id).into(), player_class: !features.nonsense };
    let script = |dice: &mut Dice| match dice.below(6) {
        0 => None,
        1..=3 => Some(beats(6, dice)),
        _ => Some(Span::ZERO),
    };
    let standard = Page::default();
    Page {
        device: if dice.chance(1, 4) { Device::Mobile } else { Device::Desktop },
        containers: CONTAINERS[..containers].iter().chain(unit).map(container).collect(),
        country: (features.records && dice.chance(3, 4)).then(|| Arc::from(*dice.pick(records::COUNTRIES))),
        window: if features.surroundings { window(dice) } else { standard.window },
        allows_fullscreen: !(features.surroundings && dice.chance(1, 4)),
        gesture_required: if features.people {
            *dice.pick(&[None, Some(false), Some(true)])
        } else {
            Some(false)
        },
        script_after: if features.queues { script(dice) } else { standard.script_after },
        outstream_script_after: if features.queues { script(dice) } else { standard.outstream_script_after },
        sides: if features.attachments { attachments::sides(dice) } else { standard.sides.clone() },
        ads: if features.terms { terms::terms(dice) } else { standard.ads.clone() },
        ..standard
    }
}

/// The size of a window.
pub(crate) fn window(dice: &mut Dice) -> (u32, u32) {
    *dice.pick(&[(1280, 720), (800, 600), (320, 480), (0, 0)])
}

fn media(features: Features, dice: &mut Dice) -> Vec<(Arc<str>, MediaScript)> {
    // The last video and the last ad media are missing unless a default covers URLs that are not listed.
    let listed = FILMS[..3].iter().chain(&SPOTS[..4]);
    let mut media: Vec<(Arc<str>, MediaScript)> =
        listed.map(|address| (Arc::from(*address), medium(features, dice))).collect();
    if features.simid {
        media.extend(units::PAGES[..2].iter().map(|page| (Arc::from(*page), self::page_of(features, dice))));
    }
    media
}

/// The page of a SIMID unit.
fn page_of(features: Features, dice: &mut Dice) -> MediaScript {
    let fails = (features.faults && dice.chance(1, 8)).then_some((None, MediaFault::NotFound));
    MediaScript {
        metadata_after: if features.late { beats(6, dice) } else { Span::ZERO },
        simid: Some(Arc::new(units::simid(dice))),
        fails,
        ..MediaScript::default()
    }
}

fn medium(features: Features, dice: &mut Dice) -> MediaScript {
    let duration =
        Span::from_millis(*dice.pick(&[0, 250, 500, 750, 1_000, 1_250, 2_000, 3_100, 4_000, 6_500]));
    let place = |dice: &mut Dice| Position::from_millis(250 * dice.below(14));
    let mut script = MediaScript { duration, ..MediaScript::default() };
    if features.late {
        script.metadata_after = beats(5, dice);
    }
    if features.faults && dice.chance(1, 3) {
        script.stalls = dice.some(1, 2, |dice| (place(dice), beats(6, dice)));
        script.stalls.sort_unstable();
    }
    if features.faults && dice.chance(1, 5) {
        let how = *dice.pick(&[
            MediaFault::Network,
            MediaFault::Decode,
            MediaFault::Unsupported,
            MediaFault::NotFound,
        ]);
        script.fails = Some((dice.chance(2, 3).then(|| place(dice)), how));
    }
    if features.renditions {
        script.switch_after = beats(3, dice);
    }
    if features.slow && dice.chance(1, 2) {
        script.delivery = Some(delivery(dice));
    }
    script.is_as_said = dice.chance(1, 8);
    script.has_sound = script.is_as_said;
    if features.live && dice.chance(1, 3) {
        script.is_as_said = false;
        (script.live, script.duration) = (Some(live(dice)), Span::ZERO);
    }
    if features.vpaid && dice.chance(1, 2) {
        script.vpaid = Some(Vpaid { own_sound: dice.chance(1, 2), reports_click: dice.chance(1, 2) });
        let unit = if dice.chance(2, 3) { units::vpaid(dice) } else { VpaidScript::default() };
        script.vpaid_script = Some(Arc::new(unit));
    }
    script
}

fn live(dice: &mut Dice) -> Live {
    let stops_at = dice.chance(2, 3).then(|| steps::moment(20, dice));
    let back = stops_at.filter(|_| dice.chance(1, 2));
    let back_at = back.map(|stops| stops + Span::from_millis(250 * (1 + dice.below(8))));
    Live { window: beats(12, dice), stops_at, back_at }
}

/// A bit rate that is what playback needs, higher, lower, or none.
fn delivery(dice: &mut Dice) -> Delivery {
    let mut bandwidth: Vec<(Time, u64)> = Vec::new();
    for _ in 0..dice.index(5) {
        let at = if bandwidth.is_empty() && dice.chance(3, 4) { Time::ZERO } else { steps::moment(16, dice) };
        let bits = *dice.pick(&[0, 0, 1, 600, 1_000, 3_000, 90_000]);
        if bandwidth.iter().all(|(known, _)| *known != at) {
            bandwidth.push((at, bits));
        }
    }
    bandwidth.sort_unstable();
    Delivery { bitrate: *dice.pick(&[1, 999, 1_000, 2_000]), bandwidth }
}

fn network(features: Features, dice: &mut Dice) -> Vec<(Arc<str>, Vec<AnswerScript>)> {
    let listed = TAGS.iter().take(5);
    let mut network: Vec<_> =
        listed.map(|tag| (Arc::from(*tag), dice.some(1, 2, |dice| answer(features, dice)))).collect();
    let text: Arc<str> = documents::endless().into();
    let answer = ScriptedAnswer::Body { status: 200, name: "".into(), text };
    network.push(("https://ads.test/loop".into(), vec![AnswerScript { after: beats(1, dice), answer }]));
    if features.sources {
        let listed = LISTS.iter().take(2);
        network.extend(
            listed.map(|list| (Arc::from(*list), dice.some(1, 2, |dice| list_answer(features, dice)))),
        );
    }
    network
}

fn answer(features: Features, dice: &mut Dice) -> AnswerScript {
    let answer = match dice.below(if features.faults { 10 } else { 20 }) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(*dice.pick(&[
            NetworkFault::Refused,
            NetworkFault::Reset,
            NetworkFault::Truncated,
            NetworkFault::Redirects,
        ])),
        2 if dice.chance(1, 2) => {
            ScriptedAnswer::Redirect { status: *dice.pick(&[301, 302, 307]), to: Arc::from(*dice.pick(TAGS)) }
        }
        2 => ScriptedAnswer::Body {
            status: *dice.pick(&[204, 302, 404, 500]),
            name: "".into(),
            text: "".into(),
        },
        _ => ScriptedAnswer::Body {
            status: 200,
            name: "".into(),
            text: documents::document(features, dice).into(),
        },
    };
    AnswerScript { after: if features.late { beats(10, dice) } else { beats(1, dice) }, answer }
}

/// A response for the URL of a playlist.
fn list_answer(features: Features, dice: &mut Dice) -> AnswerScript {
    let text = documents::playlist(dice);
    let status = if features.faults && dice.chance(1, 8) { 404 } else { 200 };
    let answer = match dice.below(if features.faults { 12 } else { 40 }) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(NetworkFault::Reset),
        _ => ScriptedAnswer::Body { status, name: "".into(), text: text.into() },
    };
    AnswerScript { after: if features.late { beats(6, dice) } else { Span::ZERO }, answer }
}

/// A usable ad object; mostly pre-rolls.
pub(crate) fn ad_object(dice: &mut Dice) -> Value {
    let kind = *dice.pick(&[0, 0, 0, 1, 1, 2, 3]);
    let tag = |dice: &mut Dice| Value::from(if dice.chance(1, 15) { "no address" } else { *dice.pick(TAGS) });
    let mut fields = Fields::one("adType", kind);
    let is_share = dice.chance(1, 3);
    if is_share || dice.chance(2, 3) {
        fields.push("adTimeType", if is_share { "%" } else { "s" });
    }
    if dice.chance(1, 12) {
        fields.push("adTagUrl", tag(dice));
    } else {
        fields.push("mobile", Value::List(dice.some(1, 3, tag)));
    }
    if dice.chance(1, 6) {
        fields.push("desktop", Value::List(dice.some(0, 2, tag)));
    }
    if dice.chance(1, 4) {
        fields.push("pod", dice.below(3));
    }
    match kind {
        1 => fields.push("cuepoints", Value::List(dice.some(0, 3, |dice| place_in_content(is_share, dice)))),
        3 => {
            fields.push("overlayStartAt", place_in_content(is_share, dice));
            fields.push("overlayDuration", place_in_content(is_share, dice));
        }
        _ => {}
    }
    Value::Map(fields)
}

/// A position in content or a part of it, in seconds or in hundredths; now and then outside.
fn place_in_content(is_share: bool, dice: &mut Dice) -> Value {
    let places: &[i64] = if is_share {
        &[0, 25, 50, 50, 75, 100, 120]
    } else {
        &[0, 250, 500, 1_000, 1_500, 2_000, 3_000, 60_000]
    };
    let place = *dice.pick(places);
    Value::from(Decimal::from_millionths(if is_share { place * 1_000_000 } else { place * 1_000 }))
}
