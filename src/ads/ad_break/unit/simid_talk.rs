//! The messages between a SIMID unit and the player. Each message, answer, refusal and timeout is a line.
//!
//! Rules: SIMID-1, SIMID-3 to SIMID-8, SIMID-16.

use super::Moment;
use crate::ads::ad_break::AdBreak;
use crate::ads::ad_break::course::Course;
use crate::ads::ad_break::state::{Stage, State};
use crate::ads::error::{AdErrorCode, Failure};
use crate::ads::show::linear::{LinearAd, Moved};
use crate::ads::show::unit::simid::{Happens, Session, SimidUnit};
use crate::ads::show::unit::simid_lines::{answer, carried, fatal, log, message, refuse, why};
use crate::api::{AdLine, Cause, Fields};
use crate::knobs::SimidFailed;
use crate::media::{Playhead, SimidDetail, SimidError, SimidMessage, SimidReply};
use crate::rules::{self, RuleId};

impl Course {
    /// Waits for the session of a unit whose media and page are loaded. Rule SIMID-3.
    pub(in crate::ads) fn prepare_simid(
        &mut self,
        mut ad: LinearAd,
        mut unit: SimidUnit,
        moment: &Moment<'_, '_>,
    ) -> State {
        unit.begin(moment.now, moment.out.cause());
        ad.simid = Some(Box::new(unit));
        State::Ad { ad: Box::new(ad), stage: Stage::Preparing }
    }
}

impl AdBreak {
    /// Returns the unit of the current ad or overlay, the position of the ad, and the cause of its start.
    pub(in crate::ads) fn simid(&mut self) -> Option<(&mut SimidUnit, Playhead, Cause)> {
        match self.parts().1 {
            State::Ad { ad, .. } => {
                let (head, cause) = (*ad.head(), ad.cause());
                ad.simid.as_deref_mut().map(|unit| (unit, head, cause))
            }
            State::Overlay { ad, .. } => {
                let (head, cause) = (*ad.head(), ad.cause());
                ad.simid.as_deref_mut().map(|unit| (unit, head, cause))
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => None,
        }
    }

    /// Performs everything that a unit has scheduled up to now. Rule SIMID-1.
    pub(in crate::ads) fn wake_simid(&mut self, mut moment: Moment<'_, '_>) {
        while let Some((unit, head, cause)) = self.simid() {
            let Some((happens, because)) = unit.take(moment.now, &head) else { return };
            self.simid_happens(happens, because.unwrap_or(cause), &mut moment);
        }
    }

    /// Gives up on a unit that has exceeded a time limit. Rule SIMID-3.
    pub(in crate::ads) fn give_up_simid(&mut self, mut moment: Moment<'_, '_>) {
        let Some((unit, ..)) = self.simid() else { return };
        if let Some((happens, because)) = unit.take_silence(moment.now) {
            self.simid_happens(happens, because, &mut moment);
        }
    }

    /// Starts the unit when the media of the ad starts. Rule SIMID-1.
    pub(in crate::ads) fn start_simid(&mut self, moment: &mut Moment<'_, '_>) {
        let Some((unit, _, because)) = self.simid() else { return };
        let cause = log(rules::SIMID_1, because, message("startCreative", "player"), moment.out);
        unit.start(moment.now, cause);
    }

    fn simid_happens(&mut self, happens: Happens, because: Cause, moment: &mut Moment<'_, '_>) {
        match happens {
            Happens::CreatesSession => self.creates_session(because, moment),
            Happens::AnswersInit(reply) => {
                let cause = log(rules::SIMID_1, because, answer(reply, "init"), moment.out);
                match reply {
                    SimidReply::Resolve => self.simid_ready(cause, moment),
                    SimidReply::Reject(Some(error)) => self.simid_unused(error, cause, moment),
                    SimidReply::Reject(None) => self.simid_failed(SimidError::ReasonUnknown, cause, moment),
                    SimidReply::Broken => self.simid_failed(SimidError::InitUnreadable, cause, moment),
                    SimidReply::Never => {}
                }
            }
            Happens::AnswersStart(reply) => self.answers_start(reply, because, moment),
            Happens::Says(named, detail) => self.handle_simid_message(named, &detail, because, moment),
            Happens::NoSession => self.simid_failed(SimidError::SessionMissing, because, moment),
            Happens::NoAnswer => self.simid_failed(SimidError::InitUnanswered, because, moment),
        }
    }

    /// Answers `createSession` with `init`. Rules SIMID-1, SIMID-3.
    fn creates_session(&mut self, because: Cause, moment: &mut Moment<'_, '_>) {
        let Some((unit, ..)) = self.simid() else { return };
        let version = unit.version().clone();
        let data = message("createSession", "creative").with("version", &version);
        let cause = log(rules::SIMID_1, because, data, moment.out);
        if version.trim().split('.').next() != Some("1") {
            return self.simid_failed(SimidError::VersionUnsupported, cause, moment);
        }
        let cause = log(rules::SIMID_1, cause, message("init", "player"), moment.out);
        unit.init(moment.now, cause);
    }

    fn answers_start(&mut self, reply: SimidReply, because: Cause, moment: &mut Moment<'_, '_>) {
        let kind = self.kind();
        let Some((unit, ..)) = self.simid() else { return };
        let Session::Starting(sent) = unit.session() else { return };
        let cause = log(rules::SIMID_1, because, answer(reply, "startCreative"), moment.out);
        if unit.is_late(moment.now, sent) {
            return self.simid_fatal(rules::SIMID_4, SimidError::AnswerLate, cause, moment);
        }
        match reply {
            SimidReply::Resolve => {
                unit.runs();
                let event = "interactiveStart";
                match self.parts().1 {
                    State::Ad { ad, .. } => {
                        ad.track(rules::SIMID_1, event, cause, &mut moment.beacons(kind));
                    }
                    State::Overlay { ad, .. } => {
                        ad.track(rules::SIMID_1, event, cause, &mut moment.beacons(kind));
                    }
                    State::Fetching { .. }
                    | State::LoadingMedia { .. }
                    | State::LoadingPage { .. }
                    | State::LoadingOverlay { .. }
                    | State::EndCard { .. }
                    | State::Over { .. } => {}
                }
            }
            SimidReply::Reject(Some(error)) => self.simid_breaks(rules::SIMID_5, error, cause, moment),
            SimidReply::Reject(None) => {
                self.simid_fatal(rules::SIMID_5, SimidError::ReasonUnknown, cause, moment)
            }
            SimidReply::Broken => {
                self.simid_fatal(rules::SIMID_7, SimidError::MessageUnreadable, cause, moment)
            }
            SimidReply::Never => {}
        }
    }

    /// Handles a message that the unit sends on its own. Rules SIMID-7, SIMID-8.
    fn handle_simid_message(
        &mut self,
        named: SimidMessage,
        detail: &SimidDetail,
        because: Cause,
        moment: &mut Moment<'_, '_>,
    ) {
        let Some((unit, ..)) = self.simid() else { return };
        let (runs, floods) = (unit.session() == Session::Runs, unit.floods(moment.now));
        if floods {
            return self.simid_fatal(rules::SIMID_7, SimidError::TooManyMessages, because, moment);
        }
        let data = message(named.name(), "creative");
        let data =
            carried(detail).iter().fold(data, |data, (name, value)| data.with(name.clone(), value.clone()));
        let rule = super::simid_asks::rule_of(named);
        let cause = log(rule, because, data, moment.out);
        match (named, detail) {
            (SimidMessage::Log, _) => {}
            (SimidMessage::Broken, _) => {
                self.simid_fatal(rules::SIMID_7, SimidError::MessageUnreadable, cause, moment)
            }
            (SimidMessage::FatalError, SimidDetail::Fatal(error, _)) => {
                self.simid_breaks(rules::SIMID_5, *error, cause, moment);
            }
            (SimidMessage::FatalError, _) => {
                self.simid_breaks(rules::SIMID_5, SimidError::UnitUnspecified, cause, moment)
            }
            (_, _) if !runs => refuse(rules::SIMID_8, SimidError::NotAllowed, named, cause, moment.out),
            (_, _) => self.simid_asks(named, detail, cause, moment),
        }
    }

    /// Handles that the unit accepts `init`: the tag is filled. Rule SIMID-1.
    fn simid_ready(&mut self, cause: Cause, moment: &mut Moment<'_, '_>) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_ready();
        }
        moment.out.set_cause(cause);
        self.simid_filled(moment);
    }

    fn simid_filled(&mut self, moment: &mut Moment<'_, '_>) {
        let (course, state) = self.parts();
        match state {
            State::Ad { ad, stage } => {
                course.filled(moment.now, ad, moment.services, moment.out);
                *stage = Stage::Ready;
            }
            State::Overlay { ad, .. } => course.overlay_filled(moment.now, ad, moment.services, moment.out),
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }

    /// Gives up the unit before its ad starts. Rule SIMID-3.
    fn simid_failed(&mut self, error: SimidError, because: Cause, moment: &mut Moment<'_, '_>) {
        let cause = log(rules::SIMID_3, because, fatal(error), moment.out);
        self.simid_unused(error, cause, moment);
    }

    /// Continues without the unit; an overlay fails without it. Rules SIMID-3, SIMID-15.
    fn simid_unused(&mut self, error: SimidError, cause: Cause, moment: &mut Moment<'_, '_>) {
        let why = why(error);
        let (course, state) = self.parts();
        moment.out.set_cause(cause);
        match state {
            State::Ad { ad, .. } if moment.services.knobs.simid_failed == SimidFailed::Media => {
                ad.simid = None;
                let (hops, failed) = (ad.hops().clone(), AdErrorCode::Interactive);
                let data = Fields::one("code", failed.number()).with("why", why);
                let line = moment.out.line(rules::SIMID_3, AdLine::RejectInteractive, data);
                moment.out.set_cause(line);
                moment.beacons(course.kind).errors(failed, &hops, None);
                moment.out.set_cause(cause);
                self.simid_filled(moment);
            }
            State::Ad { ad, .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why).by(rules::SIMID_3);
                let prepared = ad.prepared().clone();
                *state = course.media_failed(moment.now, &prepared, &failure, moment.services, moment.out);
            }
            State::Overlay { .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why).by(rules::SIMID_15);
                *state = course.ad_failed(moment.now, &failure, moment.services, moment.out);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }

    /// Gives up the unit, and the ad with it. Rule SIMID-5.
    fn simid_fatal(&mut self, rule: RuleId, error: SimidError, because: Cause, moment: &mut Moment<'_, '_>) {
        let cause = log(rule, because, fatal(error), moment.out);
        self.simid_breaks(rule, error, cause, moment);
    }

    /// Ends the ad with an error of its unit. Rule SIMID-5.
    fn simid_breaks(&mut self, rule: RuleId, error: SimidError, cause: Cause, moment: &mut Moment<'_, '_>) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_over();
        }
        let failure = Failure::new(AdErrorCode::Interactive, why(error)).by(rule);
        let (now, out) = (moment.now, &mut *moment.out);
        match self.parts().1 {
            State::Ad { .. } => self.moved(now, Moved::Failed(failure), cause, moment.services, out),
            State::Overlay { .. } => self.overlay_broke(now, &failure, cause, moment.services, out),
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }
}
