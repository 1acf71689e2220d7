//! The simulated media element, the ad breaks and the documented player, as state machines without
//! I/O: the time is an argument, effects go to an outbox, and each says when it wants to be called
//! again.

#[allow(
    unreachable_pub,
    reason = "its face is for `player` and `sim`, which pass on what users need"
)]
pub mod ads;
mod chance;
pub mod element;
pub mod player;
