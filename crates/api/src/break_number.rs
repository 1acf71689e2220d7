//! The number of an ad break.
//!
//! Rules: MAC-6, TRACE-1.

use std::fmt;
use std::num::NonZeroU32;

/// The number of a break of a player, counted from 1 in the order in which they open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BreakNumber(NonZeroU32);

impl BreakNumber {
    /// The first break.
    pub const FIRST: BreakNumber = BreakNumber(NonZeroU32::MIN);

    /// The break of this number; `None` for 0.
    #[must_use]
    pub fn new(number: u32) -> Option<BreakNumber> {
        NonZeroU32::new(number).map(BreakNumber)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }

    /// The number of the break that opens next.
    #[must_use]
    pub fn next(self) -> BreakNumber {
        BreakNumber(self.0.saturating_add(1))
    }
}

impl fmt::Display for BreakNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
