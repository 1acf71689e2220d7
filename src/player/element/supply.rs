//! The data of the media element as the player asks for them: what they are good for, when they change.
//!
//! Rules: MEL-3 to MEL-5, MEL-17, MEL-25, LIVE-1.

use super::*;

impl Element {
    /// What the data at hand are good for. Rule MEL-3.
    pub(super) fn level(&self, now: Time) -> Ready {
        match self.load {
            Load::Ready(_) => self.data.level(now, self.position(now), self.head.rate()),
            Load::Empty | Load::Waiting(_) | Load::Failed(..) | Load::Stopped { .. } => Ready::Nothing,
        }
    }

    /// Lets the ready state rise to what the data at hand are good for; gives what it was, and what it is.
    pub(in crate::player) fn raise(&mut self, now: Time) -> (Ready, Ready) {
        let before = self.data.ready;
        if self.seek.is_none() {
            self.data.ready = before.max(self.level(now));
        }
        (before, self.data.ready)
    }

    /// Whether the first picture was there before; it is now. Rule MEL-3.
    pub(in crate::player) fn has_shown(&mut self) -> bool {
        std::mem::replace(&mut self.data.has_shown, true)
    }

    /// When something comes by itself: of the data, or of the stream. Rules MEL-4, MEL-5, MEL-17, LIVE-1.
    ///
    /// While the position stands, any `now` will do.
    pub(in crate::player) fn next_change(&self, now: Time) -> Option<Time> {
        let is_held = self.seek.is_some_and(|seek| seek.is_held);
        let data = match self.load {
            Load::Waiting(_) | Load::Ready(_) => self.data.next(self.head.position(now), is_held),
            Load::Empty | Load::Failed(..) | Load::Stopped { .. } => None,
        };
        [data, self.stream_stops_at()].into_iter().flatten().min()
    }

    /// Whether data come by a bandwidth script. Rule MEL-25.
    pub(in crate::player) fn is_delivered(&self) -> bool {
        self.data.is_delivered()
    }

    /// When the data run out that the playhead advances over, as they come too slowly. Rule MEL-25.
    pub(in crate::player) fn dry_at(&self, now: Time) -> Option<Time> {
        self.data.dry_at(now, &self.head)
    }

    /// What led to what the data bring.
    pub(in crate::player) fn data_cause(&self) -> Cause {
        self.data.cause
    }

    /// When the live stream that is loaded stops running, if it does. Rule LIVE-1.
    pub(in crate::player) fn stream_stops_at(&self) -> Option<Time> {
        self.info().and_then(|_| self.stream?.stops_at)
    }

    /// What loading has to tell at this instant. Rules MEL-4, MEL-5, MEL-17.
    pub(in crate::player) fn data_move(&mut self, now: Time) -> Told {
        self.data.moves(now, &mut self.rhythm)
    }
}
