//! Reading scenarios: every field, both forms of text, hostile texts, and the schema.
#![cfg(feature = "yaml")]

use std::path::{Path, PathBuf};

use playsim::api::{Act, Call, Decimal, EventName, NetworkFault, Query, Value};
use playsim::media::MediaFault;
use playsim::page::Device;
use playsim::scenario::{
    self, Expectation, Scenario, ScriptedAnswer, StepAct, Target, Trigger, UnitKind, Until,
};
use playsim::time::{Position, Span, Time};
use playsim::video::Rendition;

const EVERYTHING: &str = include_str!("../fixtures/reading/everything.yaml");

fn read(name: &str, text: &str) -> Result<Scenario, String> {
    let mut load = |path: &str| Ok(format!("content of {path}"));
    scenario::read(name, text, &mut load).map_err(|error| error.to_string())
}

fn everything() -> Scenario {
    read("everything.yaml", EVERYTHING).expect("it reads without error")
}

#[test]
fn head_page_and_videos_are_read() {
    let scenario = everything();
    assert_eq!(&*scenario.name, "every field that is read");
    assert_eq!(scenario.rules.iter().map(ToString::to_string).collect::<Vec<_>>(), ["REQ-4", "BRK-10"]);
    assert_eq!(
        (scenario.knobs.timeupdate_period, scenario.knobs.ad_max_wrappers),
        (Span::from_millis(200), 3)
    );
    assert_eq!(scenario.seed, u64::MAX);
    assert_eq!(scenario.until, Until::At(Time::from_millis(3_723_500)));
    assert_eq!(scenario.page.device, Device::Mobile);
    assert_eq!(scenario.page.epoch_micros, 1_767_225_600_000_000);
    let containers: Vec<(&str, bool)> =
        scenario.page.containers.iter().map(|container| (&*container.id, container.player_class)).collect();
    assert_eq!(containers, [("main", true), ("side", false), ("7", true)]);
    let video = &scenario.videos[0].video;
    assert_eq!((&*video.id, &*video.name, &*video.tags, video.monetize), ("v1", "NO", "news, sport", false));
    let chapters: Vec<(&str, &str)> =
        video.chapters.iter().map(|chapter| (&*chapter.timestamp, &*chapter.title)).collect();
    assert_eq!(chapters, [("0:00", "Start"), ("40", "2"), ("1:00", "")]);
    assert_eq!(
        video.renditions.iter().map(|(rendition, _)| *rendition).collect::<Vec<_>>(),
        [Rendition::Sd, Rendition::Hd]
    );
    assert_eq!(video.ads.len(), 1);
    assert_eq!(scenario.videos[0].record_after, Span::from_millis(30));
    assert!(scenario.videos[1].video.monetize);
}

#[test]
fn media_network_and_players_are_read() {
    let scenario = everything();
    let stalls = &scenario.media[0].1.stalls;
    let at = |seconds| Position::from_secs(seconds);
    assert_eq!(*stalls, [(at(5), Span::from_secs(2)), (at(9), Span::from_secs(1))]);
    let broken = &scenario.media[1].1;
    assert_eq!(broken.fails, Some((Some(at(3)), MediaFault::Decode)));
    assert_eq!(broken.duration, Span::from_secs(4));
    assert_eq!(scenario.media[2].1.fails, Some((None, MediaFault::NotFound)));
    assert_eq!(scenario.media_default.as_ref().map(|media| media.duration), Some(Span::from_secs(15)));
    let answers = &scenario.network[1].1;
    let body = |status, name: &str, text: &str| ScriptedAnswer::Body {
        status,
        name: name.into(),
        text: text.into(),
    };
    assert_eq!(answers[0].answer, body(200, "empty.xml", "content of empty.xml"));
    assert_eq!(answers[1].answer, body(404, "", ""));
    assert_eq!(answers[2].answer, ScriptedAnswer::Silence);
    assert_eq!(answers[3].answer, ScriptedAnswer::Fails(NetworkFault::Reset));
    assert_eq!(answers[3].after, Span::from_micros(1));
    assert_eq!(scenario.network[2].1[0].answer, body(200, "", "<VAST version='4.2'/>"));
    assert_eq!(scenario.ignore_query.len(), 2);
    assert_eq!(scenario.player.ready_after, Span::from_millis(10));
    let (container, side) = &scenario.players[0];
    assert_eq!((&**container, side.ready_after), ("side", Span::from_millis(20)));
    assert_eq!(side.ads, scenario.player.ads);
}

#[test]
fn steps_are_read() {
    let scenario = everything();
    let acts: Vec<&StepAct> = scenario.steps.iter().map(|step| &step.act).collect();
    let StepAct::Init { unit: UnitKind::Player, div, config: Value::Map(config), on_ready } = acts[0] else {
        panic!("{:?}", acts[0])
    };
    assert_eq!((div, on_ready.as_deref()), (&Value::from("main"), Some("L2")));
    assert_eq!(
        (config.get("muted"), config.get("on")),
        (Some(&Value::from("off")), Some(&Value::from("yes")))
    );
    let trigger = Trigger::On { event: EventName::AdStart, nth: Some(1), after: Some(Span::from_secs(2)) };
    assert_eq!(scenario.steps[2].trigger, trigger);
    let number = |millionths| Value::Number(Decimal::from_millionths(millionths));
    let args = vec![
        number(-500_000),
        Value::Null,
        Value::List(vec![number(1_000_000)]),
        Value::NaN,
        Value::NegativeInfinity,
    ];
    assert_eq!(*acts[2], StepAct::Do { call: Call::CurrentTime, args });
    let function = |name: &'static str| Value::Function(name.into());
    let once = StepAct::Do { call: Call::Once, args: vec![Value::from("adStart"), function("L1")] };
    assert_eq!(*acts[3], once);
    let events = Value::List(vec![Value::from("play"), Value::from("pause")]);
    let on = StepAct::Do { call: Call::On, args: vec![events, function("L2"), Value::from("L1")] };
    assert_eq!(*acts[4], on);
    let StepAct::Do { call: Call::SetAd, args } = acts[5] else { panic!("{:?}", acts[5]) };
    assert_eq!(args[0].to_string(), r#"{"adType":0,"when":"00:00:01","f":"function "}"#);
    assert_eq!(*acts[6], StepAct::Do { call: Call::IsReady, args: Vec::new() });
    assert_eq!(scenario.steps[6].player, Target::Container("side".into()));
    assert_eq!(*acts[7], StepAct::Read(vec![Query::LastVastXml]));
    assert_eq!(scenario.steps[7].player, Target::NoArgument);
    assert_eq!(*acts[8], StepAct::User(Act::Skip));
    assert_eq!(*acts[9], StepAct::User(Act::Seek(number(30_250_000))));
    assert_eq!(*acts[11], StepAct::Read(vec![Query::Duration]));
}

#[test]
fn listeners_and_expectations_are_read() {
    let scenario = everything();
    let listeners: Vec<(&str, usize, Option<&str>)> = scenario
        .listeners
        .iter()
        .map(|(name, script)| (&**name, script.acts.len(), script.throws.as_deref()))
        .collect();
    assert_eq!(
        listeners,
        [("L1", 3, None), ("L2", 0, None), ("L3", 0, Some("thrown by L3")), ("L4", 1, Some("no"))]
    );
    assert_eq!(scenario.expect.len(), 7);
    let is = Value::from(44u32);
    let read = Expectation::Read { query: Query::CurrentTime, at: Some(Time::from_secs(43)), is };
    assert_eq!(scenario.expect[5], read);
    let call = Expectation::Call { call: Call::Play, times: Some(1), error: Some("not_ready".into()) };
    assert_eq!(scenario.expect[6], call);
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
    assert_eq!(json_scenario, read("folder/case.yaml", yaml).expect("the YAML reads"));
    assert_eq!(json_scenario, read("case.yaml", json).expect("JSON is YAML too"));
    assert_eq!(&*json_scenario.name, "case");
}

#[test]
fn a_byte_order_mark_moves_no_place() {
    let text = "\u{feff}vidoes: []";
    assert_eq!(read("a.yaml", text).unwrap_err(), read("a.yaml", &text[3..]).unwrap_err());
    let error = scenario::read("a.yaml", text, &mut |_| Err(String::new())).unwrap_err();
    assert_eq!(&text[error.range], "vidoes");
}

#[test]
fn hostile_texts_are_refused_in_time() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let uses = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{uses}]\n"));
    }
    let letters = "\u{0}\u{7f}{[\"':,#&*!|>%@`- \n\té映";
    let garbage: String = (0u32..)
        .map(|index| {
            letters.chars().nth((index.wrapping_mul(2_654_435_761) >> 16) as usize % 20).unwrap_or('x')
        })
        .take(200_000)
        .collect();
    let cases = [
        ("a bomb of aliases", bomb),
        ("an endless alias", "a: &a [*a]".to_owned()),
        ("garbage", garbage),
        ("ten megabytes", "x".repeat(10 << 20)),
        ("four megabytes of one scalar", "x".repeat(4 << 20)),
        ("brackets", "[".repeat(1 << 20)),
        ("braces", "{".repeat(1 << 20)),
        ("closed brackets", "[".repeat(100_000) + &"]".repeat(100_000)),
        ("nested maps", (0..5_000).map(|depth| " ".repeat(depth) + "a:\n").collect()),
        ("nested lists", "- ".repeat(100_000)),
        ("closed braces", "{a: ".repeat(100_000) + &"}".repeat(100_000)),
        ("maps as deep as can be", "{\"a\": ".repeat(32) + "0" + &"}".repeat(32)),
        ("maps in lists as deep as can be", "[{\"a\": ".repeat(16) + "0" + &"}]".repeat(16)),
        ("many numbers", format!("[{}0]", "0,".repeat(400_000))),
        ("quotes", "\"".repeat(1 << 20)),
        ("nul", "\u{0}".repeat(1 << 20)),
    ];
    for (what, text) in cases {
        for name in ["a.yaml", "a.json"] {
            assert!(read(name, &text).is_err(), "{what} as {name}");
        }
    }
}

#[test]
fn a_cut_text_never_panics() {
    for end in (0..EVERYTHING.len()).step_by(5).filter(|end| EVERYTHING.is_char_boundary(*end)) {
        let _ = read("everything.yaml", &EVERYTHING[..end]);
        let _ = read("everything.json", &EVERYTHING[end..]);
    }
}

#[test]
fn the_schema_is_the_committed_one() {
    let path = root().join("schema/scenario.schema.json");
    let schema = format!("{:#}\n", scenario::schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &schema).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the schema is there");
    assert!(schema == committed, "the schema changed; run this test with UPDATE_SCHEMA=1 and commit it");
}

#[test]
fn every_scenario_that_reads_fits_the_schema() {
    let validator = jsonschema::validator_for(&scenario::schema()).expect("the schema is one");
    let mut files =
        vec![root().join("src/scenario/starter/demo.yaml"), root().join("src/scenario/starter/starter.yaml")];
    files_below(&root().join("fixtures/scenarios"), &mut files);
    files_below(&root().join("fixtures/reading"), &mut files);
    files.retain(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "json"));
    for path in files {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let wrongs: Vec<String> = validator
            .iter_errors(&as_json(&text))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrongs.is_empty(), "{}: {}", path.display(), wrongs.join("\n"));
    }
}

#[test]
fn the_schema_refuses_misspelt_names() {
    let validator = jsonschema::validator_for(&scenario::schema()).expect("the schema is one");
    for case in [
        "field_misspelt",
        "call_misspelt",
        "event_misspelt",
        "knob_misspelt",
        "time_without_unit",
        "rule_misspelt",
        "step_with_two_acts",
        "step_with_two_triggers",
        "network_two_bodies",
        "listener_is_no_list",
        "special_value_misspelt",
        "media_live_not_built",
        "rendition_misspelt",
        "user_act_misspelt",
        "step_nth_with_at",
    ] {
        let path = root().join("fixtures/errors").join(case).with_extension("yaml");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        assert!(!validator.is_valid(&as_json(&text)), "{case}");
    }
}

fn as_json(text: &str) -> serde_json::Value {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).expect("it is YAML")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[cfg(feature = "cli")]
#[test]
fn a_picture_of_a_very_long_line_stays_small() {
    let text = format!("{{ \"steps\": [{}1] }}", "1, ".repeat(100_000));
    let error = scenario::read("a.json", &text, &mut |_| Err(String::new())).unwrap_err();
    let picture = scenario::picture(&error, &text, true);
    assert!(picture.len() < 20_000, "{}", picture.len());
}

#[test]
fn a_scenario_may_name_its_schema() {
    assert!(read("a.json", r#"{ "$schema": "./scenario.schema.json", "videos": [{ "id": "v1" }] }"#).is_ok());
}

#[test]
fn a_damaged_text_is_told_with_a_place_inside_it() {
    let letters: Vec<char> = EVERYTHING.chars().collect();
    let mut state = 1u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % bound
    };
    for round in 0..600 {
        let mut damaged = letters.clone();
        for _ in 0..=below(3) {
            let at = below(damaged.len() - 1);
            match below(4) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(
                    at,
                    ['{', '}', '[', ']', ':', ',', '"', '\'', '&', '*', '\n', '\t', '映'][below(13)],
                ),
                2 => damaged.swap(at, at + 1),
                _ => drop(damaged.drain(at..(at + below(40)).min(damaged.len()))),
            }
        }
        let text: String = damaged.into_iter().collect();
        let name = if round % 5 == 0 { "a.json" } else { "a.yaml" };
        let Err(error) = scenario::read(name, &text, &mut |_| Ok(String::new())) else { continue };
        for error in error.all() {
            assert!(text.get(error.range.clone()).is_some(), "{error} in {text}");
        }
        #[cfg(feature = "cli")]
        assert!(!scenario::picture(&error, &text, false).is_empty());
    }
}

/// Every code that a snapshot shows is known, so that a misspelt one is told.
#[test]
fn a_code_that_runs_note_can_be_expected_and_a_misspelt_one_is_told() {
    let mut seen = 0;
    for snapshot in snapshots(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios")) {
        let text = std::fs::read_to_string(&snapshot).expect("a snapshot can be read");
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_code = |pair: &&[&str]| pair[0] == "~" || (pair[0] == "error" && pair[1].contains('_'));
        for code in words.windows(2).filter(is_code).map(|pair| pair[1]) {
            let expect = |code: &str| {
                let text = format!("steps: [{{ at: 0s, do: play }}]\nexpect: [{{ diag: \"{code}\" }}]");
                read("case.yaml", &text)
            };
            assert!(expect(code).is_ok(), "{code} of {}", snapshot.display());
            let told = expect(&format!("{code}x")).expect_err("no code ends so");
            assert!(told.ends_with(&format!("did you mean \"{code}\"?")), "{told}");
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
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "snap")).collect()
}
