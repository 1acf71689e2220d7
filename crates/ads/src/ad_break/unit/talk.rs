//! The messages between a VPAID unit and the player. Each call, message and timeout is a line.
//!
//! Rules: VPAID-1 to VPAID-4, VPAID-6, VPAID-8, VPAID-9, VPAID-16, VPAID-17.

use super::meaning::Then;
use crate::ad_break::AdBreak;
use crate::ad_break::course::Course;
use crate::ad_break::state::{Stage, State};
use crate::error::{AdErrorCode, Failure};
use crate::report::context::Scope;
use crate::show::linear::{LinearAd, Moved};
use crate::show::unit::vpaid::{Happens, Life, Waiting};
use crate::show::unit::vpaid_lines::{carried, line_data};
use playsim_api::media::{VpaidCall, VpaidSaid};
use playsim_api::{AdLine, Because, Cause, Fields};
use playsim_rules as rules;

/// The version that the player supports.
const VERSION: &str = "2.0";

impl Course {
    /// Starts the handshake with a unit whose code is loaded. Rule VPAID-1.
    pub(crate) fn prepare_vpaid(&mut self, mut ad: LinearAd, cx: &mut Scope<'_>) -> State {
        let (cause, version) = (cx.out.cause(), Fields::one("version", VERSION));
        ad.call_vpaid(VpaidCall::HandshakeVersion, version, cause, cx);
        State::Ad {
            ad: Box::new(ad),
            stage: Stage::Preparing,
        }
    }
}

impl AdBreak {
    /// Performs everything that a unit has scheduled up to now. Rules VPAID-1, CLK-3.
    pub(super) fn wake_vpaid(&mut self, cx: &mut Scope<'_>) {
        while let State::Ad { ad, .. } = self.parts().1 {
            let (head, cause) = (*ad.head(), ad.cause());
            let happens = ad
                .unit
                .vpaid_mut()
                .and_then(|unit| unit.take(cx.now(), &head, cause));
            let Some((happens, because)) = happens else {
                return;
            };
            self.vpaid_happens(happens, because, cx);
        }
    }

    /// Gives up on a unit that has exceeded a time limit. Rules VPAID-3, VPAID-4, VPAID-8, VPAID-9.
    pub(super) fn give_up_vpaid(&mut self, cx: &mut Scope<'_>) {
        let State::Ad { ad, .. } = self.parts().1 else {
            return;
        };
        let (head, cause) = (*ad.head(), ad.cause());
        let silence = ad
            .unit
            .vpaid_mut()
            .and_then(|unit| unit.take_silence(cx.now(), &head));
        if let Some((happens, because)) = silence {
            self.vpaid_happens(happens, because.unwrap_or(cause), cx);
        }
    }

    /// Asks the unit to skip. `false` if it was asked before. Rule VPAID-8.
    pub(crate) fn skip_vpaid(&mut self, cx: &mut Scope<'_>) -> bool {
        let State::Ad { ad, .. } = self.parts().1 else {
            return false;
        };
        let Some(unit) = ad.unit.vpaid_mut() else {
            return false;
        };
        if std::mem::replace(&mut unit.asked.skip, true) {
            return false;
        }
        let call = if unit.is_skippable() {
            VpaidCall::SkipAd
        } else {
            VpaidCall::StopAd
        };
        let cause = cx.out.cause();
        ad.call_vpaid(call, Fields::default(), cause, cx);
        true
    }

    fn vpaid_happens(&mut self, happens: Happens, because: Cause, cx: &mut Scope<'_>) {
        let (cause, then) = match happens {
            Happens::Answers => self.vpaid_answers(because, cx),
            Happens::Says(said) => self.handle_vpaid_message(&said, because, cx),
            Happens::IsSilent(waiting) => self.vpaid_is_silent(waiting, because, cx),
        };
        let (course, state) = self.parts();
        let State::Ad { ad, stage } = state else {
            return;
        };
        match (then, *stage) {
            (Then::GoesOn, _) => {}
            (Then::Fails(failure), Stage::Preparing) => {
                cx.out.set_cause(cause);
                let prepared = ad.prepared().clone();
                *state = course.media_failed(&prepared, &failure.of_media(), cx);
            }
            (Then::Fails(failure), Stage::Ready | Stage::Starting) => {
                cx.out.set_cause(cause);
                let prepared = ad.prepared().clone();
                *state = course.start_failed(&prepared, &failure.of_media(), cx);
            }
            (Then::Fails(failure), Stage::Playing | Stage::Paused) => {
                self.moved(Moved::Failed(failure), cause, cx);
            }
            // The end of the ad was already reported.
            (Then::Fails(_) | Then::IsGone, Stage::Leaving) => {
                cx.out.set_cause(cause);
                if ad.unit.vpaid().is_some_and(|unit| unit.is_complete) {
                    self.film_over(cause, cx);
                } else {
                    *state = course.ad_played(cx);
                }
            }
            (Then::Leaves, _) => {
                *stage = Stage::Leaving;
                if let Some(unit) = ad.unit.vpaid_mut() {
                    unit.is_over(cx.now(), cause);
                }
            }
            (Then::IsGone, Stage::Preparing | Stage::Ready | Stage::Starting) => {
                let why = "the unit stopped before its impression";
                let failure = Failure::new(AdErrorCode::Vpaid, why).by(rules::VPAID_4);
                cx.out.set_cause(cause);
                let prepared = ad.prepared().clone();
                *state = course.start_failed(&prepared, &failure.of_media(), cx);
            }
            (Then::IsGone, Stage::Playing | Stage::Paused) => {
                let end = self.vpaid_left(cause, cx);
                cx.out.set_cause(end);
                let (course, state) = self.parts();
                *state = course.ad_played(cx);
            }
        }
    }

    /// Handles the answer to the handshake. Rule VPAID-2.
    fn vpaid_answers(&mut self, because: Cause, cx: &mut Scope<'_>) -> (Cause, Then) {
        let State::Ad { ad, .. } = self.parts().1 else {
            return (because, Then::GoesOn);
        };
        let Some(unit) = ad.unit.vpaid() else {
            return (because, Then::GoesOn);
        };
        let version = std::sync::Arc::clone(&unit.script().version);
        let data = line_data(
            VpaidCall::HandshakeVersion.name(),
            "unit",
            Fields::one("version", &version),
        );
        let cause = cx.out.line(
            Because {
                rule: rules::VPAID_1,
                cause: because,
            },
            AdLine::Vpaid,
            data,
        );
        if !is_spoken(&version) {
            let why = format!("the unit implements VPAID {version}, the player {VERSION}");
            return (
                cause,
                Then::Fails(Failure::new(AdErrorCode::Vpaid, why).by(rules::VPAID_2)),
            );
        }
        ad.call_vpaid(VpaidCall::InitAd, Fields::default(), cause, cx);
        (cause, Then::GoesOn)
    }

    fn vpaid_is_silent(
        &mut self,
        waiting: Waiting,
        because: Cause,
        cx: &mut Scope<'_>,
    ) -> (Cause, Then) {
        let State::Ad { ad, .. } = self.parts().1 else {
            return (because, Then::GoesOn);
        };
        let Some(unit) = ad.unit.vpaid() else {
            return (because, Then::GoesOn);
        };
        let (was_asked, is_leaving) = (unit.asked.skip, unit.life() == Life::Leaving);
        let (rule, missing) = match waiting {
            Waiting::Handshake => (rules::VPAID_3, "response to handshakeVersion"),
            Waiting::Loaded => (rules::VPAID_3, "AdLoaded"),
            Waiting::Started => (rules::VPAID_4, "AdStarted"),
            Waiting::Impression => (rules::VPAID_4, "AdImpression"),
            Waiting::Stopped if was_asked || is_leaving => (rules::VPAID_8, "AdStopped"),
            Waiting::Stopped => (rules::VPAID_9, "AdStopped"),
        };
        let why = format!("no {missing} in time");
        let cause = cx.out.line(
            Because {
                rule,
                cause: because,
            },
            AdLine::Vpaid,
            Fields::one("why", why.clone()),
        );
        let fails = |code| Then::Fails(Failure::new(code, why.clone()).by(rule));
        let then = match waiting {
            Waiting::Handshake | Waiting::Loaded | Waiting::Started => fails(AdErrorCode::Vpaid),
            Waiting::Impression => fails(AdErrorCode::UnitTimeout),
            Waiting::Stopped if is_leaving || was_asked => Then::IsGone,
            Waiting::Stopped => fails(AdErrorCode::Vpaid),
        };
        (cause, then)
    }

    /// Handles a message of the unit; one that is out of order is ignored. Rules VPAID-5 to
    /// VPAID-16.
    fn handle_vpaid_message(
        &mut self,
        said: &VpaidSaid,
        because: Cause,
        cx: &mut Scope<'_>,
    ) -> (Cause, Then) {
        let State::Ad { ad, stage } = self.parts().1 else {
            return (because, Then::GoesOn);
        };
        let position = ad.position(cx.now());
        let Some(unit) = ad.unit.vpaid_mut() else {
            return (because, Then::GoesOn);
        };
        let data = line_data(said.kind().name(), "unit", carried(said));
        let is_leaving = unit.life() == Life::Leaving;
        if let Err(why) = unit.judge(said.kind(), *stage == Stage::Paused) {
            let rule = if is_leaving {
                rules::VPAID_16
            } else {
                rules::VPAID_6
            };
            return (
                cx.out.line(
                    Because {
                        rule,
                        cause: because,
                    },
                    AdLine::Vpaid,
                    data.with("ignored", why),
                ),
                Then::GoesOn,
            );
        }
        let was_asked = unit.asked;
        let rule = if is_leaving {
            rules::VPAID_16
        } else {
            said.kind().rule()
        };
        let cause = cx.out.line(
            Because {
                rule,
                cause: because,
            },
            AdLine::Vpaid,
            data,
        );
        unit.follow(cx.now(), said, position, cause);
        (cause, self.vpaid_means(said, was_asked, cause, cx))
    }
}

/// Whether the player supports this version: 1 or 2.
fn is_spoken(version: &str) -> bool {
    matches!(version.trim().split('.').next(), Some("1" | "2"))
}
