//! One overlay from ready to its end.
//!
//! It shows for a length of playing time: whoever plays the content says when that runs and when it
//! stands. No media of its own is loaded, and it has no quartiles.
//!
//! Rules: OVL-1 to OVL-7, CLK-3; VAST 4.3 section 3.12.

use std::sync::Arc;

use super::beside::Beside;
use super::macros::AdAtHand;
use super::tracking::{Hop, Teller};
use super::unit::SimidUnit;
use crate::api::{Cause, Class, EventName, Outbox, Wake};
use crate::media::Playhead;
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};
use crate::vast::Offset;

/// How long an overlay shows that says nothing of it. Rule OVL-3.
pub(super) const DEFAULT_LENGTH: Span = Span::from_secs(10);

/// An overlay that is chosen.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    /// The ads on the way to it, itself last.
    pub(super) hops: Arc<[Hop]>,
    /// What goes with it.
    pub(super) beside: Box<Beside>,
    /// The length of the film that it has. Rule ADX-24.
    pub(super) film: Option<Span>,
}

/// An overlay whose document is there.
#[derive(Debug, Clone)]
pub(super) struct OverlayAd {
    hops: Arc<[Hop]>,
    beside: Box<Beside>,
    length: Span,
    /// Whether it is expanded or minimized: then its time stands. Rule ADX-22.
    form: Form,
    /// Whether its first view is over. Rule ADX-23.
    was_viewed: bool,
    /// How much of it was shown.
    head: Playhead,
    /// The unit that it is. Rule SIMID-15.
    pub(super) simid: Option<Box<SimidUnit>>,
    /// Its `adStart`: what makes its end due.
    cause: Cause,
}

/// How an overlay is shown. Rule ADX-22.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    Expanded,
    Minimized,
}

impl Form {
    /// The word in a trace.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Expanded => "expanded",
            Form::Minimized => "minimized",
        }
    }
}

impl OverlayAd {
    /// The overlay at the end of these hops. Its ad object's length counts, then its document's, then that of
    /// the film that it has. Rules OVL-3, ADX-24.
    pub(super) fn new(laid: Laid, shows_for: Option<Span>, cause: Cause) -> OverlayAd {
        let Laid { hops, beside, film } = laid;
        let overlay = hops.last().and_then(Hop::overlay);
        let said = overlay.and_then(|overlay| overlay.duration.filter(|_| film.is_some()));
        let least = || overlay.and_then(|overlay| overlay.min_suggested_duration);
        let length = shows_for.or(said).or(film).or_else(least).unwrap_or(DEFAULT_LENGTH);
        let head = Playhead::standing(Position::ZERO);
        OverlayAd { hops, beside, length, form: Form::Plain, was_viewed: false, head, simid: None, cause }
    }

    /// Says what was chosen of what goes with it.
    pub(super) fn tell_choice(&self, teller: &mut Teller<'_>) {
        self.beside.tell_choice(&self.hops, teller);
    }

    /// What goes with it.
    pub(super) fn beside(&self) -> &Beside {
        &self.beside
    }

    /// Tells what goes with it something.
    pub(super) fn with_beside(
        &mut self,
        cause: Cause,
        teller: &mut Teller<'_>,
        tell: impl FnOnce(&mut Beside, Cause, AdAtHand<'_>, &mut Teller<'_>),
    ) {
        let ad = AdAtHand { playhead: self.head.position(teller.now), asset: None, hops: &self.hops };
        tell(&mut self.beside, cause, ad, teller);
    }

    /// The person sees the player, or does not. Rule ADX-4.
    pub(super) fn see(&mut self, now: Time, is_seen: bool) {
        self.beside.see(now, is_seen);
    }

    /// How it is shown.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// It is shown in another way: its first view is over. Rules ADX-22, ADX-23.
    pub(super) fn become_form(&mut self, form: Form, cause: Cause, teller: &mut Teller<'_>) {
        self.form = form;
        if form != Form::Plain {
            self.head.stand(teller.now);
            self.tell_viewed(cause, teller);
        }
    }

    fn tell_viewed(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        if !std::mem::replace(&mut self.was_viewed, true) {
            self.track(rule!("ADX-23"), "overlayViewDuration", cause, teller);
        }
    }

    /// It is about to end, for `cause`. Rules ADX-5, ADX-23.
    pub(super) fn end(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        self.with_beside(cause, teller, Beside::end);
        self.track(rule!("ADX-18"), "timeSpentViewing", cause, teller);
        self.tell_viewed(cause, teller);
    }

    /// It goes from the screen, with what goes with it.
    pub(super) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        self.beside.vanish(rule, out);
    }

    /// The ads on the way to it, itself last.
    pub(super) fn hops(&self) -> &Arc<[Hop]> {
        &self.hops
    }

    /// Its clock.
    pub(super) fn head(&self) -> &Playhead {
        &self.head
    }

    /// When something of it is due: its end, what goes with it, or its unit.
    pub(super) fn next_wake(&self, is_visible: bool) -> Option<Wake> {
        let over = self.over_at().filter(|_| is_visible).map(|at| Wake { at, class: Class::Media });
        let beside = self.beside.due(&self.head, Time::ZERO).filter(|_| is_visible);
        let beside = beside.map(|at| Wake { at, class: Class::Timer });
        let (says, gives_up) = self.simid.as_ref().map_or((None, None), |unit| unit.next_at(&self.head));
        let says = says.map(|at| Wake { at, class: Class::Media });
        let gives_up = gives_up.map(|at| Wake { at, class: Class::Timer });
        [over, beside, says, gives_up].into_iter().flatten().min()
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
        self.with_beside(self.cause, teller, Beside::start);
        // What is shown can be seen, whether content plays or not.
        self.beside.run(teller.now, true);
    }

    /// Content plays: its time counts, unless it is expanded or minimized. Rules OVL-3, ADX-22.
    pub(super) fn runs(&mut self, now: Time) {
        if self.form == Form::Plain {
            self.head.advance(now);
        }
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
        let offset = self.hops.last().and_then(|hop| hop.nonlinears().next()).and_then(|it| it.skip_offset);
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
