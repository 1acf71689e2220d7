//! Ads that run code of their own.
//!
//! A unit speaks with its player in messages, and a scenario scripts its side. `vpaid` knows how far a VPAID
//! unit is and what it says next; what passes between it and its player is `talk`, and what that means for
//! the ad is `meaning`. A SIMID unit runs beside the film of its ad: `loading` finds its page, `simid` knows how
//! far its session is, `simid_talk` what passes, `simid_asks` what it gets of what it asks for.
//!
//! Rules: VPAID, SIMID.

mod loading;
mod meaning;
mod simid;
mod simid_asks;
mod simid_talk;
mod talk;
mod vpaid;

pub(super) use loading::{Page, unit};
pub(super) use simid::SimidUnit;
pub(super) use simid_talk::{dismiss, fatal, told};
pub(super) use vpaid::VpaidUnit;

use super::ad_break::AdBreak;
use super::tracking::Teller;
use super::{AdServices, BreakKind};
use crate::api::Outbox;
use crate::time::Time;

impl AdBreak {
    /// Does what the unit that is on has due by now.
    pub(super) fn wake_unit(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        self.wake_vpaid(Moment { now, services, out });
        self.wake_simid(Moment { now, services, out });
    }

    /// Gives up on a unit that has been silent for too long.
    pub(super) fn give_up_unit(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        self.give_up_vpaid(Moment { now, services, out });
        self.give_up_simid(Moment { now, services, out });
    }
}

/// An instant at which something happens to a unit, and what that needs.
pub(super) struct Moment<'a, 's> {
    /// When.
    pub(super) now: Time,
    /// The break's surroundings.
    pub(super) services: &'a mut AdServices<'s>,
    /// Takes what is caused.
    pub(super) out: &'a mut Outbox,
}

impl Moment<'_, '_> {
    /// What tells the world.
    pub(super) fn teller(&mut self, kind: BreakKind) -> Teller<'_> {
        Teller { now: self.now, kind, macros: &mut *self.services.macros, out: &mut *self.out }
    }
}
