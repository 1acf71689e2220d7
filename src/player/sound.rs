//! Volume and mute.
//!
//! Rules: VOL-1 to VOL-10, MUTE-1 to MUTE-6.

use super::calls::By;
use super::*;

impl Player {
    /// The volume in force, 0 to 1. Rule VOL-2.
    pub(super) fn volume(&self) -> Decimal {
        self.settings.volume
    }

    /// Whether sound is off. Rule MUTE-1.
    pub(super) fn is_muted(&self) -> bool {
        self.settings.muted
    }

    /// `volume(x)`. Gives the volume in force.
    pub(super) fn set_volume(
        &mut self,
        _now: Time,
        _volume: &Value,
        _by: By,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("volume"))
    }

    /// `muted(x)`. Gives the state in force.
    pub(super) fn set_muted(&mut self, _now: Time, _muted: &Value, _out: &mut Outbox) -> Value {
        self.is_muted().into()
    }

    /// Mutes the player so that it may start without a gesture. Knob `gesture.violation`.
    pub(super) fn mute_for_start(&mut self, _out: &mut Outbox) {}
}
