//! The surroundings of a break, which do not change during an input.

use playsim_api::page::{AdTerms, Sides};
use playsim_rules::knobs::KnobReader;

/// The surroundings of a break, which do not change during an input.
#[derive(Debug, Clone, Copy, Hash)]
pub struct Surroundings<'a> {
    /// The knobs of the run.
    pub knobs: &'a KnobReader,
    /// The media types that the page plays, and the ads that it accepts.
    pub terms: &'a AdTerms,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// The parts of the page that ads use apart from the player.
    pub sides: &'a Sides,
}
