//! What tools make of a session, and what was asked beside the tags: redirects that are listed
//! once, clocks without a zone, entries that are told twice, auctions, an ad's own requests, jumps.

use playsim::import::{
    self, Hints, ImportFault, PixelFault, PlayedRecording, RecordedBreakKind, TagFailure, TagResult,
};
use playsim::time::Span;
use serde_json::{Value, json};

use super::settings;
use super::unread::{ad, entry, gif, outcomes, played, two, xml};

fn said(played: &PlayedRecording) -> String {
    let all = &played.verdict.headline.sentences;
    all.iter().map(|it| format!("{}\n", it.text)).collect()
}

/// Replaces the time of each entry.
fn with_times(mut entries: Vec<Value>, change: impl Fn(&str) -> String) -> Vec<Value> {
    for it in &mut entries {
        let time = it["startedDateTime"].as_str().expect("a date").to_owned();
        it["startedDateTime"] = change(&time).into();
    }
    entries
}

/// The answer of a wrapper that names a document, with a pixel of its own.
fn wrapper(to: &str) -> Value {
    xml(&format!(
        "<VAST version=\"3.0\"><Ad id=\"w\"><Wrapper><AdSystem>x</AdSystem><VASTAdTagURI>{to}</VASTAdTagURI>\
         <Error>https://t.test/w/error?code=[ERRORCODE]</Error>\
         <Impression>https://t.test/w/impression</Impression></Wrapper></Ad></VAST>"
    ))
}

/// A pre-roll whose tag is asked at one second, and its ad's film and pixels.
fn filled(url: &str, answer: Value, name: &str) -> Vec<Value> {
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let pixel = |at, event: &str| {
        entry(
            at,
            &format!("https://t.test/{name}/{event}"),
            200,
            "image",
            gif(),
        )
    };
    vec![
        entry(1_000, url, 200, "xhr", answer),
        entry(
            1_310,
            &format!("https://m.test/{name}.mp4"),
            206,
            "media",
            film,
        ),
        pixel(1_500, "impression"),
        pixel(5_500, "complete"),
    ]
}

fn content(at: u64, url: &str, text: &str) -> Value {
    let mime = "application/vnd.apple.mpegurl";
    entry(
        at,
        url,
        200,
        "xhr",
        json!({ "size": 900, "mimeType": mime, "text": text }),
    )
}

#[test]
fn times_without_a_zone_are_of_one_clock() {
    let zoned = two(xml("<VAST version=\"3.0\"/>"));
    let due = played(&zoned).expect("an archive");
    let local = with_times(zoned.clone(), |time| time.trim_end_matches('Z').to_owned());
    let it = played(&local).expect("an archive");
    assert_eq!(said(&it), said(&due));
    assert!(it.evidence.recording.epoch_micros.is_none());
    assert!(it.notes.iter().any(|note| note.text.contains("no zone")));
    // Other ways to write the same instants.
    for read in ["Thu, 01 Jan 2026 12:00:0", "176726880"] {
        let first = if read.starts_with('T') {
            format!("{read}0 GMT")
        } else {
            format!("{read}0000")
        };
        let it = with_times(zoned.clone(), |_| first.clone());
        let it = played(&it).expect("an archive");
        assert_eq!(
            it.evidence.recording.epoch_micros,
            due.evidence.recording.epoch_micros.map(|it| it - 100_000)
        );
    }
    // Clocks that cannot be compared are not.
    let mut mixed = zoned;
    mixed[0]["startedDateTime"] = "2026-01-01T07:00:00".into();
    let it = played(&mixed).expect("an archive");
    assert!(
        it.notes
            .iter()
            .any(|note| note.text.starts_with("1 of 5 requests")),
        "{:?}",
        it.notes
    );
}

#[test]
fn without_a_time_nothing_is_said_of_time() {
    let entries = with_times(two(xml("<VAST version=\"3.0\"/>")), |_| "soon".to_owned());
    let Err(ImportFault::NoTimes(text)) = played(&entries) else {
        panic!("none can be read");
    };
    assert!(!text.contains("0.000"), "{text}");
}

#[test]
fn whole_seconds_do_not_make_tags_asked_at_once() {
    let entries = two(xml("<VAST version=\"3.0\"/>"));
    let entries = with_times(entries, |time| format!("{}Z", &time[..19]));
    let it = played(&entries).expect("an archive");
    assert!(it.verdict.tags().all(|tag| !tag.together), "{}", it.verdict);
    assert!(it.verdict.limit.is_none());
    assert!(it.differences().is_empty(), "{:?}", it.differences());
    assert!(
        it.notes
            .iter()
            .any(|note| note.text.contains("whole seconds"))
    );
    assert!(said(&it).contains("after about 0 s"), "{}", said(&it));
}

#[test]
fn a_file_in_utf_16_is_read() {
    let entries = two(xml("<VAST version=\"3.0\"/>"));
    let text = json!({ "log": { "entries": entries } }).to_string();
    for little in [true, false] {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let bytes: Vec<u8> = units
            .flat_map(|unit| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            })
            .collect();
        let mut none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let it = import::read("it.har", &bytes[..], &mut none).expect("an archive");
        assert_eq!(it.exchanges.len(), 5);
    }
}

#[test]
fn an_answer_that_cannot_be_read_may_be_a_tag_where_no_sender_is_known() {
    let mut entries = two(json!({ "size": 1034, "mimeType": "text/xml" }));
    for it in &mut entries {
        it["_initiator"] = Value::Null;
    }
    let it = played(&entries).expect("an archive");
    let due = "tag 1 of at least 1 (two.test/x) after 0.295 s, perhaps tag 2 of 2 after 0.400 s";
    assert!(said(&it).contains(due), "{}", said(&it));
    assert!(!it.is_as_documented());
}

#[test]
fn a_redirect_that_is_listed_once_is_one_hop() {
    let mut entries = filled("https://last.test/v", xml(&ad("one")), "one");
    entries.insert(
        0,
        entry(
            800,
            "https://one.test/t",
            200,
            "xhr",
            wrapper("https://hop.test/r"),
        ),
    );
    entries.insert(
        4,
        entry(1_501, "https://t.test/w/impression", 200, "image", gif()),
    );
    let it = played(&entries).expect("an archive");
    assert!(
        matches!(outcomes(&it)[..], [TagResult::Filled { .. }]),
        "{}",
        it.verdict
    );
    let tag = it.verdict.tags().next().expect("a tag");
    assert_eq!(&*tag.hops[0].url, "https://last.test/v");
    assert!(it.is_as_documented(), "{:?}", it.differences());
    assert!(!it.text(100, false, Default::default()).contains("404"));
    // Without a pixel of the wrapper nothing shows that the other one is behind it.
    entries.remove(4);
    let it = played(&entries).expect("an archive");
    let all = outcomes(&it);
    assert!(
        matches!(&all[..], [TagResult::Unknown { why }, TagResult::Filled { .. }] if why.contains("wrapper")),
        "{all:?}"
    );
}

#[test]
fn what_follows_from_an_address_that_is_not_in_the_file_is_no_difference() {
    let mut entries = two(wrapper("https://hop.test/r"));
    let it = played(&entries).expect("an archive");
    assert!(
        matches!(outcomes(&it)[0], TagResult::Unknown { .. }),
        "{}",
        it.verdict
    );
    assert!(it.differences().is_empty(), "{:?}", it.differences());
    // The page's own word is known.
    entries.insert(
        1,
        entry(204, "https://t.test/w/error?code=301", 200, "image", gif()),
    );
    let it = played(&entries).expect("an archive");
    let due = TagFailure::Reported { code: 301 };
    assert!(matches!(outcomes(&it)[0], TagResult::Failed { cause } if *cause == due));
}

#[test]
fn bids_of_an_auction_are_no_tags() {
    let bid = |price: &str, name: &str| {
        let text =
            json!({ "seatbid": [{ "bid": [{ "price": price, "adm": ad(name) }] }] }).to_string();
        json!({ "size": text.len(), "mimeType": "application/json", "text": text })
    };
    let mut entries = filled("https://server.test/ads", xml(&ad("dear")), "dear");
    for (at, host, answer) in [
        (500, "https://a.test/bid", bid("5.00", "dear")),
        (503, "https://b.test/bid", bid("3.10", "cheap")),
        (
            506,
            "https://c.test/bid",
            json!({ "size": 0, "mimeType": "" }),
        ),
    ] {
        let mut asked = entry(at, host, 200, "xhr", answer);
        asked["request"]["method"] = "POST".into();
        entries.insert(0, asked);
    }
    let it = played(&entries).expect("an archive");
    assert!(
        matches!(outcomes(&it)[..], [TagResult::Filled { .. }]),
        "{}",
        it.verdict
    );
    let bids = &it.verdict.bids;
    let shown: Vec<(&str, bool)> = bids.iter().map(|it| (&*it.url, it.is_shown)).collect();
    assert_eq!(
        shown,
        [("https://a.test/bid", true), ("https://b.test/bid", false)]
    );
    assert!(
        said(&it).contains("cheap of b.test/bid at 3.1, not shown"),
        "{}",
        said(&it)
    );
    assert!(it.is_as_documented(), "{:?}", it.differences());
    // An ad that is played from the answer of its bidder makes that one the tag.
    entries.retain(|it| it["request"]["url"] != "https://server.test/ads");
    let it = played(&entries).expect("an archive");
    assert!(
        matches!(outcomes(&it)[..], [TagResult::Filled { .. }]),
        "{}",
        it.verdict
    );
    assert_eq!(it.verdict.bids.len(), 1);
}

#[test]
fn what_an_ads_own_program_asks_for_belongs_to_it() {
    let unit = ad("unit").replace(
        "type=\"video/mp4\" width",
        "type=\"application/javascript\" apiFramework=\"VPAID\" width",
    );
    let unit = unit.replace("unit.mp4", "unit.js");
    let mut entries = filled("https://one.test/t", xml(&unit), "unit");
    entries[1] = entry(
        1_310,
        "https://m.test/unit.js",
        200,
        "script",
        json!({ "size": 9, "mimeType": "text/javascript" }),
    );
    let inner = entry(2_000, "https://inner.test/v", 200, "xhr", xml(&ad("inner")));
    entries.insert(3, inner);
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    entries.insert(
        4,
        entry(2_200, "https://m.test/inner.mp4", 206, "media", film),
    );
    for is_named in [true, false] {
        let mut entries = entries.clone();
        for (index, it) in entries.iter_mut().enumerate() {
            if is_named && (3..5).contains(&index) {
                it["_initiator"] = json!({ "type": "script", "url": "https://m.test/unit.js" });
            } else if !is_named {
                it["_initiator"] = Value::Null;
            }
        }
        let it = played(&entries).expect("an archive");
        assert_eq!(it.verdict.tags().count(), 1, "{}", it.verdict);
        let rows = it.evidence.rows();
        assert_eq!(
            rows.iter().filter(|row| row.role == "unit").count(),
            2,
            "{rows:?}"
        );
    }
}

#[test]
fn a_playlist_says_how_long_the_content_is_and_where_the_page_jumped() {
    let pieces: String = (0..50)
        .map(|at| format!("#EXTINF:6.0,\nseg-{at}.ts\n"))
        .collect();
    let list = format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n{pieces}#EXT-X-ENDLIST\n");
    let vmap = "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\
        <vmap:AdBreak timeOffset=\"00:01:00\" breakType=\"linear\"><vmap:AdSource><vmap:AdTagURI templateType=\"vast3\">\
        https://one.test/first</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>\
        <vmap:AdBreak timeOffset=\"00:04:00\" breakType=\"linear\"><vmap:AdSource><vmap:AdTagURI templateType=\"vast3\">\
        https://one.test/second</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>";
    let piece = |at, number: u32| {
        let film = json!({ "size": 900, "mimeType": "video/mp2t" });
        entry(
            at,
            &format!("https://c.test/seg-{number}.ts"),
            200,
            "xhr",
            film,
        )
    };
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let pixel = |at, event: &str| {
        entry(
            at,
            &format!("https://t.test/one/{event}"),
            200,
            "image",
            gif(),
        )
    };
    let entries = vec![
        entry(0, "https://one.test/vmap", 200, "xhr", xml(vmap)),
        content(200, "https://c.test/index.m3u8", &list),
        piece(400, 0),
        piece(700, 1),
        piece(9_000, 41),
        entry(
            9_300,
            "https://one.test/second",
            200,
            "xhr",
            xml(&ad("one")),
        ),
        entry(9_500, "https://m.test/one.mp4", 206, "media", film),
        pixel(9_700, "impression"),
        pixel(13_700, "complete"),
        piece(14_000, 42),
        piece(20_000, 43),
    ];
    let it = played(&entries).expect("an archive");
    assert_eq!(it.verdict.content.length, Some(Span::from_secs(300)));
    assert_eq!(it.evidence.jumps.len(), 1, "{:?}", it.evidence.jumps);
    assert!(said(&it).contains("jumped to 246.000 s"), "{}", said(&it));
    assert!(
        said(&it).contains("not asked: at 60.000 s"),
        "{}",
        said(&it)
    );
    assert!(it.differences().is_empty(), "{:?}", it.differences());
}

#[test]
fn one_of_several_pages_is_looked_at_and_the_headline_says_so() {
    let mut entries = filled("https://one.test/t", xml(&ad("one")), "one");
    let mut other = filled("https://two.test/t", xml("<VAST version=\"3.0\"/>"), "two");
    other.truncate(1);
    entries.iter_mut().for_each(|it| it["pageref"] = "a".into());
    other.iter_mut().for_each(|it| it["pageref"] = "b".into());
    entries.extend(other);
    let text = json!({ "log": { "pages": [{ "id": "a", "title": "News" }, { "id": "b", "title": "Sport" }],
        "entries": entries } });
    let of = |page: Option<&str>| {
        let mut none = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let recording =
            import::read("it.har", text.to_string().as_bytes(), &mut none).expect("an archive");
        let hints = Hints {
            page: page.map(str::to_owned),
            ..Hints::default()
        };
        import::play(recording, hints, &settings())
    };
    let it = of(None).expect("an archive");
    assert!(matches!(outcomes(&it)[..], [TagResult::Filled { .. }]));
    assert!(
        said(&it)
            .contains("2 pages have ads, and this is a (News); --page shows another: b (Sport)"),
        "{}",
        said(&it)
    );
    for page in ["b", "Spor"] {
        let it = of(Some(page)).expect("an archive");
        assert!(
            matches!(outcomes(&it)[..], [TagResult::NoAd { .. }]),
            "{}",
            it.verdict
        );
    }
    let error = of(Some("c")).expect_err("there is none");
    assert!(error.to_string().contains("a (News), b (Sport)"), "{error}");
}

#[test]
fn a_request_that_is_told_twice_counts_once() {
    // A service worker asks again for what the page asked it for.
    let mut worker = two(xml("<VAST version=\"3.0\"/>"));
    let mut again = worker[1].clone();
    again["startedDateTime"] = "2026-01-01T12:00:00.215Z".into();
    worker[1]["_fetchedViaServiceWorker"] = true.into();
    worker.insert(2, again);
    // Two captures of one session.
    let merged = two(xml("<VAST version=\"3.0\"/>"));
    let later = with_times(merged.clone(), |time| {
        time.replace("5Z", "7Z").replace("0Z", "2Z")
    });
    for entries in [worker, [merged, later].concat()] {
        let it = played(&entries).expect("an archive");
        let all = outcomes(&it);
        assert!(
            matches!(all[..], [TagResult::NoAd { .. }, TagResult::Filled { .. }]),
            "{all:?}"
        );
        assert!(it.differences().is_empty(), "{:?}", it.differences());
        assert!(it.notes.iter().any(|note| note.text.contains("told twice")));
    }
    // A page that asks twice did so.
    let mut twice = two(xml("<VAST version=\"3.0\"/>"));
    twice.insert(4, twice[3].clone());
    let it = played(&twice).expect("an archive");
    assert!(
        it.verdict
            .pixels
            .iter()
            .any(|it| it.faults == [PixelFault::Twice])
    );
}

#[test]
fn a_pixel_from_the_browsers_store_was_not_sent() {
    let mut entries = two(xml("<VAST version=\"3.0\"/>"));
    entries[3]["_fromCache"] = "memory".into();
    let it = played(&entries).expect("an archive");
    assert!(
        it.verdict
            .pixels
            .iter()
            .any(|it| it.faults == [PixelFault::NotSent])
    );
    let first = &it.differences()[0];
    assert!(first.what.contains("impression was not sent"), "{first:?}");
}

#[test]
fn a_refused_preflight_is_why_a_tag_was_blocked() {
    let mut entries = two(json!({ "size": 0, "mimeType": "" }));
    entries[0]["response"]["status"] = 0.into();
    entries[0]["response"]["_error"] = "net::ERR_FAILED".into();
    let mut asked = entry(
        50,
        "https://one.test/t?a=1",
        403,
        "preflight",
        json!({ "size": 0, "mimeType": "" }),
    );
    asked["request"]["method"] = "OPTIONS".into();
    entries.insert(0, asked);
    let it = played(&entries).expect("an archive");
    let all = outcomes(&it);
    let due = "the server answered 403 when the browser asked";
    assert!(
        matches!(all[0], TagResult::Failed { cause: TagFailure::Network { meaning: Some(it), .. } } if it.contains(due)),
        "{all:?}"
    );
}

#[test]
fn requests_that_the_browser_stopped_are_said() {
    let stopped = |at, url: &str, kind: &str| {
        let mut it = entry(at, url, 0, kind, json!({ "size": 0, "mimeType": "" }));
        it["response"]["_error"] = "net::ERR_BLOCKED_BY_CLIENT".into();
        it
    };
    let entries = [
        stopped(100, "https://sdk.test/ima3.js", "script"),
        stopped(300, "https://one.test/vast", "xhr"),
    ];
    let error = played(&entries).expect_err("no ad").to_string();
    let due = "2 requests stopped in the browser (net::ERR_BLOCKED_BY_CLIENT)";
    assert!(
        error.contains(due) && error.contains("sdk.test/ima3.js"),
        "{error}"
    );
}

#[test]
fn the_kinds_of_a_break_leave_out_only_what_the_recording_rules_out() {
    use RecordedBreakKind::{MidRoll, NextPreRoll, PostRoll};
    let film = |at, name: &str| {
        entry(
            at,
            &format!("https://c.test/{name}.mp4"),
            206,
            "media",
            json!({ "size": 900, "mimeType": "video/mp4" }),
        )
    };
    let second = |at: u64| {
        let entries = filled("https://two.test/t", xml(&ad("two")), "two");
        let mut entries = with_times(entries, |time| {
            let millis: u64 = time[17..19].parse::<u64>().expect("seconds") * 1_000
                + time[20..23].parse::<u64>().expect("millis");
            format!(
                "2026-01-01T12:00:{:02}.{:03}Z",
                (millis + at) / 1_000,
                (millis + at) % 1_000
            )
        });
        entries.insert(0, film(5_600, "first"));
        entries
    };
    let first = filled("https://one.test/t", xml(&ad("one")), "one");
    for next in [
        vec![],
        vec![film(26_000, "first")],
        vec![film(26_000, "second")],
    ] {
        let entries = [first.clone(), second(20_000), next].concat();
        let it = played(&entries).expect("an archive");
        let kinds = &it.verdict.breaks[1].kinds;
        assert!(
            [MidRoll, NextPreRoll, PostRoll]
                .iter()
                .all(|kind| kinds.contains(kind)),
            "{kinds:?}"
        );
    }
}

#[test]
fn an_unknown_that_changes_the_number_of_a_tag_is_in_the_headline() {
    let mut entries = two(xml("<VAST version=\"3.0\"/>"));
    // One that was sent as tags are, and without an ad, but long before the first one.
    let mut before = entry(
        0,
        "https://zero.test/t",
        204,
        "xhr",
        json!({ "size": 0, "mimeType": "" }),
    );
    before["time"] = 20.into();
    before["timings"] = json!({ "send": 0, "wait": 20, "receive": 0 });
    entries = with_times(entries, |time| {
        time.replace("12:00:00", "12:00:01")
            .replace("12:00:04", "12:00:05")
    });
    before["startedDateTime"] = "2026-01-01T12:00:00.200Z".into();
    entries.insert(0, before);
    let it = played(&entries).expect("an archive");
    let text = said(&it);
    assert!(
        text.contains("tag 2 of at least 2") && text.contains("perhaps tag 3 of 3 after 1.300 s"),
        "{text}"
    );
    assert!(it.verdict.headline.is_unknown && !it.is_as_documented());
}

/// An ad of eight seconds with all quartiles, of which `late` come so much later, and the others
/// never.
fn quarters(late: u64, count: usize) -> Vec<Value> {
    let tracking: String = ["start", "firstQuartile", "midpoint", "thirdQuartile"]
        .iter()
        .map(|it| format!("<Tracking event=\"{it}\">https://t.test/one/{it}</Tracking>"))
        .collect();
    let text = ad("one").replace("00:00:04", "00:00:08");
    let text = text.replace("<TrackingEvents>", &format!("<TrackingEvents>{tracking}"));
    let mut entries = filled("https://one.test/t", xml(&text), "one");
    entries.pop();
    let rest = [
        (1_500, "start"),
        (3_500, "firstQuartile"),
        (5_500 + late, "midpoint"),
        (7_500 + late, "thirdQuartile"),
        (9_500 + late, "complete"),
    ];
    let pixel = |(at, event): &(u64, &str)| {
        entry(
            *at,
            &format!("https://t.test/one/{event}"),
            200,
            "image",
            gif(),
        )
    };
    entries.extend(rest.iter().take(count).map(pixel));
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    entries.push(entry(20_000, "https://c.test/film.mp4", 206, "media", film));
    entries
}

#[test]
fn one_cause_has_its_consequences_under_it() {
    assert!(
        played(&quarters(0, 5))
            .expect("an archive")
            .differences()
            .is_empty()
    );
    for (entries, due, count) in [
        (quarters(3_000, 5), "the ad one stood still for 3.0", 3),
        (
            quarters(0, 2),
            "the ad one ended without a pixel after firstQuartile",
            3,
        ),
    ] {
        let it = played(&entries).expect("an archive");
        let all = it.differences();
        assert!(all.len() == 1 && all[0].what.starts_with(due), "{all:?}");
        assert_eq!(all[0].count, count, "{all:?}");
    }
}
