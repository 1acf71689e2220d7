//! Ads: from the ad object to the last beacon.
//!
//! An [`AdSchedule`] holds the ad objects in force and makes a [`BreakPlan`] from them. An [`AdBreak`] is one
//! break from its opening to its end: it requests documents and media, chooses, plays, and emits events and
//! beacons. The caller starts a break, gives it input and queries it; the break never calls back and knows
//! nothing about the player. All its output goes into the outbox that the caller passes, oldest first.
//!
//! The player's own events around ads (`beforeStart`, `play`) are fired by the player.
//!
//! Rules: AD, REQ, CHN, SEL, BRK, VX, VPAID, SIMID.

mod ad_break;
mod ad_object;
mod answer;
mod attachments;
mod category;
mod chain;
mod companions;
mod course;
mod creative;
mod cue_breaks;
mod error;
mod hop;
mod icons;
mod leftover;
mod limits;
mod linear;
mod macros;
mod nonlinear;
mod options;
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
use crate::rules::{self, RuleId};
use crate::time::{Position, Span};

pub use crate::api::BreakKind;
pub use ad_break::{AdBreak, AdNews, Reaction};
pub use ad_object::{AdObject, AdType, Cue, CueUnit, Origin, Unread, ad_fields, unread};
pub use cue_breaks::{CueBreak, Opening};
pub use error::AD_ERRORS;
pub use macros::{BreakFacts, Macros, PlayerFacts, given_by_pages, is_standard as is_standard_macro};
pub use options::{AdLoop, AdTurns};
pub use plan::OverlaySlot;
pub use schedule::AdSchedule;
pub use vmap::{BreakSchedule, Room, VmapBreak};

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

/// What a break will try, fixed when it opens. Rule AD-14.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakPlan {
    /// The kind of the break.
    pub kind: BreakKind,
    /// The reason why it opens, for the trace. Rule BRK-23.
    pub why: Text,
    /// The rule that opens it.
    pub rule: RuleId,
    /// Its position in the content; `None` if it has none.
    pub cue: Option<Position>,
    /// The URL of the winning header bid, which is tried first. Rule REQ-13.
    pub bid: Option<Arc<str>>,
    /// How long its overlay is shown, if its ad object says so. Rule OVL-3.
    pub shows_for: Option<Span>,
    /// One waterfall for each pod, in the order they are played. Rule BRK-8.
    pub pods: Vec<Vec<Arc<str>>>,
    /// The value that `pods` reports. Rule AD-18.
    pub pods_at_player_level: u32,
    /// Whether a response may be VMAP, a schedule of breaks for the item. Rule VMAP-1.
    pub may_schedule: bool,
    /// Whether it is a repetition of the first pre-roll slot. Rule SCHED-1.
    pub is_loop: bool,
    /// The break of a VMAP document that it opens, if any. Rule VMAP-3.
    pub vmap: Option<Arc<VmapBreak>>,
    /// Which other forms a VMAP break may take. Rule VMAP-7.
    pub room: Room,
}

impl BreakPlan {
    /// Creates a plan with these waterfalls, without a position in the content and without a bid.
    #[must_use]
    pub fn new(kind: BreakKind, why: impl Into<Text>, pods: Vec<Vec<Arc<str>>>) -> BreakPlan {
        let rule = match kind {
            BreakKind::Pre => rules::PRE_1,
            BreakKind::Mid => rules::CUE_3,
            BreakKind::Post => rules::POST_1,
            BreakKind::Command => rules::PA_1,
            BreakKind::Overlay => rules::OVL_1,
            BreakKind::Display => rules::VMAP_20,
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

    /// Sets another rule and reason.
    #[must_use]
    pub fn because(self, rule: RuleId, why: impl Into<Text>) -> BreakPlan {
        BreakPlan { rule, why: why.into(), ..self }
    }
}

/// A winning header bid: its URL becomes an ad tag. Rule REQ-13.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    /// The kind of break.
    pub kind: BreakKind,
    /// Which break of that kind, counted from 1.
    pub nth: u32,
    /// The URL.
    pub url: Arc<str>,
}

/// The phase of a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Documents or media are being fetched.
    Loading,
    /// An ad is ready and waits to be started. Rules BRK-1, PAUSE-4.
    Ready,
    /// An ad is playing or waiting for data, or an overlay is visible.
    Playing,
    /// An ad is paused.
    Paused,
    /// The break is over.
    Over(BreakOutcome),
}

/// How a break ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakOutcome {
    /// At least one ad started.
    Filled,
    /// No ad started, but a tag responded with a schedule of breaks. Rule VMAP-1.
    Scheduled,
    /// No ad started.
    NoFill,
}

/// How the response to a request is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The break waits for it.
    Awaited,
    /// It is no longer awaited.
    GivenUp(Abandoned),
}

/// Why a response is no longer awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abandoned {
    /// Its time limit passed. Rule REQ-10.
    Late,
    /// The break was aborted. Rule STOP-3.
    Dropped,
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
