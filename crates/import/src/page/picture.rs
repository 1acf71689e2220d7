//! The picture of the recording: each break on one axis, with its tags, ads and pixels.

use maud::{Markup, html};

use super::drawing::{Bar, bar};
use super::figure::{Figure, HEIGHT, documented_end};
use super::mark::{said, sure};
use super::{View, outcome, panel, pixels};
use crate::evidence::{Certainty, Role};
use crate::verdict::{
    AdVerdict, NotShown, TagFailure, TagResult, TagVerdict, capital, kinds, played, short,
};
use playsim_base::html::Text;
use playsim_base::time::Time;
use playsim_base::words::{counted, seconds};
use playsim_report::comparison::{ComparedStep, Seen, StepKind};
use playsim_report::page::axis;
use playsim_report::page::frame::Section;
use playsim_report::page::glyphs::glyph;

/// The most breaks, and rows of each, that are drawn.
const MOST_BREAKS: usize = 40;
const MOST_ROWS: usize = 60;

pub(super) fn section(view: &View<'_>) -> Section {
    let worst = outcome::worst(view);
    let breaks = view.verdict.breaks.iter().take(MOST_BREAKS).enumerate();
    let figures = breaks.map(|(index, it)| {
        let nth = worst.filter(|(at, _)| *at == index).map(|(_, nth)| nth);
        Figure::of(view, it, index).draw(nth)
    });
    let left_out = view.verdict.breaks.len().saturating_sub(MOST_BREAKS);
    let body = html! {
        p class="lead" {
            "As recorded, in seconds since the recording began. What a player that follows the rules does is an outline below, only where it differs. A name leads to its details."
        }
        @for figure in figures { (figure) }
        @if left_out > 0 { p class="muted" { (counted(left_out, "more break")) " not drawn." } }
        ul class="key" {
            @for it in Bar::ALL {
                li {
                    svg class="k" aria-hidden="true" { rect class=(it.class()) x="1" y="1" width="20" height="8" {} }
                    (it.meaning())
                }
            }
        }
    };
    Section::new("page", "What the page did", body)
}

impl Figure<'_, '_> {
    fn draw(&self, worst: Option<usize>) -> Markup {
        let it = self.it;
        let id = format!("r{}", self.index + 1);
        html! {
            h3 id=(id) {
                span class={ "said " (it.certainty.word()) } { (capital(&kinds(it))) }
                span class="muted plain" { ", from " (seconds(it.begin.micros())) " s " }
                (sure(it.certainty))
            }
            @if let Some(why) = outcome::kind_reason(it) { p class="small muted" { "Since " (why) "." } }
            div class="pic" {
                div class="wf rec" {
                    (axis::row(&self.scale, &id, it.begin.micros(), HEIGHT))
                    @for (nth, tag) in it.tags.iter().enumerate().take(MOST_ROWS) { (self.tag(nth, tag, worst == Some(nth))) }
                    @for (step, seen) in self.missing_of(StepKind::Tag) { (self.missing(step, seen)) }
                    @if it.tags.len() > MOST_ROWS {
                        p class="rest muted" { (counted(it.tags.len() - MOST_ROWS, "more tag")) ", listed below." }
                    }
                    (self.sum())
                    @for (nth, ad) in it.ads.iter().enumerate().take(MOST_ROWS) { (self.ad(nth, ad)) }
                    @if it.ads.len() > MOST_ROWS {
                        p class="rest muted" { (counted(it.ads.len() - MOST_ROWS, "more ad")) "." }
                    }
                    @for (step, seen) in self.missing_of(StepKind::Ad) { (self.missing(step, seen)) }
                    (pixels::row(self))
                }
                div class="pans" {
                    @for (nth, tag) in it.tags.iter().enumerate().take(MOST_ROWS) {
                        (panel::tag(self.view, &self.id("t", nth), tag))
                    }
                    @for (nth, ad) in it.ads.iter().enumerate().take(MOST_ROWS) {
                        (panel::ad(self.view, &self.id("a", nth), ad, self.seen_until(ad)))
                    }
                }
            }
        }
    }

    fn tag(&self, nth: usize, tag: &TagVerdict, is_worst: bool) -> Markup {
        let (symbol, tone) = outcome::look(&tag.outcome);
        let (name, brief) = (short(&tag.url), outcome::brief(tag));
        let spoken = format!(
            "Tag {}, {name}: {brief}, asked at {} seconds",
            tag.number,
            seconds(tag.asked.micros())
        );
        html! {
            div class={ "row" @if is_worst { " worst" } } {
                span class="who" {
                    (glyph(symbol, tone))
                    span class="n" { (tag.number) }
                    a class="a" href={ "#" (self.id("t", nth)) } title=(Text(name)) { (Text(name)) }
                    span class="o" {
                        @if let TagResult::Unknown { .. } = tag.outcome {
                            (sure(Certainty::Unknown))
                        } @else {
                            (said(tag.certainty, &brief))
                        }
                    }
                    @if let Some(reason) = outcome::row_reason(self.view, tag) { span class="o" { (Text(&reason)) } }
                    @if tag.together { span class="o" { "asked at once with others" } }
                    @if is_worst { span class="o bad" { b { "cost most" } } }
                }
                (self.plot(&spoken, self.tag_bars(tag)))
                span class="took" {
                    @if let Some(took) = tag.took.or(tag.waited) { (seconds(took.micros())) }
                    span { "at " (seconds(tag.asked.micros())) }
                }
            }
        }
    }

    fn tag_bars(&self, tag: &TagVerdict) -> Markup {
        let draw = |kind, from: Time, to: Time| bar(&self.scale, kind, from, to);
        let (asked, took) = (tag.asked, tag.asked + tag.took.unwrap_or_default());
        let waited = tag.waited.map(|waited| asked + waited);
        html! {
            @match &tag.outcome {
                TagResult::GivenUp { between } => { (draw(Bar::Wait, asked, asked + between.1)) }
                TagResult::ShownLate { .. } | TagResult::AnsweredNotShown { why: NotShown::TooLate { .. } } => {
                    @let gone = waited.unwrap_or(took).min(took);
                    (draw(Bar::Wait, asked, gone)) (draw(Bar::Late, gone, took))
                }
                TagResult::Unknown { .. } => { (draw(Bar::Unknown, asked, took.max(waited.unwrap_or(took)))) }
                TagResult::NoAd { .. } => { (draw(Bar::Hollow, asked, took)) }
                TagResult::Failed { cause: TagFailure::Network { .. } } => {
                    (draw(Bar::Wait, asked, waited.unwrap_or(took)))
                }
                TagResult::Failed { cause: TagFailure::Media { .. } } | TagResult::Filled { .. } | TagResult::Scheduled { .. }
                | TagResult::AnsweredNotShown { .. } => { (draw(Bar::Tag, asked, took)) }
                TagResult::Failed { .. } => { (draw(Bar::Hollow, asked, took)) }
            }
            @for hop in tag.hops.iter().filter(|hop| hop.asked > asked) {
                (draw(Bar::Hop, hop.asked, hop.asked + hop.took.unwrap_or_default()))
            }
            @for (from, to) in self.media(tag) { (draw(Bar::Media, from, to)) }
            @for seen in tag.hops.iter().filter_map(|hop| self.differing_hop(hop)) { (self.outline(seen)) }
            @if let Some(seen) = self.differing_tag(tag) { (self.outline(seen)) }
        }
    }

    /// Returns when the media of a tag's ads were asked for and came.
    fn media(&self, tag: &TagVerdict) -> Vec<(Time, Time)> {
        let evidence = self.view.evidence;
        let own = evidence.each().filter_map(|(finding, it)| {
            let Role::Media(name) = finding.role else {
                return None;
            };
            let document = evidence.names.all[name].document;
            (evidence.tag_of(document) == tag.document).then(|| (it.at(), it.over()))
        });
        own.collect()
    }

    fn missing(&self, step: &ComparedStep, seen: &Seen) -> Markup {
        let name = match step.kind {
            StepKind::Ad => format!("ad {}", step.name),
            StepKind::Tag | StepKind::Hop | StepKind::Media => short(&step.name).to_owned(),
        };
        html! {
            div class="row" {
                span class="who" {
                    (glyph("miss", "bad"))
                    span class="n" {}
                    span class="a" title=(Text(&name)) { (Text(&name)) }
                    span class="o" { "missing on the page" }
                }
                (self.plot(&format!("{name} is missing on the page"), self.outline(seen)))
                span class="took" {}
            }
        }
    }

    /// Returns the line below the tags: how long it took until the first ad.
    fn sum(&self) -> Markup {
        let Some(ad) = self.it.ads.first() else {
            return html! {};
        };
        html! {
            div class="row sum" {
                span class="who" { span class="a" { "until the first ad began" } }
                span class="took" { (seconds((ad.start - self.it.begin).micros())) }
            }
        }
    }

    fn ad(&self, nth: usize, ad: &AdVerdict) -> Markup {
        let name = ad
            .id
            .as_deref()
            .filter(|id| !id.is_empty())
            .unwrap_or("ad without an id");
        let seen_until = self.seen_until(ad);
        let (certainty, ended) = outcome::ended(ad);
        let length = ad.end.as_ref().map(|(end, _)| *end - ad.start);
        let beyond = documented_end(ad).filter(|end| ad.end.is_none() && *end > seen_until);
        let spoken = format!(
            "Ad {name}: began at {} seconds, {ended}",
            seconds(ad.start.micros())
        );
        html! {
            div class="row" {
                span class="who" {
                    (glyph("fill", "good"))
                    span class="n" {}
                    a class="a" href={ "#" (self.id("a", nth)) } title=(Text(name)) { (Text(name)) }
                    span class="o" { (said(certainty, &ended)) }
                    @if let Some(why) = played(ad) { span class="o" { (said(ad.played.certainty(), &why)) } }
                }
                (self.plot(&spoken, html! {
                    (bar(&self.scale, Bar::Ad, ad.start, seen_until))
                    @if let Some(end) = beyond { (bar(&self.scale, Bar::Unknown, seen_until, end)) }
                    @if let Some(seen) = self.differing_ad(ad) { (self.outline(seen)) }
                }))
                span class="took" {
                    @if let Some(length) = length { (seconds(length.micros())) }
                    span { "at " (seconds(ad.start.micros())) }
                }
            }
        }
    }
}
