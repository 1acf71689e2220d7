//! Applies the messages of a VPAID unit to its ad: events, trackers, and the next step.
//!
//! Rules: VPAID-5 to VPAID-15.

use crate::ad_break::AdBreak;
use crate::ad_break::state::{Stage, State};
use crate::error::{AdErrorCode, Failure};
use crate::report::context::Scope;
use crate::show::attachments::Attachments;
use crate::show::unit::vpaid::Asked;
use playsim_api::media::{VpaidEvent, VpaidSaid};
use playsim_api::{Because, Cause, Decimal, Event, EventName};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;
use playsim_rules::knobs::CreativeViewAt;
use playsim_vast::TrackingEvent;

/// The next step after a message.
pub(crate) enum Then {
    /// The ad continues.
    GoesOn,
    /// The unit cannot be used or cannot continue.
    Fails(Failure),
    /// The end of its ad was reported; the unit must stop.
    Leaves,
    /// It has stopped.
    IsGone,
}

/// The trackers of interactions inside a unit. Rule VPAID-12.
const ACCEPT: &[TrackingEvent] = &[
    TrackingEvent::AcceptInvitation,
    TrackingEvent::AcceptInvitationLinear,
];
const MINIMIZE: &[TrackingEvent] = &[TrackingEvent::Minimize, TrackingEvent::Collapse];
const EXPAND: &[TrackingEvent] = &[TrackingEvent::AdExpand, TrackingEvent::Expand];
const COLLAPSE: &[TrackingEvent] = &[TrackingEvent::AdCollapse, TrackingEvent::Collapse];

impl AdBreak {
    /// Applies a message that is in order. `was_asked`: the requests that were unanswered before
    /// it.
    pub(super) fn vpaid_means(
        &mut self,
        said: &VpaidSaid,
        was_asked: Asked,
        cause: Cause,
        cx: &mut Scope<'_>,
    ) -> Then {
        match said {
            VpaidSaid::AdLoaded => return self.vpaid_loaded(cause, cx),
            VpaidSaid::AdStarted => self.vpaid_started(cause, cx),
            VpaidSaid::AdImpression => self.vpaid_seen(cause, cx),
            VpaidSaid::AdVideoStart => {
                self.vpaid_tracks(
                    Because {
                        rule: rules::VPAID_5,
                        cause,
                    },
                    &[TrackingEvent::Start],
                    cx,
                );
                self.vpaid_viewed(CreativeViewAt::AfterStart, cause, cx);
            }
            VpaidSaid::AdVideoFirstQuartile => {
                self.vpaid_quartile(
                    EventName::AdFirstQuartile,
                    TrackingEvent::FirstQuartile,
                    cause,
                    cx,
                );
            }
            VpaidSaid::AdVideoMidpoint => {
                self.vpaid_quartile(EventName::AdMidpoint, TrackingEvent::Midpoint, cause, cx);
            }
            VpaidSaid::AdVideoThirdQuartile => {
                self.vpaid_quartile(
                    EventName::AdThirdQuartile,
                    TrackingEvent::ThirdQuartile,
                    cause,
                    cx,
                );
            }
            VpaidSaid::AdVideoComplete => {
                self.vpaid_ends(
                    Because {
                        rule: rules::VPAID_5,
                        cause,
                    },
                    EventName::AdComplete,
                    &[TrackingEvent::Complete],
                    cx,
                );
                return Then::Leaves;
            }
            VpaidSaid::AdSkipped => {
                self.vpaid_ends(
                    Because {
                        rule: rules::VPAID_7,
                        cause,
                    },
                    EventName::AdSkip,
                    &[TrackingEvent::Skip],
                    cx,
                );
                return Then::Leaves;
            }
            VpaidSaid::AdUserClose => {
                let trackers = &[TrackingEvent::CloseLinear, TrackingEvent::Close];
                self.vpaid_ends(
                    Because {
                        rule: rules::VPAID_14,
                        cause,
                    },
                    EventName::AdSkip,
                    trackers,
                    cx,
                );
                return Then::Leaves;
            }
            VpaidSaid::AdStopped => return Then::IsGone,
            VpaidSaid::AdError { text } => {
                let why = match text {
                    Some(words) => format!("the unit failed: {words}"),
                    None => "the unit failed".to_owned(),
                };
                return Then::Fails(Failure::new(AdErrorCode::Vpaid, why).by(rules::VPAID_11));
            }
            VpaidSaid::AdPaused { length } => {
                self.vpaid_paused(*length, was_asked.pause, cause, cx);
            }
            VpaidSaid::AdPlaying => self.vpaid_resumed(was_asked.resume, cause, cx),
            VpaidSaid::AdClickThru {
                url,
                player_handles,
                ..
            } => {
                cx.out.set_cause(cause);
                self.clicked_in_unit(rules::VPAID_10, url.as_ref(), *player_handles, cx);
            }
            VpaidSaid::AdUserAcceptInvitation => self.vpaid_acts(ACCEPT, cause, cx),
            VpaidSaid::AdUserMinimize => self.vpaid_acts(MINIMIZE, cause, cx),
            VpaidSaid::AdExpandedChange { expanded: true } => self.vpaid_acts(EXPAND, cause, cx),
            VpaidSaid::AdExpandedChange { expanded: false } => self.vpaid_acts(COLLAPSE, cause, cx),
            VpaidSaid::AdInteraction { .. } => {
                self.vpaid_acts(&[TrackingEvent::OtherAdInteraction], cause, cx)
            }
            VpaidSaid::AdVolumeChange { volume } => {
                self.vpaid_sounds(*volume == Decimal::ZERO, cause, cx);
            }
            VpaidSaid::AdSkippableStateChange { .. }
            | VpaidSaid::AdSizeChange
            | VpaidSaid::AdLinearChange { .. }
            | VpaidSaid::AdDurationChange { .. }
            | VpaidSaid::AdRemainingTimeChange { .. }
            | VpaidSaid::AdLog { .. } => {}
        }
        Then::GoesOn
    }

    /// Handles `AdLoaded`: the tag is filled. Rules VPAID-1, VPAID-15.
    fn vpaid_loaded(&mut self, cause: Cause, cx: &mut Scope<'_>) -> Then {
        let (course, state) = self.parts();
        let State::Ad { ad, stage } = state else {
            return Then::GoesOn;
        };
        if let Err(failure) = ad.fits_slot(cx.kind) {
            return Then::Fails(failure);
        }
        cx.out.set_cause(cause);
        course.filled(ad, cx);
        *stage = Stage::Ready;
        Then::GoesOn
    }

    /// Starts the unit's own time. Rule VPAID-5.
    fn vpaid_started(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        if let State::Ad { ad, .. } = self.parts().1 {
            ad.advance(cx.now());
        }
        self.vpaid_viewed(CreativeViewAt::BeforeStart, cause, cx);
    }

    /// Calls the `creativeView` trackers if this is when they are due. Rule PRD-15.
    fn vpaid_viewed(&mut self, now: CreativeViewAt, cause: Cause, cx: &mut Scope<'_>) {
        if let State::Ad { ad, .. } = self.parts().1 {
            cx.track_view(
                now,
                Because {
                    rule: rules::VPAID_5,
                    cause,
                },
                ad.at_hand(cx.now()),
            );
        }
    }

    /// Starts the ad. Rules VPAID-5, BRK-1, BRK-2.
    fn vpaid_seen(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        let (course, state) = self.parts();
        let State::Ad { ad, stage } = state else {
            return;
        };
        course.mark_started(cx.now(), cx.macros);
        *stage = Stage::Playing;
        cx.out.set_cause(cause);
        ad.fire_start(cx);
        ad.with_attachments(Attachments::start, cx);
    }

    fn vpaid_quartile(
        &mut self,
        name: EventName,
        beacon: TrackingEvent,
        cause: Cause,
        cx: &mut Scope<'_>,
    ) {
        let cause = cx.out.event(
            Because {
                rule: rules::VPAID_5,
                cause,
            },
            name,
        );
        self.vpaid_tracks(
            Because {
                rule: rules::VPAID_5,
                cause,
            },
            &[beacon],
            cx,
        );
    }

    /// Requests the trackers of an interaction inside the unit. Rule VPAID-12.
    fn vpaid_acts(&mut self, trackers: &[TrackingEvent], cause: Cause, cx: &mut Scope<'_>) {
        self.vpaid_tracks(
            Because {
                rule: rules::VPAID_12,
                cause,
            },
            trackers,
            cx,
        );
    }

    fn vpaid_sounds(&mut self, is_mute: bool, cause: Cause, cx: &mut Scope<'_>) {
        let State::Ad { ad, .. } = self.parts().1 else {
            return;
        };
        match ad.unit.vpaid_mut().and_then(|unit| unit.hear(is_mute)) {
            Some(true) => self.vpaid_acts(&[TrackingEvent::Mute], cause, cx),
            Some(false) => self.vpaid_acts(&[TrackingEvent::Unmute], cause, cx),
            None => {}
        }
    }

    fn vpaid_tracks(&mut self, because: Because, trackers: &[TrackingEvent], cx: &mut Scope<'_>) {
        let State::Ad { ad, .. } = self.parts().1 else {
            return;
        };
        for tracker in trackers {
            ad.track(because, *tracker, cx);
        }
    }

    /// Ends the ad of a unit that stopped without reporting an end. Rules VPAID-8, VPAID-14.
    pub(super) fn vpaid_left(&mut self, cause: Cause, cx: &mut Scope<'_>) -> Cause {
        let State::Ad { ad, .. } = self.parts().1 else {
            return cause;
        };
        let was_asked = ad.unit.vpaid().is_some_and(|unit| unit.asked.skip);
        let (rule, trackers): (_, &[_]) = if was_asked {
            (rules::VPAID_8, &[TrackingEvent::Skip])
        } else {
            (rules::VPAID_14, &[])
        };
        self.vpaid_ends(Because { rule, cause }, EventName::AdSkip, trackers, cx)
    }

    /// Fires the event that ends the ad, and requests its trackers.
    fn vpaid_ends(
        &mut self,
        Because { rule, cause }: Because,
        name: EventName,
        trackers: &[TrackingEvent],
        cx: &mut Scope<'_>,
    ) -> Cause {
        let (course, state) = self.parts();
        let is_complete = name == EventName::AdComplete;
        if let State::Ad { ad, .. } = state {
            if is_complete {
                ad.end_film(cause, cx)
            } else {
                ad.end(cause, cx)
            }
            course.shown += ad.position(cx.now()) - Position::ZERO;
            if let Some(unit) = ad.unit.vpaid_mut() {
                unit.is_complete = is_complete;
            }
        }
        let event = Event {
            name,
            data: course.position_data(),
        };
        let cause = cx.out.event(Because { rule, cause }, event);
        self.vpaid_tracks(Because { rule, cause }, trackers, cx);
        // Companions and other parts of an ad that played to the end stay for its end card.
        if let State::Ad { ad, .. } = self.parts().1
            && !is_complete
        {
            let because = cx.out.cause();
            cx.out.set_cause(cause);
            ad.vanish(rules::ADX_15, &mut cx.out);
            cx.out.set_cause(because);
        }
        cause
    }

    /// Handles that the unit has paused, on request or on its own. Rule VPAID-13.
    fn vpaid_paused(
        &mut self,
        length: Option<Span>,
        was_asked: bool,
        cause: Cause,
        cx: &mut Scope<'_>,
    ) {
        let (now, mut cause) = (cx.now(), cause);
        let State::Ad { ad, stage } = self.parts().1 else {
            return;
        };
        if !was_asked {
            *stage = Stage::Paused;
            ad.stand(now);
            cause = cx.out.event(
                Because {
                    rule: rules::VPAID_13,
                    cause,
                },
                EventName::AdPause,
            );
            if let (Some(_), Some(unit)) = (length, ad.unit.vpaid_mut()) {
                unit.answer(now, length, VpaidEvent::AdPlaying, cause);
            }
        }
        if let State::Ad { ad, .. } = self.parts().1 {
            let because = Because {
                rule: rules::VPAID_13,
                cause,
            };
            ad.track(because, TrackingEvent::Pause, cx);
        }
    }

    /// Handles that the unit has resumed, on request or on its own. Rule VPAID-13.
    fn vpaid_resumed(&mut self, was_asked: bool, cause: Cause, cx: &mut Scope<'_>) {
        let mut cause = cause;
        let State::Ad { ad, stage } = self.parts().1 else {
            return;
        };
        if !was_asked {
            *stage = Stage::Playing;
            ad.attachments_mut().close_fallback(
                Because {
                    rule: rules::ADX_11,
                    cause,
                },
                &mut cx.out,
            );
            ad.go_on(cx.now(), cx.knobs().ad_stall_timeout());
            cause = cx.out.event(
                Because {
                    rule: rules::VPAID_13,
                    cause,
                },
                EventName::AdResume,
            );
        }
        if let State::Ad { ad, .. } = self.parts().1 {
            let because = Because {
                rule: rules::VPAID_13,
                cause,
            };
            ad.track(because, TrackingEvent::Resume, cx);
        }
    }
}
