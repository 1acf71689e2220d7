//! Ads that run code of their own.
//!
//! A unit speaks with its player in messages, and a scenario scripts its side. `vpaid` knows how far a VPAID
//! unit is and what it says next; what passes between it and its player is `talk`, and what that means for
//! the ad is `meaning`.
//!
//! Rules: VPAID.

mod meaning;
mod talk;
mod vpaid;

pub(super) use vpaid::VpaidUnit;

use super::tracking::Teller;
use super::{AdServices, BreakKind};
use crate::api::Outbox;
use crate::time::Time;

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
    fn teller(&mut self, kind: BreakKind) -> Teller<'_> {
        Teller { now: self.now, kind, macros: &mut *self.services.macros, out: &mut *self.out }
    }
}
