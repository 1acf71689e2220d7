//! Whether an ad counts as viewable.
//!
//! The ad must run without interruption for long enough while half of the player is in view and the
//! page is not hidden. For each ad, one of three lists of URLs is called, on every document of the
//! chain.
//!
//! ```text
//!             begins                    seen for long enough
//!   Waiting ─────────► Open (counts) ─────────────────────────► Reported
//!      │                 └── ends ──► Reported (not viewable)
//!      └── the page cannot measure ──► Reported (undetermined)
//! ```
//!
//! Rules: ADX-4 to ADX-6; VAST 4.3 section 3.5.

use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::hop::Hop;
use playsim_api::{AdLine, Because, BreakKind, Cause, Fields};
use playsim_base::time::{Span, Time};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{AdType, TrackingEvent, Url};

/// The viewability measurement of one ad.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Viewing {
    stage: Stage,
    /// How long it must be in view.
    needs: Span,
    /// Whether the ad's clock is running.
    runs: bool,
    /// Whether the user can see the player.
    is_seen: bool,
    /// Since when both are true.
    since: Option<Time>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Waiting,
    Open,
    Reported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Viewable,
    NotViewable,
    Undetermined,
}

impl Verdict {
    const fn event(self) -> TrackingEvent {
        match self {
            Verdict::Viewable => TrackingEvent::Viewable,
            Verdict::NotViewable => TrackingEvent::NotViewable,
            Verdict::Undetermined => TrackingEvent::ViewUndetermined,
        }
    }

    const fn rule(self) -> RuleId {
        match self {
            Verdict::Viewable => rules::ADX_4,
            Verdict::NotViewable => rules::ADX_5,
            Verdict::Undetermined => rules::ADX_6,
        }
    }

    /// The URLs of one document for this verdict. VAST 4.0 also allows one inside each
    /// verification.
    fn urls(self, hop: &Hop) -> impl Iterator<Item = &Url> {
        let ad = hop.ad();
        let of_ad = ad.viewable.iter().flat_map(move |viewable| match self {
            Verdict::Viewable => &viewable.viewable,
            Verdict::NotViewable => &viewable.not_viewable,
            Verdict::Undetermined => &viewable.undetermined,
        });
        let verifies = self == Verdict::Viewable;
        let of_vendors = ad.verifications.iter().filter(move |_| verifies);
        of_ad.chain(of_vendors.filter_map(|verification| verification.viewable.as_ref()))
    }
}

impl Viewing {
    /// Creates the measurement of the ad at the end of these hops. It is off if no document has a
    /// URL for it.
    pub(crate) fn of(hops: &[Hop], kind: BreakKind) -> Viewing {
        let is_asked = hops.iter().any(|hop| {
            let ad = hop.ad();
            ad.viewable.is_some() || ad.verifications.iter().any(|it| it.viewable.is_some())
        });
        let is_audio = hops
            .last()
            .is_some_and(|hop| hop.ad().ad_type == Some(AdType::Audio));
        let stage = if is_asked && !is_audio {
            Stage::Waiting
        } else {
            Stage::Reported
        };
        let needs = if kind == BreakKind::Overlay {
            Span::from_secs(1)
        } else {
            Span::from_secs(2)
        };
        Viewing {
            stage,
            needs,
            runs: false,
            is_seen: false,
            since: None,
        }
    }

    /// The ad starts. `measures` is whether the page can measure viewability. Rule ADX-6.
    pub(crate) fn begin(
        &mut self,
        measures: bool,
        cause: Cause,
        ad: CurrentAd<'_>,
        cx: &mut Scope<'_>,
    ) {
        if self.stage == Stage::Waiting {
            self.stage = Stage::Open;
            if !measures {
                self.report(Verdict::Undetermined, cause, ad, cx);
            }
        }
    }

    /// The ad's clock starts or stops.
    pub(crate) fn run(&mut self, now: Time, runs: bool) {
        self.runs = runs;
        self.count(now);
    }

    /// The player came into the user's view or left it.
    pub(crate) fn see(&mut self, now: Time, is_seen: bool) {
        self.is_seen = is_seen;
        self.count(now);
    }

    fn count(&mut self, now: Time) {
        let counts = self.runs && self.is_seen;
        self.since = counts.then(|| self.since.unwrap_or(now));
    }

    /// When it will have been in view for long enough.
    pub(crate) fn due(&self) -> Option<Time> {
        let since = self.since.filter(|_| self.stage == Stage::Open)?;
        Some(since + self.needs)
    }

    /// Reports the ad as viewable if it has been in view for long enough. Rule ADX-4.
    pub(crate) fn wake(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        if self.due().is_some_and(|due| due <= cx.now()) {
            self.report(Verdict::Viewable, cause, ad, cx);
        }
    }

    /// The ad ends. Rule ADX-5.
    pub(crate) fn end(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        if self.stage == Stage::Open {
            self.report(Verdict::NotViewable, cause, ad, cx);
        }
        self.stage = Stage::Reported;
    }

    fn report(&mut self, verdict: Verdict, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.stage = Stage::Reported;
        let cause = cx.out.line(
            Because {
                rule: verdict.rule(),
                cause,
            },
            AdLine::Viewability,
            Fields::one("verdict", verdict.event().name()),
        );
        let occasion = cx.occasion().with_ad(ad);
        cx.call_each(
            Because {
                rule: verdict.rule(),
                cause,
            },
            verdict.event(),
            ad.hops,
            |hop| verdict.urls(hop),
            &occasion,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{ad, document};
    use playsim_vast::Viewable;

    fn viewing(kind: BreakKind, change: impl FnOnce(&mut playsim_vast::Ad)) -> Viewing {
        let mut ad = ad("a");
        ad.viewable = Some(Viewable::default());
        change(&mut ad);
        Viewing::of(
            &[Hop::new(&document(vec![ad]).into(), &"a.xml".into(), 0)],
            kind,
        )
    }

    #[test]
    fn only_uninterrupted_time_in_view_counts() {
        let at = Time::from_millis;
        let mut viewing = viewing(BreakKind::Pre, |_| {});
        viewing.stage = Stage::Open;
        assert_eq!(viewing.due(), None);
        viewing.see(at(0), true);
        assert_eq!(viewing.due(), None);
        viewing.run(at(100), true);
        assert_eq!(viewing.due(), Some(at(2_100)));
        // Repeating the same state changes nothing.
        viewing.see(at(500), true);
        viewing.run(at(600), true);
        assert_eq!(viewing.due(), Some(at(2_100)));
        viewing.run(at(2_099), false);
        assert_eq!(viewing.due(), None);
        viewing.run(at(3_000), true);
        assert_eq!(viewing.due(), Some(at(5_000)));
        viewing.see(at(4_000), false);
        viewing.see(at(4_001), true);
        assert_eq!(viewing.due(), Some(at(6_001)));
    }

    #[test]
    fn overlays_need_one_second_and_audio_is_not_measured() {
        let mut overlay = viewing(BreakKind::Overlay, |_| {});
        overlay.stage = Stage::Open;
        overlay.see(Time::ZERO, true);
        overlay.run(Time::ZERO, true);
        assert_eq!(overlay.due(), Some(Time::from_millis(1_000)));
        assert_eq!(viewing(BreakKind::Pre, |_| {}).stage, Stage::Waiting);
        assert_eq!(
            viewing(BreakKind::Pre, |ad| ad.ad_type = Some(AdType::Audio)).stage,
            Stage::Reported
        );
        assert_eq!(
            viewing(BreakKind::Pre, |ad| ad.viewable = None).stage,
            Stage::Reported
        );
    }
}
