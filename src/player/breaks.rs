//! The player's side of its ad breaks: when they open, what they hold, and what follows them.
//!
//! `slot` names the breaks that can be open at the same time, `lifecycle` opens and feeds them and follows
//! their phases, `after` is what comes after one. `cues` and `cue_points` are mid-rolls and overlays,
//! `commanded` is `playAd` and `pushAds`, `vmap` the breaks of VMAP documents, `late` those of late responses,
//! `outstream` the only break of an outstream unit. `ad_turns` decides which videos have ads, `macro_facts`
//! is what ad URLs may contain of a player, and `attachments` passes on the user's actions on an ad.

pub(super) mod ad_turns;
mod after;
mod attachments;
mod commanded;
mod cue_points;
pub(super) mod cues;
mod late;
mod lifecycle;
pub(super) mod macro_facts;
pub(super) mod outstream;
pub(super) mod slot;
pub(super) mod vmap;
