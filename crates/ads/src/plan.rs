//! Which breaks there will be: ad objects, their order, cue points, VMAP schedules.
//!
//! An [`AdSchedule`](schedule::AdSchedule) holds the ad objects in force and makes a [`BreakPlan`]
//! from them. A plan is fixed when its break opens. Nothing here requests or shows an ad.
//!
//! Rules: AD, SCHED, CUE, OVL-1, VMAP-3 to VMAP-8, VMAP-23.

use std::sync::Arc;

use super::error::AdErrorCode;
use playsim_api::{BreakKind, Text};
use playsim_base::time::{Position, Span};
use playsim_rules::{self as rules, RuleId};

mod breaks;
pub(super) mod cue_breaks;
pub(super) mod looping;
mod places;
pub(super) mod schedule;
pub(super) mod vmap;

pub use breaks::OverlaySlot;
use vmap::{Room, VmapBreak};

/// How long an overlay is shown if nothing else sets it. Rule OVL-3.
pub(super) const DEFAULT_OVERLAY: Span = Span::from_secs(10);

/// The ads that a break takes from the documents of its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Takes {
    /// Ads only.
    #[default]
    Ads,
    /// Ads, or a schedule of breaks for the item. Rule VMAP-1.
    AdsOrSchedule,
    /// Such a schedule only, for this reason: the break itself is passed over. Rule PRD-9.
    Schedule(&'static str),
}

/// The tags that a break will try, fixed when it opens. Rule AD-14.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// How far into its first ad it begins. Rule PRD-23.
    pub join: Span,
    /// How long its overlay is shown, if its ad object says so. Rule OVL-3.
    pub shows_for: Option<Span>,
    /// One waterfall for each pod, in the order they are played. Rule BRK-8.
    pub pods: Vec<Vec<Arc<str>>>,
    /// The value that `pods` reports. Rule AD-18.
    pub pods_at_player_level: u32,
    /// The ads that it takes from the documents of its tags. Rules VMAP-1, PRD-9.
    pub takes: Takes,
    /// Whether it is a repetition of the first pre-roll slot. Rule SCHED-1.
    pub is_loop: bool,
    /// The break of a VMAP document that it opens, if any. Rule VMAP-3.
    pub vmap: Option<Arc<VmapBreak>>,
    /// Which other forms a VMAP break may take. Rule VMAP-7.
    pub room: Room,
    /// Its part in a pod of several breaks, if it is in one. Rule VMAP-23.
    pub part: Option<OffsetPart>,
}

/// The part of a break in the pod of all breaks that have its `timeOffset`. Rule VMAP-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OffsetPart {
    /// Whether it is the first of them.
    pub is_first: bool,
    /// Whether it is the last of them.
    pub is_last: bool,
    /// What has come of those before it.
    pub before: OffsetPod,
}

/// What has come so far of breaks that are one pod. Rule VMAP-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct OffsetPod {
    /// Whether one of them has shown an ad.
    pub is_filled: bool,
    /// The last failure, as page code is told it, while none has shown an ad.
    pub(crate) error: Option<AdErrorCode>,
}

impl OffsetPart {
    /// The part of a break among others of its offset; `None` if there are none.
    fn of(is_first: bool, is_last: bool) -> Option<OffsetPart> {
        (!is_first || !is_last).then_some(OffsetPart {
            is_first,
            is_last,
            before: OffsetPod::default(),
        })
    }
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
            join: Span::ZERO,
            shows_for: None,
            pods,
            pods_at_player_level,
            takes: Takes::Ads,
            is_loop: false,
            vmap: None,
            room: Room::default(),
            part: None,
        }
    }

    /// The same break without its ads: it is passed over for this reason, and only a schedule is
    /// taken from its tags. Rule PRD-9.
    #[must_use]
    pub fn for_schedule(self, why: &'static str) -> BreakPlan {
        let text = format!("{}, for a schedule only", self.why);
        BreakPlan {
            takes: Takes::Schedule(why),
            is_loop: false,
            ..self.because(rules::PRD_9, text)
        }
    }

    /// Sets another rule and reason.
    #[must_use]
    pub fn because(self, rule: RuleId, why: impl Into<Text>) -> BreakPlan {
        BreakPlan {
            rule,
            why: why.into(),
            ..self
        }
    }
}
