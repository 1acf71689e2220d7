//! Starting, pausing, skipping and ending the ad on screen.
//!
//! Rules: BRK-1, BRK-3, BRK-5, BRK-13 to BRK-15, BRK-21, PAUSE-3, PLAY-14.

use std::sync::Arc;

use super::AdBreak;
use super::state::{Stage, State};
use crate::report::context::{Context, Scope};
use crate::show::linear::Moved;
use crate::show::overlay::log_visible;
use crate::show::unit::simid_lines::dismiss;
use playsim_api::media::{Vpaid, VpaidCall};
use playsim_api::{AdLine, Because, BreakKind, Cause, Code, Event, EventName, Fields, Text};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;

impl AdBreak {
    /// The script of the VPAID unit of the current ad; `None` if the ad is not VPAID. Rules MUTE-6,
    /// CLICK-4.
    #[must_use]
    pub fn vpaid(&self) -> Option<Vpaid> {
        self.state.linear().and_then(|(ad, _)| ad.vpaid_media())
    }

    /// Whether the ready ad is a VPAID unit, which announces its start itself. Rule VPAID-5.
    #[must_use]
    pub fn begins_by_itself(&self) -> bool {
        self.state
            .linear()
            .is_some_and(|(ad, _)| ad.unit.is_vpaid())
    }

    /// The length of the linear ad on screen, or of the ad whose end card shows, and its position.
    /// Rules GAP-3, GAP-4.
    #[must_use]
    pub fn playhead(&self, now: Time) -> Option<(Span, Position)> {
        let ad = if let State::EndCard { ad, .. } = &self.state {
            ad
        } else {
            self.state
                .linear()
                .filter(|(_, stage)| stage.is_on_screen())?
                .0
        };
        Some((ad.length(), ad.position(now)))
    }

    /// Moves the ad on screen and returns its new position; `None` without an ad. Knob
    /// `seek.during_ad`.
    pub fn seek(&mut self, now: Time, target: Position) -> Option<Position> {
        let (ad, _) = self
            .state
            .linear_mut()
            .filter(|(_, stage)| stage.is_on_screen())?;
        Some(ad.seek(now, target))
    }

    /// Starts the ad that is ready; otherwise no effect. Rule BRK-1.
    pub fn start(&mut self, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        if let Some((ad, stage @ Stage::Ready)) = self.state.linear_mut() {
            if ad.unit.is_vpaid() {
                *stage = Stage::Starting;
                ad.call_vpaid(VpaidCall::StartAd, Fields::default(), cx.out.cause(), cx);
                return;
            }
            *stage = Stage::Playing;
            self.course.mark_started(cx.now(), cx.macros);
            ad.start(cx);
            let join = std::mem::take(&mut self.course.join);
            if join > Span::ZERO {
                ad.join(join, cx);
            }
            self.start_simid(cx);
        } else if let State::Overlay {
            ad,
            is_visible: is_visible @ false,
        } = &mut self.state
        {
            if cx.kind == BreakKind::Display {
                return self.show_display(cx);
            }
            *is_visible = true;
            self.course.mark_started(cx.now(), cx.macros);
            log_visible(true, rules::OVL_1, &mut cx.out);
            ad.start(cx);
            self.start_simid(cx);
        }
    }

    /// The browser does not let the ad start that is ready. Rule PLAY-24.
    pub fn refuse_start(&mut self, why: &'static str, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        let (course, state) = self.parts();
        if let State::Ad { ad, .. } = state {
            let cause = cx.out.cause();
            ad.dismiss_vpaid(&mut cx.out);
            dismiss(ad.unit.simid_mut(), "adStopped", cause, &mut cx.out);
            ad.vanish(rules::PLAY_24, &mut cx.out);
            let prepared = ad.prepared().clone();
            *state = course.start_refused(&prepared, why, cx);
        }
    }

    /// Pauses the ad that is playing; otherwise no effect. Rules PAUSE-3, BRK-15.
    pub fn pause(&mut self, cx: &mut Context<'_>) {
        self.pause_ad(&mut self.enter(cx));
    }

    /// As [`AdBreak::pause`], from inside the break.
    pub(super) fn pause_ad(&mut self, cx: &mut Scope<'_>) {
        if let Some((ad, stage @ Stage::Playing)) = self.state.linear_mut() {
            *stage = Stage::Paused;
            ad.pause(cx);
        }
    }

    /// Resumes the ad that is paused; otherwise no effect. Rules PLAY-14, BRK-15.
    pub fn resume(&mut self, cx: &mut Context<'_>) {
        self.resume_ad(&mut self.enter(cx));
    }

    /// As [`AdBreak::resume`], from inside the break.
    pub(super) fn resume_ad(&mut self, cx: &mut Scope<'_>) {
        if let Some((ad, stage @ Stage::Paused)) = self.state.linear_mut() {
            *stage = Stage::Playing;
            let limit = cx.knobs().ad_stall_timeout();
            ad.resume(limit, cx);
        }
    }

    /// Skips the ad on screen. Returns `false`, with a diagnostic, if it cannot be skipped, or not
    /// yet. Rules BRK-13, BRK-14.
    pub fn skip(&mut self, cx: &mut Context<'_>) -> bool {
        let cx = &mut self.enter(cx);
        let mut rule = rules::BRK_13;
        let ad = self
            .state
            .linear()
            .filter(|(_, stage)| stage.is_on_screen())
            .map(|(ad, _)| ad);
        let refusal: Text = match ad.map(|ad| (ad, ad.skippable_from())) {
            Some((ad, Some(from))) if from <= ad.position(cx.now()) => {
                let is_unit = ad.unit.is_vpaid();
                if !is_unit {
                    self.skipped(rules::BRK_14, &[TrackingEvent::Skip], cx);
                    return true;
                }
                if self.skip_vpaid(cx) {
                    return true;
                }
                "the unit was already asked to skip".into()
            }
            Some((ad, Some(from))) => {
                rule = ad.rule_of_skip();
                let at = playsim_api::Decimal::seconds(from.micros());
                if from >= ad.duration().end() {
                    format!("the ad can be skipped from {at}s on, but it ends before that").into()
                } else {
                    format!("the ad can be skipped from {at}s on").into()
                }
            }
            Some((ad, None)) if ad.is_too_short() => {
                rule = rules::PRD_36;
                "the ad is too short to be skipped".into()
            }
            Some((ad, None)) if ad.is_offset_unread() => {
                rule = rules::PRD_42;
                "this profile does not read the ad's skip offset".into()
            }
            Some((_, None)) => "the ad cannot be skipped: it has no skipoffset".into(),
            None => "no ad is playing".into(),
        };
        cx.out.diag(rule, Code::SkipNotOffered, refusal);
        false
    }

    /// Ends the ad on screen before its end. Rules BRK-14, SIMID-9.
    pub(crate) fn skipped(&mut self, rule: RuleId, trackers: &[TrackingEvent], cx: &mut Scope<'_>) {
        let State::Ad { ad, .. } = &mut self.state else {
            return;
        };
        let because = cx.out.cause();
        ad.end(because, cx);
        let data = self.course.position_data();
        let cause = cx.out.event(
            rule,
            Event {
                name: EventName::AdSkip,
                data,
            },
        );
        for tracker in trackers {
            ad.track(Because { rule, cause }, *tracker, cx);
        }
        dismiss(ad.unit.simid_mut(), "adSkipped", cause, &mut cx.out);
        cx.out.set_cause(cause);
        ad.vanish(rules::ADX_15, &mut cx.out);
        self.course.shown += ad.position(cx.now()) - Position::ZERO;
        self.state = self.course.ad_played(cx);
    }

    /// Handles the result of advancing the ad that is playing.
    pub(crate) fn moved(&mut self, moved: Moved, due: Cause, cx: &mut Scope<'_>) {
        match (moved, &mut self.state) {
            (Moved::On, _) => {}
            (Moved::Completed, State::Ad { ad, .. }) => {
                ad.end_film(due, cx);
                let event = Event {
                    name: EventName::AdComplete,
                    data: self.course.position_data(),
                };
                let rule = if ad.duration() == Span::ZERO {
                    rules::BRK_21
                } else {
                    rules::BRK_3
                };
                let cause = cx.out.event(Because { rule, cause: due }, event);
                ad.complete(cause, cx);
                dismiss(ad.unit.simid_mut(), "adStopped", cause, &mut cx.out);
                cx.out.set_cause(cause);
                self.course.shown += ad.duration();
                self.film_over(cause, cx);
            }
            (Moved::Cut, State::Ad { ad, .. }) => {
                let place = self.course.waterfalls.place();
                let data = match ad.hops().last() {
                    Some(hop) => place.of_ad(hop).with("at", hop.at()),
                    None => place.fields(),
                };
                let data = data.with("why", "the break has reached its limit");
                let cause = cx.out.line(
                    Because {
                        rule: rules::SEL_15,
                        cause: due,
                    },
                    AdLine::Cut,
                    data,
                );
                cx.out.set_cause(cause);
                ad.dismiss_vpaid(&mut cx.out);
                self.skipped(rules::SEL_15, &[], cx);
            }
            (Moved::Failed(failure), State::Ad { ad, stage }) => {
                let data = Fields::one("position", ad.position(cx.now())).with("why", failure.why);
                let cause = cx.out.line(
                    Because {
                        rule: failure.rule,
                        cause: due,
                    },
                    AdLine::Failed,
                    data,
                );
                if matches!(stage, Stage::Playing | Stage::Paused) {
                    ad.end(cause, cx);
                }
                let hops = Arc::clone(ad.hops());
                self.course.shown += ad.position(cx.now()) - Position::ZERO;
                cx.out.set_cause(cause);
                ad.vanish(rules::ADX_15, &mut cx.out);
                self.state = self.course.ad_broke(failure.code, &hops, cx);
            }
            (
                Moved::Completed | Moved::Cut | Moved::Failed(..),
                State::Loading { .. }
                | State::EndCard { .. }
                | State::Overlay { .. }
                | State::Over { .. },
            ) => {}
        }
    }
}
