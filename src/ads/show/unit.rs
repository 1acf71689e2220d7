//! Ads that run code of their own: the stage of a unit, its next messages, and its page.
//!
//! A unit and the player exchange messages; a scenario scripts the unit's side. A SIMID unit runs next to the media of
//! its ad. What a message means for the break is decided in `ad_break`.
//!
//! Rules: VPAID, SIMID.

pub(in crate::ads) mod page;
pub(in crate::ads) mod simid;
pub(in crate::ads) mod simid_lines;
pub(in crate::ads) mod vpaid;
pub(in crate::ads) mod vpaid_lines;
