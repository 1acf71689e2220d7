//! What a recording does not decide is not said: whether there is content, what a break wanted,
//! which code is due, whether a tag was the only one.

use serde_json::{Value, json};

use super::unread::{ad, entry, gif, played, told, xml};

/// A document with one overlay.
pub(super) fn overlay() -> &'static str {
    "<VAST version=\"3.0\"><Ad id=\"o\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>\
     <Error>https://t.test/o/error?code=[ERRORCODE]</Error>\
     <Impression>https://t.test/o/impression</Impression><Creatives><Creative><NonLinearAds>\
     <NonLinear width=\"4800\" height=\"70\"><IFrameResource>https://m.test/o.html</IFrameResource>\
     </NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>"
}

#[test]
fn what_a_break_wanted_is_told_by_the_code_that_was_sent() {
    for (sent, kind) in [
        (Some(503), "overlay [inferred], from"),
        (Some(201), "pre-roll [inferred], from"),
        (None, "pre-roll or overlay [unknown], from"),
    ] {
        let film = json!({ "size": 900, "mimeType": "video/mp4" });
        let mut entries = vec![entry(100, "https://one.test/t", 200, "xhr", xml(overlay()))];
        entries.extend(sent.map(|code| {
            let url = format!("https://t.test/o/error?code={code}");
            entry(300, &url, 200, "image", gif())
        }));
        entries.push(entry(400, "https://cdn.test/film.mp4", 206, "media", film));
        let told = told(&entries);
        assert!(told.contains(kind), "{sent:?}: {told}");
        // Whether it is too large, or of a kind that cannot be shown, depends on the player.
        assert!(!told.contains("another code"), "{sent:?}: {told}");
    }
}

#[test]
fn a_page_without_content_may_have_an_outstream_unit() {
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let bid = json!({ "seatbid": [{ "bid": [{ "price": 3.85, "adm": ad("one") }] }] }).to_string();
    let bid = json!({ "size": bid.len(), "mimeType": "application/json", "text": bid });
    let told = told(&[
        entry(100, "https://rtb.test/hb", 200, "xhr", bid),
        entry(310, "https://m.test/one.mp4", 206, "media", film),
        entry(500, "https://t.test/one/impression", 200, "image", gif()),
    ]);
    assert!(told.contains("pre-roll or outstream"), "{told}");
    assert!(told.contains("Filled by a bid (rtb.test/hb)"), "{told}");
}

#[test]
fn a_tracker_that_the_browser_asked_for_over_https_is_not_missing() {
    let named = ad("one").replace("https://t.test/one/imp", "http://t.test/one/imp");
    let film = json!({ "size": 900, "mimeType": "video/mp4" });
    let told = told(&[
        entry(
            100,
            "https://one.test/t?u=[page_url]",
            200,
            "xhr",
            xml(&named),
        ),
        entry(310, "https://m.test/one.mp4", 206, "media", film),
        entry(500, "https://t.test/one/impression", 200, "image", gif()),
        entry(4_500, "https://t.test/one/complete", 200, "image", gif()),
    ]);
    assert!(!told.contains("missing"), "{told}");
    assert!(told.contains("sent with [page_url] unfilled"), "{told}");
    assert!(told.contains("its only known tag"), "{told}");
}

#[test]
fn what_an_ads_own_program_asked_for_is_told() {
    let program = ad("one").replace(
        "type=\"video/mp4\"",
        "type=\"application/javascript\" apiFramework=\"VPAID\"",
    );
    let script = json!({ "size": 9, "mimeType": "application/javascript", "text": "var a = 1" });
    let mut inner = entry(
        400,
        "https://inner.test/ask",
        200,
        "xhr",
        xml("<VAST version=\"3.0\"/>"),
    );
    inner["_initiator"]["stack"]["callFrames"][0]["url"] = "https://m.test/one.mp4".into();
    let played = played(&[
        entry(100, "https://one.test/t", 200, "xhr", xml(&program)),
        entry(310, "https://m.test/one.mp4", 200, "script", script),
        inner,
        entry(
            600,
            "https://t.test/one/error?code=901",
            200,
            "image",
            gif(),
        ),
    ])
    .expect("it has a document");
    let notes = &played.evidence.notes;
    let due = "an ad's own program asked for https://inner.test/ask";
    assert!(notes.iter().any(|it| it.text.contains(due)), "{notes:?}");
}

/// What differs from the rules, in words.
fn differing(entries: &[Value]) -> Vec<String> {
    let played = played(entries).expect("it has a document");
    let all = played.differences().iter();
    all.map(|it| it.what.clone()).collect()
}

#[test]
fn as_many_wrappers_are_followed_as_the_page_followed() {
    let wrapper = |hop: u64| {
        let next = hop + 1;
        format!(
            "<VAST version=\"3.0\"><Ad id=\"w{hop}\"><Wrapper><AdSystem>x</AdSystem>\
             <VASTAdTagURI>https://w.test/{next}</VASTAdTagURI>\
             <Error>https://t.test/w{hop}/error?code=[ERRORCODE]</Error></Wrapper></Ad></VAST>"
        )
    };
    let mut entries: Vec<Value> = (0..8)
        .map(|hop| {
            let url = format!("https://w.test/{hop}");
            entry(100 + hop * 110, &url, 200, "xhr", xml(&wrapper(hop)))
        })
        .collect();
    entries.extend((0..8).map(|hop| {
        let url = format!("https://t.test/w{hop}/error?code=302");
        entry(1_000 + hop, &url, 200, "image", gif())
    }));
    assert_eq!(differing(&entries), Vec::<String>::new());
}

#[test]
fn whether_a_film_comes_is_given() {
    let small = "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"320\" height=\"180\">\
         https://m.test/small.mp4</MediaFile></MediaFiles>";
    let film = || json!({ "size": 900, "mimeType": "video/mp4" });
    let entries = [
        entry(
            100,
            "https://one.test/t",
            200,
            "xhr",
            xml(&ad("one").replace("</MediaFiles>", small)),
        ),
        entry(210, "https://m.test/one.mp4", 503, "media", film()),
        entry(320, "https://m.test/small.mp4", 206, "media", film()),
        entry(500, "https://t.test/one/impression", 200, "image", gif()),
        entry(4_500, "https://t.test/one/complete", 200, "image", gif()),
        entry(4_600, "https://cdn.test/film.mp4", 206, "media", film()),
    ];
    let differing = differing(&entries);
    assert!(
        !differing.iter().any(|it| it.contains("another outcome")),
        "{differing:?}"
    );
}

#[test]
fn the_code_of_the_sdk_for_an_empty_answer_is_no_other_code() {
    let empty = "<VAST version=\"3.0\"><Error>https://t.test/none?code=[ERRORCODE]</Error></VAST>";
    for (code, differs) in [(303, false), (1009, false), (10_303, false), (301, true)] {
        let film = json!({ "size": 900, "mimeType": "video/mp4" });
        let differing = differing(&[
            entry(100, "https://one.test/t", 200, "xhr", xml(empty)),
            entry(
                300,
                &format!("https://t.test/none?code={code}"),
                200,
                "image",
                gif(),
            ),
            entry(400, "https://cdn.test/film.mp4", 206, "media", film),
        ]);
        assert_eq!(!differing.is_empty(), differs, "{code}: {differing:?}");
    }
}
