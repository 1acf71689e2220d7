//! The limits of a run, and how much of them it has used.
//!
//! Rules: CLK-6, CLK-7, CLK-12, EVT-1.

use super::outcome::Stop;
use super::{MAX_DELIVERIES, MAX_NESTING, MAX_TURNS};
use playsim_base::time::Time;

/// After how many tasks of one second a circle is looked for first. Each further time is after
/// twice as many, so that all of it takes time in proportion to the tasks.
const FIRST_LOOK: u32 = 1_024;
/// After how many tasks of one second the lines are kept in which a circle is looked for.
const BUSY: u32 = 512;
/// The share of the tasks of one second in which the same may happen again.
const REPEATS_SHARE: u32 = 100;

/// Counts everything that is limited. Each method returns the limit that is exceeded as an error.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    /// The limit on tasks in one second, and on actions by listeners.
    per_second: u32,
    turns: u64,
    /// Calls of listeners, including those that do nothing. Rule CLK-12.
    deliveries: u64,
    /// The end of the second in which tasks and actions are counted.
    second_ends: Time,
    /// The number of tasks delivered in this second, except time updates. Rule CLK-6.
    tasks: u32,
    /// After how many of them a circle is looked for next.
    next_look: u32,
    /// After how many of them a second is busy.
    busy_after: u32,
    /// The number of the next line when this second became busy.
    busy_from: u32,
    /// The number of actions by listeners in this second, except readings. Rule CLK-12.
    acts: u32,
    /// The current depth of nested listeners.
    nesting: u32,
}

impl Budget {
    /// Returns an unused budget. The limit is that of the knob `limit.tasks_per_second`.
    pub(super) fn new(per_second: u32) -> Budget {
        Budget {
            per_second,
            turns: 0,
            deliveries: 0,
            second_ends: Time::from_secs(1),
            tasks: 0,
            next_look: FIRST_LOOK,
            busy_after: BUSY.min(per_second / 2),
            busy_from: 0,
            acts: 0,
            nesting: 0,
        }
    }

    /// Returns the number of turns so far.
    pub(super) fn turns(&self) -> u64 {
        self.turns
    }

    #[inline]
    pub(super) fn count_turn(&mut self) -> Result<(), Stop> {
        self.turns += 1;
        if self.turns > MAX_TURNS {
            Err(Stop::Turns)
        } else {
            Ok(())
        }
    }

    /// Resets the counts of a second at its end. Rules CLK-6, CLK-12.
    #[inline]
    pub(super) fn move_to(&mut self, now: Time) {
        // Limits are no part of a state, so this is not watched.
        if now.micros() >= self.second_ends.micros() {
            const SECOND: u64 = 1_000_000;
            let next = (now.micros() / SECOND)
                .saturating_add(1)
                .saturating_mul(SECOND);
            self.second_ends = Time::from_micros(next);
            (self.tasks, self.acts, self.next_look) = (0, 0, FIRST_LOOK);
        }
    }

    /// Counts a task; `line` is the number of the next line. Time updates do not count, as a run of
    /// them is delivered at once if nothing listens. Returns whether it is time to look for a
    /// circle. Rule CLK-6.
    #[inline]
    pub(super) fn count_task(&mut self, line: u32) -> Result<bool, Stop> {
        if self.tasks == self.busy_after {
            self.busy_from = line;
        }
        self.tasks += 1;
        if self.tasks > self.per_second {
            Err(Stop::Livelock)
        } else {
            let looks = self.tasks == self.next_look;
            if looks {
                self.next_look = self.next_look.saturating_mul(2);
            }
            Ok(looks)
        }
    }

    /// The line from which on this second is busy; `None` if it is not. A circle is looked for from
    /// there on, so these lines are kept.
    #[inline]
    pub(super) fn busy_from(&self) -> Option<u32> {
        (self.tasks > self.busy_after).then_some(self.busy_from)
    }

    /// How many acts and events that come again may come in one second. Rule CLK-6.
    pub(super) fn most_repeats(&self) -> u32 {
        self.per_second / REPEATS_SHARE
    }

    /// Counts the actions of a listener. Rule CLK-12.
    pub(super) fn count_acts(&mut self, acts: u32) -> Result<(), Stop> {
        self.acts = self.acts.saturating_add(acts);
        if acts > 0 && self.acts > self.per_second {
            Err(Stop::Acts)
        } else {
            Ok(())
        }
    }

    /// Counts a call of a listener. Rule CLK-12.
    #[inline]
    pub(super) fn count_delivery(&mut self) -> Result<(), Stop> {
        self.deliveries += 1;
        if self.deliveries >= MAX_DELIVERIES {
            Err(Stop::Deliveries)
        } else {
            Ok(())
        }
    }

    /// Returns whether a listener that acts may be nested one level deeper. Rules CLK-6, EVT-1.
    pub(super) fn may_nest(&self) -> Result<(), Stop> {
        if self.nesting == MAX_NESTING {
            Err(Stop::Nesting)
        } else {
            Ok(())
        }
    }

    /// A listener begins to act.
    pub(super) fn nest(&mut self) {
        self.nesting += 1;
    }

    /// A listener has acted.
    pub(super) fn unnest(&mut self) {
        self.nesting -= 1;
    }
}
