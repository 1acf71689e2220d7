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
use crate::ads::report::services::AdServices;
use crate::ads::report::tracking::BeaconSender;
use crate::api::{BreakKind, Outbox};
use crate::time::Time;

impl AdBreak {
    /// Performs everything that the current unit has scheduled up to now.
    pub(in crate::ads) fn wake_unit(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) {
        self.wake_vpaid(Moment { now, services, out });
        self.wake_simid(Moment { now, services, out });
    }

    /// Gives up on a unit that has exceeded a time limit.
    pub(in crate::ads) fn give_up_unit(
        &mut self,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        self.give_up_vpaid(Moment { now, services, out });
        self.give_up_simid(Moment { now, services, out });
    }
}

/// An instant at which something happens to a unit, with its surroundings.
pub(in crate::ads) struct Moment<'a, 's> {
    /// The time.
    pub(in crate::ads) now: Time,
    /// The surroundings of the break.
    pub(in crate::ads) services: &'a mut AdServices<'s>,
    /// The sink for effects.
    pub(in crate::ads) out: &'a mut Outbox,
}

impl Moment<'_, '_> {
    /// Returns the sender of events and requests.
    pub(in crate::ads) fn beacons(&mut self, kind: BreakKind) -> BeaconSender<'_> {
        BeaconSender { now: self.now, kind, macros: &mut *self.services.macros, out: &mut *self.out }
    }
}
