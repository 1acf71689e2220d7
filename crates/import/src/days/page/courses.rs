//! Recordings of the same course, each name a link to its own page if it has one.

use std::sync::Arc;

use maud::{Markup, html};

use super::{Links, plain};
use crate::days::course::{CourseTag, RecordedCourse};
use crate::days::row::OutcomeKind;
use crate::days::table::RecordingTable;
use crate::days::words::{quantile, short};
use playsim_base::words::{counted, fitted};
use playsim_report::page::glyphs::glyph;

/// The most courses with a row of their own, and the most recordings that are named at once and in
/// all.
const MOST: usize = 20;
const NAMED: usize = 6;
const LISTED: usize = 500;
/// The width of a tag's name.
const NAME: usize = 28;

/// Returns the content of the section.
pub(super) fn body(table: &RecordingTable, links: &Links) -> Markup {
    let has_before = table.before.is_some();
    let shown = &table.courses[..table.courses.len().min(MOST)];
    let others = &table.courses[shown.len()..];
    html! {
        p.lead {
            "Those of a like course together, the most frequent first: the same tags in the same order, each with the same "
            "outcome."
            @if has_before { " Below a number, that of before." }
            @if links.is_empty() {
                " With " code { "-o FOLDER/" } " each name leads to a page of its own."
            }
        }
        div.scroll tabindex="0" role="group" aria-label="Courses" {
            table.list.grp {
                caption.off { "Recordings of a like course" }
                thead { tr {
                    th.num scope="col" { "recordings" }
                    th scope="col" { "course, in the order asked" }
                    th.num scope="col" { "first ad: median, s" }
                    th.num scope="col" { "95 %, s" }
                    th scope="col" { "names" }
                } }
                tbody {
                    @for course in shown { (row(course, links)) }
                    @if !others.is_empty() {
                        tr {
                            td.num data-l="recordings" { (others.iter().map(|it| it.count.count).sum::<u64>()) }
                            td colspan="4" { b { (counted(others.len(), "other course")) } " "
                                (names(&others.iter().flat_map(|it| it.names.clone()).collect::<Vec<_>>(), links)) }
                        }
                    }
                }
            }
        }
    }
}

fn row(course: &RecordedCourse, links: &Links) -> Markup {
    html! {
        tr {
            td.num data-l="recordings" {
                (course.count.count)
                @if let Some(before) = course.before { span.was { (before) } }
            }
            td.crs { @for tag in &course.tags { (step(tag)) " " } }
            td.num data-l="median, s" { (quantile(course.first_ad_median)) }
            td.num data-l="95 %, s" { (quantile(course.first_ad_p95)) }
            td.lnk { (names(&course.names, links)) }
        }
    }
}

/// Returns names of recordings: the first ones, and the others folded.
fn names(names: &[Arc<str>], links: &Links) -> Markup {
    let (first, rest) = names.split_at(names.len().min(NAMED));
    let listed = &rest[..rest.len().min(LISTED)];
    html! {
        @for it in first { (links.name(it)) " " }
        @if !rest.is_empty() {
            details.mo { summary { (rest.len()) " more" }
                @for it in listed { (links.name(it)) " " }
                @if listed.len() < rest.len() { "and " (rest.len() - listed.len()) " others" }
            }
        }
    }
}

fn step(tag: &CourseTag) -> Markup {
    let (name, tone) = match tag.outcome {
        OutcomeKind::Filled => ("fill", "good"),
        OutcomeKind::NoAd => ("empty", "rest"),
        OutcomeKind::Failed => ("cross", "bad"),
        OutcomeKind::GivenUp => ("quit", "bad"),
        OutcomeKind::Late => ("time", "bad"),
        OutcomeKind::NotShown => ("ring", "rest"),
        OutcomeKind::Schedule => ("plan", "rest"),
        OutcomeKind::Unknown => ("unknown", "rest"),
    };
    html! {
        span.st title={ (tag.outcome.words()) ": " (plain(&tag.url)) } {
            (glyph(name, tone)) (fitted(short(&tag.url), NAME)) span.off { " " (tag.outcome.words()) }
        }
    }
}
