//! Connects a linear ad with what accompanies it: icons, companions, viewability.
//!
//! Rules: ADX-4 to ADX-18.

use super::*;
use crate::api::Outbox;

impl Prepared {
    /// The facts about the ad for macros, with this playhead.
    pub(super) fn at_hand(&self, head: &Playhead, now: Time) -> AdAtHand<'_> {
        AdAtHand { playhead: head.position(now), asset: Some(&self.media), hops: &self.hops }
    }
}

impl LinearAd {
    /// Stops the clock of the ad.
    pub(in crate::ads) fn stand(&mut self, now: Time) {
        self.head.stand(now);
        self.prepared.attachments.run(now, false);
    }

    /// Calls a method of [`Attachments`], with the cause of whatever is due next.
    pub(in crate::ads) fn with_attachments(
        &mut self,
        teller: &mut Teller<'_>,
        tell: impl FnOnce(&mut Attachments, Cause, AdAtHand<'_>, &mut Teller<'_>),
    ) {
        self.with_attachments_because(self.cause, teller, tell);
    }

    /// Calls a method of [`Attachments`], with this cause.
    pub(in crate::ads) fn with_attachments_because(
        &mut self,
        cause: Cause,
        teller: &mut Teller<'_>,
        tell: impl FnOnce(&mut Attachments, Cause, AdAtHand<'_>, &mut Teller<'_>),
    ) {
        let Prepared { hops, media, attachments, .. } = &mut self.prepared;
        let ad = AdAtHand { playhead: self.head.position(teller.now), asset: Some(media), hops };
        tell(attachments, cause, ad, teller);
    }

    /// Logs what was chosen to accompany the ad.
    pub(in crate::ads) fn tell_choice(&self, teller: &mut Teller<'_>) {
        self.prepared.attachments.tell_choice(&self.prepared.hops, self.duration(), teller);
    }

    /// What accompanies the ad.
    pub(in crate::ads) fn attachments(&self) -> &Attachments {
        &self.prepared.attachments
    }

    /// What accompanies the ad, for changes.
    pub(in crate::ads) fn attachments_mut(&mut self) -> &mut Attachments {
        &mut self.prepared.attachments
    }

    /// The player came into the user's view or left it. Rule ADX-4.
    pub(in crate::ads) fn see(&mut self, now: Time, is_seen: bool) {
        self.prepared.attachments.see(now, is_seen);
    }

    /// The ad is about to end, for `cause`: first ends what accompanies it. Rule ADX-7.
    pub(in crate::ads) fn end(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        self.with_attachments_because(cause, teller, Attachments::end);
        self.track(rules::ADX_18, "timeSpentViewing", cause, teller);
    }

    /// The media is about to end, for `cause`, and the ad with it unless other parts follow. Rule SEL-1.
    pub(in crate::ads) fn end_film(&mut self, cause: Cause, teller: &mut Teller<'_>) {
        if self.prepared.rest.is_empty() {
            self.end(cause, teller);
        } else {
            self.with_attachments_because(cause, teller, Attachments::end_part);
        }
    }

    /// The ad has played to its end: calls its `complete` trackers, if still due. Rules BRK-3, PRD-2.
    pub(in crate::ads) fn complete(&self, cause: Cause, teller: &mut Teller<'_>) {
        match self.complete_at {
            CompleteAt::End if self.has_skipped => {}
            CompleteAt::End => self.track(rules::BRK_3, "complete", cause, teller),
            CompleteAt::Percent99 => {}
        }
    }

    /// Removes what accompanies the ad from the screen.
    pub(in crate::ads) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        self.prepared.attachments.vanish(rule, out);
    }
}
