//! Recordings held against the simulator. Players with known behaviour are made of the simulator
//! itself: a case that is played with other knobs, as a recorder would hear it, and with the delays
//! of a browser.

use std::path::Path;

use playsim::api::{BreakLine, Fields, Kind, StateLine};
use playsim::conform::report::write_text;
use playsim::conform::{
    Behaviour, Case, Cell, DifferenceKind, FitOptions, Recorded, Report, Tolerance, Verdict, fit,
    judge,
};
use playsim::knobs::Knobs;
use playsim::recording::Recording;
use playsim::scenario;
use playsim::time::Span;
use playsim::trace::Trace;

/// Returns a case of the suite, or of the one that its name begins with: `lengths/ad_of_7_s`.
pub(crate) fn case(name: &str) -> Case {
    let (suite, name) = name.split_once('/').unwrap_or(("suite", name));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("conform")
        .join(suite);
    let text = std::fs::read_to_string(folder.join(format!("{name}.yaml"))).expect("it is a case");
    let load = &mut |path: &str| std::fs::read_to_string(folder.join(path));
    let scenario = scenario::read(name, &text, load).expect("it reads");
    Case::of(name, scenario).expect("it plays").in_suite(suite)
}

pub(crate) fn knobs(settings: &[(&str, &str)]) -> Knobs {
    let mut knobs = Knobs::default();
    for (name, value) in settings {
        knobs.set(name, value).expect("it is a setting");
    }
    knobs
}

pub(super) fn behaviour() -> Behaviour {
    Behaviour {
        name: "default".to_owned(),
        knobs: Knobs::default(),
    }
}

const HEAD: &str = r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"some","hears":["net","ui","media","call"]}}"#;

/// How a browser differs from the virtual clock: each line is later than the one in the trace by
/// this, given its number and its time.
pub(crate) type Late = fn(u32, u64) -> u64;

/// On time.
const EXACT: Late = |_, _| 0;

/// Positions are reported late, and all is slower by 15 ms a second. Nothing overtakes anything
/// else.
pub(crate) const BROWSER: Late = |_, at| (at / 1_000_000) * 15_000 + 180_000;

/// Returns what a recorder would have heard of a trace.
pub(super) fn recorded(trace: &Trace, late: Late) -> Recording {
    Recording::read("some.jsonl", &recording_of(trace, late)).expect("it is a recording")
}

/// Returns the file of a recording of a trace.
pub(crate) fn recording_of(trace: &Trace, late: Late) -> String {
    let mut lines: Vec<(u64, String)> = Vec::new();
    // The content's element ends ahead of a post-roll, the player's event `ended` comes after it.
    let (mut is_post, mut is_over) = (false, false);
    for record in &trace.records {
        if record.is(BreakLine::Begin) {
            is_post |= record
                .data
                .text("kind")
                .is_some_and(|kind| **kind == *"post");
        }
        let is_held = record.is(StateLine::AdLoading) || record.is(StateLine::AdPlaying);
        let ends = !is_over
            && (is_held && is_post || record.kind == Kind::Event && &*record.name == "ended");
        is_over |= ends;
        let is_heard = matches!(
            record.kind,
            Kind::Net | Kind::Beacon | Kind::Ui | Kind::Call
        );
        // A recorder does not know which request is a tracker.
        let is_tracker = record.kind == Kind::Beacon;
        let (kind, name) = if is_tracker {
            ("net", "request")
        } else {
            (record.kind.name(), &*record.name)
        };
        // What is done is done on time; the rest follows.
        let late = if record.kind == Kind::Call {
            0
        } else {
            late(record.seq, record.at.micros())
        };
        let at = record.at.micros() + late;
        let data: &Fields = &record.data;
        if is_heard {
            lines.push((
                at,
                format!("{{\"t\":{at},\"kind\":\"{kind}\",\"name\":\"{name}\",\"data\":{data}}}"),
            ));
        } else if ends {
            let film = r#"{"src":"http://content.test/film.webm"}"#;
            lines.push((
                at,
                format!("{{\"t\":{at},\"kind\":\"media\",\"name\":\"ended\",\"data\":{film}}}"),
            ));
        }
    }
    // Stable: lines of one time stay in their order.
    lines.sort_by_key(|(at, _)| *at);
    let lines = lines.into_iter().map(|(_, line)| format!("\n{line}"));
    std::iter::once(HEAD.to_owned()).chain(lines).collect()
}

fn judged(case: &Case, recording: &Recording) -> Cell {
    judge(case, recording, &behaviour(), Tolerance::default()).expect("it plays")
}

const CASES: [&str; 8] = [
    "no_ads",
    "pre_roll",
    "pre_mid_and_post_roll",
    "pod_of_two",
    "wrapper_chain_of_three",
    "seek_over_two_cues",
    "media_404",
    "waterfall_filled_by_the_third_tag",
];

#[test]
fn a_player_that_does_the_same_later_is_the_same() {
    for name in CASES {
        let case = case(name);
        let trace = case.play(&Knobs::default()).expect("it plays");
        for late in [EXACT, BROWSER] {
            let cell = judged(&case, &recorded(&trace, late));
            assert_eq!(
                cell.verdict,
                Verdict::Same,
                "{name}: {:?}",
                cell.differences
            );
            assert!(cell.same > 0, "{name} compares nothing");
        }
    }
}

#[test]
fn a_player_with_a_known_deviation_is_the_same_with_its_knob() {
    let deviations = [
        ("seek_over_two_cues", ("midroll.seek_policy", "all")),
        ("seek_over_two_cues", ("midroll.seek_policy", "none")),
        ("post_roll", ("postroll.ask", "-2s")),
        ("pre_roll", ("complete.at", "-2s")),
        ("wrapper_chain_of_three", ("ad.max_wrappers", "2")),
    ];
    for (name, setting) in deviations {
        let case = case(name);
        let trace = case.play(&knobs(&[setting])).expect("it plays");
        let cell = judged(&case, &recorded(&trace, BROWSER));
        let Verdict::Knob { settings } = &cell.verdict else {
            panic!("{name} {setting:?}: {:?}", cell.verdict)
        };
        let has = settings.iter().any(|it| (it.knob, &*it.value) == setting);
        assert!(has, "{name}: {setting:?} is not among {settings:?}");
    }
}

/// One change of a recording, and the first difference that it makes.
type Change = (fn(&mut Recording), DifferenceKind);

#[test]
fn what_differs_is_found_where_it_is() {
    let case = case("pre_roll");
    let trace = case.play(&Knobs::default()).expect("it plays");
    let position = |recording: &Recording, part: &str| {
        let is_it = |url: &str| url.contains(part);
        let urls = recording
            .trace
            .records
            .iter()
            .map(|record| record.data.text("url").is_some_and(|url| is_it(url)));
        urls.enumerate()
            .find(|(_, is)| *is)
            .map(|(index, _)| index)
            .expect("it is called")
    };
    let changes: [Change; 4] = [
        (
            |recording| {
                let is_midpoint = |text: Option<&playsim::api::Text>| {
                    text.is_some_and(|url| url.contains("midpoint"))
                };
                recording
                    .trace
                    .records
                    .retain(|record| !is_midpoint(record.data.text("url")));
            },
            DifferenceKind::Missing,
        ),
        (
            |recording| {
                let records = &mut recording.trace.records;
                let at = records.iter().position(|record| {
                    record
                        .data
                        .text("url")
                        .is_some_and(|url| url.contains("complete"))
                });
                let at = at.expect("it is called");
                records.insert(at, records[at].clone());
            },
            DifferenceKind::Extra,
        ),
        (
            |recording| {
                let late = |record: &mut playsim::trace::Record| {
                    if record
                        .data
                        .text("url")
                        .is_some_and(|url| url.contains("thirdQuartile"))
                    {
                        record.at += Span::from_millis(700);
                    }
                };
                recording.trace.records.iter_mut().for_each(late);
            },
            DifferenceKind::Time,
        ),
        (
            |recording| {
                let of = |part: &str| {
                    recording.trace.records.iter().position(|record| {
                        record
                            .data
                            .text("url")
                            .is_some_and(|url| url.contains(part))
                    })
                };
                let (one, other) = (
                    of("impression").expect("called"),
                    of("creativeView").expect("called"),
                );
                recording.trace.records.swap(one, other);
            },
            DifferenceKind::Order,
        ),
    ];
    for (change, due) in changes {
        let mut recording = recorded(&trace, EXACT);
        assert!(position(&recording, "midpoint") > 0);
        change(&mut recording);
        let cell = judged(&case, &recording);
        let kinds: Vec<DifferenceKind> = cell.differences.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [due], "{:?}", cell.differences);
        assert!(cell.first.expect("it is explained").sentence.len() > 10);
    }
}

#[test]
fn one_late_ad_is_one_difference() {
    let case = case("pre_mid_and_post_roll");
    let trace = case.play(&Knobs::default()).expect("it plays");
    let recording = recorded(&trace, |_, at| if at > 90_000 { 1_200_000 } else { 0 });
    let cell = judged(&case, &recording);
    assert_eq!(cell.differences.len(), 1, "{:?}", cell.differences);
    assert_eq!(cell.differences[0].late_us, Some(1_200_000));
    let drift = recorded(&trace, |_, at| at / 5);
    let cell = judged(&case, &drift);
    let overall = cell
        .differences
        .iter()
        .filter(|it| it.kind == DifferenceKind::Overall)
        .count();
    assert_eq!(
        overall, 1,
        "what adds up is said once: {:?}",
        cell.differences
    );
}

#[test]
fn a_recording_that_says_nothing_is_unknown() {
    let case = case("pre_roll");
    let head = HEAD.replace(
        "\"version\":1",
        "\"version\":1,\"cannot\":\"the player has no ads\"",
    );
    let recording = Recording::read("a.jsonl", &head).expect("it is a recording");
    let cell = judged(&case, &recording);
    assert_eq!(
        cell.verdict,
        Verdict::Unknown {
            why: "the player has no ads".to_owned()
        }
    );
}

#[test]
fn the_report_counts_its_cells() {
    let cases: Vec<Case> = ["no_ads", "post_roll", "pre_roll"]
        .into_iter()
        .map(case)
        .collect();
    let of = |index: usize, settings: &[(&str, &str)]| {
        (
            index,
            recorded(
                &cases[index].play(&knobs(settings)).expect("it plays"),
                EXACT,
            ),
        )
    };
    let mut silent = of(2, &[]);
    silent.1.trace.records.retain(|record| {
        record
            .data
            .text("url")
            .is_none_or(|url| !url.contains("complete"))
    });
    let recordings = vec![of(0, &[]), of(1, &[("postroll.ask", "-2s")]), silent];
    let players = [Recorded {
        player: "some".to_owned(),
        behaviour: behaviour(),
        recordings,
    }];
    let report = Report::of(&cases, &players, Tolerance::default()).expect("they play");
    let counts = report.players[0].counts;
    assert_eq!(
        (counts.same, counts.knob, counts.differs, counts.unknown),
        (1, 1, 1, 0)
    );
    assert!(report.has_red());
    let mut text = String::new();
    write_text(&report, &mut text).expect("a string");
    for due in [
        "with postroll.ask=-2s",
        "DIFFERS",
        "Only the simulator has: complete ",
        "BRK-3",
    ] {
        assert!(text.contains(due), "{due} is not in\n{text}");
    }
    let mut json = String::new();
    report.write_json(&mut json).expect("a string");
    let value: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(value["cases"][2]["cells"][0]["verdict"], "differs");
}

#[test]
fn a_recording_that_ends_early_is_not_the_same() {
    let case = case("pre_roll");
    let trace = case.play(&Knobs::default()).expect("it plays");
    let text = recording_of(&trace, BROWSER);
    let lines: Vec<&str> = text.lines().collect();
    let middle = lines
        .iter()
        .position(|line| line.contains("/midpoint"))
        .expect("it is called");
    let cell = |length: usize| {
        let recording =
            Recording::read("cut.jsonl", &lines[..length].join("\n")).expect("it is a recording");
        judge(&case, &recording, &behaviour(), Tolerance::default()).expect("it plays")
    };
    assert_eq!(cell(lines.len()).verdict, Verdict::Same);
    let Verdict::Unknown { why } = cell(middle + 1).verdict else {
        panic!("{:?}", cell(middle + 1))
    };
    let begins = why.starts_with("the same until the recording ends, 2.");
    assert!(begins && why.contains("too short for: "), "{why}");
    // What differs before the end of the recording differs.
    let trace = case
        .play(&knobs(&[("ad.tracker_calls", "twice")]))
        .expect("it plays");
    let text = recording_of(&trace, BROWSER);
    let lines: Vec<&str> = text.lines().collect();
    let middle = lines
        .iter()
        .rposition(|line| line.contains("/midpoint"))
        .expect("it is called");
    let recording =
        Recording::read("cut.jsonl", &lines[..=middle].join("\n")).expect("it is a recording");
    let cell = judge(&case, &recording, &behaviour(), Tolerance::default()).expect("it plays");
    assert_eq!(cell.verdict, Verdict::Differs);
}

#[test]
fn a_parameter_that_is_added_to_an_impression_is_no_reason_for_a_shorter_break() {
    let names = ["pre_roll", "pod_of_two", "post_roll"];
    let cases: Vec<Case> = names.into_iter().map(case).collect();
    let recordings = cases.iter().map(|case| {
        let text = recording_of(&case.play(&Knobs::default()).expect("it plays"), BROWSER);
        let added = text.replace("/impression?", "/impression?random123=7&");
        assert_ne!(added, text, "{}", case.name);
        Recording::read("added.jsonl", &added).expect("it is a recording")
    });
    let recordings: Vec<Recording> = recordings.collect();
    let pairs: Vec<(&Case, &Recording)> = cases.iter().zip(&recordings).collect();
    let fitted = fit(&pairs, &behaviour(), FitOptions::default());
    assert!(fitted.decided.is_empty(), "{:?}", fitted.decided);
    for (case, recording) in pairs {
        let cell = judge(case, recording, &behaviour(), Tolerance::default()).expect("it plays");
        assert_eq!(cell.verdict, Verdict::Differs, "no knob explains it");
        let is_addition = |what: &str| what.starts_with("adds ") && what.contains("impression");
        assert!(
            cell.differences.iter().all(|it| is_addition(&it.what)),
            "{:?}",
            cell.differences
        );
    }
}
