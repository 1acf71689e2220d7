//! The content of a player: its items, and how the media element plays the one in use.
//!
//! `playlist` has the items, `playlist_file` reads them from a file, `exclusion` leaves out those that must not
//! play, `edits` applies edits of their records, and `source` replaces all of them. `rendition` chooses what
//! the item in use plays, `start` is how it starts, `playback` is what happens as its playhead advances,
//! `transport` is play, pause, stop and seeking. `supply` reacts to the data of the media element, which is
//! that of [`crate::element`], and `wakes` computes when something is due.

pub(super) mod chapters;
mod edits;
mod exclusion;
mod playback;
pub(super) mod playlist;
mod playlist_file;
mod rate;
pub(super) mod rendition;
mod source;
mod start;
mod supply;
mod transport;
mod wakes;
