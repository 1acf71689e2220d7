//! Messages of a unit at times of the clock: its answers, and those that its script delays.
//!
//! Rule: CLK-2.

use playsim_api::Cause;
use playsim_base::time::Time;

/// The scheduled messages, in the order in which they were scheduled.
#[derive(Debug, Clone, Hash)]
pub(super) struct Timed<T> {
    due: Vec<(Time, T, Cause)>,
}

impl<T: PartialEq> Timed<T> {
    pub(super) const fn new() -> Timed<T> {
        Timed { due: Vec::new() }
    }

    pub(super) fn push(&mut self, at: Time, what: T, cause: Cause) {
        self.due.push((at, what, cause));
    }

    pub(super) fn clear(&mut self) {
        self.due.clear();
    }

    pub(super) fn contains(&self, what: &T) -> bool {
        self.due.iter().any(|(_, due, _)| due == what)
    }

    /// The time of the next one.
    pub(super) fn next_at(&self) -> Option<Time> {
        self.due.iter().map(|(at, ..)| *at).min()
    }

    /// Takes the next one if it is due, with its cause: of several at one instant the one scheduled
    /// first.
    pub(super) fn take(&mut self, now: Time) -> Option<(T, Cause)> {
        let due = self
            .due
            .iter()
            .enumerate()
            .filter(|(_, (at, ..))| *at <= now);
        let (index, _) = due.min_by_key(|(index, (at, ..))| (*at, *index))?;
        let (_, what, cause) = self.due.remove(index);
        Some((what, cause))
    }
}
