//! One overlay from ready to its end.
//!
//! It shows for a length of playing time: whoever plays the content says when that runs and when it
//! stands. No media of its own is loaded, and it has no quartiles.
//!
//! Rules: OVL-1 to OVL-7, CLK-3; VAST 4.3 section 3.12.

use std::sync::Arc;

use super::macros::AdAtHand;
use super::tracking::{Hop, Teller};
use super::unit::SimidUnit;
use crate::api::{Cause, Class, EventName, Wake};
use crate::media::Playhead;
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};
use crate::vast::{CreativeKind, NonLinearAds, Offset};

/// How long an overlay shows that says nothing of it. Rule OVL-3.
pub(super) const DEFAULT_LENGTH: Span = Span::from_secs(10);

/// An overlay whose document is there.
#[derive(Debug, Clone)]
pub(super) struct OverlayAd {
    hops: Arc<[Hop]>,
    length: Span,
    /// How much of it was shown.
    head: Playhead,
    /// The unit that it is. Rule SIMID-15.
    pub(super) simid: Option<Box<SimidUnit>>,
    /// Its `adStart`: what makes its end due.
    cause: Cause,
}

impl OverlayAd {
    /// The overlay at the end of these hops. Its ad object's length counts, then its document's. Rule OVL-3.
    pub(super) fn new(hops: Arc<[Hop]>, shows_for: Option<Span>, cause: Cause) -> OverlayAd {
        let said = hops.last().and_then(nonlinear).and_then(NonLinearAds::min_suggested_duration);
        let length = shows_for.or(said).unwrap_or(DEFAULT_LENGTH);
        OverlayAd { hops, length, head: Playhead::standing(Position::ZERO), simid: None, cause }
    }

    /// The ads on the way to it, itself last.
    pub(super) fn hops(&self) -> &Arc<[Hop]> {
        &self.hops
    }

    /// Its clock.
    pub(super) fn head(&self) -> &Playhead {
        &self.head
    }

    /// When something is due.
    pub(super) fn next_wake(&self, is_visible: bool) -> Option<Wake> {
        let over = self.over_at().filter(|_| is_visible).map(|at| Wake { at, class: Class::Media });
        let (says, gives_up) = self.simid.as_ref().map_or((None, None), |unit| unit.next_at(&self.head));
        let says = says.map(|at| Wake { at, class: Class::Media });
        let gives_up = gives_up.map(|at| Wake { at, class: Class::Timer });
        [over, says, gives_up].into_iter().flatten().min()
    }

    /// Whether its unit still gets ready.
    pub(super) fn is_preparing(&self) -> bool {
        self.simid.as_ref().is_some_and(|unit| unit.is_preparing())
    }

    /// How long it shows.
    pub(super) fn length(&self) -> Span {
        self.length
    }

    /// The line that makes its end due. Rule EVT-23.
    pub(super) fn cause(&self) -> Cause {
        self.cause
    }

    /// It shows: impression and start, and their beacons. Rule OVL-2.
    pub(super) fn start(&mut self, teller: &mut Teller<'_>) {
        let impression = teller.out.event(rule!("OVL-2"), EventName::AdImpression);
        teller.impressions(impression, &self.hops, self.at_hand(teller.now));
        self.cause = teller.out.event(rule!("OVL-2"), EventName::AdStart);
        self.track(rule!("OVL-2"), "creativeView", self.cause, teller);
        self.track(rule!("OVL-2"), "start", self.cause, teller);
    }

    /// Content plays: its time counts.
    pub(super) fn runs(&mut self, now: Time) {
        self.head.advance(now);
    }

    /// Content stands: no time counts.
    pub(super) fn stands(&mut self, now: Time) {
        self.head.stand(now);
    }

    /// When it has been shown for long enough; `None` while no time counts.
    pub(super) fn over_at(&self) -> Option<Time> {
        self.head.reaches(self.length.end())
    }

    /// Whether it has been shown for long enough.
    pub(super) fn is_over(&self, now: Time) -> bool {
        self.head.position(now) >= self.length.end()
    }

    /// Whether closing it now counts as a skip: the document allows one from here on. Rule OVL-5.
    pub(super) fn is_skippable(&self, now: Time) -> bool {
        let offset = self.hops.last().and_then(nonlinear).and_then(|nonlinear| nonlinear.skip_offset);
        let from = offset.map(|offset| match offset {
            Offset::At(span) => span.end(),
            Offset::Share(millionths) => self.length.share(u64::from(millionths), 1_000_000).end(),
        });
        from.is_some_and(|from| from <= self.head.position(now))
    }

    /// Calls the trackers of an event of the overlay.
    pub(super) fn track(&self, rule: RuleId, event: &'static str, cause: Cause, teller: &mut Teller<'_>) {
        teller.track(rule, event, cause, &self.hops, self.at_hand(teller.now));
    }

    /// What macros may ask about it.
    pub(super) fn at_hand(&self, now: Time) -> AdAtHand<'_> {
        AdAtHand { playhead: self.head.position(now), asset: None, hops: &self.hops }
    }
}

/// The overlay's own creative.
pub(super) fn nonlinear(hop: &Hop) -> Option<&NonLinearAds> {
    hop.creatives().find_map(|creative| match &creative.kind {
        CreativeKind::NonLinear(nonlinear) => Some(nonlinear),
        CreativeKind::Linear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
    })
}
