//! Reading scenarios: every field, YAML and JSON, hostile input, and the schema.

use std::path::{Path, PathBuf};

use playsim::scenario::{self, Scenario, ScenarioError};

mod fields;
mod hostile;
mod options;
mod schema;
mod written;

const EVERYTHING: &str = include_str!("../../fixtures/reading/everything.yaml");

fn read(name: &str, text: &str) -> Result<Scenario, String> {
    let mut load = |path: &str| Ok(format!("content of {path}"));
    scenario::read(name, text, &mut load).map_err(|error| error.to_string())
}

fn everything() -> Scenario {
    read("everything.yaml", EVERYTHING).expect("it reads without error")
}

#[test]
fn json_says_the_same_as_yaml() {
    let json = r#"{
        "videos": [{ "id": "v1", "name": "a \"quoted\" name" }],
        "steps": [{ "on": "ready", "do": { "currentTime": 1.000001 }, "player": null }],
        "network": { "https://ads.test/a": [{ "after": "5ms", "text": "" }] }
    }"#;
    let yaml = r#"
videos: [{ id: v1, name: 'a "quoted" name' }]
steps: [{ on: ready, do: { currentTime: 1.000001 }, player: ~ }]
network: { https://ads.test/a: { after: 5ms, text: "" } }
"#;
    let json_scenario = read("case.json", json).expect("the JSON reads");
    assert_eq!(
        json_scenario,
        read("folder/case.yaml", yaml).expect("the YAML reads")
    );
    assert_eq!(
        json_scenario,
        read("case.yaml", json).expect("JSON is YAML too")
    );
    assert_eq!(&*json_scenario.name, "case");
}

#[test]
fn a_byte_order_mark_shifts_no_position() {
    let text = "\u{feff}vidoes: []";
    assert_eq!(
        read("a.yaml", text).unwrap_err(),
        read("a.yaml", &text[3..]).unwrap_err()
    );
    let error = scenario::read("a.yaml", text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .unwrap_err();
    let ScenarioError::Mistakes(mistakes) = error else {
        panic!("{error}")
    };
    assert_eq!(&text[mistakes.first().range.clone()], "vidoes");
}

#[test]
fn a_scenario_may_name_its_schema() {
    assert!(
        read(
            "a.json",
            r#"{ "$schema": "./scenario.schema.json", "videos": [{ "id": "v1" }] }"#
        )
        .is_ok()
    );
}

/// Every code that occurs in a snapshot is known, so that a misspelt one is reported.
#[test]
fn every_code_of_a_snapshot_can_be_expected_and_a_misspelt_one_is_reported() {
    let mut seen = 0;
    for snapshot in snapshots(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios")) {
        let text = std::fs::read_to_string(&snapshot).expect("a snapshot can be read");
        let words: Vec<&str> = text.split_whitespace().collect();
        // The word is followed by a code, or by the URL of a beacon.
        let is_named = |word: &str| word.contains('_') && !word.contains("://");
        let is_code = |pair: &&[&str]| pair[0] == "~" || (pair[0] == "error" && is_named(pair[1]));
        for code in words.windows(2).filter(is_code).map(|pair| pair[1]) {
            let expect = |code: &str| {
                let text =
                    format!("steps: [{{ at: 0s, do: play }}]\nexpect: [{{ diag: \"{code}\" }}]");
                read("case.yaml", &text)
            };
            assert!(expect(code).is_ok(), "{code} of {}", snapshot.display());
            let reported = expect(&format!("{code}x")).expect_err("no code ends so");
            assert!(
                reported.ends_with(&format!("did you mean \"{code}\"?")),
                "{reported}"
            );
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} codes were seen");
}

fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let topics = std::fs::read_dir(folder).expect("the scenarios are there");
    let files = topics.flat_map(|topic| {
        let topic = topic.expect("the folder can be listed").path();
        std::fs::read_dir(topic).expect("a topic is a folder")
    });
    let paths = files.map(|file| file.expect("a topic can be listed").path());
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "snap"))
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
