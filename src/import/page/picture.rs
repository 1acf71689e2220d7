//! The picture of the recording: each break on one axis, with its tags, ads and pixels.

use std::fmt;

use maud::{Markup, html};

use super::drawing::{Bar, bar};
use super::mark::{glyph, said, sure};
use super::{Part, View, outcome, panel, pixels, written};
use crate::html::Text;
use crate::import::evidence::{Certainty, Role};
use crate::import::verdict::{
    AdVerdict, BreakVerdict, NotShown, PixelVerdict, TagFailure, TagResult, TagVerdict, capital, kinds,
    played, short,
};
use crate::report::comparison::{ComparedStep, Seen, StepKind, StepVerdict};
use crate::report::page::axis;
use crate::report::page::scale::{Scale, Split, X};
use crate::time::{Span, Time};
use crate::words::{counted, seconds};

/// The most breaks, and rows of each, that are drawn.
const MOST_BREAKS: usize = 40;
const MOST_ROWS: usize = 60;
/// The height of a row's drawing in pixels.
const HEIGHT: u32 = 46;
/// The part of the axis, in percent, that follows the end of the last ad.
const BEYOND: u64 = 5;

/// A break with its axis, while it is drawn.
pub(super) struct Figure<'p, 'a> {
    pub(super) view: &'p View<'a>,
    pub(super) it: &'p BreakVerdict,
    /// Its position among the breaks.
    index: usize,
    pub(super) scale: Scale,
    /// When the next break begins.
    until: Time,
    /// Its position among the breaks of the simulation, if that has it.
    simulated: Option<usize>,
    /// How much later than in the simulation it was asked for, in microseconds, where that is no difference.
    later: i128,
}

pub(super) fn part(view: &View<'_>) -> Result<Part, fmt::Error> {
    let worst = outcome::worst(view);
    let breaks = view.verdict.breaks.iter().take(MOST_BREAKS).enumerate();
    let mut figures = Vec::new();
    for (index, it) in breaks {
        let nth = worst.filter(|(at, _)| *at == index).map(|(_, nth)| nth);
        figures.push(Figure::of(view, it, index).write(nth)?);
    }
    let left_out = view.verdict.breaks.len().saturating_sub(MOST_BREAKS);
    let body = html! {
        p class="lead" {
            "As recorded, in seconds since the recording began. What the documented player does is an outline below, only where it differs. A name leads to its details."
        }
        @for figure in &figures { (figure) }
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
    Ok(Part { id: "page", title: "What the page did", body })
}

impl<'p, 'a> Figure<'p, 'a> {
    fn of(view: &'p View<'a>, it: &'p BreakVerdict, index: usize) -> Figure<'p, 'a> {
        let next =
            view.verdict.breaks.iter().map(|other| other.begin).filter(|begin| *begin > it.begin).min();
        let until = next.unwrap_or(Time::MAX);
        let steps = || it.tags.iter().filter_map(|tag| view.step(StepKind::Tag, tag.asked, &tag.url));
        let simulated = steps().find(|step| step.simulated.is_some()).map(|step| step.ad_break);
        let agreed = steps().find(|step| !step.verdict.is_difference());
        let sides = agreed.and_then(|step| step.recorded.as_ref().zip(step.simulated.as_ref()));
        let later = sides.map_or(0, |(page, player)| i128::from(page.from_us) - i128::from(player.from_us));
        let mut figure = Figure { view, it, index, scale: Scale::linear(0, 1), until, simulated, later };
        let start = it.ads.first().map(|ad| ad.start.micros());
        let end = figure.end();
        let to = end + (end - it.begin).share(BEYOND, 100);
        figure.scale = Scale::of_phases(it.begin.micros(), start, to.micros(), Split::BOTH);
        figure
    }

    /// Returns the end of the last ad, or without ads of the last tag. An answer that came far too late does not count,
    /// nor a tag that is documented to be asked far later.
    fn end(&self) -> Time {
        let ads = self.it.ads.iter().flat_map(|ad| {
            let simulated = self.differing_ad(ad).and_then(|seen| Some(self.on_page(seen.to_us?)));
            [Some(self.seen_until(ad)), documented_end(ad), simulated].into_iter().flatten()
        });
        let waits = self.it.tags.iter().map(|tag| tag.asked + tag.waited.or(tag.took).unwrap_or_default());
        let only = self.only_simulated().filter_map(|(_, seen)| Some(self.on_page(seen.to_us?)));
        let end = ads.chain(waits).chain(only).max().unwrap_or(self.it.begin);
        let length = (end - self.it.begin).max(Span::from_millis(1));
        let late = self.it.tags.iter().flat_map(|tag| {
            let due = self.differing_tag(tag).and_then(|seen| Some(self.on_page(seen.to_us?)));
            [tag.took.map(|took| tag.asked + took), due].into_iter().flatten()
        });
        let near = late.filter(|late| *late - self.it.begin <= length.share(3, 2)).max();
        near.unwrap_or(end).max(self.it.begin + length)
    }

    fn seen_until(&self, ad: &AdVerdict) -> Time {
        let next = self.it.ads.iter().map(|other| other.start).filter(|start| *start > ad.start).min();
        outcome::seen_until(self.view, ad, next.unwrap_or(self.until))
    }

    /// Returns the time on the page that corresponds to one of the simulation.
    pub(super) fn on_page(&self, us: u64) -> Time {
        Time::from_micros(u64::try_from(i128::from(us) + self.later).unwrap_or_default())
    }

    /// Returns whether a time belongs to this break: from its first tag until the next break.
    fn has(&self, at: Time) -> bool {
        !self.it.is_schedule() && (self.it.begin..self.until).contains(&at)
    }

    /// Returns whether a pixel was sent for this break: by the document that names it, or else by its time.
    pub(super) fn has_pixel(&self, pixel: &PixelVerdict) -> bool {
        let tag = pixel.document.map(|document| self.view.evidence.tag_of(document));
        let is_of =
            |it: &BreakVerdict| !it.is_schedule() && it.tags.iter().any(|own| Some(own.document) == tag);
        if self.view.verdict.breaks.iter().any(is_of) { is_of(self.it) } else { self.has(pixel.at) }
    }

    /// Returns whether something of the simulation belongs to this break.
    pub(super) fn has_simulated(&self, ad_break: Option<usize>, us: u64) -> bool {
        match (self.simulated, ad_break) {
            (Some(own), Some(other)) => own == other && !self.it.is_schedule(),
            (None, _) | (_, None) => self.has(self.on_page(us)),
        }
    }

    pub(super) fn x(&self, at: Time) -> X {
        self.scale.start(at.micros())
    }

    /// Returns the drawing of a row, with what it says to those who do not see it.
    pub(super) fn plot(&self, spoken: &str, inside: Markup) -> Markup {
        html! {
            span class="pl" {
                svg class="plot" height=(HEIGHT) role="img" aria-label=(Text(spoken)) {
                    use href={ "#r" (self.index + 1) "-grid" } {}
                    (inside)
                }
            }
        }
    }

    /// Returns the id of a row's details.
    fn id(&self, kind: &str, nth: usize) -> String {
        format!("r{}-{kind}{}", self.index + 1, nth + 1)
    }

    fn write(&self, worst: Option<usize>) -> Result<Markup, fmt::Error> {
        let it = self.it;
        let id = format!("r{}", self.index + 1);
        let axis = written(|html| axis::write(&self.scale, &id, it.begin.micros(), HEIGHT, html))?;
        Ok(html! {
            h3 id=(id) {
                span class={ "said " (it.certainty.word()) } { (capital(&kinds(it))) }
                span class="muted plain" { ", from " (seconds(it.begin.micros())) " s " }
                (sure(it.certainty))
            }
            @if let Some(why) = outcome::kind_reason(it) { p class="small muted" { "Since " (why) "." } }
            div class="pic" {
                div class="wf rec" {
                    (axis)
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
        })
    }

    fn tag(&self, nth: usize, tag: &TagVerdict, is_worst: bool) -> Markup {
        let (symbol, tone) = outcome::look(&tag.outcome);
        let (name, brief) = (short(&tag.url), outcome::brief(tag));
        let spoken =
            format!("Tag {}, {name}: {brief}, asked at {} seconds", tag.number, seconds(tag.asked.micros()));
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
            @if let Some(seen) = self.differing_tag(tag) { (self.outline(seen)) }
        }
    }

    /// Returns when the media of a tag's ads were asked for and came.
    fn media(&self, tag: &TagVerdict) -> Vec<(Time, Time)> {
        let evidence = self.view.evidence;
        let own = evidence.each().filter_map(|(finding, it)| {
            let Role::Media(name) = finding.role else { return None };
            let document = evidence.names.all[name].document;
            (evidence.tag_of(document) == tag.document).then(|| (it.at(), it.over()))
        });
        own.collect()
    }

    /// Draws what the documented player does, unless that is far beyond the axis.
    fn outline(&self, seen: &Seen) -> Markup {
        let from = self.on_page(seen.from_us);
        if from.micros() > self.scale.to_us() {
            return html! {};
        }
        bar(&self.scale, Bar::Simulated, from, seen.to_us.map_or(from, |to| self.on_page(to)))
    }

    /// Returns the tags and ads that are missing on the page.
    fn only_simulated(&self) -> impl Iterator<Item = (&'p ComparedStep, &'p Seen)> {
        let all = self.view.comparison.iter().flat_map(|it| &it.steps);
        let missing = all.filter(|step| step.verdict == StepVerdict::OnlySimulated);
        let drawn = missing.filter(|step| matches!(step.kind, StepKind::Tag | StepKind::Ad));
        drawn.filter_map(|step| {
            let seen = step.simulated.as_ref()?;
            self.has_simulated(Some(step.ad_break), seen.from_us).then_some((step, seen))
        })
    }

    fn missing_of(&self, kind: StepKind) -> impl Iterator<Item = (&'p ComparedStep, &'p Seen)> {
        self.only_simulated().filter(move |(step, _)| step.kind == kind)
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
        let Some(ad) = self.it.ads.first() else { return html! {} };
        html! {
            div class="row sum" {
                span class="who" { span class="a" { "until the first ad began" } }
                span class="took" { (seconds((ad.start - self.it.begin).micros())) }
            }
        }
    }

    /// Returns what the documented player does with a tag, if that is something else.
    fn differing_tag(&self, tag: &TagVerdict) -> Option<&'p Seen> {
        let step = self.view.step(StepKind::Tag, tag.asked, &tag.url)?;
        step.simulated.as_ref().filter(|_| step.verdict.is_difference())
    }

    fn differing_ad(&self, ad: &AdVerdict) -> Option<&'p Seen> {
        let all = self.view.comparison.iter().flat_map(|it| &it.steps);
        let mut own = all.filter(|step| step.kind == StepKind::Ad && step.verdict.is_difference());
        let is_it = |seen: &Seen| seen.from_us == ad.start.micros();
        own.find(|step| step.recorded.as_ref().is_some_and(is_it))?.simulated.as_ref()
    }

    fn ad(&self, nth: usize, ad: &AdVerdict) -> Markup {
        let name = ad.id.as_deref().filter(|id| !id.is_empty()).unwrap_or("ad without an id");
        let seen_until = self.seen_until(ad);
        let (certainty, ended) = ended(self.view, ad);
        let length = ad.end.as_ref().map(|(end, _)| *end - ad.start);
        let beyond = documented_end(ad).filter(|end| ad.end.is_none() && *end > seen_until);
        let spoken = format!("Ad {name}: began at {} seconds, {ended}", seconds(ad.start.micros()));
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

impl<'a> View<'a> {
    /// Returns the step of the comparison that was recorded at this time under this URL.
    pub(super) fn step(&self, kind: StepKind, at: Time, url: &str) -> Option<&'a ComparedStep> {
        let is_it = |seen: &Seen| seen.from_us == at.micros();
        self.comparison?
            .steps
            .iter()
            .find(|step| step.kind == kind && step.name == url && step.recorded.as_ref().is_some_and(is_it))
    }
}

fn documented_end(ad: &AdVerdict) -> Option<Time> {
    ad.documented.map(|length| ad.start + length)
}

/// Returns how an ad ended, and how sure that is.
pub(super) fn ended(view: &View<'_>, ad: &AdVerdict) -> (Certainty, String) {
    match &ad.end {
        Some((_, how)) if view.evidence.is_bodiless() => (Certainty::Inferred, format!("ended with {how}")),
        Some((_, how)) => (Certainty::Seen, format!("ended with {how}")),
        None => (Certainty::Unknown, "no pixel shows its end".to_owned()),
    }
}
