//! The limits of a run, and how much of them it has used.
//!
//! Rules: CLK-6, CLK-7, CLK-12, EVT-1.

use super::outcome::Stop;
use super::{MAX_DELIVERIES, MAX_NESTING, MAX_TURNS};
use playsim_base::time::Time;

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
        if now >= self.second_ends {
            const SECOND: u64 = 1_000_000;
            let next = (now.micros() / SECOND)
                .saturating_add(1)
                .saturating_mul(SECOND);
            self.second_ends = Time::from_micros(next);
            (self.tasks, self.acts) = (0, 0);
        }
    }

    /// Counts a task. Time updates do not count, as a run of them is delivered at once if nothing
    /// listens. Rule CLK-6.
    #[inline]
    pub(super) fn count_task(&mut self) -> Result<(), Stop> {
        self.tasks += 1;
        if self.tasks > self.per_second {
            Err(Stop::Livelock)
        } else {
            Ok(())
        }
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
