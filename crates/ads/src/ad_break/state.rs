//! The state of a break: loading, showing an ad, or over.
//!
//! Rules: REQ-7, REQ-9, CHN-1, CHN-2, SIMID-2, SIMID-15, ADX-17, VPAID-1, VPAID-4, VPAID-8.

use std::sync::Arc;

use super::outcome::BreakOutcome;
use crate::request::limits::Deadline;
use crate::request::pending::Pending;
use crate::show::linear::{LinearAd, Prepared};
use crate::show::overlay::{Laid, OverlayAd};
use playsim_api::media::MediaInfo;
use playsim_api::{Cause, RequestId};
use playsim_base::time::Time;

/// The state of a break.
#[derive(Debug, Clone, Hash)]
pub(crate) enum State {
    /// Documents or media are being fetched.
    Loading {
        /// When the request times out. Rules REQ-7, REQ-9, CHN-1, CHN-2.
        limit: Deadline,
        what: Loading,
    },
    /// A linear ad is loaded; `stage` says how far it is.
    Ad { ad: Box<LinearAd>, stage: Stage },
    /// The media of an ad is over and its end card is visible. Rule ADX-17.
    EndCard {
        ad: Box<LinearAd>,
        /// When it disappears unless the user closes it.
        until: Time,
    },
    /// An overlay is loaded; its time counts while content plays.
    Overlay {
        ad: Box<OverlayAd>,
        is_visible: bool,
    },
    /// The break is over.
    Over {
        outcome: BreakOutcome,
        /// The `adEnd`, or the last line of an aborted break.
        end: Cause,
    },
}

/// The request or media that a break waits for.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Loading {
    /// A document.
    Document(Pending),
    /// The time at which a document is requested again. Rule PRD-25.
    Again(Pending),
    /// The media of an ad.
    Media(Pending, Prepared),
    /// The first data of an ad's media whose metadata have arrived. Rule REQ-9.
    Data(Prepared, Arc<MediaInfo>, Missing),
    /// The page of the unit of an ad whose media is loaded. Rule SIMID-2.
    Page(Prepared, Arc<MediaInfo>),
    /// The page of an overlay with a unit. Rule SIMID-15.
    Overlay(Pending, Laid),
}

/// Data that have yet to arrive.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Missing {
    pub(crate) until: Time,
    /// The line that says so.
    pub(crate) line: Cause,
}

impl Loading {
    /// The request that is awaited; for a page, that of the page unless it was answered.
    pub(super) fn pending(&self) -> Option<&Pending> {
        match self {
            Loading::Page(ad, _) => ad.awaited_page().map(|page| &page.pending),
            Loading::Again(_) | Loading::Data(..) => None,
            Loading::Document(_) | Loading::Media(..) | Loading::Overlay(..) => self.own(),
        }
    }

    /// The request of a document, of media, or of an overlay's page.
    pub(super) fn own(&self) -> Option<&Pending> {
        match self {
            Loading::Document(pending)
            | Loading::Media(pending, _)
            | Loading::Overlay(pending, _) => Some(pending),
            Loading::Page(..) | Loading::Data(..) | Loading::Again(_) => None,
        }
    }

    /// The line that causes whatever is due next; a page that was answered has none.
    pub(super) fn cause(&self) -> Option<Cause> {
        match self {
            Loading::Again(pending) => Some(pending.cause),
            Loading::Data(_, _, missing) => Some(missing.line),
            Loading::Document(_)
            | Loading::Media(..)
            | Loading::Page(..)
            | Loading::Overlay(..) => self.pending().map(|pending| pending.cause),
        }
    }

    /// When the missing data arrive.
    pub(super) fn data_at(&self) -> Option<Time> {
        match self {
            Loading::Data(_, _, missing) => Some(missing.until),
            Loading::Document(_)
            | Loading::Again(_)
            | Loading::Media(..)
            | Loading::Page(..)
            | Loading::Overlay(..) => None,
        }
    }

    /// The ad whose media, data or page is awaited.
    pub(super) fn ad(&self) -> Option<&Prepared> {
        match self {
            Loading::Media(_, ad) | Loading::Data(ad, ..) | Loading::Page(ad, _) => Some(ad),
            Loading::Document(_) | Loading::Again(_) | Loading::Overlay(..) => None,
        }
    }

    /// Whether the response to this request is awaited.
    pub(super) fn awaits(&self, id: RequestId) -> bool {
        self.own().is_some_and(|pending| pending.id == id)
            || self.ad().is_some_and(|ad| ad.awaits_page(id))
    }
}

impl State {
    /// The linear ad that is loaded, and how far it is.
    pub(crate) fn linear(&self) -> Option<(&LinearAd, Stage)> {
        match self {
            State::Ad { ad, stage } => Some((ad, *stage)),
            State::Loading { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }

    /// The visible overlay.
    pub(crate) fn overlay(&self) -> Option<&OverlayAd> {
        match self {
            State::Overlay { ad, is_visible } => is_visible.then_some(&**ad),
            State::Loading { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Over { .. } => None,
        }
    }

    /// Like [`State::linear`], to be changed.
    pub(super) fn linear_mut(&mut self) -> Option<(&mut LinearAd, &mut Stage)> {
        match self {
            State::Ad { ad, stage } => Some((ad, stage)),
            State::Loading { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }
}

/// How far a loaded linear ad is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
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
    pub(super) const fn is_on_screen(self) -> bool {
        match self {
            Stage::Playing | Stage::Paused => true,
            Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving => false,
        }
    }
}
