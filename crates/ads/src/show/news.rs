//! A change of the player that the ad on screen has to report.
//!
//! Rules: BRK-19, ADX-20.

use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;

/// A change of the player that the ad on screen has to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdNews {
    /// Sound was muted or unmuted.
    Muted(bool),
    /// The player entered or left fullscreen.
    Fullscreen(bool),
    /// The ad was moved back. Rule ADX-20.
    MovedBack,
}

impl AdNews {
    /// The tracking events for this change, under all their names: old names first where VAST 4
    /// renamed them.
    pub(crate) const fn trackers(self) -> &'static [TrackingEvent] {
        match self {
            AdNews::Muted(true) => &[TrackingEvent::Mute],
            AdNews::Muted(false) => &[TrackingEvent::Unmute],
            AdNews::Fullscreen(true) => &[
                TrackingEvent::Fullscreen,
                TrackingEvent::PlayerExpand,
                TrackingEvent::Expand,
            ],
            AdNews::Fullscreen(false) => &[
                TrackingEvent::ExitFullscreen,
                TrackingEvent::PlayerCollapse,
                TrackingEvent::Collapse,
            ],
            AdNews::MovedBack => &[TrackingEvent::Rewind],
        }
    }

    /// The rule of this change.
    pub(crate) const fn rule(self) -> RuleId {
        match self {
            AdNews::Muted(_) | AdNews::Fullscreen(_) => rules::BRK_19,
            AdNews::MovedBack => rules::ADX_20,
        }
    }
}
