//! What a linear ad does with what goes with it.
//!
//! Rules: ADX-4 to ADX-18.

use super::*;
use crate::api::Outbox;

impl Prepared {
    /// What macros may ask about it, with its playhead there.
    pub(super) fn at_hand(&self, head: &Playhead, now: Time) -> AdAtHand<'_> {
        AdAtHand { playhead: head.position(now), asset: Some(&self.media), hops: &self.hops }
    }
}

impl LinearAd {
    /// Its clock stands.
    pub(in crate::ads) fn stand(&mut self, now: Time) {
        self.head.stand(now);
        self.prepared.beside.run(now, false);
    }

    /// Tells what goes with it something, whose cause is what made it due.
    pub(in crate::ads) fn with_beside(
        &mut self,
        teller: &mut Teller<'_>,
        tell: impl FnOnce(&mut Beside, Cause, AdAtHand<'_>, &mut Teller<'_>),
    ) {
        self.with_beside_because(self.cause, teller, tell);
    }

    /// The same for another cause.
    pub(in crate::ads) fn with_beside_because(
        &mut self,
        cause: Cause,
        teller: &mut Teller<'_>,
        tell: impl FnOnce(&mut Beside, Cause, AdAtHand<'_>, &mut Teller<'_>),
    ) {
        let Prepared { hops, media, beside, .. } = &mut self.prepared;
        let ad = AdAtHand { playhead: self.head.position(teller.now), asset: Some(media), hops };
        tell(beside, cause, ad, teller);
    }

    /// Says what was chosen of what goes with it.
    pub(in crate::ads) fn tell_choice(&self, teller: &mut Teller<'_>) {
        self.prepared.beside.tell_choice(&self.prepared.hops, teller);
    }

    /// What goes with it.
    pub(in crate::ads) fn beside(&self) -> &Beside {
        &self.prepared.beside
    }

    /// What goes with it, to be told something.
    pub(in crate::ads) fn beside_mut(&mut self) -> &mut Beside {
        &mut self.prepared.beside
    }

    /// The person sees the player, or does not. Rule ADX-4.
    pub(in crate::ads) fn see(&mut self, now: Time, is_seen: bool) {
        self.prepared.beside.see(now, is_seen);
    }

    /// It is about to end, for `cause`: what goes with it comes first. Rule ADX-7.
    pub(in crate::ads) fn end(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        self.with_beside_because(cause, teller, Beside::end);
        self.track(rule!("ADX-18"), "timeSpentViewing", cause, teller);
    }

    /// Its film is about to end, for `cause`: the ad with it, unless other parts are to come. Rule SEL-1.
    pub(in crate::ads) fn end_film(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        if self.prepared.rest.is_empty() {
            self.end(cause, teller);
        } else {
            self.with_beside_because(cause, teller, Beside::end_part);
        }
    }

    /// It has come to its end: its `complete` trackers, unless they were called before. Rules BRK-3, PRD-2.
    pub(in crate::ads) fn complete(&self, cause: Cause, teller: &mut Teller<'_>) {
        match self.complete_at {
            CompleteAt::End if self.has_skipped => {}
            CompleteAt::End => self.track(rule!("BRK-3"), "complete", cause, teller),
            CompleteAt::Percent99 => {}
        }
    }

    /// It goes from the screen, with what goes with it.
    pub(in crate::ads) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        self.prepared.beside.vanish(rule, out);
    }
}
