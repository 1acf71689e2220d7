//! Edits of records while they are in use.
//!
//! An item keeps the record that it was loaded with; edits take effect when it is loaded again. With knob
//! `record.live_update` they take effect immediately, except for its media and its ads.
//!
//! Rules: META-2, EDIT-50 to EDIT-62, PL-19.

use std::sync::Arc;

use super::chapters::Chapters;
use crate::api::Outbox;
use crate::player::Player;
use crate::time::Time;
use crate::video::Video;

impl Player {
    /// A record was edited. Rule META-2.
    pub(in crate::player) fn edited(&mut self, video: &Arc<Video>, out: &mut Outbox) {
        self.playlist.edited(video);
        if !self.settings.knobs.record_live_update.is_on() {
            return;
        }
        let picture = self.playlist.video().and_then(|video| video.image.clone());
        let current = self.playlist.index();
        let taken_up: Vec<usize> =
            (0..self.playlist.len()).filter(|index| self.playlist.take_up_edit(*index)).collect();
        if current.is_some_and(|current| taken_up.contains(&current)) {
            self.take_in_record(out);
            if self.playlist.video().and_then(|video| video.image.clone()) != picture {
                self.show_poster(out);
            }
        }
    }

    /// Applies the edits of the item that is about to be loaded. If it may no longer be in a list, the
    /// following item takes its place. Returns whether playing goes on with the item that is now in use.
    pub(super) fn take_up_edits(&mut self, now: Time, out: &mut Outbox) -> bool {
        while let Some(index) = self.playlist.index()
            && self.playlist.take_up_edit(index)
        {
            if !self.leave_out(now, index, out) {
                return true;
            }
        }
        self.playlist.close_ranks()
    }

    /// The item in use has another record, so its chapters are read anew. Rule EDIT-59.
    pub(super) fn take_in_record(&mut self, out: &mut Outbox) {
        let Some(video) = self.playlist.video().cloned() else { return };
        self.chapters = Chapters::read(&video.chapters, out);
        self.chapter = None;
        if let Some(duration) = self.element.duration() {
            self.chapters.fit(duration, out);
        }
    }
}
