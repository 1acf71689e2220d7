//! From the tag to a usable ad: the order of tags, the documents of a wrapper chain, the turns of
//! their ads, and the choice of the creative and media of an ad.
//!
//! Everything here decides; nothing writes to a trace or calls a URL.
//!
//! Rules: REQ, CHN, SEL, BRK-8 to BRK-12.

pub(super) mod category;
pub(super) mod chain;
pub(super) mod creative;
pub(super) mod hop;
pub(super) mod limits;
pub(super) mod nonlinear;
pub(super) mod pending;
pub(super) mod pod;
pub(super) mod resource;
pub(super) mod select;
pub(super) mod waterfall;
