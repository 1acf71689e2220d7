//! Random scenarios: first which features are on, then the surroundings, then what happens.
//!
//! Times are multiples of 250 ms, so that answers, ends, time-outs and calls often fall together.

use std::sync::Arc;

use playsim::api::{Fields, NetworkFault, Value};
use playsim::knobs::{
    DispatchMode, Jitter, Knobs, NoClass, OnItemError, OutstreamAfter, PlayReturns, PlaylistPrerolls,
    SeekedCause, Switch,
};
use playsim::media::{Delivery, Live, MediaFault};
use playsim::page::{Container, Device, Page};
use playsim::scenario::{
    AnswerScript, MediaScript, PlayerScript, Scenario, ScriptedAnswer, Until, VideoScript,
};
use playsim::time::{Position, Span, Time};
use playsim::video::{ChapterMark, Day, Rendition, Video};

use super::around;
use super::dice::Dice;
use super::documents::{self, SPOTS, TAGS};
use super::steps;

/// What a scenario is about; what is off does not get in the way of what is on.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each feature is on or off by itself")]
pub(crate) struct Features {
    pub(crate) ads: bool,
    pub(crate) playlists: bool,
    pub(crate) faults: bool,
    pub(crate) listeners: bool,
    pub(crate) nonsense: bool,
    pub(crate) late: bool,
    pub(crate) several: bool,
    /// Live streams, data that come by and by, another rate.
    pub(crate) streams: bool,
    /// The media element's own events and promises are there for page code.
    pub(crate) element: bool,
    /// Sound, size, fullscreen, clicks.
    pub(crate) around: bool,
    /// Scripts that come late, and what is pushed for them.
    pub(crate) queues: bool,
    /// Outstream units.
    pub(crate) units: bool,
}

impl Features {
    fn draw(dice: &mut Dice) -> Features {
        let mut on = |times| dice.chance(times, 8);
        Features {
            ads: on(6),
            playlists: on(4),
            faults: on(4),
            listeners: on(4),
            nonsense: on(3),
            late: on(4),
            several: on(3),
            streams: on(3),
            element: on(2),
            around: on(4),
            queues: on(2),
            units: on(2),
        }
    }
}

pub(crate) const CONTAINERS: &[&str] = &["main", "side", "third"];
pub(crate) const VIDEOS: &[&str] = &["v0", "v1", "v2", "v3"];
pub(crate) const FILMS: &[&str] = &["film-0.mp4", "film-1.mp4", "film-2.mp4", "film-3.mp4"];

/// Playlist files; the last one is missing.
pub(crate) const LISTS: &[&str] =
    &["https://feed.test/two", "https://feed.test/one", "https://feed.test/odd", "https://feed.test/none"];

/// The scenario of a seed.
pub(crate) fn scenario(seed: u64) -> Scenario {
    let dice = &mut Dice::new(seed);
    let features = Features::draw(dice);
    let containers = if features.several { dice.count(2, 3) } else { 1 };
    let listeners = if features.listeners { steps::listeners(features, dice) } else { Vec::new() };
    let names: Vec<Arc<str>> = listeners.iter().map(|(name, _)| name.clone()).collect();
    let steps = steps::steps(containers, &names, features, dice);
    let mut scenario = Scenario {
        name: format!("seed {seed}").into(),
        knobs: knobs(features, dice),
        seed: dice.below(3),
        until: Until::At(Time::from_secs(*dice.pick(&[5, 15, 40]))),
        page: page(containers, features, dice),
        videos: videos(features, dice),
        media: media(features, dice),
        media_default: dice.chance(1, 3).then(|| medium(features, dice)),
        network: network(features, dice),
        ignore_query: if dice.chance(1, 6) { vec!["cb".into()] } else { Vec::new() },
        player: player(features, dice),
        players: if features.several { vec![("side".into(), player(features, dice))] } else { Vec::new() },
        listeners,
        steps,
        ..Scenario::default()
    };
    if features.around {
        around::surround(&mut scenario, dice);
    }
    scenario
}

/// A length of time of a few beats; often none.
pub(crate) fn beats(most: u64, dice: &mut Dice) -> Span {
    if dice.chance(1, 3) { Span::ZERO } else { Span::from_millis(250 * dice.below(most + 1)) }
}

fn knobs(features: Features, dice: &mut Dice) -> Knobs {
    let mut knobs = Knobs { limit_tasks_per_instant: 600, ..Knobs::default() };
    if dice.chance(1, 2) {
        knobs.ad_timeout = Span::from_millis(*dice.pick(&[0, 250, 500, 1_000, 2_000]));
        knobs.ad_media_timeout = Span::from_millis(*dice.pick(&[0, 250, 1_000]));
        knobs.ad_stall_timeout = Span::from_millis(*dice.pick(&[0, 250, 500, 1_000]));
        knobs.ad_max_wrappers = *dice.pick(&[0, 1, 2, 5]);
    }
    if features.late && dice.chance(1, 3) {
        knobs.playlist_advance_delay = Span::from_millis(*dice.pick(&[250, 500, 1_000]));
    }
    if dice.chance(1, 3) {
        knobs.quality_reload_events = *dice.pick(Switch::ALL);
        knobs.src_strict = *dice.pick(Switch::ALL);
        knobs.playlist_wrap = *dice.pick(Switch::ALL);
        knobs.playlist_on_error = *dice.pick(OnItemError::ALL);
        knobs.playlist_prerolls = *dice.pick(PlaylistPrerolls::ALL);
    }
    if dice.chance(1, 4) {
        knobs.dispatch_mode = DispatchMode::Sync;
    }
    if dice.chance(1, 6) {
        let switch = |dice: &mut Dice| *dice.pick(Switch::ALL);
        (knobs.bus_dedupe, knobs.bus_array_everywhere) = (switch(dice), switch(dice));
        knobs.init_strict_types = switch(dice);
        knobs.init_no_class = *dice.pick(NoClass::ALL);
        knobs.outstream_after = *dice.pick(OutstreamAfter::ALL);
    }
    if dice.chance(1, 4) {
        knobs.timeupdate_period = Span::from_millis(*dice.pick(&[100, 125, 200]));
    }
    if dice.chance(1, 6) {
        knobs.timeupdate_jitter = Jitter::Seeded;
    }
    if features.streams && dice.chance(1, 3) {
        knobs.progress_jitter = Span::from_millis(*dice.pick(&[1, 100, 200]));
    }
    if features.element {
        // Steps may wait for its events.
        knobs.bus_expose_html = Switch::On;
        knobs.ended_pause_event = *dice.pick(Switch::ALL);
        knobs.play_returns = *dice.pick(PlayReturns::ALL);
        knobs.seeked_cause = *dice.pick(SeekedCause::ALL);
    }
    knobs
}

fn page(containers: usize, features: Features, dice: &mut Dice) -> Page {
    let container = |id: &&str| Container { id: (*id).into(), player_class: !features.nonsense };
    Page {
        device: if dice.chance(1, 4) { Device::Mobile } else { Device::Desktop },
        containers: CONTAINERS[..containers].iter().map(container).collect(),
        country: dice.chance(1, 2).then(|| Arc::from(*dice.pick(COUNTRIES))),
        script_after: arrival(features, dice),
        outstream_script_after: arrival(features, dice),
        ..Page::default()
    }
}

/// When a script is there: mostly from the start.
fn arrival(features: Features, dice: &mut Dice) -> Option<Span> {
    if !features.queues || dice.chance(1, 2) {
        return Some(Span::ZERO);
    }
    dice.chance(7, 8).then(|| beats(6, dice))
}

fn videos(features: Features, dice: &mut Dice) -> Vec<VideoScript> {
    // The last one has no record.
    VIDEOS[..3]
        .iter()
        .map(|id| {
            let renditions = if features.faults && dice.chance(1, 6) { Vec::new() } else { renditions(dice) };
            let video = Video {
                id: (*id).into(),
                name: format!("Film {id}").into(),
                tags: "news, sport".into(),
                monetize: !dice.chance(1, 6),
                chapters: if dice.chance(1, 3) { dice.some(1, 3, chapter) } else { Vec::new() },
                renditions,
                ads: if features.ads && dice.chance(1, 4) { dice.some(1, 2, ad_object) } else { Vec::new() },
                rejected: features.playlists && dice.chance(1, 8),
                publish: day(features, dice),
                kill_date: day(features, dice),
                geo_on: features.faults && dice.chance(1, 8),
                geo: dice.some(0, 2, |dice| Arc::from(*dice.pick(COUNTRIES))),
                ..Video::default()
            };
            let record_after = if features.late { beats(6, dice) } else { Span::ZERO };
            VideoScript { video: Arc::new(video), record_after }
        })
        .collect()
}

/// No two of one name, and no address twice: another rendition is another address.
fn renditions(dice: &mut Dice) -> Vec<(Rendition, Arc<str>)> {
    let mut renditions: Vec<(Rendition, Arc<str>)> = Vec::new();
    for _ in 0..*dice.pick(&[1, 1, 2, 3]) {
        let (rendition, address) = (*dice.pick(Rendition::ALL), *dice.pick(FILMS));
        if renditions.iter().all(|(known, film)| *known != rendition && **film != *address) {
            renditions.push((rendition, address.into()));
        }
    }
    renditions
}

const COUNTRIES: &[&str] = &["US", "DE"];

/// A day around that of the scenario; mostly none.
fn day(features: Features, dice: &mut Dice) -> Option<Day> {
    let is_there = features.faults && dice.chance(1, 8);
    let text = *dice.pick(&["31-12-1999", "01-01-2000", "02-01-2000"]);
    Day::read(text).filter(|_| is_there)
}

fn chapter(dice: &mut Dice) -> ChapterMark {
    let timestamp = *dice.pick(&["0", "0:00", "0:01", "1.5", "00:00:02", "2", "90", "x", "0:75"]);
    ChapterMark { timestamp: timestamp.into(), title: (*dice.pick(&["", "One", "Two"])).into() }
}

fn media(features: Features, dice: &mut Dice) -> Vec<(Arc<str>, MediaScript)> {
    // The last film and the last spot are missing unless something stands for what is not listed.
    let listed = FILMS[..3].iter().chain(&SPOTS[..4]);
    listed.map(|address| (Arc::from(*address), medium(features, dice))).collect()
}

fn medium(features: Features, dice: &mut Dice) -> MediaScript {
    let duration =
        Span::from_millis(*dice.pick(&[0, 250, 500, 750, 1_000, 1_250, 2_000, 3_100, 4_000, 6_500]));
    let place = |dice: &mut Dice| Position::from_millis(250 * dice.below(14));
    let mut script = MediaScript { duration, ..MediaScript::default() };
    if features.late {
        script.metadata_after = beats(5, dice);
        script.switch_after = beats(3, dice);
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
    if features.streams && dice.chance(1, 3) {
        let stops_at = dice.chance(1, 2).then(|| steps::moment(24, dice));
        let back_at = stops_at.filter(|_| dice.chance(1, 2)).map(|stop| stop + Span::from_millis(750));
        script.duration = Span::ZERO;
        script.live = Some(Live { window: beats(12, dice), stops_at, back_at });
    }
    if features.streams && dice.chance(1, 2) {
        let mut bandwidth = dice
            .some(0, 4, |dice| (steps::moment(24, dice), *dice.pick(&[0, 0, 1, 600, 1_000, 3_000, 90_000])));
        bandwidth.sort_unstable();
        bandwidth.dedup_by_key(|(at, _)| *at);
        script.delivery = Some(Delivery { bitrate: *dice.pick(&[1, 999, 1_000, 2_000]), bandwidth });
    }
    script
}

fn network(features: Features, dice: &mut Dice) -> Vec<(Arc<str>, Vec<AnswerScript>)> {
    let listed = TAGS.iter().take(5);
    let mut network: Vec<_> =
        listed.map(|tag| (Arc::from(*tag), dice.some(1, 2, |dice| answer(features, dice)))).collect();
    let text: Arc<str> = documents::endless().into();
    let answer = ScriptedAnswer::Body { status: 200, name: "".into(), text };
    network.push(("https://ads.test/loop".into(), vec![AnswerScript { after: beats(1, dice), answer }]));
    for (address, text) in LISTS.iter().zip([TWO, ONE, ODD]) {
        let answer = ScriptedAnswer::Body { status: 200, name: "".into(), text: text.into() };
        let after = if features.late { beats(6, dice) } else { Span::ZERO };
        network.push((Arc::from(*address), vec![AnswerScript { after, answer }]));
    }
    network
}

const TWO: &str = r#"[{ "src": "film-0.mp4" }, { "source": { "sd": "film-1.mp4", "hd": "film-2.mp4" } }]"#;
const ONE: &str = r#"{ "Video": [{ "file": "film-2.mp4", "monetize": 0 }, { "title": "Nothing" }] }"#;
const ODD: &str = r#"{ "playlist": [4, { "src": "" }] }"#;

fn answer(features: Features, dice: &mut Dice) -> AnswerScript {
    let answer = match dice.below(if features.faults { 10 } else { 20 }) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(*dice.pick(&[
            NetworkFault::Refused,
            NetworkFault::Reset,
            NetworkFault::Truncated,
        ])),
        2 => ScriptedAnswer::Body {
            status: *dice.pick(&[204, 302, 404, 500]),
            name: "".into(),
            text: "".into(),
        },
        _ => ScriptedAnswer::Body { status: 200, name: "".into(), text: documents::document(dice).into() },
    };
    AnswerScript { after: if features.late { beats(10, dice) } else { beats(1, dice) }, answer }
}

fn player(features: Features, dice: &mut Dice) -> PlayerScript {
    PlayerScript {
        ready_after: if features.late { beats(4, dice) } else { Span::ZERO },
        ads: if features.ads { dice.some(0, 3, ad_object) } else { Vec::new() },
        // A plan of every player cannot be taken back for one of them.
        plan: (features.faults && !features.several && dice.chance(1, 6))
            .then(|| dice.some(1, 3, |dice| *dice.pick(Rendition::ALL))),
        ..PlayerScript::default()
    }
}

/// An ad object that can be used; pre-rolls above all.
pub(crate) fn ad_object(dice: &mut Dice) -> Value {
    let kind = *dice.pick(&[0, 0, 0, 0, 1, 2, 3]);
    let tag = |dice: &mut Dice| Value::from(if dice.chance(1, 15) { "no address" } else { *dice.pick(TAGS) });
    let mut fields = Fields::one("adType", kind);
    if dice.chance(3, 4) {
        fields.push("adTimeType", *dice.pick(&["s", "%"]));
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
        1 => fields.push("cuepoints", Value::List(dice.some(0, 2, |dice| Value::from(dice.below(6))))),
        3 => {
            fields.push("overlayStartAt", dice.below(3));
            fields.push("overlayDuration", dice.count(1, 3));
        }
        _ => {}
    }
    Value::Map(fields)
}
