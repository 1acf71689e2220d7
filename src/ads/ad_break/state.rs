//! The state of a break: what it waits for, or what it shows.
//!
//! Rules: REQ-7, REQ-9, CHN-1, CHN-2, SIMID-2, SIMID-15, ADX-17, VPAID-1, VPAID-4, VPAID-8.

use std::sync::Arc;

use super::outcome::BreakOutcome;
use crate::ads::request::limits::Deadline;
use crate::ads::request::pending::Pending;
use crate::ads::show::linear::{LinearAd, Prepared};
use crate::ads::show::overlay::{Laid, OverlayAd};
use crate::api::Cause;
use crate::media::MediaInfo;
use crate::time::Time;

/// The state of a break.
#[derive(Debug, Clone)]
pub(in crate::ads) enum State {
    /// A document was requested.
    Fetching {
        pending: Pending,
        /// When the request times out. Rules REQ-7, CHN-1, CHN-2.
        limit: Deadline,
    },
    /// The media of an ad was requested.
    LoadingMedia {
        pending: Pending,
        /// When the request times out. Rules REQ-9, CHN-2.
        limit: Deadline,
        ad: Prepared,
    },
    /// The media of an ad is loaded; the page of its unit is not. Rule SIMID-2.
    LoadingPage { ad: Prepared, info: Arc<MediaInfo>, limit: Deadline },
    /// The page of an overlay with a unit was requested. Rule SIMID-15.
    LoadingOverlay { pending: Pending, limit: Deadline, laid: Laid },
    /// A linear ad is loaded; `stage` says how far it is.
    Ad { ad: Box<LinearAd>, stage: Stage },
    /// The media of an ad is over and its end card is visible. Rule ADX-17.
    EndCard {
        ad: Box<LinearAd>,
        /// When it disappears unless the user closes it.
        until: Time,
    },
    /// An overlay is loaded; its time counts while content plays.
    Overlay { ad: Box<OverlayAd>, is_visible: bool },
    /// The break is over.
    Over {
        outcome: BreakOutcome,
        /// The `adEnd`, or the last line of an aborted break.
        end: Cause,
    },
}

impl State {
    /// The linear ad that is loaded, and how far it is.
    pub(in crate::ads) fn linear(&self) -> Option<(&LinearAd, Stage)> {
        match self {
            State::Ad { ad, stage } => Some((ad, *stage)),
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }

    /// Like [`State::linear`], to be changed.
    pub(in crate::ads) fn linear_mut(&mut self) -> Option<(&mut LinearAd, &mut Stage)> {
        match self {
            State::Ad { ad, stage } => Some((ad, stage)),
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }
}

/// How far a loaded linear ad is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ads) enum Stage {
    /// Its unit is initializing. Rule VPAID-1.
    Preparing,
    Ready,
    /// Its unit was asked to start. Rule VPAID-4.
    Starting,
    Playing,
    Paused,
    /// How it ended was reported, but its unit has not stopped yet. Rule VPAID-8.
    Leaving,
}

impl Stage {
    /// Whether the ad is on screen.
    pub(in crate::ads) const fn is_on_screen(self) -> bool {
        match self {
            Stage::Playing | Stage::Paused => true,
            Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving => false,
        }
    }
}
