//! Differences between products: each cell of the table of conditions and products is a row here,
//! and is run.
//!
//! A condition is a scenario in `fixtures/scenarios/conditions`; a product is a profile. If the
//! behaviour of a product is unknown, the row says so. A crash or a thrown error is modelled by its
//! consequences: no ad, no URL called, 900 for the page.

use std::path::Path;

use playsim::api::{Kind, Value};
use playsim::knobs::Profile;
use playsim::scenario::{self, Overrides};
use playsim::sim::Simulation;
use playsim::trace::Trace;

mod book;
mod dictionary;
mod documents;

use Profile::{ContribAds, Ima, Media3, RmpVast, Standard, VastClientJs, VideoAdSdk};

/// What is known about a product in a condition.
enum Known {
    /// Known behaviour, with the check that observes it.
    Is(&'static str, fn(&Seen) -> bool),
    /// Not known, for this reason.
    Not(&'static str),
}

use Known::{Is, Not};

/// A row: the condition, the product, what it does.
type Cell = (&'static str, Profile, Known);

/// The observable facts of a session's trace.
struct Seen {
    /// The codes that error URLs were called with.
    pixels: Vec<i64>,
    /// The codes of `adError`.
    reported: Vec<i64>,
    /// The beacons by name, each with its time in milliseconds.
    beacons: Vec<(String, u64)>,
    /// The number of ads that played to their end.
    shown: usize,
    /// The time at which the first ad began, in milliseconds.
    began: Option<u64>,
    /// The number of tags requested.
    asked: usize,
    /// The URLs of the tags.
    tags: Vec<String>,
    /// The URLs of documents after wrappers.
    wrapped: Vec<String>,
    /// The time at which the content began, in milliseconds.
    started: Option<u64>,
    /// The URLs of the beacons.
    urls: Vec<String>,
    /// The codes of diagnostics.
    diags: Vec<String>,
}

impl Seen {
    fn of(trace: &Trace) -> Seen {
        let code = |data: &playsim::api::Fields| data.get("code").and_then(Value::as_integer);
        let millis = |record: &playsim::trace::Record| record.at.micros() / 1_000;
        let events = |name: &str| {
            let name = name.to_owned();
            trace
                .records
                .iter()
                .filter(move |record| record.kind == Kind::Event && *record.name == *name)
        };
        let beacons = trace
            .records
            .iter()
            .filter(|record| record.kind == Kind::Beacon);
        let url = |record: &playsim::trace::Record| match record.data.get("url") {
            Some(Value::Text(url)) => url.to_string(),
            _ => String::new(),
        };
        let asked = |purpose: &str| -> Vec<String> {
            let is_asked = |record: &&playsim::trace::Record| {
                record.kind == Kind::Net
                    && *record.name == *"request"
                    && record
                        .data
                        .get("purpose")
                        .and_then(Value::as_text)
                        .is_some_and(|found| **found == *purpose)
            };
            trace.records.iter().filter(is_asked).map(url).collect()
        };
        let errors = beacons.clone().filter(|record| *record.name == *"error");
        Seen {
            pixels: errors
                .filter_map(|record| url(record).rsplit_once('=')?.1.parse().ok())
                .collect(),
            reported: events("adError")
                .filter_map(|record| code(&record.data))
                .collect(),
            beacons: beacons
                .clone()
                .map(|record| (record.name.to_string(), millis(record)))
                .collect(),
            shown: events("adComplete").count(),
            began: events("adStart").next().map(millis),
            asked: events("requestAd").count(),
            tags: asked("ad-tag"),
            wrapped: asked("wrapper"),
            started: events("start").next().map(millis),
            urls: beacons.clone().map(url).collect(),
            diags: trace
                .records
                .iter()
                .filter(|record| record.kind == Kind::Diag)
                .map(|record| record.name.to_string())
                .collect(),
        }
    }

    /// The page and the error URLs get this code, and no ad is shown.
    fn fails_with(&self, code: i64) -> bool {
        self.reported == [code] && !self.pixels.is_empty() && self.is_pixel(code) && self.shown == 0
    }

    /// The page gets this code, the error URLs another one, and no ad is shown.
    fn fails_apart(&self, reported: i64, pixel: i64) -> bool {
        self.reported == [reported]
            && !self.pixels.is_empty()
            && self.is_pixel(pixel)
            && self.shown == 0
    }

    /// The page gets this code, no error URL is called with a code, and no ad is shown.
    fn fails_without_pixels(&self, reported: i64) -> bool {
        self.reported == [reported] && self.pixels.is_empty() && self.shown == 0
    }

    fn is_pixel(&self, code: i64) -> bool {
        self.pixels.iter().all(|pixel| *pixel == code)
    }

    /// The number of calls of a beacon.
    fn count(&self, name: &str) -> usize {
        self.beacons
            .iter()
            .filter(|(beacon, _)| beacon == name)
            .count()
    }

    /// The number of calls of a URL.
    fn heard(&self, address: &str) -> usize {
        self.urls.iter().filter(|url| *url == address).count()
    }

    /// The time at which a beacon was first called.
    fn at(&self, name: &str) -> Option<u64> {
        self.beacons
            .iter()
            .find(|(beacon, _)| beacon == name)
            .map(|(_, at)| *at)
    }
}

/// The table: standard, vast-client-js, video-ad-sdk, IMA, rmp-vast in each condition.
const TABLE: &[Cell] = &[
    (
        "wrapper_404",
        Standard,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_404",
        VastClientJs,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_404",
        VideoAdSdk,
        Is("502, as for any failed fetch", |seen| seen.fails_with(502)),
    ),
    ("wrapper_404", Ima, Is("301", |seen| seen.fails_with(301))),
    (
        "wrapper_404",
        RmpVast,
        Is("301 to the URLs, 303 to the page", |seen| {
            seen.fails_apart(303, 301)
        }),
    ),
    (
        "first_response_empty",
        Standard,
        Is("no code; the root's URL may be called", |seen| {
            seen.reported.is_empty() && seen.asked == 1
        }),
    ),
    (
        "first_response_empty",
        VastClientJs,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "first_response_empty",
        VideoAdSdk,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "first_response_empty",
        Ima,
        Is("1009", |seen| seen.reported == [1009]),
    ),
    (
        "first_response_empty",
        RmpVast,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "empty_after_a_wrapper",
        Standard,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "empty_after_a_wrapper",
        VastClientJs,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "empty_after_a_wrapper",
        VideoAdSdk,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "empty_after_a_wrapper",
        Ima,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "empty_after_a_wrapper",
        RmpVast,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "no_media_file_supported",
        Standard,
        Is("403", |seen| seen.fails_with(403)),
    ),
    (
        "no_media_file_supported",
        VastClientJs,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "no_media_file_supported",
        VideoAdSdk,
        Is("401", |seen| seen.fails_with(401)),
    ),
    (
        "no_media_file_supported",
        Ima,
        Is("403", |seen| seen.fails_with(403)),
    ),
    (
        "no_media_file_supported",
        RmpVast,
        Is("403 where none is supported", |seen| seen.fails_with(403)),
    ),
    (
        "no_media_file_offered",
        RmpVast,
        Is("303 where there is none at all", |seen| {
            seen.fails_with(303)
        }),
    ),
    (
        "ad_without_a_child",
        Standard,
        Is("101", |seen| seen.fails_with(101)),
    ),
    (
        "ad_without_a_child",
        VastClientJs,
        Is("a crash, so nothing is reported", |seen| {
            seen.fails_without_pixels(900)
        }),
    ),
    (
        "ad_without_a_child",
        VideoAdSdk,
        Is("101", |seen| seen.fails_with(101)),
    ),
    (
        "ad_without_a_child",
        Ima,
        Not("closed source, not documented"),
    ),
    (
        "ad_without_a_child",
        RmpVast,
        Is("as vast-client-js", |seen| seen.fails_without_pixels(900)),
    ),
    (
        "pod_where_one_ad_is_allowed",
        Standard,
        Is("what has a sequence is ignored, no ad remains", |seen| {
            seen.fails_with(303)
        }),
    ),
    (
        "pod_where_one_ad_is_allowed",
        VastClientJs,
        Is(
            "each is skipped with 101 to root elements, which have no URL here, and the wrapper gets 303",
            |seen| seen.fails_with(303) && seen.pixels.len() == 1,
        ),
    ),
    (
        "pod_where_one_ad_is_allowed",
        VideoAdSdk,
        Is("203", |seen| seen.fails_with(203)),
    ),
    (
        "pod_where_one_ad_is_allowed",
        Ima,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "pod_where_one_ad_is_allowed",
        RmpVast,
        Is("the pod is played", |seen| {
            seen.shown == 2 && seen.reported.is_empty()
        }),
    ),
    (
        "wrapper_after_no_follow",
        Standard,
        Is("it is ignored, no ad remains", |seen| seen.fails_with(303)),
    ),
    (
        "wrapper_after_no_follow",
        VastClientJs,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_after_no_follow",
        VideoAdSdk,
        Is("200", |seen| seen.fails_with(200)),
    ),
    (
        "wrapper_after_no_follow",
        Ima,
        Not("closed source, not documented"),
    ),
    (
        "wrapper_after_no_follow",
        RmpVast,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "vpaid_off",
        Standard,
        Is("403 (or 200)", |seen| seen.fails_with(403)),
    ),
    (
        "vpaid_off",
        VastClientJs,
        Not("it plays nothing, so it runs no unit"),
    ),
    (
        "vpaid_off",
        VideoAdSdk,
        Is("200", |seen| seen.fails_with(200)),
    ),
    ("vpaid_off", Ima, Not("closed source, not documented")),
    ("vpaid_off", RmpVast, Is("403", |seen| seen.fails_with(403))),
    (
        "first_document_broken",
        Standard,
        Is("100", |seen| seen.fails_without_pixels(100)),
    ),
    (
        "first_document_broken",
        VastClientJs,
        Is("thrown, no code", |seen| seen.fails_without_pixels(900)),
    ),
    (
        "first_document_broken",
        VideoAdSdk,
        Is("100", |seen| seen.fails_without_pixels(100)),
    ),
    (
        "first_document_broken",
        Ima,
        Is("100 (or 1010)", |seen| seen.fails_without_pixels(100)),
    ),
    (
        "first_document_broken",
        RmpVast,
        Is("303", |seen| seen.fails_without_pixels(303)),
    ),
    (
        "quartiles_in_a_seek",
        Standard,
        Is("none that the seek passes", |seen| {
            ["firstQuartile", "midpoint", "thirdQuartile"]
                .iter()
                .all(|name| seen.at(name).is_none())
        }),
    ),
    (
        "quartiles_in_a_seek",
        VastClientJs,
        Is("all at once", |seen| {
            ["firstQuartile", "midpoint", "thirdQuartile"]
                .iter()
                .all(|name| seen.at(name) == Some(600))
        }),
    ),
    (
        "quartiles_in_a_seek",
        VideoAdSdk,
        Is("the next one, then one with each update", |seen| {
            let at = |name| seen.at(name).unwrap_or_default();
            at("firstQuartile") < at("midpoint") && at("midpoint") < at("thirdQuartile")
        }),
    ),
    (
        "quartiles_in_a_seek",
        Ima,
        Is("ads cannot be seeked", |seen| {
            seen.at("midpoint") == Some(2_100) && seen.at("complete") == Some(4_100)
        }),
    ),
    ("quartiles_in_a_seek", RmpVast, Not("not checked")),
    (
        "complete",
        Standard,
        Is("100 %", |seen| seen.at("complete") == Some(4_100)),
    ),
    (
        "complete",
        VastClientJs,
        Is("when the caller says so: here at the end", |seen| {
            seen.at("complete") == Some(4_100)
        }),
    ),
    (
        "complete",
        VideoAdSdk,
        Is("99 %, with the next update", |seen| {
            seen.at("complete")
                .is_some_and(|at| (4_060..=4_100).contains(&at))
                && seen.shown == 1
        }),
    ),
    (
        "complete",
        Ima,
        Is("end", |seen| seen.at("complete") == Some(4_100)),
    ),
    (
        "complete",
        RmpVast,
        Is("end", |seen| seen.at("complete") == Some(4_100)),
    ),
];

/// Other known behaviour of products: limits, timeouts, reserve ads, late responses, positions in
/// the content.
const POLICIES: &[Cell] = &[
    (
        "six_wrappers",
        Standard,
        Is("five are followed, the sixth is 302", |seen| {
            seen.reported == [302] && seen.pixels == [302; 6]
        }),
    ),
    (
        "six_wrappers",
        VastClientJs,
        Is("ten documents", |seen| seen.shown == 1),
    ),
    (
        "six_wrappers",
        VideoAdSdk,
        Is("five", |seen| {
            seen.reported == [302] && seen.pixels.len() == 6
        }),
    ),
    (
        "six_wrappers",
        Ima,
        Is("four", |seen| {
            seen.reported == [302] && seen.pixels.len() == 5
        }),
    ),
    (
        "six_wrappers",
        RmpVast,
        Is("four documents, told 303", |seen| {
            seen.reported == [303] && seen.pixels == [302; 4]
        }),
    ),
    (
        "six_wrappers",
        Media3,
        Is("those of IMA", |seen| {
            seen.reported == [302] && seen.pixels.len() == 5
        }),
    ),
    (
        "pod_ad_that_fails",
        Standard,
        Is("a stand-alone ad replaces it", |seen| seen.shown == 2),
    ),
    (
        "pod_ad_that_fails",
        VastClientJs,
        Is("it is dropped", |seen| {
            seen.shown == 1 && seen.reported == [401]
        }),
    ),
    (
        "pod_ad_that_fails",
        VideoAdSdk,
        Is("no buffet by default", |seen| seen.shown == 1),
    ),
    (
        "pod_ad_that_fails",
        Ima,
        Not("no document says whether a stand-alone ad replaces one of a pod"),
    ),
    (
        "pod_ad_that_fails",
        RmpVast,
        Is("the next of the pod", |seen| seen.shown == 1),
    ),
    (
        "fallback_on_no_ad",
        Standard,
        Is("the ad outside the pod", |seen| {
            seen.shown == 1 && seen.reported.is_empty()
        }),
    ),
    (
        "fallback_on_no_ad",
        VastClientJs,
        Is("parsed, but ignored", |seen| seen.fails_with(303)),
    ),
    (
        "wrapper_that_takes_six_seconds",
        VastClientJs,
        Is("120 s a request", |seen| seen.shown == 1),
    ),
    (
        "wrapper_that_takes_six_seconds",
        Ima,
        Is("5 s a wrapper", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_that_takes_six_seconds",
        RmpVast,
        Is("8 s a request", |seen| seen.shown == 1),
    ),
    (
        "late_pre_roll",
        ContribAds,
        Is("it starts over content after all", |seen| {
            seen.began == Some(7_000) && seen.shown == 1
        }),
    ),
    (
        "late_pre_roll",
        Ima,
        Is("a response after 5 s is lost", |seen| seen.shown == 0),
    ),
    (
        "ad_that_fails_midway",
        Standard,
        Is("no other tag after an impression", |seen| seen.asked == 1),
    ),
    (
        "ad_that_fails_midway",
        ContribAds,
        Is("it ends the break", |seen| seen.asked == 1),
    ),
    (
        "ads_that_take_twelve_seconds",
        ContribAds,
        Is("5 s to ads-ready", |seen| {
            seen.shown == 0 && seen.asked == 2
        }),
    ),
    (
        "ads_that_take_twelve_seconds",
        Media3,
        Is("10 s, then the break is an error", |seen| {
            seen.shown == 0 && seen.asked == 3 && seen.reported.last() == Some(&301)
        }),
    ),
    (
        "first_document_missing",
        Standard,
        Is("301", |seen| seen.fails_without_pixels(301)),
    ),
    (
        "first_document_missing",
        VastClientJs,
        Is("the promise is rejected, no code", |seen| {
            seen.fails_without_pixels(900)
        }),
    ),
    (
        "first_document_missing",
        VideoAdSdk,
        Is("502", |seen| seen.fails_without_pixels(502)),
    ),
    (
        "first_document_missing",
        Ima,
        Is("1012", |seen| seen.fails_without_pixels(1012)),
    ),
    (
        "first_document_missing",
        RmpVast,
        Is("900, as of any failure of it", |seen| {
            seen.fails_without_pixels(900)
        }),
    ),
    (
        "category_missing",
        Standard,
        Is("204", |seen| seen.fails_with(204)),
    ),
    (
        "category_missing",
        RmpVast,
        Is("204 is reported, and the ad continues", |seen| {
            seen.pixels == [204] && seen.shown == 1
        }),
    ),
    (
        "version_unknown",
        Standard,
        Is("102", |seen| seen.fails_without_pixels(102)),
    ),
    (
        "version_unknown",
        VideoAdSdk,
        Is("read on", |seen| seen.shown == 1),
    ),
    (
        "progress_at_a_fraction",
        Standard,
        Is("all, each at its share", |seen| {
            seen.count("progress") == 4 && seen.shown == 1
        }),
    ),
    (
        "progress_at_a_fraction",
        VastClientJs,
        Is("rounded to whole percent, a fraction never", |seen| {
            seen.count("progress") == 3 && seen.beacons.contains(&("progress".to_owned(), 480))
        }),
    ),
    (
        "seek_over_two_cues",
        Ima,
        Is("the latest passed", |seen| {
            seen.asked == 1 && seen.shown == 1
        }),
    ),
    (
        "seek_over_two_cues",
        Media3,
        Is("the latest earlier break, once", |seen| {
            seen.asked == 1 && seen.shown == 1
        }),
    ),
    (
        "seek_over_two_cues",
        Standard,
        Not("the documentation says nothing about seeks over breaks"),
    ),
    (
        "cue_in_percent",
        Standard,
        Is("required", |seen| seen.shown == 1),
    ),
    (
        "cue_in_percent",
        Ima,
        Is("rejected with 900", |seen| {
            seen.asked == 0 && seen.diags.iter().any(|code| code == "cue_dropped")
        }),
    ),
    (
        "mid_roll_near_the_end",
        Media3,
        Not(
            "content counts as ended 5 s before only if the player buffers, jumps or gets news of ads there",
        ),
    ),
    (
        "mid_roll_near_the_end",
        Ima,
        Is("it plays", |seen| seen.shown == 1),
    ),
    (
        "mid_roll_loads_while_content_plays",
        Standard,
        Is("before any content after it", |seen| {
            seen.began == Some(2_500)
        }),
    ),
    (
        "wrapper_that_cannot_be_fetched",
        Standard,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_that_cannot_be_fetched",
        VastClientJs,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_that_cannot_be_fetched",
        VideoAdSdk,
        Is("502", |seen| seen.fails_with(502)),
    ),
    (
        "wrapper_404_with_a_document",
        Standard,
        Is("the status counts: 301", |seen| seen.fails_with(301)),
    ),
    (
        "wrapper_404_with_a_document",
        VideoAdSdk,
        Is("the status counts: 502", |seen| seen.fails_with(502)),
    ),
    (
        "sequenced_ad_with_a_stand_alone_one",
        Standard,
        Is("it is ignored", |seen| plays_alone(seen, &[])),
    ),
    (
        "sequenced_ad_with_a_stand_alone_one",
        VastClientJs,
        Is(
            "it is skipped, with 101 to root elements, which have no URL here",
            |seen| plays_alone(seen, &[]),
        ),
    ),
    (
        "sequenced_ad_with_a_stand_alone_one",
        VideoAdSdk,
        Is("one is no pod, and the first in the document", |seen| {
            seen.shown == 1 && seen.heard("https://t.test/first/impression") == 1
        }),
    ),
    (
        "sequenced_ad_with_a_stand_alone_one",
        Ima,
        Is("it is ignored", |seen| plays_alone(seen, &[])),
    ),
    (
        "sequenced_ad_with_a_stand_alone_one",
        RmpVast,
        Is("it is a pod of one", |seen| {
            seen.shown == 1 && seen.heard("https://t.test/first/impression") == 1
        }),
    ),
    (
        "ad_without_creatives",
        Standard,
        Is("400", |seen| seen.fails_with(400)),
    ),
    (
        "ad_without_creatives",
        VastClientJs,
        Is("303", |seen| seen.fails_with(303)),
    ),
    (
        "ad_without_creatives",
        RmpVast,
        Is("as vast-client-js", |seen| seen.fails_with(303)),
    ),
    (
        "unreadable_after_a_wrapper",
        Standard,
        Is("100", |seen| seen.fails_with(100)),
    ),
    (
        "unreadable_after_a_wrapper",
        VastClientJs,
        Is("301", |seen| seen.fails_with(301)),
    ),
    (
        "unreadable_after_a_wrapper",
        RmpVast,
        Is("301 to the URLs, 303 to the page", |seen| {
            seen.fails_apart(303, 301)
        }),
    ),
    (
        "vast_1_after_a_wrapper",
        Standard,
        Is("102", |seen| seen.fails_with(102)),
    ),
    (
        "vast_1_after_a_wrapper",
        VastClientJs,
        Is("102", |seen| seen.fails_with(102)),
    ),
    (
        "ad_without_a_child_after_a_wrapper",
        VastClientJs,
        Is("the crash is caught: 301", |seen| seen.fails_with(301)),
    ),
    (
        "tracker_with_macros",
        Standard,
        Is("literal commas, the file that plays", |seen| {
            seen.heard(
                "https://t.test/two/start?ids=a.test%20one,b.test%20two&file=https%3A%2F%2Fm.test%2Fspot.mp4",
            ) == 1
        }),
    ),
    (
        "tracker_with_macros",
        VastClientJs,
        Is("%2C, the first file", |seen| {
            seen.heard("https://t.test/two/start?ids=a.test%20one%2Cb.test%20two&file=https%3A%2F%2Fm.test%2Ffirst.mp4")
                == 1
        }),
    ),
    (
        "relative_trackers",
        Standard,
        Is("all are called", |seen| {
            seen.count("impression") == 4 && seen.count("start") == 1
        }),
    ),
    (
        "relative_trackers",
        VastClientJs,
        Is("only absolute ones are called", |seen| {
            seen.urls == ["https://t.test/impression", "//t.test/impression"] && seen.shown == 1
        }),
    ),
    (
        "start_offset_after_two_cues",
        Ima,
        Is("the pre-roll, then the latest passed", |seen| {
            seen.tags == ["https://ads.test/pre", "https://ads.test/mid"] && seen.shown == 2
        }),
    ),
    (
        "start_offset_after_two_cues",
        Media3,
        // The pre-roll's tag is asked too: it may return a schedule. PRD-9
        Is("the latest break before the start alone", |seen| {
            seen.tags.last().is_some_and(|tag| tag.ends_with("/mid"))
                && seen.shown == 1
                && seen.began < seen.started
        }),
    ),
    (
        "start_offset_with_only_a_pre_roll",
        Media3,
        Is("the pre-roll is the latest", |seen| {
            seen.tags.first().is_some_and(|tag| tag.ends_with("/pre"))
        }),
    ),
];

/// The stand-alone ad is shown, and the error URLs of ads with a sequence get these codes.
fn plays_alone(seen: &Seen, codes: &[i64]) -> bool {
    let is_told = seen.pixels.iter().all(|pixel| codes.contains(pixel))
        && seen.pixels.is_empty() == codes.is_empty();
    seen.shown == 1 && seen.heard("https://t.test/alone/impression") == 1 && is_told
}

fn play(condition: &str, profile: Profile) -> Trace {
    play_of("conditions", condition, profile)
}

fn play_of(topic: &str, name: &str, profile: Profile) -> Trace {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/scenarios")
        .join(topic);
    let file = format!("{name}.yaml");
    let text = std::fs::read_to_string(folder.join(&file)).expect("the condition is a scenario");
    let mut load = |name: &str| std::fs::read_to_string(folder.join(name));
    let mut overrides = Overrides::default();
    overrides.set_profile(profile);
    let scenario =
        scenario::read_over(&file, &text, &overrides, &mut load).expect("it reads without error");
    Simulation::new(&scenario).expect("it can be played").run()
}

fn run(cells: &[Cell]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (condition, product, known) in cells {
        let Is(says, holds) = known else { continue };
        let trace = play(condition, *product);
        let seen = Seen::of(&trace);
        if !holds(&seen) {
            let Seen {
                pixels,
                reported,
                shown,
                began,
                asked,
                ..
            } = &seen;
            wrong.push(format!(
                "{condition}, {}: due was \"{says}\"; addresses heard {pixels:?}, the page {reported:?}, {shown} ads \
                 shown, the first at {began:?}, {asked} tags asked, beacons {:?}",
                product.name(),
                seen.beacons
            ));
        }
    }
    wrong
}

#[test]
fn each_cell_of_the_table_matches_the_product() {
    let wrong = run(TABLE);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_policy_matches_the_product() {
    let mut wrong = run(POLICIES);
    wrong.extend(run(documents::POLICIES));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rule about a tag's own document covers mistakes in it; another one covers VMAP in the wrong
/// place.
#[test]
fn vmap_in_the_wrong_place_is_refused_by_the_rule_about_it() {
    let rules = |trace: &Trace, code: i64| -> Vec<String> {
        let failed = trace
            .records
            .iter()
            .filter(|record| *record.name == *"no-fill");
        let failed =
            failed.filter(|it| it.data.get("code").and_then(Value::as_integer) == Some(code));
        failed
            .filter_map(|record| record.rule)
            .map(|rule| rule.to_string())
            .collect()
    };
    let elsewhere = play_of(
        "vmap",
        "schedule_outside_a_pre_roll_is_refused",
        Profile::Default,
    );
    let found = rules(&elsewhere, 200);
    assert!(
        !found.is_empty() && found.iter().all(|rule| rule == "VMAP-1"),
        "{found:?}"
    );
    let broken = play_of("chain", "first_document_broken_is_100", Profile::Default);
    assert_eq!(rules(&broken, 100), ["CHN-9"]);
    let strict = play_of(
        "reading",
        "strict_reader_refuses_with_100_to_102",
        Profile::Standard,
    );
    assert_eq!(rules(&strict, 102), ["PRD-6"]);
}

/// Eleven conditions, one of them in two scenarios, for five products: no cell is missing, and none
/// occurs twice.
#[test]
fn the_table_is_complete_and_unknown_cells_stay_unknown() {
    let mut cells: Vec<(&str, &str)> = TABLE
        .iter()
        .map(|(condition, product, _)| (*condition, product.name()))
        .collect();
    cells.retain(|(condition, _)| *condition != "no_media_file_offered");
    cells.sort_unstable();
    let count = cells.len();
    cells.dedup();
    assert_eq!((cells.len(), count), (55, 55));
    let unknown: Vec<&str> = TABLE
        .iter()
        .filter_map(|(_, _, known)| {
            if let Not(why) = known {
                Some(*why)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(unknown.len(), 5, "{unknown:?}");
}
