//! Edits of records while they are in use.
//!
//! An item keeps the record that it was loaded with; edits take effect when it is loaded again.
//! With knob `record.live_update` they take effect immediately, except for its media and its ads.
//!
//! Rules: META-2, EDIT-50 to EDIT-62, PL-19.

use std::sync::Arc;

use super::chapters::Chapters;
use crate::Player;
use playsim_api::Outbox;
use playsim_api::video::Video;

impl Player {
    /// A record was edited. Rule META-2.
    pub(crate) fn edited(&mut self, video: &Arc<Video>, out: &mut Outbox) {
        self.items.playlist.edited(video);
        if !self.settings.knobs.record_live_update().is_on() {
            return;
        }
        let picture = self
            .items
            .playlist
            .video()
            .and_then(|video| video.image.clone());
        let current = self.items.playlist.index();
        let taken_up: Vec<usize> = (0..self.items.playlist.len())
            .filter(|index| self.items.playlist.take_up_edit(*index))
            .collect();
        if current.is_some_and(|current| taken_up.contains(&current)) {
            self.take_in_record(out);
            if self
                .items
                .playlist
                .video()
                .and_then(|video| video.image.clone())
                != picture
            {
                self.show_poster(out);
            }
        }
    }

    /// The item in use has another record, so its chapters are read anew. Rule EDIT-59.
    pub(super) fn take_in_record(&mut self, out: &mut Outbox) {
        let Some(video) = self.items.playlist.video().cloned() else {
            return;
        };
        self.items.chapters = Chapters::read(&video.chapters, out);
        if let Some(duration) = self.element.duration() {
            self.items.chapters.fit(duration, out);
        }
    }
}
