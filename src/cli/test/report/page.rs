//! The report of `playsim test` as an HTML page: the result of each case, with its findings.

use maud::{Markup, html};
use playsim_base::html::{Page, Text, head};

use super::first_line;
use crate::cli::findings::Item;
use crate::cli::test::case::Verdict;
use crate::cli::written;

/// Returns a page with a table of all cases, followed by the findings about those that failed.
pub(super) fn page(items: &[Item]) -> String {
    let title = "playsim test";
    let failed = || {
        (1..)
            .zip(items)
            .filter(|(_, item)| !item.findings.is_empty())
    };
    let body = html! {
        main {
            h1 { (title) }
            dl.facts { dt { "cases" } dd { (items.len()) } dt { "failed" } dd { (failed().count()) } }
            table {
                (head(&["result", "case", "first finding"]))
                tbody { @for (number, item) in (1..).zip(items) { (row(number, item)) } }
            }
            @for (number, item) in failed() {
                h2 id={ "case-" (number) } { (Text(&item.name)) ": " (item.verdict) }
                @if !item.note.is_empty() { p { (Text(&item.note)) } }
                @for finding in &item.findings { pre { (Text(finding.text.trim_end())) } }
            }
        }
    };
    let page = Page {
        title: title.to_owned(),
        style: "".into(),
        script: None,
        has_images: false,
        body,
    };
    written(|text| page.write(text))
}

fn row(number: usize, item: &Item) -> Markup {
    let name = Text(&item.name);
    let class = if !item.findings.is_empty() {
        "bad"
    } else if item.verdict == Verdict::Ok.word() {
        "good"
    } else {
        ""
    };
    html! {
        tr {
            td class=(class) { (item.verdict) }
            td title=(Text(&item.file)) {
                @if item.findings.is_empty() { (name) } @else { a href={ "#case-" (number) } { (name) } }
            }
            td.data {
                @match item.findings.first().map(|it| &it.text) {
                    Some(text) => { (Text(first_difference(text).unwrap_or_else(|| first_line(text)))) }
                    None => { (Text(&item.note)) }
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
