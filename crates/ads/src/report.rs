//! Reports about an ad: the trackers that are called, and the macros in their URLs.
//!
//! Rules: MAC, BRK-1, BRK-3, REQ-5.

pub(super) mod context;
pub(super) mod macros;
pub(super) mod tracking;
