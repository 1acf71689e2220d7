//! What changes of the buffered data mean for playback.
//!
//! Rules: MEL-3, MEL-4, MEL-9, MEL-17, MEL-25.

use super::*;

impl MediaElement {
    /// Raises the ready state to what the data permit; playback begins if it is wanted. Rules MEL-3, MEL-9,
    /// MEL-17.
    pub(super) fn raise(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        let Some(rise) = self.rise(now, rule, out) else { return };
        if rise.can_play && !self.is_paused {
            self.begin(now, out);
        }
        if rise.is_enough {
            if self.is_paused && self.attributes.autoplays() && self.may_start() {
                self.attributes.may_autoplay = false;
                self.engine.report(now, rules::MEL_9, EventName::Play, out);
                self.begin(now, out);
            }
            self.report_enough(now, rule, out);
        }
        self.settle_head(now, out);
    }

    /// Checks whether the available data raise the ready state, or finish a seek. `rule` is the reason for the
    /// check.
    pub(super) fn note_data(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        if self.engine.is_seeking() {
            self.find_seek_data(now, out);
        } else {
            self.raise(now, rule, out);
        }
    }

    /// Handles the changes in the data at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(super) fn data_move(&mut self, now: Time, out: &mut Outbox) {
        self.engine.data_move(now, self.progress_reports(false), out);
        self.note_data(now, self.engine.rule_of_data(), out);
        if self.engine.ready() >= Ready::Future && self.is_paused && self.attributes.rests() {
            // Loading goes no further than needed until playback is requested.
            self.engine.rest(now, out);
        }
    }

    /// What `progress` reports at present; `is_silent`: a linear ad is on screen. Rules MEL-26, BRK-16.
    pub(super) fn progress_reports(&self, is_silent: bool) -> ProgressReports {
        ProgressReports {
            of_arrival: self.progress != ProgressMeaning::Waiting,
            waits_since: self.waits_since.filter(|_| self.progress != ProgressMeaning::Data),
            is_silent,
        }
    }

    /// The time of the next change in the data or the stream. Rules MEL-3 to MEL-5, MEL-17, LIVE-1.
    ///
    /// While the position does not advance, any `now` gives the same result, unless a live stream has stopped.
    pub(crate) fn next_change(&self, now: Time) -> Option<Time> {
        self.engine.next_change(now, self.progress_reports(false))
    }
}
