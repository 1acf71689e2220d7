//! Rules about queue arrays and outstream units, on pages with several of them.

use super::Absence;
use super::support::{expect_trace, traces};

/// A unit with one tag that responds after 200 ms, and these additional fields and steps.
fn unit(more: &str, answer: &str, steps: &str) -> String {
    let init = "{ outstream: true, div: unit, config: { id: u, width: \"1\", height: \"1\" } }";
    let steps: String = steps
        .lines()
        .map(|line| format!("  - {}\n", line.trim()))
        .collect();
    format!(
        "page: {{ containers: [unit] }}\nmedia: {{ spot.mp4: {{ duration: 4s }} }}\n\
         network: {{ https://ads.test/a: {{ after: 200ms, text: \"{answer}\" }} }}\n\
         player: {{ ads: [{{ adType: 0, mobile: [https://ads.test/a] }}] }}\n{more}\n\
         steps:\n  - {{ at: 0s, init: {init} }}\n{steps}"
    )
}

const SPOT: &str = "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'>\
    <Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>\
    spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

const QUEUES: &str = r#"
page: { containers: [a, b, c, d], script_after: 1s }
videos: [{ id: v1, name: One, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 3s } }
listeners:
  L: [{ queue: { _player_queue: { div: c, obj: { id: p3, width: "1", height: "1", video: v1 }, onReady: M } } }]
  M: [getTitle]
steps:
  - { at: 0s, queue: { _player_queue: { div: a, obj: { id: p1, width: "1", height: "1", video: v1 }, onReady: L } } }
  - { at: 0s, queue: { _player_queue: { div: b, obj: { id: p2, width: "1", height: "1", video: v1 }, onReady: M } } }
  - { at: 2s, queue: { _player_queue: { div: d, obj: { id: p4, width: "1", height: "1", video: v1 } } } }
"#;

pub(crate) const ALL: &[Absence] = traces![
    (
        "entries are handled in the order of their pushes, those pushed in onReady last",
        ["QUEUE-2", "QUEUE-3", "QUEUE-6"],
        QUEUES,
        r#"@0 _player_queue.push=1 _player_queue.push=2 @1 _player_queue.push=1 a.ready b.getTitle="One" b.ready c.getTitle="One" c.ready a.loadedmetadata b.loadedmetadata c.loadedmetadata @2 _player_queue.push=1 d.ready d.loadedmetadata"#
    ),
    (
        "a unit fires the events of ads and no others",
        ["OUT-3", "OUT-4", "OUT-5", "OUT-6", "EV-4"],
        unit("", SPOT, "{ at: 1s, user: mute }"),
        r#"@0 unit.ready unit.requestAd @0.2 unit.beforeStart unit.adImpression unit.adStart @1 unit.mutechange @1.2 unit.adFirstQuartile @2.2 unit.adMidpoint @3.2 unit.adThirdQuartile @4.2 unit.adComplete unit.adEnd unit.destroyBefore"#
    ),
    (
        "a unit ends when its ad is skipped",
        ["OUT-4", "OUT-6"],
        unit("", SPOT, "{ at: 2s, user: skip }"),
        r#"@0 unit.ready unit.requestAd @0.2 unit.beforeStart unit.adImpression unit.adStart @1.2 unit.adFirstQuartile @2 unit.adSkip unit.adEnd unit.destroyBefore"#
    ),
    (
        "a unit that nothing fills fires adError and is removed",
        ["OUT-7"],
        unit("", "<VAST version='4.2'/>", "{ at: 1s, do: isReady }"),
        r#"@0 unit.ready unit.requestAd @0.2 unit.adError unit.adEnd unit.destroyBefore @1 unit.isReady!destroyed"#
    ),
    (
        "scrolling pauses a unit's ad, and undoes only its own pause",
        ["OUT-10", "EV-33", "EV-34"],
        unit(
            "",
            SPOT,
            "{ at: 1s, page: { in_view: 40 } }\n{ at: 2s, page: { in_view: 60 } }\n{ at: 2500ms, do: pause }\n{ at: 3s, page: { in_view: 0 } }\n{ at: 4s, page: { in_view: 100 } }\n{ at: 5s, user: play }\n{ at: 5s, do: { destroy: false } }"
        ),
        r#"@0 unit.ready unit.requestAd @0.2 unit.beforeStart unit.adImpression unit.adStart @1 unit.adPause @2 unit.adResume @2.2 unit.adFirstQuartile @2.5 unit.adPause @5 unit.adResume unit.destroyBefore"#
    ),
    (
        "an ad on command is the unit's break, filled or not",
        ["OUT-6", "OUT-9", "PA-3"],
        unit(
            "listeners: { L: [{ playAd: \"https://ads.test/a\" }, play] }",
            SPOT,
            "{ on: ready, do: { playAd: { adType: 3, adTimeType: s, mobile: [https://ads.test/a] } } }\n{ on: ready, do: play }\n{ at: 1s, do: { playAd: \"https://ads.test/a\" } }"
        ),
        r#"@0 unit.ready ~ad_busy unit.requestAd @0.2 unit.beforeStart unit.adImpression unit.adStart @1 ~ad_busy @1.2 unit.adFirstQuartile @2.2 unit.adMidpoint @3.2 unit.adThirdQuartile @4.2 unit.adComplete unit.adEnd unit.destroyBefore"#
    ),
];
