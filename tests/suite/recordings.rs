//! Recordings of real browsers, made of pages whose answers are known: what an import finds is held against the
//! server's log and against what the page's player did.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use playsim::import::{self, Hints, Role, Session};
use playsim::report::comparison::Comparison;
use playsim::report::waterfall::{TagOutcome, Waterfalls};
use playsim::scenario::Overrides;
use playsim::sim::Simulation;
use playsim::time::Span;

mod broken;
mod round_trip;

/// The recordings of which the import says something else than what happened, with the outcomes of their tags and
/// the reason. Those of all others are in `case.json`.
const OTHER_TAGS: &[(&str, &[&str], &str)] = &[
    (
        "failures_devtools",
        &["301", "301", "301", "100", "filled"],
        "the tool leaves out a 404 that the page did not read",
    ),
    (
        "late_shown_playwright",
        &["filled"],
        "the recording does not have the limit, and shows that the ad came",
    ),
    ("media_404_playwright", &["401", "filled"], "the page's player counts an answer with an ad as filled"),
    (
        "redirects_playwright",
        &["303", "303", "filled"],
        "the page's player takes an empty answer for a broken document",
    ),
    ("three_tags_chrome_har", &["303", "filled"], "the tool leaves out requests that failed"),
    ("three_tags_cut_short", &["303", "301"], "the file ends before the last tag"),
    ("three_tags_playwright_omit", &["303", "301", "303"], "the recording has no bodies"),
    ("vmap_playwright", &["schedule", "filled", "filled", "303"], "in the order of the breaks"),
];

/// The recordings in which the page's player left the simulated behaviour, with the number of differences and what
/// they are.
const DIFFERENCES: &[(&str, usize, &str)] = &[
    ("pod_playwright", 1, "the page asks for the documents of all ads of a pod at once"),
    ("three_tags_chrome_har", 1, "the tool leaves out the second tag, for which the page waited"),
    ("three_tags_fluid", 3, "fluid-player calls no error pixel for an empty answer, and complete too early"),
    ("vmap_playwright", 2, "the page asks for all breaks at once"),
    ("wrapper_chain_fluid", 6, "fluid-player calls no error pixels of the wrappers, and complete too early"),
];

/// The recordings that have no ad tag.
const WITHOUT_TAGS: &[(&str, &str)] =
    &[("late_aborted_devtools", "the tool leaves out requests that failed")];

const WITHIN: Span = Span::from_millis(500);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings")
}

/// The recordings, by the names of their folders.
fn recordings() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder()) else {
        eprintln!("no recordings: the package leaves them out");
        return found;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let files = ["session.har", "session.chlsj", "session.chlsx"];
        let file = files.iter().map(|file| entry.path().join(file)).find(|file| file.exists());
        found.extend(file.map(|file| (name, file)));
    }
    found.sort();
    found
}

fn read(file: &Path) -> import::Recording {
    let mut load = |name: &str| fs::read(file.with_file_name(name));
    import::read("session", File::open(file).expect("it can be opened"), &mut load).expect("a recording")
}

/// A recording, played.
struct Played {
    session: Session,
    report: Waterfalls,
    compared: Comparison,
}

fn play(file: &Path) -> Result<Played, import::Fault> {
    let session = Session::of(read(file), Hints::default())?;
    let (scenario, _) = session.scenario(&Overrides::default());
    let trace = Simulation::new(&scenario).expect("an imported scenario is valid").run();
    let report = Waterfalls::of_played(&trace, &scenario);
    let compared = import::compare(&session, &trace, &report, WITHIN);
    Ok(Played { session, report, compared })
}

/// Returns the outcome of each tag that was requested: `filled`, `schedule` or the code.
fn outcomes(report: &Waterfalls) -> Vec<String> {
    let tags = report.breaks.iter().flat_map(|it| &it.tags).filter(|tag| tag.asked_us.is_some());
    tags.map(|tag| match tag.outcome {
        TagOutcome::Filled => "filled".to_owned(),
        TagOutcome::Scheduled => "schedule".to_owned(),
        TagOutcome::NoFill => tag.code.map_or_else(String::new, |code| code.to_string()),
        TagOutcome::NotAsked | TagOutcome::Undecided => tag.outcome.word().to_owned(),
    })
    .collect()
}

fn case(file: &Path) -> serde_json::Value {
    let text = fs::read_to_string(file.with_file_name("case.json")).expect("each recording has a case");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn each_tag_has_the_outcome_that_it_had_on_the_page() {
    for (name, file) in recordings() {
        if let Some((_, why)) = WITHOUT_TAGS.iter().find(|(known, _)| *known == name) {
            assert!(play(&file).is_err(), "{name}: {why}");
            continue;
        }
        let played = play(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let other = OTHER_TAGS.iter().find(|(known, ..)| *known == name);
        let due: Vec<String> = match other {
            Some((_, due, _)) => due.iter().map(ToString::to_string).collect(),
            None => {
                let tags = case(&file)["tags"].as_array().expect("a list").clone();
                tags.iter().map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)).collect()
            }
        };
        assert_eq!(outcomes(&played.report), due, "{name} {}", other.map_or("", |(_, _, why)| why));
    }
}

#[test]
fn only_players_that_behave_otherwise_differ() {
    for (name, file) in recordings() {
        let Ok(played) = play(&file) else { continue };
        let known = DIFFERENCES.iter().find(|(known, ..)| *known == name);
        let due = known.map_or(0, |(_, due, _)| *due);
        let text = played.compared.text(120, false);
        assert_eq!(
            played.compared.differences(),
            due,
            "{name} {}\n{text}",
            known.map_or("", |(_, _, why)| why)
        );
    }
}

#[test]
fn each_pixel_that_the_server_logged_is_found() {
    for (name, file) in recordings() {
        let Ok(played) = play(&file) else { continue };
        let log = fs::read_to_string(file.with_file_name("server.jsonl")).expect("each recording has a log");
        let mut logged: BTreeMap<String, usize> = BTreeMap::new();
        for line in log.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let url = line["url"].as_str().unwrap_or_default();
            if url.starts_with("http://t.test/") && line["method"] != "OPTIONS" {
                *logged.entry(path(url)).or_default() += 1;
            }
        }
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let session = &played.session;
        for (role, it) in session.roles.iter().zip(&session.recording.exchanges) {
            if matches!(role, Role::Pixel(_)) {
                *found.entry(path(&it.url)).or_default() += 1;
            }
        }
        if name == "three_tags_cut_short" || name == "three_tags_playwright_omit" {
            // One ends before its pixels; without bodies nothing says what a pixel is.
            assert!(found.len() < logged.len(), "{name}");
            continue;
        }
        assert_eq!(found, logged, "{name}");
    }
}

/// Returns the path of a URL: `http://t.test/start`.
fn path(url: &str) -> String {
    url.split('?').next().unwrap_or_default().to_owned()
}

#[test]
fn the_user_overrules_what_was_assumed() {
    let pattern = |text: &str| vec![text.parse().expect("any text is a pattern")];
    let Some((_, file)) = recordings().into_iter().find(|(name, _)| name == "three_tags_playwright") else {
        return;
    };
    let tags = |hints: Hints| {
        let session = Session::of(read(&file), hints).expect("tags");
        session.breaks.iter().flat_map(|it| &it.pods).map(Vec::len).sum::<usize>()
    };
    assert_eq!(tags(Hints::default()), 3);
    assert_eq!(tags(Hints { ignored: pattern("ads.test/two"), ..Hints::default() }), 2);
    assert_eq!(tags(Hints { tags: pattern("player.js"), ..Hints::default() }), 4);
    let content = Hints { content: pattern("m.test/spot*"), ..Hints::default() };
    let session = Session::of(read(&file), content).expect("tags");
    let contents =
        session.roles.iter().zip(&session.recording.exchanges).filter(|(role, _)| **role == Role::Content);
    assert!(contents.into_iter().any(|(_, it)| it.url.ends_with("spot.webm")));
}

#[test]
fn secrets_are_neither_in_the_scenario_nor_in_its_files() {
    for (name, _) in recordings().into_iter().filter(|(name, _)| name.starts_with("secrets_")) {
        let session =
            Session::of(read(&folder().join(&name).join("session.har")), Hints::default()).expect("tags");
        let (scenario, _) = session.scenario(&Overrides::default());
        let files: Vec<String> = scenario.files().into_iter().map(|(_, text)| text.to_string()).collect();
        let written = scenario.to_json() + &files.join("\n");
        let kept = Hints { keeps_secrets: true, ..Hints::default() };
        let kept = Session::of(read(&folder().join(&name).join("session.har")), kept).expect("tags");
        assert!(!session.removed.is_empty() && kept.removed.is_empty(), "{name}");
        let mut values = 0;
        for it in &kept.recording.exchanges {
            for part in it.url.split(['?', '&']).filter_map(|part| part.split_once('=')) {
                if session.removed.iter().any(|removed| removed == part.0) {
                    assert!(!written.contains(part.1), "{name}: {}={}", part.0, part.1);
                    values += 1;
                }
            }
        }
        assert!(values > 0, "{name}");
    }
}
