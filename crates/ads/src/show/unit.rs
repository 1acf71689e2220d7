//! Ads that run code of their own: the stage of a unit, its next messages, and its page.
//!
//! A unit and the player exchange messages; a scenario scripts the unit's side. A SIMID unit runs
//! next to the media of its ad. The effect of a message on the break is decided in `ad_break`.
//!
//! Rules: VPAID, SIMID.

pub(crate) mod page;
pub(crate) mod simid;
pub(crate) mod simid_lines;
mod timed;
pub(crate) mod vpaid;
pub(crate) mod vpaid_lines;

use simid::SimidUnit;
use vpaid::VpaidUnit;

/// The code that runs with a linear ad.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Unit {
    /// None, or one that only plays its media.
    None,
    /// The VPAID unit that plays the ad. Rule VPAID-1.
    Vpaid(Box<VpaidUnit>),
    /// The SIMID unit next to the media of the ad. Rule SIMID-1.
    Simid(Box<SimidUnit>),
}

impl Unit {
    /// Whether a VPAID unit plays the ad.
    pub(crate) fn is_vpaid(&self) -> bool {
        self.vpaid().is_some()
    }

    pub(crate) fn vpaid(&self) -> Option<&VpaidUnit> {
        if let Unit::Vpaid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(crate) fn vpaid_mut(&mut self) -> Option<&mut VpaidUnit> {
        if let Unit::Vpaid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(crate) fn simid(&self) -> Option<&SimidUnit> {
        if let Unit::Simid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(crate) fn simid_mut(&mut self) -> Option<&mut SimidUnit> {
        if let Unit::Simid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }
}
