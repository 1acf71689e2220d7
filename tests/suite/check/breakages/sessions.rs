//! Breakages of traces of playsim, and of recordings made of these.

use serde_json::json;

use super::Change::{Again, Moved, Other, Url, Without};
use super::What::{L, T};
use super::more::media;
use super::*;

pub(super) const BREAKAGES: &[Breakage] = &[
    (
        "the film is not there, and the code is 999",
        MADE_404,
        Url(T("error"), "401", "999"),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is empty",
        MADE_404,
        Url(T("error"), "401", ""),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is undefined",
        MADE_404,
        Url(T("error"), "401", "undefined"),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is -1",
        MADE_404,
        Url(T("error"), "401", "-1"),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is 402",
        MADE_404,
        Url(T("error"), "401", "402"),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is [ERRORCODE]",
        MADE_404,
        Url(T("error"), "401", "[ERRORCODE]"),
        &["TRK-9"],
    ),
    (
        "the film is not there, and the code is 301",
        MADE_404,
        Url(T("error"), "401", "301"),
        &["TRK-9"],
    ),
    (
        "adError says 401, and the URL 402",
        OWN_404,
        Url(T("error"), "401", "402"),
        &["TRK-9"],
    ),
    (
        "adError says 401, and the URL 303",
        OWN_404,
        Url(T("error"), "401", "303"),
        &["TRK-9"],
    ),
    (
        "the root error is not called",
        MADE_EMPTY,
        Without(T("error")),
        &["TRK-10"],
    ),
    (
        "the root error is not called",
        OWN_EMPTY,
        Without(T("error")),
        &["TRK-10"],
    ),
    (
        "the root error has a code of the media",
        MADE_EMPTY,
        Url(T("error"), "303", "405"),
        &["TRK-9"],
    ),
    (
        "content goes on at its start after the mid-roll",
        MADE_MID,
        Other(|lines| {
            for index in nth(lines, "event", "adComplete", 0)..lines.len() {
                let line = &mut lines[index];
                if line["kind"] == "media" {
                    line["data"]["position"] = 0.into();
                }
            }
        }),
        &["BRK-17"],
    ),
    (
        "content goes on at its start after the mid-roll",
        OWN_MID,
        Other(|lines| {
            let place = nth(lines, "media", "playing", 1);
            lines[place]["data"]["position"] = 0.into();
        }),
        &["INV-15", "BRK-17"],
    ),
    (
        "no end after a post-roll",
        MADE_POST,
        Other(|lines| {
            let place = nth(lines, "event", "ended", 0);
            remove(lines, place);
            let mut last = lines.last().cloned().expect("a line");
            last["t"] = (at(&last) + 5_000_000).into();
            last["kind"] = "page".into();
            last["name"] = "hidden".into();
            last["data"] = json!({});
            lines.push(last);
        }),
        &["END-1", "SCR-3"],
    ),
    (
        "a seek lands 3 s short",
        OWN_SEEK,
        Other(|lines| {
            let place = nth(lines, "media", "seeking", 0);
            let now = lines[place]["data"]["position"]
                .as_f64()
                .expect("a position");
            lines[place]["data"]["position"] = (now - 3.0).into();
        }),
        &["TIME-2"],
    ),
    (
        "seeked does not fire",
        OWN_SEEK,
        Without(L("event", "seeked", 0)),
        &["TIME-11"],
    ),
    (
        "impression is missing",
        OWN_PRE,
        Without(T("impression?")),
        &["TRK-2", "TRK-8"],
    ),
    (
        "start is missing",
        OWN_PRE,
        Without(T("start?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "firstQuartile is missing",
        OWN_PRE,
        Without(T("firstQuartile?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "midpoint is missing",
        OWN_PRE,
        Without(T("midpoint?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "thirdQuartile is missing",
        OWN_PRE,
        Without(T("thirdQuartile?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "complete is missing",
        OWN_PRE,
        Without(T("complete?")),
        &["TRK-3", "TRK-8", "TRK-12"],
    ),
    (
        "impression twice",
        OWN_PRE,
        Again(T("impression?"), 0),
        &["TRK-1"],
    ),
    ("start twice", OWN_PRE, Again(T("start?"), 0), &["TRK-1"]),
    (
        "midpoint twice",
        OWN_PRE,
        Again(T("midpoint?"), 0),
        &["TRK-1"],
    ),
    (
        "complete twice",
        OWN_PRE,
        Again(T("complete?"), 0),
        &["TRK-1"],
    ),
    (
        "creativeView is missing",
        OWN_PRE,
        Without(T("creativeView?")),
        &["TRK-11"],
    ),
    (
        "midpoint a second early",
        OWN_PRE,
        Moved(T("midpoint?"), -900_000),
        &["TRK-6"],
    ),
    (
        "impression is missing",
        MADE_PRE,
        Without(T("impression?")),
        &["TRK-2", "TRK-8"],
    ),
    (
        "start is missing",
        MADE_PRE,
        Without(T("start?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "firstQuartile is missing",
        MADE_PRE,
        Without(T("firstQuartile?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "midpoint is missing",
        MADE_PRE,
        Without(T("midpoint?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "thirdQuartile is missing",
        MADE_PRE,
        Without(T("thirdQuartile?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "complete is missing",
        MADE_PRE,
        Without(T("complete?")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "impression twice",
        MADE_PRE,
        Again(T("impression?"), 0),
        &["TRK-1"],
    ),
    ("start twice", MADE_PRE, Again(T("start?"), 0), &["TRK-1"]),
    (
        "midpoint twice",
        MADE_PRE,
        Again(T("midpoint?"), 0),
        &["TRK-1"],
    ),
    (
        "complete twice",
        MADE_PRE,
        Again(T("complete?"), 0),
        &["TRK-1"],
    ),
    (
        "creativeView is missing",
        MADE_PRE,
        Without(T("creativeView?")),
        &["TRK-11"],
    ),
    (
        "midpoint a second early",
        MADE_PRE,
        Moved(T("midpoint?"), -900_000),
        &["TRK-6"],
    ),
    (
        "skip is not called",
        OWN_SKIP,
        Without(T("skip?")),
        &["TRK-12"],
    ),
    (
        "the ad is skipped before it may be",
        OWN_SKIP,
        Other(|lines| {
            for (kind, name) in [("user", "skip"), ("event", "adSkip"), ("event", "adEnd")] {
                let place = nth(lines, kind, name, 0);
                moved(lines, place, -1_700_000);
            }
            let place = tracker(lines, "skip?", 0);
            moved(lines, place, -1_700_000);
        }),
        &["TRK-14"],
    ),
    (
        "skip is not called",
        MADE_SKIP,
        Without(T("skip?")),
        &["TRK-12"],
    ),
    (
        "the ad is skipped before it may be",
        MADE_SKIP,
        Other(|lines| {
            for (kind, name) in [("user", "skip"), ("event", "adSkip"), ("event", "adEnd")] {
                let place = nth(lines, kind, name, 0);
                moved(lines, place, -1_700_000);
            }
            let place = tracker(lines, "skip?", 0);
            moved(lines, place, -1_700_000);
        }),
        &["TRK-14"],
    ),
    (
        "mute is not called",
        OWN_MUTE,
        Without(T("/mute?")),
        &["TRK-12"],
    ),
    (
        "unmute is not called",
        OWN_MUTE,
        Without(T("unmute?")),
        &["TRK-12"],
    ),
    (
        "mutechange twice",
        OWN_MUTE,
        Again(L("event", "mutechange", 0), 0),
        &["MUTE-2", "INV-17"],
    ),
    (
        "mute is not called",
        MADE_MUTE,
        Without(T("/mute?")),
        &["TRK-12"],
    ),
    (
        "unmute is not called",
        MADE_MUTE,
        Without(T("unmute?")),
        &["TRK-12"],
    ),
    (
        "mutechange twice",
        MADE_MUTE,
        Again(L("event", "mutechange", 0), 0),
        &["MUTE-2", "INV-17"],
    ),
    (
        "mutechange does not fire",
        OWN_MUTE,
        Without(L("event", "mutechange", 1)),
        &["MUTE-2"],
    ),
    (
        "the click is not counted",
        OWN_CLICK,
        Without(T("/click?")),
        &["TRK-12"],
    ),
    (
        "the click is not counted",
        MADE_CLICK,
        Without(T("/click?")),
        &["TRK-12"],
    ),
    (
        "pause is not called",
        OWN_PAUSE,
        Without(T("/pause?")),
        &["TRK-12", "TRK-7"],
    ),
    (
        "resume is not called",
        OWN_PAUSE,
        Without(T("/resume?")),
        &["TRK-12"],
    ),
    (
        "pause is not called",
        MADE_PAUSE,
        Without(T("/pause?")),
        &["TRK-12", "TRK-7"],
    ),
    (
        "resume is not called",
        MADE_PAUSE,
        Without(T("/resume?")),
        &["TRK-12"],
    ),
    (
        "adPause twice",
        OWN_PAUSE,
        Again(L("event", "adPause", 0), 0),
        &["INV-14"],
    ),
    (
        "adResume without adPause",
        MADE_PAUSE,
        Without(L("event", "adPause", 0)),
        &["INV-14"],
    ),
    (
        "impression of the overlay twice",
        OWN_OVERLAY,
        Again(T("impression?"), 0),
        &["TRK-1"],
    ),
    (
        "impression of the overlay is missing",
        OWN_OVERLAY,
        Without(T("impression?")),
        &["TRK-2"],
    ),
    (
        "start of the overlay twice",
        OWN_OVERLAY,
        Again(T("start?"), 0),
        &["TRK-1"],
    ),
    (
        "impression of the overlay after its start",
        OWN_OVERLAY,
        Moved(T("impression?"), 300_000),
        &["TRK-2"],
    ),
    (
        "impression of the overlay twice",
        MADE_OVERLAY,
        Again(T("impression?"), 0),
        &["TRK-1"],
    ),
    (
        "impression of the overlay is missing",
        MADE_OVERLAY,
        Without(T("impression?")),
        &["TRK-2"],
    ),
    (
        "start of the overlay twice",
        MADE_OVERLAY,
        Again(T("start?"), 0),
        &["TRK-1"],
    ),
    (
        "impression of the overlay after its start",
        MADE_OVERLAY,
        Moved(T("impression?"), 300_000),
        &["TRK-2"],
    ),
    (
        "start of the overlay is missing",
        MADE_OVERLAY,
        Without(T("start?")),
        &["TRK-3", "TRK-11"],
    ),
    (
        "the overlay has no adEnd",
        OWN_OVERLAY,
        Without(L("event", "adEnd", 0)),
        &["INV-11"],
    ),
    (
        "the overlay has no adEnd",
        MADE_OVERLAY,
        Other(|lines| {
            let place = nth(lines, "event", "adEnd", 0);
            remove(lines, place);
            let mut last = lines.last().cloned().expect("a line");
            last["t"] = (at(&last) + 20_000_000).into();
            last["kind"] = "page".into();
            last["name"] = "hidden".into();
            last["data"] = json!({});
            lines.push(last);
        }),
        &["BRK-10"],
    ),
    (
        "the view of a companion is not called",
        OWN_COMPANION,
        Other(|lines| {
            let shown = nth(lines, "ui", "companion", 0);
            let next = (shown..lines.len())
                .find(|index| {
                    let line = &lines[*index];
                    (line["kind"] == "beacon" || is(line, "net", "request"))
                        && line["data"]["url"]
                            .as_str()
                            .is_some_and(|url| url.to_lowercase().contains("view"))
                })
                .expect("a view");
            remove(lines, next);
        }),
        &["TRK-13", "TRK-8", "TRK-11"],
    ),
    (
        "the view of a companion is not called",
        MADE_COMPANION,
        Other(|lines| {
            let shown = nth(lines, "ui", "companion", 0);
            let next = (shown..lines.len())
                .find(|index| {
                    let line = &lines[*index];
                    (line["kind"] == "beacon" || is(line, "net", "request"))
                        && line["data"]["url"]
                            .as_str()
                            .is_some_and(|url| url.to_lowercase().contains("view"))
                })
                .expect("a view");
            remove(lines, next);
        }),
        &["TRK-13", "TRK-8", "TRK-11"],
    ),
    (
        "fullscreenchange twice",
        OWN_FULL,
        Again(L("event", "fullscreenchange", 0), 0),
        &["FS-4", "INV-17"],
    ),
    (
        "fullscreenchange does not fire",
        OWN_FULL,
        Without(L("event", "fullscreenchange", 1)),
        &["FS-4"],
    ),
    (
        "playlistComplete after the first item",
        OWN_LIST,
        Other(|lines| {
            let place = nth(lines, "event", "ended", 0);
            let mut line = lines[place].clone();
            line["name"] = "playlistComplete".into();
            lines.insert(place + 1, line);
            renumber(lines);
        }),
        &["INV-18"],
    ),
    (
        "ended twice",
        OWN_LIST,
        Again(L("event", "ended", 0), 0),
        &["INV-6"],
    ),
    (
        "start twice",
        OWN_LIST,
        Again(L("event", "start", 0), 0),
        &["INV-7"],
    ),
    (
        "playlistComplete after the first item",
        MADE_LIST,
        Other(|lines| {
            let place = nth(lines, "event", "ended", 0);
            let mut line = lines[place].clone();
            line["name"] = "playlistComplete".into();
            lines.insert(place + 1, line);
            renumber(lines);
        }),
        &["INV-18"],
    ),
    (
        "ended twice",
        MADE_LIST,
        Again(L("event", "ended", 0), 0),
        &["INV-6"],
    ),
    (
        "start twice",
        MADE_LIST,
        Again(L("event", "start", 0), 0),
        &["INV-7"],
    ),
    (
        "start does not fire",
        OWN_PRE,
        Without(L("event", "start", 0)),
        &["PLAY-9"],
    ),
    (
        "start does not fire",
        MADE_PRE,
        Without(L("event", "start", 0)),
        &["EV-7"],
    ),
    (
        "adMidpoint is missing",
        OWN_PRE,
        Without(L("event", "adMidpoint", 0)),
        &["INV-13"],
    ),
    (
        "adComplete is missing",
        OWN_PRE,
        Without(L("event", "adComplete", 0)),
        &["INV-13"],
    ),
    (
        "adStart twice",
        OWN_PRE,
        Again(L("event", "adStart", 0), 0),
        &["INV-13"],
    ),
    (
        "a time update of content in the ad",
        OWN_PRE,
        Other(|lines| {
            let place = nth(lines, "event", "adMidpoint", 0);
            let mut line = lines[place].clone();
            line["name"] = "timeupdate".into();
            line["t"] = (at(&line) + 100_000).into();
            lines.insert(place + 2, line);
            renumber(lines);
        }),
        &["INV-8"],
    ),
    (
        "adComplete says no position",
        OWN_PRE,
        Other(|lines| {
            let place = nth(lines, "event", "adComplete", 0);
            lines[place]["data"] = json!({ "wp": 0 });
        }),
        &["BRK-6"],
    ),
    (
        "adMidpoint is missing",
        MADE_PRE,
        Without(L("event", "adMidpoint", 0)),
        &["INV-13"],
    ),
    (
        "adComplete is missing",
        MADE_PRE,
        Without(L("event", "adComplete", 0)),
        &["INV-13"],
    ),
    (
        "adStart twice",
        MADE_PRE,
        Again(L("event", "adStart", 0), 0),
        &["INV-13"],
    ),
    (
        "a time update of content in the ad",
        MADE_PRE,
        Other(|lines| {
            let place = nth(lines, "event", "adMidpoint", 0);
            let mut line = lines[place].clone();
            line["name"] = "timeupdate".into();
            line["t"] = (at(&line) + 100_000).into();
            lines.insert(place + 2, line);
            renumber(lines);
        }),
        &["INV-8"],
    ),
    (
        "adComplete says no position",
        MADE_PRE,
        Other(|lines| {
            let place = nth(lines, "event", "adComplete", 0);
            lines[place]["data"] = json!({ "wp": 0 });
        }),
        &["BRK-6"],
    ),
    (
        "adEnd is missing",
        OWN_PRE,
        Without(L("event", "adEnd", 0)),
        &["INV-11"],
    ),
    (
        "adEnd is missing",
        MADE_PRE,
        Without(L("event", "adEnd", 0)),
        &["BRK-10"],
    ),
    (
        "adEnd before the ad is over",
        OWN_PRE,
        Moved(L("event", "adEnd", 0), -1_500_000),
        &["INV-13"],
    ),
    (
        "a number is given twice",
        OWN_PRE,
        Other(|lines| {
            let place = nth(lines, "event", "adStart", 0);
            lines[place]["seq"] = lines[place - 1]["seq"].clone();
        }),
        &["INV-3"],
    ),
    (
        "adEnd twice",
        OWN_PRE,
        Again(L("event", "adEnd", 0), 0),
        &["INV-11"],
    ),
    (
        "adEnd again later",
        MADE_PRE,
        Again(L("event", "adEnd", 0), 1_000_000),
        &["BRK-10"],
    ),
    (
        "ready after play",
        MADE_PRE,
        Moved(L("event", "ready", 0), 6_000_000),
        &["EV-1"],
    ),
    (
        "ready twice",
        OWN_PRE,
        Again(L("event", "ready", 0), 0),
        &["INV-5"],
    ),
    (
        "no player waits when the break is over",
        OWN_PRE,
        Other(|lines| {
            remove_all(lines, |line| {
                line["kind"] == "state"
                    && ["playing", "ended"].contains(&line["name"].as_str().unwrap_or_default())
            })
        }),
        &["SCR-3"],
    ),
    (
        "a tracker with a query parameter more",
        MADE_PRE,
        Url(T("midpoint?"), "?", "?random123=&"),
        &["TRK-16"],
    ),
    (
        "a tag through a third server",
        MADE_PRE,
        Other(|lines| {
            let place = (0..lines.len())
                .find(|index| lines[*index]["data"]["url"] == "http://ads.test/one")
                .expect("a tag");
            lines[place]["data"]["url"] = "http://proxy.test/?u=http%3A%2F%2Fads.test%2Fone".into();
        }),
        &["TRK-17"],
    ),
    (
        "a film that nobody names",
        MADE_PRE,
        Other(|lines| {
            let place = nth(lines, "net", "request", 0);
            again(lines, place, 0);
            lines[place + 1]["data"] =
                json!({ "url": "https://cdn.test/blank.mp4", "via": "media" });
            media(
                lines,
                place + 1,
                1_000,
                "play",
                "https://cdn.test/blank.mp4",
                0.0,
            );
        }),
        &["TRK-17"],
    ),
];
