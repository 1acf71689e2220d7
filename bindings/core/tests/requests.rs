//! Requests that look at a scenario or a recording from outside, as a page does that shows them.

use playsim_bindings::request;
use serde_json::{Value as Json, json};

fn demo() -> Json {
    ask(&json!({ "op": "examples" })).expect("there are examples")[0].clone()
}

fn ask(what: &Json) -> Result<Json, Json> {
    let parsed = |text: String| serde_json::from_str(&text).expect("it is JSON");
    request(&what.to_string()).map(parsed).map_err(parsed)
}

/// A request about the demo with these other fields.
fn about_demo(mut fields: Json) -> Json {
    let demo = demo();
    for key in ["name", "scenario", "files"] {
        fields[key] = demo[key].clone();
    }
    fields
}

#[test]
fn the_state_at_an_instant_is_that_of_the_trace() {
    let at =
        |at: u64| ask(&about_demo(json!({ "op": "state", "at": at }))).expect("it can be played");
    // The second tag is asked 120 ms after the start, and never answers.
    let waiting = at(200_000);
    let [request] = waiting["requests"].as_array().expect("a list").as_slice() else {
        panic!("{waiting}")
    };
    assert_eq!(
        (&request["url"], &request["since"], &request["status"]),
        (
            &json!("https://two.test/tag"),
            &json!(120_000),
            &json!("awaited")
        )
    );
    let player = &waiting["players"][0];
    assert_eq!(
        (&player["container"], &player["break"]["asked"]),
        (&json!("player"), &json!(1))
    );
    assert_eq!(player["listeners"], json!([["ready", ["step 2"]]]));
    let showing = at(3_000_000);
    assert_eq!(
        (
            &showing["players"][0]["state"],
            &showing["requests"][0]["status"]
        ),
        (&json!("ad-playing"), &json!("given up"))
    );
    assert_eq!(
        (&showing["at"], &showing["players"][0]["break"]["filled"]),
        (&json!(3_000_000), &json!(true))
    );
    assert_eq!(at(10_000_000)["players"][0]["break"], Json::Null);
}

#[test]
fn a_line_is_explained_and_two_runs_are_compared() {
    let why = ask(&about_demo(json!({ "op": "explain", "line": "adError" })))
        .expect("there is such a line");
    assert!(
        why["text"]
            .as_str()
            .is_some_and(|text| text.contains("no ad in the response")),
        "{why}"
    );
    let missing =
        ask(&about_demo(json!({ "op": "explain", "line": "adErorr" }))).expect_err("a slip");
    assert!(
        missing["message"]
            .as_str()
            .is_some_and(|text| text.contains("did you mean \"adError\"?"))
    );
    let (first, mut second) = (demo(), demo());
    let slower = second["scenario"]
        .as_str()
        .expect("a text")
        .replace("190ms", "290ms");
    second["scenario"] = slower.into();
    let same = ask(&json!({ "op": "diff", "first": first, "second": demo() }))
        .expect("both can be played");
    let differs = ask(&json!({ "op": "diff", "first": first, "second": second }))
        .expect("both can be played");
    assert_eq!(
        (&same["equal"], &differs["equal"]),
        (&json!(true), &json!(false))
    );
    assert!(
        differs["text"]
            .as_str()
            .is_some_and(|text| text.contains("2.410000")),
        "{differs}"
    );
}

#[test]
fn a_page_has_a_body_without_a_frame() {
    let shown = ask(&about_demo(
        json!({ "op": "run", "want": ["page", "summary"] }),
    ))
    .expect("it can be played");
    let body = shown["page"]["body"].as_str().expect("a text");
    assert!(
        body.contains("<main>") && !body.contains("<html") && !body.contains("<script"),
        "{body}"
    );
    assert_eq!(shown["summary"]["end"], json!(16_310_000));
}

#[test]
fn saved_responses_are_a_scenario() {
    let made =
        ask(&json!({ "op": "saved_answers", "files": { "1.xml": "<VAST version='4.2'/>" } }));
    let made = made.expect("it can be read");
    let played = json!({ "op": "run", "want": ["report"], "scenario": made["yaml"], "files": made["files"] });
    let report = ask(&played).expect("it can be played");
    assert_eq!(
        report["report"]["breaks"][0]["tags"][0]["code"],
        json!(303),
        "{}",
        report["report"]
    );
    assert!(ask(&json!({ "op": "saved_answers", "files": {} })).is_err());
    let read =
        ask(&json!({ "op": "vast", "name": "a.xml", "text": "<VAST" })).expect("any text is read");
    assert_eq!(read["faults"], json!(1));
}

#[cfg(feature = "recordings")]
mod recordings {
    use playsim_bindings::Recording;

    use super::*;

    const LATE: &[u8] = include_bytes!("../../../fixtures/recordings/by_hand/late.har");

    fn perform(recording: &Recording, what: &Json) -> Result<Json, Json> {
        let parsed = |text: String| serde_json::from_str(&text).expect("it is JSON");
        recording
            .perform(&what.to_string())
            .map(parsed)
            .map_err(parsed)
    }

    #[test]
    fn a_recording_has_a_page_a_scenario_and_other_settings() {
        let recording =
            Recording::new(&json!({ "name": "late.har" }).to_string(), LATE).expect("a recording");
        let op = |op: &str| perform(&recording, &json!({ "op": op })).expect("it has bodies");
        assert!(
            op("page")["body"]
                .as_str()
                .is_some_and(|body| body.contains("recorded"))
        );
        assert_eq!(op("verdict")["simulated"], json!(true));
        assert!(
            op("scenario")["yaml"]
                .as_str()
                .is_some_and(|text| text.contains("network:"))
        );
        let settings = op("settings");
        assert_eq!(
            (&settings["timeout"], &settings["tags"][0]["tag"]),
            (&json!("2s"), &json!("tag1"))
        );
        let compare = json!({ "op": "what_if", "compare": ["base", "ad.timeout=1s+order=2,1"] });
        let changed = perform(&recording, &compare).expect("both can be played");
        assert_eq!(changed["table"]["rows"].as_array().map(Vec::len), Some(2));
        let wrong = perform(
            &recording,
            &json!({ "op": "what_if", "vary": ["ad.timeot=1s"] }),
        );
        assert!(
            wrong.expect_err("a slip")["message"]
                .as_str()
                .is_some_and(|text| text.contains("ad.timeout"))
        );
    }

    #[test]
    fn what_is_not_a_recording_is_refused() {
        let refused = Recording::new(&json!({ "name": "a" }).to_string(), b"videos: []")
            .expect_err("no recording");
        assert!(refused.contains("a is not a recording"), "{refused}");
        let knobs = json!({ "name": "a", "knobs": { "ad.timeot": "1s" } });
        assert!(
            Recording::new(&knobs.to_string(), LATE)
                .expect_err("a slip")
                .contains("ad.timeout")
        );
    }

    #[test]
    fn a_scenario_can_be_varied() {
        let settings = ask(&about_demo(json!({ "op": "settings" }))).expect("it has tags");
        assert_eq!(settings["tags"][2]["after"], json!("0.19s"), "{settings}");
        let vary = about_demo(json!({ "op": "what_if", "vary": ["tag3.after=100ms,3s"] }));
        assert_eq!(
            ask(&vary).expect("it can be played")["table"]["rows"]
                .as_array()
                .map(Vec::len),
            Some(2)
        );
    }
}

#[test]
fn an_expectation_that_fails_is_named_with_its_line() {
    let mut wrong = about_demo(json!({ "op": "run" }));
    let text = wrong["scenario"]
        .as_str()
        .expect("a text")
        .replace("order: [requestAd", "order: [adSkip, requestAd");
    wrong["scenario"] = text.into();
    let failed = &ask(&wrong).expect("it can be played")["failed"];
    assert!(
        failed[0]["line"].as_u64().is_some_and(|line| line > 20),
        "{failed}"
    );
    assert_eq!(
        ask(&about_demo(json!({ "op": "run" }))).expect("it can be played")["failed"],
        json!([])
    );
}

#[test]
fn a_run_is_compared_with_its_golden_trace() {
    let judge = |golden: Json| {
        ask(&about_demo(
            json!({ "op": "golden", "golden": golden, "golden_name": "demo.trace" }),
        ))
        .expect("it can be played")
    };
    let first = judge(Json::Null);
    assert_eq!(
        (&first["same"], &first["difference"], &first["failed"]),
        (&Json::Null, &Json::Null, &json!([]))
    );
    assert_eq!(
        (&first["invariants"], &first["stopped"]),
        (&json!([]), &Json::Null)
    );
    let golden = first["text"].as_str().expect("a text");
    assert_eq!(judge(golden.into())["same"], true);
    assert_eq!(judge(golden.replace('\n', "\r\n").into())["same"], true);
    let other = judge(golden.replace("adStart", "adPause").into());
    assert!(
        other["difference"]
            .as_str()
            .is_some_and(|text| text.contains("adPause")),
        "{other}"
    );
    let layout = judge(golden.replace("  profile", " profile").into());
    assert_eq!(layout["same"], false);
    assert!(!layout["difference"].as_str().expect("a text").is_empty());
    assert!(
        judge("nonsense".into())["difference"]
            .as_str()
            .is_some_and(|text| text.contains("demo.trace"))
    );
}

#[test]
fn codes_are_explained_and_traces_are_judged() {
    let code = ask(&json!({ "op": "code", "words": "303" })).expect("it is known");
    assert_eq!(
        (&code[0]["code"], &code[0]["family"]),
        (&json!(303), &json!("vast"))
    );
    let unknown = ask(&json!({ "op": "code", "words": "zzz" })).expect_err("there is none");
    assert!(
        unknown["message"]
            .as_str()
            .is_some_and(|text| text.contains("zzz")),
        "{unknown}"
    );
    let run =
        ask(&about_demo(json!({ "op": "run", "want": ["jsonl"] }))).expect("it can be played");
    let found = ask(&json!({ "op": "check", "name": "demo.jsonl", "text": run["jsonl"] }));
    assert_eq!(found, Ok(json!([])));
    let broken = ask(&json!({ "op": "check", "name": "demo.jsonl", "text": "{" }))
        .expect_err("it is no trace");
    assert!(
        broken["message"]
            .as_str()
            .is_some_and(|text| text.contains("demo.jsonl")),
        "{broken}"
    );
    let document = ask(
        &json!({ "op": "vast", "name": "a.xml", "text": "<VAST version='4.2'/>", "json": true }),
    );
    assert_eq!(document.expect("it never fails")["json"]["version"], "4.2");
}

#[cfg(feature = "recordings")]
#[test]
fn columns_are_the_flat_table() {
    use playsim::scenario;
    use playsim::sweep::{FlatForm, FlatRows, Sweep};
    use playsim_bindings::{ColumnValues, sweep_columns};

    let [(name, text), (_, document)] = scenario::demo();
    let demo =
        scenario::read(name, text, &mut |_| Ok(document.to_owned())).expect("it can be read");
    let vary =
        ["tag3.after=800ms,3s", "tag3.fill=60%"].map(|axis| axis.parse().expect("it is an axis"));
    let sweep = vary
        .into_iter()
        .fold(Sweep::of(&demo), Sweep::vary)
        .runs(300)
        .threads(2);
    for rows in FlatRows::ALL.iter().copied() {
        let columns = sweep_columns(&sweep, rows).expect("it can be played");
        let cells = |row: usize| -> Vec<String> {
            let cell = |values: &ColumnValues| match values {
                ColumnValues::Numbers(numbers) => numbers[row].map(|number| number.to_string()),
                ColumnValues::Texts(texts) => {
                    texts.indexes()[row].map(|index| texts.texts()[index as usize].to_string())
                }
            };
            columns
                .iter()
                .map(|column| cell(&column.values).unwrap_or_default())
                .collect()
        };
        // The rows of single sessions are written as they come, which is in the order of the
        // columns.
        let table = sweep
            .flat(FlatRows::Each, FlatForm::Csv)
            .expect("it can be played");
        if rows == FlatRows::Each {
            let mut row = 0;
            let look = |session| {
                for key in table.keys(session) {
                    assert_eq!(table.row(&key, 1).trim_end(), cells(row).join(","));
                    row += 1;
                }
                std::ops::ControlFlow::Continue(())
            };
            sweep.each(look).expect("it can be played");
            assert_eq!(row, 600);
        }
        let ColumnValues::Numbers(sessions) = &columns[1].values else {
            panic!("sessions are numbers")
        };
        assert_eq!(sessions.iter().flatten().sum::<i64>(), 600, "{rows:?}");
    }
}

#[test]
fn a_golden_trace_in_another_layout_is_a_difference_in_a_line() {
    let judged = |golden: Json| {
        ask(&about_demo(
            json!({ "op": "golden", "golden": golden, "golden_name": "it.trace" }),
        ))
        .expect("it can be played")
    };
    let text = judged(Json::Null)["text"]
        .as_str()
        .expect("a trace")
        .to_owned();
    assert_eq!(
        judged(json!(text.replace('\n', "\r\n")))["same"],
        json!(true)
    );
    let (number, last) = (1..).zip(text.lines()).last().expect("lines");
    let other = judged(json!(format!("{} \n", text.trim_end())));
    assert_eq!(
        other["difference"],
        json!(format!(
            "it.trace:{number}:1: same content, but a different layout\n-{last} \n+{last}\n"
        ))
    );
}
