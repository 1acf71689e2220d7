//! Requests without a running simulation.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::json;

use crate::answers::{self, failure, of_scenario};
use crate::golden::Golden;
use crate::operation::{Wanted, judged, shown};
use crate::read::{Given, PageCode};
use crate::tables::{examples, tables};
use crate::{Answer, look};
use playsim::check::CheckOptions;
use playsim::dictionary::{self, Entry, Lookup, print};
use playsim::recording::Recording;
use playsim::time::Time;
use playsim::{Scenario, Simulation, Trace, scenario, vast};

#[derive(Deserialize)]
struct Request<'a> {
    op: &'a str,
}

#[derive(Deserialize)]
struct At {
    at: u64,
}

#[derive(Deserialize)]
struct Line {
    line: String,
}

#[derive(Deserialize)]
struct Two {
    first: Given,
    second: Given,
}

#[derive(Deserialize)]
struct Saved {
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Document {
    name: String,
    text: String,
    #[serde(default)]
    json: bool,
}

#[derive(Deserialize)]
struct Words {
    words: String,
}

/// Answers a request, `{ "op", ... }`. A scenario is given as `scenario`, its text, with `name` and
/// `files`.
///
/// - `run` plays `scenario` to its end with its own steps, and answers with the parts of `want`, as
///   [`World::perform`](crate::World::perform) does for `trace`; if it expects something, also with
///   the expectations that `failed`: `[{ "number", "expected", "found", "line" }]`.
/// - `read` only reads it, and answers with the scenario as JSON: `{ "scenario": { ... } }`.
/// - `state` is the state of its run at the instant `at`, in microseconds: players, breaks,
///   listeners, requests.
/// - `explain` is a line of its trace with its causes and their rules; `line` is a number or a
///   name, as `playsim explain` takes it.
/// - `diff` compares the runs of `first` and `second`, each a scenario given in this way.
/// - `saved_answers` makes a scenario of saved responses, given as `files`.
/// - `vast` reads the document `text`, whose name is `name`, and answers as `playsim vast` prints
///   it; with `json` true also as it prints it in JSON.
/// - `golden` compares the run of `scenario` with its golden trace: `golden`, a text or null, and
///   `golden_name`. It answers
///   `{ "text", "same", "difference", "invariants", "stopped", "failed" }`.
/// - `check` judges the trace or recording `text`, JSON lines whose name is `name`, and answers
///   with the findings.
/// - `code` is what `words` mean in the dictionary of error codes: a list of entries.
/// - `settings` and `what_if`, with the feature `recordings`: what can be varied in a scenario, and
///   the scenario with other settings; `vary`, `compare` and `runs` are those of
///   `playsim waterfall`.
/// - `schema` is the JSON schema of scenarios.
/// - `tables` are calls, getters, events with their data, and codes, which types of other languages
///   are made of.
/// - `examples` are the scenarios that come with playsim:
///   `[{ "name", "about", "scenario", "files" }]`.
/// - `version` is that of playsim.
///
/// # Errors
///
/// A JSON text with `message`, and with `mistakes` if the scenario cannot be read.
pub fn request(text: &str) -> Answer {
    let Request { op } = serde_json::from_str(text).map_err(wrong)?;
    match op {
        "run" => run(text),
        "read" => read(text),
        "state" => {
            let At { at } = serde_json::from_str(text).map_err(wrong)?;
            look::state(
                &Given::parse(text)?.scenario(PageCode::Inside)?,
                Time::from_micros(at),
            )
        }
        "explain" => {
            let Line { line } = serde_json::from_str(text).map_err(wrong)?;
            look::explain(&Given::parse(text)?.scenario(PageCode::Inside)?, &line)
        }
        "diff" => {
            let Two { first, second } = serde_json::from_str(text).map_err(wrong)?;
            let (first, second) = (
                first.scenario(PageCode::Inside)?,
                second.scenario(PageCode::Inside)?,
            );
            look::diff(("before", &first), ("now", &second))
        }
        "saved_answers" => {
            let Saved { files } = serde_json::from_str(text).map_err(wrong)?;
            let scenario = scenario::saved_answers(files.into_iter().collect()).map_err(failure)?;
            Ok(answers::scenario(&scenario))
        }
        "vast" => document(text),
        "golden" => golden(text),
        "check" => {
            let Document {
                name,
                text,
                json: _,
            } = serde_json::from_str(text).map_err(wrong)?;
            let recording = Recording::read(&name, &text).map_err(failure)?;
            Ok(judged(&recording, &CheckOptions::default()).to_string())
        }
        "code" => {
            let Words { words } = serde_json::from_str(text).map_err(wrong)?;
            codes(&words)
        }
        #[cfg(feature = "recordings")]
        "settings" => crate::what_if::settings(&Given::parse(text)?.scenario(PageCode::Inside)?),
        #[cfg(feature = "recordings")]
        "what_if" => {
            let asked: crate::what_if::WhatIf = serde_json::from_str(text).map_err(wrong)?;
            asked.answer(&Given::parse(text)?.scenario(PageCode::Inside)?, None)
        }
        "schema" => Ok(playsim::scenario::schema().to_string()),
        "tables" => Ok(tables().to_string()),
        "examples" => Ok(examples().to_string()),
        "version" => Ok(
            json!({ "version": env!("CARGO_PKG_VERSION"), "trace": playsim::trace::VERSION })
                .to_string(),
        ),
        other => Err(failure(format!(
            "there is no request \"{other}\"; there are run, read, state, explain, diff, saved_answers, vast, golden, check, code, \
             settings, what_if, schema, tables, examples and version"
        ))),
    }
}

fn wrong(error: serde_json::Error) -> String {
    failure(format!("the request cannot be read: {error}"))
}

/// A scenario, and the trace of its run.
fn played(given: &Given) -> Result<(Scenario, Trace), String> {
    let scenario = given.scenario(PageCode::Inside)?;
    let trace = Simulation::new(&scenario)
        .map_err(|error| of_scenario(&error))?
        .run();
    Ok((scenario, trace))
}

fn run(text: &str) -> Answer {
    let given = Given::parse(text)?;
    let (scenario, trace) = played(&given)?;
    let wanted: Wanted = serde_json::from_str(text).map_err(wrong)?;
    let mut answer = shown(&trace, &scenario, &wanted)?;
    if !scenario.expect.is_empty() {
        answer.pop();
        let _ = write!(answer, ",\"failed\":{}}}", given.failed(&scenario, &trace));
    }
    Ok(answer)
}

fn read(text: &str) -> Answer {
    let mut scenario = Given::parse(text)?.scenario(PageCode::Outside)?;
    Simulation::new(&scenario).map_err(|error| of_scenario(&error))?;
    if scenario
        .steps
        .iter()
        .all(|step| step.act.parts().is_empty())
    {
        scenario.steps.clear();
    }
    Ok(format!("{{\"scenario\":{}}}", scenario.to_json()))
}

fn golden(text: &str) -> Answer {
    let given = Given::parse(text)?;
    let (scenario, trace) = played(&given)?;
    let golden: Golden = serde_json::from_str(text).map_err(wrong)?;
    let mut answer = golden.judge(&trace)?;
    answer.pop();
    let _ = write!(answer, ",\"failed\":{}}}", given.failed(&scenario, &trace));
    Ok(answer)
}

fn document(text: &str) -> Answer {
    let Document { name, text, json } = serde_json::from_str(text).map_err(wrong)?;
    let document = vast::read(&text);
    let shown = vast::print::text(&name, &document);
    let mut answer = json!({ "text": shown, "faults": document.faults().count() }).to_string();
    if json {
        answer.pop();
        let _ = write!(
            answer,
            ",\"json\":{}}}",
            vast::print::json(&name, &document)
        );
    }
    Ok(answer)
}

/// The entries of the dictionary that words mean.
fn codes(words: &str) -> Answer {
    let entries: Vec<&Entry> = match dictionary::lookup(words) {
        Lookup::Code(entries) | Lookup::Search(entries) => entries,
        Lookup::Shifted(entry) => vec![entry],
        Lookup::Family(family) => family.entries().collect(),
        Lookup::Nothing(nearest, _) => {
            let nearest: Vec<String> = nearest
                .iter()
                .map(|entry| format!("{} ({})", entry.code, entry.title))
                .collect();
            let proposal = if nearest.is_empty() {
                "give a code such as 303, a family such as vast, or words to search for".to_owned()
            } else {
                format!("the nearest are {}", nearest.join(", "))
            };
            return Err(failure(format!("there is no code \"{words}\"; {proposal}")));
        }
    };
    Ok(print::json(&entries))
}
