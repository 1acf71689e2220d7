//! How a break shows an overlay: over content, for as long as content plays.
//!
//! Rules: OVL-2, OVL-5, OVL-6, VPAID-19.

use std::sync::Arc;

use super::AdBreak;
use super::outcome::Abandoned;
use super::state::{Stage, State};
use crate::error::Failure;
use crate::report::context::{Context, Scope};
use crate::show::overlay::{OverlayAd, log_visible};
use crate::show::unit::simid_lines::dismiss;
use playsim_api::{AdLine, Because, Cause, Event, EventName, Fields, RequestId};
use playsim_base::time::Time;
use playsim_rules as rules;
use playsim_rules::knobs::CreativeViewAt;
use playsim_vast::TrackingEvent;

/// What content under an overlay does, as far as its unit follows it. Rule VPAID-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentMoves {
    /// It plays.
    Plays,
    /// It is paused.
    Paused,
}

impl AdBreak {
    /// Content starts or stops playing: only playing time counts. Rule OVL-3.
    pub fn follow_content(&mut self, now: Time, plays: bool) {
        if let State::Overlay {
            ad,
            is_visible: true,
        } = self.parts().1
        {
            if plays { ad.runs(now) } else { ad.stops(now) }
        }
    }

    /// Whether a unit over the content plays although content is paused, or was paused with it and
    /// content plays. Rule VPAID-19.
    #[must_use]
    pub fn unit_lags(&self, content: ContentMoves) -> bool {
        let Some((ad, stage)) = self.state.linear().filter(|(ad, _)| ad.unit.is_vpaid()) else {
            return false;
        };
        match (stage, content) {
            (Stage::Playing, ContentMoves::Paused) => true,
            (Stage::Paused, ContentMoves::Plays) => ad.stands_with_content,
            (_, ContentMoves::Plays | ContentMoves::Paused) => false,
        }
    }

    /// Pauses or resumes a unit over the content that lags behind it. Rule VPAID-19.
    pub fn catch_up_with(&mut self, content: ContentMoves, cx: &mut Context<'_>) {
        if !self.unit_lags(content) {
            return;
        }
        let cx = &mut self.enter(cx);
        if let Some((ad, _)) = self.state.linear_mut() {
            ad.stands_with_content = content == ContentMoves::Paused;
        }
        match content {
            ContentMoves::Paused => self.pause_ad(cx),
            ContentMoves::Plays => self.resume_ad(cx),
        }
    }

    /// Shows a display ad next to the player. It stays there, and its break ends at once. Rule
    /// VMAP-20.
    pub(super) fn show_display(&mut self, cx: &mut Scope<'_>) {
        let (course, state) = self.parts();
        let State::Overlay { ad, .. } = &*state else {
            return;
        };
        course.mark_started(cx.now(), cx.macros);
        let impression = cx.out.event(rules::VMAP_20, EventName::AdImpression);
        cx.impressions(
            Because {
                rule: rules::BRK_1,
                cause: impression,
            },
            ad.at_hand(cx.now()),
        );
        // It has no `start`, so that these trackers are due at once unless they never are.
        let view_at = cx.knobs().creative_view_at();
        let due = if view_at == CreativeViewAt::Never {
            CreativeViewAt::BeforeStart
        } else {
            view_at
        };
        cx.track_view(
            due,
            Because {
                rule: rules::VMAP_20,
                cause: impression,
            },
            ad.at_hand(cx.now()),
        );
        *state = course.ad_played(cx);
    }

    /// When the visible overlay will have been shown for its full time. Rule OVL-3.
    #[must_use]
    pub fn overlay_ends_at(&self) -> Option<Time> {
        self.state.overlay().and_then(OverlayAd::over_at)
    }

    /// The overlay was shown for its full time. Rules OVL-2, PRD-35.
    pub(super) fn overlay_shown(&mut self, cx: &mut Scope<'_>) {
        let (course, state) = self.parts();
        let State::Overlay { ad, .. } = state else {
            return;
        };
        ad.end(ad.cause(), cx);
        let (mut rule, mut cause) = (rules::PRD_35, ad.cause());
        if cx.knobs().overlay_complete().is_on() {
            let event = Event {
                name: EventName::AdComplete,
                data: course.position_data(),
            };
            (rule, cause) = (
                rules::OVL_3,
                cx.out.event(
                    Because {
                        rule: rules::OVL_2,
                        cause,
                    },
                    event,
                ),
            );
            ad.track(
                Because {
                    rule: rules::OVL_2,
                    cause,
                },
                TrackingEvent::Complete,
                cx,
            );
        }
        ad.leave(Because { rule, cause }, cx);
        *state = course.ad_played(cx);
    }

    /// The user closes the overlay, which is a skip if the document allows one, and ends the break.
    /// `false` if no overlay is visible. Rule OVL-5.
    pub fn close(&mut self, cx: &mut Context<'_>) -> bool {
        let cx = &mut self.enter(cx);
        if self.close_unit(cx) {
            return true;
        }
        let (course, state) = self.parts();
        let State::Overlay {
            ad,
            is_visible: true,
        } = state
        else {
            return false;
        };
        let mut cause = cx.out.cause();
        ad.end(cause, cx);
        if ad.is_skippable(cx.now()) {
            cause = cx.out.event(
                rules::OVL_5,
                Event {
                    name: EventName::AdSkip,
                    data: course.position_data(),
                },
            );
        }
        ad.track(
            Because {
                rule: rules::OVL_5,
                cause,
            },
            TrackingEvent::Close,
            cx,
        );
        ad.leave(
            Because {
                rule: rules::OVL_5,
                cause,
            },
            cx,
        );
        *state = course.cut("closed", cx);
        true
    }

    /// The user closes a VPAID unit over the content, which is not awaited. `false` if none is
    /// visible.
    ///
    /// Rules OVL-5, VPAID-19.
    fn close_unit(&mut self, cx: &mut Scope<'_>) -> bool {
        let (course, state) = self.parts();
        let State::Ad {
            ad,
            stage: Stage::Playing | Stage::Paused,
        } = state
        else {
            return false;
        };
        let mut cause = cx.out.cause();
        ad.end(cause, cx);
        if ad
            .skippable_from()
            .is_some_and(|from| from <= ad.position(cx.now()))
        {
            cause = cx.out.event(
                rules::OVL_5,
                Event {
                    name: EventName::AdSkip,
                    data: course.position_data(),
                },
            );
        }
        ad.track(
            Because {
                rule: rules::OVL_5,
                cause,
            },
            TrackingEvent::Close,
            cx,
        );
        cx.out.set_cause(cause);
        ad.dismiss_vpaid(&mut cx.out);
        ad.vanish(rules::OVL_5, &mut cx.out);
        *state = course.cut("closed", cx);
        true
    }

    /// The unit of the overlay has failed. Rule SIMID-5.
    pub(super) fn overlay_broke(&mut self, failure: &Failure, because: Cause, cx: &mut Scope<'_>) {
        let (course, state) = self.parts();
        let State::Overlay { ad, is_visible } = state else {
            return;
        };
        let data =
            Fields::one("position", ad.head().position(cx.now())).with("why", failure.why.clone());
        let cause = cx.out.line(
            Because {
                rule: failure.rule,
                cause: because,
            },
            AdLine::Failed,
            data,
        );
        let hops = Arc::clone(ad.hops());
        if *is_visible {
            ad.end(cause, cx);
        }
        ad.leave(
            Because {
                rule: failure.rule,
                cause,
            },
            cx,
        );
        *state = course.ad_broke(failure.code, &hops, cx);
    }

    /// Whether the overlay covers the content, which has to pause then. Rule SIMID-15.
    #[must_use]
    pub fn covers_content(&self) -> bool {
        self.state
            .overlay()
            .and_then(|ad| ad.simid.as_ref())
            .is_some_and(|unit| unit.is_expanded())
    }

    /// A linear ad or the end of the content removes the overlay, loaded or not. Returns the
    /// requests whose responses are no longer awaited. Rule OVL-6.
    pub fn take_away(
        &mut self,
        why: &'static str,
        cx: &mut Context<'_>,
    ) -> Vec<(RequestId, Abandoned)> {
        let cx = &mut self.enter(cx);
        let (course, state) = self.parts();
        match &mut *state {
            State::Loading { what, .. } => {
                if let Some(pending) = what.own() {
                    course.abandon(pending.id, Abandoned::Dropped);
                }
            }
            State::Overlay {
                ad,
                is_visible: true,
            } => {
                dismiss(
                    ad.simid.as_deref_mut(),
                    "adStopped",
                    cx.out.cause(),
                    &mut cx.out,
                );
                ad.vanish(rules::OVL_6, &mut cx.out);
                log_visible(false, rules::OVL_6, &mut cx.out);
            }
            State::Ad { ad, .. } | State::EndCard { ad, .. } => {
                ad.dismiss_vpaid(&mut cx.out);
                ad.vanish(rules::OVL_6, &mut cx.out);
            }
            State::Overlay { .. } => {}
            State::Over { .. } => return course.take_abandoned(),
        }
        *state = course.cut(why, cx);
        course.take_abandoned()
    }
}
