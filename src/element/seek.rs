//! Seeking.
//!
//! The position counts at once; the data for it come later: behind the scripts of the same instant, or when
//! they have arrived. Till then a browser lets go of the data at hand: the ready state falls back to metadata.
//!
//! Rules: MEL-12 to MEL-14, MEL-16, MEL-24.

use super::*;

impl MediaElement {
    /// `currentTime` is set. Rules MEL-13, MEL-14.
    pub(super) fn seek(&mut self, now: Time, target: Position, out: &mut Outbox) {
        if self.ready == Ready::Nothing {
            out.decide(rule!("MEL-14"));
            self.start = target;
        } else {
            out.decide(rule!("MEL-13"));
            self.seek_to(now, target, rule!("MEL-13"), out);
        }
    }

    /// Seeks to the nearest place there is; an unfinished seek is forgotten. Rule MEL-13.
    pub(super) fn seek_to(&mut self, now: Time, target: Position, rule: RuleId, out: &mut Outbox) {
        let Resource::Here(media) = &mut self.resource else { return };
        let target = media.nearest(now, target);
        media.aim(now, target);
        let was_playing = self.is_potentially_playing(now);
        self.seek = Some(Seek::Waiting);
        self.head.stand(now);
        self.head.jump(now, target);
        self.fire(rule, EventName::Seeking, out);
        self.resume_arrival(out);
        if was_playing {
            self.fire(rule, EventName::Waiting, out);
        }
        self.ready = Ready::Metadata;
        self.find_seek_data(now, out);
    }

    /// Where a live stream's window begins, if it has moved past the position. Rule LIVE-3.
    pub(super) fn fallen_out(&self, now: Time) -> Option<Position> {
        let Resource::Here(media) = &self.resource else { return None };
        let position = self.head.position(now);
        Some(media.nearest(now, position)).filter(|nearest| self.seek.is_none() && *nearest > position)
    }

    /// Once the data for the place are there, the seek finishes behind the scripts of that instant.
    pub(super) fn find_seek_data(&mut self, now: Time, out: &Outbox) {
        let has_data = self.level(now) >= Ready::Current && self.error.is_none();
        if has_data && matches!(self.seek, Some(Seek::Waiting)) {
            self.seek = Some(Seek::Finishing(now, out.cause()));
        }
    }

    /// A seek has its data. Rules MEL-13, MEL-24.
    pub(super) fn finish_seek(&mut self, now: Time, out: &mut Outbox) {
        self.seek = None;
        self.fire_time_update(now, rule!("MEL-13"), out);
        self.fire(rule!("MEL-13"), EventName::Seeked, out);
        self.raise(now, self.level(now), out);
        if self.is_at_end(now) && !self.is_paused {
            // `seeked` stands before the end. MEL-24
            self.reach_end(now, out);
        }
    }
}
