//! The profile `literal`: each sentence of the reference that it takes literally where the default
//! does not.
//!
//! Each row is played with the default profile, with the one knob that the sentence is about, and
//! with the whole profile. The knob alone makes the difference, and the profile shows it too. A
//! knob of the profile without a row fails.
//!
//! Sentences that the default already follows to the letter have no row: among them that
//! `livestreamstopped` is fired for any reason, that fields of the edit call are optional, and that
//! `adTagUrl` in the reference's sample is a list of tags.

use std::collections::BTreeSet;

use playsim::api::{Kind, Value};
use playsim::knobs::Profile;
use playsim::scenario;
use playsim::sim::Simulation;
use playsim::trace::Trace;

/// A sentence, where the default differs, and how.
struct Row {
    /// The claim of the reference.
    sentence: &'static str,
    /// The knob that follows it.
    knob: &'static str,
    /// The surroundings of the player, in addition to a video of 3 s and a tag that fills.
    more: &'static str,
    /// The configuration, where it is not the usual one, and the steps.
    steps: &'static [&'static str],
    /// The observed events, diagnostics (`~code`), errors (`call()!code`) and returned values
    /// (`call()=value`).
    watched: &'static [&'static str],
    default: &'static str,
    literal: &'static str,
}

const INIT: &str = "{ at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: v1 } } }";
const PLAY: &str = "{ on: ready, do: play }";

const ROWS: &[Row] = &[
    Row {
        sentence: "beforeStart: Right before an ad starts, or before the video when there is no ad",
        knob: "before_start.scope",
        more: "player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }, { adType: 1, adTimeType: s, cuepoints: [1], mobile: [https://ads.test/a] }] }",
        steps: &[INIT, PLAY],
        watched: &["beforeStart", "adStart", "start"],
        default: "beforeStart adStart start adStart",
        literal: "beforeStart adStart start beforeStart adStart",
    },
    Row {
        sentence: "beforeStart: Right before an ad starts; an overlay is an ad",
        knob: "before_start.scope",
        more: "player: { ads: [{ adType: 3, adTimeType: s, overlayStartAt: 1, overlayDuration: 1, mobile: [https://ads.test/over] }] }",
        steps: &[INIT, PLAY],
        watched: &["beforeStart", "adImpression", "adStart", "start"],
        default: "beforeStart start adImpression adStart",
        literal: "beforeStart start beforeStart adImpression adStart",
    },
    Row {
        sentence: "playing, playback reaches the end: finished, `ended` event",
        knob: "ended.vs_postroll",
        more: "player: { ads: [{ adType: 2, adTimeType: s, mobile: [https://ads.test/a] }] }",
        steps: &[INIT, PLAY, "{ on: ended, nth: 1, do: play }"],
        watched: &["play", "start", "requestAd", "adStart", "adEnd", "ended"],
        default: "play start requestAd adStart adEnd ended play ended",
        literal: "play start ended play ended requestAd adStart adEnd",
    },
    Row {
        sentence: "Legacy names `add`, `addOnce`, `remove` are equivalent",
        knob: "bus.array_everywhere",
        more: "listeners: { L: [currentTime] }",
        steps: &[
            INIT,
            "{ at: 1s, do: { add: [[pause, stopped], L] } }",
            "{ at: 2s, do: { addOnce: [[pause, stopped], L] } }",
            "{ at: 3s, do: { remove: [[pause, stopped], L] } }",
        ],
        watched: &["add()", "addOnce()", "remove()"],
        default: "add() addOnce() remove()",
        literal: "add() addOnce()!bad_argument remove()!bad_argument",
    },
    Row {
        sentence: "start: A video starts playing for the first time",
        knob: "start.scope",
        more: "",
        steps: &[INIT, PLAY, "{ at: 1s, do: stop }", "{ at: 2s, do: play }"],
        watched: &["play", "beforeStart", "start", "stopped", "ended"],
        default: "play beforeStart start stopped play beforeStart start ended",
        literal: "play beforeStart start stopped play ended",
    },
    Row {
        sentence: "playing | playback reaches the end | finished | ended event",
        knob: "ended.vs_postroll",
        more: "player: { ads: [{ adType: 2, adTimeType: s, mobile: [https://ads.test/a] }] }",
        steps: &[INIT, PLAY],
        watched: &["ended", "requestAd", "adStart", "adEnd"],
        default: "requestAd adStart adEnd ended",
        literal: "ended requestAd adStart adEnd",
    },
    Row {
        sentence: "progress: The player is buffering",
        knob: "progress.meaning",
        more: "",
        steps: &[
            "{ at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: slow } } }",
            "{ at: 2s, do: play }",
        ],
        watched: &["progress", "play", "start", "ended"],
        default: "progress progress progress progress play start progress progress progress ended",
        literal: "play start progress progress ended",
    },
    Row {
        sentence: "currentTime(int): int seconds",
        knob: "seek.fraction",
        more: "",
        steps: &[
            INIT,
            "{ at: 1s, do: { currentTime: 1.5 } }",
            "{ at: 2s, do: currentTime }",
        ],
        watched: &["currentTime()"],
        default: "currentTime()=1.5 currentTime()=1.5",
        literal: "currentTime()=1 currentTime()=1",
    },
    Row {
        sentence: "seeked: A user seeks on the timeline",
        knob: "seeked.cause",
        more: "",
        steps: &[
            INIT,
            PLAY,
            "{ at: 1s, do: { currentTime: 2 } }",
            "{ at: 2s, user: { seek: 1 } }",
        ],
        watched: &["seeked"],
        default: "seeked seeked",
        literal: "seeked",
    },
    Row {
        sentence: "fullscreenchange: The fullscreen button has been used",
        knob: "fullscreen.event",
        more: "",
        steps: &[
            INIT,
            "{ at: 1s, do: toggleFullScreen }",
            "{ at: 2s, page: { fullscreen: false } }",
            "{ at: 3s, user: fullscreen }",
        ],
        watched: &["fullscreenchange"],
        default: "fullscreenchange fullscreenchange fullscreenchange",
        literal: "fullscreenchange",
    },
    Row {
        sentence: "toggleFullScreen(): Puts the player into fullscreen",
        knob: "fullscreen.toggle",
        more: "",
        steps: &[
            INIT,
            "{ at: 1s, do: toggleFullScreen }",
            "{ at: 2s, do: toggleFullScreen }",
            "{ at: 3s, read: isFullScreen }",
        ],
        watched: &["toggleFullScreen()", "isFullScreen()"],
        default: "toggleFullScreen()=true toggleFullScreen()=false isFullScreen()=false",
        literal: "toggleFullScreen()=true toggleFullScreen()=true isFullScreen()=true",
    },
    Row {
        sentence: "src(source): must be called inside a ready callback",
        knob: "src.strict",
        more: "",
        steps: &[INIT, "{ at: 1s, do: { src: other.mp4 } }"],
        watched: &["~src_outside_ready", "src()"],
        default: "src() ~src_outside_ready",
        literal: "src()!src_outside_ready",
    },
    Row {
        sentence: "GoogleAnalytics.fireCustom(category, action): only inside a ready callback",
        knob: "ga.strict",
        more: "",
        steps: &[
            INIT,
            "{ at: 1s, do: { GoogleAnalytics.fireCustom: [player, late] } }",
        ],
        watched: &["~ga_outside_ready", "GoogleAnalytics.fireCustom()"],
        default: "GoogleAnalytics.fireCustom() ~ga_outside_ready",
        literal: "GoogleAnalytics.fireCustom()!ga_outside_ready",
    },
    Row {
        sentence: "Player embed configuration: id, width, height, video are strings",
        knob: "init.strict_types",
        more: "",
        steps: &[
            "{ at: 0s, init: { div: player, config: { id: 7, width: \"640\", height: \"360\", video: v1 } } }",
        ],
        watched: &["ready"],
        default: "ready",
        literal: "",
    },
    Row {
        sentence: "width, height: required, yes for a player",
        knob: "init.missing_size",
        more: "",
        steps: &["{ at: 0s, init: { div: player, config: { id: p, video: v1 } } }"],
        watched: &["ready", "~config_missing:width", "~config_missing:height"],
        default: "~config_missing:width ~config_missing:height ready",
        literal: "~config_missing:width ~config_missing:height",
    },
    Row {
        sentence: "The container is an element with an id and the class <player_class>",
        knob: "init.no_class",
        more: "page: { containers: [{ id: player, player_class: false }] }",
        steps: &[INIT],
        watched: &["ready", "~no_class"],
        default: "~no_class ready",
        literal: "~no_class",
    },
    Row {
        sentence: "An array of event names is accepted by on",
        knob: "bus.array_everywhere",
        more: "listeners: { L: [currentTime] }",
        steps: &[
            INIT,
            "{ at: 1s, do: { on: [[pause, stopped], L] } }",
            "{ at: 2s, do: { once: [[pause, stopped], L] } }",
        ],
        watched: &["on()", "once()"],
        default: "on() once()",
        literal: "on() once()!bad_argument",
    },
    Row {
        sentence: "adTimeType | string | required: yes",
        knob: "ad.time_type_required",
        more: "",
        steps: &[
            INIT,
            "{ at: 1s, do: { setAd: { adType: 0, mobile: [https://ads.test/a] } } }",
            "{ at: 2s, do: play }",
        ],
        watched: &["setAd()", "adStart"],
        default: "setAd() adStart",
        literal: "setAd()!bad_ad",
    },
    Row {
        sentence: "pushAds(): Calls the pre-roll ads defined for the player",
        knob: "push_ads.source",
        more: "player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }",
        steps: &[
            "{ at: 0s, init: { div: player, config: { id: p, width: \"640\", height: \"360\", video: own } } }",
            PLAY,
            "{ at: 1s, do: pushAds }",
        ],
        watched: &["requestAd", "adStart", "start", "pushAds()"],
        default: "requestAd start pushAds() requestAd",
        literal: "requestAd start pushAds() requestAd adStart",
    },
    Row {
        sentence: "adFirstQuartile: 25% of an ad has been viewed",
        knob: "overlay.quartiles",
        more: "player: { ads: [{ adType: 3, adTimeType: s, overlayStartAt: 1, overlayDuration: 1, mobile: [https://ads.test/over] }] }",
        steps: &[INIT, PLAY],
        watched: &[
            "adStart",
            "adFirstQuartile",
            "adMidpoint",
            "adThirdQuartile",
            "adComplete",
        ],
        default: "adStart adComplete",
        literal: "adStart adFirstQuartile adMidpoint adThirdQuartile adComplete",
    },
    Row {
        sentence: "isReady, playlistLength, currentIndex, isFullScreen are properties",
        knob: "compat.property_calls",
        more: "",
        steps: &[INIT, "{ at: 1s, do: { playlistLength: [] } }"],
        watched: &["playlistLength()", "~property_called"],
        default: "playlistLength()=1 ~property_called",
        literal: "playlistLength()!property_called",
    },
];

fn play(row: &Row, settings: &str) -> Trace {
    let vast = "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
                <Impression>https://t.test/i</Impression><Creatives><Creative><UniversalAdId idRegistry='r'>u</UniversalAdId>\
                <Linear><Duration>00:00:01</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' \
                width='640' height='360'>https://m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives>\
                </InLine></Ad></VAST>";
    let overlay = "<VAST version='4.2'><Ad id='o'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
                   <Impression>https://t.test/i</Impression><Creatives><Creative><NonLinearAds>\
                   <NonLinear width='300' height='50'><StaticResource creativeType='image/png'>\
                   https://m.test/o.png</StaticResource></NonLinear></NonLinearAds></Creative></Creatives>\
                   </InLine></Ad></VAST>";
    let mut text = format!(
        "{settings}\n{}\n\
         videos:\n\
         \x20 - {{ id: v1, renditions: {{ sd: film.mp4 }} }}\n\
         \x20 - {{ id: slow, renditions: {{ sd: slow.mp4 }} }}\n\
         \x20 - {{ id: own, renditions: {{ sd: film.mp4 }}, ads: [{{ adType: 0, adTimeType: s, mobile: [https://ads.test/none] }}] }}\n\
         media:\n\
         \x20 film.mp4: {{ duration: 3s }}\n\
         \x20 slow.mp4: {{ duration: 3s, bitrate: 1000, bandwidth: [{{ at: 0s, bps: 2500 }}], stalls: [{{ at: 2s, for: 1s }}] }}\n\
         \x20 default: {{ duration: 1s }}\n\
         network:\n\
         \x20 https://ads.test/a: {{ text: \"{vast}\" }}\n\
         \x20 https://ads.test/none: {{ text: \"<VAST version='4.2'/>\" }}\n\
         \x20 https://ads.test/over: {{ text: \"{overlay}\" }}\n\
         steps:\n",
        row.more
    );
    for step in row.steps {
        text.push_str(&format!("  - {step}\n"));
    }
    let mut load = |name: &str| panic!("{name} is not to be read");
    let scenario = scenario::read("row.yaml", &text, &mut load)
        .unwrap_or_else(|error| panic!("{}\n{text}{error}", row.knob));
    Simulation::new(&scenario).expect("it can be played").run()
}

/// The observed lines, in order.
fn seen(row: &Row, trace: &Trace) -> String {
    let mut words = Vec::new();
    for record in &trace.records {
        let name = &*record.name;
        let word = if record.kind == Kind::Event {
            name.to_owned()
        } else if record.kind == Kind::Diag {
            format!("~{name}")
        } else if record.kind == Kind::Call {
            match (
                record.data.get("returns"),
                record.data.get("error").and_then(Value::as_text),
            ) {
                (_, Some(code)) => format!("{name}()!{code}"),
                (Some(value), None) => format!("{name}()={value}"),
                (None, None) => format!("{name}()"),
            }
        } else {
            continue;
        };
        let known = word.split(['=', '!']).next().unwrap_or_default();
        if row.watched.contains(&known) {
            words.push(word);
        }
    }
    words.join(" ")
}

#[test]
fn each_sentence_is_taken_literally() {
    let value = |knob: &str| {
        Profile::Literal
            .differences()
            .find(|(name, _)| *name == knob)
            .map_or("?", |(_, value)| value)
    };
    let mut wrong = Vec::new();
    for row in ROWS {
        let alone = format!("knobs: {{ {}: {} }}", row.knob, value(row.knob));
        for (settings, due) in [
            ("", row.default),
            (&*alone, row.literal),
            ("profile: literal", row.literal),
        ] {
            let found = seen(row, &play(row, settings));
            if found != due {
                wrong.push(format!(
                    "{} ({})\n  with [{settings}]: {found}\n  due: {due}",
                    row.sentence, row.knob
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_knob_of_the_profile_has_a_sentence_that_it_follows() {
    let shown: BTreeSet<&str> = ROWS.iter().map(|row| row.knob).collect();
    let set: BTreeSet<&str> = Profile::Literal
        .differences()
        .map(|(knob, _)| knob)
        .collect();
    assert_eq!(shown, set);
}

#[test]
fn the_list_of_tags_of_the_sample_is_a_list_of_tags() {
    let row = Row {
        sentence: "The sample ad object names the tag-list property adTagUrl",
        knob: "ad.adTagUrl",
        more: "player: { ads: [{ adType: 0, adTimeType: s, adTagUrl: [https://ads.test/a] }] }",
        steps: &[INIT, PLAY],
        watched: &["requestAd", "adStart"],
        default: "requestAd adStart",
        literal: "requestAd adStart",
    };
    assert_eq!(seen(&row, &play(&row, "profile: literal")), row.literal);
}
