//! What is given to a break and does not change during an input.

use playsim_api::page::{AdTerms, Sides};
use playsim_rules::knobs::Knobs;

/// What is given to a break and does not change during an input.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The knobs of the run.
    pub knobs: &'a Knobs,
    /// What the page plays, and which ads it accepts.
    pub terms: &'a AdTerms,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// What the page has for ads apart from the player.
    pub sides: &'a Sides,
}
