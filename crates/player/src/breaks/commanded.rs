//! Commanded ads, `playAd` and `pushAds`; and the gesture that a start by script may need.
//!
//! Rules: PA-1 to PA-10, PUSH-1 to PUSH-5, PLAY-16 to PLAY-20, PLAY-25, PLAY-26, PL-18.

use std::sync::Arc;

use super::slot::Alongside;
use crate::api::calls::By;
use crate::content::Items;
use crate::state::State;
use crate::surface::{Sounding, Surface};
use crate::{Player, Settings};
use playsim_ads::{BreakKind, Phase};
use playsim_api::{ApiError, Call, Code, Outbox, Value};
use playsim_base::time::Time;
use playsim_rules as rules;
use playsim_rules::knobs::{
    AdEngine, CommandMonetize, GestureViolation, KnobReader, PlayActivation,
};

impl Player {
    /// `playAd(ad)`. Rules PA-1 to PA-9.
    pub(crate) fn play_ad(
        &mut self,
        ad: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let length = self.element.length().flatten();
        let plan = self.breaks.schedule.commanded(ad, length, out)?;
        let is_overlay = plan.kind == BreakKind::Overlay;
        if let State::Failed = self.state {
            out.diag(
                rules::PA_9,
                Code::NoMedia,
                "the item has failed, so no ad can be played",
            );
        } else if let State::Held(_) = self.state
            && (is_overlay || self.state.absent().is_none())
        {
            ad_busy(Call::PlayAd, out);
        } else if !self
            .items
            .may_play_on_command(&self.settings.knobs, Call::PlayAd, out)
        {
            // A diagnostic has been written.
        } else if self.breaks.loads_while_playing()
            || (is_overlay && self.breaks.get(Alongside::Overlay).is_some())
        {
            ad_busy(Call::PlayAd, out);
        } else if !self.has_played && !self.may_start(By::Script, true, out) {
            out.decide(rules::PA_8);
        } else if std::mem::take(&mut self.breaks.refuses_ads) {
            self.refuse_break(plan, out);
        } else if is_overlay {
            self.open_overlay(plan, out);
        } else if let Some(absent) = self.state.absent() {
            self.open_break(plan, self.state.is_wanted(), absent.back, out);
        } else {
            self.open_pending(plan, out);
        }
        out.decide(rules::PA_1);
        Ok(Value::Undefined)
    }

    /// `pushAds()`. Rules PUSH-1 to PUSH-5.
    pub(crate) fn push_ads(&mut self, out: &mut Outbox) {
        out.decide(rules::PUSH_1);
        if !self.state.plays_content() {
            out.diag(
                rules::PUSH_3,
                Code::NotPlaying,
                "pushAds() is ignored: it only works while content plays",
            );
        } else if !self
            .items
            .may_play_on_command(&self.settings.knobs, Call::PushAds, out)
        {
            // A diagnostic has been written.
        } else if self.breaks.loads_while_playing() {
            ad_busy(Call::PushAds, out);
        } else if !self.breaks.turns.has_ads() {
            out.diag(
                rules::SCHED_4,
                Code::NoAds,
                "pushAds() is ignored: it is not this video's turn to show ads",
            );
        } else if let Some(plan) = self.breaks.schedule.pushed() {
            self.open_pending(plan, out);
        } else {
            out.diag(rules::PUSH_5, Code::NoAds, "there are no pre-rolls to push");
        }
    }

    /// Whether playback may start now; if not, writes a diagnostic. Knob `gesture.violation` can
    /// let it start in a modified way instead: muted, or without ads.
    ///
    /// `with_ads`: whether ads would be shown. Rules PLAY-16 to PLAY-20, PA-8.
    pub(crate) fn may_start(&mut self, by: By, with_ads: bool, out: &mut Outbox) -> bool {
        let now = out.now();
        self.breaks.refuses_ads = false;
        let settings = Arc::clone(&self.settings);
        self.surface.unlock(now, Sounding::Own, &settings.knobs);
        let refusal = self.surface.sound_refusal(now, by, with_ads, &settings);
        let starts = match refusal {
            Some(why) if !self.surface.starts_silently(by, &settings.knobs) => {
                self.start_refused(why, with_ads, out)
            }
            Some(_) | None => true,
        };
        if starts && (refusal.is_none() || !self.surface.sound.is_muted()) {
            self.surface.sound.allow();
        }
        starts
    }

    /// The browser lets nothing start with sound. Returns whether it starts in a modified way. Knob
    /// `gesture.violation`.
    fn start_refused(&mut self, why: &str, with_ads: bool, out: &mut Outbox) -> bool {
        match self.settings.knobs.gesture_violation() {
            GestureViolation::PlayMuted => {
                self.mute_for_start(out);
                true
            }
            GestureViolation::AdFailsAtStart if with_ads => true,
            GestureViolation::AdFailsContentPlays if with_ads => {
                self.breaks.refuses_ads = true;
                true
            }
            // Without ads, it is the content that must not start. PLAY-26
            GestureViolation::Refuse
            | GestureViolation::AdFailsAtStart
            | GestureViolation::AdFailsContentPlays => {
                if !with_ads {
                    out.decide(rules::PLAY_26);
                }
                let text = format!("{why}, so the browser blocks playback started by script");
                out.diag(rules::PLAY_17, Code::GestureRequired, text);
                false
            }
        }
    }

    /// Why a script that unmutes what plays ends that, if it does. Rule PLAY-25.
    pub(crate) fn unmute_refusal(&self, now: Time) -> Option<&'static str> {
        let is_held = matches!(self.state, State::Held(_));
        let is_playing = if let State::Held(held) = &self.state {
            !matches!(held.phase(), Phase::Paused)
        } else {
            self.state.plays_content()
        };
        if !is_playing || self.surface.sound.is_allowed() {
            return None;
        }
        let with_ads = is_held || self.would_show_ads();
        self.surface
            .sound_refusal(now, By::Script, with_ads, &self.settings)
    }

    /// The reason why the browser blocks the start of the first ad. The browser decides again now,
    /// and requires the permission that the knobs waived when the ad was requested. Knob
    /// `gesture.violation` can mute the player instead. Once something has played in an element, it
    /// plays everything. Rules PLAY-22, PLAY-24.
    pub(super) fn ad_start_refusal(&mut self, out: &mut Outbox) -> Option<&'static str> {
        let now = out.now();
        let settings = Arc::clone(&self.settings);
        let knobs = &settings.knobs;
        let violation = knobs.gesture_violation();
        let of = match (knobs.activation_play(), knobs.ad_engine()) {
            (PlayActivation::Element, AdEngine::Sdk) => Sounding::OfSdk,
            (
                PlayActivation::Gesture
                | PlayActivation::Sticky
                | PlayActivation::Transient
                | PlayActivation::Element,
                _,
            ) => Sounding::Own,
        };
        let decides = match knobs.activation_play() {
            PlayActivation::Gesture | PlayActivation::Sticky => {
                violation == GestureViolation::AdFailsAtStart
            }
            PlayActivation::Transient | PlayActivation::Element => true,
        };
        let has_played = of == Sounding::Own && self.has_played;
        if !decides || has_played || self.surface.sound.is_muted() {
            return None;
        }
        self.surface.unlock(now, of, knobs);
        let why = self.surface.play_refusal(now, of, &settings)?;
        match violation {
            GestureViolation::PlayMuted => {
                self.mute_for_start(out);
                None
            }
            GestureViolation::Refuse
            | GestureViolation::AdFailsContentPlays
            | GestureViolation::AdFailsAtStart => Some(why),
        }
    }

    /// Whether the item in use would show ads. Rule PLAY-18.
    pub(crate) fn would_show_ads(&self) -> bool {
        // A record that is not known yet counts as monetized, the default.
        let is_monetized = self
            .items
            .playlist
            .video()
            .is_none_or(|video| video.monetize);
        is_monetized && self.breaks.turns.has_ads() && self.breaks.schedule.has_ads()
    }

    /// Whether page code or the user may go to another item; `false` if a required gesture is
    /// missing, which refuses the whole call. Changing items while content plays does not start
    /// playback and is always allowed. Rule PL-18.
    pub(crate) fn may_go_to(&mut self, index: usize, by: By, out: &mut Outbox) -> bool {
        let starts = matches!(
            self.state,
            State::Initial | State::Paused | State::Ended(_) | State::Failed
        );
        let with_ads = match self.items.playlist.video_at(index) {
            _ if !self.breaks.turns.next_has_ads() => false,
            Some(video) => video.monetize && self.breaks.schedule.has_other_ads(&video.ads),
            None => self.breaks.schedule.has_other_ads(&[]),
        };
        !starts || self.may_start(by, with_ads, out)
    }
}

fn ad_busy(call: Call, out: &mut Outbox) {
    let rule = if call == Call::PlayAd {
        rules::PA_4
    } else {
        rules::PUSH_4
    };
    out.diag(
        rule,
        Code::AdBusy,
        format!("{}() is ignored: an ad is playing or loading", call.name()),
    );
}

impl Items {
    /// Whether the item in use permits commanded ads; writes a diagnostic if not. A record that is
    /// not known yet counts as monetized, the default. Rules PA-7, REQ-14.
    fn may_play_on_command(&self, knobs: &KnobReader, call: Call, out: &mut Outbox) -> bool {
        let is_excluded = self.playlist.video().is_some_and(|video| !video.monetize);
        match knobs.command_monetize() {
            CommandMonetize::Refuse if is_excluded => {
                let text = format!(
                    "{}() is ignored: the video is excluded from monetization",
                    call.name()
                );
                out.diag(rules::PA_7, Code::NotMonetized, text);
                false
            }
            CommandMonetize::Refuse | CommandMonetize::Play => true,
        }
    }
}

impl Surface {
    /// Why sound must not start, muted or not. Rules PLAY-16, PLAY-18, PLAY-26.
    fn sound_refusal(
        &self,
        now: Time,
        by: By,
        with_ads: bool,
        settings: &Settings,
    ) -> Option<&'static str> {
        let counts = with_ads || settings.knobs.activation_play().is_by_sound();
        self.play_refusal(now, Sounding::Own, settings)
            .filter(|_| counts && by != By::Person)
    }

    /// Whether it is muted, and the browser lets this start for that reason. Rules PLAY-20,
    /// PLAY-26.
    fn starts_silently(&self, by: By, knobs: &KnobReader) -> bool {
        let is_exempt = by == By::Autoplay || knobs.activation_play().is_by_sound();
        self.sound.is_muted() && is_exempt
    }
}
