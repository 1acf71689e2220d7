//! The reports of `playsim test`, in addition to its list or in place of it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use playsim::place::Place;
use playsim_base::escape;
use playsim_base::words;

use super::case::Outcome;
use crate::cli::failure::{Failure, Invalid};
use crate::cli::findings::{FORMS, Findings, Item, ItemFinding, rule};
use crate::cli::format::Format;
use crate::cli::output::{Out, Talk};
use crate::cli::{Exit, input, writing};

/// A report in addition to the list.
#[derive(Debug, Clone)]
pub(super) struct Report {
    format: Format,
    /// Where it is written; `None` for standard output.
    file: Option<PathBuf>,
}

impl Report {
    /// Parses a value of `--report`.
    pub(super) fn read(word: &str) -> Result<Report, Invalid> {
        let (name, file) = word
            .split_once('=')
            .map_or((word, None), |(name, file)| (name, Some(file)));
        let mut forms = FORMS.into_iter();
        let Some((format, _, usual)) = forms.find(|form| form.0.name() == name) else {
            let all = FORMS.map(|(format, _, file)| {
                format!("{}{}", format.name(), file.map_or("", |_| "=FILE"))
            });
            let all = all.iter().map(String::as_str);
            return Err(Invalid(words::unknown("report", name, all)));
        };
        match (usual, file) {
            (Some(such), None | Some("")) => Err(Invalid(format!(
                "{name} needs a file, such as {name}={such}"
            ))),
            (None, Some(_)) => Err(Invalid(format!(
                "{name} is written to standard output and takes no file"
            ))),
            (Some(_), Some(_)) | (None, None) => Ok(Report {
                format,
                file: file.map(PathBuf::from),
            }),
        }
    }

    /// Whether it takes the place of the list.
    pub(super) fn is_in_place_of_list(&self) -> bool {
        self.format == Format::Tap
    }

    /// Writes the report of all outcomes.
    pub(super) fn write(&self, outcomes: &[Outcome], out: &mut Out, talk: &Talk) -> Exit {
        let text = findings(outcomes).written(self.format).unwrap_or_default();
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

/// Returns the cases, and the verdicts that are findings as rules.
fn findings(outcomes: &[Outcome]) -> Findings {
    let items: Vec<Item> = outcomes.iter().map(item).collect();
    let failed = items.iter().filter(|item| !item.findings.is_empty());
    let mut words: Vec<&str> = failed.map(|item| item.verdict).collect();
    let mut seen = BTreeSet::new();
    words.retain(|word| seen.insert(*word));
    let rule = |word: &str| rule(word, &format!("the case is {word}"));
    let rules = words.into_iter().map(rule).collect();
    Findings::of("playsim test", "case", items, rules)
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
            gist: escape::line(text.lines().next().unwrap_or_default()).into_owned(),
            key: case.name.clone(),
            text: text.trim_end().to_owned(),
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
