//! The ready state, and the arrival of data.
//!
//! Rules: MEL-3 to MEL-5, MEL-9, MEL-17, MEL-25, MEL-26, LIVE-1, LIVE-3.

use super::*;
use crate::element::data::ProgressReports;

/// What a rise of the ready state means for playback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rise {
    /// There are enough data to go on, and there were not before: playback that is wanted begins.
    pub(crate) can_play: bool,
    /// There are enough to play to the end: [`Engine::report_enough`] is due after that.
    pub(crate) is_enough: bool,
}

impl Engine {
    /// The ready state that the buffered data permit. Rule MEL-3.
    pub(super) fn level(&self, now: Time) -> Ready {
        if self.info().is_none() {
            return Ready::Nothing;
        }
        let position = self.position(now);
        if self.is_dry(now, position) {
            return Ready::Current;
        }
        self.data.level(now, position, self.head.rate())
    }

    /// Whether a live stream that does not run has nothing after a position. Rule LIVE-3.
    fn is_dry(&self, now: Time, position: Position) -> bool {
        self.stream.is_some_and(|stream| stream.is_dry(now, position))
    }

    /// Whether there are enough data to go on playing.
    pub(crate) fn has_data(&self) -> bool {
        self.ready >= Ready::Future && self.seek.is_none() && self.info().is_some()
    }

    /// Raises the ready state to what the buffered data permit, and reports what is new; not during a seek.
    /// Returns `None` if it does not rise. Rules MEL-3, MEL-17.
    pub(crate) fn raise(&mut self, now: Time, rule: RuleId, out: &mut Outbox) -> Option<Rise> {
        let (before, level) = (self.ready, self.level(now));
        if self.seek.is_some() || level <= before {
            return None;
        }
        self.ready = level;
        if level >= Ready::Current && !std::mem::replace(&mut self.has_shown, true) {
            self.report(now, rules::MEL_3, EventName::LoadedData, out);
        }
        let can_play = level >= Ready::Future && before <= Ready::Current;
        if can_play {
            self.report(now, rule, EventName::CanPlay, out);
        }
        Some(Rise { can_play, is_enough: level == Ready::Enough })
    }

    /// Reports that there are enough data to play to the end. Rules MEL-3, MEL-17.
    pub(crate) fn report_enough(&self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.report(now, rule, EventName::CanPlayThrough, out);
    }

    /// Raises the ready state to what the buffered data permit, without any event: page code does not see the
    /// move of the position that had lowered it.
    pub(crate) fn raise_silently(&mut self, now: Time) {
        if self.seek.is_none() {
            self.ready = self.ready.max(self.level(now));
        }
    }

    /// The time of the next change in the data, apart from obstacles of the playhead. Rules MEL-3 to MEL-5,
    /// MEL-17.
    ///
    /// While the position does not advance, any `now` gives the same result, unless a live stream has stopped.
    pub(crate) fn next_change(&self, now: Time, progress_reports: ProgressReports) -> Option<Time> {
        if self.error.is_some() || !self.has_media() {
            return None;
        }
        let position = self.head.position(now);
        let awaits = !self.seek.is_some_and(|seek| seek.is_held) && !self.is_dry(now, position);
        let data = self.data.next(position, awaits.then_some(self.ready), progress_reports);
        let back =
            self.stream.filter(|_| self.ready <= Ready::Current).and_then(|stream| stream.back_at(now));
        // What plays a player's content fails when a live stream stops, a bare element waits. LIVE-1
        let stop = self.stream_stops_at().filter(|_| !self.voice.is_bare());
        [data, back, stop].into_iter().flatten().min()
    }

    /// Reports what loading has brought by now. Rules MEL-4, MEL-5, MEL-17, MEL-26.
    pub(crate) fn data_move(&mut self, now: Time, progress_reports: ProgressReports, out: &mut Outbox) {
        let moves = self.data.moves(now, progress_reports, &mut self.rhythm);
        if moves.stalled {
            self.report(now, rules::MEL_5, EventName::Stalled, out);
        }
        if moves.progress && !progress_reports.is_silent {
            let rule = if progress_reports.waits_since.is_some() { rules::MEL_26 } else { rules::MEL_4 };
            self.report(now, rule, EventName::Progress, out);
        }
        if moves.suspend {
            self.suspend(now, rules::MEL_4, out);
        }
    }

    /// The rule by which data that arrive raise the ready state.
    pub(crate) fn rule_of_data(&self) -> RuleId {
        if self.data.is_delivered() { rules::MEL_25 } else { rules::MEL_17 }
    }

    /// What caused the changes in the data.
    pub(crate) fn data_cause(&self) -> Cause {
        self.data.cause
    }

    /// The time at which the loaded live stream stops running, if it does. Rule LIVE-1.
    pub(crate) fn stream_stops_at(&self) -> Option<Time> {
        self.info().and_then(|_| self.stream?.stops_at())
    }

    /// Whether everything has arrived; never true of a live stream.
    pub(super) fn is_complete(&self) -> bool {
        self.stream.is_none() && self.data.is_idle()
    }

    /// Lets loading pause where it is. Rule MEL-4.
    pub(crate) fn rest(&mut self, now: Time, out: &mut Outbox) {
        if self.info().is_some() && self.data.rest(now) {
            self.report(now, rules::MEL_4, EventName::Progress, out);
            self.suspend(now, rules::MEL_4, out);
        }
    }

    /// Lets loading go on where it paused.
    pub(crate) fn resume(&mut self, now: Time, out: &Outbox) {
        if self.info().is_some() && self.data.resume(now, out.cause()) {
            self.settle_network();
        }
    }

    /// Updates the network state after data were requested.
    pub(super) fn settle_network(&mut self) {
        self.network = if self.is_complete() { Network::Idle } else { Network::Loading };
    }
}
