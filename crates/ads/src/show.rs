//! An ad on the screen: linear ads, overlays, the units that play them, and their attachments.
//!
//! Each type here is one ad or a part of one. Which ad comes before or after it is not known here.
//!
//! Rules: BRK-1 to BRK-22, OVL, ADX, VPAID, SIMID.

pub(super) mod attachments;
pub(super) mod companions;
pub(super) mod icons;
pub(super) mod linear;
pub(super) mod news;
pub(super) mod overlay;
pub(super) mod unit;
pub(super) mod verification;
mod viewable;
