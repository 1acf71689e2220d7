//! Heads, the lines that are heard, trackers, and the compact form.

use super::*;
use playsim_api::UiLine;

const HEAD: &str = r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"some","versions":{"some":"1.2"},"case":"pre","hears":["net","media:end*"],"adapter":{"decides":["the times of mid-rolls"]}}}"#;

fn read(text: &str) -> Recording {
    Recording::read("a.jsonl", text).expect("it is a recording")
}

fn wrong(text: &str) -> String {
    Recording::read("a.jsonl", text)
        .expect_err("it is no recording")
        .to_string()
}

#[test]
fn the_head_says_what_was_recorded_and_what_was_heard() {
    let head = read(HEAD).head;
    assert_eq!(head.player.as_deref(), Some("some"));
    assert_eq!(head.versions, [("some".into(), "1.2".into())]);
    assert_eq!(head.decides, [Text::from("the times of mid-rolls")]);
    for (kind, name, is_heard) in [
        (Kind::Net, "request", true),
        (Kind::Beacon, "start", true),
        (Kind::Media, "ended", true),
        (Kind::Media, "play", false),
        (Kind::Event, "adStart", false),
    ] {
        assert_eq!(
            head.hears.hears(kind, name),
            is_heard,
            "{} {name}",
            kind.name()
        );
    }
}

#[test]
fn a_recording_without_a_head_hears_the_kinds_that_it_has() {
    let hears = read(r#"{"t":5,"kind":"event","name":"adStart"}"#)
        .head
        .hears;
    assert!(hears.hears(Kind::Event, "adEnd"));
    assert!(!hears.hears(Kind::Net, "request"));
}

#[test]
fn a_wrong_head_is_an_error_with_a_proposal() {
    let head =
        |data: &str| format!(r#"{{"t":0,"kind":"header","name":"recording","data":{data}}}"#);
    for (data, due) in [
        (
            r#"{"version":1,"hears":["evnt"]}"#,
            "did you mean \"event\"?",
        ),
        (
            r#"{"version":1,"hears":"net"}"#,
            "it must be a list of kinds",
        ),
        (
            r#"{"version":2}"#,
            "this is a recording of version 2; this playsim reads version 1",
        ),
        (
            r#"{"version":1,"player":7}"#,
            "\"player\" of the head is 7; it must be a string",
        ),
    ] {
        let message = wrong(&head(data));
        assert!(message.contains(due), "{message}");
    }
}

#[test]
fn requests_for_trackers_become_beacons() {
    let text = concat!(
        r#"{"t":1,"kind":"net","name":"request","data":{"url":"http://ads.test/tag"}}"#,
        "\n",
        r#"{"t":2,"kind":"net","name":"response","data":{"url":"http://ads.test/tag","status":200,"text":"<VAST version='4.2'><Ad><InLine><Impression>/i?c=[CACHEBUSTING]</Impression></InLine></Ad></VAST>"}}"#,
        "\n",
        r#"{"t":3,"kind":"net","name":"request","data":{"url":"http://ads.test/i?c=123"}}"#,
        "\n",
        r#"{"t":4,"kind":"net","name":"request","data":{"url":"http://t.test/error"}}"#,
    );
    let mut recording = read(text);
    let document = "<VAST version='4.2'><Error>http://t.test/error</Error></VAST>";
    recording.label(&[("http://dsp.test/".into(), document.into())]);
    let lines: Vec<(Kind, &str)> = recording
        .trace
        .records
        .iter()
        .map(|record| (record.kind, &*record.name))
        .collect();
    let due = [
        (Kind::Net, "request"),
        (Kind::Net, "response"),
        (Kind::Beacon, "impression"),
        (Kind::Beacon, "error"),
    ];
    assert_eq!(lines, due);
}

#[test]
fn the_compact_form_says_the_same() {
    let text = r#"{"player":"some","situation":"pre","log":[
        [-20,"ask","http://ads.test/tag","fetch"],
        [0,"call","play"],
        [12.3,"stage","ad.mp4","on"],
        [12.4,"media","playing",["ad.mp4",0.01]],
        [13,"native","loaded",[1]]
    ]}"#;
    let recording = read(text);
    assert_eq!(recording.head.case.as_deref(), Some("pre"));
    assert!(!recording.head.hears.hears(Kind::Media, "timeupdate"));
    let shown = &recording.trace.records[3];
    assert!(shown.is(UiLine::Shown));
    assert_eq!(shown.at.micros(), 32_300);
    assert_eq!(shown.data.text("src").map(|src| &**src), Some("ad.mp4"));
    assert!(wrong(r#"{"log":7}"#).contains("\"log\" must be a list"));
    assert!(wrong(r#"{"log":[[1,2]]}"#).contains("entry 0 of \"log\" is [1,2]"));
}
