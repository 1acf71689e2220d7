//! A headless stand-in for an ad-supported web video player.

pub mod knobs;
pub mod number;
pub mod place;
pub mod rules;
pub mod time;
pub mod words;
