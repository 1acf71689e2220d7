//! The interface of a player to page code and the user: configuration, calls, queries and
//! listeners.

pub(super) mod calls;
pub(super) mod config;
pub(super) mod listeners;
pub(super) mod query;
pub(super) mod video_object;
