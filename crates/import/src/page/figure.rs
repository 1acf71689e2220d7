//! A break on its axis, on the page and in the simulation.

use maud::{Markup, html};

use super::drawing::{Bar, bar};
use super::{View, outcome};
use crate::verdict::{AdVerdict, BreakVerdict, Hop, PixelVerdict, TagVerdict};
use playsim_base::html::Text;
use playsim_base::time::{Span, Time};
use playsim_report::comparison::{ComparedStep, Seen, StepKind, StepVerdict};
use playsim_report::page::scale::{Scale, Split, X};

/// The height of a row's drawing in pixels.
pub(super) const HEIGHT: u32 = 46;
/// The part of the axis, in percent, that follows the end of the last ad.
const BEYOND: u64 = 5;

/// A break with its axis, while it is drawn.
pub(super) struct Figure<'p, 'a> {
    pub(super) view: &'p View<'a>,
    pub(super) it: &'p BreakVerdict,
    /// Its position among the breaks.
    pub(super) index: usize,
    pub(super) scale: Scale,
    /// When the next break begins.
    until: Time,
    /// Its position among the breaks of the simulation, if that has it.
    simulated: Option<usize>,
    /// How much later than in the simulation it was asked for, in microseconds, where that is no
    /// difference.
    later: i128,
}

impl<'p, 'a> Figure<'p, 'a> {
    pub(super) fn of(view: &'p View<'a>, it: &'p BreakVerdict, index: usize) -> Figure<'p, 'a> {
        let next = view
            .verdict
            .breaks
            .iter()
            .map(|other| other.begin)
            .filter(|begin| *begin > it.begin)
            .min();
        let until = next.unwrap_or(Time::MAX);
        let steps = || {
            it.tags
                .iter()
                .filter_map(|tag| view.step(StepKind::Tag, tag.asked, &tag.url))
        };
        let simulated = steps()
            .find(|step| step.simulated.is_some())
            .map(|step| step.ad_break);
        let agreed = steps().find(|step| !step.verdict.is_difference());
        let sides = agreed.and_then(|step| step.recorded.as_ref().zip(step.simulated.as_ref()));
        let later = sides.map_or(0, |(page, player)| {
            i128::from(page.from_us) - i128::from(player.from_us)
        });
        let mut figure = Figure {
            view,
            it,
            index,
            scale: Scale::linear(0, 1),
            until,
            simulated,
            later,
        };
        let start = it.ads.first().map(|ad| ad.start.micros());
        let end = figure.end();
        let to = end + (end - it.begin).share(BEYOND, 100);
        figure.scale = Scale::of_phases(it.begin.micros(), start, to.micros(), Split::BOTH);
        figure
    }

    /// Returns the end of the last ad, or without ads of the last tag. An answer that came far too
    /// late does not count, nor a tag that is documented to be asked far later.
    fn end(&self) -> Time {
        let ads = self.it.ads.iter().flat_map(|ad| {
            let simulated = self
                .differing_ad(ad)
                .and_then(|seen| Some(self.on_page(seen.to_us?)));
            [Some(self.seen_until(ad)), documented_end(ad), simulated]
                .into_iter()
                .flatten()
        });
        let waits = self
            .it
            .tags
            .iter()
            .map(|tag| tag.asked + tag.waited.or(tag.took).unwrap_or_default());
        let only = self
            .only_simulated()
            .filter_map(|(_, seen)| Some(self.on_page(seen.to_us?)));
        let end = ads.chain(waits).chain(only).max().unwrap_or(self.it.begin);
        let length = (end - self.it.begin).max(Span::from_millis(1));
        let late = self.it.tags.iter().flat_map(|tag| {
            let due = self
                .differing_tag(tag)
                .and_then(|seen| Some(self.on_page(seen.to_us?)));
            [tag.took.map(|took| tag.asked + took), due]
                .into_iter()
                .flatten()
        });
        let near = late
            .filter(|late| *late - self.it.begin <= length.share(3, 2))
            .max();
        near.unwrap_or(end).max(self.it.begin + length)
    }

    pub(super) fn seen_until(&self, ad: &AdVerdict) -> Time {
        let next = self
            .it
            .ads
            .iter()
            .map(|other| other.start)
            .filter(|start| *start > ad.start)
            .min();
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

    /// Returns whether a pixel was sent for this break: by the document that names it, or else by
    /// its time.
    pub(super) fn has_pixel(&self, pixel: &PixelVerdict) -> bool {
        let tag = pixel
            .document
            .map(|document| self.view.evidence.tag_of(document));
        let is_of = |it: &BreakVerdict| {
            !it.is_schedule() && it.tags.iter().any(|own| Some(own.document) == tag)
        };
        if self.view.verdict.breaks.iter().any(is_of) {
            is_of(self.it)
        } else {
            self.has(pixel.at)
        }
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

    /// Returns the drawing of a row, with its description for those who do not see it.
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
    pub(super) fn id(&self, kind: &str, nth: usize) -> String {
        format!("r{}-{kind}{}", self.index + 1, nth + 1)
    }

    /// Returns the documented handling of a tag, if it differs.
    pub(super) fn differing_tag(&self, tag: &TagVerdict) -> Option<&'p Seen> {
        self.differing(StepKind::Tag, tag.asked, &tag.url)
    }

    /// Returns the same for a document on the way to an ad.
    pub(super) fn differing_hop(&self, hop: &Hop) -> Option<&'p Seen> {
        self.differing(StepKind::Hop, hop.asked, &hop.url)
    }

    fn differing(&self, kind: StepKind, at: Time, url: &str) -> Option<&'p Seen> {
        let step = self.view.step(kind, at, url)?;
        step.simulated
            .as_ref()
            .filter(|_| step.verdict.is_difference())
    }

    pub(super) fn differing_ad(&self, ad: &AdVerdict) -> Option<&'p Seen> {
        let all = self.view.comparison.iter().flat_map(|it| &it.steps);
        let mut own = all.filter(|step| step.kind == StepKind::Ad && step.verdict.is_difference());
        let is_it = |seen: &Seen| seen.from_us == ad.start.micros();
        own.find(|step| step.recorded.as_ref().is_some_and(is_it))?
            .simulated
            .as_ref()
    }

    /// Draws a step of the documented player, unless it is far beyond the axis.
    pub(super) fn outline(&self, seen: &Seen) -> Markup {
        let from = self.on_page(seen.from_us);
        if from.micros() > self.scale.to_us() {
            return html! {};
        }
        bar(
            &self.scale,
            Bar::Simulated,
            from,
            seen.to_us.map_or(from, |to| self.on_page(to)),
        )
    }

    /// Returns the tags and ads that are missing on the page.
    fn only_simulated(&self) -> impl Iterator<Item = (&'p ComparedStep, &'p Seen)> {
        let all = self.view.comparison.iter().flat_map(|it| &it.steps);
        let missing = all.filter(|step| step.verdict == StepVerdict::OnlySimulated);
        let drawn = missing.filter(|step| matches!(step.kind, StepKind::Tag | StepKind::Ad));
        drawn.filter_map(|step| {
            let seen = step.simulated.as_ref()?;
            self.has_simulated(Some(step.ad_break), seen.from_us)
                .then_some((step, seen))
        })
    }

    pub(super) fn missing_of(
        &self,
        kind: StepKind,
    ) -> impl Iterator<Item = (&'p ComparedStep, &'p Seen)> {
        self.only_simulated()
            .filter(move |(step, _)| step.kind == kind)
    }
}

/// Returns when an ad is over, as its document says.
pub(super) fn documented_end(ad: &AdVerdict) -> Option<Time> {
    ad.documented.map(|length| ad.start + length)
}
