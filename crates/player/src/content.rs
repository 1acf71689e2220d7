//! The content of a player: its items, and how the media element plays the one in use.
//!
//! `playlist` has the items, `playlist_file` reads them from a file, `exclusion` leaves out those
//! that must not play, `edits` applies edits of their records, and `source` replaces all of them.
//! `rendition` chooses the rendition of the item in use, `start` starts it, `playback` follows its
//! advancing playhead, `transport` is play, pause, stop and seeking. `supply` reacts to the data of
//! the media element, which is that of [`playsim_element`], and `wakes` computes when something is
//! due.

use crate::state::Due;
use playsim_api::video::Rendition;
use playsim_api::{EventName, Outbox};
use playsim_rules as rules;

mod chapters;
mod edits;
mod exclusion;
mod playback;
pub(super) mod playlist;
mod playlist_file;
mod rate;
mod rendition;
mod source;
mod start;
mod supply;
mod transport;
mod wakes;

use chapters::Chapters;
use playlist::{Playlist, request_record};
use rendition::Quality;

/// The items of a player, the one in use, and the events and breaks that are still due for it.
#[derive(Debug, Clone, Hash)]
pub(super) struct Items {
    pub(super) playlist: Playlist,
    pub(super) quality: Quality,
    pub(super) chapters: Chapters,
    pub(super) due: Due,
    /// Whether the item has no pre-roll because of how it was set. Rule PRD-34.
    pub(super) no_pre_roll: bool,
}

impl Items {
    /// None yet; `plan`: the renditions that the account's plan allows. Rule QUAL-4.
    pub(super) fn new(plan: Option<Vec<Rendition>>) -> Items {
        Items {
            playlist: Playlist::default(),
            quality: Quality::new(plan),
            chapters: Chapters::default(),
            due: Due::ALL,
            no_pre_roll: false,
        }
    }

    /// `playlistStart`, if this is the first item of a pass. Rules PL-10, PL-11.
    pub(super) fn begin_pass(&mut self, out: &mut Outbox) {
        if self.due.has(Due::PLAYLIST_START) {
            self.playlist.begin_pass();
        }
        if self.playlist.is_list() && self.due.take(Due::PLAYLIST_START) {
            out.event(rules::PL_10, EventName::PlaylistStart);
        }
    }

    /// `playlistComplete`, unless the pass is already complete: after a seek back no other one has
    /// begun. Rules PL-11, PL-13, EV-16.
    fn complete_pass(&mut self, out: &mut Outbox) {
        if self.playlist.is_list() && !self.due.has(Due::PLAYLIST_START) {
            out.event(rules::PL_13, EventName::PlaylistComplete);
            self.due.arm(Due::PLAYLIST_START);
        }
    }

    /// Requests the record of the item in use once more. Rules PLAY-15, STOP-7.
    pub(super) fn request_again(&mut self, out: &mut Outbox) {
        if let Some(item) = self.playlist.current() {
            let request = request_record(&item.id.clone(), out);
            self.playlist.retry(request);
        }
    }

    /// Whether `play()` at the end starts the playlist again. Rule PLAY-11.
    pub(super) fn starts_another_pass(&self) -> bool {
        self.playlist.is_list() && self.due.has(Due::PLAYLIST_START)
    }
}
