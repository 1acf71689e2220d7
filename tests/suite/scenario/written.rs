//! Scenarios as text, and their digest.

use playsim::api::Call;
use playsim::scenario::{
    self, AnswerScript, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger, VideoScript,
};
use playsim::time::{Span, Time};
use playsim::video::{Rendition, Video, VideoRecord};

use super::schema::{as_json, files_below};
use super::{everything, read, root};
use crate::json_schema::Schema;

/// If this digest changes, that of every trace's header does: a decision, not an accident.
#[test]
fn the_digest_of_a_scenario_is_fixed() {
    assert_eq!(
        everything().digest().to_string(),
        "f098dbab8dcc762fe3d98504b5a3081c"
    );
    assert_eq!(
        Scenario::default().digest().to_string(),
        "8c0bb2f4eeb3f9af85e5e817589e354a"
    );
}

#[test]
fn yaml_json_and_rust_have_the_same_digest() {
    let yaml = "
name: a case
videos: [{ id: v1, name: Film, renditions: { sd: film.mp4 } }]
network: { https://ads.test/a: { after: 0.5s, file: ad.xml } }
steps: [{ at: 1000ms, do: play }]
";
    let json = r#"{
        "steps": [{ "at": "1s", "do": { "play": [] }, "player": "main" }],
        "name": "a case",
        "network": { "https://ads.test/a": [{ "status": 200, "file": "ad.xml", "after": "500ms" }] },
        "seed": 0,
        "player": { "volume": 1.0, "ads": [] },
        "videos": [{ "monetize": 1, "name": "Film", "id": "v1", "renditions": { "sd": "film.mp4" } }]
    }"#;
    let json = json.replace(", \"player\": \"main\"", "");
    let record = VideoRecord {
        id: "v1".into(),
        name: "Film".into(),
        ..VideoRecord::default()
    };
    let video = Video {
        record,
        renditions: vec![(Rendition::Sd, "film.mp4".into())],
        ads: Vec::new(),
    };
    let body = ScriptedAnswer::Body {
        status: 200,
        name: "ad.xml".into(),
        text: "content of ad.xml".into(),
    };
    let answer = AnswerScript {
        content_type: None,
        after: Span::from_millis(500),
        answer: body,
    };
    let rust = Scenario {
        name: "a case".into(),
        videos: vec![VideoScript {
            video: video.into(),
            record_after: Span::ZERO,
        }],
        network: vec![("https://ads.test/a".into(), vec![answer])],
        steps: vec![Step {
            trigger: Trigger::At(Time::from_secs(1)),
            act: StepAct::Do {
                call: Call::Play,
                args: Vec::new(),
            },
            player: Target::First,
        }],
        ..Scenario::default()
    };
    let digest = rust.digest();
    assert_eq!(
        read("a.yaml", yaml).expect("the YAML reads").digest(),
        digest
    );
    assert_eq!(
        read("b.json", &json).expect("the JSON reads").digest(),
        digest
    );
    let other = |text: String| read("a.yaml", &text).expect("it reads").digest();
    assert_ne!(
        other(yaml.replace("ad.xml", "other.xml")),
        digest,
        "messages show the name of a file"
    );
    let mut load = |_: &str| Ok("other content".to_owned());
    let changed = scenario::read("a.yaml", yaml, &mut load).expect("it reads");
    assert_ne!(changed.digest(), digest, "what is in a file counts");
}

#[test]
fn every_scenario_is_written_and_read_back() {
    let schema = Schema::of(&scenario::schema());
    let mut paths = Vec::new();
    files_below(&root().join("fixtures/scenarios"), &mut paths);
    files_below(&root().join("fixtures/reading"), &mut paths);
    paths.retain(|path| {
        path.extension()
            .is_some_and(|ending| ending == "yaml" || ending == "json")
    });
    assert!(paths.len() > 100, "{} scenarios were found", paths.len());
    for path in paths {
        let name = path.to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let scenario = read(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        for (form, text) in [
            ("again.yaml", scenario.to_yaml()),
            ("again.json", scenario.to_json()),
        ] {
            let again = read(form, &text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(again, scenario, "{name}\n{text}");
            assert_eq!(again.digest(), scenario.digest(), "{name}");
            let wrongs = schema.faults(&as_json(&text));
            assert!(wrongs.is_empty(), "{name}: {}\n{text}", wrongs.join("\n"));
        }
    }
}

#[test]
fn written_scenarios_are_laid_out_for_people() {
    let text = "
name: a case
videos: [{ id: v1, renditions: { sd: film.mp4 } }]
network:
  https://ads.test/a:
    - { after: 200ms, fails: timeout }
    - { after: 200ms, file: answers/a_file_with_a_name_that_takes_much_room_on_its_line.xml }
    - { text: \"<VAST version='4.2'/>\\n\" }
listeners: { L1: [pause, { currentTime: 4 }] }
steps:
  - { at: 0s, init: { div: main, config: { id: p1, video: v1 } } }
  - { on: adStart, nth: 2, do: { on: [[play, pause], L1] } }
expect: [{ event: adStart, times: 1 }]
";
    let scenario = read("a.yaml", text).expect("it reads");
    let expected = text.trim_start().replace("200ms", "0.2s");
    assert_eq!(scenario.to_yaml(), expected);
    let json = scenario.to_json();
    let first: Vec<&str> = json.lines().take(4).collect();
    assert_eq!(
        first,
        [
            "{",
            "  \"name\": \"a case\",",
            "  \"videos\": [{ \"id\": \"v1\", \"renditions\": { \"sd\": \"film.mp4\" } }],",
            "  \"network\": {",
        ]
    );
    assert!(
        json.ends_with("\"expect\": [{ \"event\": \"adStart\", \"times\": 1 }]\n}\n"),
        "{json}"
    );
}
