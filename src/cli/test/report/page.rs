//! The report of `playsim test` as an HTML page: the result of each case, with its findings.

use std::fmt::Write as _;

use playsim_base::html;

use super::{findings, first_line};
use crate::cli::Exit;
use crate::cli::input;
use crate::cli::test::case::{Outcome, Verdict};

/// Returns a page with a table of all outcomes, followed by the findings about those that failed.
pub(super) fn page(outcomes: &[Outcome]) -> String {
    let failed = outcomes.iter().filter(|outcome| outcome.exit != Exit::AsExpected).count();
    let mut body = html::facts([("cases", outcomes.len().to_string()), ("failed", failed.to_string())]);
    body.push_str("<table>\n");
    body.push_str(&html::head(&["result", "case", "first finding"]));
    body.push_str("<tbody>\n");
    let mut details = String::new();
    for (number, outcome) in (1..).zip(outcomes) {
        // Writing to a string cannot fail.
        let _ = row(number, outcome, &mut body, &mut details);
    }
    body.push_str("</tbody>\n</table>\n");
    body.push_str(&details);
    html::page("playsim test", &body)
}

fn row(number: usize, outcome: &Outcome, rows: &mut String, details: &mut String) -> std::fmt::Result {
    let findings = findings(outcome);
    let verdict = outcome.verdict.word();
    let name = html::escape(&outcome.case.name);
    let class = match (findings.is_empty(), outcome.verdict) {
        (false, _) => "bad",
        (true, Verdict::Ok) => "good",
        (true, _) => "",
    };
    let title = html::escape(&input::name(&outcome.case.file));
    write!(rows, "<tr><td class=\"{class}\">{verdict}</td><td title=\"{title}\">")?;
    let Some(first) = findings.first() else {
        return writeln!(rows, "{name}</td><td class=\"data\">{}</td></tr>", html::escape(&outcome.note));
    };
    let line = html::escape(first_difference(&first.text).unwrap_or_else(|| first_line(&first.text)));
    writeln!(rows, "<a href=\"#case-{number}\">{name}</a></td><td class=\"data\">{line}</td></tr>")?;
    writeln!(details, "<h2 id=\"case-{number}\">{name}: {verdict}</h2>")?;
    if !outcome.note.is_empty() {
        writeln!(details, "<p>{}</p>", html::escape(&outcome.note))?;
    }
    for finding in &findings {
        writeln!(details, "<pre>{}</pre>", html::escape(finding.text.trim_end()))?;
    }
    Ok(())
}

/// Returns the first differing line of a trace comparison.
fn first_difference(finding: &str) -> Option<&str> {
    let is_head = |line: &&str| ["---", "+++"].iter().any(|sign| line.starts_with(sign));
    let (_, lines) = finding.split_once("\n+++")?;
    lines.lines().skip(1).find(|line| line.starts_with(['-', '+', '~']) && !is_head(line))
}
