//! What a break needs from its surroundings for one input.

use super::macros::Macros;
use crate::ads::surroundings::Surroundings;
use crate::knobs::Knobs;
use crate::page::{AdTerms, Sides};

/// What a break needs from its surroundings for one input.
pub struct AdServices<'a> {
    /// The knobs of the run.
    pub knobs: &'a Knobs,
    /// Fills macros in URLs.
    pub macros: &'a mut Macros,
    /// What the page plays, and which ads it accepts.
    pub terms: &'a AdTerms,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// What the page has for ads apart from the player.
    pub sides: &'a Sides,
}

impl<'a> AdServices<'a> {
    /// What does not change.
    pub(in crate::ads) fn around(&self) -> Surroundings<'a> {
        Surroundings { knobs: self.knobs, terms: self.terms, size: self.size, sides: self.sides }
    }
}
