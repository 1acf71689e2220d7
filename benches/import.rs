//! The cost of importing and playing a large HTTP archive, compared with a plain walk over its
//! JSON.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

mod measure;

use std::fmt::Write as _;
use std::hint::black_box;

use measure::{Table, costs};
use playsim::import::{
    self, Evidence, Hints, PageVerdict, PlaySettings, PlayedRecording, RecordingSet,
    RequestRecording,
};
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::time::Span;

const ENTRIES: usize = 3_000;
const BYTES: usize = 50_000_000;
const VAST: &str = "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
        <Impression>https://t.test/i?cb=[CACHEBUSTING]</Impression><Creatives><Creative><Linear>\
        <Duration>00:00:10</Duration><TrackingEvents><Tracking event='start'>https://t.test/s?cb=[CACHEBUSTING]</Tracking>\
        <Tracking event='complete'>https://t.test/c?cb=[CACHEBUSTING]</Tracking></TrackingEvents><MediaFiles>\
        <MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://m.test/a.mp4</MediaFile>\
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

fn main() {
    let mut table = Table::default();
    let archive = archive(ENTRIES);
    table.heading(&format!(
        "An archive of {:.1} MB with {ENTRIES} entries",
        archive.len() as f64 / 1e6
    ));
    let [walk, read, all] = costs([
        &mut || {
            _ = black_box(
                serde_json::from_slice::<serde::de::IgnoredAny>(black_box(&archive)).is_ok(),
            )
        },
        &mut || _ = black_box(read(&archive)),
        &mut || _ = black_box(play(&archive)),
    ]);
    table.cost("plain walk over the JSON in memory", walk);
    table.cost("reading as a stream", read);
    table.cost_within("read, understood, played and compared", all, 1_000_000.0);
    table.multiple("import", "the walk", [all, walk], 20.0);
    many(&mut table);
    table.heading("Archives of many entries; cost of a megabyte");
    let mut before = None;
    for entries in [ENTRIES / 4, ENTRIES / 2, ENTRIES] {
        let archive = self::archive(entries);
        let megabytes = archive.len() as f64 / 1e6;
        let [all] = costs([&mut || _ = black_box(play(black_box(&archive)))]);
        table.grown(
            &format!("{megabytes:.1} MB"),
            all.min / megabytes,
            &mut before,
        );
    }
    table.heading("Archives of many answers with ads, all with the same pixels; cost of an answer");
    let mut before = None;
    for answers in [2_000, 8_000, 32_000] {
        let recording = self::read(&answers_with_ads(answers));
        let [all] = costs([&mut || _ = black_box(understand(black_box(recording.clone())))]);
        table.grown(
            &format!("{answers} answers"),
            all.min / f64::from(answers),
            &mut before,
        );
    }
    table.heading(
        "Archives of many tags without ads, read, understood, played and compared; cost of a tag",
    );
    let mut before = None;
    for tags in [2_000, 8_000, 32_000] {
        let archive = answers(tags, "<VAST version='4.2'/>");
        let [all] = costs([&mut || _ = black_box(played(black_box(&archive)))]);
        table.grown(
            &format!("{tags} tags"),
            all.min / f64::from(tags),
            &mut before,
        );
    }
    reports(&mut table);
    table.print();
}

/// Reports on tags with many ads, breaks or trackers.
fn reports(table: &mut Table) {
    let ad = |number: u32, trackers: &str| {
        format!(
            "<Ad id='a{number}' sequence='{}'><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
             <Impression>https://t.test/i?n={number}</Impression><Creatives><Creative><Linear>\
             <Duration>00:00:10</Duration><TrackingEvents>{trackers}</TrackingEvents><MediaFiles>\
             <MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://m.test/{number}.mp4</MediaFile>\
             </MediaFiles></Linear></Creative></Creatives></InLine></Ad>",
            number + 1
        )
    };
    let ads = |count: u32| {
        let ads: String = (0..count).map(|number| ad(number, "")).collect();
        format!("<VAST version='4.2'>{ads}</VAST>")
    };
    let trackers = |count: u32| {
        let tracker = |number: u32| {
            format!(
                "<Tracking event='progress' offset='00:00:0{}.{:03}'>https://t.test/p?n={number}</Tracking>",
                number % 10,
                number % 1_000
            )
        };
        let trackers: String = (0..count).map(tracker).collect();
        format!("<VAST version='4.2'>{}</VAST>", ad(0, &trackers))
    };
    let breaks = |count: u32| {
        let at = |number: u32| {
            format!(
                "<vmap:AdBreak timeOffset='{:02}:{:02}:{:02}' breakType='linear' breakId='b{number}'><vmap:AdSource>\
                 <vmap:VASTAdData><VAST version='4.2'>{}</VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>",
                number / 3_600,
                number / 60 % 60,
                number % 60,
                ad(number, "")
            )
        };
        let breaks: String = (1..=count).map(at).collect();
        format!(
            "<vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>{breaks}</vmap:VMAP>"
        )
    };
    type Document<'a> = (&'a str, [u32; 3], &'a dyn Fn(u32) -> String);
    let documents: [Document<'_>; 3] = [
        ("ads in a pod", [250, 1_000, 4_000], &ads),
        ("progress trackers", [1_000, 4_000, 16_000], &trackers),
        ("breaks of a schedule", [250, 1_000, 4_000], &breaks),
    ];
    for (what, counts, document) in documents {
        table.heading(&format!(
            "A session with many {what}, played and reported; cost of each"
        ));
        let mut before = None;
        for count in counts {
            let scenario = scenario(&document(count));
            let [all] = costs([&mut || _ = black_box(report(black_box(&scenario)))]);
            table.grown(
                &format!("{count} {what}"),
                all.min / f64::from(count),
                &mut before,
            );
        }
    }
}

/// One tag with this document.
fn scenario(document: &str) -> Scenario {
    let text = format!(
        r#"{{"videos": [{{"id": "v", "renditions": {{"sd": "film.mp4"}}}}],
        "media": {{"film.mp4": {{"duration": "5000s"}}, "default": {{"duration": "10s"}}}},
        "network": {{"https://ads.test/a": {{"text": {}}}}},
        "steps": [{{"at": "0s", "init": {{"div": "player", "config": {{"id": "p", "video": "v", "autoplay": true,
        "ads": [{{"adType": 0, "adTimeType": "s", "mobile": ["https://ads.test/a"]}}]}}}}}}]}}"#,
        serde_json::to_string(document).expect("a string")
    );
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    playsim::scenario::read("bench.json", &text, &mut load).expect("it reads")
}

fn report(scenario: &Scenario) -> usize {
    let trace = Simulation::new(scenario).expect("it can be played").run();
    let report = Waterfalls::of_played(&trace, scenario);
    let beacons = report.breaks.iter().map(|it| it.beacons.len());
    beacons.sum()
}

/// One of many recordings: read, understood and added to a set, compared with a plain walk over its
/// JSON.
fn many(table: &mut Table) {
    let archive = archive(ENTRIES / 10);
    table.heading(&format!(
        "One of many recordings, of {:.1} MB",
        archive.len() as f64 / 1e6
    ));
    let add = |archive: &[u8]| {
        let evidence = Evidence::of(read(archive), Hints::default()).expect("it has tags");
        let mut set = RecordingSet::default();
        set.add("bench", &evidence, &PageVerdict::of(&evidence));
        set.len()
    };
    let [walk, read, add] = costs([
        &mut || {
            _ = black_box(
                serde_json::from_slice::<serde::de::IgnoredAny>(black_box(&archive)).is_ok(),
            )
        },
        &mut || _ = black_box(self::read(black_box(&archive))),
        &mut || _ = black_box(add(black_box(&archive))),
    ]);
    table.cost("plain walk over the JSON in memory", walk);
    table.cost("reading as a stream", read);
    table.cost("read, understood and counted", add);
    table.multiple("many recordings", "the walk", [add, walk], 2.0);
}

/// An archive in which each request is a tag that is answered with an ad, whose pixels are called.
fn answers_with_ads(count: u32) -> Vec<u8> {
    answers(count, VAST)
}

/// An archive in which each request is a tag that is answered with a document, and each second one
/// that of a pixel.
fn answers(count: u32, document: &str) -> Vec<u8> {
    let mut entries = String::new();
    for number in 0..count / 2 {
        for (url, mime, body) in [
            (
                format!("https://ads.test/tag?cb={number}"),
                "text/xml",
                serde_json::to_string(document).expect("a string"),
            ),
            (
                format!("https://t.test/i?cb={number}"),
                "image/gif",
                "\"R0lGOD\"".to_owned(),
            ),
        ] {
            if !entries.is_empty() {
                entries.push(',');
            }
            let (hours, seconds) = (number / 3_600 % 24, number % 3_600);
            let _ = write!(
                entries,
                "{{\"startedDateTime\":\"2026-01-01T{hours:02}:{:02}:{:02}Z\",\"time\":100,\"request\":{{\"method\":\
                 \"GET\",\"url\":\"{url}\"}},\"response\":{{\"status\":200,\"content\":{{\"size\":9,\"mimeType\":\
                 \"{mime}\",\"text\":{body}}}}}}}",
                seconds / 60,
                seconds % 60
            );
        }
    }
    format!("{{\"log\":{{\"entries\":[{entries}]}}}}").into_bytes()
}

fn read(archive: &[u8]) -> RequestRecording {
    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    import::read("bench", archive, &mut load).expect("an archive")
}

fn play(archive: &[u8]) -> usize {
    let played = played(archive);
    assert!(
        played
            .simulation
            .as_ref()
            .is_some_and(|it| it.report.is_filled())
    );
    played.differences().len()
}

fn played(archive: &[u8]) -> PlayedRecording {
    let settings = PlaySettings {
        within: Span::from_millis(500),
        ..PlaySettings::default()
    };
    import::play(read(archive), Hints::default(), &settings).expect("it has tags")
}

/// Finds out what the requests of a recording were for, and what happened.
fn understand(recording: RequestRecording) -> usize {
    let evidence = Evidence::of(recording, Hints::default()).expect("it has tags");
    PageVerdict::of(&evidence).pixels.len()
}

/// A page with a waterfall of three tags among scripts, images and pixels of others.
fn archive(count: usize) -> Vec<u8> {
    let mut entries = String::new();
    let mut entry = |ms: usize, took: usize, url: &str, mime: &str, body: &str| {
        if !entries.is_empty() {
            entries.push(',');
        }
        let body = serde_json::to_string(body).expect("a string");
        let _ = write!(
            entries,
            "{{\"startedDateTime\":\"2026-01-01T00:00:{:02}.{:03}Z\",\"time\":{took},\"_initiator\":{{\"type\":\"script\",\
             \"stack\":{{\"callFrames\":[{{\"url\":\"https://page.test/p.js\",\"lineNumber\":1}}]}}}},\"request\":{{\
             \"method\":\"GET\",\"url\":\"{url}\",\"headers\":[{{\"name\":\"Accept\",\"value\":\"*/*\"}}]}},\"response\":{{\
             \"status\":200,\"headers\":[],\"content\":{{\"size\":{},\"mimeType\":\"{mime}\",\"text\":{body}}}}},\
             \"timings\":{{\"send\":0,\"wait\":{took},\"receive\":0}}}}",
            ms / 1_000,
            ms % 1_000,
            body.len()
        );
    };
    let script = "function a(b){return \"c\\n\"+b}\n".repeat(BYTES / ENTRIES / 36);
    entry(
        100,
        100,
        "https://ads.test/one?cb=1",
        "text/xml",
        "<VAST version='4.2'/>",
    );
    entry(
        202,
        300,
        "https://ads.test/two?cb=2",
        "text/xml",
        "<VAST version='4.2'/>",
    );
    entry(505, 200, "https://ads.test/three?cb=3", "text/xml", VAST);
    entry(710, 50, "https://m.test/a.mp4", "video/mp4", "AAAA");
    for (ms, url) in [(800, "i"), (801, "s"), (10_800, "c")] {
        entry(
            ms,
            5,
            &format!("https://t.test/{url}?cb={ms}"),
            "image/gif",
            "R0lGODlhAQABAIAAAAAAAP",
        );
    }
    for number in 7..count {
        let url = format!("https://cdn{}.test/lib/{number}.js?v={number}", number % 40);
        entry(number * 3, 20, &url, "text/javascript", &script);
    }
    format!("{{\"log\":{{\"version\":\"1.2\",\"creator\":{{\"name\":\"bench\",\"version\":\"1\"}},\"entries\":[{entries}]}}}}")
        .into_bytes()
}
