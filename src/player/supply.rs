//! What the content's data bring: the element's ready state, `progress`, lack of data, the stop of a live
//! stream.
//!
//! Data change first at their instant, before whatever the position brings (CLK-3).
//!
//! Rules: MEL-2 to MEL-5, MEL-9, MEL-12 to MEL-14, MEL-17, MEL-25, BRK-16, LIVE-1 to LIVE-4, PAUSE-6, EV-12,
//! EV-18.

use super::calls::By;
use super::element::Ready;
use super::*;
use crate::media::MediaFault;

impl Player {
    /// What comes by itself while the position stands. Tells whether anything was due.
    pub(super) fn refill(&mut self, now: Time, out: &mut Outbox) -> bool {
        if self.element.next_change(now).is_none_or(|at| at > now) {
            return false;
        }
        self.data_move(now, out);
        true
    }

    /// What the data bring at this instant; what was said to be the cause goes on to be it. Rules MEL-4, MEL-5,
    /// LIVE-1.
    pub(super) fn data_move(&mut self, now: Time, out: &mut Outbox) {
        let asked = out.cause();
        out.blame(self.element.data_cause());
        if self.element.stream_stops_at().is_some_and(|stop| stop <= now) {
            self.stream_stops(now, out);
        } else {
            let told = self.element.data_move(now);
            if told.stalled {
                self.element.note(now, rule!("MEL-5"), EventName::Stalled, out);
            }
            // While a linear ad is on, page code hears nothing of the content. BRK-16
            if told.progress && !matches!(self.state, State::AdPlaying(_) | State::AdPaused(_)) {
                out.event(rule!("MEL-4"), EventName::Progress);
            }
            if told.suspend {
                self.element.note(now, rule!("MEL-4"), EventName::Suspend, out);
            }
            let rule = if self.element.is_delivered() { rule!("MEL-25") } else { rule!("MEL-17") };
            self.note_data(now, rule, out);
        }
        out.blame(asked);
    }

    /// A live stream does not run any more. Held until the player is ready, and while an ad is on. Rule LIVE-1.
    fn stream_stops(&mut self, now: Time, out: &mut Outbox) {
        self.element.fail(now, MediaFault::NotRunning, out);
        if !matches!(self.state, State::Created(_) | State::AdPlaying(_) | State::AdPaused(_)) {
            self.fail(now, rule!("LIVE-1"), out);
        }
    }

    /// The event that tells that the content failed. Rules ERR-1, LIVE-1, EV-12.
    pub(super) fn tell_failure(&mut self, out: &mut Outbox) {
        match self.element.fault() {
            Some(MediaFault::NotRunning) => {
                out.event(rule!("LIVE-1"), EventName::LiveStreamStopped);
            }
            Some(
                MediaFault::NotFound | MediaFault::Network | MediaFault::Decode | MediaFault::Unsupported,
            )
            | None => {
                out.event(rule!("ERR-1"), EventName::PlaybackError);
            }
        }
        if self.element.duration().is_none() {
            // Nothing was ever known of it; what fails later leaves the requests alone. MEL-6, MEL-7
            self.reject_play(rule!("MEL-6"), "NotSupportedError", out);
        }
    }

    /// The metadata have come for a load that was to start elsewhere: it seeks there. Rule MEL-14.
    pub(super) fn seek_to_start(&mut self, now: Time, out: &mut Outbox) {
        let start = self.element.position(now);
        if start > Position::ZERO {
            self.element.seek(now, start, None, rule!("MEL-14"), out);
        }
    }

    /// Announces what the data at hand are good for, and finishes a seek that waited for them. `rule` says
    /// why they are looked at. Rules MEL-3, MEL-9, MEL-13, MEL-17.
    pub(super) fn note_data(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        match self.element.seek_with_data(now) {
            Some(seek) => self.seeked(now, seek, out),
            None => self.raise(now, rule, false, out),
        }
    }

    /// Lets the ready state rise; content that is wanted runs on with what there is. Rules MEL-3, MEL-9, PAUSE-6.
    pub(super) fn raise(&mut self, now: Time, rule: RuleId, is_wanted: bool, out: &mut Outbox) {
        let (before, ready) = self.element.raise(now);
        if ready == before {
            return;
        }
        if ready >= Ready::Current && !self.element.has_shown() {
            self.element.note(now, rule!("MEL-3"), EventName::LoadedData, out);
        }
        if ready >= Ready::Future && before < Ready::Future {
            self.element.note(now, rule, EventName::CanPlay, out);
            match self.state {
                State::Playing(_) => self.note_playing(now, out),
                State::Buffering => self.run(now, out),
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
        if ready == Ready::Enough {
            self.element.note(now, rule, EventName::CanPlayThrough, out);
        }
    }

    /// Playing begins, or goes on; whoever asked for it hears of it. Rule MEL-9.
    pub(super) fn note_playing(&mut self, now: Time, out: &mut Outbox) {
        self.element.note(now, rule!("MEL-9"), EventName::Playing, out);
        self.keep_play(out);
    }

    /// Content begins to play. What fell out of a live stream's window goes on where the window begins.
    /// Rule LIVE-3.
    pub(super) fn catch_up(&mut self, now: Time, out: &mut Outbox) {
        if let Some(nearest) = self.element.left_behind(now) {
            self.element.seek(now, nearest, None, rule!("LIVE-3"), out);
            self.tell_seeked(now, rule!("LIVE-3"), out);
            self.element.raise(now);
        }
    }

    /// A way back to the start that has its data at once is over before playing begins. Tells whether there
    /// was one, and content is on its way. Rule MEL-12.
    pub(super) fn finish_rewind(&mut self, now: Time, rule: RuleId, out: &mut Outbox) -> bool {
        if !self.element.is_moving_itself() || self.element.seek_with_data(now).is_none() {
            return false;
        }
        self.element.note(now, rule!("MEL-12"), EventName::Waiting, out);
        self.tell_seeked(now, rule!("MEL-12"), out);
        self.raise(now, rule!("MEL-12"), true, out);
        if !matches!(self.state, State::Playing(_)) {
            self.enter(State::Buffering, rule, out);
        }
        true
    }

    /// A seek has begun: it goes on in a task of its own, or when its data arrive. Rules MEL-13, TIME-5.
    pub(super) fn await_seek(&mut self, now: Time, seek: u32, was_running: bool, out: &mut Outbox) {
        let has_data = self.element.seek_with_data(now).is_some();
        if let State::Playing(ticking) = &mut self.state {
            // Nothing is due from the old position.
            *ticking = Ticking { next_update: Time::MAX, next_mark: None, cause: out.cause() };
            if !has_data {
                self.element.stand(now);
                self.enter(State::Buffering, rule!("MEL-13"), out);
            }
            if was_running {
                self.element.note(now, rule!("MEL-13"), EventName::Waiting, out);
            }
        }
        if has_data {
            out.put(rule!("MEL-13"), Output::Task(Task::Seeked(seek)));
        }
    }

    /// A seek is over: `timeupdate`, `seeked`. Of a move of its own the player says nothing. Tells whether it
    /// was asked for. Rules MEL-13, TIME-5, TIME-11, EVT-18.
    pub(super) fn tell_seeked(&mut self, now: Time, own: RuleId, out: &mut Outbox) -> bool {
        let knobs = &self.settings.knobs;
        let by = self.element.finish_seek();
        let is_heard = knobs.bus_expose_html.is_on();
        let tells = match (by, knobs.seeked_cause) {
            (Some(By::Person), _) | (Some(By::Script | By::Autoplay), SeekedCause::AnyRequest) => true,
            (Some(By::Script | By::Autoplay), SeekedCause::UserOnly) | (None, _) => false,
        };
        if by.is_some() || is_heard {
            self.update_time(now, if by.is_some() { rule!("MEL-13") } else { own }, out);
        }
        if tells {
            out.event(rule!("TIME-5"), EventName::Seeked);
        } else {
            let rule = if by.is_some() { rule!("TIME-11") } else { own };
            self.element.note(now, rule, EventName::Seeked, out);
        }
        by.is_some()
    }
}
