//! The judge of traces: each of its rules finds a trace that was broken by hand, and passes a sound
//! one.
//!
//! `fixtures/check` has, for a rule like TRK-1, `trk_1_sound.jsonl` and `trk_1_broken.jsonl`, with
//! its findings in the snapshot next to it. Other sound recordings are broken here in one place
//! each.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use playsim::check::{self, CheckOptions, Finding, LAWS, Level};
use playsim::recording::Recording;
use playsim::rules::RuleId;
use proptest::prelude::*;
use serde_json::{Value, json};

mod breakages;
mod sound;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/check")
}

fn text_of(name: &str) -> String {
    let path = folder().join(format!("{name}.jsonl"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn names(ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder())
        .expect("there are fixtures")
        .flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".jsonl")?.to_owned()))
        .collect();
    names.retain(|name| name.contains(ending));
    names.sort();
    names
}

fn judged(name: &str, text: &str) -> Vec<Finding> {
    let recording = Recording::read(name, text).unwrap_or_else(|error| panic!("{error}"));
    check::judge(&recording, &CheckOptions::default())
}

fn shown(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let Finding {
            rule,
            at,
            level,
            sure,
            seen,
            due,
            ..
        } = finding;
        let line = finding.record + 1;
        let _ = writeln!(
            text,
            "line {line}, {at}: {rule}, {}, {}\n  {seen}",
            level.word(),
            sure.word()
        );
        if !due.is_empty() {
            let _ = writeln!(text, "  due: {due}");
        }
    }
    text
}

/// The rules that the judge knows.
fn rules() -> BTreeSet<RuleId> {
    LAWS.iter().map(|law| law.rule).collect()
}

#[test]
fn every_rule_has_a_broken_trace_that_it_finds_and_a_sound_one_that_it_passes() {
    let mut problems = Vec::new();
    for rule in rules() {
        let name = rule.to_string().to_lowercase().replace('-', "_");
        let broken = format!("{name}_broken");
        for file in [format!("{name}_sound"), broken.clone()] {
            if !folder().join(format!("{file}.jsonl")).exists() {
                problems.push(format!("fixtures/check/{file}.jsonl is missing"));
            }
        }
        if problems.is_empty()
            && judged(&broken, &text_of(&broken))
                .iter()
                .all(|finding| finding.rule != rule)
        {
            problems.push(format!("{broken} has no finding of {rule}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn broken_traces_have_the_findings_next_to_them() {
    for name in names("_broken") {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let found = shown(&judged(&name, &text_of(&name)));
        settings.bind(|| insta::assert_snapshot!(name.clone(), found));
    }
}

#[test]
fn sound_traces_have_no_findings() {
    for name in names("_sound") {
        let found = judged(&name, &text_of(&name));
        assert!(found.is_empty(), "{name}:\n{}", shown(&found));
    }
}

/// A recording, line by line.
type Lines = Vec<Value>;

fn lines(name: &str) -> Lines {
    text_of(name)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

fn found(lines: &Lines) -> Vec<Finding> {
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    judged("mutated", &text.join("\n"))
}

fn url(line: &Value) -> &str {
    line["data"]["url"]
        .as_str()
        .filter(|_| line["name"] == "request")
        .unwrap_or_default()
}

/// The event of a tracker, by the last part of its URL.
fn tracker(line: &Value) -> Option<&str> {
    url(line).strip_prefix("http://t.test/")?.split('/').nth(1)
}

fn places(lines: &Lines, event: &str) -> Vec<usize> {
    (0..lines.len())
        .filter(|index| tracker(&lines[*index]) == Some(event))
        .collect()
}

/// Moves a line in time, to where it belongs then.
fn moved(lines: &Lines, from: usize, by: i64) -> Lines {
    let mut lines = lines.clone();
    let mut line = lines.remove(from);
    let at = line["t"].as_i64().expect("a time") + by;
    line["t"] = at.into();
    let to = lines
        .iter()
        .position(|other| other["t"].as_i64() > Some(at))
        .unwrap_or(lines.len());
    lines.insert(to, line);
    lines
}

#[track_caller]
fn assert_found(what: &str, lines: &Lines, rules: &[&str]) {
    let found = found(lines);
    let is_found = found
        .iter()
        .any(|finding| rules.contains(&&*finding.rule.to_string()));
    assert!(
        is_found,
        "{what}: expected one of {rules:?}, found:\n{}",
        shown(&found)
    );
}

/// Recordings as a browser gives them, with trackers.
const RECORDINGS: [&str; 6] = [
    "trk_1_sound",
    "chain_sound",
    "pod_sound",
    "mid_roll_sound",
    "pause_sound",
    "seek_sound",
];

#[test]
fn a_tracker_that_is_missing_is_found() {
    for name in RECORDINGS {
        let sound = lines(name);
        for (event, rules) in [
            ("impression", &["TRK-2", "TRK-8"][..]),
            ("creativeView", &["TRK-11"]),
            ("start", &["TRK-3", "TRK-8"]),
            ("firstQuartile", &["TRK-3", "TRK-8"]),
            ("midpoint", &["TRK-3", "TRK-8"]),
            ("thirdQuartile", &["TRK-3", "TRK-8"]),
            ("complete", &["TRK-3", "TRK-8"]),
        ] {
            for place in places(&sound, event) {
                let mut lines = sound.clone();
                lines.remove(place);
                // A creativeView of the ad is not missed while a wrapper has one.
                if event != "creativeView" || name != "chain_sound" {
                    assert_found(
                        &format!("{name} without line {}, {event}", place + 1),
                        &lines,
                        rules,
                    );
                }
            }
        }
    }
}

#[test]
fn a_tracker_that_is_called_twice_is_found() {
    for name in RECORDINGS {
        let sound = lines(name);
        for event in [
            "impression",
            "creativeView",
            "start",
            "firstQuartile",
            "midpoint",
            "thirdQuartile",
            "complete",
        ] {
            for place in places(&sound, event) {
                let mut lines = sound.clone();
                lines.insert(place, lines[place].clone());
                assert_found(&format!("{name}, {event} twice"), &lines, &["TRK-1"]);
            }
        }
    }
}

#[test]
fn trackers_in_another_order_are_found() {
    for name in RECORDINGS {
        let sound = lines(name);
        for (one, other) in [
            ("impression", "firstQuartile"),
            ("start", "firstQuartile"),
            ("midpoint", "thirdQuartile"),
        ] {
            let (one_at, other_at) = (places(&sound, one)[0], places(&sound, other)[0]);
            let mut lines = sound.clone();
            let (early, late) = (
                lines[one_at]["data"].clone(),
                lines[other_at]["data"].clone(),
            );
            (lines[one_at]["data"], lines[other_at]["data"]) = (late, early);
            assert_found(
                &format!("{name}, {one} and {other} swapped"),
                &lines,
                &["TRK-2", "TRK-3"],
            );
        }
    }
}

#[test]
fn a_quartile_at_another_time_is_found() {
    for name in RECORDINGS {
        let sound = lines(name);
        for event in ["firstQuartile", "midpoint", "thirdQuartile"] {
            for place in places(&sound, event) {
                for by in [-800_000, 800_000] {
                    // In a pause no time is played.
                    if name == "pause_sound" && event == "firstQuartile" && by > 0 {
                        continue;
                    }
                    let lines = moved(&sound, place, by);
                    assert_found(
                        &format!("{name}, {event} moved by {by}"),
                        &lines,
                        &["TRK-6"],
                    );
                }
                // The clock of media is coarse.
                let lines = moved(&sound, place, 200_000);
                let late: Vec<_> = found(&lines)
                    .into_iter()
                    .filter(|it| it.rule.to_string() == "TRK-6")
                    .collect();
                assert!(late.is_empty(), "{name}, {event}: {}", shown(&late));
            }
        }
    }
}

#[test]
fn other_broken_recordings_are_found() {
    let without = |name: &str, is_it: &dyn Fn(&Value) -> bool| {
        let mut lines = lines(name);
        let place = lines.iter().position(is_it).expect("the line is there");
        lines.remove(place);
        lines
    };
    let is = |kind: &'static str, name: &'static str| {
        move |line: &Value| line["kind"] == kind && line["name"] == name
    };
    assert_found(
        "a pause is missing",
        &without("pause_sound", &|line| tracker(line) == Some("pause")),
        &["TRK-7"],
    );
    assert_found(
        "a seek has no end",
        &without("seek_sound", &is("media", "seeked")),
        &["MEL-13"],
    );
    assert_found(
        "an error is not reported",
        &without("media_fails_sound", &|line| {
            tracker(line).is_some_and(|event| event.starts_with("error"))
        }),
        &["TRK-10"],
    );
    // A skipped ad goes on to be reported.
    let mut skipped = lines("skip_sound");
    let skip = places(&skipped, "skip")[0];
    let mut late = skipped[skip].clone();
    late["data"]["url"] = json!("http://t.test/1/thirdQuartile");
    late["t"] = (late["t"].as_i64().expect("a time") + 10_000).into();
    skipped.insert(skip + 1, late);
    assert_found("a quartile after skip", &skipped, &["TRK-4"]);
    // The trackers of the first ad of a pod are called for the second.
    let pod = lines("pod_sound");
    let first = places(&pod, "thirdQuartile")[0];
    assert_found(
        "a tracker of the ad before",
        &moved(&pod, first, 2_000_000),
        &["TRK-5"],
    );
    // The recording ends with the ad, and was not cut short.
    let mut hung = lines("trk_1_sound");
    let film = hung
        .iter()
        .position(|line| url(line).contains("content.test"))
        .expect("a film");
    let last = hung.last().expect("a last line").clone();
    hung.truncate(film);
    hung.push(last);
    assert_found("content does not come", &hung, &["SCR-3"]);
}

#[test]
fn what_a_recorder_cannot_hear_is_not_missed() {
    for name in names("_sound")
        .into_iter()
        .filter(|name| !name.starts_with("inv_") && !name.starts_with("ev"))
    {
        let sound = lines(&name);
        for kind in ["net", "media", "ui", "user", "call"] {
            let mut deaf: Lines = sound
                .iter()
                .filter(|line| line["kind"] != kind)
                .cloned()
                .collect();
            if let Some(hears) = deaf[0]["data"]["hears"].as_array_mut() {
                hears.retain(|entry| entry != kind);
            }
            let faults: Vec<_> = found(&deaf)
                .into_iter()
                .filter(|it| it.level == Level::Fault)
                .collect();
            assert!(
                faults.is_empty(),
                "{name} without {kind}:\n{}",
                shown(&faults)
            );
        }
    }
}

#[test]
fn what_comes_before_and_after_a_recording_is_not_missed() {
    for name in RECORDINGS {
        let sound = lines(name);
        for length in 1..sound.len() {
            let found = found(&sound[..length].to_vec());
            assert!(
                found.is_empty(),
                "{name}, first {length} lines:\n{}",
                shown(&found)
            );
        }
    }
}

/// Lines that may be anything.
fn line() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec![
        "call", "user", "net", "media", "ui", "event", "beacon", "diag", "ad", "break", "state",
        "listener", "native",
    ]);
    let name = prop::sample::select(vec![
        "request",
        "response",
        "failed",
        "playing",
        "timeupdate",
        "ended",
        "error",
        "seeking",
        "seeked",
        "pause",
        "shown",
        "gone",
        "start",
        "midpoint",
        "complete",
        "skip",
        "impression",
        "resume",
        "adStart",
        "adEnd",
        "adComplete",
        "adImpression",
        "adError",
        "ready",
        "play",
        "currentTime",
        "begin",
        "end",
        "uncaught",
        "loadstart",
    ]);
    let src = prop::sample::select(vec![
        "http://m.test/1.webm",
        "http://content.test/film.webm",
        "http://ads.test/one",
        "http://t.test/1/start",
        "http://t.test/1/error?c=[ERRORCODE]",
        "1.webm",
        "",
        "\u{e9}[",
        "%",
    ]);
    let text = prop::sample::select(vec![
        "<VAST version='4.2'><Ad><InLine><Impression>http://t.test/1/impression</Impression><Creatives><Creative><Linear>\
         <Duration>00:00:04</Duration><TrackingEvents><Tracking event='start'>http://t.test/1/start</Tracking>\
         </TrackingEvents><MediaFiles><MediaFile type='video/webm'>http://m.test/1.webm</MediaFile></MediaFiles></Linear>\
         </Creative></Creatives></InLine></Ad></VAST>",
        "<VAST><Ad><Wrapper><VASTAdTagURI>http://ads.test/one</VASTAdTagURI></Wrapper></Ad></VAST>",
        "no document",
    ]);
    let number = prop_oneof![Just(-1.0), Just(0.0), 0.0..20.0, Just(1e12)];
    let time = prop_oneof![0_u64..20_000_000, Just(u64::MAX)];
    (kind, name, src, text, number, time, any::<bool>()).prop_map(|(kind, name, src, text, number, time, has_player)| {
        let data = json!({
            "src": src, "url": src, "text": text, "position": number, "status": 404, "args": [number, "function a"],
            "binding": "a", "code": 4, "duration": number, "visible": has_player,
        });
        let mut line = json!({ "t": time, "kind": kind, "name": name, "data": data });
        if has_player {
            line["player"] = "p".into();
        }
        line.to_string()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_trace_makes_it_panic(lines in prop::collection::vec(line(), 1..60), head in any::<bool>()) {
        let mut lines = lines;
        if head {
            lines.insert(0, json!({ "t": 0, "kind": "header", "name": "recording", "data": { "version": 1 } }).to_string());
        }
        if let Ok(recording) = Recording::read("random", &lines.join("\n")) {
            let findings = check::judge(&recording, &CheckOptions::default());
            prop_assert!(findings.iter().all(|finding| finding.record < recording.trace.records.len()));
        }
    }
}
