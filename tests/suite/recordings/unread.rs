//! Tags whose answers a recording does not have, or that the page refused: what shows that they are
//! tags, and what is not said of them.

use playsim::import::{self, Hints, PlayedRecording, TagFailure, TagResult};
use serde_json::{Value, json};

use super::settings;

const SITE: (u32, u32) = (1, 203);

/// A request of the page's player: when, for what, and the content of its answer.
pub(super) fn entry(at: u64, url: &str, status: u16, kind: &str, content: Value) -> Value {
    json!({
        "startedDateTime": format!("2026-01-01T12:00:{:02}.{:03}Z", at / 1_000, at % 1_000),
        "time": 100,
        "_resourceType": kind,
        "_initiator": { "type": "script", "stack": { "callFrames": [
            { "url": "https://page.test/player.js", "lineNumber": SITE.0, "columnNumber": SITE.1 }
        ] } },
        "request": { "method": "GET", "url": url, "headers": [] },
        "response": { "status": status, "redirectURL": "", "headers": [], "content": content },
        "timings": { "send": 0, "wait": 100, "receive": 0 },
    })
}

pub(super) fn xml(text: &str) -> Value {
    json!({ "size": text.len(), "mimeType": "text/xml", "text": text })
}

pub(super) fn gif() -> Value {
    json!({ "size": 2, "mimeType": "image/gif", "text": "GI" })
}

/// A document with one ad of four seconds.
pub(super) fn ad(name: &str) -> String {
    format!(
        "<VAST version=\"3.0\"><Ad id=\"{name}\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
         <Error>https://t.test/{name}/error?code=[ERRORCODE]</Error>\
         <Impression>https://t.test/{name}/impression</Impression><Creatives><Creative><Linear>\
         <Duration>00:00:04</Duration><TrackingEvents>\
         <Tracking event=\"complete\">https://t.test/{name}/complete</Tracking></TrackingEvents>\
         <MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">\
         https://m.test/{name}.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

/// A waterfall of two tags, of which the second fills. `first` is what the recording has of the
/// first one's answer.
pub(super) fn two(first: Value) -> Vec<Value> {
    let mut first = entry(100, "https://one.test/t?a=1", 200, "xhr", first);
    if first["response"]["content"]["encoded"].is_string() {
        let name = first["response"]["content"]["encoded"].take();
        first["response"]["headers"] = json!([{ "name": "Content-Encoding", "value": name }]);
    }
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    vec![
        first,
        entry(205, "https://two.test/x", 200, "xhr", xml(&ad("two"))),
        entry(310, "https://m.test/two.mp4", 206, "media", film),
        entry(500, "https://t.test/two/impression", 200, "image", gif()),
        entry(4_500, "https://t.test/two/complete", 200, "image", gif()),
    ]
}

pub(super) fn played(entries: &[Value]) -> Result<PlayedRecording, import::ImportFault> {
    let text = json!({ "log": { "version": "1.2", "creator": { "name": "x", "version": "1" }, "entries": entries } })
        .to_string();
    let recording = import::read("it.har", text.as_bytes(), &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })?;
    import::play(recording, Hints::default(), &settings())
}

pub(super) fn outcomes(played: &PlayedRecording) -> Vec<&TagResult> {
    played.verdict.tags().map(|tag| &tag.outcome).collect()
}

#[test]
fn an_answer_that_cannot_be_read_is_a_tag_of_unknown_answer() {
    let part = &ad("one")[..200];
    let forms = [
        (
            json!({ "size": 1034, "mimeType": "text/xml" }),
            "does not have the body",
        ),
        (
            json!({ "size": 1034, "mimeType": "text/xml", "encoding": "base64", "text": "KLUv/SQFKQAAaGVsbG8=", "encoded": "zstd" }),
            "does not have the body",
        ),
        (
            json!({ "size": 1_500_000, "mimeType": "text/xml", "text": part }),
            "the tool cut the body",
        ),
    ];
    for (first, due) in forms {
        let played = played(&two(first)).expect("the second tag has a document");
        let all = outcomes(&played);
        assert!(
            matches!(all[..], [TagResult::Unknown { why }, TagResult::Filled { .. }] if why.contains(due)),
            "{all:?}"
        );
        assert!(!played.is_as_documented(), "{}", played.verdict);
        let said = &played.verdict.headline.sentences;
        assert!(said.iter().any(|it| it.text.contains(due)), "{said:?}");
    }
}

#[test]
fn an_answer_from_the_store_is_the_one_that_was_stored() {
    let again = |at, status, content| entry(at, "https://two.test/x", status, "xhr", content);
    let mut entries = two(xml("<VAST version=\"3.0\"/>"));
    entries.push(again(9_000, 304, json!({ "size": 0, "mimeType": "" })));
    entries.push(entry(
        9_200,
        "https://t.test/two/impression",
        200,
        "image",
        gif(),
    ));
    entries.push(entry(
        13_200,
        "https://t.test/two/complete",
        200,
        "image",
        gif(),
    ));
    let played = played(&entries).expect("there are documents");
    let all = outcomes(&played);
    assert!(
        matches!(
            all[..],
            [
                TagResult::NoAd { .. },
                TagResult::Filled { .. },
                TagResult::Filled { .. }
            ]
        ),
        "{all:?}\n{}",
        played.verdict
    );
    // One whose URL was not stored before is unknown, and no failure.
    let mut entries = two(json!({ "size": 0, "mimeType": "" }));
    entries[0]["response"]["status"] = json!(304);
    let played = self::played(&entries).expect("the second tag has a document");
    assert!(matches!(outcomes(&played)[0], TagResult::Unknown { .. }));
}

#[test]
fn the_error_pixel_of_an_ad_is_why_it_was_not_shown() {
    for code in [400, 402, 405, 901] {
        let mut entries = two(xml(&ad("one")));
        let film = json!({ "size": 900, "mimeType": "video/mp4" });
        entries.insert(1, entry(202, "https://m.test/one.mp4", 206, "media", film));
        let error = format!("https://t.test/one/error?code={code}");
        entries.insert(2, entry(203, &error, 200, "image", gif()));
        let played = played(&entries).expect("there are documents");
        let all = outcomes(&played);
        let due = TagFailure::Reported { code };
        assert!(
            matches!(all[..], [TagResult::Failed { cause }, TagResult::Filled { .. }] if *cause == due),
            "{all:?}"
        );
        let said = &played.verdict.headline.sentences[0].text;
        assert!(said.contains(&code.to_string()), "{said}");
        assert!(
            played.differences().is_empty(),
            "{code}: {:?}",
            played.differences()
        );
    }
}

#[test]
fn a_document_that_json_quotes_in_part_is_no_answer() {
    let text = json!({ "hits": [{ "title": "VAST", "excerpt": &ad("one")[..72] }] }).to_string();
    let content = json!({ "size": text.len(), "mimeType": "application/json", "text": text });
    let index = entry(
        100,
        "https://page.test/search-index.json",
        200,
        "xhr",
        content,
    );
    let error = played(&[index]).expect_err("nothing shows an ad");
    assert!(
        error
            .to_string()
            .contains("nothing in this recording shows a video ad"),
        "{error}"
    );
}

#[test]
fn a_body_that_a_tool_kept_in_brotli_is_read() {
    // One ad of four seconds, without an error pixel.
    const PACKED: &str = "G34BAMTa3LTH7kk8DnEcBC2By6iDg5+k0f+dAzmCA9FcRGJaJN0b/YENDPc8Z9bnsVJT6dMwBr98RF37m4V9E8+ytULN\
         92ups9tz8zrGw+eg53eikcKPHOJCCUEDzEV66a2nv1dYdS60PggWh8lOYKJYzM2nV7y+IB9dMR5dawTZZC4TS8mSceUfFeVFeLh+kdneoQ8L\
         jW+yGNtaAlVp1On5lUQqJeaBwvUJisYARigo41FcqQEKEc43BA==";
    let packed = json!({ "size": 383, "mimeType": "text/xml", "encoding": "base64", "text": PACKED, "encoded": "br" });
    let played = played(&two(packed)).expect("there are documents");
    let all = outcomes(&played);
    assert!(
        matches!(
            all[..],
            [TagResult::AnsweredNotShown { .. }, TagResult::Filled { .. }]
        ),
        "{all:?}"
    );
}

#[test]
fn a_root_of_the_same_name_is_no_ad_document() {
    let catalogue = "<VAST version=\"2.0\" xmlns=\"urn:shelves\"><Product id=\"1\"><Duration>P5Y</Duration></Product></VAST>";
    let alone = [entry(
        100,
        "https://shop.test/vast/catalogue.xml",
        200,
        "xhr",
        xml(catalogue),
    )];
    let refused = played(&alone).expect_err("there is no tag");
    assert!(
        refused
            .to_string()
            .contains("nothing in this recording shows a video ad"),
        "{refused}"
    );
    // Nor is one with an element that nobody knows anything else than a document without an ad.
    let unknown = "<VAST version=\"2.0\"><NoAd/></VAST>";
    let played = played(&two(xml(unknown))).expect("there are documents");
    assert!(matches!(outcomes(&played)[0], TagResult::NoAd { .. }));
}

#[test]
fn a_page_ahead_of_a_tag_may_be_that_of_a_frame() {
    let page = json!({ "size": 38, "mimeType": "text/html", "text": "<!doctype html><title>consent</title>" });
    let mut entries = two(page);
    for it in &mut entries {
        if let Some(it) = it.as_object_mut() {
            it.remove("_resourceType");
            it.remove("_initiator");
        }
    }
    let played = played(&entries).expect("there is a document");
    assert!(
        matches!(outcomes(&played)[..], [TagResult::Filled { .. }]),
        "{}",
        played.verdict
    );
}

#[test]
fn which_file_of_an_ad_a_page_loads_is_no_difference() {
    let webm = "<MediaFile delivery=\"progressive\" type=\"video/webm\" width=\"640\" height=\"360\">https://m.test/two.webm</MediaFile>";
    let both = |text: String| text.replace("<MediaFiles>", &format!("<MediaFiles>{webm}"));
    for loaded in ["https://m.test/two.mp4", "https://m.test/two.webm"] {
        let mut entries = two(xml("<VAST version=\"3.0\"/>"));
        entries[1]["response"]["content"] = xml(&both(ad("two")));
        entries[2]["request"]["url"] = json!(loaded);
        let played = played(&entries).expect("there are documents");
        assert!(
            played.differences().is_empty(),
            "{loaded}: {:?}",
            played.differences()
        );
    }
}

#[test]
fn an_overlay_that_the_page_took_is_simulated_as_one() {
    let overlay = ad("two")
        .replace("<Linear>", "<NonLinearAds>")
        .replace("</Linear>", "</NonLinearAds>");
    let (from, to) = ("<Duration>", "</NonLinearAds>");
    let parts = (overlay.find(from), overlay.find(to));
    let (Some(from), Some(to)) = parts else {
        panic!("{overlay}")
    };
    let image = "<NonLinear width=\"480\" height=\"70\"><StaticResource creativeType=\"image/png\">\
                 https://m.test/two.png</StaticResource></NonLinear>";
    let overlay = format!("{}{image}{}", &overlay[..from], &overlay[to..]);
    let entries = [
        entry(205, "https://two.test/x", 200, "xhr", xml(&overlay)),
        entry(500, "https://t.test/two/impression", 200, "image", gif()),
    ];
    let played = played(&entries).expect("there is a document");
    assert!(
        played.differences().is_empty(),
        "{:?}",
        played.differences()
    );
}

#[test]
fn a_wrapper_that_is_asked_for_again_is_not_refused() {
    let wrapper = "<VAST version=\"3.0\"><Ad id=\"outer\"><Wrapper><AdSystem>x</AdSystem>\
                   <VASTAdTagURI>https://inner.test/y</VASTAdTagURI></Wrapper></Ad></VAST>";
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let mut refused = entry(
        310,
        "https://inner.test/y",
        0,
        "xhr",
        json!({ "size": 0, "mimeType": "" }),
    );
    refused["response"]["_error"] = json!("net::ERR_FAILED");
    let entries = [
        entry(205, "https://two.test/x", 200, "xhr", xml(wrapper)),
        refused,
        entry(420, "https://inner.test/y", 200, "xhr", xml(&ad("two"))),
        entry(530, "https://m.test/two.mp4", 206, "media", film),
        entry(700, "https://t.test/two/impression", 200, "image", gif()),
        entry(4_700, "https://t.test/two/complete", 200, "image", gif()),
    ];
    let played = played(&entries).expect("there are documents");
    let said: Vec<&str> = played.differences().iter().map(|it| &*it.what).collect();
    assert!(
        said.iter().all(|it| it.contains("inner.test")) && said.len() <= 1,
        "{said:?}"
    );
}

#[test]
fn a_document_in_the_source_of_a_page_is_no_proof_that_there_was_no_ad() {
    let page = format!(
        "<!doctype html><script>var answer = \"{}\";</script>",
        ad("two").replace('"', "\\\"").replace("</", "<\\/")
    );
    let page = json!({ "size": page.len(), "mimeType": "text/html", "text": page });
    let entries = [
        entry(0, "https://page.test/", 200, "document", page),
        entry(500, "https://t.test/two/impression", 200, "image", gif()),
    ];
    let refused = played(&entries).expect_err("no tag is known").to_string();
    assert!(!refused.contains("nothing in this recording"), "{refused}");
    assert!(
        refused.contains("https://page.test/ has an ad document"),
        "{refused}"
    );
}

#[test]
fn a_cut_document_is_not_a_recording_without_bodies() {
    let cut = json!({ "size": 1_500_000, "mimeType": "text/xml", "text": &ad("one")[..200] });
    let entries = [
        entry(205, "https://one.test/t", 200, "xhr", cut),
        entry(500, "https://t.test/one/impression", 200, "image", gif()),
    ];
    let played = played(&entries).expect("it begins as an ad document");
    let said = played.verdict.to_string();
    assert!(said.contains("the tool cut the body"), "{said}");
    assert!(
        !said.contains("has no bodies") && !said.contains("no pixels were sent"),
        "{said}"
    );
}

/// What a report says of the page, as text.
pub(super) fn told(entries: &[Value]) -> String {
    let played = played(entries).expect("it has a document");
    let all = played.differences().iter();
    let differences: Vec<String> = all.map(|it| it.what.clone()).collect();
    format!("{}\n{}", played.verdict, differences.join("\n"))
}

#[test]
fn text_that_is_marked_as_base64_is_read_as_it_is() {
    let text = format!("\u{feff}\n  {}", ad("one"));
    let first = json!({ "size": 900, "mimeType": "text/xml", "encoding": "base64", "text": text });
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let entries = [
        entry(100, "https://one.test/t", 200, "xhr", first),
        entry(300, "https://m.test/one.mp4", 206, "media", film),
        entry(500, "https://t.test/one/impression", 200, "image", gif()),
    ];
    let played = played(&entries).expect("the tag has a document");
    let all = outcomes(&played);
    assert!(matches!(all[..], [TagResult::Filled { .. }]), "{all:?}");
}

#[test]
fn the_end_of_an_ad_that_is_told_twice_is_sent_twice() {
    let mut entries = two(xml("<VAST version=\"3.0\"/>"));
    entries.push(entry(
        4_507,
        "https://t.test/two/complete",
        200,
        "image",
        gif(),
    ));
    let mut stored = entry(600, "https://t.test/two/impression", 200, "image", gif());
    stored["_fromCache"] = "memory".into();
    entries.insert(4, stored);
    let told = told(&entries);
    assert!(told.contains("complete was sent twice to t.test"), "{told}");
    let once = "impression was called twice, and sent to t.test once";
    assert!(told.contains(once), "{told}");
    assert!(!told.contains("was not sent"), "{told}");
    assert!(!told.contains("the rules ask for no"), "{told}");
}

#[test]
fn a_tag_that_is_asked_again_before_the_content_is_a_pre_roll() {
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let mut entries = vec![entry(
        100,
        "https://one.test/t?c=",
        200,
        "xhr",
        xml("<VAST version=\"3.0\"/>"),
    )];
    entries.extend(
        two(xml("<VAST version=\"3.0\"/>"))
            .into_iter()
            .skip(1)
            .map(|mut it| {
                let second = it["startedDateTime"]
                    .as_str()
                    .expect("a time")
                    .replace(":00.", ":08.")
                    .replace(":04.", ":12.");
                it["startedDateTime"] = second.into();
                it
            }),
    );
    entries.push(entry(
        12_700,
        "https://cdn.test/film.mp4",
        206,
        "media",
        film,
    ));
    let told = told(&entries);
    assert!(told.contains("pre-roll [inferred], from 8.105 s"), "{told}");
}

#[test]
fn a_break_that_the_recording_does_not_reach_is_not_one_without_an_ad() {
    let plan = "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\
         <vmap:AdBreak timeOffset=\"00:05:00\" breakType=\"linear\"><vmap:AdSource><vmap:AdTagURI>\
         <![CDATA[https://two.test/x]]></vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>";
    let film = || json!({ "size": 900, "mimeType": "video/mp4" });
    let entries = [
        entry(100, "https://one.test/plan", 200, "xhr", xml(plan)),
        entry(250, "https://cdn.test/film.mp4", 206, "media", film()),
        entry(900, "https://two.test/x", 200, "xhr", xml(&ad("two"))),
        entry(30_000, "https://cdn.test/film.mp4", 206, "media", film()),
    ];
    let told = told(&entries);
    assert!(
        told.contains("Its ad is not due before the recording ends"),
        "{told}"
    );
    assert!(!told.to_lowercase().contains("no ad was shown ("), "{told}");
}

#[test]
fn a_wrapper_whose_document_is_not_found_does_not_blame_its_tag() {
    let wrapper = "<VAST version=\"3.0\"><Ad id=\"w\"><Wrapper><AdSystem>x</AdSystem>\
         <VASTAdTagURI>https://next.test/x</VASTAdTagURI><Error>https://t.test/w/error?code=[ERRORCODE]</Error>\
         </Wrapper></Ad></VAST>";
    let gone = json!({ "size": 4, "mimeType": "text/plain", "text": "gone" });
    let entries = [
        entry(100, "https://one.test/t", 200, "xhr", xml(wrapper)),
        entry(250, "https://next.test/x", 404, "xhr", gone),
        entry(400, "https://t.test/w/error?code=301", 200, "image", gif()),
    ];
    let told = told(&entries);
    assert!(
        told.contains("failed: HTTP 404 for the document of its wrapper"),
        "{told}"
    );
}

#[test]
fn an_overlay_is_no_break_in_the_content() {
    let overlay = "<VAST version=\"3.0\"><Ad id=\"o\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
         <Impression>https://t.test/o/impression</Impression><Creatives><Creative><NonLinearAds>\
         <NonLinear width=\"480\" height=\"70\"><StaticResource creativeType=\"image/png\">https://m.test/o.png\
         </StaticResource></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>";
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let entries = [
        entry(100, "https://cdn.test/film.mp4", 206, "media", film),
        entry(9_000, "https://one.test/t", 200, "xhr", xml(overlay)),
        entry(9_300, "https://t.test/o/impression", 200, "image", gif()),
    ];
    let told = told(&entries);
    assert!(told.contains("overlay, from 8.900 s"), "{told}");
    assert!(!told.contains("mid-roll"), "{told}");
}

#[test]
fn an_interactive_part_that_is_not_found_does_not_run() {
    let simid = ad("one").replace(
        "</MediaFiles>",
        "<InteractiveCreativeFile type=\"text/html\" apiFramework=\"SIMID\">https://ix.test/quiz.html\
         </InteractiveCreativeFile></MediaFiles>",
    );
    let simid = simid.replace(
        "<TrackingEvents>",
        "<TrackingEvents><Tracking event=\"interactiveStart\">https://t.test/one/interactive</Tracking>",
    );
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let gone = json!({ "size": 4, "mimeType": "text/plain", "text": "gone" });
    let entries = [
        entry(100, "https://one.test/t", 200, "xhr", xml(&simid)),
        entry(210, "https://ix.test/quiz.html", 404, "document", gone),
        entry(220, "https://m.test/one.mp4", 206, "media", film),
        entry(
            330,
            "https://t.test/one/error?code=409",
            200,
            "image",
            gif(),
        ),
        entry(350, "https://t.test/one/impression", 200, "image", gif()),
        entry(4_350, "https://t.test/one/complete", 200, "image", gif()),
    ];
    let told = told(&entries);
    assert!(!told.contains("interactiveStart"), "{told}");
    assert!(!told.contains("the rules ask for no error"), "{told}");
}

#[test]
fn what_a_service_worker_sends_on_belongs_to_no_page() {
    let mut entries = Vec::new();
    for mut it in two(xml("<VAST version=\"3.0\"/>")) {
        let mut copy = it.clone();
        it["pageref"] = "page_1".into();
        copy["_initiator"]["stack"]["callFrames"][0]["url"] = "https://page.test/sw.js".into();
        entries.extend([it, copy]);
    }
    let played = played(&entries).expect("the second tag has a document");
    let all = outcomes(&played);
    assert!(
        matches!(all[..], [TagResult::NoAd { .. }, TagResult::Filled { .. }]),
        "{all:?}"
    );
}

#[test]
fn a_film_of_another_size_is_no_difference() {
    let two_files = ad("one").replace(
        "<MediaFiles>",
        "<MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1920\" height=\"1080\">\
         https://m.test/large.mp4</MediaFile>",
    );
    for file in ["one", "large"] {
        let film = json!({ "size": 900, "mimeType": "video/mp4" });
        let mut film = entry(
            250,
            &format!("https://m.test/{file}.mp4"),
            206,
            "media",
            film,
        );
        film["time"] = 1_300.into();
        film["timings"]["wait"] = 1_300.into();
        let entries = [
            entry(100, "https://one.test/t", 200, "xhr", xml(&two_files)),
            film,
            entry(1_600, "https://t.test/one/impression", 200, "image", gif()),
            entry(5_600, "https://t.test/one/complete", 200, "image", gif()),
        ];
        let played = played(&entries).expect("the tag has a document");
        assert_eq!(played.differences(), [], "{file}");
    }
}
