//! The ready state, the arrival of data, and the effect of both on playback.
//!
//! Rules: MEL-3 to MEL-5, MEL-9, MEL-17, MEL-25, MEL-26, LIVE-1, LIVE-3, BRK-16.

use super::MediaElement;
use super::data::{ProgressReports, Ready};
use super::media::Network;
use playsim_api::media::MediaFault;
use playsim_api::{EventName, Outbox};
use playsim_base::time::{Position, Time};
use playsim_rules::knobs::{AutoplayOrder, ProgressMeaning};
use playsim_rules::{self as rules, RuleId};

/// The effect of a rise of the ready state on playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rise {
    /// Data suffice for playback, and did not before: playback that is wanted begins.
    pub can_play: bool,
    /// There are enough to play to the end: [`MediaElement::report_enough`] is due after that.
    pub is_enough: bool,
}

/// The change of the data at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refill {
    /// A live stream has stopped running, which is a failure. Rule LIVE-1.
    Stopped,
    /// More data may be there, by this rule.
    Data(RuleId),
}

impl MediaElement {
    /// The ready state that the buffered data permit. Rule MEL-3.
    pub(super) fn level(&self, now: Time) -> Ready {
        if self.info().is_none() {
            return Ready::Nothing;
        }
        let position = self.position(now);
        if self.is_dry(now, position) {
            return Ready::Current;
        }
        self.media.data.level(now, position, self.media.head.rate())
    }

    /// Whether a live stream that does not run has nothing after a position. Rule LIVE-3.
    fn is_dry(&self, now: Time, position: Position) -> bool {
        self.media
            .stream
            .is_some_and(|stream| stream.is_dry(now, position))
    }

    /// Whether data suffice to continue playback.
    pub fn has_data(&self) -> bool {
        self.media.ready >= Ready::Future && self.media.seek.is_none() && self.info().is_some()
    }

    /// Whether there are enough data for playback to begin here; a scripted stall at the position
    /// begins with it. Rules PLAY-4, MEL-17.
    pub fn can_begin(&mut self, out: &Outbox) -> bool {
        self.has_data() && !self.meet_stall_here(out)
    }

    /// Raises the ready state to the level of the buffered data, and reports the change; not during
    /// a seek. Returns `None` if it does not rise. Rules MEL-3, MEL-17.
    pub fn rise(&mut self, rule: RuleId, out: &mut Outbox) -> Option<Rise> {
        let (before, mut level) = (self.media.ready, self.level(out.now()));
        let is_wanted = !self.is_paused || (self.attributes.autoplays() && self.may_start());
        if is_wanted && level >= Ready::Future && self.meet_stall_here(out) {
            level = Ready::Current;
        }
        if self.media.seek.is_some() || level <= before {
            return None;
        }
        self.media.ready = level;
        if level >= Ready::Current && !std::mem::replace(&mut self.media.has_shown, true) {
            self.report(rules::MEL_3, EventName::LoadedData, out);
        }
        let can_play = level >= Ready::Future && before <= Ready::Current;
        if can_play {
            self.report(rule, EventName::CanPlay, out);
        }
        Some(Rise {
            can_play,
            is_enough: level == Ready::Enough,
        })
    }

    /// Raises the ready state to the level of the data; playback begins if it is wanted. Rules
    /// MEL-3, MEL-17, MEL-29.
    pub(super) fn raise(&mut self, rule: RuleId, out: &mut Outbox) {
        let Some(rise) = self.rise(rule, out) else {
            return;
        };
        if rise.can_play && !self.is_paused {
            self.begin(out);
        }
        if rise.is_enough {
            match self.autoplay {
                AutoplayOrder::After => {
                    self.report_enough(rule, out);
                    self.play_by_itself(out);
                }
                AutoplayOrder::Before => {
                    self.play_by_itself(out);
                    self.report_enough(rule, out);
                }
            }
        }
        self.settle_head(out);
    }

    /// Starts playback if the element is to play by itself, and may. Rule MEL-29.
    fn play_by_itself(&mut self, out: &mut Outbox) {
        if self.is_paused && self.attributes.autoplays() && self.may_start() {
            self.attributes.may_autoplay = false;
            self.was_allowed |= !self.requires_gesture;
            self.report(rules::MEL_29, EventName::Play, out);
            self.begin(out);
        }
    }

    /// Reports that there are enough data to play to the end. Rules MEL-3, MEL-17.
    pub fn report_enough(&self, rule: RuleId, out: &mut Outbox) {
        self.report(rule, EventName::CanPlayThrough, out);
    }

    /// Raises the ready state to the level of the buffered data, without any event: page code does
    /// not see the move of the position that had lowered it.
    pub(super) fn raise_silently(&mut self, now: Time) {
        if self.media.seek.is_none() {
            self.media.ready = self.media.ready.max(self.level(now));
        }
    }

    /// Checks whether the available data raise the ready state, or finish a seek. `rule` is the
    /// reason for the check.
    pub(super) fn note_data(&mut self, rule: RuleId, out: &mut Outbox) {
        if self.is_seeking() {
            self.find_seek_data(out);
        } else {
            self.raise(rule, out);
        }
    }

    /// The time of the next change in the data, apart from obstacles of the playhead. Rules MEL-3
    /// to MEL-5, MEL-17.
    ///
    /// While the position does not advance, any `now` gives the same result, unless a live stream
    /// has stopped.
    pub fn next_change(&self, now: Time) -> Option<Time> {
        if self.media.error.is_some() || !self.has_media() {
            return None;
        }
        let position = self.media.head.position(now);
        let awaits =
            !self.media.seek.is_some_and(|seek| seek.is_held) && !self.is_dry(now, position);
        let data = self.media.data.next(
            position,
            awaits.then_some(self.media.ready),
            self.progress_reports(),
        );
        let back = self
            .media
            .stream
            .filter(|_| self.media.ready <= Ready::Current)
            .and_then(|stream| stream.back_at(now));
        // An element below a player fails when a live stream stops, a bare element waits. LIVE-1
        let stop = self.stream_stops_at().filter(|_| !self.voice.is_bare());
        [data, back, stop, self.stream_ends_at()]
            .into_iter()
            .flatten()
            .min()
    }

    /// Handles changes of the data that are due, if there are any; `is_silent` while a linear ad is
    /// on screen. Rules MEL-4, MEL-5, LIVE-1, BRK-16.
    pub fn refill(&mut self, is_silent: bool, out: &mut Outbox) -> Option<Refill> {
        let now = out.now();
        self.next_change(now).filter(|at| *at <= now)?;
        out.set_cause(self.media.data.cause);
        if self.stream_stops_at().is_some_and(|stop| stop <= now) {
            self.fail(MediaFault::NotRunning, out);
            return Some(Refill::Stopped);
        }
        self.report_data(is_silent, out);
        Some(Refill::Data(self.rule_of_data()))
    }

    /// Handles the changes in the data at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(super) fn data_move(&mut self, out: &mut Outbox) {
        self.report_data(false, out);
        self.note_data(self.rule_of_data(), out);
        if self.media.ready >= Ready::Future && self.is_paused && self.attributes.rests() {
            // Loading goes no further than needed until playback is requested.
            self.rest(out);
        }
    }

    /// Reports the progress of loading; `is_silent`: a linear ad is on screen. Rules MEL-4, MEL-5,
    /// MEL-17, MEL-26, BRK-16.
    fn report_data(&mut self, is_silent: bool, out: &mut Outbox) {
        self.end_stream(out);
        let progress_reports = self.progress_reports();
        let moves = self
            .media
            .data
            .moves(out.now(), progress_reports, &mut self.rhythm);
        if moves.stalled {
            self.report(rules::MEL_5, EventName::Stalled, out);
        }
        if moves.progress && !is_silent {
            let rule = if progress_reports.waits_since.is_some() {
                rules::MEL_26
            } else {
                rules::MEL_4
            };
            self.report(rule, EventName::Progress, out);
        }
        if moves.suspend {
            self.suspend(rules::MEL_4, out);
        }
    }

    /// The current meaning of `progress`. Rule MEL-26.
    fn progress_reports(&self) -> ProgressReports {
        ProgressReports {
            of_arrival: self.progress != ProgressMeaning::Waiting,
            waits_since: self
                .waits_since
                .filter(|_| self.progress != ProgressMeaning::Data),
        }
    }

    /// The rule by which data that arrive raise the ready state.
    fn rule_of_data(&self) -> RuleId {
        if self.media.data.is_delivered() {
            rules::MEL_25
        } else {
            rules::MEL_17
        }
    }

    /// The time at which the loaded live stream stops running, if it does. Rule LIVE-1.
    fn stream_stops_at(&self) -> Option<Time> {
        self.info().and_then(|_| self.media.stream?.stops_at())
    }

    /// The time at which the loaded live stream ends for good, if it does. Rule LIVE-5.
    fn stream_ends_at(&self) -> Option<Time> {
        self.info().and_then(|_| self.media.stream?.ends_at())
    }

    /// A live stream that ends for good has a length from now on. Rule LIVE-5.
    fn end_stream(&mut self, out: &mut Outbox) {
        let is_due = self.stream_ends_at().is_some_and(|end| end <= out.now());
        if let Some(stream) = self.media.stream.as_mut().filter(|_| is_due) {
            stream.finish();
            if let Some(length) = stream.length() {
                self.report_length(rules::LIVE_5, length, out);
            }
        }
    }

    /// Whether everything has arrived; never true of a live stream.
    pub(super) fn is_complete(&self) -> bool {
        self.media.stream.is_none() && self.media.data.is_idle()
    }

    /// Lets loading pause where it is. Rule MEL-4.
    fn rest(&mut self, out: &mut Outbox) {
        if self.info().is_some() && self.media.data.rest(out.now()) {
            self.report(rules::MEL_4, EventName::Progress, out);
            self.suspend(rules::MEL_4, out);
        }
    }

    /// Resumes loading where it paused.
    pub(super) fn resume(&mut self, out: &Outbox) {
        if self.info().is_some() && self.media.data.resume(out.now(), out.cause()) {
            self.settle_network();
        }
    }

    /// Nothing more is on its way. Rules MEL-4, MEL-17.
    pub(super) fn suspend(&mut self, rule: RuleId, out: &mut Outbox) {
        self.media.network = Network::Idle;
        self.report(rule, EventName::Suspend, out);
    }

    /// Updates the network state after data were requested.
    pub(super) fn settle_network(&mut self) {
        self.media.network = if self.is_complete() {
            Network::Idle
        } else {
            Network::Loading
        };
    }
}
