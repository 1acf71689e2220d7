//! Ads that run code of their own.
//!
//! A unit and the player exchange messages; a scenario scripts the unit's side. `show::unit` has
//! the stage of a unit and its next messages. Here they take effect: `talk` exchanges the messages
//! of a VPAID unit and `meaning` applies them to the ad; `loading` requests the page of a SIMID
//! unit, `simid_talk` exchanges its messages, and `simid_asks` answers its requests.
//!
//! Rules: VPAID, SIMID.

mod loading;
mod meaning;
mod simid_asks;
mod simid_talk;
mod talk;

use super::AdBreak;
use crate::report::context::Scope;

impl AdBreak {
    /// Performs everything that the current unit has scheduled up to now.
    pub(super) fn wake_unit(&mut self, cx: &mut Scope<'_>) {
        self.wake_vpaid(cx);
        self.wake_simid(cx);
    }

    /// Gives up on a unit that has exceeded a time limit.
    pub(super) fn give_up_unit(&mut self, cx: &mut Scope<'_>) {
        self.give_up_vpaid(cx);
        self.give_up_simid(cx);
    }
}
