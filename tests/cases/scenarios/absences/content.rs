//! Rules about the content.

use playsim::api::{EventName, Outcome};
use playsim::trace::Record;

use super::Absence;
use super::support::{events, expect, film, play, still, story};

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "play_while_playing_does_nothing",
        rules: &["PLAY-2", "PLAY-3"],
        check: play_while_playing_does_nothing,
    },
    Absence {
        name: "media events at one instant have an order",
        rules: &["CLK-3"],
        check: one_instant_of_media,
    },
    Absence {
        name: "the end has the only time update of its instant",
        rules: &["MEL-16"],
        check: time_updates_to_the_end,
    },
    Absence {
        name: "data that arrive during a pause change no state",
        rules: &["PAUSE-6"],
        check: data_in_a_pause,
    },
    Absence {
        name: "calendar time counts from the epoch",
        rules: &["CLK-10"],
        check: calendar_time,
    },
    Absence {
        name: "stop() keeps the index, or returns to the first item",
        rules: &["STOP-9"],
        check: index_after_stop,
    },
    Absence {
        name: "each load plays its own media, and the last repeat",
        rules: &["MEL-28"],
        check: media_of_each_load,
    },
    Absence {
        name: "an old gesture lets content play only if activation is sticky",
        rules: &["PLAY-22"],
        check: old_gesture,
    },
    Absence {
        name: "page code that goes round in a circle is stopped early, and the lines of the circle are named",
        rules: &["CLK-6"],
        check: circles,
    },
    Absence {
        name: "what goes round in any way is stopped after some thousand tasks",
        rules: &["CLK-6"],
        check: endless_loops,
    },
    Absence {
        name: "page code that causes itself a thousand times goes on",
        rules: &["CLK-6"],
        check: a_long_chain,
    },
];

const ONE_FILM: &str = r#"
videos: [{ id: v1, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 2s } }
"#;

/// Two that trigger each other at one instant; one that loads again as soon as the film can play;
/// and one whose acts come with a delay of nothing.
fn circles() -> Result<(), String> {
    let element = "media: { film.mp4: { duration: 2s, metadata_after: 3us } }\n\
        steps:\n  - { at: 0s, init: { div: e, element: { src: film.mp4, preload: auto } } }\n  ";
    let cases = [
        (
            "- { on: play, do: pause }\n  - { on: pause, do: play }\n  - { at: 1s, do: play }\n",
            "call pause, event pause, listener pause, call play, event play, listener play",
        ),
        (
            "- { on: canplaythrough, do: load }\n",
            "call load, net request, net response, event canplaythrough, listener canplaythrough",
        ),
        (
            "- { on: play, after: 0s, do: pause }\n  - { on: pause, after: 0s, do: play }\n  - { at: 1s, do: play }\n",
            "call pause, event pause, call play, event play",
        ),
    ];
    for (steps, due) in cases {
        let trace = play(&format!("{element}{steps}"));
        let without_numbers = |circle: String| {
            let lines = circle
                .split(", ")
                .map(|line| line.split_once(' ').map_or(line, |it| it.1));
            lines.collect::<Vec<_>>().join(", ")
        };
        let circle = trace.circle().map(without_numbers).unwrap_or_default();
        // It may be seen at either of the two.
        if circle.len() != due.len() || !format!("{due}, {due}").contains(&circle) {
            return Err(format!("expected {due}, found {circle}"));
        }
    }
    Ok(())
}

/// Page code whose acts are more with each turn, whose turns are long, and loops without page code.
fn endless_loops() -> Result<(), String> {
    const MOST: usize = 1 << 14;
    let player = "videos: [{ id: v1, renditions: { sd: film.mp4 } }, { id: v2, renditions: { sd: film.mp4 } }]\n";
    let init = |of: &str, steps: &str| {
        format!(
            "{player}steps:\n  \
             - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: '640', height: '360', {of} }} }} }}\n{steps}"
        )
    };
    let element = |attributes: &str, steps: &str| {
        format!(
            "steps:\n  - {{ at: 0s, init: {{ div: e, element: {{ src: film.mp4, {attributes} }} }} }}\n{steps}"
        )
    };
    let film = |media: &str| format!("media: {{ film.mp4: {{ {media} }} }}\n");
    let cases = [
        (
            "two changes of the volume at each",
            "listeners: { two: [{ volume: 0.5 }, { volume: 1 }] }\n".to_owned()
                + &film("duration: 9s")
                + &init(
                    "video: v1",
                    "  - { at: 0s, do: { on: [volumechange, two] } }\n  - { at: 1s, do: { volume: 0.1 } }\n",
                ),
        ),
        (
            "two seeks at each",
            "listeners: { two: [{ currentTime: 2 }, { currentTime: 3 }] }\n".to_owned()
                + &film("duration: 9s")
                + &element(
                    "preload: auto",
                    "  - { at: 0s, do: { on: [seeking, two] } }\n  - { at: 1s, do: { currentTime: 1 } }\n",
                ),
        ),
        (
            "a film without length, played at its end",
            film("duration: 0s")
                + &init(
                    "video: v1",
                    "  - { on: ready, do: play }\n  - { on: ended, do: play }\n",
                ),
        ),
        (
            "a list of films without length, played at its end",
            film("duration: 0s")
                + &init(
                    "playlist: [v1, v2, v1, v2, v1, v2]",
                    "  - { on: ready, do: play }\n  - { on: playlistComplete, do: play }\n",
                ),
        ),
        (
            "a film that fails, loaded again",
            film("fails: { how: network }")
                + &element("preload: auto", "  - { on: error, do: load }\n"),
        ),
        (
            "an ad tag that fails, asked again",
            film("duration: 9s")
                + &init(
                    "video: v1",
                    "  - { on: adError, do: { playAd: https://ads.test/x } }\n  - { at: 1s, do: { playAd: https://ads.test/x } }\n",
                ),
        ),
        (
            "the user in a listener",
            film("duration: 9s")
                + &init(
                    "video: v1",
                    "  - { on: fullscreenchange, user: fullscreen }\n  - { at: 1s, user: fullscreen }\n",
                ),
        ),
        (
            "a film without length in a loop",
            film("duration: 0s") + &element("autoplay: true, loop: true, muted: true", ""),
        ),
        (
            "a film of a microsecond in a loop",
            film("duration: 1us") + &element("autoplay: true, loop: true, muted: true", ""),
        ),
    ];
    for (name, text) in cases {
        let trace = play(&text);
        let tasks = trace.events().count();
        if trace.outcome() != Some(Outcome::Livelock) || tasks > MOST {
            return Err(format!("{name}: {:?} after {tasks} tasks", trace.outcome()));
        }
        if trace.circle().is_none() {
            return Err(format!("{name}: no lines that go round"));
        }
    }
    Ok(())
}

/// A listener that changes the volume nine hundred times is no livelock.
fn a_long_chain() -> Result<(), String> {
    let calls: Vec<String> = (0..900)
        .map(|nth| format!("[{{ volume: {} }}]", if nth % 2 == 0 { 1 } else { 0 }))
        .collect();
    let trace = play(&format!(
        "listeners: {{ fade: {{ calls: [{}], then: [] }} }}\n\
         steps:\n  - {{ at: 0s, init: {{ div: e, element: {{}} }} }}\n  \
         - {{ at: 0s, do: {{ on: [volumechange, fade] }} }}\n  - {{ at: 1s, do: {{ volume: 0 }} }}\n",
        calls.join(", ")
    ));
    let changes = trace
        .events()
        .filter(|event| event.name == EventName::VolumeChange);
    match changes.count() {
        901 if !trace.is_cut_short() => Ok(()),
        count => Err(format!("{count} changes, {:?}", trace.outcome())),
    }
}

fn media_of_each_load() -> Result<(), String> {
    let trace = play(
        r#"
videos: [{ id: v1, renditions: { sd: film.mp4 } }]
media: { film.mp4: [{ fails: { how: network } }, { duration: 2s }, { duration: 3s }] }
steps:
  - { at: 0s, init: { div: e, element: { src: film.mp4 } } }
  - { at: 1s, do: load }
  - { at: 1500ms, read: duration }
  - { at: 2s, init: { div: f, element: { src: film.mp4 } } }
  - { at: 2500ms, player: f, read: duration }
  - { at: 3s, do: load }
  - { at: 3500ms, read: duration }
"#,
    );
    let errors = events(&trace)
        .iter()
        .filter(|name| **name == "error")
        .count();
    let readings = trace.records.iter().filter(|it| &*it.name == "duration");
    let lengths: Vec<i64> = readings
        .filter_map(|record| record.data.integer("returns"))
        .collect();
    expect(
        errors == 1 && lengths == [2, 3, 3],
        "an error, then films of 2, 3 and 3 s",
        &trace,
    )
}

fn play_while_playing_does_nothing() -> Result<(), String> {
    let trace = play(&format!(
        r#"{ONE_FILM}
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "1", height: "1", video: v1 }} }} }}
  - {{ on: ready, do: play }}
  - {{ at: 500ms, do: play }}
"#
    ));
    let plays = events(&trace)
        .iter()
        .filter(|name| **name == "play")
        .count();
    let call = trace
        .records
        .iter()
        .find(|record| &*record.name == "play" && record.at.micros() == 500_000);
    let returns = call.and_then(|call| call.data.get("returns"));
    expect(
        plays == 1 && call.is_some() && returns.is_none(),
        "one play event, and nothing returned",
        &trace,
    )
}

fn index_after_stop() -> Result<(), String> {
    for (value, due) in [("keep", "1"), ("first", "0")] {
        let trace = play(&format!(
            r#"
knobs: {{ playlist.after_stop: {value} }}
videos: [{{ id: v1, renditions: {{ sd: film.mp4 }} }}, {{ id: v2, renditions: {{ sd: film.mp4 }} }}]
media: {{ film.mp4: {{ duration: 2s }} }}
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "1", height: "1", playlist: [v1, v2] }} }} }}
  - {{ at: 1s, do: {{ playByIndex: 1 }} }}
  - {{ at: 2s, do: stop }}
  - {{ at: 3s, read: currentIndex }}
"#
        ));
        let read = trace
            .records
            .iter()
            .find(|record| &*record.name == "currentIndex");
        let read = read
            .and_then(|record| record.data.get("returns"))
            .map(ToString::to_string);
        expect(
            read.as_deref() == Some(due),
            &format!("index {due} with {value}"),
            &trace,
        )?;
    }
    Ok(())
}

fn old_gesture() -> Result<(), String> {
    for (value, plays) in [("sticky", 1), ("transient", 0)] {
        let trace = play(&format!(
            r#"{ONE_FILM}
knobs: {{ activation.play: {value} }}
page: {{ gesture_policy: required }}
player: {{ ads: [{{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }}] }}
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "1", height: "1", video: v1 }} }} }}
  - {{ at: 1s, user: gesture }}
  - {{ at: 7s, do: play }}
"#
        ));
        let found = events(&trace)
            .iter()
            .filter(|name| **name == "start")
            .count();
        expect(
            found == plays,
            &format!("{plays} start events with {value}"),
            &trace,
        )?;
    }
    Ok(())
}

fn one_instant_of_media() -> Result<(), String> {
    let trace = play(&film("{ at: 4s, read: currentTime }"));
    let at =
        |record: &&Record| record.at.micros() == 2_000_000 || record.until().micros() == 2_000_000;
    let names: Vec<&str> = trace
        .records
        .iter()
        .filter(at)
        .map(|record| &*record.name)
        .collect();
    expect(
        names == ["timeupdate", "chapter", "lastSecond"],
        "time update, chapter, lastSecond",
        &trace,
    )
}

fn time_updates_to_the_end() -> Result<(), String> {
    let trace = play(&film("{ at: 4s, read: currentTime }"));
    let count = trace
        .events()
        .filter(|event| event.name == EventName::TimeUpdate)
        .count();
    expect(count == 12, "twelve time updates in 3 s", &trace)
}

fn data_in_a_pause() -> Result<(), String> {
    let text = film("{ at: 500ms, do: pause }\n{ at: 2s, read: currentTime }");
    let trace = play(&text.replace("duration: 3s", "duration: 3s, metadata_after: 1s"));
    let reported = story(&trace);
    let due =
        "@0 ready play @0.35 progress @0.5 timeupdate pause @1 loadedmetadata @2 currentTime=0";
    expect(
        reported == due
            && trace
                .records
                .iter()
                .all(|record| &*record.name != "playing"),
        due,
        &trace,
    )
}

fn calendar_time() -> Result<(), String> {
    let more = "page: { epoch: 2026-01-01T00:00:00Z }\nplayer: { ads: [{ adType: 0, mobile: [\"https://ads.test/?t=[TIMESTAMP]\"] }] }";
    let trace = play(&still(
        more,
        "{ at: 1500ms, do: play }\n{ at: 2s, do: stop }",
    ));
    let has = |record: &Record| {
        record
            .data
            .to_string()
            .contains("t=2026-01-01T00%3A00%3A01.500Z")
    };
    expect(
        trace.records.iter().any(has),
        "the instant of the request in its URL",
        &trace,
    )
}
