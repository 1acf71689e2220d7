//! The start of a linear ad: impressions, the start events, and their trackers.
//!
//! Rules: BRK-1, BRK-2, SEL-1, VPAID-5.

use super::LinearAd;
use crate::report::context::Scope;
use crate::show::attachments::Attachments;
use crate::show::overlay::log_visible;
use playsim_api::{AdLine, Because, BreakKind, Cause, EventName, Fields};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_rules::knobs::{ImpressionAt, SoundAtStart, VpaidStart};
use playsim_vast::TrackingEvent;

impl LinearAd {
    /// Starts the ad: impression, start, and their beacons. Rule BRK-1.
    pub(crate) fn start(&mut self, cx: &mut Scope<'_>) {
        self.track_sound(SoundAtStart::Muted, cx);
        let impression = self.fire_start(cx);
        cx.track_start(
            Because {
                rule: rules::BRK_1,
                cause: self.cause,
            },
            self.at_hand(cx.now()),
        );
        if self.calls_impressions_late(cx) {
            cx.impressions(
                Because {
                    rule: rules::PRD_29,
                    cause: impression,
                },
                self.at_hand(cx.now()),
            );
        }
        if cx.knobs().resume_at_start().is_on() {
            self.track(
                Because {
                    rule: rules::PRD_18,
                    cause: self.cause,
                },
                TrackingEvent::Resume,
                cx,
            );
        }
        self.track_sound(SoundAtStart::Audible, cx);
        self.with_attachments(Attachments::start, cx);
        self.advance(cx.now());
    }

    /// Calls the trackers of its sound, although nobody has changed it, if the knob says so and
    /// this is when they are due. Rule PRD-43.
    fn track_sound(&mut self, now: SoundAtStart, cx: &mut Scope<'_>) {
        let event = match now {
            SoundAtStart::Muted if cx.macros.is_muted() => TrackingEvent::Mute,
            SoundAtStart::Audible => TrackingEvent::Unmute,
            SoundAtStart::Muted | SoundAtStart::None => return,
        };
        if cx.knobs().sound_at_start() == now && self.vpaid_media().is_none() {
            let because = Because {
                rule: rules::PRD_43,
                cause: cx.out.cause(),
            };
            self.track(because, event, cx);
        }
    }

    /// Jumps this far into the ad, because the content is already this far past the cue point. Rule
    /// PRD-23.
    pub(crate) fn join(&mut self, at: Span, cx: &mut Scope<'_>) {
        let position = self.seek(cx.now(), at.end());
        let data = Fields::one("position", position);
        cx.out.line(
            Because {
                rule: rules::PRD_23,
                cause: self.cause,
            },
            AdLine::Seek,
            data,
        );
    }

    /// Returns whether its impressions are called after its start. A VPAID unit reports both
    /// itself. Rule PRD-29.
    fn calls_impressions_late(&self, cx: &Scope<'_>) -> bool {
        let is_late = cx.knobs().impression_at() == ImpressionAt::AfterStart;
        is_late && self.prepared.part == 0 && self.vpaid_media().is_none()
    }

    /// Fires the start events and calls the impressions. Returns the event that causes them. Rules
    /// BRK-1, BRK-2.
    pub(crate) fn fire_start(&mut self, cx: &mut Scope<'_>) -> Cause {
        if cx.kind == BreakKind::Overlay {
            self.is_over_content = true;
            log_visible(true, rules::VPAID_19, &mut cx.out);
        }
        let impression = cx.out.event(rules::BRK_1, EventName::AdImpression);
        // The impression belongs to the ad, not to each of its parts. SEL-1
        if self.prepared.part == 0 && !self.calls_impressions_late(cx) {
            cx.impressions(
                Because {
                    rule: rules::BRK_1,
                    cause: impression,
                },
                self.at_hand(cx.now()),
            );
        }
        let is_vpaid = self.vpaid_media().is_some();
        if !is_vpaid || self.vpaid_start == VpaidStart::Both {
            self.cause = cx.out.event(rules::BRK_1, EventName::AdStart);
        }
        if is_vpaid {
            let cause = cx.out.event(rules::BRK_2, EventName::VpaidStart);
            if self.vpaid_start == VpaidStart::Instead {
                self.cause = cause;
            }
        }
        impression
    }
}
