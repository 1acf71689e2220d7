//! The trace as a table: each line with a link to its cause, its rule, and for failures the chain
//! of causes.
//!
//! Rules: TRACE-4, TRACE-8.

use maud::{Markup, html};

use super::frame::{FIND, check_box};
use super::lines::is_failure;
use super::scale::grouped;
use super::{View, chain};
use playsim_api::Kind;
use playsim_base::html::Text;
use playsim_trace::{Filter, LeftOutLines, Record, line_words};

/// The length above which a line is shortened until the reader opens it, in characters, and the
/// most of it.
const LONGEST: usize = 400;
const MOST_TEXT: usize = 20_000;
/// The most failures that are explained in place.
const MOST_EXPLAINED: usize = 40;

/// The groups of lines that a reader can hide: the class of their rows, their name, their kinds.
const GROUPS: &[(&str, &str, &[Kind])] = &[
    (
        "call",
        "calls and listeners",
        &[
            Kind::Call,
            Kind::User,
            Kind::Page,
            Kind::Listener,
            Kind::Edit,
        ],
    ),
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
    (
        "state",
        "states and media element",
        &[Kind::State, Kind::Media],
    ),
];

/// The group that is hidden at first.
const HIDDEN: &str = "state";

fn group(kind: Kind) -> &'static str {
    GROUPS
        .iter()
        .find(|(_, _, kinds)| kinds.contains(&kind))
        .map_or("other", |(class, _, _)| class)
}

pub(super) fn section(view: &View<'_>, filter: &Filter) -> Markup {
    let lines = &view.lines.listed;
    let failures = lines.iter().filter(|record| is_failure(record)).count();
    let (left, kept) = view.lines.beyond;
    html! {
        p.lead {
            (grouped(lines.len() as u64)) " lines, " (grouped(failures as u64)) " of them failures. Each line names the line "
            "that caused it and the rule that decided; a failure opens to its causes. Times in seconds."
        }
        @if lines.is_empty() {
            p { "No line is shown." }
        } @else {
            (tools(lines))
            table.tr {
                thead {
                    tr {
                        th.num scope="col" { "time" } th.num scope="col" { "line" } th scope="col" { "what" }
                        th scope="col" { "cause" } th.rl scope="col" { "rule" }
                    }
                }
                tbody { (rows(view)) }
            }
        }
        @if left + kept > 0 {
            p.muted {
                "The first lines are listed, and " (grouped(kept as u64)) " failures of those after them; "
                (grouped(left as u64)) " more lines are left out. " code { "playsim run --format text" } " prints all."
            }
        }
        @for sentence in LeftOutLines::of(view.trace, filter, view.lines.ids()).sentences() {
            p.small.muted { (Text(&sentence)) }
        }
    }
}

/// Returns the check boxes, which work without a script, and the search field, which needs one.
fn tools(lines: &[&Record]) -> Markup {
    let count = |class: &str| {
        lines
            .iter()
            .filter(|record| group(record.kind) == class)
            .count()
    };
    html! {
        div.tools {
            label.js-only { "Find " (FIND) }
            span.js-only.muted #told role="status" {}
            @for (class, what, _) in GROUPS.iter().filter(|(class, ..)| count(class) > 0) {
                label { (check_box(&format!("k-{class}"), *class != HIDDEN)) (what) " (" (grouped(count(class) as u64)) ")" }
            }
        }
    }
}

fn rows(view: &View<'_>) -> Markup {
    let mut explained = 0;
    let mut before = None;
    let rows = view.lines.listed.iter().map(|record| {
        let explains = is_failure(record) && explained < MOST_EXPLAINED && record.cause.is_some();
        explained += usize::from(explains);
        let here = Some((record.at, record.player));
        let is_new = std::mem::replace(&mut before, here) != here || record.opens_turn;
        row(view, record, is_new, explains)
    });
    html! { @for row in rows { (row) } }
}

fn row(view: &View<'_>, record: &Record, is_new: bool, explains: bool) -> Markup {
    let seq = record.seq;
    let fails = is_failure(record);
    // An ordinary answer without an ad is not an error.
    let is_empty = fails && record.data.integer("code") == Some(303);
    let player = view
        .trace
        .container(record)
        .filter(|_| is_new && view.has_players());
    html! {
        tr id={ "s" (seq) } class={ (group(record.kind)) @if fails { " fail" } @if is_empty { " none" } @if is_new { " turn" } } {
            td.num.tm { @if is_new { (record.at) } }
            td.num.seq { (seq) }
            td.w {
                @if let Some(player) = player { span.pn { (Text(player)) } " " }
                (words(record))
                @if explains {
                    // Lines in a break are explained with their tag.
                    details.why { summary { "why" } (chain::list(view, seq, record.in_break.is_none())) }
                }
            }
            td.nb {
                @if let Some(cause) = record.cause {
                    @match view.lines.target(cause) {
                        Some(target) => {
                            a.up-to href={ "#s" (target.seq) } { span.off { "cause: line " } "← " (cause) }
                        }
                        None => { span.muted { "← " (cause) } }
                    }
                }
            }
            td.rl { @if let Some(rule) = record.rule { (rule) } }
        }
    }
}

fn words(record: &Record) -> Markup {
    let mut words = line_words(record);
    if let Some(run) = record.run.filter(|run| run.count > 1) {
        words += &format!(
            "  {} times, every {}, to {}",
            run.count,
            run.step,
            record.until()
        );
    }
    let beginning = |length: usize| {
        words
            .char_indices()
            .nth(length)
            .map(|(end, _)| Text(&words[..end]))
    };
    let length = words.chars().count() as u64;
    html! {
        @match (beginning(LONGEST), beginning(MOST_TEXT)) {
            (None, _) => { (Text(&words)) }
            (Some(short), whole) => {
                (short) "… "
                details {
                    summary { "all " (grouped(length)) " characters" }
                    @match whole {
                        Some(most) => { (most) "… (the rest is left out)" }
                        None => { (Text(&words)) }
                    }
                }
            }
        }
    }
}
