//! Volume and mute.
//!
//! Both are the player's and not its element's: content and ads share them, and neither an item change nor
//! `stop()` touches them. An ad on screen is told when mute is switched, for its trackers.
//!
//! Rules: VOL-1 to VOL-10, MUTE-1 to MUTE-6, MEL-18, BRK-19.

use super::calls::By;
use super::*;
use crate::ads::AdNews;
use crate::api::Line;
use crate::knobs::VolumeOutOfRange;
use crate::page::Device;

/// How loud a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sound {
    /// From 0 to 1, with six decimal places. Rule VOL-10.
    volume: Decimal,
    muted: bool,
    /// Whether it was so from the beginning. Rule MAC-4.
    began_muted: bool,
}

/// A VPAID creative with sound of its own is heard for so long on a muted player: the constant
/// `mute.vpaid_delay`. Rule MUTE-6.
const VPAID_MUTE_DELAY: Span = Span::from_millis(200);

impl Sound {
    /// As the settings have it; the configuration can switch mute.
    pub(super) fn new(settings: &Settings, muted: Option<bool>) -> Sound {
        let volume = settings.volume.clamp(Decimal::ZERO, Decimal::ONE);
        let is_zero_mute = settings.knobs.volume_zero_mutes.is_on() && volume == Decimal::ZERO;
        let muted = muted.unwrap_or(settings.muted) || is_zero_mute;
        Sound { volume, muted, began_muted: muted }
    }
}

impl Player {
    /// The volume in force, 0 to 1. Rule VOL-2.
    pub(super) fn volume(&self) -> Decimal {
        self.sound.volume
    }

    /// Whether sound is off. Rule MUTE-1.
    pub(super) fn is_muted(&self) -> bool {
        self.sound.muted
    }

    /// Whether sound was off from the beginning. Rule MAC-4.
    pub(super) fn began_muted(&self) -> bool {
        self.sound.began_muted
    }

    /// `volume(x)`. Gives the volume in force.
    ///
    /// # Errors
    ///
    /// `volume_range` for what is no volume, with the knob. Rule VOL-4.
    pub(super) fn set_volume(
        &mut self,
        now: Time,
        volume: &Value,
        by: By,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        if self.settings.page.device == Device::Mobile {
            out.decide(rule!("VOL-5"));
            let text = "the volume of a mobile device is its owner's; volume() sets nothing there";
            out.diag(rule!("VOL-5"), "volume_mobile", text);
        } else if let Some(volume) = self.volume_meant(volume, by, out)? {
            self.turn_volume(now, volume, out);
        }
        Ok(self.volume().into())
    }

    /// The volume that is to be set; `None` if nothing is. Rule VOL-4.
    fn volume_meant(&self, volume: &Value, by: By, out: &mut Outbox) -> Result<Option<Decimal>, ApiError> {
        let nearest = match volume {
            Value::Number(number) => Some((*number).clamp(Decimal::ZERO, Decimal::ONE)),
            Value::Infinity => Some(Decimal::ONE),
            Value::NegativeInfinity => Some(Decimal::ZERO),
            Value::Undefined
            | Value::Null
            | Value::Bool(_)
            | Value::NaN
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Function(_) => None,
        };
        if nearest.is_some_and(|nearest| *volume == Value::Number(nearest)) {
            return Ok(nearest);
        }
        let rule = rule!("VOL-4");
        out.decide(rule);
        let what = format!("volume({volume}) is no volume from 0 to 1");
        let (nearest, effect) = match self.settings.knobs.volume_out_of_range {
            VolumeOutOfRange::Clamp if nearest.is_some() => (nearest, "the nearest one is set"),
            // Nothing that the person does can fail.
            VolumeOutOfRange::Error if by != By::Person => {
                return Err(ApiError { code: "volume_range", text: what.into(), rule });
            }
            VolumeOutOfRange::Ignore | VolumeOutOfRange::Clamp | VolumeOutOfRange::Error => {
                (None, "nothing changes")
            }
        };
        out.diag(rule, "volume_range", format!("{what}, and {effect}"));
        Ok(nearest)
    }

    /// Rules VOL-1, VOL-3, VOL-6, VOL-7: turned up, it stays mute.
    fn turn_volume(&mut self, now: Time, volume: Decimal, out: &mut Outbox) {
        if volume == self.sound.volume {
            out.decide(rule!("VOL-3"));
            return;
        }
        out.decide(rule!("VOL-1"));
        self.sound.volume = volume;
        out.event(rule!("VOL-3"), EventName::VolumeChange);
        if volume == Decimal::ZERO && self.settings.knobs.volume_zero_mutes.is_on() {
            self.switch_mute(now, true, rule!("VOL-6"), out);
        }
    }

    /// `muted(x)`. Gives the state in force. Rules MUTE-1, MUTE-4, MUTE-5.
    pub(super) fn set_muted(&mut self, now: Time, muted: &Value, out: &mut Outbox) -> Value {
        if let Some(muted) = muted.as_bool() {
            out.decide(rule!("MUTE-1"));
            self.switch_mute(now, muted, rule!("MUTE-2"), out);
        } else {
            out.decide(rule!("MUTE-5"));
            let text = format!("muted({muted}) is neither true nor false, and nothing changes");
            out.diag(rule!("MUTE-5"), "bad_argument", text);
        }
        self.is_muted().into()
    }

    /// Switches mute; `rule` says why `mutechange` comes. Nothing happens if it is so already.
    ///
    /// Rules MUTE-2, MUTE-3, MEL-18, BRK-19.
    pub(super) fn switch_mute(&mut self, now: Time, muted: bool, rule: RuleId, out: &mut Outbox) {
        if muted == self.sound.muted {
            return;
        }
        self.sound.muted = muted;
        // The element has one event for volume and mute. Page code does not see this one of it.
        if self.settings.knobs.mute_volumechange.is_on() {
            out.event(rule!("MUTE-3"), EventName::VolumeChange);
        } else {
            let data = Fields::one("position", self.element.position(now));
            out.line(rule!("MEL-18"), Kind::Media, "volumechange", data);
        }
        let change = out.event_with(rule, EventName::MuteChange, Fields::one("muted", muted));
        self.tell_ad(now, AdNews::Muted(muted), change, out);
    }

    /// Mutes the player so that it may start without a gesture. Knob `gesture.violation`.
    pub(super) fn mute_for_start(&mut self, out: &mut Outbox) {
        // Nothing plays yet: where the content stands is the same at any time.
        self.switch_mute(Time::ZERO, true, rule!("PLAY-17"), out);
    }

    /// A VPAID creative that began to play is heard until mute reaches it. Nothing happens if no such ad is
    /// on, or sound is not off. Rule MUTE-6.
    pub(super) fn note_own_sound(&self, now: Time, out: &mut Outbox) {
        let Some(ad_break) = self.break_of(Which::Held) else { return };
        if self.is_muted() && ad_break.vpaid().is_some_and(|vpaid| vpaid.own_sound) {
            let data = Fields::one("position", self.element.position(now)).with("for", VPAID_MUTE_DELAY);
            let line = Line { kind: Kind::Media, name: "audible".into(), data };
            out.put_because(ad_break.due_because(), rule!("MUTE-6"), Output::Line(line));
        }
    }
}
