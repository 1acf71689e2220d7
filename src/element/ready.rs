//! The ready state: what is announced when it rises, and when it falls.
//!
//! Rules: MEL-2, MEL-3, MEL-9, MEL-14, MEL-17, MEL-20.

use super::*;

impl MediaElement {
    /// The metadata are there. Rules MEL-2, MEL-14, MEL-20.
    pub(super) fn enter_metadata(&mut self, now: Time, out: &mut Outbox) {
        self.ready = Ready::Metadata;
        self.fire(rule!("MEL-20"), EventName::DurationChange, out);
        if self.attributes.has_pictures() {
            self.fire(rule!("MEL-2"), EventName::Resize, out);
        }
        self.fire(rule!("MEL-2"), EventName::LoadedMetadata, out);
        let start = std::mem::take(&mut self.start);
        if start > Position::ZERO {
            self.seek_to(now, start, rule!("MEL-14"), out);
        } else if let Some(edge) = self.live_edge(now) {
            self.head.jump(now, edge);
        }
    }

    /// As much is there as `level` says: announces what that is news of. Rules MEL-3, MEL-9, MEL-17.
    pub(super) fn raise(&mut self, now: Time, level: Ready, out: &mut Outbox) {
        let before = self.ready;
        if level <= before {
            return;
        }
        self.ready = level;
        if level >= Ready::Current && !self.has_shown {
            self.has_shown = true;
            self.fire(rule!("MEL-3"), EventName::LoadedData, out);
        }
        if level >= Ready::Future && before <= Ready::Current {
            self.fire(rule!("MEL-3"), EventName::CanPlay, out);
            if !self.is_paused && self.error.is_none() {
                self.notify_playing(rule!("MEL-9"), out);
            }
        }
        if level == Ready::Enough {
            if self.is_paused && self.attributes.autoplays() && self.may_start() {
                self.attributes.may_autoplay = false;
                self.is_paused = false;
                self.fire(rule!("MEL-9"), EventName::Play, out);
                self.notify_playing(rule!("MEL-9"), out);
            }
            self.fire(rule!("MEL-3"), EventName::CanPlayThrough, out);
        }
        self.settle_head(now, out);
    }

    /// Data have run out under the playhead, by script or by bandwidth. Rules MEL-16, MEL-17, MEL-25.
    pub(super) fn run_dry(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.ready = Ready::Current;
        self.settle_head(now, out);
        self.fire_time_update(now, rule, out);
        self.supplied = self.fire(rule, EventName::Waiting, out);
    }

    /// Looks whether the data that are there let the ready state rise, or finish a seek.
    pub(super) fn note_data(&mut self, now: Time, out: &mut Outbox) {
        if self.seek.is_some() {
            self.find_seek_data(now, out);
        } else if self.error.is_none() {
            self.raise(now, self.level(now), out);
        }
    }
}
