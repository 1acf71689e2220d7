//! Archives that were written by hand, each with what the servers knew: what is found is held
//! against that.

use std::fs;

use playsim::import::{self, Hints, PlayedRecording, TagResult};
use playsim::report::waterfall::Detail;
use serde_json::Value;

use super::{folder, play, read, settings};

/// Plays each archive, and passes it on with its name and what is known of it.
fn each(judge: impl Fn(&str, &PlayedRecording, &Value)) {
    let Ok(entries) = fs::read_dir(folder().join("by_hand")) else {
        eprintln!("no recordings: the package leaves them out");
        return;
    };
    let mut count = 0;
    for entry in entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|it| it == "har"))
    {
        let name = entry
            .path()
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let truth =
            fs::read_to_string(entry.path().with_extension("json")).expect("each has its truth");
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let played = play(&entry.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        judge(&name, &played, &truth);
        if let Some(page) = truth["other"]["page"].as_str() {
            let hints = Hints {
                page: Some(page.to_owned()),
                ..Hints::default()
            };
            let played = import::play(read(&entry.path()), hints, &settings());
            let played = played.unwrap_or_else(|error| panic!("{name}, {page}: {error}"));
            judge(&format!("{name}, {page}"), &played, &truth["other"]);
        }
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn text(played: &PlayedRecording) -> String {
    played.text(120, false, Detail::default())
}

#[test]
fn tags_are_what_the_servers_knew() {
    each(|name, played, truth| {
        let verdict = serde_json::to_value(&played.verdict).expect("JSON");
        let breaks = verdict["breaks"].as_array().expect("a list");
        let tags = || {
            breaks
                .iter()
                .flat_map(|it| it["tags"].as_array().expect("a list"))
        };
        let outcomes: Vec<&str> = tags()
            .filter_map(|tag| tag["outcome"]["kind"].as_str())
            .collect();
        assert_eq!(
            outcomes,
            strings(&truth["tags"]),
            "{name}\n{}",
            text(played)
        );
        assert_eq!(
            verdict["headline"]["shown"],
            truth["shown"],
            "{name}\n{}",
            text(played)
        );
        if let Some(due) = truth["together"].as_u64() {
            let together = tags().filter(|tag| tag["together"] == true).count();
            assert_eq!(together as u64, due, "{name}");
        }
        if let Some(due) = truth["hops"].as_u64() {
            assert_eq!(
                tags()
                    .flat_map(|tag| tag["hops"].as_array())
                    .map(Vec::len)
                    .sum::<usize>() as u64,
                due,
                "{name}"
            );
        }
        let kinds: Vec<String> = played
            .verdict
            .breaks
            .iter()
            .map(|it| it.kinds[0].word().to_owned())
            .collect();
        assert!(
            truth["kinds"].is_null() || kinds == strings(&truth["kinds"]),
            "{name}: {kinds:?}"
        );
        let words = text(played);
        for due in strings(&truth["words"]) {
            assert!(words.contains(&due), "{name}: {due} is not in\n{words}");
        }
        for wrong in strings(&truth["not"]) {
            assert!(!words.contains(&wrong), "{name}: {wrong} is in\n{words}");
        }
    });
}

#[test]
fn what_no_document_names_is_said_as_what_it_is() {
    let Ok(entries) = fs::read_dir(folder().join("without_tags")) else {
        eprintln!("no recordings: the package leaves them out");
        return;
    };
    for file in entries.flatten().map(|entry| entry.path()) {
        if file.extension().is_none_or(|it| it != "har") {
            continue;
        }
        let truth = fs::read_to_string(file.with_extension("json")).expect("each has its truth");
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let said = play(&file).expect_err("nothing is a tag").to_string();
        for due in strings(&truth["error"]) {
            assert!(said.contains(&due), "{due} is not in\n{said}");
        }
        for wrong in strings(&truth["not"]) {
            assert!(!said.contains(&wrong), "{wrong} is in\n{said}");
        }
    }
}

#[test]
fn headlines_say_what_happened() {
    each(|name, played, truth| {
        let headline = &played.verdict.headline;
        let said: Vec<&str> = headline.sentences.iter().map(|it| &*it.text).collect();
        for due in strings(&truth["says"]) {
            assert!(
                said.iter().any(|it| it.contains(&due)),
                "{name}: {due} is not in {said:?}"
            );
        }
        let is_unknown = truth["unknown"] == true || truth["shown"] == "unknown";
        assert_eq!(headline.is_unknown, is_unknown, "{name}\n{}", text(played));
        assert_eq!(
            played.simulation.is_none(),
            played.evidence.bodies == import::Bodies::Missing,
            "{name}"
        );
    });
}

#[test]
fn differences_are_those_that_were_made() {
    each(|name, played, truth| {
        let found: Vec<String> = played
            .differences()
            .iter()
            .map(|it| it.what.clone())
            .collect();
        let whys: Vec<&str> = played
            .differences()
            .iter()
            .filter_map(|it| it.why.as_deref())
            .collect();
        for due in strings(&truth["differences"]) {
            assert!(
                found.iter().any(|it| it.contains(&due)),
                "{name}: {due} is not in {found:?}"
            );
        }
        for due in strings(&truth["why"]) {
            assert!(
                whys.iter().any(|it| it.contains(&due)),
                "{name}: {due} is not in {whys:?}"
            );
        }
        // One cause is one entry.
        let count = truth["count"]
            .as_u64()
            .unwrap_or(if truth["differences"].is_null() { 0 } else { 1 });
        assert_eq!(
            found.len() as u64,
            count,
            "{name}: {found:?}\n{}",
            text(played)
        );
    });
}

#[test]
fn limits_and_lengths_follow_from_the_recording() {
    each(|name, played, truth| {
        let upper = played.verdict.limit.as_ref().and_then(|limit| limit.upper);
        if let (Some(least), Some(most)) = (truth["limit"][0].as_u64(), truth["limit"][1].as_u64())
        {
            let upper = upper.expect("a limit").micros() / 1_000;
            assert!((least..=most).contains(&upper), "{name}: {upper}");
        }
        assert!(
            truth["no_limit"].is_null() || upper.is_none(),
            "{name}: {upper:?}"
        );
        if let Some(due) = truth["content"].as_u64() {
            let length = played.verdict.content.length.expect("a length").micros() / 1_000;
            assert!(length.abs_diff(due) <= 300, "{name}: {length}");
        }
    });
}

#[test]
fn what_was_open_when_the_page_was_left_shows_no_limit() {
    let file = folder().join("by_hand/other_page.har");
    if !file.exists() {
        eprintln!("no recordings: the package leaves them out");
        return;
    }
    let hints = Hints {
        page: Some("page_1".to_owned()),
        tags: ["ptv", "vd/v2"]
            .map(|tag| tag.parse().expect("a pattern"))
            .to_vec(),
        ..Hints::default()
    };
    let played = import::play(read(&file), hints, &settings()).expect("tags are named");
    assert!(played.verdict.limit.is_none(), "{}", played.verdict);
    let outcomes: Vec<_> = played.verdict.tags().map(|tag| &tag.outcome).collect();
    assert!(
        matches!(
            outcomes[..],
            [TagResult::Failed { .. }, TagResult::Unknown { .. }]
        ),
        "{outcomes:?}"
    );
}
