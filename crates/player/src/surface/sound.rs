//! Volume and mute.
//!
//! Both belong to the player and not to its media element: content and ads share them, and neither
//! an item change nor `stop()` changes them. An ad on screen is informed when mute is switched, for
//! its trackers.
//!
//! Rules: VOL-1 to VOL-10, MUTE-1 to MUTE-6, MEL-18, BRK-19.

use crate::api::calls::By;
use crate::breaks::slot::BreakSlot;
use crate::{Player, Settings};
use playsim_ads::AdNews;
use playsim_api::page::Device;
use playsim_api::{
    ApiError, Because, Code, Decimal, Event, EventName, Fields, Line, LineName, MediaLine, Outbox,
    Output, Value,
};
use playsim_base::time::Span;
use playsim_rules::knobs::{KnobReader, UnmuteRefused, VolumeOutOfRange};
use playsim_rules::{self as rules, RuleId};

/// The volume and mute of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sound {
    /// From 0 to 1, with six decimal places. Rule VOL-10.
    volume: Decimal,
    muted: bool,
    /// Whether it was muted at the start. Rule MAC-4.
    began_muted: bool,
    /// Whether something was started that may play with sound. Rule PLAY-25.
    is_allowed: bool,
}

/// For how long a VPAID creative with sound of its own can be heard on a muted player: the constant
/// `mute.vpaid_delay`. Rule MUTE-6.
const VPAID_MUTE_DELAY: Span = Span::from_millis(200);

impl Sound {
    /// The sound according to the settings; the configuration can override mute.
    pub(crate) fn new(settings: &Settings, muted: Option<bool>) -> Sound {
        let volume = settings.volume.clamp(Decimal::ZERO, Decimal::ONE);
        let is_zero_mute = settings.knobs.volume_zero_mutes().is_on() && volume == Decimal::ZERO;
        let muted = muted.unwrap_or(settings.muted) || is_zero_mute;
        Sound {
            volume,
            muted,
            began_muted: muted,
            is_allowed: false,
        }
    }

    /// The current volume, 0 to 1. Rule VOL-2.
    pub(crate) fn volume(self) -> Decimal {
        self.volume
    }

    /// Whether the player is muted. Rule MUTE-1.
    pub(crate) fn is_muted(self) -> bool {
        self.muted
    }

    /// Whether the player was muted at the start. Rule MAC-4.
    pub(crate) fn began_muted(self) -> bool {
        self.began_muted
    }

    /// Something is started that may play with sound. Rule PLAY-25.
    pub(crate) fn allow(&mut self) {
        self.is_allowed = true;
    }

    /// Whether something was started that may play with sound. Rule PLAY-25.
    pub(crate) fn is_allowed(self) -> bool {
        self.is_allowed
    }

    /// The volume to set; `None` if nothing is to be set. Rule VOL-4.
    fn meant(
        knobs: &KnobReader,
        volume: &Value,
        by: By,
        out: &mut Outbox,
    ) -> Result<Option<Decimal>, ApiError> {
        let nearest = if let Value::Number(number) = volume {
            Some((*number).clamp(Decimal::ZERO, Decimal::ONE))
        } else if *volume == Value::Infinity {
            Some(Decimal::ONE)
        } else {
            (*volume == Value::NegativeInfinity).then_some(Decimal::ZERO)
        };
        if nearest.is_some_and(|nearest| *volume == Value::Number(nearest)) {
            return Ok(nearest);
        }
        let rule = rules::VOL_4;
        out.decide(rule);
        let what = format!("volume({volume}) is not a number from 0 to 1");
        let (nearest, effect) = match knobs.volume_out_of_range() {
            VolumeOutOfRange::Clamp if nearest.is_some() => (nearest, "the nearest volume is set"),
            // A user action cannot fail.
            VolumeOutOfRange::Error if by != By::Person => {
                return Err(ApiError {
                    code: Code::VolumeRange,
                    text: what.into(),
                    rule,
                });
            }
            VolumeOutOfRange::Ignore | VolumeOutOfRange::Clamp | VolumeOutOfRange::Error => {
                (None, "nothing changes")
            }
        };
        out.diag(rule, Code::VolumeRange, format!("{what}; {effect}"));
        Ok(nearest)
    }
}

impl Player {
    /// `volume(x)`. Returns the current volume.
    ///
    /// # Errors
    ///
    /// `volume_range` for an invalid volume, if the knob says so. Rule VOL-4.
    pub(crate) fn set_volume(
        &mut self,
        volume: &Value,
        by: By,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        if self.settings.page.device == Device::Mobile {
            out.decide(rules::VOL_5);
            let text = "the volume of a mobile device is controlled by its user; volume() sets nothing there";
            out.diag(rules::VOL_5, Code::VolumeMobile, text);
        } else if let Some(volume) = Sound::meant(&self.settings.knobs, volume, by, out)? {
            self.turn_volume(volume, out);
        }
        Ok(self.surface.sound.volume.into())
    }

    /// Changes the volume; this never unmutes the player. Rules VOL-1, VOL-3, VOL-6, VOL-7.
    fn turn_volume(&mut self, volume: Decimal, out: &mut Outbox) {
        if volume == self.surface.sound.volume {
            out.decide(rules::VOL_3);
            return;
        }
        out.decide(rules::VOL_1);
        self.surface.sound.volume = volume;
        out.event(rules::VOL_3, EventName::VolumeChange);
        if volume == Decimal::ZERO && self.settings.knobs.volume_zero_mutes().is_on() {
            self.switch_mute(true, rules::VOL_6, out);
        }
    }

    /// `muted(x)`. Returns the current state. Rules MUTE-1, MUTE-4, MUTE-5, PLAY-25.
    pub(crate) fn set_muted(&mut self, muted: &Value, out: &mut Outbox) -> Value {
        if *muted == Value::Bool(false)
            && self.surface.sound.muted
            && let Some(why) = self.unmute_refusal(out.now())
        {
            self.unmute_what_may_not_sound(why, out);
        } else if let Some(muted) = muted.as_bool() {
            out.decide(rules::MUTE_1);
            self.switch_mute(muted, rules::MUTE_2, out);
        } else {
            out.decide(rules::MUTE_5);
            let text = format!("muted({muted}) is neither true nor false; nothing changes");
            out.diag(rules::MUTE_5, Code::BadArgument, text);
        }
        self.surface.sound.muted.into()
    }

    /// A script unmutes what may only play because it is muted. Rule PLAY-25.
    fn unmute_what_may_not_sound(&mut self, why: &str, out: &mut Outbox) {
        out.decide(rules::PLAY_25);
        let stays_muted = self.settings.knobs.unmute_refused() == UnmuteRefused::StayMuted;
        let effect = if stays_muted {
            "lets it stay muted"
        } else {
            "pauses it"
        };
        let text = format!("{why}, so the browser {effect} when a script unmutes it");
        out.diag(rules::PLAY_25, Code::GestureRequired, text);
        if !stays_muted {
            self.switch_mute(false, rules::MUTE_2, out);
            self.pause(out);
        }
    }

    /// Switches mute; `rule` is the reason for `mutechange`. Does nothing if mute does not change.
    ///
    /// Rules MUTE-2, MUTE-3, MEL-18, BRK-19.
    pub(super) fn switch_mute(&mut self, muted: bool, rule: RuleId, out: &mut Outbox) {
        if muted == self.surface.sound.muted {
            return;
        }
        self.surface.sound.muted = muted;
        // The element has one event for volume and mute. Here, page code does not see it.
        if self.settings.knobs.mute_volumechange().is_on() {
            out.event(rules::MUTE_3, EventName::VolumeChange);
        } else {
            let data = Fields::one("position", self.element.position(out.now()));
            out.line(
                rules::MEL_18,
                LineName::MediaEvent(EventName::VolumeChange),
                data,
            );
        }
        let change = out.event(
            rule,
            Event {
                name: EventName::MuteChange,
                data: Fields::one("muted", muted),
            },
        );
        self.notify_ad(AdNews::Muted(muted), change, out);
    }

    /// Mutes the player so that it can start without a gesture. Knob `gesture.violation`.
    pub(crate) fn mute_for_start(&mut self, out: &mut Outbox) {
        self.switch_mute(true, rules::PLAY_17, out);
    }

    /// Logs that a VPAID creative that began to play can be heard until mute reaches it. Does
    /// nothing if no such ad is on screen or the player is not muted. Rule MUTE-6.
    pub(crate) fn note_own_sound(&self, out: &mut Outbox) {
        let Some(ad_break) = self.break_of(BreakSlot::Held) else {
            return;
        };
        if self.surface.sound.muted && ad_break.vpaid().is_some_and(|vpaid| vpaid.own_sound) {
            let data = Fields::one("position", self.element.position(out.now()))
                .with("for", VPAID_MUTE_DELAY);
            let line = Line::new(MediaLine::Audible, data);
            out.within(ad_break.number()).put(
                Because {
                    rule: rules::MUTE_6,
                    cause: ad_break.due_because(),
                },
                Output::Line(line),
            );
        }
    }
}
