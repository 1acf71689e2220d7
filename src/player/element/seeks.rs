//! Seeks of the media element, and moves of its position that are none.
//!
//! The position counts at once; a seek is over when the data for its place are there.
//!
//! Rules: MEL-12 to MEL-14, TIME-10, TIME-11, BRK-16.

use super::*;

/// A seek that waits for its data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seek {
    number: u32,
    /// Who asked for it; `None`: the player itself. Rule TIME-11.
    by: Option<By>,
    /// Whether it waits for the end of an ad. Rule BRK-16.
    pub(super) is_held: bool,
}

impl Element {
    /// Sets the position without a seek: a start position before metadata, a stop, an end.
    pub(in crate::player) fn place(&mut self, now: Time, position: Position) {
        self.head.jump(now, position);
        self.seek = None;
        self.data.aim(now, position, self.data.cause);
        if self.data.has_shown {
            self.data.ready = self.level(now).max(Ready::Metadata);
        }
    }

    /// The nearest place that can be sought. Rules MEL-13, TIME-4.
    pub(in crate::player) fn nearest(&self, now: Time, target: Position) -> Position {
        match (&self.stream, self.duration()) {
            (Some(stream), _) => stream.nearest(now, target),
            (None, Some(duration)) => target.min(duration.end()),
            (None, None) => target,
        }
    }

    /// Seeks, by whose wish or by the player's own; an earlier seek is replaced. The position counts at once,
    /// the data come later in the same instant, or when they have arrived. Rules MEL-13, TIME-10.
    ///
    /// Gives the seek's number, by which a replaced seek is known.
    pub(in crate::player) fn seek(
        &mut self,
        now: Time,
        target: Position,
        by: Option<By>,
        rule: RuleId,
        out: &mut Outbox,
    ) -> u32 {
        self.head.jump(now, target);
        let seeking = self.note(now, rule, EventName::Seeking, out);
        self.data.aim(now, target, seeking);
        // A browser lets go of the picture at hand until that of the new place is there.
        self.data.ready = self.data.ready.min(Ready::Metadata);
        self.seeks += 1;
        self.seek = Some(Seek { number: self.seeks, by, is_held: false });
        self.seeks
    }

    pub(in crate::player) fn is_current_seek(&self, number: u32) -> bool {
        self.seek.is_some_and(|seek| seek.number == number)
    }

    /// The seek that has its data, unless an ad holds it.
    pub(in crate::player) fn seek_with_data(&self, now: Time) -> Option<u32> {
        let seek = self.seek.filter(|seek| !seek.is_held)?;
        (self.level(now) >= Ready::Current).then_some(seek.number)
    }

    /// Whether the player itself has moved the position, and nothing told of that yet. Rule TIME-11.
    pub(in crate::player) fn is_moving_itself(&self) -> bool {
        self.seek.is_some_and(|seek| seek.by.is_none())
    }

    /// The seek at hand waits for the end of an ad. Rule BRK-16.
    pub(in crate::player) fn hold_seek(&mut self) {
        if let Some(seek) = &mut self.seek {
            seek.is_held = true;
        }
    }

    /// The seek at hand is done; gives who asked for it.
    pub(in crate::player) fn finish_seek(&mut self) -> Option<By> {
        self.seek.take()?.by
    }
}
