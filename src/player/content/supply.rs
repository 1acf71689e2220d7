//! What the content's data trigger: changes of the ready state, `progress`, lack of data, the end of a live
//! stream.
//!
//! At an instant, data change before anything that the position triggers (CLK-3).
//!
//! Rules: MEL-2 to MEL-5, MEL-9, MEL-12 to MEL-14, MEL-17, MEL-25, MEL-26, BRK-16, LIVE-1 to LIVE-4, PAUSE-6, EV-12,
//! EV-18.

use crate::api::{EventName, Outbox, Output, Task};
use crate::element::{Outcome, ProgressReports};
use crate::knobs::{ProgressMeaning, SeekedCause};
use crate::media::MediaFault;
use crate::player::Player;
use crate::player::api::calls::By;
use crate::player::state::{State, Ticking};
use crate::rules::{self, RuleId};
use crate::time::{Position, Time};

impl Player {
    /// What `progress` reports at present. Rule MEL-26.
    #[inline]
    pub(super) fn progress_reports(&self) -> ProgressReports {
        let meaning = self.settings.knobs.progress_meaning;
        let waits_since = match self.state {
            State::Buffering(since) if meaning != ProgressMeaning::Data => Some(since),
            State::Buffering(_)
            | State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Playing(_)
            | State::Paused
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => None,
        };
        // While a linear ad is on screen, page code sees no events of the content. BRK-16
        let is_silent = matches!(self.state, State::AdPlaying(_) | State::AdPaused(_));
        ProgressReports { of_arrival: meaning != ProgressMeaning::Waiting, waits_since, is_silent }
    }

    /// The time of the next change in the data or the stream. Rules MEL-4, MEL-5, MEL-17, LIVE-1.
    pub(super) fn next_change(&self, now: Time) -> Option<Time> {
        let data = self.element.next_change(now, self.progress_reports());
        [data, self.element.stream_stops_at()].into_iter().flatten().min()
    }

    /// Handles changes of the data that are due, apart from the position. Returns whether any were due.
    pub(super) fn refill(&mut self, now: Time, out: &mut Outbox) -> bool {
        if self.next_change(now).is_none_or(|at| at > now) {
            return false;
        }
        self.data_move(now, out);
        true
    }

    /// Handles changes of the data at this instant, then restores the outbox's cause. Rules MEL-4, MEL-5,
    /// LIVE-1.
    pub(super) fn data_move(&mut self, now: Time, out: &mut Outbox) {
        let asked = out.cause();
        out.set_cause(self.element.data_cause());
        if self.element.stream_stops_at().is_some_and(|stop| stop <= now) {
            self.stream_stops(now, out);
        } else {
            self.element.data_move(now, self.progress_reports(), out);
            self.note_data(now, self.element.rule_of_data(), out);
        }
        out.set_cause(asked);
    }

    /// A live stream stops running. The failure is held back until the player is ready, and while an ad is on
    /// screen. Rule LIVE-1.
    fn stream_stops(&mut self, now: Time, out: &mut Outbox) {
        self.element.fail(now, MediaFault::NotRunning, out);
        if !matches!(self.state, State::Created(_) | State::AdPlaying(_) | State::AdPaused(_)) {
            self.fail(now, rules::LIVE_1, out);
        }
    }

    /// Fires the events for a failure of the content: `playbackError`, unless the only reason is that a live
    /// stream stopped running, and an event of its own for a live stream. Rules ERR-1, LIVE-1, EV-12.
    pub(super) fn fire_failure(&mut self, out: &mut Outbox) {
        let fault = self.element.fault();
        if fault.is_none_or(|fault| fault.how != MediaFault::NotRunning) {
            out.event(rules::ERR_1, EventName::PlaybackError);
        }
        if fault.is_some_and(|fault| fault.is_live) {
            out.event(rules::LIVE_1, EventName::LiveStreamStopped);
        }
        if self.element.duration().is_none() {
            // A failure before any metadata rejects the play requests, a later one does not. MEL-6, MEL-7
            self.reject_play(Outcome::NotSupported, out);
        }
    }

    /// The player moves the position on its own, which page code does not see. Rules TIME-11, MEL-12, MEL-14.
    pub(super) fn seek_silently(&mut self, now: Time, target: Position, rule: RuleId, out: &mut Outbox) {
        self.element.seek(now, target, false, rule, out);
        self.seek_by = None;
    }

    /// Announces how far the buffered data suffice, or finishes a seek that waited for them. `rule` is the
    /// reason for the check. Rules MEL-3, MEL-9, MEL-13, MEL-17.
    pub(in crate::player) fn note_data(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        match self.element.seek_with_data(now) {
            Some(seek) => self.seeked(now, seek, out),
            None => self.raise(now, rule, false, out),
        }
    }

    /// Raises the ready state; content that is to play continues if the data suffice. Rules MEL-3, MEL-9,
    /// PAUSE-6.
    pub(super) fn raise(&mut self, now: Time, rule: RuleId, is_wanted: bool, out: &mut Outbox) {
        let Some(rise) = self.element.raise(now, rule, out) else { return };
        if rise.can_play {
            match self.state {
                State::Playing(_) => self.note_playing(now, out),
                State::Buffering(_) => self.run(now, out),
                State::Created(_)
                | State::Initial
                | State::AdLoading(_)
                | State::AdPlaying(_)
                | State::AdPaused(_)
                | State::Paused
                | State::Ended(_)
                | State::Failed
                | State::Destroyed => {
                    if is_wanted {
                        self.run(now, out);
                    }
                }
            }
        }
        if rise.is_enough {
            self.element.report_enough(now, rule, out);
        }
    }

    /// Playing begins or continues, and the waiting play requests are resolved. Rule MEL-9.
    pub(super) fn note_playing(&mut self, now: Time, out: &mut Outbox) {
        self.element.report(now, rules::MEL_9, EventName::Playing, out);
        self.keep_play(out);
    }

    /// Content begins to play. If the position is no longer within a live stream's window, it moves to the
    /// window's start. Rule LIVE-3.
    pub(super) fn catch_up(&mut self, now: Time, out: &mut Outbox) {
        if let Some(earliest) = self.element.fallen_out(now) {
            self.seek_silently(now, earliest, rules::LIVE_3, out);
            self.fire_seeked(now, rules::LIVE_3, out);
            self.element.raise_silently(now);
        }
    }

    /// A rewind whose data are there immediately is over before playing begins. Returns whether there was
    /// one, in which case content is on its way. Rule MEL-12.
    pub(super) fn finish_rewind(&mut self, now: Time, rule: RuleId, out: &mut Outbox) -> bool {
        if self.seek_by.is_some() || self.element.seek_with_data(now).is_none() {
            return false;
        }
        self.element.report(now, rules::MEL_12, EventName::Waiting, out);
        self.fire_seeked(now, rules::MEL_12, out);
        self.raise(now, rules::MEL_12, true, out);
        if !matches!(self.state, State::Playing(_)) {
            self.enter(State::Buffering(now), rule, out);
        }
        true
    }

    /// A seek has begun: it finishes in a task of its own, or when its data arrive. Rules MEL-13, TIME-5.
    pub(super) fn await_seek(&mut self, now: Time, seek: u32, out: &mut Outbox) {
        let has_data = self.element.seek_with_data(now).is_some();
        if let State::Playing(ticking) = &mut self.state {
            // Nothing is due any more at the old position.
            *ticking = Ticking { next_update: Time::MAX, next_mark: None, cause: out.cause() };
            if !has_data {
                self.enter(State::Buffering(now), rules::MEL_13, out);
            }
        }
        if has_data {
            out.put(rules::MEL_13, Output::Task(Task::Seeked(seek)));
        }
    }

    /// A seek is over: fires `timeupdate` and `seeked`, but not for a move that the player made on its own.
    /// Returns whether the seek was requested. Rules MEL-13, TIME-5, TIME-11, EVT-18.
    pub(super) fn fire_seeked(&mut self, now: Time, own: RuleId, out: &mut Outbox) -> bool {
        let knobs = &self.settings.knobs;
        let by = self.seek_by.take();
        self.element.finish_seek();
        let is_heard = knobs.bus_expose_html.is_on();
        let tells = match (by, knobs.seeked_cause) {
            (Some(By::Person), _) | (Some(By::Script | By::Autoplay), SeekedCause::AnyRequest) => true,
            (Some(By::Script | By::Autoplay), SeekedCause::UserOnly) | (None, _) => false,
        };
        if by.is_some() || is_heard {
            self.element.update_time(now, if by.is_some() { rules::MEL_13 } else { own }, out);
        }
        if tells {
            out.event(rules::TIME_5, EventName::Seeked);
        } else {
            let rule = if by.is_some() { rules::TIME_11 } else { own };
            self.element.report(now, rule, EventName::Seeked, out);
        }
        by.is_some()
    }
}
