//! The details of a cell: the first difference with its rule and causes, all differences, and the
//! knobs that help.

use maud::{Markup, html};

use super::evidence;
use super::links::Links;
use super::names::since_start;
use super::view::{Mark, Place};
use crate::cell::{Cell, Explained, RuleOf, Verdict};
use crate::outcome::Change;
use playsim_base::html::{Text, head};
use playsim_base::words::counted;
use playsim_check::Sure;
use playsim_check::compare::{Difference, DifferenceKind};
use playsim_report::page::glyphs::{ARROW, glyph};
use playsim_report::page::{difference, prose};

/// The most differences that are listed.
const MOST: usize = 30;
/// The most differences that are listed unfolded.
const FEW: usize = 5;

pub(super) fn body(index: usize, place: &Place<'_, '_>) -> Markup {
    let mark = Mark::of(place.cell);
    html! {
        @if place.has_details() {
            div class={ "din " (mark.class()) " p" (index) } id=(place.id()) {
                p.ti { (glyph(mark.glyph(), "")) (title(place)) a.cl href=(place.line.link(place.links)) {
                        @match place.links {
                            Links::Within => "close",
                            Links::Between { .. } => "all players",
                        }
                    } }
                @if let Verdict::NotPlayed { why } = &place.cell.verdict {
                    ul.notes { @for it in why { li { (Text(it)) } } }
                }
                (history(place.cell))
                @if let Some(first) = &place.cell.first {
                    @if mark == Mark::Knob { p.muted { "Without it:" } }
                    div.two { div { (explained(place, first)) } (causes(first)) }
                    @if place.cell.verdict == Verdict::Differs { p { "No knob explains the whole case." } }
                    (differences(place))
                }
                (faults(place.cell))
                (evidence::body(place))
                (tests(place))
            }
        }
    }
}

fn title(place: &Place<'_, '_>) -> Markup {
    let (player, case) = (Text(&place.column.player.label), Text(&place.line.row.name));
    html! {
        @match &place.cell.verdict {
            Verdict::Same => { b { (player) " is the same" } " in " (case) "." }
            Verdict::Shared => {
                b { (player) " is the same" } " in " (case) " but for "
                a href=(place.column.link(place.links, "shared")) { "what many cases share" } "."
            }
            Verdict::Knob { settings } => {
                b { (player) " is the same with " (if settings.len() == 1 { "a knob" } else { "any one of these knobs" }) }
                " in " (case) ":"
                @for (nth, setting) in settings.iter().enumerate() {
                    (if nth == 0 { " " } else { " or " }) code { "--knob " (Text(&setting.to_string())) }
                }
            }
            Verdict::Differs => { b { (player) " differs" } " in " (case) "." }
            Verdict::NotPlayed { .. } => {
                b { (case) " was not played as it is written" } ": this says nothing about " (player) "."
            }
            Verdict::Unknown { why } => { b { "Nothing can be said about " (player) } " in " (case) ": " (Text(why)) }
        }
    }
}

/// Returns the change since the baseline, and how repeated recordings differ.
fn history(cell: &Cell) -> Markup {
    let some = |count: usize, before: &str, noun: &str, after: &str| match count {
        0 => String::new(),
        count => format!("{before}{}{after}", counted(count, noun)),
    };
    html! {
        @match cell.change {
            Some(Change::New) => { p { "New: the baseline has nothing wrong here." } }
            Some(Change::Fixed) => { p { "Fixed: the baseline is not in order here." } }
            Some(Change::Changed) => { p { "Changed: the baseline is not in order here, in another way." } }
            None => {}
        }
        @if cell.is_flaky() {
            p {
                "Flaky: " (cell.runs.len()) " recordings of the case come to"
                @for (nth, run) in cell.runs.iter().enumerate() {
                    (if nth == 0 { " " } else { "; " }) (Text(&run.verdict))
                    (some(run.differences.len(), " (", "difference", ")"))
                    (some(run.faults.len(), " and ", "rule", " broken"))
                }
                "."
            }
        }
    }
}

/// Returns the rules that the player breaks, whatever the simulator does.
fn faults(cell: &Cell) -> Markup {
    html! {
        @if !cell.faults.is_empty() {
            table.list {
                caption.off { "Faults by rules alone" }
                (head(&["fault by rule", "the first one", ">at, s", ">times"]))
                tbody {
                    @for fault in &cell.faults {
                        tr {
                            th scope="row" { (Text(&fault.rule)) }
                            td.wrap {
                                (Text(&fault.sentence))
                                @if fault.sure != Sure::Certain { span.muted { " (" (fault.sure.word()) ")" } }
                            }
                            td.num data-l="at " { (since_start(fault.at_us)) }
                            td.num data-l="times " { (fault.count) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the time of a difference: the earlier one of its two sides.
fn at(it: &Difference) -> Option<i64> {
    let places = [it.recorded, it.simulated];
    places.iter().flatten().map(|place| place.at_us).min()
}

fn explained(place: &Place<'_, '_>, first: &Explained) -> Markup {
    let until = place.cell.differences.iter().filter_map(at).min();
    let line = |line: &Option<String>| {
        html! {
            @match line {
                Some(line) => { code { (Text(line)) } }
                None => { span.muted { "nothing" } }
            }
        }
    };
    html! {
        p { (Text(&first.sentence)) }
        dl.dif {
            @if let Some(until) = until { div { dt { "same until" } dd.mono { (since_start(until)) " s" } } }
            div.mi { dt { "\u{2212} playsim" } dd { (line(&first.simulated)) } }
            div.pl { dt { "+ " (Text(&place.column.player.label)) } dd { (line(&first.recorded)) } }
        }
        @if let Some(remedy) = first.remedy() { p { (Text(&remedy)) } }
        @match &first.rule {
            Some(rule) => {
                p { a href=(Text(&place.links.rule(&rule.id))) { (Text(&rule.id)) } " " (basis(rule)) " " (prose(rule.gist)) }
                @if rule.is_choice() {
                    p.note {
                        "No source settles this point: playsim chose. That the player does something else is information about "
                        "it, not a failure."
                    }
                }
            }
            None => { p.muted { "No rule of playsim leads to this line." } }
        }
    }
}

/// Returns the basis of a rule.
pub(super) fn basis(rule: &RuleOf) -> Markup {
    html! { span.chip.note[rule.is_choice()] { (Text(rule.basis)) } }
}

fn causes(first: &Explained) -> Markup {
    html! {
        @if !first.causes.is_empty() {
            div {
                p.muted { "What led to it in playsim, the nearest first:" }
                ol.chain { @for cause in &first.causes { li { code { (Text(cause)) } } } }
            }
        }
    }
}

fn differences(place: &Place<'_, '_>) -> Markup {
    let (all, same) = (&place.cell.differences, place.cell.same);
    let open = (all.len() <= FEW).then_some("open");
    let player = &*place.column.player.label;
    html! {
        details open=[open] {
            summary {
                (ARROW) " "
                @if all.len() == 1 { "1 difference; " } @else { "All " (all.len()) " differences; " }
                @match same {
                    0 => "nothing is the same",
                    1 => "1 line is the same",
                    same => { (same) " lines are the same" }
                }
            }
            table.list {
                caption.off {
                    "Differences of " (Text(player)) " in " (Text(&place.line.row.name)) ", times in seconds since the start"
                }
                (head(&["how", "what", "what is noticed", &format!(">{player}, s"), ">playsim, s", ">later by, s"]))
                tbody {
                    @for it in all.iter().take(MOST) {
                        tr {
                            th scope="row" { (Text(&how(it.kind, player))) }
                            td.wrap.mono { (Text(&it.what)) }
                            td { (it.importance.words()) }
                            @for (label, seen) in [(player, it.recorded), ("playsim", it.simulated)] {
                                td.num data-l={ (Text(label)) " " } { @if let Some(seen) = seen { (since_start(seen.at_us)) } }
                            }
                            td.num data-l="later by " { @if let Some(late) = it.late_us { (difference(late)) } }
                        }
                    }
                }
            }
            @if all.len() > MOST { p.muted { (counted(all.len() - MOST, "more difference")) " not listed." } }
        }
    }
}

/// Returns how a line differs.
fn how(kind: DifferenceKind, player: &str) -> String {
    match kind {
        DifferenceKind::Extra => format!("only {player}"),
        DifferenceKind::Missing => "only playsim".to_owned(),
        DifferenceKind::Order
        | DifferenceKind::Value
        | DifferenceKind::Time
        | DifferenceKind::Overall => kind.word().to_owned(),
    }
}

/// Returns the rules that the situation is meant to test.
fn tests(place: &Place<'_, '_>) -> Markup {
    let rules = &place.line.row.rules;
    html! {
        @if !rules.is_empty() {
            p.muted {
                "The situation tests "
                @for (nth, rule) in rules.iter().enumerate() {
                    @if nth > 0 { ", " }
                    span.nb title=(Text(rule.gist)) { (Text(&rule.id)) " (" (Text(rule.basis)) ")" }
                }
                "."
            }
        }
    }
}
