//! The reports of `playsim test`: JUnit XML, SARIF, TAP, GitHub annotations and an HTML page.

use std::path::PathBuf;

use playsim::place::Place;
use playsim_base::escape;
use playsim_base::words;
use serde_json::{Value, json};

use super::case::{Outcome, Verdict};
use crate::cli::failure::{Failure, Invalid};
use crate::cli::findings::{self, Item, ItemFinding, Severity};
use crate::cli::output::{Out, Talk};
use crate::cli::{Exit, input, writing};

mod page;

/// A report in addition to the list.
#[derive(Debug, Clone)]
pub(super) struct Report {
    form: &'static Form,
    /// Where it is written; `None` for standard output.
    file: Option<PathBuf>,
}

/// A form of reports: its name, and that of a file if it is written to one.
type Form = (&'static str, Option<&'static str>);

const JUNIT: Form = ("junit", Some("report.xml"));
const HTML: Form = ("html", Some("report.html"));
const SARIF: Form = ("sarif", Some("report.sarif"));
const TAP: Form = ("tap", None);
const FORMS: [Form; 5] = [JUNIT, HTML, SARIF, TAP, ("github", None)];

impl Report {
    /// Parses a value of `--report`.
    pub(super) fn read(word: &str) -> Result<Report, Invalid> {
        let (name, file) = word
            .split_once('=')
            .map_or((word, None), |(name, file)| (name, Some(file)));
        let Some(form) = FORMS.iter().find(|form| form.0 == name) else {
            let all = FORMS.map(|(name, file)| format!("{name}{}", file.map_or("", |_| "=FILE")));
            let all = all.iter().map(String::as_str);
            return Err(Invalid(words::unknown("report", name, all)));
        };
        match (form.1, file) {
            (Some(such), None | Some("")) => Err(Invalid(format!(
                "{name} needs a file, such as {name}={such}"
            ))),
            (None, Some(_)) => Err(Invalid(format!(
                "{name} is written to standard output and takes no file"
            ))),
            (Some(_), Some(_)) | (None, None) => Ok(Report {
                form,
                file: file.map(PathBuf::from),
            }),
        }
    }

    /// Whether it takes the place of the list.
    pub(super) fn is_in_place_of_list(&self) -> bool {
        *self.form == TAP
    }

    /// Writes the report of all outcomes.
    pub(super) fn write(&self, outcomes: &[Outcome], out: &mut Out, talk: &Talk) -> Exit {
        let mut items: Vec<Item> = outcomes.iter().map(item).collect();
        let text = match *self.form {
            JUNIT => findings::junit("playsim", &[("playsim test", items)]),
            SARIF => findings::sarif(&items, &rules(&items)),
            HTML => page::page(&items),
            TAP => findings::tap(&items),
            _ => {
                items.iter_mut().for_each(warn);
                findings::github(&items)
            }
        };
        let Some(file) = &self.file else {
            out.text(&text);
            return Exit::AsExpected;
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
        ItemFinding {
            rule: verdict.to_owned(),
            title: format!("{} {verdict}", case.name),
            place: place.map(|at| (at.line, Some(at.column))),
            gist: escape::line(first_line(&text)).into_owned(),
            key: case.name.clone(),
            detail: text.trim_end().to_owned(),
            message: escape::lines(text.trim_end()).into_owned(),
            text,
            ..ItemFinding::default()
        }
    };
    let problems = outcome.problems.iter();
    let problems = problems.map(|problem| (problem.text.clone(), problem.place));
    let mut findings: Vec<ItemFinding> = problems
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
        item.findings.push(ItemFinding {
            severity: Severity::Warning,
            title: format!("{} {}", item.name, item.verdict),
            text: item.note.clone(),
            ..ItemFinding::default()
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
