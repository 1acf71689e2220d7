//! Ads that run code of their own: the stage of a unit, its next messages, and its page.
//!
//! A unit and the player exchange messages; a scenario scripts the unit's side. A SIMID unit runs
//! next to the media of its ad. The effect of a message on the break is decided in `ad_break`.
//!
//! Rules: VPAID, SIMID.

pub(in crate::ads) mod page;
pub(in crate::ads) mod simid;
pub(in crate::ads) mod simid_lines;
mod timed;
pub(in crate::ads) mod vpaid;
pub(in crate::ads) mod vpaid_lines;

use simid::SimidUnit;
use vpaid::VpaidUnit;

/// The code that runs with a linear ad.
#[derive(Debug, Clone, Hash)]
pub(in crate::ads) enum Unit {
    /// None, or one that only plays its media.
    None,
    /// The VPAID unit that plays the ad. Rule VPAID-1.
    Vpaid(Box<VpaidUnit>),
    /// The SIMID unit next to the media of the ad. Rule SIMID-1.
    Simid(Box<SimidUnit>),
}

impl Unit {
    /// Whether a VPAID unit plays the ad.
    pub(in crate::ads) fn is_vpaid(&self) -> bool {
        self.vpaid().is_some()
    }

    pub(in crate::ads) fn vpaid(&self) -> Option<&VpaidUnit> {
        if let Unit::Vpaid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(in crate::ads) fn vpaid_mut(&mut self) -> Option<&mut VpaidUnit> {
        if let Unit::Vpaid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(in crate::ads) fn simid(&self) -> Option<&SimidUnit> {
        if let Unit::Simid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }

    pub(in crate::ads) fn simid_mut(&mut self) -> Option<&mut SimidUnit> {
        if let Unit::Simid(unit) = self {
            Some(unit)
        } else {
            None
        }
    }
}
