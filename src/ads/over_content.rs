//! What a break does with an overlay: it shows over content, for as long as content plays.
//!
//! Rules: OVL-2, OVL-5, OVL-6.

use std::sync::Arc;

use super::ad_break::{AdBreak, State};
use super::error::Failure;
use super::overlay::OverlayAd;
use super::tracking::Teller;
use super::unit::dismiss;
use super::{Abandoned, AdServices};
use crate::api::{Cause, Event, EventName, Fields, Kind, Line, Outbox, Output, RequestId};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;

impl AdBreak {
    /// Content plays, or stands: only playing time counts. Rule OVL-3.
    pub fn follow_content(&mut self, now: Time, plays: bool) {
        if let State::Overlay { ad, is_visible: true } = self.parts().1 {
            if plays { ad.runs(now) } else { ad.stands(now) }
        }
    }

    /// What lies beside the player is shown: it stays there, and nothing waits for its end. Rule VMAP-20.
    pub(super) fn show_display(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        let (course, state) = self.parts();
        let State::Overlay { ad, .. } = &*state else { return };
        course.mark_started(services.macros);
        let impression = out.event(rule!("VMAP-20"), EventName::AdImpression);
        let mut teller = Teller { now, kind: course.kind(), macros: services.macros, out };
        teller.impressions(impression, ad.hops(), ad.at_hand(now));
        ad.track(rule!("VMAP-20"), "creativeView", impression, &mut teller);
        *state = course.ad_played(now, services, out);
    }

    /// When the overlay that shows has been shown for long enough. Rule OVL-3.
    #[must_use]
    pub fn overlay_ends_at(&self) -> Option<Time> {
        self.overlay_on_screen().and_then(OverlayAd::over_at)
    }

    /// The overlay was shown for long enough. Rule OVL-2.
    pub(super) fn overlay_shown(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        let (course, state) = self.parts();
        let State::Overlay { ad, .. } = state else { return };
        ad.end(ad.cause(), &mut Teller { now, kind: course.kind(), macros: services.macros, out });
        let event = Event { name: EventName::AdComplete, data: course.position_data() };
        let cause = out.put_because(ad.cause(), rule!("OVL-2"), Output::Event(event));
        let mut teller = Teller { now, kind: course.kind(), macros: services.macros, out };
        ad.track(rule!("OVL-2"), "complete", cause, &mut teller);
        dismiss(ad.simid.as_mut(), "adStopped", cause, out);
        out.blame(cause);
        ad.vanish(rule!("ADX-15"), out);
        tell_visible(false, rule!("OVL-3"), out);
        *state = course.ad_played(now, services, out);
    }

    /// The person closes the overlay: a skip if the document allows one, and the end of the break.
    ///
    /// `false` if none shows. Rule OVL-5.
    pub fn close(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> bool {
        let (course, state) = self.parts();
        let State::Overlay { ad, is_visible: true } = state else { return false };
        let mut cause = out.cause();
        ad.end(cause, &mut Teller { now, kind: course.kind(), macros: services.macros, out });
        if ad.is_skippable(now) {
            cause = out.event_with(rule!("OVL-5"), EventName::AdSkip, course.position_data());
        }
        let mut teller = Teller { now, kind: course.kind(), macros: services.macros, out };
        ad.track(rule!("OVL-5"), "close", cause, &mut teller);
        dismiss(ad.simid.as_mut(), "adStopped", cause, out);
        out.blame(cause);
        ad.vanish(rule!("ADX-15"), out);
        tell_visible(false, rule!("OVL-5"), out);
        *state = course.cut("closed", now, services, out);
        true
    }

    /// The unit that the overlay is has failed. Rule SIMID-5.
    pub(super) fn overlay_broke(
        &mut self,
        now: Time,
        failure: &Failure,
        because: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let (course, state) = self.parts();
        let State::Overlay { ad, is_visible } = state else { return };
        let data = Fields::one("position", ad.head().position(now)).with("why", failure.why.clone());
        let line = Line { kind: Kind::Ad, name: "failed".into(), data };
        let cause = out.put_because(because, failure.rule, Output::Line(line));
        let hops = Arc::clone(ad.hops());
        if *is_visible {
            ad.end(cause, &mut Teller { now, kind: course.kind(), macros: services.macros, out });
        }
        out.blame(cause);
        ad.vanish(rule!("ADX-15"), out);
        tell_visible(false, failure.rule, out);
        *state = course.ad_broke(now, failure.code, &hops, services, out);
    }

    /// Whether the overlay covers the content, which then has to stand. Rule SIMID-15.
    #[must_use]
    pub fn covers_content(&self) -> bool {
        match self.state() {
            State::Overlay { ad, is_visible: true } => {
                ad.simid.as_ref().is_some_and(|unit| unit.is_expanded())
            }
            State::Overlay { is_visible: false, .. }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Ad { .. }
            | State::Over { .. } => false,
        }
    }

    /// A linear ad, or the end of the content, takes the overlay away, loaded or not. Rule OVL-6.
    ///
    /// Gives the requests whose answers nobody waits for any more.
    pub fn take_away(
        &mut self,
        now: Time,
        why: &'static str,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Vec<(RequestId, Abandoned)> {
        let (course, state) = self.parts();
        match &mut *state {
            State::Fetching { pending, .. }
            | State::LoadingMedia { pending, .. }
            | State::LoadingOverlay { pending, .. } => {
                course.abandon(pending.id, Abandoned::Dropped);
            }
            State::Overlay { ad, is_visible: true } => {
                dismiss(ad.simid.as_mut(), "adStopped", out.cause(), out);
                ad.vanish(rule!("OVL-6"), out);
                tell_visible(false, rule!("OVL-6"), out);
            }
            State::LoadingPage { .. } | State::Ad { .. } | State::EndCard { .. } | State::Overlay { .. } => {}
            State::Over { .. } => return course.take_abandoned(),
        }
        *state = course.cut(why, now, services, out);
        course.take_abandoned()
    }
}

/// What the person sees of an overlay.
pub(super) fn tell_visible(visible: bool, rule: RuleId, out: &mut Outbox) {
    out.line(rule, Kind::Ui, "overlay", Fields::one("visible", visible));
}
