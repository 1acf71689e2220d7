//! Findings as an HTML page: the result of each item, with what was found.

use maud::{Markup, html};
use playsim_base::html::{Page, Text, head};

use super::{Findings, Item, OK};
use crate::cli::written;

/// Returns a page with a table of all items, followed by what was found about each.
pub(super) fn page(all: &Findings) -> String {
    let Findings { command, noun, .. } = all;
    let items = || (1..).zip(all.items());
    let failed = items().filter(|(_, item)| item.is_bad()).count();
    let body = html! {
        main {
            h1 { (command) }
            dl.facts { dt { (noun) "s" } dd { (items().count()) } dt { "failed" } dd { (failed) } }
            table {
                (head(&["result", noun, "first finding"]))
                tbody { @for (number, item) in items() { (row(number, item)) } }
            }
            @for (number, item) in items().filter(|(_, item)| !item.findings.is_empty()) {
                h2 id={ "case-" (number) } { (Text(&item.name)) ": " (item.verdict) }
                @if !item.note.is_empty() { p { (Text(&item.note)) } }
                @for finding in &item.findings { pre { (Text(finding.detail())) } }
            }
        }
    };
    let page = Page {
        title: (*command).to_owned(),
        style: "".into(),
        script: None,
        has_images: false,
        body,
    };
    written(|text| page.write(text))
}

fn row(number: usize, item: &Item) -> Markup {
    let name = Text(&item.name);
    let class = if item.is_bad() {
        "bad"
    } else if item.verdict == OK {
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
                @match item.findings.first().map(|it| it.detail()) {
                    Some(text) => { (Text(first_difference(text).unwrap_or_else(|| first_line(text)))) }
                    None => { (Text(&item.note)) }
                }
            }
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
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
