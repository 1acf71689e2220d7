//! The report of `playsim test` as an HTML page: the result of each case, with its findings.

use maud::{Markup, html};
use playsim_base::html::{Page, Text, head};

use super::{findings, first_line};
use crate::cli::Exit;
use crate::cli::input;
use crate::cli::test::case::{Outcome, Problem, Verdict};

/// Returns a page with a table of all outcomes, followed by the findings about those that failed.
pub(super) fn page(outcomes: &[Outcome]) -> String {
    let title = "playsim test";
    let failed = outcomes
        .iter()
        .filter(|outcome| outcome.exit != Exit::AsExpected)
        .count();
    let cases: Vec<(usize, &Outcome, Vec<Problem>)> = (1..)
        .zip(outcomes)
        .map(|(number, outcome)| (number, outcome, findings(outcome)))
        .collect();
    let body = html! {
        main {
            h1 { (title) }
            dl.facts { dt { "cases" } dd { (outcomes.len()) } dt { "failed" } dd { (failed) } }
            table {
                (head(&["result", "case", "first finding"]))
                tbody { @for (number, outcome, findings) in &cases { (row(*number, outcome, findings)) } }
            }
            @for (number, outcome, findings) in cases.iter().filter(|(.., findings)| !findings.is_empty()) {
                h2 id={ "case-" (number) } { (Text(&outcome.case.name)) ": " (outcome.verdict.word()) }
                @if !outcome.note.is_empty() { p { (Text(&outcome.note)) } }
                @for finding in findings { pre { (Text(finding.text.trim_end())) } }
            }
        }
    };
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = Page {
        title: title.to_owned(),
        style: "".into(),
        script: None,
        has_images: false,
        body,
    }
    .write(&mut page);
    page
}

fn row(number: usize, outcome: &Outcome, findings: &[Problem]) -> Markup {
    let (name, file) = (Text(&outcome.case.name), input::name(&outcome.case.file));
    let class = match (findings, outcome.verdict) {
        ([_, ..], _) => "bad",
        ([], Verdict::Ok) => "good",
        ([], _) => "",
    };
    html! {
        tr {
            td class=(class) { (outcome.verdict.word()) }
            td title=(Text(&file)) {
                @if findings.is_empty() { (name) } @else { a href={ "#case-" (number) } { (name) } }
            }
            td.data {
                @match findings.first().map(|it| &it.text) {
                    Some(text) => { (Text(first_difference(text).unwrap_or_else(|| first_line(text)))) }
                    None => { (Text(&outcome.note)) }
                }
            }
        }
    }
}

/// Returns the first differing line of a trace comparison.
fn first_difference(finding: &str) -> Option<&str> {
    let is_head = |line: &&str| ["---", "+++"].iter().any(|sign| line.starts_with(sign));
    let (_, lines) = finding.split_once("\n+++")?;
    lines
        .lines()
        .skip(1)
        .find(|line| line.starts_with(['-', '+', '~']) && !is_head(line))
}
