//! Seeking.
//!
//! The position counts at once; the data for it come in a later task of the same instant, or when they have
//! arrived. A browser lets go of the data at hand for that time: the ready state falls back to metadata.
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
        self.seeks += 1;
        self.seek = Some(Seek { number: self.seeks, has_data: false });
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

    /// Once the data for the place are there, the seek finishes in a task of its own.
    pub(super) fn find_seek_data(&mut self, now: Time, out: &mut Outbox) {
        let level = self.level(now);
        let Some(seek) = self.seek.as_mut().filter(|seek| !seek.has_data) else { return };
        if level >= Ready::Current && self.error.is_none() {
            seek.has_data = true;
            let number = seek.number;
            self.queue_step(rule!("MEL-13"), MediaStep::Seeked(number), out);
        }
    }

    /// A seek has its data, unless a later one replaced it. Rules MEL-13, MEL-24.
    pub(super) fn seeked(&mut self, now: Time, number: u32, out: &mut Outbox) {
        if self.seek.is_none_or(|seek| seek.number != number) {
            return;
        }
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
