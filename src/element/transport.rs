//! Play, pause and the end.
//!
//! Rules: MEL-8 to MEL-12, MEL-16, PLAY-16, PLAY-17.

use super::*;

impl MediaElement {
    /// `play()`. Rules MEL-9, MEL-12.
    pub(super) fn play(&mut self, now: Time, out: &mut Outbox) {
        if !self.may_start() {
            out.decide(rules::PLAY_17);
            self.requests.refuse(Outcome::NotAllowed);
            return;
        }
        out.decide(rules::MEL_9);
        if self.engine.error_code() == Some(4) {
            self.requests.refuse(Outcome::NotSupported);
            return;
        }
        self.requests.make();
        if self.engine.network == Network::Empty {
            self.begin_choice(now, out);
        }
        if self.engine.is_at_end(now) && !self.engine.is_seeking() {
            self.seek_to(now, Position::ZERO, rules::MEL_12, out);
        } else if let Some(earliest) = self.engine.fallen_out(now) {
            self.seek_to(now, earliest, rules::MEL_13, out);
        }
        if self.is_paused {
            self.is_paused = false;
            self.engine.report(now, rules::MEL_9, EventName::Play, out);
            if self.engine.ready() <= Ready::Current {
                self.engine.report(now, rules::MEL_9, EventName::Waiting, out);
            } else {
                self.notify_playing(now, rules::MEL_9, out);
            }
        } else if self.engine.ready() >= Ready::Future {
            self.schedule(Outcome::Resolved, rules::MEL_9, out);
        }
        self.attributes.may_autoplay = false;
        self.want_data(now, out);
        self.settle_head(now, out);
    }

    /// `pause()`. Rule MEL-10.
    pub(super) fn pause(&mut self, now: Time, out: &mut Outbox) {
        out.decide(rules::MEL_10);
        if self.engine.network == Network::Empty {
            self.begin_choice(now, out);
        }
        self.attributes.may_autoplay = false;
        if !self.is_paused {
            self.stop(now, rules::MEL_10, out);
        }
    }

    /// Pauses, and fires the events for that. Rules MEL-8, MEL-10.
    pub(super) fn stop(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.is_paused = true;
        self.settle_head(now, out);
        self.engine.update_time(now, rule, out);
        self.engine.report(now, rule, EventName::Pause, out);
        self.schedule(Outcome::Aborted(rule), rule, out);
    }

    /// The position has reached the end. Rules MEL-11, MEL-12.
    pub(super) fn reach_end(&mut self, now: Time, out: &mut Outbox) {
        if self.attributes.content.looping {
            self.seek_to(now, Position::ZERO, rules::MEL_12, out);
            return;
        }
        if self.is_paused {
            self.engine.update_time(now, rules::MEL_11, out);
        } else {
            self.stop(now, rules::MEL_11, out);
        }
        self.engine.report(now, rules::MEL_11, EventName::Ended, out);
    }

    /// Fires `playing`, and resolves the waiting requests. Rules MEL-3, MEL-9.
    pub(super) fn notify_playing(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.engine.report(now, rule, EventName::Playing, out);
        self.schedule(Outcome::Resolved, rule, out);
    }

    /// Queues a task that settles the waiting requests, if there are any.
    pub(super) fn schedule(&mut self, outcome: Outcome, rule: RuleId, out: &mut Outbox) {
        if self.requests.schedule(outcome) {
            self.queue_step(rule, MediaStep::Settle, out);
        }
    }

    /// Whether script may start playback; always if it is muted. Rule PLAY-16.
    pub(super) fn may_start(&self) -> bool {
        !self.settings.requires_gesture || self.attributes.content.muted
    }
}
