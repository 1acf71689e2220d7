//! A headless stand-in for an ad-supported web video player.

pub mod ads;
pub mod api;
pub mod check;
pub mod knobs;
pub mod media;
pub mod number;
pub mod page;
pub mod place;
pub mod player;
pub mod rules;
pub mod scenario;
pub mod time;
pub mod trace;
pub mod vast;
pub mod video;
pub mod words;
pub mod world;
