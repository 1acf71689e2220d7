//! Starting, pausing, skipping and ending the ad on screen.
//!
//! Rules: BRK-1, BRK-3, BRK-5, BRK-13 to BRK-15, BRK-21, PAUSE-3, PLAY-14.

use std::sync::Arc;

use super::AdBreak;
use super::state::{Stage, State};
use super::unit::Moment;
use crate::ads::report::services::AdServices;
use crate::ads::report::tracking::BeaconSender;
use crate::ads::show::linear::Moved;
use crate::ads::show::overlay::log_visible;
use crate::ads::show::unit::simid_lines::dismiss;
use crate::api::{AdLine, BreakKind, Cause, Code, Event, EventName, Fields, Line, Outbox, Output, Text};
use crate::media::{Vpaid, VpaidCall};
use crate::rules::{self, RuleId};
use crate::time::{Position, Span, Time};

impl AdBreak {
    /// What the VPAID unit of the current ad does on its own; `None` if the ad is not VPAID. Rules MUTE-6,
    /// CLICK-4.
    #[must_use]
    pub fn vpaid(&self) -> Option<Vpaid> {
        self.state.linear().and_then(|(ad, _)| ad.vpaid())
    }

    /// Whether the ready ad is a VPAID unit, which announces its start itself. Rule VPAID-5.
    #[must_use]
    pub fn begins_by_itself(&self) -> bool {
        self.state.linear().is_some_and(|(ad, _)| ad.vpaid.is_some())
    }

    /// The duration of the ad on screen and its position.
    #[must_use]
    pub fn playhead(&self, now: Time) -> Option<(Span, Position)> {
        let ad = if let State::EndCard { ad, .. } = &self.state {
            ad
        } else {
            self.state.linear().filter(|(_, stage)| stage.is_on_screen())?.0
        };
        Some((ad.duration(), ad.position(now)))
    }

    /// Moves the ad on screen and returns its new position; `None` without an ad. Knob `seek.during_ad`.
    pub fn seek(&mut self, now: Time, target: Position) -> Option<Position> {
        let (ad, _) = self.state.linear_mut().filter(|(_, stage)| stage.is_on_screen())?;
        Some(ad.seek(now, target))
    }

    /// Starts the ad that is ready; otherwise no effect. Rule BRK-1.
    pub fn start(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        let out = &mut *out.within(self.number());
        match &mut self.state {
            State::Ad { ad, stage: stage @ Stage::Ready } if ad.vpaid.is_some() => {
                *stage = Stage::Starting;
                let (kind, cause) = (self.course.kind(), out.cause());
                let mut beacons = BeaconSender { now, kind, macros: services.macros, out };
                ad.call_vpaid(VpaidCall::StartAd, Fields::default(), cause, &mut beacons);
            }
            State::Ad { ad, stage: stage @ Stage::Ready } => {
                *stage = Stage::Playing;
                self.course.mark_started(services.macros);
                let kind = self.course.kind();
                ad.start(&mut BeaconSender { now, kind, macros: services.macros, out });
                self.start_simid(&mut Moment { now, services, out });
            }
            State::Overlay { is_visible: false, .. } if self.course.kind() == BreakKind::Display => {
                self.show_display(now, services, out);
            }
            State::Overlay { ad, is_visible: is_visible @ false } => {
                *is_visible = true;
                self.course.mark_started(services.macros);
                log_visible(true, rules::OVL_1, out);
                let kind = self.course.kind();
                ad.start(&mut BeaconSender { now, kind, macros: services.macros, out });
                self.start_simid(&mut Moment { now, services, out });
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => {}
        }
    }

    /// Pauses the ad that is playing; otherwise no effect. Rules PAUSE-3, BRK-15.
    pub fn pause(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        let out = &mut *out.within(self.number());
        if let Some((ad, stage @ Stage::Playing)) = self.state.linear_mut() {
            *stage = Stage::Paused;
            let kind = self.course.kind();
            ad.pause(&mut BeaconSender { now, kind, macros: services.macros, out });
        }
    }

    /// Resumes the ad that is paused; otherwise no effect. Rules PLAY-14, BRK-15.
    pub fn resume(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        let out = &mut *out.within(self.number());
        if let Some((ad, stage @ Stage::Paused)) = self.state.linear_mut() {
            *stage = Stage::Playing;
            let (kind, limit) = (self.course.kind(), services.knobs.ad_stall_timeout);
            ad.resume(limit, &mut BeaconSender { now, kind, macros: services.macros, out });
        }
    }

    /// Skips the ad on screen. Returns `false`, with a diagnostic, if it cannot be skipped, or not yet.
    /// Rules BRK-13, BRK-14.
    pub fn skip(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> bool {
        let out = &mut *out.within(self.number());
        let mut rule = rules::BRK_13;
        let ad = self.state.linear().filter(|(_, stage)| stage.is_on_screen()).map(|(ad, _)| ad);
        let refusal: Text = match ad.map(|ad| (ad, ad.skippable_from())) {
            Some((ad, Some(from))) if from <= ad.position(now) => {
                let is_unit = ad.vpaid.is_some();
                let mut moment = Moment { now, services, out };
                if !is_unit {
                    self.skipped(rules::BRK_14, &["skip"], &mut moment);
                    return true;
                }
                if self.skip_vpaid(moment) {
                    return true;
                }
                "the unit was already asked to skip".into()
            }
            Some((ad, Some(from))) => {
                rule = ad.rule_of_skip();
                let at = crate::api::Decimal::seconds(from.micros());
                if from >= ad.duration().end() {
                    format!("the ad can be skipped from {at}s on, but it ends before that").into()
                } else {
                    format!("the ad can be skipped from {at}s on").into()
                }
            }
            Some((_, None)) => "the ad cannot be skipped".into(),
            None => "no ad is playing".into(),
        };
        out.diag(rule, Code::SkipNotOffered, refusal);
        false
    }

    /// Ends the ad on screen before its end. Rules BRK-14, SIMID-9.
    pub(in crate::ads) fn skipped(
        &mut self,
        rule: RuleId,
        trackers: &[&'static str],
        moment: &mut Moment<'_, '_>,
    ) {
        let State::Ad { ad, .. } = &mut self.state else { return };
        let because = moment.out.cause();
        ad.end(because, &mut moment.beacons(self.course.kind()));
        let data = self.course.position_data();
        let cause = moment.out.event_with(rule, EventName::AdSkip, data);
        for tracker in trackers {
            ad.track(rule, tracker, cause, &mut moment.beacons(self.course.kind()));
        }
        dismiss(ad.simid.as_mut(), "adSkipped", cause, moment.out);
        moment.out.set_cause(cause);
        ad.vanish(rules::ADX_15, moment.out);
        self.course.shown += ad.position(moment.now) - Position::ZERO;
        self.state = self.course.ad_played(moment.now, moment.services, moment.out);
    }

    /// Handles the result of advancing the ad that is playing.
    pub(in crate::ads) fn moved(
        &mut self,
        now: Time,
        moved: Moved,
        due: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        match (moved, &mut self.state) {
            (Moved::On, _) => {}
            (Moved::Completed, State::Ad { ad, .. }) => {
                ad.end_film(
                    due,
                    &mut BeaconSender { now, kind: self.course.kind(), macros: services.macros, out },
                );
                let event = Event { name: EventName::AdComplete, data: self.course.position_data() };
                let rule = if ad.duration() == Span::ZERO { rules::BRK_21 } else { rules::BRK_3 };
                let cause = out.put_because(due, rule, Output::Event(event));
                let mut beacons =
                    BeaconSender { now, kind: self.course.kind(), macros: services.macros, out };
                ad.complete(cause, &mut beacons);
                dismiss(ad.simid.as_mut(), "adStopped", cause, out);
                out.set_cause(cause);
                self.course.shown += ad.duration();
                self.film_over(now, cause, services, out);
            }
            (Moved::Failed(failure), State::Ad { ad, stage }) => {
                let data = Fields::one("position", ad.position(now)).with("why", failure.why);
                let line = Line::new(AdLine::Failed, data);
                let cause = out.put_because(due, failure.rule, Output::Line(line));
                if matches!(stage, Stage::Playing | Stage::Paused) {
                    ad.end(
                        cause,
                        &mut BeaconSender { now, kind: self.course.kind(), macros: services.macros, out },
                    );
                }
                let hops = Arc::clone(ad.hops());
                self.course.shown += ad.position(now) - Position::ZERO;
                out.set_cause(cause);
                ad.vanish(rules::ADX_15, out);
                self.state = self.course.ad_broke(now, failure.code, &hops, services, out);
            }
            (
                Moved::Completed | Moved::Failed(..),
                State::Fetching { .. }
                | State::LoadingMedia { .. }
                | State::LoadingPage { .. }
                | State::LoadingOverlay { .. }
                | State::EndCard { .. }
                | State::Overlay { .. }
                | State::Over { .. },
            ) => {}
        }
    }
}
