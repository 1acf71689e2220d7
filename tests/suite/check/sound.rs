//! Sound traces by the thousand: what playsim plays without a knob breaks no law, in whatever form
//! it is recorded.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use playsim::api::EventName;
use playsim::check::{self, CheckOptions, Finding, Level, Sure, compare};
use playsim::import;
use playsim::recording::{Recording, heard};
use playsim::scenario::{Scenario, Trigger};
use playsim::sim::{Simulation, play_observed};
use playsim::time::{Position, Span, Time};
use playsim::trace::{Filter, Site, Trace, View, write_har, write_jsonl};
use serde_json::Value;

use super::Lines;
use super::breakages::{is, recorded, scenario_of};
use crate::nightly;

/// How the trace of a run is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As playsim writes it, with the documents.
    Own,
    /// As a recorder hears documented events, calls and requests.
    Events,
    /// As a recorder hears all that, with the documents.
    All,
    /// As a recorder hears requests with their documents, media elements and the screen.
    Screen,
    /// As an HTTP archive.
    Archive,
}

const FORMS: [Form; 5] = [
    Form::Own,
    Form::Events,
    Form::All,
    Form::Screen,
    Form::Archive,
];

fn everything() -> Filter {
    Filter {
        view: View::All,
        ..Filter::default()
    }
}

fn text(trace: &Trace) -> String {
    let mut text = String::new();
    write_jsonl(trace, &everything(), false, &mut text).expect("a string can be written");
    text
}

fn joined(lines: &Lines) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Adds the documents to the responses of a run.
fn with_documents(lines: &mut Lines, scenario: &Scenario) {
    let world = playsim_scenario::world::world(scenario);
    let mut bodies = world.bodies();
    let mut asked: Vec<(String, Option<String>)> = Vec::new();
    for line in lines {
        let url = line["data"]["url"].as_str().unwrap_or_default().to_owned();
        if is(line, "net", "request") {
            let body = bodies(&url).map(|body| body.to_string());
            asked.push((url, body));
        } else if is(line, "net", "response")
            && let Some(place) = asked.iter().position(|(other, _)| *other == url)
            && let (_, Some(body)) = asked.remove(place)
        {
            line["data"]["text"] = body.into();
        }
    }
}

/// Writes a recording of which only some kinds of lines were heard.
fn hearing(kinds: &[&'static str], mut lines: Lines) -> String {
    lines.retain(|line| line["kind"] == "header" || kinds.iter().any(|kind| line["kind"] == *kind));
    let heard = |kind: &&'static str| match *kind {
        // Of the content's end only a documented event tells.
        "media" => [
            "media:p*", "media:s*", "media:t*", "media:w*", "media:l*", "media:d*",
        ]
        .to_vec(),
        kind => vec![kind],
    };
    let heard: Vec<&str> = kinds.iter().flat_map(heard).collect();
    lines[0]["data"]["hears"] = heard.into();
    joined(&lines)
}

fn lines_of(text: &str) -> Lines {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

impl Form {
    fn tell(self, name: &str, scenario: &Scenario, trace: &Trace) -> (Recording, String) {
        let text = match self {
            Form::Own => {
                let mut lines = lines_of(&text(trace));
                with_documents(&mut lines, scenario);
                joined(&lines)
            }
            Form::Events => hearing(
                &["net", "event", "call", "user"],
                recorded(&lines_of(&text(trace))),
            ),
            Form::All => {
                let mut lines = lines_of(&text(&heard(trace)));
                with_documents(&mut lines, scenario);
                joined(&recorded(&lines))
            }
            Form::Screen => {
                let mut lines = lines_of(&text(&heard(trace)));
                with_documents(&mut lines, scenario);
                hearing(
                    &["net", "media", "ui", "call", "user", "page"],
                    recorded(&lines),
                )
            }
            Form::Archive => {
                let world = playsim_scenario::world::world(scenario);
                let site = Site {
                    epoch_micros: scenario.page.epoch_micros,
                    url: "https://page.test/",
                    bodies: &mut world.bodies(),
                };
                let mut archive = String::new();
                write_har(trace, &everything(), false, site, &mut archive)
                    .expect("a string takes it");
                let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
                let read = import::read(name, archive.as_bytes(), &mut load).expect("an archive");
                return (read.lines().expect("it has lines"), archive);
            }
        };
        (
            Recording::read(name, &text)
                .unwrap_or_else(|error| panic!("{name}, {self:?}: {error}")),
            text,
        )
    }
}

fn scenarios(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            scenarios(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            all.push(path);
        }
    }
}

/// Returns what differs from what a recording's own documents predict; `None` without documents,
/// and a reason where the recording shows another session.
pub(super) fn without_scenario(recording: &Recording) -> Option<Result<Vec<Finding>, String>> {
    let replayed = import::replay(recording, None, &[])?;
    Some(replayed.map(|replayed| replayed.findings))
}

/// The name of a scenario: its path below the project, without the ending.
fn name_of(path: &Path) -> String {
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR"));
    let name = name.expect("it is below").with_extension("");
    name.to_str().expect("a name").to_owned()
}

/// Plays a scenario and judges its trace in each form, without the scenario and with it. Counts the
/// recordings that confirm what their own documents predict.
fn judged(path: &Path, told: &mut String, replayed: &mut usize) {
    let name = &name_of(path);
    let scenario = scenario_of(name);
    let Ok(simulation) = Simulation::new(&scenario) else {
        return;
    };
    let trace = simulation.run();
    // What a knob does may be a fault, which only a trace with that knob in its header excuses.
    let is_documented = trace.records[0].data.get("knobs").is_none();
    for form in FORMS
        .into_iter()
        .filter(|form| is_documented || *form == Form::Own)
    {
        let (recording, written) = form.tell(name, &scenario, &trace);
        let predicted = compare::judge(&recording, &scenario, &trace, None);
        if !predicted.findings.is_empty() || !predicted.other_acts.is_empty() {
            let acts = predicted.other_acts.join("\n");
            let _ = writeln!(
                told,
                "== {name} {form:?} predicted\n{acts}\n{}",
                super::shown(&predicted.findings)
            );
        }
        if let Some(Ok(found)) = without_scenario(&recording) {
            *replayed += 1;
            if !found.is_empty() {
                let _ = writeln!(told, "== {name} {form:?} alone\n{}", super::shown(&found));
            }
        }
        for knows in [false, true] {
            let plain = CheckOptions::default();
            let options = if knows {
                plain.with_scenario(&scenario)
            } else {
                plain
            };
            let is_wrong = |it: &Finding| it.sure == Sure::Certain && it.level == Level::Fault;
            let found: Vec<Finding> = check::judge(&recording, &options)
                .into_iter()
                .filter(is_wrong)
                .collect();
            if found.is_empty() {
                continue;
            }
            let _ = writeln!(told, "== {name} {form:?} {knows}\n{}", super::shown(&found));
            if let Some(folder) = std::env::var_os("PLAYSIM_SOUND") {
                let file = format!("{}.{form:?}", name.replace('/', "@"));
                fs::write(Path::new(&folder).join(file), &written).expect("it can be written");
            }
        }
    }
}

#[test]
fn no_form_of_a_sound_trace_has_a_certain_fault() {
    let mut all = Vec::new();
    scenarios(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios"),
        &mut all,
    );
    all.sort();
    // Neighbours are alike: for each commit every third scenario.
    let step = nightly::cases(3, 1) as usize;
    let (mut told, mut replayed) = (String::new(), 0);
    let chosen: Vec<&PathBuf> = all.iter().step_by(step).collect();
    for path in &chosen {
        judged(path, &mut told, &mut replayed);
    }
    assert!(told.is_empty(), "{told}");
    // Nine of ten scenarios with documents of ads, in two of the forms.
    assert!(
        replayed * 5 > chosen.len() * 4,
        "{replayed} of {}",
        chosen.len()
    );
}

/// A tracker that is not called is missed by what the documents predict, where no law asks for it.
#[test]
fn documents_predict_trackers_that_no_law_misses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["breaks", "chain", "vmap", "during_ads"] {
        scenarios(&root.join("fixtures/scenarios").join(folder), &mut all);
    }
    all.sort();
    let (mut removed, mut by_laws, mut by_either) = (0, 0, 0);
    for path in all {
        let name = &name_of(&path);
        let scenario = scenario_of(name);
        let Ok(simulation) = Simulation::new(&scenario) else {
            continue;
        };
        let (sound, _) = Form::Screen.tell(name, &scenario, &simulation.run());
        if !matches!(without_scenario(&sound), Some(Ok(_))) {
            continue;
        }
        for place in 0..sound.trace.records.len() {
            let mut broken = sound.clone();
            let line = broken.trace.records.remove(place);
            if line.data.text("via").is_none_or(|via| **via != *"image") {
                continue;
            }
            for (seq, record) in (0..).zip(&mut broken.trace.records) {
                record.seq = seq;
            }
            let is_sure = |it: &Finding| it.sure != Sure::Depends && it.level == Level::Fault;
            let is_by_law = check::judge(&broken, &CheckOptions::default())
                .iter()
                .any(is_sure);
            let predicted = without_scenario(&broken);
            let is_predicted = matches!(predicted, Some(Ok(found)) if !found.is_empty());
            removed += 1;
            by_laws += u32::from(is_by_law);
            by_either += u32::from(is_by_law || is_predicted);
        }
    }
    assert!(removed > 400, "{removed} trackers");
    let figures = format!("of {removed} removed: {by_laws} by laws, {by_either} by either");
    // Of the others most are in breaks that the documents do not predict.
    assert!(by_either * 10 > removed * 7, "{figures}");
    assert!(by_either > by_laws + removed / 4, "{figures}");
}

/// What is left of a recording if less was heard: the name of the reduction, and its lines.
fn reduced(lines: &Lines) -> Vec<(String, Lines)> {
    let without = |kinds: &[&str]| -> Lines {
        let mut left = lines.clone();
        // What the content's element does, a recorder hears of it, too.
        let is_of_media =
            |line: &&mut Value| is(line, "event", "ended") || is(line, "event", "seeked");
        if kinds.contains(&"event") {
            for line in left.iter_mut().filter(is_of_media) {
                line["kind"] = "media".into();
            }
        }
        left.retain(|line| !kinds.iter().any(|kind| line["kind"] == *kind));
        let hears = left[0]["data"]["hears"].as_array_mut().expect("a list");
        hears.retain(|heard| !kinds.iter().any(|kind| heard == kind));
        left
    };
    let mut all: Vec<(String, Lines)> = [
        &["event"][..],
        &["media"],
        &["ui"],
        &["call", "user", "page"],
        &["media", "ui"],
        &["event", "call", "user", "page"],
        &["media", "ui", "call", "user", "page"],
    ]
    .iter()
    .map(|kinds| (format!("without {kinds:?}"), without(kinds)))
    .collect();
    let mut silent = lines.clone();
    for line in &mut silent {
        if let Some(data) = line["data"].as_object_mut() {
            data.remove("text");
        }
    }
    all.push(("without documents".to_owned(), silent));
    for tenth in 1..10 {
        let length = lines.len() * tenth / 10;
        all.push((
            format!("cut at {tenth}/10"),
            lines[..length.max(1)].to_vec(),
        ));
    }
    all
}

#[test]
fn less_that_is_heard_is_no_further_finding() {
    let mut all = Vec::new();
    scenarios(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios"),
        &mut all,
    );
    all.sort();
    let (mut told, mut judged) = (String::new(), 0);
    for path in all.iter().step_by(nightly::cases(9, 1) as usize) {
        let name = &name_of(path);
        let scenario = scenario_of(name);
        let Ok(simulation) = Simulation::new(&scenario) else {
            continue;
        };
        let trace = simulation.run();
        if trace.records[0].data.get("knobs").is_some() {
            continue;
        }
        let mut lines = lines_of(&text(&heard(&trace)));
        with_documents(&mut lines, &scenario);
        let lines = recorded(&lines);
        let found = |lines: &Lines| -> Vec<Finding> {
            let recording = Recording::read(name, &joined(lines)).expect("it is a recording");
            let mut found = check::judge(&recording, &CheckOptions::default());
            found.retain(|it| it.level == Level::Fault);
            found
        };
        let whole = found(&lines);
        for (how, left) in reduced(&lines) {
            judged += 1;
            let mut more = found(&left);
            more.retain(|it| !whole.iter().any(|other| other.rule == it.rule));
            if !more.is_empty() {
                let _ = writeln!(told, "== {name} {how}\n{}", super::shown(&more));
            }
        }
    }
    assert!(told.is_empty(), "{told}");
    assert!(judged > 1_000, "{judged}");
}

/// Every answer 70 ms later, and every timed step but the first 130 ms later.
fn later(scenario: &Scenario) -> Scenario {
    let mut later = scenario.clone();
    for (_, answers) in &mut later.network {
        for answer in answers {
            answer.after += Span::from_millis(70);
        }
    }
    for step in &mut later.steps {
        if let Trigger::At(at) = &mut step.trigger
            && *at > Time::ZERO
        {
            *at += Span::from_millis(130);
        }
    }
    later
}

/// A trace of another pace is sound with the scenario as its author wrote it: when answers come and
/// when acts are done is not up to the player. Rule TRACE-10.
#[test]
fn what_the_world_does_is_taken_from_the_trace() {
    let mut all = Vec::new();
    scenarios(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios"),
        &mut all,
    );
    all.sort();
    // A change of the bandwidth leaves no line that says when it was made.
    all.retain(|path| !path.to_string_lossy().contains("bandwidth"));
    let (mut told, mut moved) = (String::new(), 0);
    for path in all.iter().step_by(nightly::cases(5, 1) as usize) {
        let name = &name_of(path);
        let scenario = scenario_of(name);
        let Ok(simulation) = Simulation::new(&later(&scenario)) else {
            continue;
        };
        let trace = simulation.run();
        let (recording, _) = Form::Own.tell(name, &scenario, &trace);
        let plain = Simulation::new(&scenario).expect("it plays").run();
        let predicted = play_observed(&scenario, &recording.trace).expect("it plays");
        moved += usize::from(predicted.records != plain.records);
        let judged = compare::judge(&recording, &scenario, &predicted, None);
        if !judged.findings.is_empty() {
            let _ = writeln!(told, "== {name}\n{}", super::shown(&judged.findings));
        }
    }
    assert!(told.is_empty(), "{told}");
    assert!(moved > 50, "{moved} scenarios were moved");
}

/// What is certain of recorded pages, and true: a pixel that the archive has twice, a player that
/// sends the impression after the start, and players that leave `[CACHEBUSTING]` as it is.
const TRUE_OF_PAGES: &[(&str, &str)] = &[
    ("by_hand/pixels.har", "MAC-1"),
    ("by_hand/pixels.har", "TRK-1"),
    ("pixels_playwright/session.har", "MAC-1"),
    ("three_tags_fluid/session.har", "MAC-1"),
    ("three_tags_fluid/session.har", "TRK-2"),
    ("wrapper_chain_fluid/session.har", "MAC-1"),
    ("wrapper_chain_fluid/session.har", "TRK-2"),
];

#[test]
fn recorded_pages_have_no_certain_fault_that_is_not_true() {
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings");
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    command
        .args(["check", "--from", "har", "--format", "json"])
        .current_dir(&recordings);
    let mut archives = Vec::new();
    for entry in walk(&recordings) {
        let below = entry.strip_prefix(&recordings).expect("it is below");
        archives.extend(
            entry
                .extension()
                .is_some_and(|ending| ending == "har")
                .then(|| below.to_owned()),
        );
    }
    archives.sort();
    let output = command.args(&archives).output().expect("it runs");
    let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let traces = found["traces"].as_array().expect("it lists traces");
    assert!(traces.len() > 50, "{}", traces.len());
    let mut certain = Vec::new();
    for trace in traces {
        let name = trace["file"].as_str().expect("a file");
        for finding in trace["findings"].as_array().expect("findings") {
            if finding["sure"] == "certain" {
                certain.push((name, finding["rule"].as_str().expect("a rule")));
            }
        }
    }
    assert_eq!(certain, TRUE_OF_PAGES);
}

/// All files below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// Where a film runs out of data is up to the network: a break that comes later for that is no
/// fault.
#[test]
fn a_film_that_stalls_is_no_fault() {
    let name = "conform/suite/mid_roll_at_4_s";
    let scenario = scenario_of(name);
    let mut stalled = scenario.clone();
    let (_, content) = &mut stalled.media[0];
    content.stalls = vec![(Position::ZERO + Span::from_secs(2), Span::from_secs(3))];
    let trace = Simulation::new(&stalled).expect("it can be played").run();
    let (recording, _) = Form::All.tell(name, &stalled, &trace);
    let findings = |recording: &Recording| {
        let predicted = play_observed(&scenario, &recording.trace).expect("it plays");
        compare::judge(recording, &scenario, &predicted, None).findings
    };
    let found = findings(&recording);
    assert!(found.is_empty(), "{}", super::shown(&found));
    // Without the lines that tell of it, the break is late.
    let mut silent = recording;
    let is_of_stall =
        |record: &playsim::trace::Record| record.media_event() == Some(EventName::Waiting);
    silent.trace.records.retain(|record| !is_of_stall(record));
    assert!(!findings(&silent).is_empty());
}
