//! Ads: from the ad object to the last beacon.
//!
//! An [`AdSchedule`] holds the ad objects in force and makes a [`BreakPlan`] of them. An [`AdBreak`] is
//! one break from its opening to its end: it asks for documents and media, chooses, plays, and tells
//! events and beacons. A break is started, fed and asked; it never reaches back, and it does not know
//! the player. Whatever it causes goes into the lent outbox, oldest first.
//!
//! What an answer does to the player's own events (`beforeStart`, `play`) is the player's.
//!
//! Rules: AD, REQ, CHN, SEL, BRK, VX, VPAID, SIMID.

mod ad_break;
mod ad_object;
mod answer;
mod beside;
mod category;
mod chain;
mod companions;
mod course;
mod creative;
mod cue_breaks;
mod error;
mod icons;
mod leftover;
mod limits;
mod linear;
mod macros;
mod nonlinear;
mod options;
mod over_content;
mod overlay;
mod part;
mod plan;
mod pod;
mod ready;
mod refuse;
mod resolve;
mod schedule;
mod select;
mod shown;
#[cfg(test)]
mod tests;
mod tracking;
mod unit;
mod verification;
mod viewable;
mod vmap;
mod waterfall;

use std::sync::Arc;

use crate::api::Text;
use crate::knobs::Knobs;
use crate::page::{AdTerms, Sides};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span};

pub use ad_break::{AdBreak, AdNews, Reaction};
pub use ad_object::{AdObject, AdType, Cue, CueUnit};
pub use cue_breaks::{CueBreak, Opening};
pub use error::AD_ERRORS;
pub use macros::{BreakFacts, Macros, PlayerFacts, given_by_pages, is_standard as is_standard_macro};
pub use options::{AdLoop, AdTurns};
pub use plan::OverlaySlot;
pub use schedule::AdSchedule;
pub use vmap::{BreakSchedule, Room, VmapBreak};

/// What a break needs from its surroundings for one input.
pub struct AdServices<'a> {
    /// The settings in force.
    pub knobs: &'a Knobs,
    /// Fills macros in addresses.
    pub macros: &'a mut Macros,
    /// What the page plays, and which ads it asks for.
    pub terms: &'a AdTerms,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// What the page has for ads besides the player.
    pub sides: &'a Sides,
}

/// What a break will try, fixed when it opens. Rule AD-14.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakPlan {
    /// Which opportunity it is.
    pub kind: BreakKind,
    /// Why it opens, in a few words for the trace. Rule BRK-23.
    pub why: Text,
    /// The rule by which it opens.
    pub rule: RuleId,
    /// Where in the content it belongs; `None` for what has no place there.
    pub cue: Option<Position>,
    /// The address of the header bid that won it: it is tried first. Rule REQ-13.
    pub bid: Option<Arc<str>>,
    /// How long its overlay shows, if its ad object says so. Rule OVL-3.
    pub shows_for: Option<Span>,
    /// One waterfall for each pod, in the order they are played. Rule BRK-8.
    pub pods: Vec<Vec<Arc<str>>>,
    /// The number that `pods` reports. Rule AD-18.
    pub pods_at_player_level: u32,
    /// Whether an answer may be VMAP: a schedule of breaks for the item. Rule VMAP-1.
    pub may_schedule: bool,
    /// Whether it is one of the loop of the first pre-roll slot. Rule SCHED-1.
    pub is_loop: bool,
    /// The break of a VMAP document that it is, if it is one. Rule VMAP-3.
    pub vmap: Option<Arc<VmapBreak>>,
    /// What a VMAP break may turn into. Rule VMAP-7.
    pub room: Room,
}

impl BreakPlan {
    /// A plan with these waterfalls, without a place in the content and without a bid.
    #[must_use]
    pub fn new(kind: BreakKind, why: impl Into<Text>, pods: Vec<Vec<Arc<str>>>) -> BreakPlan {
        let rule = match kind {
            BreakKind::Pre => rule!("PRE-1"),
            BreakKind::Mid => rule!("CUE-3"),
            BreakKind::Post => rule!("POST-1"),
            BreakKind::Command => rule!("PA-1"),
            BreakKind::Overlay => rule!("OVL-1"),
            BreakKind::Display => rule!("VMAP-20"),
        };
        let pods_at_player_level = u32::try_from(pods.len()).unwrap_or(u32::MAX);
        let why = why.into();
        BreakPlan {
            kind,
            why,
            rule,
            cue: None,
            bid: None,
            shows_for: None,
            pods,
            pods_at_player_level,
            may_schedule: false,
            is_loop: false,
            vmap: None,
            room: Room::default(),
        }
    }

    /// The same, opened for another reason.
    #[must_use]
    pub fn because(self, rule: RuleId, why: impl Into<Text>) -> BreakPlan {
        BreakPlan { rule, why: why.into(), ..self }
    }
}

/// A header bid that wins: its address becomes an ad tag. Rule REQ-13.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    /// For which kind of break.
    pub kind: BreakKind,
    /// For which of them, counted from 1.
    pub nth: u32,
    /// The address.
    pub url: Arc<str>,
}

/// Which opportunity to show ads a break is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakKind {
    /// Before an item.
    Pre,
    /// Within an item.
    Mid,
    /// After an item.
    Post,
    /// On command.
    Command,
    /// Over an item.
    Overlay,
    /// Beside the player. Rule VMAP-20.
    Display,
}

/// Where a break stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Documents or media are being fetched.
    Loading,
    /// An ad is ready and waits to be started. Rules BRK-1, PAUSE-4.
    Ready,
    /// An ad plays, or waits for data; an overlay shows.
    Playing,
    /// An ad is paused.
    Paused,
    /// Nothing will come any more.
    Over(BreakOutcome),
}

/// How a break ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakOutcome {
    /// At least one ad started.
    Filled,
    /// No ad started, but a tag has answered which breaks there are. Rule VMAP-1.
    Scheduled,
    /// No ad started.
    NoFill,
}

/// What is made of the answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The break waits for it.
    Awaited,
    /// Nobody does any more.
    GivenUp(Abandoned),
}

/// Why an answer is not waited for any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abandoned {
    /// Its time limit passed. Rule REQ-10.
    Late,
    /// The break was aborted. Rule STOP-3.
    Dropped,
}

impl BreakKind {
    /// The word in a trace. Rule BRK-23.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BreakKind::Pre => "pre",
            BreakKind::Mid => "mid",
            BreakKind::Post => "post",
            BreakKind::Command => "command",
            BreakKind::Overlay => "overlay",
            BreakKind::Display => "display",
        }
    }
}

impl BreakOutcome {
    /// The word in a trace. Rule BRK-23.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BreakOutcome::Filled => "filled",
            BreakOutcome::Scheduled => "scheduled",
            BreakOutcome::NoFill => "no-fill",
        }
    }
}
