//! Work of an element without a call: periodic time updates while its position moves, and one mark.
//!
//! Rules: CLK-3, MEL-15, MEL-16.

use super::rhythm::Rhythm;
use playsim_api::{Cause, TimeUpdates};
use playsim_base::time::{Span, Time};

/// The next work.
#[derive(Debug, Clone, Hash)]
pub(super) struct Schedule {
    /// The intervals between periodic time updates.
    rhythm: Rhythm,
    /// When the next periodic time update is due; never while the position does not move.
    pub(super) next_update: Time,
    /// When something other than a periodic time update is due.
    pub(super) next_mark: Option<Time>,
    /// The cause of the movement of the position.
    pub(super) moved: Cause,
}

impl Schedule {
    pub(super) fn new(rhythm: Rhythm) -> Schedule {
        Schedule {
            rhythm,
            next_update: Time::MAX,
            next_mark: None,
            moved: Cause::Script,
        }
    }

    /// The position begins to move, or has moved otherwise: the next periodic time update is an
    /// interval away.
    pub(super) fn restart(&mut self, now: Time) {
        self.next_update = now + self.rhythm.next();
    }

    /// The position stands still: nothing is due at it.
    pub(super) fn stop(&mut self) {
        (self.next_update, self.next_mark) = (Time::MAX, None);
    }

    /// The normal interval between two updates.
    #[inline]
    pub(super) fn period(&self) -> Span {
        self.rhythm.longest()
    }

    /// The update at which something is noticed that happens at `at`. If the intervals are random,
    /// only the next update is known.
    pub(super) fn update_from(&self, at: Time) -> Time {
        if !self.rhythm.is_even() {
            return self.next_update;
        }
        let step = self.period();
        self.next_update + step.times((at - self.next_update).covering_steps(step))
    }

    /// The updates from this one on: all up to `last` and before the mark, or one if the intervals
    /// are random.
    #[inline]
    pub(super) fn take_updates(&mut self, now: Time, last: Time) -> TimeUpdates {
        let step = self.period();
        if !self.rhythm.is_even() {
            self.restart(now);
            return TimeUpdates {
                first: now,
                step,
                count: 1,
            };
        }
        let before_mark = self.next_mark.map_or(Time::MAX, |mark| {
            Time::from_micros(mark.micros().saturating_sub(1))
        });
        let length = last.min(before_mark).max(now) - now;
        // One update is the usual number where each is delivered, and a division would take longer
        // than the rest.
        let more = if length < step { 0 } else { length.steps(step) };
        let count = u32::try_from(more + 1).unwrap_or(u32::MAX);
        self.next_update = now + step.times(u64::from(count));
        TimeUpdates {
            first: now,
            step,
            count,
        }
    }
}
