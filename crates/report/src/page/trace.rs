//! The trace as a table: each line with a link to its cause, its rule, and for failures the chain of causes.
//!
//! Rules: TRACE-4, TRACE-8.

use std::fmt::{self, Write};

use super::lines::is_failure;
use super::scale::grouped;
use super::{View, chain};
use playsim_api::Kind;
use playsim_base::html::Text;
use playsim_trace::{Filter, LeftOut, Record, line_words};

/// The length above which a line is shortened until the reader opens it, in characters, and the most of it.
const LONGEST: usize = 400;
const MOST_TEXT: usize = 20_000;
/// The most failures that are explained in place.
const MOST_EXPLAINED: usize = 40;

/// The groups of lines that a reader can hide: the class of their rows, and what they are called.
const GROUPS: &[(&str, &str, &[Kind])] = &[
    ("call", "calls and listeners", &[Kind::Call, Kind::User, Kind::Page, Kind::Listener, Kind::Edit]),
    ("event", "events", &[Kind::Event]),
    ("net", "requests", &[Kind::Net]),
    ("ad", "ad decisions and breaks", &[Kind::Ad, Kind::Break]),
    ("beacon", "pixels", &[Kind::Beacon]),
    (
        "other",
        "others",
        &[
            Kind::Native,
            Kind::Ui,
            Kind::Diag,
            Kind::Analytics,
            Kind::Measurement,
            Kind::Header,
            Kind::Outcome,
        ],
    ),
    ("state", "states and media element", &[Kind::State, Kind::Media]),
];

/// The group that is hidden at first.
const HIDDEN: &str = "state";

fn group(kind: Kind) -> &'static str {
    GROUPS.iter().find(|(_, _, kinds)| kinds.contains(&kind)).map_or("other", |(class, _, _)| class)
}

pub(super) fn write(view: &View<'_>, filter: &Filter, html: &mut String) -> fmt::Result {
    let lines = &view.lines.listed;
    let failures = lines.iter().filter(|record| is_failure(record)).count();
    write!(
        html,
        "<p class=\"lead\">{} lines, {} of them failures. ",
        grouped(lines.len() as u64),
        grouped(failures as u64)
    )?;
    html.push_str("Each line names the line that caused it and the rule that decided; a failure opens to its causes. Times in seconds.</p>\n");
    if lines.is_empty() {
        html.push_str("<p>No line is shown.</p>\n");
    } else {
        tools(lines, html)?;
        html.push_str("<table class=\"tr\"><thead><tr><th scope=\"col\" class=\"num\">time</th><th scope=\"col\" class=\"num\">line</th>");
        html.push_str("<th scope=\"col\">what</th><th scope=\"col\">cause</th><th scope=\"col\" class=\"rl\">rule</th></tr></thead><tbody>\n");
        let mut explained = 0;
        let mut before = None;
        for record in lines {
            let explains = is_failure(record) && explained < MOST_EXPLAINED && record.cause.is_some();
            explained += usize::from(explains);
            let is_new = record.opens_turn || before != Some((record.at, record.player));
            before = Some((record.at, record.player));
            row(view, record, is_new, explains, html)?;
        }
        html.push_str("</tbody></table>\n");
    }
    let (left, kept) = view.lines.beyond;
    if left + kept > 0 {
        writeln!(
            html,
            "<p class=\"muted\">The first lines are listed, and {} failures of those after them; {} more lines are left out. \
             <code>playsim run --format text</code> prints all.</p>",
            grouped(kept as u64),
            grouped(left as u64)
        )?;
    }
    for sentence in LeftOut::of(view.trace, filter, view.lines.ids()).sentences() {
        writeln!(html, "<p class=\"small muted\">{}</p>", Text(&sentence))?;
    }
    Ok(())
}

/// Writes the check boxes, which work without a script, and the field for words, which needs one.
fn tools(lines: &[&Record], html: &mut String) -> fmt::Result {
    html.push_str("<div class=\"tools\"><label class=\"js-only\">Find <input type=\"search\" id=\"find\" autocomplete=\"off\"/></label>");
    html.push_str("<span class=\"js-only muted\" id=\"told\" role=\"status\"></span>\n");
    for (class, what, _) in GROUPS {
        let count = lines.iter().filter(|record| group(record.kind) == *class).count();
        if count > 0 {
            let checked = if *class == HIDDEN { "" } else { " checked=\"\"" };
            writeln!(
                html,
                "<label><input type=\"checkbox\" id=\"k-{class}\"{checked}/>{what} ({})</label>",
                grouped(count as u64)
            )?;
        }
    }
    html.push_str("</div>\n");
    Ok(())
}

fn row(view: &View<'_>, record: &Record, is_new: bool, explains: bool, html: &mut String) -> fmt::Result {
    let seq = record.seq;
    // An ordinary answer without an ad is not an error.
    let is_empty = record.data.integer("code") == Some(303);
    let fail = match (is_failure(record), is_empty) {
        (true, true) => " fail none",
        (true, false) => " fail",
        (false, _) => "",
    };
    let turn = if is_new { " turn" } else { "" };
    write!(html, "<tr id=\"s{seq}\" class=\"{}{fail}{turn}\"><td class=\"num tm\">", group(record.kind))?;
    if is_new {
        write!(html, "{}", record.at)?;
    }
    write!(html, "</td><td class=\"num seq\">{seq}</td><td class=\"w\">")?;
    if is_new
        && view.has_players()
        && let Some(player) = view.trace.container(record)
    {
        write!(html, "<span class=\"pn\">{}</span> ", Text(player))?;
    }
    words(record, html)?;
    if explains {
        html.push_str("<details class=\"why\"><summary>why</summary>");
        // What happens in a break is explained with its tag.
        chain::write(view, seq, record.in_break.is_none(), html)?;
        html.push_str("</details>");
    }
    html.push_str("</td><td class=\"nb\">");
    if let Some(cause) = record.cause {
        match view.lines.target(cause) {
            Some(target) => write!(
                html,
                "<a class=\"up-to\" href=\"#s{}\"><span class=\"off\">cause: line </span>← {cause}</a>",
                target.seq
            )?,
            None => write!(html, "<span class=\"muted\">← {cause}</span>")?,
        }
    }
    html.push_str("</td><td class=\"rl\">");
    if let Some(rule) = record.rule {
        write!(html, "{rule}")?;
    }
    html.push_str("</td></tr>\n");
    Ok(())
}

fn words(record: &Record, html: &mut String) -> fmt::Result {
    let mut words = line_words(record);
    if let Some(run) = record.run.filter(|run| run.count > 1) {
        write!(words, "  {} times, every {}, to {}", run.count, run.step, record.until())?;
    }
    let Some((end, _)) = words.char_indices().nth(LONGEST) else {
        return write!(html, "{}", Text(&words));
    };
    let length = words.chars().count();
    write!(
        html,
        "{}… <details><summary>all {} characters</summary>",
        Text(&words[..end]),
        grouped(length as u64)
    )?;
    match words.char_indices().nth(MOST_TEXT) {
        Some((most, _)) => write!(html, "{}… (the rest is left out)</details>", Text(&words[..most])),
        None => write!(html, "{}</details>", Text(&words)),
    }
}
