//! Ads that run code of their own.
//!
//! A unit and the player exchange messages; a scenario scripts the unit's side. `vpaid` holds the stage of a VPAID unit
//! and its next messages, `talk` exchanges them with the player, and `meaning` applies them to the ad. A SIMID unit runs
//! next to the media of its ad: `loading` finds its page, `simid` holds the stage of its session, `simid_talk` exchanges
//! the messages, and `simid_asks` answers its requests.
//!
//! Rules: VPAID, SIMID.

mod loading;
mod meaning;
mod simid_asks;
mod simid_talk;
mod talk;

use super::AdBreak;
use crate::ads::report::context::Scope;

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
