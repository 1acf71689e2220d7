//! The progress of the loop of the first pre-roll slot in an item.
//!
//! Rules: SCHED-1 to SCHED-3.

use playsim_api::AdLoop;

/// The state of a loop in an item.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Looping {
    pub(crate) option: AdLoop,
    pub(crate) opened: u32,
    pub(crate) impressions: u32,
    /// Whether its end has been logged.
    pub(crate) is_end_logged: bool,
}

impl Looping {
    /// A loop that has not begun.
    pub(crate) fn new(option: AdLoop) -> Looping {
        Looping {
            option,
            opened: 0,
            impressions: 0,
            is_end_logged: false,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.opened >= self.option.times
            || self
                .option
                .impressions
                .is_some_and(|most| self.impressions >= most)
    }
}
