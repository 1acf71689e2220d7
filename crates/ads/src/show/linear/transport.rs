//! Pausing, resuming and moving a linear ad.
//!
//! Rules: BRK-15, BRK-25, VPAID-13, ADX-11.

use super::marks::MarkKind;
use super::{Flow, LinearAd};
use crate::report::context::Scope;
use playsim_api::media::VpaidCall;
use playsim_api::{Because, EventName, Fields};
use playsim_base::time::{Position, Span, Time};
use playsim_rules as rules;
use playsim_rules::knobs::SeekQuartiles;
use playsim_vast::TrackingEvent;

impl LinearAd {
    /// Moves the ad. Depending on the profile, marks passed over count as reached or are lost. Knob
    /// `seek.during_ad`, rule PRD-1.
    pub(crate) fn seek(&mut self, now: Time, target: Position) -> Position {
        if self.unit.is_vpaid() {
            // A unit cannot be moved.
            return self.position(now);
        }
        let target = target
            .min(self.info.duration.end())
            .min(self.cut_at.unwrap_or(Position::MAX));
        if self.in_seek == SeekQuartiles::Lost {
            self.count_played_time(self.head.position(now), target);
        }
        self.head.jump(now, target);
        self.next_stall = self.info.stalls.partition_point(|stall| stall.at < target);
        self.noticing.not_before = now;
        target
    }

    /// Keeps marks tied to played time after a move from one position to another: quartiles passed
    /// over are lost, and so is `complete` after a move forward; `progress` moves to where that
    /// much has been played. Rule PRD-1.
    fn count_played_time(&mut self, from: Position, target: Position) {
        let passed = self.next_mark;
        let mut ahead = self.marks.split_off(passed);
        ahead.retain(|mark| match mark.what {
            MarkKind::Quartile { .. } | MarkKind::Complete => mark.at <= from || target <= mark.at,
            MarkKind::Progress { .. } => true,
        });
        for mark in ahead
            .iter_mut()
            .filter(|mark| matches!(mark.what, MarkKind::Progress { .. }))
        {
            mark.at = target + (mark.at - from);
        }
        ahead.sort_by_key(|mark| mark.at);
        self.marks.append(&mut ahead);
        self.has_skipped |= target > from;
    }

    /// Pauses the ad. Rule BRK-15.
    pub(crate) fn pause(&mut self, cx: &mut Scope<'_>) {
        self.stand(cx.now());
        let cause = cx.out.event(rules::BRK_15, EventName::AdPause);
        if self.unit.is_vpaid() {
            self.call_vpaid(VpaidCall::PauseAd, Fields::default(), cause, cx);
        } else {
            self.track(
                Because {
                    rule: rules::BRK_15,
                    cause,
                },
                TrackingEvent::Pause,
                cx,
            );
        }
    }

    /// Resumes the ad. Data that is still missing gets its full time limit again. Rule BRK-15.
    pub(crate) fn resume(&mut self, stall_timeout: Span, cx: &mut Scope<'_>) {
        let cause = cx.out.cause();
        self.attachments_mut().close_fallback(
            Because {
                rule: rules::ADX_11,
                cause,
            },
            &mut cx.out,
        );
        self.go_on(cx.now(), stall_timeout);
        self.cause = cx.out.event(rules::BRK_15, EventName::AdResume);
        if self.unit.is_vpaid() {
            self.call_vpaid(VpaidCall::ResumeAd, Fields::default(), self.cause, cx);
        } else {
            self.track(
                Because {
                    rule: rules::BRK_15,
                    cause: self.cause,
                },
                TrackingEvent::Resume,
                cx,
            );
        }
    }

    /// Restarts the clock unless data is still missing.
    pub(crate) fn go_on(&mut self, now: Time, stall_timeout: Span) {
        match &mut self.flow {
            Flow::Waiting { until, gives_up } if *until > now => *gives_up = now + stall_timeout,
            Flow::Waiting { .. } | Flow::Advancing => {
                self.flow = Flow::Advancing;
                self.advance(now);
            }
        }
    }
}
