//! The reports of `playsim test`: JUnit XML, SARIF, TAP, GitHub annotations and an HTML page.

use std::path::PathBuf;

use playsim::place::Place;
use playsim_base::escape;
use playsim_base::words;
use serde_json::{Value, json};

use super::case::{Outcome, Verdict};
use crate::cli::failure::{Failure, Invalid};
use crate::cli::findings::{self, Found, Item, Severity};
use crate::cli::output::{Out, Talk};
use crate::cli::{Exit, input, writing};

mod page;

/// The format of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// JUnit XML, in a file.
    Junit(PathBuf),
    /// An HTML page, in a file.
    Html(PathBuf),
    /// Test Anything Protocol, version 14, on standard output.
    Tap,
    /// GitHub annotations, on standard output.
    Github,
    /// SARIF 2.1.0, in a file.
    Sarif(PathBuf),
}

impl Report {
    /// Parses a value of `--report`.
    pub(super) fn read(word: &str) -> Result<Report, Invalid> {
        const ALL: [&str; 5] = ["junit=FILE", "html=FILE", "sarif=FILE", "tap", "github"];
        let (form, file) = word
            .split_once('=')
            .map_or((word, None), |(form, file)| (form, Some(file)));
        match (form, file) {
            ("junit", Some(file)) if !file.is_empty() => Ok(Report::Junit(file.into())),
            ("html", Some(file)) if !file.is_empty() => Ok(Report::Html(file.into())),
            ("sarif", Some(file)) if !file.is_empty() => Ok(Report::Sarif(file.into())),
            ("sarif", _) => Err("sarif needs a file, such as sarif=report.sarif".into()),
            ("junit", _) => Err("junit needs a file, such as junit=report.xml".into()),
            ("html", _) => Err("html needs a file, such as html=report.html".into()),
            ("tap", None) => Ok(Report::Tap),
            ("github", None) => Ok(Report::Github),
            ("tap" | "github", Some(_)) => Err(Invalid(format!(
                "{form} is written to standard output and takes no file"
            ))),
            (_, _) => Err(Invalid(words::unknown("report", form, ALL))),
        }
    }

    /// Writes the report of all outcomes.
    pub(super) fn write(&self, outcomes: &[Outcome], out: &mut Out, talk: &Talk) -> Exit {
        let mut items: Vec<Item> = outcomes.iter().map(item).collect();
        let (file, text) = match self {
            Report::Tap => {
                out.text(&findings::tap(&items));
                return Exit::AsExpected;
            }
            Report::Github => {
                items.iter_mut().for_each(warn);
                out.text(&findings::github(&items));
                return Exit::AsExpected;
            }
            Report::Junit(file) => {
                let suite = ("playsim test", items);
                (file, findings::junit("playsim", &[suite]))
            }
            Report::Sarif(file) => (file, findings::sarif(&items, &rules(&items))),
            Report::Html(file) => (file, page::page(&items)),
        };
        match writing::write(file, text).map_err(Failure::cannot("write", file)) {
            Ok(()) => Exit::AsExpected,
            Err(failure) => failure.report(talk),
        }
    }
}

/// Returns a case with the findings about it; the first line of each summarises it.
fn item(outcome: &Outcome) -> Item {
    let (verdict, case) = (outcome.verdict.word(), &outcome.case);
    let found = |(text, place): (String, Option<Place>)| {
        let text = if text.starts_with("---") {
            format!("the trace differs from the golden trace\n{text}")
        } else {
            text
        };
        Found {
            rule: verdict.to_owned(),
            title: format!("{} {verdict}", case.name),
            place: place.map(|at| (at.line, Some(at.column))),
            gist: escape::line(first_line(&text)).into_owned(),
            key: case.name.clone(),
            detail: text.trim_end().to_owned(),
            message: escape::lines(text.trim_end()).into_owned(),
            text,
            ..Found::default()
        }
    };
    let problems = outcome.problems.iter();
    let problems = problems.map(|problem| (problem.text.clone(), problem.place));
    let mut findings: Vec<Found> = problems
        .chain(outcome.fault.as_ref().map(Failure::words))
        .map(found)
        .collect();
    if findings.is_empty() && outcome.exit != Exit::AsExpected {
        findings.push(found((format!("{verdict}: {}", outcome.note), None)));
    }
    Item {
        name: case.name.clone(),
        file: input::name(&case.file),
        verdict,
        note: outcome.note.clone(),
        is_error: outcome.fault.is_some(),
        findings,
        ..Item::default()
    }
}

/// Adds a warning to a case whose golden trace is missing or orphaned.
fn warn(item: &mut Item) {
    let is_unblessed = [Verdict::New, Verdict::Orphan].map(Verdict::word);
    if item.findings.is_empty() && is_unblessed.contains(&item.verdict) {
        item.findings.push(Found {
            severity: Severity::Warning,
            title: format!("{} {}", item.name, item.verdict),
            text: item.note.clone(),
            ..Found::default()
        });
    }
}

/// Returns the verdicts that are findings, as rules.
fn rules(items: &[Item]) -> Vec<Value> {
    let mut words: Vec<&str> = Vec::new();
    for item in items.iter().filter(|item| !item.findings.is_empty()) {
        if !words.contains(&item.verdict) {
            words.push(item.verdict);
        }
    }
    let rule = |word| json!({ "id": word, "name": word, "shortDescription": { "text": format!("the case is {word}") } });
    words.into_iter().map(rule).collect()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
