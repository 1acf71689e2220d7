//! Play, pause and the end.
//!
//! Rules: MEL-8 to MEL-12, MEL-16, PLAY-16, PLAY-17.

use super::requests::Outcome;
use super::*;

impl MediaElement {
    /// `play()`. Rules MEL-9, MEL-12.
    pub(super) fn play(&mut self, now: Time, out: &mut Outbox) {
        if !self.may_start() {
            out.decide(rule!("PLAY-17"));
            self.requests.refuse(Outcome::NotAllowed);
            return;
        }
        out.decide(rule!("MEL-9"));
        if self.error == Some(4) {
            self.requests.refuse(Outcome::NotSupported);
            return;
        }
        self.requests.make();
        if self.network == Network::Empty {
            self.begin_choice(now, out);
        }
        if self.is_at_end(now) && self.seek.is_none() {
            self.seek_to(now, Position::ZERO, rule!("MEL-12"), out);
        } else if let Some(earliest) = self.fallen_out(now) {
            self.seek_to(now, earliest, rule!("MEL-13"), out);
        }
        if self.is_paused {
            self.is_paused = false;
            self.fire(rule!("MEL-9"), EventName::Play, out);
            if self.ready <= Ready::Current {
                self.fire(rule!("MEL-9"), EventName::Waiting, out);
            } else {
                self.notify_playing(rule!("MEL-9"), out);
            }
        } else if self.ready >= Ready::Future {
            self.schedule(Outcome::Resolved, rule!("MEL-9"), out);
        }
        self.attributes.may_autoplay = false;
        self.want_data(now, out);
        self.settle_head(now, out);
    }

    /// `pause()`. Rule MEL-10.
    pub(super) fn pause(&mut self, now: Time, out: &mut Outbox) {
        out.decide(rule!("MEL-10"));
        if self.network == Network::Empty {
            self.begin_choice(now, out);
        }
        self.attributes.may_autoplay = false;
        if !self.is_paused {
            self.stop(now, rule!("MEL-10"), out);
        }
    }

    /// Becomes paused, and says so. Rules MEL-8, MEL-10.
    pub(super) fn stop(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.is_paused = true;
        self.settle_head(now, out);
        self.fire_time_update(now, rule, out);
        self.fire(rule, EventName::Pause, out);
        self.schedule(Outcome::Aborted(rule), rule, out);
    }

    /// The position has come to the end. Rules MEL-11, MEL-12.
    pub(super) fn reach_end(&mut self, now: Time, out: &mut Outbox) {
        if self.attributes.content.looping {
            self.seek_to(now, Position::ZERO, rule!("MEL-12"), out);
            return;
        }
        if self.is_paused {
            self.fire_time_update(now, rule!("MEL-11"), out);
        } else {
            self.stop(now, rule!("MEL-11"), out);
        }
        self.fire(rule!("MEL-11"), EventName::Ended, out);
    }

    /// `playing`, and those who asked for it hear of it. Rules MEL-3, MEL-9.
    pub(super) fn notify_playing(&mut self, rule: RuleId, out: &mut Outbox) {
        self.fire(rule, EventName::Playing, out);
        self.schedule(Outcome::Resolved, rule, out);
    }

    /// Lets a task settle the requests that wait, if there are any.
    pub(super) fn schedule(&mut self, outcome: Outcome, rule: RuleId, out: &mut Outbox) {
        if self.requests.schedule(outcome) {
            self.queue_step(rule, MediaStep::Settle, out);
        }
    }

    /// Whether script may start it: what is mute may always. Rule PLAY-16.
    pub(super) fn may_start(&self) -> bool {
        !self.settings.requires_gesture || self.attributes.content.muted
    }
}
