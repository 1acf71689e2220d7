//! Breakages of recordings with the trackers of a browser.

use serde_json::json;

use super::Change::{Again, Moved, Other, Url, Without};
use super::What::{L, T};
use super::*;

pub(super) const BREAKAGES: &[Breakage] = &[
    (
        "impression is missing",
        PRE,
        Without(T("/1/impression")),
        &["TRK-2", "TRK-8"],
    ),
    (
        "creativeView is missing",
        PRE,
        Without(T("/1/creativeView")),
        &["TRK-11"],
    ),
    (
        "start is missing",
        PRE,
        Without(T("/1/start")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "firstQuartile is missing",
        PRE,
        Without(T("/1/firstQuartile")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "midpoint is missing",
        PRE,
        Without(T("/1/midpoint")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "thirdQuartile is missing",
        PRE,
        Without(T("/1/thirdQuartile")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "complete is missing",
        PRE,
        Without(T("/1/complete")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "impression twice at once",
        PRE,
        Again(T("/1/impression"), 0),
        &["TRK-1"],
    ),
    (
        "start twice at once",
        PRE,
        Again(T("/1/start"), 0),
        &["TRK-1"],
    ),
    (
        "midpoint twice at once",
        PRE,
        Again(T("/1/midpoint"), 0),
        &["TRK-1"],
    ),
    (
        "complete twice at once",
        PRE,
        Again(T("/1/complete"), 0),
        &["TRK-1"],
    ),
    (
        "impression is missing",
        MID,
        Without(T("/1/impression")),
        &["TRK-2", "TRK-8"],
    ),
    (
        "creativeView is missing",
        MID,
        Without(T("/1/creativeView")),
        &["TRK-11"],
    ),
    (
        "start is missing",
        MID,
        Without(T("/1/start")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "firstQuartile is missing",
        MID,
        Without(T("/1/firstQuartile")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "midpoint is missing",
        MID,
        Without(T("/1/midpoint")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "thirdQuartile is missing",
        MID,
        Without(T("/1/thirdQuartile")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "complete is missing",
        MID,
        Without(T("/1/complete")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "impression twice at once",
        MID,
        Again(T("/1/impression"), 0),
        &["TRK-1"],
    ),
    (
        "start twice at once",
        MID,
        Again(T("/1/start"), 0),
        &["TRK-1"],
    ),
    (
        "midpoint twice at once",
        MID,
        Again(T("/1/midpoint"), 0),
        &["TRK-1"],
    ),
    (
        "complete twice at once",
        MID,
        Again(T("/1/complete"), 0),
        &["TRK-1"],
    ),
    (
        "thirdQuartile again a second later",
        PRE,
        Again(T("/1/thirdQuartile"), 900_000),
        &["TRK-1"],
    ),
    (
        "impression half a second after start",
        PRE,
        Moved(T("/1/impression"), 500_000),
        &["TRK-2"],
    ),
    (
        "impression a second before the picture",
        PRE,
        Other(|lines| {
            let place = tracker(lines, "/1/impression", 0);
            moved(lines, place, -30_000);
            let shown = nth(lines, "ui", "shown", 0);
            for line in &mut lines[shown..] {
                line["t"] = (at(line) + 1_500_000).into();
            }
        }),
        &["TRK-2"],
    ),
    (
        "firstQuartile a second early",
        PRE,
        Moved(T("/1/firstQuartile"), -900_000),
        &["TRK-6"],
    ),
    (
        "firstQuartile a second late",
        PRE,
        Moved(T("/1/firstQuartile"), 900_000),
        &["TRK-6"],
    ),
    (
        "midpoint a second early",
        PRE,
        Moved(T("/1/midpoint"), -900_000),
        &["TRK-6"],
    ),
    (
        "midpoint a second late",
        PRE,
        Moved(T("/1/midpoint"), 900_000),
        &["TRK-6"],
    ),
    (
        "thirdQuartile a second early",
        PRE,
        Moved(T("/1/thirdQuartile"), -900_000),
        &["TRK-6"],
    ),
    (
        "thirdQuartile a second late",
        PRE,
        Moved(T("/1/thirdQuartile"), 900_000),
        &["TRK-6"],
    ),
    (
        "complete 0.8 s early",
        PRE,
        Moved(T("/1/complete"), -800_000),
        &["TRK-6"],
    ),
    (
        "midpoint and thirdQuartile change places",
        PRE,
        Other(|lines| {
            let (one, other) = (
                tracker(lines, "/1/midpoint", 0),
                tracker(lines, "/1/thirdQuartile", 0),
            );
            swap_data(lines, one, other);
        }),
        &["TRK-3"],
    ),
    (
        "quartile after complete",
        PRE,
        Other(|lines| {
            let place = tracker(lines, "/1/midpoint", 0);
            again(lines, place, 2_500_000);
            remove(lines, place);
        }),
        &["TRK-3", "TRK-6"],
    ),
    (
        "quartile after skip",
        SKIP,
        Other(|lines| {
            let place = tracker(lines, "/skip", 0);
            let mut line = lines[place].clone();
            line["t"] = (at(&line) + 200_000).into();
            line["data"]["url"] = "http://t.test/1/thirdQuartile".into();
            lines.insert(place + 1, line);
        }),
        &["TRK-4"],
    ),
    (
        "complete after skip",
        SKIP,
        Other(|lines| {
            let place = tracker(lines, "/skip", 0);
            let mut line = lines[place].clone();
            line["t"] = (at(&line) + 100_000).into();
            line["data"]["url"] = "http://t.test/1/complete".into();
            lines.insert(place + 1, line);
        }),
        &["TRK-4"],
    ),
    ("skip is not called", SKIP, Without(T("/skip")), &["TRK-12"]),
    (
        "pause is not called",
        PAUSE,
        Without(T("/pause")),
        &["TRK-7", "TRK-12"],
    ),
    (
        "resume is not called",
        PAUSE,
        Without(T("/resume")),
        &["TRK-12"],
    ),
    (
        "resume without a pause",
        PRE,
        Other(|lines| {
            let place = tracker(lines, "/1/midpoint", 0);
            let mut line = lines[place].clone();
            line["data"]["url"] = "http://t.test/1/resume".into();
            lines.insert(place, line);
        }),
        &["TRK-7"],
    ),
    (
        "pause twice",
        PAUSE,
        Again(T("/pause"), 100_000),
        &["TRK-7"],
    ),
    (
        "pause of an ad that is not shown",
        PRE,
        Other(|lines| {
            remove_all(lines, |line| {
                line["data"]["src"]
                    .as_str()
                    .is_some_and(|src| src.contains("m.test"))
                    || line["data"]["url"]
                        .as_str()
                        .is_some_and(|url| url.contains("/1/"))
            });
            let place = nth(lines, "ui", "shown", 0);
            let mut line = lines[place].clone();
            line["kind"] = "net".into();
            line["name"] = "request".into();
            line["data"] = json!({ "url": "http://t.test/1/pause", "via": "image" });
            lines.insert(place + 1, line);
        }),
        &["TRK-5"],
    ),
    (
        "a wrapper is not counted",
        CHAIN,
        Other(|lines| {
            let places: Vec<usize> = (0..lines.len())
                .filter(|index| {
                    is(&lines[*index], "net", "request")
                        && lines[*index]["data"]["url"]
                            .as_str()
                            .is_some_and(|url| url.contains("impression"))
                })
                .collect();
            remove(lines, places[0]);
        }),
        &["TRK-8", "TRK-2"],
    ),
    (
        "the last impression of the chain is missing",
        CHAIN,
        Other(|lines| {
            let places: Vec<usize> = (0..lines.len())
                .filter(|index| {
                    is(&lines[*index], "net", "request")
                        && lines[*index]["data"]["url"]
                            .as_str()
                            .is_some_and(|url| url.contains("impression"))
                })
                .collect();
            remove(lines, places[places.len() - 1]);
        }),
        &["TRK-8", "TRK-2"],
    ),
    (
        "trackers of the ad before",
        POD,
        Moved(T("/1/thirdQuartile"), 2_000_000),
        &["TRK-5"],
    ),
    (
        "the pod is played backwards",
        POD,
        Other(|lines| {
            for line in lines.iter_mut() {
                let text = line.to_string();
                if line["data"]["text"].is_null() {
                    *line = serde_json::from_str(
                        &text
                            .replace("/1/", "/#/")
                            .replace("/2/", "/1/")
                            .replace("/#/", "/2/")
                            .replace("test/1.webm", "test/#")
                            .replace("test/2.webm", "test/1.webm")
                            .replace("test/#", "test/2.webm"),
                    )
                    .expect("JSON");
                }
            }
        }),
        &["TRK-15"],
    ),
    (
        "second ad of the pod has no impression",
        POD,
        Without(T("/2/impression")),
        &["TRK-2", "TRK-8"],
    ),
    (
        "content between two ads of a pod",
        POD,
        Other(|lines| {
            let place = nth(lines, "ui", "gone", 0);
            let mut line = lines[place].clone();
            line["name"] = "shown".into();
            line["data"]["src"] = "http://content.test/film.webm".into();
            lines.insert(place + 1, line);
        }),
        &["SCR-2"],
    ),
    (
        "the error is called twice",
        FAILS,
        Again(T("error"), 300_000),
        &["TRK-9"],
    ),
    (
        "the error is not called",
        FAILS,
        Other(|lines| {
            remove_all(lines, |line| {
                line["data"]["url"]
                    .as_str()
                    .is_some_and(|url| url.contains("error"))
                    && line["name"] == "request"
            })
        }),
        &["TRK-10"],
    ),
    (
        "content never comes",
        PRE,
        Other(|lines| {
            let film = nth(lines, "ui", "shown", 1);
            let last = lines.last().cloned().expect("a line");
            lines.truncate(film - 2);
            lines.push(last);
        }),
        &["SCR-3"],
    ),
    (
        "content comes back from a pause that is over, or not at all",
        PAUSE,
        Other(|lines| {
            let film = nth(lines, "ui", "shown", 1);
            let last = lines.last().cloned().expect("a line");
            lines.truncate(film - 2);
            lines.push(last);
        }),
        &["SCR-3"],
    ),
    (
        "the film plays on under the ad",
        MID,
        Other(|lines| {
            let ad = nth(lines, "ui", "shown", 1);
            let mut line = lines[ad].clone();
            line["kind"] = "media".into();
            line["name"] = "timeupdate".into();
            for step in 1..8 {
                let mut line = line.clone();
                line["t"] = (at(&lines[ad]) + 265_000 * step).into();
                let millis = 2_000 + 265 * step;
                let position: Value = format!("{}.{:03}", millis / 1_000, millis % 1_000)
                    .parse()
                    .expect("a number");
                line["data"] =
                    json!({ "src": "http://content.test/film.webm", "position": position });
                let to = lines
                    .iter()
                    .position(|other| at(other) > at(&line))
                    .expect("a line");
                lines.insert(to, line);
            }
        }),
        &["SCR-1"],
    ),
    (
        "a flash of the film before the pre-roll",
        PRE,
        Other(|lines| {
            let ad = nth(lines, "ui", "shown", 0);
            let mut line = lines[ad].clone();
            line["data"]["src"] = "http://content.test/film.webm".into();
            let mut gone = line.clone();
            gone["name"] = "gone".into();
            gone["t"] = at(&lines[ad]).into();
            line["t"] = (at(&lines[ad]) - 10_000).into();
            lines.insert(ad, gone);
            lines.insert(ad, line);
        }),
        &["PRE-1"],
    ),
    (
        "an uncaught error",
        PRE,
        Other(|lines| {
            let place = nth(lines, "ui", "shown", 0);
            let mut line = lines[place].clone();
            line["kind"] = "diag".into();
            line["name"] = "uncaught".into();
            line["data"] = json!({ "text": "TypeError" });
            lines.insert(place, line);
        }),
        &["SCR-4"],
    ),
    (
        "content goes on at its start after the mid-roll",
        MID,
        Other(|lines| {
            for index in nth(lines, "ui", "gone", 1)..lines.len() {
                let line = &mut lines[index];
                if line["kind"] == "media"
                    && line["data"]["src"]
                        .as_str()
                        .is_some_and(|src| src.contains("content"))
                {
                    let now = line["data"]["position"].as_f64().expect("a position");
                    line["data"]["position"] = (now - 2e+00).into();
                }
            }
        }),
        &["BRK-17"],
    ),
    (
        "content goes on a second before after the mid-roll",
        MID,
        Other(|lines| {
            for index in nth(lines, "ui", "gone", 1)..lines.len() {
                let line = &mut lines[index];
                if line["kind"] == "media"
                    && line["data"]["src"]
                        .as_str()
                        .is_some_and(|src| src.contains("content"))
                {
                    let now = line["data"]["position"].as_f64().expect("a position");
                    line["data"]["position"] = (now - 1e+00).into();
                }
            }
        }),
        &["BRK-17"],
    ),
    (
        "content goes on two seconds later after the mid-roll",
        MID,
        Other(|lines| {
            for index in nth(lines, "ui", "gone", 1)..lines.len() {
                let line = &mut lines[index];
                if line["kind"] == "media"
                    && line["data"]["src"]
                        .as_str()
                        .is_some_and(|src| src.contains("content"))
                {
                    let now = line["data"]["position"].as_f64().expect("a position");
                    line["data"]["position"] = (now + 2.0).into();
                }
            }
        }),
        &["BRK-17"],
    ),
    (
        "a seek is not answered",
        SEEK,
        Without(L("media", "seeked", 0)),
        &["MEL-13"],
    ),
    (
        "a seek lands 3 s short",
        SEEK,
        Other(|lines| {
            for index in nth(lines, "media", "seeking", 0)..lines.len() {
                let line = &mut lines[index];
                if line["kind"] == "media"
                    && line["data"]["position"]
                        .as_f64()
                        .is_some_and(|now| now > 3.0)
                {
                    let now = line["data"]["position"].as_f64().expect("a position");
                    line["data"]["position"] = (now - 3.0).into();
                }
            }
        }),
        &["TIME-2"],
    ),
    (
        "a tracker with a query parameter more",
        PRE,
        Url(
            T("/1/impression"),
            "/1/impression",
            "/1/impression?random123=",
        ),
        &["TRK-16"],
    ),
    (
        "a request that nobody knows",
        PRE,
        Other(|lines| {
            let place = tracker(lines, "/1/midpoint", 0);
            let mut line = lines[place].clone();
            line["data"]["url"] = "https://spy.test/collect?id=7".into();
            lines.insert(place, line);
        }),
        &["TRK-17"],
    ),
];
