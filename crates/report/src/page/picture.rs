//! The waterfall as a picture: a row for each tag, ad and the content on one time axis. Rows open
//! to details.

use maud::{Markup, html};

use super::fate::{Fate, name, took, words};
use super::glyphs::{ARROW, glyph};
use super::scale::{Scale, X, end_of, seconds, short};
use super::verdict::{TagPlace, first_start, waited};
use super::{View, axis, break_id};
use crate::waterfall::{AdBreakKind, AdBreakOutcome, AdBreakReport, Played, Tag};
use playsim_base::html::Text;
use playsim_base::words::counted;

mod ad;
mod bars;
mod detail;

/// The most breaks, and rows of each, that are drawn.
pub(super) const MOST_BREAKS: usize = 40;
pub(super) const MOST_ROWS: usize = 60;
/// The height of a row's drawing in pixels.
const HEIGHT: u32 = 46;

/// Returns the number of a tag, from 1, with that of its pod if there are several.
pub(super) fn tag_number(it: &AdBreakReport, tag: &Tag) -> String {
    let number = |index: u32| u64::from(index) + 1;
    if it.tags.iter().any(|tag| tag.pod > 0) {
        return format!("{}.{}", number(tag.pod), number(tag.wp));
    }
    number(tag.wp).to_string()
}

/// A break with its axis, while it is drawn.
struct Figure<'v, 'a> {
    view: &'v View<'a>,
    it: &'a AdBreakReport,
    index: usize,
    scale: Scale,
}

/// Returns the pictures of all breaks; the row of the tag that the verdict names is open.
pub(super) fn section(view: &View<'_>, named: Option<TagPlace>) -> Markup {
    let breaks = &view.report.breaks;
    if breaks.is_empty() {
        return html! {};
    }
    let figures = breaks
        .iter()
        .enumerate()
        .take(MOST_BREAKS)
        .map(|(index, it)| {
            let named = named.filter(|(of, _)| *of == index).map(|(_, tag)| tag);
            Figure {
                view,
                it,
                index,
                scale: Scale::of_break(it),
            }
            .draw(named)
        });
    html! {
        p.lead {
            "Seconds since the run began. A row opens to what happened, what it means, who acts, and its requests."
        }
        @for figure in figures { (figure) }
        @if breaks.len() > MOST_BREAKS {
            p.muted { (counted(breaks.len() - MOST_BREAKS, "ad break")) " after these are not drawn; the trace has them." }
        }
        ul.key {
            @for (class, meaning) in KEY {
                li { svg.k aria-hidden="true" { rect class=(class) x="1" y="1" width="20" height="8" {} } (meaning) }
            }
        }
    }
}

/// The kinds of bars with their meaning.
const KEY: [(&str, &str); 8] = [
    ("b-req", "tag"),
    ("b-hop", "wrapper hop"),
    ("b-media", "media"),
    ("b-hollow", "answer without an ad"),
    ("b-wait", "waiting for nothing"),
    ("b-late", "came too late"),
    ("b-ad", "ad, with its pixels below"),
    ("b-content", "content"),
];

impl Figure<'_, '_> {
    fn draw(&self, named: Option<usize>) -> Markup {
        let it = self.it;
        let id = break_id(self.index);
        let more =
            |count: usize, noun| (count > MOST_ROWS).then(|| counted(count - MOST_ROWS, noun));
        html! {
            @if self.view.report.breaks.len() > 1 {
                @let outcome = if it.outcome == AdBreakOutcome::Open { "unfinished" } else { it.outcome.word() };
                h3 id=(id) {
                    (Text(&self.view.label(it))) " "
                    span.muted.plain {
                        (Text(outcome)) @if let Some(wait) = waited(it) { " after " (seconds(wait)) " s" }
                        ", " (Text(&it.why))
                    }
                }
            }
            div.wf {
                (axis::row(&self.scale, &id, it.begin_us, HEIGHT))
                @for (index, tag) in it.tags.iter().enumerate().take(MOST_ROWS) {
                    (self.tag(index, tag, named == Some(index)))
                }
                @if let Some(more) = more(it.tags.len(), "more tag") { p.rest.muted { (more) ", listed below." } }
                (self.sum())
                @for (index, ad) in it.played.iter().enumerate().take(MOST_ROWS) { (self.ad(index, ad)) }
                @if let Some(more) = more(it.played.len(), "more ad") { p.rest.muted { (more) "." } }
                (self.content())
            }
        }
    }

    /// Returns the drawing of a row with its title for those who do not see it.
    fn plot(&self, title: &str, inside: Markup) -> Markup {
        html! {
            span.pl {
                svg.plot height=(HEIGHT) role="img" aria-label=(Text(title)) {
                    use href={ "#" (break_id(self.index)) "-grid" } {}
                    (inside)
                }
            }
        }
    }

    fn tag(&self, index: usize, tag: &Tag, is_open: bool) -> Markup {
        let fate = Fate::of(tag);
        let (said, number, named) = (
            words(tag, self.view.report),
            tag_number(self.it, tag),
            name(tag),
        );
        let asked = tag.until_decided().map(|request| request.asked_us).min();
        let span = match (asked, tag.decided_us) {
            (Some(from), Some(to)) => {
                format!(", from {} to {} seconds", seconds(from), seconds(to))
            }
            _ => String::new(),
        };
        let code = tag.code.map_or_else(String::new, |code| format!(" {code}"));
        let title = format!("Tag {number}, {named}: {said}{code}{span}");
        html! {
            details id={ (break_id(self.index)) "-t" (index) } open=[is_open.then_some("")] {
                summary.row {
                    span.who {
                        (ARROW) (glyph(fate.glyph(), fate.tone()))
                        span.n { (number) }
                        span.a title=(Text(&tag.address)) { (Text(&named)) }
                        span.o {
                            (Text(&said)) @if let Some(code) = tag.code { " · " b class=(fate.tone()) { (code) } }
                        }
                    }
                    (self.plot(&title, bars::tag(&self.scale, tag, fate)))
                    span.took {
                        @if let Some(asked) = asked {
                            @if let Some(took) = took(tag) { (seconds(took)) }
                            span { "at " (seconds(asked)) }
                        }
                    }
                }
                div.in { (detail::tag(self, tag, fate)) }
            }
        }
    }

    /// Returns the line below the tags: how long the viewer waited.
    fn sum(&self) -> Markup {
        let Some(wait) = waited(self.it).filter(|_| !self.it.tags.is_empty()) else {
            return html! {};
        };
        let until = match (first_start(self.it), &self.it.outcome) {
            (Some(_), _) => "until the first ad",
            (None, AdBreakOutcome::Scheduled) => "until the schedule was there",
            (None, _) => "until the break gave up",
        };
        html! { div.row.sum { span.who { span.a { (until) } } span.took { (seconds(wait)) } } }
    }

    fn ad(&self, index: usize, ad: &Played) -> Markup {
        let of = self.it.played.len();
        let (symbol, tone, end) = ad::end(ad);
        let id = ad
            .ad
            .as_deref()
            .filter(|id| !id.is_empty())
            .unwrap_or("ad without an id");
        let span = match (ad.start_us, ad.end_us) {
            (Some(from), Some(to)) => {
                format!(", from {} to {} seconds", seconds(from), seconds(to))
            }
            (Some(from), None) => format!(", from {} seconds on", seconds(from)),
            (None, _) => String::new(),
        };
        html! {
            details id={ (break_id(self.index)) "-a" (index) } {
                summary.row {
                    span.who {
                        (ARROW) (glyph(symbol, tone))
                        span.n {}
                        span.a title=(Text(id)) { (Text(id)) }
                        span.o { @if of > 1 { "ad " (index + 1) " of " (of) ", " } (end) }
                    }
                    (self.plot(&format!("Ad {id}: {end}{span}"), ad::bar(self, ad)))
                    span.took {
                        @if let Some(start) = ad.start_us {
                            @if let Some(end) = ad.end_us { (seconds(end.saturating_sub(start))) }
                            span { "at " (seconds(start)) }
                        }
                    }
                }
                div.in { (ad::detail(self, index, ad)) }
            }
        }
    }

    /// Returns the row of the content: when it begins or resumes.
    fn content(&self) -> Markup {
        let it = self.it;
        let plays_on = it.kind.plays_on();
        let resumed = it
            .end_us
            .and_then(|end| self.view.content_after(it.player.as_deref(), end));
        let Some(from) = (if plays_on { Some(it.begin_us) } else { resumed }) else {
            return html! {};
        };
        let title = match (plays_on, it.kind == AdBreakKind::Pre) {
            (true, _) => "The content plays on".to_owned(),
            (false, true) => format!("The content begins at {}", seconds(from)),
            (false, false) => format!("The content resumes at {}", seconds(from)),
        };
        let (left, right) = (self.scale.start(from), X(97_000));
        html! {
            div.row {
                span.who {
                    (glyph("dot", "muted"))
                    span.a { "content" }
                    span.o { @if let Some(length) = self.view.report.content_us { "lasts " (short(length)) " s" } }
                }
                (self.plot(&title, html! {
                    @if !plays_on && from >= end_of(it) { line.lead x1=(left) x2=(left) y1="0" y2="16" {} }
                    rect.b-content x=(left) y="16" width=(left.to(right)) height="12" {}
                    svg x=(right) y="12" overflow="visible" { path.b-content d="M0 0l8 10-8 10z" {} }
                }))
                span.took { span { "at " (seconds(from)) } }
            }
        }
    }
}
