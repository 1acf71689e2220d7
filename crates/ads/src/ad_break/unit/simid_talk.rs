//! The messages between a SIMID unit and the player. Each message, answer, refusal and timeout is a
//! line.
//!
//! Rules: SIMID-1, SIMID-3 to SIMID-8, SIMID-16.

use crate::ad_break::AdBreak;
use crate::ad_break::course::Course;
use crate::ad_break::state::{Stage, State};
use crate::error::{AdErrorCode, Failure, Reached};
use crate::report::context::Scope;
use crate::show::linear::{LinearAd, Moved};
use crate::show::unit::Unit;
use crate::show::unit::simid::{Happens, Session, SimidUnit};
use crate::show::unit::simid_lines::{answer, carried, fatal, message, refuse, why};
use playsim_api::media::{Playhead, SimidError, SimidReply, SimidSaid};
use playsim_api::{AdLine, Because, Cause, Fields};
use playsim_rules as rules;
use playsim_rules::knobs::SimidFailed;
use playsim_vast::TrackingEvent;

impl Course {
    /// Waits for the session of a unit whose media and page are loaded. Rule SIMID-3.
    pub(crate) fn prepare_simid(
        &mut self,
        mut ad: LinearAd,
        mut unit: SimidUnit,
        cx: &Scope<'_>,
    ) -> State {
        unit.begin(cx.now(), cx.out.cause());
        ad.unit = Unit::Simid(Box::new(unit));
        State::Ad {
            ad: Box::new(ad),
            stage: Stage::Preparing,
        }
    }
}

impl AdBreak {
    /// Returns the unit of the current ad or overlay, the position of the ad, and the cause of its
    /// start.
    pub(crate) fn simid(&mut self) -> Option<(&mut SimidUnit, Playhead, Cause)> {
        match self.parts().1 {
            State::Ad { ad, .. } => {
                let (head, cause) = (*ad.head(), ad.cause());
                ad.unit.simid_mut().map(|unit| (unit, head, cause))
            }
            State::Overlay { ad, .. } => {
                let (head, cause) = (*ad.head(), ad.cause());
                ad.simid.as_deref_mut().map(|unit| (unit, head, cause))
            }
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => None,
        }
    }

    /// Performs everything that a unit has scheduled up to now. Rule SIMID-1.
    pub(super) fn wake_simid(&mut self, cx: &mut Scope<'_>) {
        while let Some((unit, head, cause)) = self.simid() {
            let Some((happens, because)) = unit.take(cx.now(), &head) else {
                return;
            };
            self.simid_happens(happens, because.unwrap_or(cause), cx);
        }
    }

    /// Gives up on a unit that has exceeded a time limit. Rule SIMID-3.
    pub(super) fn give_up_simid(&mut self, cx: &mut Scope<'_>) {
        let Some((unit, ..)) = self.simid() else {
            return;
        };
        if let Some((happens, because)) = unit.take_silence(cx.now()) {
            self.simid_happens(happens, because, cx);
        }
    }

    /// Starts the unit when the media of the ad starts. Rule SIMID-1.
    pub(crate) fn start_simid(&mut self, cx: &mut Scope<'_>) {
        let Some((unit, _, because)) = self.simid() else {
            return;
        };
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_1,
                cause: because,
            },
            AdLine::Simid,
            message("startCreative", "player"),
        );
        unit.start(cx.now(), cause);
    }

    fn simid_happens(&mut self, happens: Happens, because: Cause, cx: &mut Scope<'_>) {
        match happens {
            Happens::CreatesSession => self.creates_session(because, cx),
            Happens::AnswersInit(reply) => {
                let cause = cx.out.line(
                    Because {
                        rule: rules::SIMID_1,
                        cause: because,
                    },
                    AdLine::Simid,
                    answer(reply, "init"),
                );
                match reply {
                    SimidReply::Resolve => self.simid_ready(cause, cx),
                    SimidReply::Reject(Some(error)) => self.simid_unused(error, cause, cx),
                    SimidReply::Reject(None) => {
                        self.simid_failed(SimidError::ReasonUnknown, cause, cx)
                    }
                    SimidReply::Broken => self.simid_failed(SimidError::InitUnreadable, cause, cx),
                    SimidReply::Never => {}
                }
            }
            Happens::AnswersStart(reply) => self.answers_start(reply, because, cx),
            Happens::Says(said) => self.handle_simid_message(&said, because, cx),
            Happens::NoSession => self.simid_failed(SimidError::SessionMissing, because, cx),
            Happens::NoAnswer => self.simid_failed(SimidError::InitUnanswered, because, cx),
        }
    }

    /// Answers `createSession` with `init`. Rules SIMID-1, SIMID-3.
    fn creates_session(&mut self, because: Cause, cx: &mut Scope<'_>) {
        let Some((unit, ..)) = self.simid() else {
            return;
        };
        let version = unit.version().clone();
        let data = message("createSession", "creative").with("version", &version);
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_1,
                cause: because,
            },
            AdLine::Simid,
            data,
        );
        if version.trim().split('.').next() != Some("1") {
            return self.simid_failed(SimidError::VersionUnsupported, cause, cx);
        }
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_1,
                cause,
            },
            AdLine::Simid,
            message("init", "player"),
        );
        unit.init(cx.now(), cause);
    }

    fn answers_start(&mut self, reply: SimidReply, because: Cause, cx: &mut Scope<'_>) {
        let Some((unit, ..)) = self.simid() else {
            return;
        };
        let Session::Starting(sent) = unit.session() else {
            return;
        };
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_1,
                cause: because,
            },
            AdLine::Simid,
            answer(reply, "startCreative"),
        );
        if unit.is_late(cx.now(), sent) {
            return self.simid_fatal(
                Because {
                    rule: rules::SIMID_4,
                    cause,
                },
                SimidError::AnswerLate,
                cx,
            );
        }
        match reply {
            SimidReply::Resolve => {
                unit.runs();
                let event = TrackingEvent::InteractiveStart;
                match self.parts().1 {
                    State::Ad { ad, .. } => {
                        ad.track(
                            Because {
                                rule: rules::SIMID_1,
                                cause,
                            },
                            event,
                            cx,
                        );
                    }
                    State::Overlay { ad, .. } => {
                        ad.track(
                            Because {
                                rule: rules::SIMID_1,
                                cause,
                            },
                            event,
                            cx,
                        );
                    }
                    State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
                }
            }
            SimidReply::Reject(Some(error)) => self.simid_breaks(
                Because {
                    rule: rules::SIMID_5,
                    cause,
                },
                error,
                cx,
            ),
            SimidReply::Reject(None) => self.simid_fatal(
                Because {
                    rule: rules::SIMID_5,
                    cause,
                },
                SimidError::ReasonUnknown,
                cx,
            ),
            SimidReply::Broken => self.simid_fatal(
                Because {
                    rule: rules::SIMID_7,
                    cause,
                },
                SimidError::MessageUnreadable,
                cx,
            ),
            SimidReply::Never => {}
        }
    }

    /// Handles a message that the unit sends on its own. Rules SIMID-7, SIMID-8.
    fn handle_simid_message(&mut self, said: &SimidSaid, because: Cause, cx: &mut Scope<'_>) {
        let Some((unit, ..)) = self.simid() else {
            return;
        };
        let (runs, floods) = (unit.session() == Session::Runs, unit.floods(cx.now()));
        if floods {
            return self.simid_fatal(
                Because {
                    rule: rules::SIMID_7,
                    cause: because,
                },
                SimidError::TooManyMessages,
                cx,
            );
        }
        let data = message(said.kind().name(), "creative");
        let data = carried(said).iter().fold(data, |data, (name, value)| {
            data.with(name.clone(), value.clone())
        });
        let rule = said.kind().rule();
        let cause = cx.out.line(
            Because {
                rule,
                cause: because,
            },
            AdLine::Simid,
            data,
        );
        let because = |rule| Because { rule, cause };
        if let SimidSaid::FatalError { code, .. } = said {
            self.simid_breaks(because(rules::SIMID_5), *code, cx);
        } else if *said == SimidSaid::Broken {
            self.simid_fatal(because(rules::SIMID_7), SimidError::MessageUnreadable, cx);
        } else if runs && *said != SimidSaid::Log {
            self.simid_asks(said, cause, cx);
        } else if *said != SimidSaid::Log {
            refuse(
                because(rules::SIMID_8),
                SimidError::NotAllowed,
                said.kind(),
                cx,
            );
        }
    }

    /// Handles that the unit accepts `init`: the tag is filled. Rule SIMID-1.
    fn simid_ready(&mut self, cause: Cause, cx: &mut Scope<'_>) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_ready();
        }
        cx.out.set_cause(cause);
        self.simid_filled(cx);
    }

    fn simid_filled(&mut self, cx: &mut Scope<'_>) {
        let (course, state) = self.parts();
        match state {
            State::Ad { ad, stage } => {
                course.filled(ad, cx);
                *stage = Stage::Ready;
            }
            State::Overlay { ad, .. } => course.overlay_filled(ad, cx),
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }

    /// Gives up the unit before its ad starts. Rule SIMID-3.
    fn simid_failed(&mut self, error: SimidError, because: Cause, cx: &mut Scope<'_>) {
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_3,
                cause: because,
            },
            AdLine::Simid,
            fatal(error),
        );
        self.simid_unused(error, cause, cx);
    }

    /// Continues without the unit; an overlay fails without it. Rules SIMID-3, SIMID-15.
    fn simid_unused(&mut self, error: SimidError, cause: Cause, cx: &mut Scope<'_>) {
        let why = why(error);
        let (course, state) = self.parts();
        cx.out.set_cause(cause);
        match state {
            State::Ad { ad, .. } if cx.knobs().simid_failed() == SimidFailed::Media => {
                ad.unit = Unit::None;
                let (hops, failed) = (ad.hops().clone(), AdErrorCode::Interactive);
                let data = Fields::one("code", failed.number()).with("why", why);
                let line = cx.out.line(rules::SIMID_3, AdLine::RejectInteractive, data);
                cx.out.set_cause(line);
                cx.errors(failed, Reached::Media, &hops, None);
                cx.out.set_cause(cause);
                self.simid_filled(cx);
            }
            State::Ad { ad, .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why)
                    .by(rules::SIMID_3)
                    .of_media();
                let prepared = ad.prepared().clone();
                *state = course.media_failed(&prepared, &failure, cx);
            }
            State::Overlay { .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why)
                    .by(rules::SIMID_15)
                    .of_media();
                *state = course.ad_failed(&failure, cx);
            }
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }

    /// Gives up the unit, and the ad with it. Rule SIMID-5.
    fn simid_fatal(&mut self, because: Because, error: SimidError, cx: &mut Scope<'_>) {
        let cause = cx.out.line(because, AdLine::Simid, fatal(error));
        self.simid_breaks(Because { cause, ..because }, error, cx);
    }

    /// Ends the ad with an error of its unit. Rule SIMID-5.
    fn simid_breaks(
        &mut self,
        Because { rule, cause }: Because,
        error: SimidError,
        cx: &mut Scope<'_>,
    ) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_over();
        }
        let failure = Failure::new(AdErrorCode::Interactive, why(error)).by(rule);
        match self.parts().1 {
            State::Ad { .. } => self.moved(Moved::Failed(failure), cause, cx),
            State::Overlay { .. } => self.overlay_broke(&failure, cause, cx),
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }
}
