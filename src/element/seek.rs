//! Seeking: when a seek begins and ends.
//!
//! A seek whose data are there finishes later at the same instant: that of a bare element once the scripts of
//! that instant have run, one that is requested from a player in a task.
//!
//! Rules: MEL-12 to MEL-14, MEL-16, MEL-24, TIME-10, LIVE-3.

use super::*;
use crate::api::{Output, Task};

impl MediaElement {
    /// `currentTime` is set. Rules MEL-13, MEL-14.
    pub(super) fn set_current_time(&mut self, now: Time, target: Position, out: &mut Outbox) {
        if self.engine.ready() == Ready::Nothing {
            out.decide(rules::MEL_14);
            self.engine.place(now, target);
        } else {
            out.decide(rules::MEL_13);
            self.seek(now, target, rules::MEL_13, SeekEnd::Announced(rules::MEL_13), out);
        }
    }

    /// Moves the position without a request to do so; page code of a player does not see that. Rules MEL-12,
    /// MEL-14, TIME-11.
    pub(crate) fn seek_by_itself(&mut self, now: Time, target: Position, rule: RuleId, out: &mut Outbox) {
        let is_bare = self.engine.voice.is_bare();
        let end = if is_bare { SeekEnd::Announced(rules::MEL_13) } else { SeekEnd::Silent(rule) };
        self.seek(now, target, rule, end, out);
    }

    /// Seeks to the nearest possible position; a seek in progress is replaced. Rule MEL-13.
    pub(crate) fn seek(&mut self, now: Time, target: Position, rule: RuleId, end: SeekEnd, out: &mut Outbox) {
        let was_playing = self.is_potentially_playing(now);
        self.finishing = None;
        self.engine.seek(now, target, was_playing, rule, end, out);
        let has_data = self.find_seek_data(now, out);
        if !self.is_paused && !has_data {
            self.waits_since.get_or_insert(now);
        }
    }

    /// If the data for the position are there, lets the seek finish later at this instant. Returns whether
    /// they are.
    pub(super) fn find_seek_data(&mut self, now: Time, out: &mut Outbox) -> bool {
        let Some(seek) = self.engine.seek_with_data(now) else { return false };
        if self.engine.voice.is_bare() {
            self.engine.hold_seek();
            self.finishing = Some((now, out.cause()));
        } else if !matches!(self.engine.seek_end(), Some(SeekEnd::Silent(_))) {
            out.put(rules::MEL_13, Output::Task(Task::Seeked(seek)));
        }
        true
    }

    /// Makes a seek wait until the ad on screen is over. Rule BRK-16.
    pub(crate) fn hold_seek(&mut self) {
        self.engine.hold_seek();
    }

    /// The ad is over: a seek that has waited for that finishes. Rule BRK-16.
    pub(crate) fn release_seek(&self, out: &mut Outbox) {
        if let Some(seek) = self.engine.held_seek() {
            out.put(rules::BRK_16, Output::Task(Task::Seeked(seek)));
        }
    }

    /// Finishes a seek that has its data. Returns whether it was requested. Rules MEL-13, TIME-11.
    pub(crate) fn end_seek(&mut self, now: Time, out: &mut Outbox) -> bool {
        let end = self.engine.seek_end().unwrap_or(SeekEnd::Announced(rules::MEL_13));
        self.engine.finish_seek(now, end, out);
        if !self.is_paused && self.waits_since.is_none() {
            self.advance(now, out);
        }
        !matches!(end, SeekEnd::Silent(_))
    }

    /// Finishes the seek of a bare element. Rules MEL-13, MEL-24.
    pub(super) fn finish_seek(&mut self, now: Time, out: &mut Outbox) {
        self.end_seek(now, out);
        self.raise(now, rules::MEL_13, out);
        if self.engine.is_at_end(now) && !self.is_paused {
            // `seeked` fires before the end. MEL-24
            self.reach_end(now, out);
        }
    }

    /// If the position is no longer within a live stream's window, it moves to the window's start. Rule LIVE-3.
    pub(crate) fn catch_up(&mut self, now: Time, out: &mut Outbox) {
        if let Some(earliest) = self.engine.fallen_out(now) {
            let end = SeekEnd::Silent(rules::LIVE_3);
            self.engine.seek(now, earliest, false, rules::LIVE_3, end, out);
            self.engine.finish_seek(now, end, out);
            self.engine.raise_silently(now);
        }
    }
}
