//! The progress of the loop of the first pre-roll slot in an item.
//!
//! Rules: SCHED-1 to SCHED-3.

use playsim_api::AdLoop;

/// The state of a loop in an item.
#[derive(Debug, Clone, Copy, Hash)]
pub(in crate::ads) struct Looping {
    pub(in crate::ads) option: AdLoop,
    pub(in crate::ads) opened: u32,
    pub(in crate::ads) impressions: u32,
    /// Whether its end has been logged.
    pub(in crate::ads) is_end_logged: bool,
}

impl Looping {
    /// A loop that has not begun.
    pub(in crate::ads) fn new(option: AdLoop) -> Looping {
        Looping {
            option,
            opened: 0,
            impressions: 0,
            is_end_logged: false,
        }
    }

    pub(in crate::ads) fn is_over(&self) -> bool {
        self.opened >= self.option.times
            || self
                .option
                .impressions
                .is_some_and(|most| self.impressions >= most)
    }
}
