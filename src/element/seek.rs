//! Seeking: when a seek begins and ends.
//!
//! A seek whose data are there finishes once the scripts of that instant have run.
//!
//! Rules: MEL-12 to MEL-14, MEL-16, MEL-24.

use super::*;

impl MediaElement {
    /// `currentTime` is set. Rules MEL-13, MEL-14.
    pub(super) fn seek(&mut self, now: Time, target: Position, out: &mut Outbox) {
        if self.engine.ready() == Ready::Nothing {
            out.decide(rules::MEL_14);
            self.engine.place(now, target);
        } else {
            out.decide(rules::MEL_13);
            self.seek_to(now, target, rules::MEL_13, out);
        }
    }

    /// Seeks to the nearest possible position; a seek in progress is replaced. Rule MEL-13.
    pub(super) fn seek_to(&mut self, now: Time, target: Position, rule: RuleId, out: &mut Outbox) {
        let was_playing = self.is_potentially_playing(now);
        self.finishing = None;
        self.engine.seek(now, target, was_playing, rule, out);
        self.find_seek_data(now, out);
    }

    /// If the data for the position are there, lets the seek finish after the scripts of this instant.
    pub(super) fn find_seek_data(&mut self, now: Time, out: &Outbox) {
        if self.engine.seek_with_data(now).is_some() {
            self.engine.hold_seek();
            self.finishing = Some((now, out.cause()));
        }
    }

    /// Finishes a seek that has its data. Rules MEL-13, MEL-24.
    pub(super) fn finish_seek(&mut self, now: Time, out: &mut Outbox) {
        self.engine.finish_seek();
        self.engine.update_time(now, rules::MEL_13, out);
        self.engine.report(now, rules::MEL_13, EventName::Seeked, out);
        self.raise(now, rules::MEL_13, out);
        if self.engine.is_at_end(now) && !self.is_paused {
            // `seeked` fires before the end. MEL-24
            self.reach_end(now, out);
        }
    }
}
