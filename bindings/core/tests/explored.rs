//! The outcomes of a scenario without page code, with which those of the npm package are compared: it
//! plays each way from the start, and tries a response once in each gap between two instants.
//!
//! Its test reads the same file. `UPDATE_EXPLORED=1` writes it anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use playsim::testing::explore::{Action, Bounds, explore};
use playsim_bindings::World;
use serde_json::{Value as Json, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../js/test/explored.json");

#[test]
fn the_outcomes_for_the_npm_package_are_those_that_are_found() {
    let text = std::fs::read_to_string(FILE).expect("the file is there");
    let mut case: Json = serde_json::from_str(&text).expect("it is JSON");
    let scenario = playsim::scenario::read("page.json", &case["scenario"].to_string(), &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    });
    let known: Vec<&str> = case["do"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let bounds = Bounds::default().actions(Action::list(&known.join(",")).expect("they are known"));
    let found = explore(&scenario.expect("it can be read"), &bounds).expect("it can be played");
    let outcomes = found.outcomes.iter().map(|class| {
        let facts = class.facts.iter().map(|(fact, times)| {
            let code = fact.code.map(|code| format!(" {code}")).unwrap_or_default();
            format!("{} {}{code}: {times}", fact.kind.name(), fact.name)
        });
        let mut facts: Vec<String> = facts.collect();
        facts.sort_unstable();
        facts
    });
    let broken = found
        .broken
        .iter()
        .map(|broken| json!([broken.law, broken.why]));
    case["outcomes"] = outcomes.map(Json::from).collect();
    case["broken"] = broken.collect();
    case.as_object_mut().expect("an object").remove("ways");
    let now = format!("{case:#}\n");
    if std::env::var_os("UPDATE_EXPLORED").is_some() {
        std::fs::write(FILE, now).expect("it can be written");
    } else {
        assert!(
            text == now,
            "bindings/js/test/explored.json is not what is found; UPDATE_EXPLORED=1 writes it anew"
        );
    }
}

#[test]
fn what_is_only_tried_calls_no_function_of_the_page() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = |calls: &Arc<AtomicUsize>| {
        let calls = Arc::clone(calls);
        move |_: &mut playsim_bindings::Within<'_, '_>, _: usize, _: &str| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    };
    let scenario = "videos: [{ id: film, renditions: { sd: film.mp4 } }]\nmedia: { film.mp4: { duration: 10s } }\n";
    let given =
        json!({ "scenario": scenario, "explore": { "hasPage": true, "do": ["pause", "destroy"] } });
    let start = World::new(&given.to_string(), counted(&calls)).expect("it can be played");
    let mut way = start.again(counted(&calls)).expect("it is explored");
    let mut perform = |what: Json| -> Json {
        let answer = way.perform(&what.to_string()).expect("it can be performed");
        serde_json::from_str(&answer).expect("it is JSON")
    };
    perform(json!({ "op": "define", "name": "onPause" }));
    let config = json!({ "id": "p", "width": "640", "height": "360", "video": "film" });
    perform(json!({ "op": "init", "args": ["player", config] }));
    let on = json!({ "$": ["function", "onPause"] });
    perform(
        json!({ "op": "call", "player": "player", "name": "on", "args": [["pause", "destroyBefore"], on] }),
    );
    perform(json!({ "op": "call", "player": "player", "name": "play" }));
    while perform(json!({ "op": "place" }))["pending"][0]["due"] == json!(0) {
        perform(json!({ "op": "play" }));
    }
    let before = perform(json!({ "op": "lines" }));
    let acts = perform(json!({ "op": "acts", "next": 1_000_000 }));
    assert_eq!(
        acts["acts"],
        json!([{ "at": 0, "action": 0, "seat": 0 }, { "at": 0, "action": 1, "seat": 0 }]),
        "{acts}"
    );
    assert_eq!(
        (
            calls.load(Ordering::Relaxed),
            perform(json!({ "op": "lines" }))
        ),
        (0, before)
    );
    assert_eq!(
        perform(json!({ "op": "act", "at": 0, "action": 1, "seat": 0 })),
        json!({ "word": "0.000000 destroy" })
    );
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    assert!(
        World::new(
            &json!({ "scenario": scenario }).to_string(),
            counted(&calls)
        )
        .is_ok_and(|it| it.again(counted(&calls)).is_none())
    );
}
