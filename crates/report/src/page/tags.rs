//! The tables of the picture: all ad breaks of the session, all tags, and the schedules of VMAP
//! documents.

use maud::{Markup, html};

use super::axis::bar;
use super::fate::{Fate, took, words};
use super::glyphs::glyph;
use super::scale::{Scale, X, end_of, seconds};
use super::verdict::{first_start, waited};
use super::{View, break_id};
use crate::waterfall::{AdBreakOutcome, AdBreakReport, TagOutcome};
use playsim_base::html::{BR, Text, head};
use playsim_base::words::counted;

/// The most rows of each table.
const MOST: usize = 500;

/// Returns the overview of a session with several breaks, which is also the index of their
/// pictures.
pub(super) fn session(view: &View<'_>) -> Markup {
    let breaks = &view.report.breaks;
    if breaks.len() < 2 {
        return html! {};
    }
    let scale = Scale::tight(0, breaks.iter().map(end_of).max().unwrap_or_default());
    let axis = format!("0 to {} s", seconds(scale.to_us()));
    let sum = |count: &dyn Fn(&AdBreakReport) -> usize| breaks.iter().map(count).sum::<usize>();
    let waits = breaks
        .iter()
        .filter_map(waited)
        .fold(0, u64::saturating_add);
    html! {
        p.lead { "The ad breaks in the order in which they began." }
        table.list {
            (head(&["ad break", ">began, s", ">waited, s", "outcome", ">tags tried", ">ads shown", ">pixels", &axis]))
            tbody {
                @for (index, it) in breaks.iter().enumerate().take(MOST) {
                    @let heading = view.label(it);
                    tr {
                        th scope="row" {
                            @if index < super::picture::MOST_BREAKS {
                                a href={ "#" (break_id(index)) } { (Text(&heading)) }
                            } @else {
                                (Text(&heading))
                            }
                        }
                        td.num data-l="at " { (seconds(it.begin_us)) }
                        td.num data-l="waited " { @if let Some(wait) = waited(it) { (seconds(wait)) } }
                        td { (break_glyph(it)) " " (Text(it.outcome.word())) }
                        td.num data-l="tags " { (tried(it)) }
                        td.num data-l="ads " { (shown(it)) }
                        td.num data-l="pixels " { (it.beacons.len()) }
                        td.strip { (strip(&scale, it)) }
                    }
                }
                tr.total {
                    th scope="row" { (counted(breaks.len(), "ad break")) }
                    td {}
                    td.num data-l="waited " { (seconds(waits)) }
                    td {}
                    td.num data-l="tags " { (sum(&tried)) }
                    td.num data-l="ads " { (sum(&shown)) }
                    td.num data-l="pixels " { (sum(&|it| it.beacons.len())) }
                    td {}
                }
            }
        }
    }
}

/// Returns how many tags of a break were requested.
fn tried(it: &AdBreakReport) -> usize {
    it.tags
        .iter()
        .filter(|tag| tag.outcome != TagOutcome::NotAsked)
        .count()
}

/// Returns how many ads of a break started.
fn shown(it: &AdBreakReport) -> usize {
    it.played.iter().filter(|ad| ad.start_us.is_some()).count()
}

fn break_glyph(it: &AdBreakReport) -> Markup {
    if first_start(it).is_some() {
        glyph("fill", "good")
    } else {
        outcome_glyph(&it.outcome)
    }
}

fn outcome_glyph(outcome: &AdBreakOutcome) -> Markup {
    match outcome {
        AdBreakOutcome::Filled => glyph("fill", "good"),
        AdBreakOutcome::Scheduled => glyph("plan", "good"),
        AdBreakOutcome::NoFill => glyph("empty", "muted"),
        AdBreakOutcome::Aborted
        | AdBreakOutcome::Open
        | AdBreakOutcome::LeftOut
        | AdBreakOutcome::Dropped
        | AdBreakOutcome::NeverReached
        | AdBreakOutcome::Other(_) => glyph("unread", "muted"),
    }
}

/// Draws when a break waited and when its ads played, on the axis of the whole session.
fn strip(scale: &Scale, it: &AdBreakReport) -> Markup {
    let wait = waited(it).map(|wait| (it.begin_us, it.begin_us.saturating_add(wait)));
    let class = if first_start(it).is_some() || it.outcome == AdBreakOutcome::Scheduled {
        "b-req"
    } else {
        "b-wait"
    };
    let ads = it
        .played
        .iter()
        .filter_map(|ad| Some((ad.start_us?, ad.end_us.unwrap_or(scale.to_us()))));
    let bars = wait
        .into_iter()
        .map(|span| (class, span))
        .chain(ads.map(|span| ("b-ad", span)));
    html! {
        svg aria-hidden="true" {
            line.gr x1="0%" x2="100%" y1="10" y2="10" {}
            @for (class, (from, to)) in bars { (bar(class, (scale.start(from), scale.end(to)), (5, 10), X(1_000), html! {})) }
        }
    }
}

/// Returns the tags of all breaks with their outcomes and reasons.
pub(super) fn tags(view: &View<'_>) -> Markup {
    let breaks = &view.report.breaks;
    let count: usize = breaks.iter().map(|it| it.tags.len()).sum();
    if count == 0 {
        return html! {};
    }
    let has_breaks = breaks.len() > 1;
    let rows = breaks.iter().enumerate().flat_map(|(index, it)| {
        it.tags
            .iter()
            .enumerate()
            .map(move |(nth, tag)| (index, it, nth, tag))
    });
    let columns = [
        "ad break",
        ">tag",
        "outcome",
        ">code",
        ">asked, s",
        ">took, s",
        ">documents",
        "address and reason",
    ];
    html! {
        p.lead { "Each tag with its outcome and the reason." }
        table.list {
            (head(if has_breaks { &columns } else { &columns[1..] }))
            tbody {
                @for (index, it, nth, tag) in rows.take(MOST) {
                    @let (fate, number) = (Fate::of(tag), super::picture::tag_number(it, tag));
                    tr {
                        @if has_breaks { td { (Text(&view.label(it))) } }
                        td.num data-l="tag " {
                            @if index < super::picture::MOST_BREAKS && nth < super::picture::MOST_ROWS {
                                a href={ "#" (break_id(index)) "-t" (nth) } { (number) }
                            } @else {
                                (number)
                            }
                        }
                        td { (glyph(fate.glyph(), fate.tone())) " " (Text(&words(tag, view.report))) }
                        td.num.(fate.tone()) { @if let Some(code) = tag.code { (code) } }
                        td.num data-l="at " { @if let Some(asked) = tag.asked_us { (seconds(asked)) } }
                        td.num data-l="took " { @if let Some(took) = took(tag) { (seconds(took)) } }
                        td.num data-l="documents " { @if tag.hops > 0 { (tag.hops) } }
                        td.wrap { (address_and_reason(&tag.address, tag.reason.as_deref())) }
                    }
                }
            }
        }
        @if count > MOST { p.muted { (counted(count - MOST, "more tag")) " are left out." } }
        (unanswered(view))
        (unreplaced(view))
    }
}

fn address_and_reason(address: &str, reason: Option<&str>) -> Markup {
    html! { code { (Text(address)) } @if let Some(reason) = reason { (BR) (Text(reason)) } }
}

/// Returns the URLs that the scenario does not list.
fn unanswered(view: &View<'_>) -> Markup {
    let all = &view.report.unanswered;
    html! {
        @if !all.is_empty() {
            h3 { "Addresses without an answer" }
            p.muted { "The scenario does not list them; each got a 404." }
            ul.notes {
                @for it in all.iter().take(MOST) {
                    li {
                        code { (Text(&it.url)) }
                        @if let Some(near) = &it.suggestion { ", nearly the same as " code { (Text(near)) } }
                    }
                }
            }
        }
    }
}

/// Returns the macros that were not replaced.
fn unreplaced(view: &View<'_>) -> Markup {
    let mut all = view
        .report
        .breaks
        .iter()
        .flat_map(|it| &it.unfilled)
        .take(MOST)
        .peekable();
    html! {
        @if all.peek().is_some() {
            h3 { "Macros left as they were" }
            ul.notes {
                @for it in all {
                    li {
                        code { (Text(&it.name)) } " in " (counted(it.urls.len(), "address"))
                        @if let Some(url) = it.urls.first() { ", such as " code { (Text(url)) } }
                    }
                }
            }
        }
    }
}

/// Returns the outcomes of the breaks that VMAP documents schedule.
pub(super) fn schedules(view: &View<'_>) -> Markup {
    let schedules = &view.report.schedules;
    html! {
        @if !schedules.is_empty() { p.lead { "The ad breaks of VMAP documents, in document order." } }
        @for schedule in schedules {
            h3 { code { (Text(&schedule.document)) } }
            table.list {
                (head(&["offset", "id", "outcome", ">began, s", "place and reason"]))
                tbody {
                    @for it in schedule.breaks.iter().take(MOST) {
                        tr {
                            td { (Text(it.offset.as_deref().unwrap_or_default())) }
                            td { (Text(it.id.as_deref().unwrap_or_default())) }
                            td { (outcome_glyph(&it.outcome)) " " (Text(it.outcome.word())) }
                            td.num data-l="at " {
                                @for (nth, us) in it.begin_us.iter().enumerate() { @if nth > 0 { (BR) } (seconds(*us)) }
                            }
                            td.wrap { (address_and_reason(&it.at, it.reason.as_deref())) }
                        }
                    }
                }
            }
            @if schedule.breaks.len() > MOST {
                p.muted { (counted(schedule.breaks.len() - MOST, "more break")) " are left out." }
            }
        }
    }
}
