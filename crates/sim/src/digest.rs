//! A digest of everything on which the rest of a run depends, so that an explorer meets equal
//! states once.
//!
//! Instants are taken relative to the clock: two runs of which one is some milliseconds late are in
//! the same state. Left out are what has been written, since nothing reads it, the numbers of
//! lines, and the limits on turns, tasks and actions, which only a run without an end reaches.

use std::hash::{Hash, Hasher};

use playsim_base::time::Time;
use playsim_trace::Bytes;

use super::{MAX_TIME, Simulation};
use playsim_scenario::Until;

/// The number of a line. It says nothing about what happens next, so all numbers are equal to a
/// hasher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineNumber(pub(super) u32);

impl Hash for LineNumber {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Takes instants relative to the clock; everything else as it is.
struct StateHasher<'b> {
    now: Time,
    bytes: &'b mut Bytes,
}

impl Hasher for StateHasher<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.write(bytes);
    }

    /// An instant: no other type is written in this form.
    fn write_i128(&mut self, instant: i128) {
        let never = i128::from(Time::MAX.micros());
        let relative = if instant == never {
            i128::MAX
        } else {
            instant - i128::from(self.now.micros())
        };
        self.write(&relative.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        self.bytes.finish()
    }
}

impl Simulation {
    /// Returns a digest of the state between two inputs: runs of one scenario with the same digest
    /// continue with the same lines, with times and numbers of lines shifted. It is meant for
    /// comparison within one process.
    ///
    /// `None` if the state is not known: in the middle of a turn, or where closures or functions of
    /// page code outside are bound.
    #[must_use]
    pub fn state_digest(&self) -> Option<u128> {
        self.has_no_page_code()
            .then(|| self.state_digest_around_page_code())
            .flatten()
    }

    /// As [`Simulation::state_digest`], also where closures or functions of page code outside are
    /// bound. What they keep to themselves is not in it: the caller answers for that. Their names
    /// are, where they are bound.
    ///
    /// `None` in the middle of a turn or of a task of the page.
    #[must_use]
    pub fn state_digest_around_page_code(&self) -> Option<u128> {
        let is_known = self.out.is_empty() && !self.is_in_task && !self.has_open_task();
        is_known.then(|| {
            Bytes::reused(|bytes| {
                let now = self.now;
                self.hash_state(&mut StateHasher { now, bytes });
                bytes.digest128()
            })
        })
    }

    fn hash_state(&self, state: &mut StateHasher<'_>) {
        self.agenda.hash(state);
        self.seats.hash(state);
        self.scripts.hash(state);
        self.page.hash(state);
        self.network.hash(state);
        self.edits.hash(state);
        self.moves.hash(state);
        self.stopped.hash(state);
        // A step that waits for one of several deliveries, and a listener whose calls differ, count
        // them.
        for (script, heard) in self.stage.scripts.iter().zip(&self.heard) {
            script.counted(*heard).hash(state);
        }
        match self.stage.scenario.until {
            Until::Line { .. } => self.tape.next_seq().hash(state),
            Until::Idle | Until::At(_) => {}
        }
        // The last day is far away for every other run.
        let end = self.end();
        if end < MAX_TIME {
            end.hash(state);
        }
        // A live stream runs at certain times.
        let scenario = &self.stage.scenario;
        let mut media = scenario
            .media
            .iter()
            .flat_map(|(_, medium)| medium.loads())
            .chain(&scenario.media_default);
        if media.any(|medium| medium.live.is_some()) {
            self.now.micros().hash(state);
        }
    }
}
