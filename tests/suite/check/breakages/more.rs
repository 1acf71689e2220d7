//! Breakages as an outside tester makes them: trackers of another ad, breaks at another time,
//! events that are missing.

use serde_json::json;

use super::Change::{Again, Moved, Other, Url, Without};
use super::What::{L, T};
use super::*;

/// Puts a line of content's element after another line, `by` microseconds later.
pub(super) fn media(
    lines: &mut Lines,
    after: usize,
    by: i64,
    name: &str,
    src: &str,
    position: impl Into<Value>,
) {
    let line = json!({
        "t": at(&lines[after]) + by, "kind": "media", "name": name, "data": { "src": src, "position": position.into() },
    });
    let to = lines
        .iter()
        .rposition(|other| at(other) <= at(&line))
        .expect("a line")
        + 1;
    lines.insert(to, line);
}

/// Seeks back by a second within the ad, when 2.128 s of it have been played: what follows comes a
/// second later.
fn with_seek(lines: &mut Lines) {
    let is_there =
        |line: &Value| is(line, "media", "timeupdate") && line["data"]["position"] == 2.128;
    let place = lines.iter().position(is_there).expect("a time update");
    for line in &mut lines[place..] {
        line["t"] = (at(line) + 1_000_000).into();
    }
    let src = "http://m.test/1.webm";
    media(lines, place, -900_000, "seeked", src, 1.128);
    media(lines, place, -950_000, "seeking", src, 1.128);
}

/// Has the post-roll shown when the content is at 3 s, and the rest of the content after it.
fn early_post_roll(lines: &mut Lines) {
    let begin = nth(lines, "ui", "shown", 0);
    let (film, start) = (lines[begin]["data"]["src"].clone(), at(&lines[begin]));
    let ended = lines
        .iter()
        .position(|line| is(line, "media", "ended"))
        .expect("content ends");
    let over = at(&lines[ended]);
    let cut = start + 3_000_000;
    let length = at(&lines[nth(lines, "ui", "gone", 1)]) - over;
    for (index, line) in lines.iter_mut().enumerate() {
        let time = at(line);
        // The ad comes with all that belongs to it; what was left of the content follows.
        if index > ended && time >= over {
            line["t"] = (time - over + cut).into();
        } else if time > cut {
            line["t"] = (time + length).into();
        }
    }
    lines[1..].sort_by_key(at);
    let back = lines
        .iter()
        .rposition(|line| is(line, "ui", "gone") && line["data"]["src"] != film);
    let back = back.expect("the ad is gone");
    let line = |name: &str, kind: &str| json!({ "t": cut + length, "kind": kind, "name": name, "data": { "src": film, "position": 3 } });
    lines.insert(back + 1, line("shown", "ui"));
    lines.insert(back + 1, line("playing", "media"));
}

/// Adds a request right after the first call of a tracker.
fn request(lines: &mut Lines, after: &str, by: i64, url: &str) {
    let place = tracker(lines, after, 0);
    again(lines, place, by);
    let to = lines
        .iter()
        .rposition(|line| line["data"]["url"] == lines[place]["data"]["url"]);
    lines[to.expect("the copy")]["data"]["url"] = url.into();
}

pub(super) const BREAKAGES: &[Breakage] = &[
    (
        "a tracker of the second ad in place of that of the first",
        POD,
        Url(T("/1/midpoint"), "/1/", "/2/"),
        &["TRK-1", "TRK-3", "TRK-5"],
    ),
    (
        "midpoints of the two ads change places",
        POD,
        Other(|lines| {
            let (one, other) = (
                tracker(lines, "/1/midpoint", 0),
                tracker(lines, "/2/midpoint", 0),
            );
            swap_data(lines, one, other);
        }),
        &["TRK-5", "TRK-3"],
    ),
    (
        "start of the second ad is missing",
        POD,
        Without(T("/2/start")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "complete of the second ad is missing",
        POD,
        Without(T("/2/complete")),
        &["TRK-3", "TRK-8"],
    ),
    (
        "impression of the first ad again in the second",
        POD,
        Again(T("/1/impression"), 5_000_000),
        &["TRK-1"],
    ),
    (
        "all trackers of the second ad are missing",
        POD,
        Other(|lines| {
            remove_all(lines, |line| {
                line["data"]["url"]
                    .as_str()
                    .is_some_and(|url| url.contains("t.test/2/"))
            });
        }),
        &["TRK-2", "TRK-3", "TRK-8"],
    ),
    (
        "midpoint of a wrapper is missing",
        CHAIN,
        Without(T("/w/midpoint")),
        &["TRK-8"],
    ),
    (
        "complete of a wrapper is missing",
        CHAIN,
        Without(T("/w/complete")),
        &["TRK-8"],
    ),
    (
        "start of a wrapper twice",
        CHAIN,
        Again(T("/w/start"), 0),
        &["TRK-1"],
    ),
    (
        "thirdQuartile of a wrapper is early",
        CHAIN,
        Moved(T("/w/thirdQuartile"), -900_000),
        &["TRK-6"],
    ),
    (
        "complete of a wrapper a second later",
        CHAIN,
        Moved(T("/w/complete"), 1_000_000),
        &["TRK-6"],
    ),
    (
        "impression of a wrapper after its start",
        CHAIN,
        Moved(T("/w/impression"), 700_000),
        &["TRK-2", "TRK-8"],
    ),
    (
        "time goes backwards",
        PRE,
        Other(|lines| {
            let place = tracker(lines, "/1/midpoint", 0);
            lines[place]["t"] = 100_000.into();
        }),
        &["INV-3", "TRK-6"],
    ),
    (
        "time goes backwards",
        OWN_PRE,
        Other(|lines| {
            let place = tracker(lines, "midpoint?", 0);
            lines[place]["t"] = 100_000.into();
        }),
        &["INV-3"],
    ),
    (
        "play does not fire",
        MADE_PRE,
        Without(L("event", "play", 0)),
        &["INV-6", "INV-7"],
    ),
    (
        "play does not fire",
        OWN_PRE,
        Without(L("event", "play", 0)),
        &["INV-6", "INV-7"],
    ),
    (
        "adImpression does not fire",
        MADE_PRE,
        Without(L("event", "adImpression", 0)),
        &["INV-13"],
    ),
    (
        "adImpression does not fire",
        OWN_PRE,
        Without(L("event", "adImpression", 0)),
        &["INV-13"],
    ),
    (
        "adStart does not fire",
        MADE_PRE,
        Without(L("event", "adStart", 0)),
        &["INV-13"],
    ),
    (
        "adFirstQuartile after adMidpoint",
        MADE_PRE,
        Other(|lines| {
            let (one, other) = (
                nth(lines, "event", "adFirstQuartile", 0),
                nth(lines, "event", "adMidpoint", 0),
            );
            lines[one]["name"] = "adMidpoint".into();
            lines[other]["name"] = "adFirstQuartile".into();
        }),
        &["INV-13"],
    ),
    (
        "adEnd before the ad is over",
        MADE_PRE,
        Moved(L("event", "adEnd", 0), -1_500_000),
        &["INV-13", "BRK-10"],
    ),
    (
        "the last item has no ended",
        MADE_LIST,
        Without(L("event", "ended", 1)),
        &["INV-18"],
    ),
    (
        "the last item has no ended",
        OWN_LIST,
        Without(L("event", "ended", 1)),
        &["INV-18"],
    ),
    (
        "start of the second item does not fire",
        MADE_LIST,
        Without(L("event", "start", 1)),
        &["EV-7", "INV-6"],
    ),
    (
        "start of the second item does not fire",
        OWN_LIST,
        Without(L("event", "start", 1)),
        &["PLAY-9", "EV-7"],
    ),
    (
        "the post-roll comes before the end",
        POST,
        Other(early_post_roll),
        &["VMAP-4"],
    ),
    (
        "the mid-roll comes at 2 s and not at 4 s",
        MADE_MID,
        Other(|lines| {
            let (shown, playing) = (
                nth(lines, "ui", "shown", 0),
                nth(lines, "media", "playing", 0),
            );
            for place in [shown, playing] {
                lines[place]["t"] = (at(&lines[place]) + 2_000_000).into();
            }
            lines[1..].sort_by_key(at);
        }),
        &["VMAP-4"],
    ),
    (
        "the tag of the mid-roll is asked for 3 s before",
        MADE_MID,
        Other(|lines| {
            let place = (0..lines.len()).find(|index| {
                is(&lines[*index], "net", "request") && lines[*index]["data"]["purpose"] == "ad-tag"
            });
            moved(lines, place.expect("a tag"), -3_000_000);
        }),
        &["CUE-3"],
    ),
    (
        "complete of the ad a second late",
        MADE_PRE,
        Moved(T("complete?"), 1_000_000),
        &["TRK-6"],
    ),
    (
        "start of the ad a second late",
        MADE_PRE,
        Moved(T("start?"), 900_000),
        &["TRK-3", "TRK-6"],
    ),
    (
        "midpoint in the pause",
        PAUSE,
        Moved(T("/midpoint"), -900_000),
        &["TRK-6"],
    ),
    (
        "resume before pause",
        PAUSE,
        Other(|lines| {
            let (one, other) = (tracker(lines, "/pause", 0), tracker(lines, "/resume", 0));
            swap_data(lines, one, other);
        }),
        &["TRK-7"],
    ),
    (
        "the URL of a tracker is misspelt",
        PRE,
        Url(T("/1/midpoint"), "midpoint", "midpiont"),
        &["TRK-3"],
    ),
    (
        "the URL of a tracker is misspelt, and nobody knows it",
        PRE,
        Url(T("/1/midpoint"), "midpoint", "midpiont"),
        &["TRK-17"],
    ),
    (
        "complete after the skip",
        MADE_SKIP,
        Other(|lines| {
            let url = lines[tracker(lines, "start?", 0)]["data"]["url"]
                .as_str()
                .expect("a URL");
            let url = url.replace("start?", "complete?");
            request(lines, "skip?", 300_000, &url);
        }),
        &["TRK-4"],
    ),
    (
        "adComplete after adSkip",
        MADE_SKIP,
        Other(|lines| {
            let place = nth(lines, "event", "adSkip", 0);
            let mut line = lines[place].clone();
            line["name"] = "adComplete".into();
            lines.insert(place + 1, line);
        }),
        &["INV-13"],
    ),
    (
        "adComplete after adSkip",
        OWN_SKIP,
        Other(|lines| {
            let place = nth(lines, "event", "adSkip", 0);
            let mut line = lines[place].clone();
            line["name"] = "adComplete".into();
            lines.insert(place + 1, line);
            renumber(lines);
        }),
        &["INV-13"],
    ),
    (
        "unmute is called for mute",
        MADE_MUTE,
        Url(T("/mute?"), "/mute?", "/unmute?"),
        &["TRK-12"],
    ),
    (
        "an impression of an ad whose film is not there",
        MADE_404,
        Other(|lines| {
            let url = lines[tracker(lines, "error", 0)]["data"]["url"]
                .as_str()
                .expect("a URL")
                .to_owned();
            let (begin, end) = url.split_once("/error").expect("an error URL");
            let ad = end
                .split("ad=")
                .nth(1)
                .and_then(|ad| ad.split('&').next())
                .expect("an ad");
            request(
                lines,
                "error",
                100_000,
                &format!("{begin}/impression?ad={ad}"),
            );
        }),
        &["TRK-2"],
    ),
    (
        "content is at its start again after its end",
        PRE,
        Other(|lines| {
            let place = lines
                .iter()
                .rposition(|line| is(line, "ui", "gone"))
                .expect("content is gone");
            media(
                lines,
                place,
                200_000,
                "seeked",
                "http://content.test/film.webm",
                0.0,
            );
        }),
        &["MEL-12"],
    ),
    (
        "content is at its start again after its end",
        SEEK,
        Other(|lines| {
            let place = lines
                .iter()
                .rposition(|line| is(line, "media", "ended"))
                .expect("content ends");
            let src = lines[place]["data"]["src"]
                .as_str()
                .expect("a film")
                .to_owned();
            media(lines, place, 300_000, "timeupdate", &src, 0.0);
        }),
        &["MEL-12"],
    ),
    (
        "midpoint 1.2 s early after a seek in the ad",
        PRE,
        Other(|lines| {
            with_seek(lines);
            let place = tracker(lines, "/1/midpoint", 0);
            moved(lines, place, -900_000);
        }),
        &["TRK-6"],
    ),
    (
        "thirdQuartile 1.5 s early after a seek in the ad",
        PRE,
        Other(|lines| {
            with_seek(lines);
            let place = tracker(lines, "/1/thirdQuartile", 0);
            moved(lines, place, -1_500_000);
        }),
        &["TRK-6"],
    ),
    (
        "complete 2 s early after a seek in the ad",
        PRE,
        Other(|lines| {
            with_seek(lines);
            let place = tracker(lines, "/1/complete", 0);
            moved(lines, place, -2_000_000);
        }),
        &["TRK-6"],
    ),
    (
        "complete 1.5 s early after a seek in the ad",
        OWN_AD_SEEK,
        Moved(T("t.test/complete"), -1_500_000),
        &["TRK-6"],
    ),
    (
        "the error URL of a wrapper is not called",
        MADE_HOP_404,
        Other(|lines| {
            let place = tracker(lines, "error", 0);
            remove(lines, place);
            let last = lines.len() - 1;
            media(lines, last, 5_000_000, "suspend", "film.mp4", 1.0);
        }),
        &["TRK-10"],
    ),
    (
        "the error URL of a wrapper has the code 402",
        MADE_HOP_404,
        Url(T("error"), "301", "402"),
        &["TRK-9"],
    ),
];

#[test]
fn a_seek_within_the_ad_breaks_nothing() {
    let mut lines = PRE.sound();
    with_seek(&mut lines);
    assert!(
        PRE.judge(&lines).is_empty(),
        "{}",
        shown(&PRE.judge(&lines))
    );
}

#[test]
fn the_pre_roll_of_a_replay_is_no_post_roll() {
    // After a post-roll without an end, somebody plays it again: the ad is the pre-roll of that.
    let sound = lines("end_1_broken");
    let place = sound
        .iter()
        .position(|line| is(line, "media", "ended"))
        .expect("content ends");
    let src = sound[place]["data"]["src"]
        .as_str()
        .expect("a film")
        .to_owned();
    let base = Base::Recording("end_1_broken");
    let is_named = |lines: &Lines| {
        base.judge(lines)
            .iter()
            .any(|it| it.rule.to_string() == "END-1")
    };
    assert!(is_named(&sound));
    for (kind, name) in [
        ("user", "play"),
        ("call", "play"),
        ("event", "play"),
        ("media", "play"),
    ] {
        let mut replayed = sound.clone();
        media(&mut replayed, place, 1_000, name, &src, 0.0);
        let added = replayed
            .iter()
            .rposition(|line| line["name"] == name)
            .expect("it is there");
        replayed[added]["kind"] = kind.into();
        assert!(!is_named(&replayed), "{kind} {name}");
    }
}
