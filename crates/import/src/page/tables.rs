//! The tags and the pixels as tables.

use maud::{Markup, html};

use super::mark::{said, sure};
use super::{View, code, outcome, sentence};
use crate::evidence::Certainty;
use crate::verdict::{
    BreakVerdict, Hop, PixelVerdict, PlayerLimit, TagVerdict, kinds, reason, sent_with, unfilled,
    words,
};
use playsim_base::html::Text;
use playsim_base::time::Span;
use playsim_base::words::{counted, seconds};
use playsim_report::page::frame::Section;
use playsim_report::page::glyphs::glyph;

/// The most rows of each table.
const MOST: usize = 500;

/// Returns a length in seconds, or nothing.
pub(super) fn maybe(span: Option<Span>) -> String {
    span.map_or_else(String::new, |span| seconds(span.micros()))
}

pub(super) fn tags(view: &View<'_>) -> Option<Section> {
    let all: Vec<(&BreakVerdict, &TagVerdict)> = view
        .verdict
        .breaks
        .iter()
        .flat_map(|it| it.tags.iter().map(move |tag| (it, tag)))
        .collect();
    let has_breaks = view.verdict.breaks.len() > 1;
    let body = html! {
        p class="lead" { "What each tag was answered, with its redirects and wrappers. An entry is the place of a request in the file, from 0." }
        table class="list rec" {
            thead {
                tr {
                    @if has_breaks { th scope="col" { "break" } }
                    th scope="col" class="num" { "tag" }
                    th scope="col" { "outcome" }
                    th scope="col" class="num" { "asked, s" }
                    th scope="col" class="num" { "took, s" }
                    th scope="col" class="num" { "waited, s" }
                    th scope="col" { "answer and address" }
                }
            }
            tbody {
                @for (it, tag) in all.iter().take(MOST) { (tag_row(view, has_breaks.then_some(*it), tag)) }
            }
        }
        @if all.len() > MOST { p class="muted" { (counted(all.len() - MOST, "more tag")) " left out." } }
        @if let Some(limit) = &view.verdict.limit { p { (limited(limit)) } }
    };
    (!all.is_empty()).then(|| Section::new("answers", "Tags", body))
}

fn tag_row(view: &View<'_>, it: Option<&BreakVerdict>, tag: &TagVerdict) -> Markup {
    let (symbol, tone) = outcome::look(&tag.outcome);
    let codes: Vec<String> = tag.codes.iter().map(u16::to_string).collect();
    html! {
        tr {
            @if let Some(it) = it { td { (kinds(it)) } }
            td class="num" data-l="tag " { (tag.number) }
            td class="wide-text" {
                (glyph(symbol, tone)) " " (said(tag.certainty, &words(tag)))
                @if let Some(reason) = reason(view.evidence, tag) { span class="why-line" { (Text(&reason)) } }
                @if !codes.is_empty() { span class="why-line" { "error pixels: " (codes.join(", ")) } }
            }
            td class="num" data-l="at " { (seconds(tag.asked.micros())) }
            td class="num" data-l="took " { (maybe(tag.took)) }
            td class="num" data-l="waited " { (maybe(tag.waited)) }
            td class="wrap" {
                @if let Some(status) = tag.status { (status) ", " }
                (Text(&tag.answer.to_string())) ", entry " (tag.entry)
                div { (code(&tag.url)) }
                (left(&tag.url))
                @if !tag.hops.is_empty() { (hops(&tag.hops)) }
            }
        }
    }
}

/// Returns the macros that a URL was sent with.
fn left(url: &str) -> Markup {
    let macros = unfilled(url);
    html! {
        @if !macros.is_empty() { span class="why-line" { (sent_with(&macros)) } }
    }
}

fn hops(hops: &[Hop]) -> Markup {
    html! {
        ul class="notes" {
            @for hop in hops.iter().take(MOST) {
                li {
                    (kind(hop)) " at " (seconds(hop.asked.micros())) " s"
                    @if let Some(took) = hop.took { ", took " (seconds(took.micros())) " s" }
                    ": " (Text(&hop.how)) ", entry " (hop.entry) " " (code(&hop.url)) (left(&hop.url))
                }
            }
        }
    }
}

/// Returns the kind of a document on the way to an ad.
fn kind(hop: &Hop) -> &'static str {
    match (hop.is_redirect, hop.hop) {
        (true, _) => "redirect",
        (false, 0) => "tag",
        (false, _) => "wrapper",
    }
}

/// Returns how long the player waits, as far as the recording shows it.
fn limited(limit: &PlayerLimit) -> Markup {
    let lower = seconds(limit.lower.micros());
    match limit.upper {
        Some(upper) => {
            let upper = seconds(upper.micros());
            let range = if lower == upper {
                upper
            } else {
                format!("{lower} to {upper}")
            };
            said(
                Certainty::Inferred,
                &format!("The player gives up after {range} s."),
            )
        }
        None => said(
            Certainty::Seen,
            &format!("The player waited for {lower} s without giving up."),
        ),
    }
}

pub(super) fn pixels(view: &View<'_>) -> Option<Section> {
    let all = &view.verdict.pixels;
    let faulty = all.iter().filter(|pixel| !pixel.faults.is_empty()).count();
    let body = html! {
        p class="lead" {
            @match (all.len(), faulty) {
                (0, _) if view.evidence.is_bodiless() => { "Which requests are pixels is unknown." }
                (0, _) => { "No pixels were sent." }
                (count, 0) => { (counted(count, "pixel")) ", none of them faulty." }
                (count, _) => { (counted(count, "pixel")) ", " (faulty) " of them faulty." }
            }
        }
        @if !all.is_empty() {
            table class="list rec cmp" {
                thead {
                    tr {
                        th scope="col" { "event" }
                        th scope="col" class="num" { "sent, s" }
                        th scope="col" class="num" { "status" }
                        th scope="col" class="num" { "wrappers above" }
                        th scope="col" class="num" { "entry" }
                        th scope="col" { "how sure" }
                        th scope="col" { "address as sent" }
                    }
                }
                tbody { @for pixel in all.iter().take(MOST) { (pixel_row(pixel)) } }
            }
        }
        @if all.len() > MOST { p class="muted" { (counted(all.len() - MOST, "more pixel")) " left out." } }
    };
    Some(Section::new("sent", "Pixels as sent", body))
}

fn pixel_row(pixel: &PixelVerdict) -> Markup {
    html! {
        tr class=[(!pixel.faults.is_empty()).then_some("diff")] {
            th scope="row" { (Text(pixel.event.name())) @if let Some(code) = pixel.code { " " (code) } }
            td class="num" data-l="at " { (seconds(pixel.at.micros())) }
            td class="num" data-l="status " { @if let Some(status) = pixel.status { (status) } }
            td class="num" data-l="wrappers above " { @if let Some(hop) = pixel.hop { (hop) } }
            td class="num" data-l="entry " { (pixel.entry) }
            td { (sure(pixel.certainty)) }
            td class="wrap" {
                @for fault in &pixel.faults { div class="bad" { (glyph("differ", "bad")) " " (Text(&sentence(&fault.to_string()))) } }
                (code(&pixel.url))
            }
        }
    }
}
