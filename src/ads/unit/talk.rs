//! What passes between a VPAID unit and its player: each call, each message and each silence is a line.
//!
//! Rules: VPAID-1 to VPAID-4, VPAID-6, VPAID-8, VPAID-9, VPAID-16, VPAID-17.

use super::Moment;
use super::meaning::Then;
use super::vpaid::{Happens, Life, Waiting};
use crate::ads::AdNews;
use crate::ads::ad_break::{AdBreak, Stage, State};
use crate::ads::course::Course;
use crate::ads::error::{AdErrorCode, Failure};
use crate::ads::linear::{LinearAd, Moved};
use crate::ads::tracking::Teller;
use crate::api::{Cause, Decimal, Fields, Kind, Line, Outbox, Output, Text};
use crate::media::{VpaidCall, VpaidDetail, VpaidEvent, VpaidSaid};
use crate::rule;
use crate::rules::RuleId;

/// The version that the player speaks.
const VERSION: &str = "2.0";

impl LinearAd {
    /// Calls the unit, if the ad is one with a script. Rules VPAID-1, VPAID-17.
    pub(in crate::ads) fn call_vpaid(
        &mut self,
        call: VpaidCall,
        carries: Fields,
        because: Cause,
        teller: &mut Teller<'_>,
    ) {
        let Some(unit) = &mut self.vpaid else { return };
        let rule = match call {
            VpaidCall::HandshakeVersion | VpaidCall::InitAd | VpaidCall::StartAd => rule!("VPAID-1"),
            VpaidCall::SkipAd => rule!("VPAID-8"),
            VpaidCall::StopAd if unit.asked.skip => rule!("VPAID-8"),
            VpaidCall::PauseAd | VpaidCall::ResumeAd => rule!("VPAID-13"),
            VpaidCall::StopAd | VpaidCall::ResizeAd | VpaidCall::SetVolume => rule!("VPAID-17"),
        };
        let cause = told(rule, because, line_data(call.name(), "player", carries), teller.out);
        unit.call(teller.now, call, cause);
    }

    /// Its break is aborted: nobody waits for the unit to leave. Rule VPAID-17.
    pub(in crate::ads) fn dismiss_vpaid(&self, out: &mut Outbox) {
        if self.vpaid.is_some() {
            let data = line_data(VpaidCall::StopAd.name(), "player", Fields::default());
            told(rule!("VPAID-17"), out.cause(), data, out);
        }
    }

    /// Tells the unit of what is around it. Its sound it tells of itself. Rule VPAID-17.
    pub(in crate::ads) fn tell_vpaid(&mut self, news: AdNews, because: Cause, teller: &mut Teller<'_>) {
        match news {
            AdNews::Muted(muted) => {
                let volume = if muted { Decimal::ZERO } else { Decimal::ONE };
                self.call_vpaid(VpaidCall::SetVolume, Fields::one("volume", volume), because, teller);
                let Some(unit) = &mut self.vpaid else { return };
                let detail = VpaidDetail::Volume(volume);
                let said = VpaidSaid { event: VpaidEvent::AdVolumeChange, detail };
                unit.says_after(teller.now, Some(unit.script().answers_after), said, because);
            }
            AdNews::Fullscreen(fills) => {
                let mode = if fills { "fullscreen" } else { "normal" };
                self.call_vpaid(VpaidCall::ResizeAd, Fields::one("view_mode", mode), because, teller);
            }
            // Nobody can seek in a unit.
            AdNews::MovedBack => {}
        }
    }
}

impl Course {
    /// The code of a unit is there: it is asked for its version. Rule VPAID-1.
    pub(in crate::ads) fn prepare_vpaid(&mut self, mut ad: LinearAd, moment: &mut Moment<'_, '_>) -> State {
        let (cause, version) = (moment.out.cause(), Fields::one("version", VERSION));
        ad.call_vpaid(VpaidCall::HandshakeVersion, version, cause, &mut moment.teller(self.kind));
        State::Ad { ad: Box::new(ad), stage: Stage::Preparing }
    }
}

impl AdBreak {
    /// Does what a unit has due by now. Rules VPAID-1, CLK-3.
    pub(in crate::ads) fn wake_vpaid(&mut self, mut moment: Moment<'_, '_>) {
        while let State::Ad { ad, .. } = self.parts().1 {
            let (head, cause) = (*ad.head(), ad.cause());
            let happens = ad.vpaid.as_mut().and_then(|unit| unit.take(moment.now, &head, cause));
            let Some((happens, because)) = happens else { return };
            self.vpaid_happens(happens, because, &mut moment);
        }
    }

    /// Gives up on a unit that has been silent for too long. Rules VPAID-3, VPAID-4, VPAID-8, VPAID-9.
    pub(in crate::ads) fn give_up_vpaid(&mut self, mut moment: Moment<'_, '_>) {
        let State::Ad { ad, .. } = self.parts().1 else { return };
        let (head, cause) = (*ad.head(), ad.cause());
        let silence = ad.vpaid.as_mut().and_then(|unit| unit.take_silence(moment.now, &head));
        if let Some((happens, because)) = silence {
            self.vpaid_happens(happens, because.unwrap_or(cause), &mut moment);
        }
    }

    /// Asks the unit to let itself be skipped. `false` if it was asked before. Rule VPAID-8.
    pub(in crate::ads) fn skip_vpaid(&mut self, mut moment: Moment<'_, '_>) -> bool {
        let (course, state) = self.parts();
        let State::Ad { ad, .. } = state else { return false };
        let Some(unit) = &mut ad.vpaid else { return false };
        if std::mem::replace(&mut unit.asked.skip, true) {
            return false;
        }
        let call = if unit.is_skippable() { VpaidCall::SkipAd } else { VpaidCall::StopAd };
        let cause = moment.out.cause();
        ad.call_vpaid(call, Fields::default(), cause, &mut moment.teller(course.kind));
        true
    }

    fn vpaid_happens(&mut self, happens: Happens, because: Cause, moment: &mut Moment<'_, '_>) {
        let (cause, then) = match happens {
            Happens::Answers => self.vpaid_answers(because, moment),
            Happens::Says(said) => self.vpaid_says(&said, because, moment),
            Happens::IsSilent(waiting) => self.vpaid_is_silent(waiting, because, moment),
        };
        let (course, state) = self.parts();
        let State::Ad { ad, stage } = state else { return };
        let (now, services) = (moment.now, &mut *moment.services);
        match (then, *stage) {
            (Then::GoesOn, _) => {}
            (Then::Fails(failure), Stage::Preparing) => {
                moment.out.blame(cause);
                let prepared = ad.prepared().clone();
                *state = course.media_failed(now, &prepared, &failure, services, moment.out);
            }
            (Then::Fails(failure), Stage::Ready | Stage::Starting) => {
                moment.out.blame(cause);
                let prepared = ad.prepared().clone();
                *state = course.start_failed(now, &prepared, &failure, services, moment.out);
            }
            (Then::Fails(failure), Stage::Playing | Stage::Paused) => {
                self.moved(now, Moved::Failed(failure), cause, services, moment.out);
            }
            // It was told how the ad ended.
            (Then::Fails(_) | Then::IsGone, Stage::Leaving) => {
                moment.out.blame(cause);
                if ad.vpaid.as_ref().is_some_and(|unit| unit.is_complete) {
                    self.film_over(now, cause, services, moment.out);
                } else {
                    *state = course.ad_played(now, services, moment.out);
                }
            }
            (Then::Leaves, _) => {
                *stage = Stage::Leaving;
                if let Some(unit) = &mut ad.vpaid {
                    unit.is_over(now, cause);
                }
            }
            (Then::IsGone, Stage::Preparing | Stage::Ready | Stage::Starting) => {
                let why = "the unit left before it was seen";
                let failure = Failure::new(AdErrorCode::Vpaid, why).by(rule!("VPAID-4"));
                moment.out.blame(cause);
                let prepared = ad.prepared().clone();
                *state = course.start_failed(now, &prepared, &failure, services, moment.out);
            }
            (Then::IsGone, Stage::Playing | Stage::Paused) => {
                let end = self.vpaid_left(cause, moment);
                moment.out.blame(end);
                let (course, state) = self.parts();
                *state = course.ad_played(now, moment.services, moment.out);
            }
        }
    }

    /// The answer to the handshake. Rule VPAID-2.
    fn vpaid_answers(&mut self, because: Cause, moment: &mut Moment<'_, '_>) -> (Cause, Then) {
        let (course, state) = self.parts();
        let State::Ad { ad, .. } = state else { return (because, Then::GoesOn) };
        let Some(unit) = &ad.vpaid else { return (because, Then::GoesOn) };
        let version = std::sync::Arc::clone(&unit.script().version);
        let data = line_data(VpaidCall::HandshakeVersion.name(), "unit", Fields::one("version", &version));
        let cause = told(rule!("VPAID-1"), because, data, moment.out);
        if !is_spoken(&version) {
            let why = format!("the unit speaks VPAID {version}, the player {VERSION}");
            return (cause, Then::Fails(Failure::new(AdErrorCode::Vpaid, why).by(rule!("VPAID-2"))));
        }
        ad.call_vpaid(VpaidCall::InitAd, Fields::default(), cause, &mut moment.teller(course.kind));
        (cause, Then::GoesOn)
    }

    fn vpaid_is_silent(
        &mut self,
        waiting: Waiting,
        because: Cause,
        moment: &mut Moment<'_, '_>,
    ) -> (Cause, Then) {
        let State::Ad { ad, .. } = self.parts().1 else { return (because, Then::GoesOn) };
        let Some(unit) = &ad.vpaid else { return (because, Then::GoesOn) };
        let (was_asked, is_leaving) = (unit.asked.skip, unit.life() == Life::Leaving);
        let (rule, missing) = match waiting {
            Waiting::Handshake => (rule!("VPAID-3"), "answer to handshakeVersion"),
            Waiting::Loaded => (rule!("VPAID-3"), "AdLoaded"),
            Waiting::Started => (rule!("VPAID-4"), "AdStarted"),
            Waiting::Impression => (rule!("VPAID-4"), "AdImpression"),
            Waiting::Stopped if was_asked || is_leaving => (rule!("VPAID-8"), "AdStopped"),
            Waiting::Stopped => (rule!("VPAID-9"), "AdStopped"),
        };
        let why = format!("no {missing} in time");
        let cause = told(rule, because, Fields::one("why", why.clone()), moment.out);
        let fails = |code| Then::Fails(Failure::new(code, why.clone()).by(rule));
        let then = match waiting {
            Waiting::Handshake | Waiting::Loaded | Waiting::Started => fails(AdErrorCode::Vpaid),
            Waiting::Impression => fails(AdErrorCode::UnitTimeout),
            Waiting::Stopped if is_leaving || was_asked => Then::IsGone,
            Waiting::Stopped => fails(AdErrorCode::Vpaid),
        };
        (cause, then)
    }

    /// The unit says something. Out of order it counts for nothing. Rules VPAID-5 to VPAID-16.
    fn vpaid_says(&mut self, said: &VpaidSaid, because: Cause, moment: &mut Moment<'_, '_>) -> (Cause, Then) {
        let State::Ad { ad, stage } = self.parts().1 else { return (because, Then::GoesOn) };
        let position = ad.position(moment.now);
        let Some(unit) = &mut ad.vpaid else { return (because, Then::GoesOn) };
        let data = line_data(said.event.name(), "unit", carried(said));
        let is_leaving = unit.life() == Life::Leaving;
        if let Err(why) = unit.judge(said.event, *stage == Stage::Paused) {
            let rule = if is_leaving { rule!("VPAID-16") } else { rule!("VPAID-6") };
            return (told(rule, because, data.with("ignored", why), moment.out), Then::GoesOn);
        }
        let was_asked = unit.asked;
        let rule = if is_leaving { rule!("VPAID-16") } else { rule_of(said.event) };
        let cause = told(rule, because, data, moment.out);
        unit.follow(moment.now, said, position, cause);
        (cause, self.vpaid_means(said, was_asked, cause, moment))
    }
}

/// Whether the player speaks this version: 1 or 2.
fn is_spoken(version: &str) -> bool {
    matches!(version.trim().split('.').next(), Some("1" | "2"))
}

/// A `vpaid` line. Gives what names it as a cause.
fn told(rule: RuleId, because: Cause, data: Fields, out: &mut Outbox) -> Cause {
    let line = Line { kind: Kind::Ad, name: "vpaid".into(), data };
    out.put_because(because, rule, Output::Line(line))
}

fn line_data(message: &'static str, from: &'static str, carries: Fields) -> Fields {
    let mut data = Fields::with_room(6).with("message", message).with("from", from);
    for (name, value) in carries.iter() {
        data.push(name.clone(), value.clone());
    }
    data
}

/// What a message carries, for its line.
fn carried(VpaidSaid { event, detail }: &VpaidSaid) -> Fields {
    let name = event.field();
    match detail {
        VpaidDetail::Nothing => Fields::default(),
        VpaidDetail::Click { url, id, player_handles } => Fields::with_room(3)
            .with_some("url", url.as_ref().map(Text::from))
            .with_some("id", id.as_ref().map(Text::from))
            .with("player_handles", *player_handles),
        VpaidDetail::Length(length) | VpaidDetail::Pause(length) => Fields::one(name, *length),
        VpaidDetail::Volume(volume) => Fields::one(name, *volume),
        VpaidDetail::State(state) => Fields::one(name, *state),
        VpaidDetail::Words(words) => Fields::one(name, words),
    }
}

/// The rule by which a message that is in order counts.
const fn rule_of(event: VpaidEvent) -> RuleId {
    match event {
        VpaidEvent::AdLoaded | VpaidEvent::AdStopped | VpaidEvent::AdLog | VpaidEvent::AdSizeChange => {
            rule!("VPAID-1")
        }
        VpaidEvent::AdStarted
        | VpaidEvent::AdImpression
        | VpaidEvent::AdVideoStart
        | VpaidEvent::AdVideoFirstQuartile
        | VpaidEvent::AdVideoMidpoint
        | VpaidEvent::AdVideoThirdQuartile
        | VpaidEvent::AdVideoComplete => rule!("VPAID-5"),
        VpaidEvent::AdSkipped => rule!("VPAID-7"),
        VpaidEvent::AdSkippableStateChange => rule!("VPAID-8"),
        VpaidEvent::AdLinearChange => rule!("VPAID-15"),
        VpaidEvent::AdDurationChange | VpaidEvent::AdRemainingTimeChange => rule!("VPAID-9"),
        VpaidEvent::AdExpandedChange
        | VpaidEvent::AdVolumeChange
        | VpaidEvent::AdInteraction
        | VpaidEvent::AdUserAcceptInvitation
        | VpaidEvent::AdUserMinimize => rule!("VPAID-12"),
        VpaidEvent::AdClickThru => rule!("VPAID-10"),
        VpaidEvent::AdUserClose => rule!("VPAID-14"),
        VpaidEvent::AdPaused | VpaidEvent::AdPlaying => rule!("VPAID-13"),
        VpaidEvent::AdError => rule!("VPAID-11"),
    }
}
