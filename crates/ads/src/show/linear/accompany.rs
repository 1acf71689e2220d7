//! Connects a linear ad with its attachments: icons, companions, viewability.
//!
//! Rules: ADX-4 to ADX-18.

use std::sync::Arc;

use super::{LinearAd, Prepared};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::show::attachments::Attachments;
use crate::show::overlay::log_visible;
use crate::show::unit::page::Page;
use playsim_api::media::{MediaFault, MediaInfo, Playhead};
use playsim_api::{Because, Cause, Outbox, RequestId};
use playsim_base::time::Time;
use playsim_rules::knobs::CompleteAt;
use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;

impl Prepared {
    /// The facts about the ad for macros, with this playhead.
    pub(super) fn at_hand(&self, head: &Playhead, now: Time) -> CurrentAd<'_> {
        CurrentAd {
            playhead: head.position(now),
            asset: Some(&self.media),
            hops: &self.hops,
        }
    }
}

impl LinearAd {
    /// Stops the clock of the ad.
    pub(crate) fn stand(&mut self, now: Time) {
        self.head.stand(now);
        self.prepared.attachments.run(now, false);
    }

    /// Calls a method of [`Attachments`], with the cause of whatever is due next.
    pub(crate) fn with_attachments(
        &mut self,
        tell: impl FnOnce(&mut Attachments, Cause, CurrentAd<'_>, &mut Scope<'_>),
        cx: &mut Scope<'_>,
    ) {
        self.with_attachments_because(self.cause, tell, cx);
    }

    /// Calls a method of [`Attachments`], with this cause.
    pub(super) fn with_attachments_because(
        &mut self,
        cause: Cause,
        tell: impl FnOnce(&mut Attachments, Cause, CurrentAd<'_>, &mut Scope<'_>),
        cx: &mut Scope<'_>,
    ) {
        let Prepared {
            hops,
            media,
            attachments,
            ..
        } = &mut self.prepared;
        let ad = CurrentAd {
            playhead: self.head.position(cx.now()),
            asset: Some(media),
            hops,
        };
        tell(attachments, cause, ad, cx);
    }

    /// Logs the chosen attachments of the ad.
    pub(crate) fn log_choice(&self, cx: &mut Scope<'_>) {
        self.prepared
            .attachments
            .log_choice(&self.prepared.hops, self.duration(), cx);
    }

    /// The attachments of the ad.
    pub(crate) fn attachments(&self) -> &Attachments {
        &self.prepared.attachments
    }

    /// The attachments of the ad, for changes.
    pub(crate) fn attachments_mut(&mut self) -> &mut Attachments {
        &mut self.prepared.attachments
    }

    /// The player came into the user's view or left it. Rule ADX-4.
    pub(crate) fn see(&mut self, now: Time, is_seen: bool) {
        self.prepared.attachments.see(now, is_seen);
    }

    /// The ad is about to end, for `cause`: first ends its attachments. Rule ADX-7.
    pub(crate) fn end(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        self.with_attachments_because(cause, Attachments::end, cx);
        self.track(
            Because {
                rule: rules::ADX_18,
                cause,
            },
            TrackingEvent::TimeSpentViewing,
            cx,
        );
    }

    /// The media is about to end, for `cause`, and the ad with it unless other parts follow. Rule
    /// SEL-1.
    pub(crate) fn end_film(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        if self.prepared.rest.is_empty() {
            self.end(cause, cx);
        } else {
            self.with_attachments_because(cause, Attachments::end_part, cx);
        }
    }

    /// The ad has played to its end: calls its `complete` trackers, if still due. Rules BRK-3,
    /// PRD-2.
    pub(crate) fn complete(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        match self.complete_at {
            CompleteAt::End if self.has_skipped => {}
            CompleteAt::End => self.track(
                Because {
                    rule: rules::BRK_3,
                    cause,
                },
                TrackingEvent::Complete,
                cx,
            ),
            CompleteAt::Share(_) | CompleteAt::Before(_) => {}
        }
    }

    /// Removes the attachments of the ad from the screen, and a unit that lies over the content.
    pub(crate) fn vanish(&mut self, rule: RuleId, out: &mut Outbox) {
        self.prepared.attachments.vanish(rule, out);
        if std::mem::take(&mut self.is_over_content) {
            log_visible(false, rule, out);
        }
    }
}

impl Prepared {
    /// Returns the page that is still loading.
    pub(crate) fn awaited_page(&self) -> Option<&Page> {
        self.page.as_ref().filter(|page| page.outcome.is_none())
    }

    /// Whether this request is that of its page.
    pub(crate) fn awaits_page(&self, id: RequestId) -> bool {
        self.awaited_page()
            .is_some_and(|page| page.pending.id == id)
    }

    /// Stores the result of loading the page.
    pub(crate) fn page_came(&mut self, outcome: Result<Arc<MediaInfo>, MediaFault>) {
        if let Some(page) = &mut self.page {
            page.outcome = Some(outcome);
        }
    }
}
