//! Ads: from the ad object to the last beacon.
//!
//! An [`AdSchedule`] holds the ad objects in force and makes a [`BreakPlan`] from them. An
//! [`AdBreak`] is one break from its opening to its end: it requests documents and media, chooses,
//! plays, and emits events and beacons. The caller starts a break, gives it input and queries it;
//! the break never calls back and knows nothing about the player. All its output goes into the
//! outbox that the caller lends it, oldest first.
//!
//! The folders follow the flow of data, and each knows only those before it: `plan` (which breaks
//! there will be), `request` (from the tag to a usable ad), `report` (trackers and macros), `show`
//! (an ad on the screen), `ad_break` (the conductor).
//!
//! The player's own events around ads (`beforeStart`, `play`) are fired by the player.
//!
//! Rules: AD, REQ, CHN, SEL, BRK, VX, VPAID, SIMID.

mod ad_break;
mod error;
mod plan;
mod report;
mod request;
mod show;
mod surroundings;
#[cfg(test)]
mod tests;
mod url;

pub use ad_break::outcome::{Abandoned, BreakOutcome, Expected, Phase};
pub use ad_break::{AdBreak, ContentMoves, Reaction};
pub use error::AD_ERRORS;
pub use plan::cue_breaks::{CueBreak, Opening};
pub use plan::schedule::AdSchedule;
pub use plan::vmap::Room;
pub use plan::{BreakPlan, OffsetPod, OverlaySlot, Takes};
pub use playsim_api::BreakKind;
pub use report::context::Context;
pub use report::macros::{BreakFacts, Macros, PlayerFacts};
pub use show::news::AdNews;
pub use surroundings::Surroundings;
