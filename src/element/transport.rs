//! Play, pause and the end.
//!
//! Rules: MEL-8 to MEL-12, MEL-16, MEL-17, PLAY-16, PLAY-17.

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
            self.seek_by_itself(now, Position::ZERO, rules::MEL_12, out);
        } else if let Some(earliest) = self.engine.fallen_out(now) {
            self.seek_by_itself(now, earliest, rules::MEL_13, out);
        }
        if self.is_paused {
            self.engine.report(now, rules::MEL_9, EventName::Play, out);
            if self.engine.ready() <= Ready::Current {
                self.wait(now, rules::MEL_9, out);
            } else {
                self.begin(now, out);
            }
        } else if self.engine.ready() >= Ready::Future {
            self.settle(Outcome::Resolved, rules::MEL_9, out);
        }
        self.attributes.may_autoplay = false;
        self.want_data(now, out);
        self.settle_head(now, out);
    }

    /// Playback begins or continues: the position advances, `playing` fires, and the waiting requests are
    /// resolved. Rules MEL-3, MEL-9.
    pub(crate) fn begin(&mut self, now: Time, out: &mut Outbox) {
        (self.is_paused, self.waits_since) = (false, None);
        self.advance(now, out);
        self.engine.report(now, rules::MEL_9, EventName::Playing, out);
        self.settle(Outcome::Resolved, rules::MEL_9, out);
    }

    pub(super) fn advance(&mut self, now: Time, out: &Outbox) {
        if !self.engine.has_failed() {
            self.engine.advance(now, out);
        }
    }

    /// Playback is wanted, but waits for data. Rules MEL-9, MEL-17.
    pub(crate) fn wait(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.is_paused = false;
        self.waits_since.get_or_insert(now);
        self.engine.stand(now);
        self.engine.report(now, rule, EventName::Waiting, out);
    }

    /// Data have run out at the playhead. Rules MEL-16, MEL-17, MEL-25.
    pub(crate) fn run_dry(&mut self, now: Time, obstacle: Obstacle, out: &mut Outbox) {
        let stall = if let Obstacle::Stall(at) = obstacle { Some(at) } else { None };
        self.waits_since.get_or_insert(now);
        self.engine.run_dry(now, stall, out);
    }

    /// `pause()`. Rule MEL-10.
    pub(super) fn pause(&mut self, now: Time, out: &mut Outbox) {
        out.decide(rules::MEL_10);
        if self.engine.network == Network::Empty {
            self.begin_choice(now, out);
        }
        self.attributes.may_autoplay = false;
        if !self.is_paused {
            self.stop(now, rules::MEL_10, Some(rules::MEL_10), out);
        }
    }

    /// Pauses, and fires the events for that; `pause`, the rule of the event of this name, is `None` if it is
    /// left out. Rules MEL-8, MEL-10.
    pub(crate) fn stop(&mut self, now: Time, rule: RuleId, pause: Option<RuleId>, out: &mut Outbox) {
        self.hold(now);
        self.engine.update_time(now, rule, out);
        if let Some(pause) = pause {
            self.engine.announce(pause, EventName::Pause, out);
        }
        self.settle(Outcome::Aborted(rule), rule, out);
    }

    /// Pauses without an event, and play requests go on waiting.
    pub(crate) fn hold(&mut self, now: Time) {
        (self.is_paused, self.waits_since) = (true, None);
        self.engine.stand(now);
    }

    /// The position has reached the end. Rules MEL-11, MEL-12.
    pub(super) fn reach_end(&mut self, now: Time, out: &mut Outbox) {
        if self.attributes.content.looping {
            self.seek_by_itself(now, Position::ZERO, rules::MEL_12, out);
            return;
        }
        if self.is_paused {
            self.engine.update_time(now, rules::MEL_11, out);
        } else {
            self.stop(now, rules::MEL_11, Some(rules::MEL_11), out);
        }
        self.engine.report(now, rules::MEL_11, EventName::Ended, out);
    }

    /// Settles the waiting requests: those of a bare element in a task of its own, those of a player, whose
    /// events are not tasks, immediately.
    pub(super) fn settle(&mut self, outcome: Outcome, rule: RuleId, out: &mut Outbox) {
        if !self.engine.voice.is_bare() {
            self.requests.settle_now(outcome, out);
        } else if self.requests.schedule(outcome) {
            self.queue_step(rule, MediaStep::Settle, out);
        }
    }

    /// Whether script may start playback; always if it is muted. Rule PLAY-16.
    pub(super) fn may_start(&self) -> bool {
        !self.requires_gesture || self.attributes.content.muted
    }
}
