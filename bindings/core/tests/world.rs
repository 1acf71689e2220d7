//! A page whose functions are Rust closures that speak JSON, as a host language does.

use std::sync::{Arc, Mutex};

use playsim_bindings::{Time, Within, World, request};
use serde_json::{Value as Json, json};

const PAGE: &str = r#"
page: { containers: [box, other] }
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
network: { https://ads.test/a: { after: 200ms, file: empty.xml } }
"#;

type Heard = Arc<Mutex<Vec<Json>>>;

/// A world whose functions keep what they are called with, and then do what `then` says.
fn world(
    then: impl Fn(&mut Within<'_, '_>, usize, &Json) -> Result<(), String> + Send + Sync + 'static,
) -> (World, Heard) {
    let heard = Heard::default();
    let kept = Arc::clone(&heard);
    let given = json!({ "scenario": PAGE, "files": { "empty.xml": "<VAST version='4.2'/>" } });
    let world = World::new(&given.to_string(), move |within, function, text| {
        let call: Json = serde_json::from_str(text).expect("it is JSON");
        kept.lock().expect("no panic").push(call.clone());
        then(within, function, &call)
    });
    (world.expect("the scenario can be played"), heard)
}

fn perform(world: &mut World, operation: &Json) -> Result<Json, Json> {
    let parsed = |text: String| serde_json::from_str(&text).expect("it is JSON");
    world
        .perform(&operation.to_string())
        .map(parsed)
        .map_err(parsed)
}

fn within(page: &mut Within<'_, '_>, operation: &Json) -> Result<Json, Json> {
    let parsed = |text: String| serde_json::from_str(&text).expect("it is JSON");
    page.perform(&operation.to_string())
        .map(parsed)
        .map_err(parsed)
}

fn call(name: &str, args: &Json) -> Json {
    json!({ "op": "call", "player": "box", "name": name, "args": args })
}

fn function(name: &str) -> Json {
    json!({ "$": ["function", name] })
}

fn make(world: &mut World, on_ready: &str) {
    let config = json!({ "id": "p", "width": "640", "height": "360", "video": "film" });
    let made = perform(
        world,
        &json!({ "op": "init", "args": ["box", config], "onReady": on_ready }),
    );
    assert_eq!(made, Ok(json!({ "value": "box", "index": 0 })));
}

fn define(world: &mut World, name: &str) -> Json {
    perform(world, &json!({ "op": "define", "name": name })).expect("it has a name")
}

/// Plays up to a time in milliseconds.
fn play(world: &mut World, to: u64) {
    while world.turn_until(Time::from_millis(to)).has_played {}
}

#[test]
fn a_page_is_driven_in_json_and_saved() {
    let (mut world, heard) = world(|page, function, call| {
        let operation = match function {
            0 => json!({ "op": "call", "player": call["player"], "name": "play" }),
            1 => {
                json!({ "op": "answer", "url": "https://ads.test/b", "answer": { "status": 503 } })
            }
            _ => return Err("TypeError: a bug of the page".to_owned()),
        };
        within(page, &operation)
            .map(drop)
            .map_err(|error| error.to_string())
    });
    assert_eq!(
        define(&mut world, "ready"),
        json!({ "fn": 0, "name": "ready" })
    );
    assert_eq!(
        define(&mut world, ""),
        json!({ "fn": 1, "name": "function" })
    );
    assert_eq!(
        define(&mut world, "ready"),
        json!({ "fn": 2, "name": "ready_2" })
    );
    make(&mut world, "ready");
    perform(
        &mut world,
        &call("on", &json!([["adError", "start"], function("function")])),
    )
    .expect("it is bound");
    perform(
        &mut world,
        &call("on", &json!(["start", function("ready_2")])),
    )
    .expect("it is bound");
    assert!(
        heard.lock().expect("no panic").is_empty(),
        "the task is still open"
    );
    play(&mut world, 3_000);
    let types: Vec<Json> = heard
        .lock()
        .expect("no panic")
        .iter()
        .map(|call| call["type"].clone())
        .collect();
    assert_eq!(types, ["onReady", "adError", "start", "start"]);
    let ad_error = heard.lock().expect("no panic")[1].clone();
    assert_eq!(
        (&ad_error["player"], &ad_error["index"], &ad_error["at"]),
        (&json!("box"), &json!(0), &json!(200_000))
    );
    assert_eq!(ad_error["data"]["code"], 303);
    assert_eq!(
        perform(
            &mut world,
            &json!({ "op": "user", "player": "box", "act": "pause" })
        ),
        Ok(json!({}))
    );
    let position = perform(
        &mut world,
        &json!({ "op": "query", "player": "box", "name": "currentTime" }),
    );
    assert_eq!(position, Ok(json!({ "value": 2.8 })));
    let want = json!([
        "events", "records", "text", "jsonl", "report", "html", "yaml", "files", "check"
    ]);
    let trace =
        perform(&mut world, &json!({ "op": "trace", "want": want })).expect("it can be shown");
    assert_eq!(trace["check"], json!([]));
    assert_eq!(trace["events"][0]["type"], "ready");
    // The saved scenario plays to the same trace.
    let replayed = request(
        &json!({ "op": "run", "scenario": trace["yaml"], "files": trace["files"], "want": ["text"] })
            .to_string(),
    );
    let replayed: Json =
        serde_json::from_str(&replayed.expect("it can be played")).expect("it is JSON");
    assert_eq!(replayed["digest"], trace["digest"], "{}", trace["yaml"]);
    assert!(
        trace["jsonl"]
            .as_str()
            .is_some_and(|lines| lines.contains("\"threw\":\"TypeError: a bug of the page\""))
    );
}

#[test]
fn values_come_through_as_javascript_has_them() {
    let (mut world, _) = world(|_, _, _| Ok(()));
    define(&mut world, "f");
    make(&mut world, "f");
    play(&mut world, 100);
    for (value, result) in [
        (json!({ "$": "NaN" }), json!({ "value": 1 })),
        (json!(0.300_000_000_000_000_04), json!({ "value": 0.3 })),
        (json!({ "$": "Infinity" }), json!({ "value": 1 })),
    ] {
        perform(&mut world, &call("volume", &json!([1]))).expect("it is set");
        let set = perform(&mut world, &call("volume", &json!([value])));
        assert_eq!(set, Ok(result), "{value}");
    }
    let duration = perform(
        &mut world,
        &json!({ "op": "query", "player": "box", "name": "duration" }),
    );
    assert_eq!(duration, Ok(json!({ "value": 10 })));
    let chapter = perform(&mut world, &call("currentChapter", &json!([])));
    assert_eq!(chapter, Ok(json!({ "value": null })));
}

#[test]
fn wrong_input_is_an_error_with_its_place() {
    let failed = World::new(
        "{ \"scenario\": \"videos: [{ id: a, nmae: b }]\" }",
        |_, _, _| Ok(()),
    );
    let error: Json =
        serde_json::from_str(&failed.expect_err("it has a mistake")).expect("it is JSON");
    assert_eq!(error["mistakes"][0]["suggestion"], "name");
    assert_eq!(
        (
            &error["mistakes"][0]["line"],
            &error["mistakes"][0]["column"]
        ),
        (&json!(1), &json!(19))
    );
    let (mut world, _) = world(|_, _, _| Ok(()));
    let nobody = perform(&mut world, &call("play", &json!([]))).expect_err("there is no player");
    assert_eq!(nobody["code"], "no_such_player");
    for (operation, message) in [
        (
            call("plya", &json!([])),
            "the player has no method \"plya\"",
        ),
        (
            json!({ "op": "polish" }),
            "there is no operation \"polish\"",
        ),
        (
            json!({ "op": "user", "player": "box" }),
            "the operation has no \"act\"",
        ),
        (
            json!({ "op": "user", "player": "box", "act": "skp" }),
            "act.json:1:9: unknown user action \"skp\"; did you mean \"skip\"?",
        ),
        (
            call("on", &json!(["play", function("nobody")])),
            "value.json:1:6: unknown listener \"nobody\"; none are defined",
        ),
        (
            json!({ "op": "trace", "want": ["vents"] }),
            "a trace has no \"vents\"; it has events, records, report, check, text, jsonl, html, page, summary, yaml and files",
        ),
    ] {
        assert_eq!(
            perform(&mut world, &operation).expect_err("it is wrong")["message"],
            message
        );
    }
    assert!(world.perform("{").is_err());
}

#[test]
fn a_loop_ends_with_a_message() {
    let (mut world, _) = world(|page, _, _| {
        let muted = within(
            page,
            &json!({ "op": "query", "player": "box", "name": "muted" }),
        );
        let muted = muted.map_err(|error| error.to_string())?["value"] == true;
        within(page, &call("muted", &json!([!muted])))
            .map(drop)
            .map_err(|error| error.to_string())
    });
    define(&mut world, "toggle");
    make(&mut world, "toggle");
    perform(
        &mut world,
        &call("on", &json!(["mutechange", function("toggle")])),
    )
    .expect("it is bound");
    play(&mut world, 1_000);
    let outcome = perform(&mut world, &json!({ "op": "outcome" })).expect("it is known");
    assert_eq!(outcome["outcome"], "livelock");
    assert!(
        outcome["text"]
            .as_str()
            .is_some_and(|text| text.contains("call muted")),
        "{outcome}"
    );
    let over = perform(&mut world, &call("pause", &json!([]))).expect_err("it is over");
    assert_eq!(
        over["message"],
        "the run is over: it has reached its end or a limit"
    );
}

#[test]
fn a_fork_goes_its_own_way_with_the_same_functions() {
    let (mut world, heard) = world(|_, _, _| Ok(()));
    define(&mut world, "heard");
    make(&mut world, "heard");
    perform(
        &mut world,
        &call("on", &json!(["start", function("heard")])),
    )
    .expect("it is bound");
    play(&mut world, 100);
    perform(&mut world, &call("play", &json!([]))).expect("it is called");
    let mut fork = world.fork();
    perform(
        &mut fork,
        &json!({ "op": "user", "player": "box", "act": "mute" }),
    )
    .expect("the user may");
    play(&mut world, 2_000);
    assert_eq!(fork.now(), Time::from_millis(100));
    play(&mut fork, 2_000);
    let starts = heard
        .lock()
        .expect("no panic")
        .iter()
        .filter(|call| call["type"] == "start")
        .count();
    assert_eq!(starts, 2);
    let ((first, _), (second, scenario)) = (world.played(), fork.played());
    assert_ne!(first.digest, second.digest);
    assert_eq!(
        playsim::Simulation::new(&scenario)
            .expect("it can be played")
            .run()
            .digest,
        second.digest
    );
}

#[test]
fn without_a_player_the_answer_says_why_and_a_new_element_holds_one() {
    let (mut world, _) = world(|_, _, _| Ok(()));
    let config = json!({ "id": "p", "width": "640", "height": "360", "video": "film" });
    let init = |div: &str, is_there: bool| json!({ "op": "init", "args": [div, config], "isThere": is_there });
    let refused = perform(&mut world, &init("nowhere", false)).expect("it is an answer");
    assert_eq!(
        refused,
        json!({ "value": null, "refused": {
            "message": "the page has no container \"nowhere\"; no player is created; it has \"box\", \"other\"",
            "code": "no_container",
            "rule": "INIT-5",
        } })
    );
    let made = perform(&mut world, &init("nowhere", true));
    assert_eq!(made, Ok(json!({ "value": "nowhere", "index": 0 })));
    let destroy = json!({ "op": "call", "player": "nowhere", "name": "destroy", "args": [] });
    perform(&mut world, &destroy).expect("it is alive");
    let containers = json!({ "op": "containers" });
    assert_eq!(
        perform(&mut world, &containers),
        Ok(json!({ "value": ["box", "other"] }))
    );
    let put = json!({ "op": "page", "change": { "container": "nowhere" } });
    perform(&mut world, &put).expect("it is a change of the page");
    let made = perform(&mut world, &init("nowhere", false));
    assert_eq!(made, Ok(json!({ "value": "nowhere", "index": 1 })));

    let diagnostics = json!({ "op": "diagnostics", "from": 0 });
    let said = perform(&mut world, &diagnostics).expect("it is an answer");
    let [only] = said["diagnostics"].as_array().expect("a list").as_slice() else {
        panic!("{said}")
    };
    assert_eq!(
        (&only["code"], &only["rule"], &only["player"]),
        (&json!("no_container"), &json!("INIT-5"), &json!(null))
    );
    let rest = json!({ "op": "diagnostics", "from": said["next"] });
    let said = perform(&mut world, &rest).expect("it is an answer");
    assert_eq!(said["diagnostics"], json!([]));
}

#[test]
fn an_answer_is_a_response_or_media_as_the_url_is_listed() {
    let (mut world, _) = world(|_, _, _| Ok(()));
    let mut answer = |url: &str, answer: &Json| {
        let given = json!({ "op": "answer", "url": url, "answer": answer });
        perform(&mut world, &given).map_err(|error| error["message"].to_string())
    };
    let network = json!({ "fails": { "how": "network" } });
    for (url, given) in [
        ("film.mp4", &network),
        ("film.mp4", &json!([network, { "duration": "5s" }])),
        ("new.mp4", &json!({ "duration": "5s" })),
        ("https://ads.test/a", &json!({ "fails": "reset" })),
        (
            "https://ads.test/a",
            &json!([{ "status": 503 }, { "after": "1s" }]),
        ),
        ("/new", &json!({ "status": 404 })),
    ] {
        assert_eq!(answer(url, given), Ok(json!({})), "{url} {given}");
    }
    for (url, given, said) in [
        ("film.mp4", json!({ "status": 503 }), "a medium has no"),
        (
            "https://ads.test/a",
            json!({ "duration": "5s" }),
            "duration",
        ),
        ("https://ads.test/a", json!([]), "at least one response"),
        ("film.mp4", json!([]), "at least one medium"),
        ("/new", json!({ "after": 200 }), "200ms"),
    ] {
        let message = answer(url, &given).expect_err("it has another form");
        assert!(message.contains(said), "{message}");
    }
}
