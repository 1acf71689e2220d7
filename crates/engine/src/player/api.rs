//! What page code and the user ask of a player: the configuration, calls, queries and listeners.

pub(super) mod calls;
pub(super) mod config;
pub(super) mod listeners;
pub(super) mod query;
pub(super) mod video_object;
