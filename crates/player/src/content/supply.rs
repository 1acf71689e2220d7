//! The effects of the content's data: changes of the ready state, `progress`, lack of data, the end
//! of a live stream.
//!
//! At an instant, data change before anything that the position triggers (CLK-3).
//!
//! Rules: MEL-2 to MEL-5, MEL-9, MEL-12 to MEL-14, MEL-17, MEL-25, MEL-26, BRK-16, LIVE-1 to
//! LIVE-4, PAUSE-6, EV-12, EV-18.

use crate::Player;
use crate::state::State;
use playsim_api::media::MediaFault;
use playsim_api::{EventName, Outbox, StateLine};
use playsim_element::{Outcome, Refill};
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// Handles changes of the data that are due, apart from the position, then restores the
    /// outbox's cause. Returns whether any were due. Rules MEL-4, MEL-5, MEL-17, LIVE-1, BRK-16.
    pub(super) fn refill(&mut self, out: &mut Outbox) -> bool {
        let asked = out.cause();
        // Until the trace has the end of a linear ad, it is on screen.
        let is_ad = matches!(self.logged, StateLine::AdPlaying | StateLine::AdPaused);
        let refill = self.element.refill(is_ad, out);
        match refill {
            // The failure is held back until the player is ready, and while an ad is on screen.
            // LIVE-1
            Some(Refill::Stopped) if self.state.holds_failures_back() => {}
            Some(Refill::Stopped) => self.fail(rules::LIVE_1, out),
            Some(Refill::Data(rule)) => self.note_data(rule, out),
            None => {}
        }
        out.set_cause(asked);
        refill.is_some()
    }

    /// Fires the events for a failure of the content: `playbackError`, unless the only reason is
    /// that a live stream stopped running, and an event of its own for a live stream. Rules ERR-1,
    /// LIVE-1, EV-12.
    pub(super) fn fire_failure(&mut self, out: &mut Outbox) {
        let fault = self.element.fault();
        if fault.is_none_or(|fault| fault.how != MediaFault::NotRunning) {
            out.event(rules::ERR_1, EventName::PlaybackError);
        }
        if fault.is_some_and(|fault| fault.is_live) {
            out.event(rules::LIVE_1, EventName::LiveStreamStopped);
        }
        if self.element.duration().is_none() {
            // A failure before any metadata rejects the play requests, a later one does not. MEL-6,
            // MEL-7
            self.element.reject(Outcome::NotSupported, out);
        }
    }

    /// Announces how far the buffered data suffice, or finishes a seek that waited for them. `rule`
    /// is the reason for the check. Rules MEL-3, MEL-9, MEL-13, MEL-17.
    pub(crate) fn note_data(&mut self, rule: RuleId, out: &mut Outbox) {
        match self.element.seek_with_data(out.now()) {
            Some(seek) => self.seeked(seek, out),
            None => self.raise(rule, out),
        }
    }

    /// Raises the ready state; content that is to play continues if the data suffice. Rules MEL-3,
    /// MEL-9, PAUSE-6.
    pub(super) fn raise(&mut self, rule: RuleId, out: &mut Outbox) {
        let Some(rise) = self.element.rise(rule, out) else {
            return;
        };
        if rise.can_play && !self.element.is_paused() {
            if let State::Playing = self.state {
                self.element.begin(out);
            } else {
                self.run(out);
            }
        }
        if rise.is_enough {
            self.element.report_enough(rule, out);
        }
        if rise.can_play {
            self.show_first_picture(out);
        }
    }

    /// Content waits for data. Rule MEL-9.
    pub(crate) fn wait(&mut self, entered: RuleId, rule: RuleId, out: &mut Outbox) {
        self.enter(State::Buffering, entered, out);
        self.element.wait(rule, out);
    }
}
