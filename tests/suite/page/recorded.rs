//! Pages of recordings. The archives are written here, so that what they must show is beside them.

use std::fs;
use std::path::PathBuf;

use playsim::import::{self, Hints, PlaySettings, PlayedRecording, RecordingPage};
use playsim::time::Span;
use roxmltree::Node;
use serde_json::{Value, json};

use super::{check, check_structure, parsed, root, said, words};

/// A text that would be markup, and control characters.
const HOSTILE: &str = "</script><b>owned</b>\u{1b}[2J\u{202e}\"'>&amp;";

/// A request of an archive: when it was sent and how long it took in milliseconds, its URL, status,
/// type and body.
struct Sent<'a>(u64, u64, &'a str, u16, &'a str, Option<&'a str>);

fn entry(Sent(at, took, url, status, mime, body): &Sent<'_>) -> Value {
    let mut content = json!({ "size": 1, "mimeType": mime });
    if let Some(body) = body {
        content["text"] = json!(body);
    }
    let kind = match *mime {
        "text/html" => "document",
        "image/gif" => "image",
        "video/mp4" => "media",
        _ => "fetch",
    };
    json!({
        "startedDateTime": format!("2026-01-01T12:00:{:02}.{:03}Z", at / 1_000, at % 1_000),
        "time": took,
        "_resourceType": kind,
        "request": { "method": "GET", "url": url, "headers": [] },
        "response": { "status": status, "redirectURL": "", "headers": [], "content": content },
        "timings": { "send": 0, "wait": took, "receive": 0 },
    })
}

fn archive(tool: &str, requests: &[Sent<'_>]) -> String {
    let entries: Vec<Value> = requests.iter().map(entry).collect();
    json!({ "log": { "version": "1.2", "creator": { "name": tool, "version": "1" }, "entries": entries } })
        .to_string()
}

fn played_as(name: &str, archive: &str) -> PlayedRecording {
    played_with(name, archive, &[])
}

fn played_with(name: &str, archive: &str, tags: &[&str]) -> PlayedRecording {
    let recording = import::read(name, archive.as_bytes(), &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .unwrap_or_else(|error| panic!("{error}"));
    let settings = PlaySettings {
        within: Span::from_millis(500),
        ..PlaySettings::default()
    };
    let hints = Hints {
        tags: tags
            .iter()
            .map(|tag| tag.parse().expect("a pattern"))
            .collect(),
        ..Hints::default()
    };
    import::play(recording, hints, &settings).unwrap_or_else(|error| panic!("{error}"))
}

fn written(page: &RecordingPage<'_>) -> String {
    let mut html = String::new();
    page.write(&mut html)
        .expect("writing to a string cannot fail");
    html
}

fn page(played: &PlayedRecording) -> String {
    let page =
        RecordingPage::new(played).with_proposal("playsim waterfall a.har --vary ad.timeout=1s,2s");
    written(&page.with_command("playsim waterfall a.har --format html"))
}

/// A document with one ad of 4 seconds, whose pixels have its id.
fn document(id: &str, tag: &str) -> String {
    let events = [
        "start",
        "firstQuartile",
        "midpoint",
        "thirdQuartile",
        "complete",
    ];
    let trackers: String = events
        .iter()
        .map(|event| {
            format!(
                "<Tracking event=\"{event}\"><![CDATA[https://t.test/{event}/{tag}]]></Tracking>"
            )
        })
        .collect();
    format!(
        "<VAST version=\"3.0\"><Ad id=\"{id}\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression>\
         <![CDATA[https://t.test/impression/{tag}]]></Impression><Creatives><Creative><Linear><Duration>00:00:04\
         </Duration><TrackingEvents>{trackers}</TrackingEvents><MediaFiles><MediaFile delivery=\"progressive\" \
         type=\"video/mp4\" width=\"640\" height=\"360\"><![CDATA[https://m.test/{tag}.mp4]]></MediaFile></MediaFiles>\
         </Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

/// A waterfall of three tags: one without an ad, one that answers too late, one that fills; the
/// pixel at the end is missing, and one was refused.
fn three(tool: &str, tag: &str, id: &str) -> String {
    let (late, good) = (document("late", "two"), document(id, "three"));
    let none = "<VAST version=\"3.0\"/>";
    archive(
        tool,
        &[
            Sent(
                0,
                50,
                "https://page.test/",
                200,
                "text/html",
                Some("<!doctype html>"),
            ),
            Sent(
                100,
                200,
                &format!("https://one.test/{tag}"),
                200,
                "text/xml",
                Some(none),
            ),
            Sent(
                300,
                2_500,
                "https://two.test/slow",
                200,
                "text/xml",
                Some(&late),
            ),
            Sent(
                1_800,
                200,
                "https://three.test/ad",
                200,
                "text/xml",
                Some(&good),
            ),
            Sent(
                2_040,
                30,
                "https://m.test/three.mp4",
                200,
                "video/mp4",
                None,
            ),
            Sent(
                2_100,
                10,
                "https://t.test/impression/three",
                404,
                "image/gif",
                Some(""),
            ),
            Sent(
                2_101,
                10,
                "https://t.test/start/three",
                200,
                "image/gif",
                Some(""),
            ),
            Sent(
                3_100,
                10,
                "https://t.test/firstQuartile/three",
                200,
                "image/gif",
                Some(""),
            ),
            Sent(
                4_100,
                10,
                "https://t.test/midpoint/three",
                200,
                "image/gif",
                Some(""),
            ),
            Sent(
                5_100,
                10,
                "https://t.test/thirdQuartile/three",
                200,
                "image/gif",
                Some(""),
            ),
            Sent(
                9_000,
                10,
                "https://page.test/after",
                200,
                "text/plain",
                Some("still here"),
            ),
        ],
    )
}

/// The same kind of page without a body in it.
fn bodiless() -> String {
    archive(
        "no bodies",
        &[
            Sent(0, 50, "https://page.test/", 200, "text/html", None),
            Sent(100, 50, "https://one.test/tag", 200, "text/xml", None),
            Sent(155, 50, "https://two.test/tag", 200, "text/xml", None),
            Sent(220, 30, "https://m.test/spot.mp4", 200, "video/mp4", None),
            Sent(
                300,
                10,
                "https://t.test/impression?a=1",
                200,
                "image/gif",
                None,
            ),
            Sent(
                2_300,
                10,
                "https://t.test/midpoint?a=1",
                200,
                "image/gif",
                None,
            ),
            Sent(
                4_300,
                10,
                "https://t.test/complete?a=1",
                200,
                "image/gif",
                None,
            ),
        ],
    )
}

fn waterfall() -> PlayedRecording {
    played_as("a.har", &three("Recorder", "tag", "spot"))
}

/// All sample pages with their names.
pub(super) fn all() -> Vec<(&'static str, String)> {
    let (waterfall, bodiless) = (
        waterfall(),
        played_with("b.har", &bodiless(), &["test/tag"]),
    );
    vec![
        ("recorded", page(&waterfall)),
        ("recorded_without_bodies", page(&bodiless)),
        ("recorded_hostile", page(&hostile())),
    ]
}

fn hostile() -> PlayedRecording {
    let id = HOSTILE
        .replace('\u{1b}', "")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    played_as(
        HOSTILE,
        &three(HOSTILE, &format!("{HOSTILE}?{HOSTILE}"), &id),
    )
}

/// Returns the ids of the sections of the page itself, in order: those of the simulation are inside
/// a fold.
fn sections(html: &str) -> Vec<String> {
    let document = parsed(html);
    let main = document
        .descendants()
        .find(|node| node.has_tag_name("main"))
        .expect("there is one");
    let own = main.children().filter(|node| node.has_tag_name("section"));
    own.filter_map(|node| node.attribute("id"))
        .map(str::to_owned)
        .collect()
}

fn heading(html: &str) -> String {
    let document = parsed(html);
    words(
        document
            .descendants()
            .find(|node| node.has_tag_name("h1"))
            .expect("there is one"),
    )
}

#[test]
fn pages_of_recordings_are_well_formed_and_load_nothing() {
    for ((name, html), (_, again)) in all().into_iter().zip(all()) {
        check(name, &html);
        assert_eq!(html, again, "{name} is written twice");
    }
}

#[test]
fn every_recording_by_hand_has_a_sound_page() {
    let Ok(entries) = fs::read_dir(root().join("fixtures/recordings/by_hand")) else {
        eprintln!("no recordings: the package leaves them out");
        return;
    };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let archives = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "har"));
    let mut count = 0;
    for path in archives {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).expect("it is text");
        // Of a recording without ad documents, a person names the tags.
        let is_bare = ["no_bodies.har", "no_sizes.har", "only_blocked.har"]
            .iter()
            .any(|bare| path.ends_with(bare));
        let tags: &[&str] = if is_bare {
            &["/ptv", "/mid=", "/gampad/ads"]
        } else {
            &[]
        };
        let html = page(&played_with("it.har", &text, tags));
        check_structure(&name, &html);
        assert_eq!(
            html,
            page(&played_with("it.har", &text, tags)),
            "{name} is written twice"
        );
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn what_was_recorded_comes_before_what_is_simulated() {
    let html = page(&waterfall());
    let due = [
        "page",
        "differences",
        "help",
        "answers",
        "sent",
        "simulation",
        "unknown",
    ];
    assert_eq!(sections(&html), due);
    let document = parsed(&html);
    let about = document
        .descendants()
        .find(|node| node.attribute("class") == Some("about"));
    assert_eq!(about.and_then(|node| node.text()), Some("recorded"));
    let fold = document
        .descendants()
        .find(|node| node.attribute("class") == Some("sim"))
        .expect("a fold");
    assert!(fold.has_tag_name("details") && fold.attribute("open").is_none());
    for id in ["waterfall", "trace"] {
        let section = document
            .descendants()
            .find(|node| node.attribute("id") == Some(id))
            .expect("it is there");
        assert!(
            section.ancestors().any(|node| node == fold),
            "{id} is part of the simulation"
        );
    }
    // No row is open, and the one that cost most is marked.
    let mut open = document
        .descendants()
        .filter(|node| node.has_attribute("open"));
    assert!(open.all(|node| node.ancestors().any(|it| it == fold)));
    let worst: Vec<Node<'_, '_>> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("row worst"))
        .collect();
    assert_eq!(worst.len(), 1);
    assert!(
        words(worst[0]).contains("two.test/slow"),
        "{}",
        words(worst[0])
    );
}

#[test]
fn a_page_says_what_the_recording_shows() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("fixtures/pages"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        let said = said(&page(&waterfall()));
        // The simulation is the page of every run.
        let (before, after) = said
            .split_once("h2      The simulation")
            .expect("it is there");
        let (_, after) = after
            .split_once("h2      What the recording")
            .expect("it is there");
        insta::assert_snapshot!(
            "recording",
            format!("{before}...\nh2      What the recording{after}")
        );
    });
}

#[test]
fn the_picture_has_a_shape_for_each_certainty_and_outcome() {
    let html = page(&waterfall());
    let document = parsed(&html);
    let picture = document
        .descendants()
        .find(|node| node.attribute("id") == Some("page"))
        .expect("it is there");
    let plots = || {
        picture
            .descendants()
            .filter(|node| node.attribute("class") == Some("plot"))
    };
    let drawn = |class: &str| {
        plots()
            .flat_map(|plot| plot.descendants())
            .filter(|node| node.attribute("class") == Some(class))
            .count()
    };
    // No ad, a wait that gave nothing and its late answer, the filling tag, the ad until its last
    // pixel and after it.
    for class in [
        "b-hollow",
        "b-wait",
        "b-late",
        "b-req",
        "b-shown",
        "b-unknown",
        "missing",
    ] {
        assert_eq!(drawn(class), 1, "{class}");
    }
    assert_eq!(
        (drawn("px"), drawn("px wrong")),
        (4, 1),
        "five pixels, one of them refused"
    );
    assert_eq!(
        drawn("b-sim"),
        0,
        "what is documented is drawn only where it differs"
    );
    for word in ["seen", "inferred", "unknown"] {
        let marks = picture
            .descendants()
            .filter(|node| node.attribute("class") == Some(&format!("sure {word}")));
        let marks: Vec<Node<'_, '_>> = marks.collect();
        assert!(!marks.is_empty(), "{word}");
        for mark in marks {
            let symbol = mark.descendants().find_map(|node| node.attribute("href"));
            assert_eq!(
                (words(mark).as_str(), symbol),
                (word, Some(&*format!("#g-{word}")))
            );
        }
    }
}

#[test]
fn differences_give_the_reason_first_and_the_rule_as_a_link() {
    let html = page(&waterfall());
    let document = parsed(&html);
    let list = document
        .descendants()
        .find(|node| node.attribute("class") == Some("diffs"))
        .expect("a list");
    let rows: Vec<String> = list
        .children()
        .filter(Node::is_element)
        .map(words)
        .collect();
    assert_eq!(rows.len(), waterfall().differences().len());
    assert!(
        rows.iter()
            .any(|row| row.contains("is missing on the page")),
        "{rows:?}"
    );
    assert!(
        !rows.iter().any(|row| row.contains("only simulated")),
        "{rows:?}"
    );
    let rule = list
        .descendants()
        .find(|node| node.attribute("class") == Some("rule"))
        .expect("a rule is named");
    let target = rule
        .attribute("href")
        .and_then(|link| link.strip_prefix('#'))
        .expect("it is a link");
    let line = document
        .descendants()
        .find(|node| node.attribute("id") == Some(target))
        .expect("it leads there");
    assert!(
        words(line).contains(rule.text().expect("its number")),
        "{}",
        words(line)
    );
}

#[test]
fn without_bodies_nothing_is_simulated() {
    let played = played_with("b.har", &bodiless(), &["test/tag"]);
    let html = page(&played);
    assert_eq!(sections(&html), ["page", "answers", "sent", "unknown"]);
    let title = heading(&html);
    assert!(
        title.contains("whether one was shown is unknown"),
        "{title}"
    );
    let text = said(&html);
    assert!(
        text.contains("Bodies are missing: what was answered cannot be read."),
        "{text}"
    );
    assert!(
        !html.contains("class=\"tr\"") && !html.contains("Simulated"),
        "{html}"
    );
    // What would help needs a simulation.
    assert!(!html.contains("--vary"), "{html}");
}

#[test]
fn hostile_text_of_a_recording_stays_text() {
    let html = page(&hostile());
    let document = parsed(&html);
    assert!(
        !document
            .descendants()
            .any(|node| node.has_tag_name("b") && node.text() == Some("owned"))
    );
    assert!(
        html.contains("&lt;/script&gt;&lt;b&gt;owned&lt;/b&gt;"),
        "{html}"
    );
    assert!(
        html.contains("\\u{1b}[2J") || html.contains("\\x1b[2J") || html.contains("\\e[2J"),
        "{html}"
    );
}

#[test]
fn what_would_have_helped_is_proposed() {
    let said_of = |name: &str| {
        let (_, html) = all()
            .into_iter()
            .find(|(other, _)| *other == name)
            .expect("it is a sample");
        said(&html)
    };
    assert!(said_of("recorded").contains("playsim waterfall a.har --vary ad.timeout=1s,2s"));
}

#[test]
fn what_is_documented_is_an_outline_where_it_differs() {
    let file = root().join("fixtures/recordings/pod_playwright/session.har");
    let Ok(text) = fs::read_to_string(&file) else {
        eprintln!("no recordings: the package leaves them out");
        return;
    };
    let played = played_as("session.har", &text);
    assert_eq!(
        played.differences().len(),
        1,
        "the document of the second ad was asked for too early"
    );
    let html = page(&played);
    let document = parsed(&html);
    let picture = document
        .descendants()
        .find(|node| node.attribute("id") == Some("page"))
        .expect("it is there");
    let plots = picture
        .descendants()
        .filter(|node| node.attribute("class") == Some("plot"));
    let outlines = plots.flat_map(|plot| plot.descendants()).filter(|node| {
        node.attribute("class")
            .is_some_and(|class| class == "b-sim" || class == "b-sim thin")
    });
    assert_eq!(outlines.count(), 1);
}
