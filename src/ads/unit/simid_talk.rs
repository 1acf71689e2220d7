//! What passes between a SIMID unit and its player: each message, answer, refusal and silence is a line.
//!
//! Rules: SIMID-1, SIMID-3 to SIMID-8, SIMID-16.

use super::Moment;
use super::simid::{Happens, Session, SimidUnit};
use crate::ads::ad_break::{AdBreak, Stage, State};
use crate::ads::course::Course;
use crate::ads::error::{AdErrorCode, Failure};
use crate::ads::linear::{LinearAd, Moved};
use crate::api::{Cause, Fields, Kind, Line, Outbox, Output, Text};
use crate::knobs::SimidFailed;
use crate::media::{MediaFault, Playhead, SimidDetail, SimidError, SimidMessage, SimidReply};
use crate::rule;
use crate::rules::RuleId;

impl Course {
    /// The film and the page of a unit are there: the unit has to ask for a session. Rule SIMID-3.
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
    /// The unit beside the ad or overlay that is on, how the ad stands, and what made it so.
    pub(super) fn simid(&mut self) -> Option<(&mut SimidUnit, Playhead, Cause)> {
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

    /// Does what a unit has due by now. Rule SIMID-1.
    pub(in crate::ads) fn wake_simid(&mut self, mut moment: Moment<'_, '_>) {
        while let Some((unit, head, cause)) = self.simid() {
            let Some((happens, because)) = unit.take(moment.now, &head) else { return };
            self.simid_happens(happens, because.unwrap_or(cause), &mut moment);
        }
    }

    /// Gives up on a unit that has been silent for too long. Rule SIMID-3.
    pub(in crate::ads) fn give_up_simid(&mut self, mut moment: Moment<'_, '_>) {
        let Some((unit, ..)) = self.simid() else { return };
        if let Some((happens, because)) = unit.take_silence(moment.now) {
            self.simid_happens(happens, because, &mut moment);
        }
    }

    /// The film of the ad has begun. Rule SIMID-1.
    pub(in crate::ads) fn start_simid(&mut self, moment: &mut Moment<'_, '_>) {
        let Some((unit, _, because)) = self.simid() else { return };
        let cause = told(rule!("SIMID-1"), because, message("startCreative", "player"), moment.out);
        unit.start(moment.now, cause);
    }

    fn simid_happens(&mut self, happens: Happens, because: Cause, moment: &mut Moment<'_, '_>) {
        match happens {
            Happens::CreatesSession => self.creates_session(because, moment),
            Happens::AnswersInit(reply) => {
                let cause = told(rule!("SIMID-1"), because, answer(reply, "init"), moment.out);
                match reply {
                    SimidReply::Resolve => self.simid_ready(cause, moment),
                    SimidReply::Reject(Some(code)) => self.simid_unused(code, cause, moment),
                    SimidReply::Reject(None) => self.simid_failed(1200, cause, moment),
                    SimidReply::Broken => self.simid_failed(1210, cause, moment),
                    SimidReply::Never => {}
                }
            }
            Happens::AnswersStart(reply) => self.answers_start(reply, because, moment),
            Happens::Says(named, detail) => self.simid_says(named, &detail, because, moment),
            Happens::NoSession => self.simid_failed(1223, because, moment),
            Happens::NoAnswer => self.simid_failed(1212, because, moment),
        }
    }

    /// `createSession`, and `init` as the answer. Rules SIMID-1, SIMID-3.
    fn creates_session(&mut self, because: Cause, moment: &mut Moment<'_, '_>) {
        let Some((unit, ..)) = self.simid() else { return };
        let version = unit.version().clone();
        let data = message("createSession", "creative").with("version", &version);
        let cause = told(rule!("SIMID-1"), because, data, moment.out);
        if version.trim().split('.').next() != Some("1") {
            return self.simid_failed(1201, cause, moment);
        }
        let cause = told(rule!("SIMID-1"), cause, message("init", "player"), moment.out);
        unit.init(moment.now, cause);
    }

    fn answers_start(&mut self, reply: SimidReply, because: Cause, moment: &mut Moment<'_, '_>) {
        let kind = self.kind();
        let Some((unit, ..)) = self.simid() else { return };
        let Session::Starting(sent) = unit.session() else { return };
        let cause = told(rule!("SIMID-1"), because, answer(reply, "startCreative"), moment.out);
        if unit.is_late(moment.now, sent) {
            return self.simid_fatal(rule!("SIMID-4"), 1208, cause, moment);
        }
        match reply {
            SimidReply::Resolve => {
                unit.runs();
                let event = "interactiveStart";
                match self.parts().1 {
                    State::Ad { ad, .. } => {
                        ad.track(rule!("SIMID-1"), event, cause, &mut moment.teller(kind));
                    }
                    State::Overlay { ad, .. } => {
                        ad.track(rule!("SIMID-1"), event, cause, &mut moment.teller(kind));
                    }
                    State::Fetching { .. }
                    | State::LoadingMedia { .. }
                    | State::LoadingPage { .. }
                    | State::LoadingOverlay { .. }
                    | State::EndCard { .. }
                    | State::Over { .. } => {}
                }
            }
            SimidReply::Reject(Some(code)) => self.simid_breaks(rule!("SIMID-5"), code, cause, moment),
            SimidReply::Reject(None) => self.simid_fatal(rule!("SIMID-5"), 1200, cause, moment),
            SimidReply::Broken => self.simid_fatal(rule!("SIMID-7"), 1211, cause, moment),
            SimidReply::Never => {}
        }
    }

    /// The unit says something by itself. Rules SIMID-7, SIMID-8.
    fn simid_says(
        &mut self,
        named: SimidMessage,
        detail: &SimidDetail,
        because: Cause,
        moment: &mut Moment<'_, '_>,
    ) {
        let Some((unit, ..)) = self.simid() else { return };
        let (runs, floods) = (unit.session() == Session::Runs, unit.floods(moment.now));
        if floods {
            return self.simid_fatal(rule!("SIMID-7"), 1205, because, moment);
        }
        let data = message(named.name(), "creative");
        let data =
            carried(detail).iter().fold(data, |data, (name, value)| data.with(name.clone(), value.clone()));
        let rule = super::simid_asks::rule_of(named);
        let cause = told(rule, because, data, moment.out);
        match (named, detail) {
            (SimidMessage::Log, _) => {}
            (SimidMessage::Broken, _) => self.simid_fatal(rule!("SIMID-7"), 1211, cause, moment),
            (SimidMessage::FatalError, SimidDetail::Fatal(code, _)) => {
                self.simid_breaks(rule!("SIMID-5"), *code, cause, moment);
            }
            (SimidMessage::FatalError, _) => self.simid_breaks(rule!("SIMID-5"), 1100, cause, moment),
            (_, _) if !runs => refuse(rule!("SIMID-8"), 1204, named, cause, moment.out),
            (_, _) => self.simid_asks(named, detail, cause, moment),
        }
    }

    /// The unit has agreed to `init`: the tag has filled. Rule SIMID-1.
    fn simid_ready(&mut self, cause: Cause, moment: &mut Moment<'_, '_>) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_ready();
        }
        moment.out.blame(cause);
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

    /// The player gives the unit up before its ad is on. Rule SIMID-3.
    fn simid_failed(&mut self, code: u16, because: Cause, moment: &mut Moment<'_, '_>) {
        let cause = told(rule!("SIMID-3"), because, fatal(code), moment.out);
        self.simid_unused(code, cause, moment);
    }

    /// The ad goes on without its unit; an overlay is nothing without it. Rule SIMID-3, SIMID-15.
    fn simid_unused(&mut self, code: u16, cause: Cause, moment: &mut Moment<'_, '_>) {
        let why = why(code);
        let (course, state) = self.parts();
        moment.out.blame(cause);
        match state {
            State::Ad { ad, .. } if moment.services.knobs.simid_failed == SimidFailed::Media => {
                ad.simid = None;
                let (hops, failed) = (ad.hops().clone(), AdErrorCode::Interactive);
                let data = Fields::one("code", failed.number()).with("why", why);
                let line = moment.out.line(rule!("SIMID-3"), Kind::Ad, "reject-interactive", data);
                moment.out.blame(line);
                moment.teller(course.kind).errors(failed, &hops, None);
                moment.out.blame(cause);
                self.simid_filled(moment);
            }
            State::Ad { ad, .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why).by(rule!("SIMID-3"));
                let prepared = ad.prepared().clone();
                *state = course.media_failed(moment.now, &prepared, &failure, moment.services, moment.out);
            }
            State::Overlay { .. } => {
                let failure = Failure::new(AdErrorCode::Interactive, why).by(rule!("SIMID-15"));
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

    /// The player gives the unit up, and the ad with it. Rule SIMID-5.
    fn simid_fatal(&mut self, rule: RuleId, code: u16, because: Cause, moment: &mut Moment<'_, '_>) {
        let cause = told(rule, because, fatal(code), moment.out);
        self.simid_breaks(rule, code, cause, moment);
    }

    /// The ad ends with an error of its unit. Rule SIMID-5.
    fn simid_breaks(&mut self, rule: RuleId, code: u16, cause: Cause, moment: &mut Moment<'_, '_>) {
        if let Some((unit, ..)) = self.simid() {
            unit.is_over();
        }
        let failure = Failure::new(AdErrorCode::Interactive, why(code)).by(rule);
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

impl LinearAd {
    /// What became of the film, with a word to its unit; what has not been answered by its end is an error.
    ///
    /// Rules SIMID-4, SIMID-6.
    pub(in crate::ads) fn tell_simid(&mut self, moved: Moved, out: &mut Outbox) -> Moved {
        let cause = self.cause();
        let fault = self.fault();
        let Some(unit) = &mut self.simid else { return moved };
        match moved {
            Moved::On => moved,
            Moved::Completed if matches!(unit.session(), Session::Starting(_)) => {
                unit.is_over();
                told(rule!("SIMID-4"), cause, fatal(1213), out);
                Moved::Failed(Failure::new(AdErrorCode::Interactive, why(1213)).by(rule!("SIMID-4")))
            }
            Moved::Completed => moved,
            Moved::Failed(failure) => {
                if unit.session() != Session::Over {
                    unit.is_over();
                    let code = match fault {
                        _ if failure.rule == rule!("BRK-20") => 1207,
                        Some(MediaFault::Unsupported) => 1209,
                        Some(
                            MediaFault::NotFound
                            | MediaFault::Network
                            | MediaFault::Decode
                            | MediaFault::NotRunning,
                        )
                        | None => 1206,
                    };
                    told(rule!("SIMID-6"), cause, fatal(code), out);
                }
                Moved::Failed(failure)
            }
        }
    }
}

/// The unit is told how its ad ends; without a session it hears nothing. Rule SIMID-16.
pub(in crate::ads) fn dismiss(
    unit: Option<&mut Box<SimidUnit>>,
    how: &'static str,
    cause: Cause,
    out: &mut Outbox,
) {
    let hears = |unit: &&mut Box<SimidUnit>| !matches!(unit.session(), Session::Awaited | Session::Over);
    if let Some(unit) = unit.filter(hears) {
        unit.is_over();
        told(rule!("SIMID-16"), cause, message(how, "player"), out);
    }
}

/// A `simid` line. Gives what names it as a cause.
pub(in crate::ads) fn told(rule: RuleId, because: Cause, data: Fields, out: &mut Outbox) -> Cause {
    let line = Line { kind: Kind::Ad, name: "simid".into(), data };
    out.put_because(because, rule, Output::Line(line))
}

pub(in crate::ads) fn message(message: &'static str, from: &'static str) -> Fields {
    Fields::with_room(6).with("message", message).with("from", from)
}

/// `fatalError` of the player.
pub(in crate::ads) fn fatal(code: u16) -> Fields {
    message("fatalError", "player").with("code", code).with("why", means(code))
}

/// An answer of the unit.
fn answer(reply: SimidReply, to: &'static str) -> Fields {
    let (word, code) = match reply {
        SimidReply::Resolve => ("resolve", None),
        SimidReply::Reject(code) => ("reject", code),
        SimidReply::Broken => ("broken", None),
        SimidReply::Never => ("nothing", None),
    };
    message(word, "creative").with("to", to).with_some("code", code).with_some("why", code.map(means))
}

/// A refusal of the player. Rule SIMID-8.
pub(super) fn refuse(rule: RuleId, code: u16, to: SimidMessage, because: Cause, out: &mut Outbox) {
    let data = message("reject", "player").with("to", to.name()).with("code", code).with("why", means(code));
    told(rule, because, data, out);
}

fn means(code: u16) -> &'static str {
    SimidError::read(code).map_or("an error that SIMID does not know", |error| error.means)
}

/// Why an ad fails with an error of SIMID.
fn why(code: u16) -> Text {
    format!("SIMID {code}: {}", means(code)).into()
}

/// What a message carries, for its line.
fn carried(detail: &SimidDetail) -> Fields {
    match detail {
        SimidDetail::Nothing => Fields::default(),
        SimidDetail::Link { url, player_handles } => Fields::with_room(2)
            .with_some("url", url.as_ref().map(Text::from))
            .with("player_handles", *player_handles),
        SimidDetail::Length(length) => Fields::one("length", *length),
        SimidDetail::Addresses(urls) => Fields::one("count", urls.len()),
        SimidDetail::Fatal(code, text) => Fields::one("code", *code)
            .with("why", means(*code))
            .with_some("text", text.as_ref().map(Text::from)),
    }
}
