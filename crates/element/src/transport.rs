//! Play, pause and the end.
//!
//! Rules: MEL-8 to MEL-12, MEL-16, MEL-17, PLAY-16, PLAY-17.

use super::MediaElement;
use super::data::Ready;
use super::media::Network;
use super::requests::Outcome;
use playsim_api::{EventName, MediaStep, Outbox, Value};
use playsim_base::time::{Position, Time};
use playsim_rules::{self as rules, RuleId};

impl MediaElement {
    /// `play()`. Rules MEL-9, MEL-12.
    pub(super) fn play(&mut self, out: &mut Outbox) {
        let now = out.now();
        if !self.may_start() {
            out.decide(rules::PLAY_17);
            self.requests.refuse(Outcome::NotAllowed);
            return;
        }
        self.was_allowed |= !self.requires_gesture;
        out.decide(rules::MEL_9);
        if self.error_code() == Some(4) {
            self.requests.refuse(Outcome::NotSupported);
            return;
        }
        self.requests.make();
        if self.media.network == Network::Empty {
            self.begin_choice(out);
        }
        if self.is_at_end(now) && !self.is_seeking() {
            self.seek_by_itself(Position::ZERO, rules::MEL_12, out);
        } else if let Some(earliest) = self.fallen_out(now) {
            self.seek_by_itself(earliest, rules::MEL_13, out);
        }
        if self.is_paused {
            self.report(rules::MEL_9, EventName::Play, out);
            if self.media.ready <= Ready::Current || self.meet_stall_here(out) {
                self.wait(rules::MEL_9, out);
            } else {
                self.begin(out);
            }
        } else if self.media.ready >= Ready::Future {
            self.settle(Outcome::Resolved, rules::MEL_9, out);
        }
        self.attributes.may_autoplay = false;
        self.want_data(out);
        self.settle_head(out);
    }

    /// Playback begins or continues: the position advances, `playing` fires, and the waiting
    /// requests are resolved. Rules MEL-3, MEL-9.
    pub fn begin(&mut self, out: &mut Outbox) {
        (self.is_paused, self.waits_since) = (false, None);
        self.advance(out);
        self.report(rules::MEL_9, EventName::Playing, out);
        self.settle(Outcome::Resolved, rules::MEL_9, out);
    }

    /// Playback is wanted, but waits for data. Rules MEL-9, MEL-17.
    pub fn wait(&mut self, rule: RuleId, out: &mut Outbox) {
        let now = out.now();
        self.is_paused = false;
        self.waits_since.get_or_insert(now);
        self.stand(now);
        self.report(rule, EventName::Waiting, out);
    }

    /// `pause()`. Rule MEL-10.
    pub(super) fn pause(&mut self, out: &mut Outbox) {
        out.decide(rules::MEL_10);
        if self.media.network == Network::Empty {
            self.begin_choice(out);
        }
        self.attributes.may_autoplay = false;
        if !self.is_paused {
            self.stop(rules::MEL_10, Some(rules::MEL_10), out);
        }
    }

    /// Pauses, and fires the events for that; `pause`, the rule of the event of this name, is
    /// `None` if it is left out. Rules MEL-8, MEL-10.
    pub fn stop(&mut self, rule: RuleId, pause: Option<RuleId>, out: &mut Outbox) {
        self.hold(out.now());
        self.update_time(rule, out);
        if let Some(pause) = pause {
            self.announce(pause, EventName::Pause, out);
        }
        self.settle(Outcome::Aborted(rule), rule, out);
    }

    /// Pauses without an event; play requests keep waiting.
    pub fn hold(&mut self, now: Time) {
        (self.is_paused, self.waits_since) = (true, None);
        self.stand(now);
    }

    /// The position has reached the end. Rules MEL-11, MEL-12.
    pub(super) fn reach_end(&mut self, out: &mut Outbox) {
        if self.attributes.content.looping {
            self.seek_by_itself(Position::ZERO, rules::MEL_12, out);
            return;
        }
        if self.is_paused {
            self.update_time(rules::MEL_11, out);
        } else {
            self.stop(rules::MEL_11, Some(rules::MEL_11), out);
        }
        self.report(rules::MEL_11, EventName::Ended, out);
    }

    /// The content has played to its end: it pauses there, with an event if `pause` is its rule.
    /// Rule MEL-11.
    pub fn stop_at_end(&mut self, pause: Option<RuleId>, out: &mut Outbox) {
        if let Some(end) = self.end() {
            self.place(out.now(), end);
        }
        self.stop(rules::MEL_11, pause, out);
    }

    /// Settles the waiting requests: those of a bare element in a task of its own, those of a
    /// player, whose events are not tasks, immediately.
    pub(super) fn settle(&mut self, outcome: Outcome, rule: RuleId, out: &mut Outbox) {
        if !self.voice.is_bare() {
            self.requests.settle_now(outcome, out);
        } else if self.requests.schedule(outcome) {
            self.queue_step(rule, MediaStep::Settle, out);
        }
    }

    /// A call of `play()` begins.
    pub fn ask_to_play(&mut self) {
        self.requests.ask();
    }

    /// The call of `play()` returns its promise, whose outcome may be known already.
    pub fn answer_play(&mut self, outcome: Option<Outcome>, out: &mut Outbox) -> Value {
        self.requests.answer(outcome, out)
    }

    /// Rejects the waiting play requests. Rules MEL-1, MEL-6, MEL-10.
    pub fn reject(&mut self, outcome: Outcome, out: &mut Outbox) {
        self.requests.settle_now(outcome, out);
    }

    /// Playback is wanted again after the end, from where a seek leads. Rule POST-3.
    pub fn unpause(&mut self) {
        self.is_paused = false;
    }

    /// The attribute `paused`.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether playback is wanted but lacks data.
    pub fn is_waiting(&self) -> bool {
        self.waits_since.is_some()
    }

    /// Whether script may start playback; always if it is muted. Rule PLAY-16.
    pub(super) fn may_start(&self) -> bool {
        !self.requires_gesture || self.attributes.content.muted
    }
}
