//! Which ad break a line belongs to.
//!
//! Breaks of a player are counted from 1 in the order they open. Whatever is put in an outbox while a break
//! acts carries its number: [`Outbox::within`] is called where a break is entered, and nowhere else.
//!
//! Rules: MAC-6, TRACE-1.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};

use super::outbox::Outbox;

/// Which break of a player, counted from 1 in the order they open.
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

/// An outbox in which everything that is put belongs to one break. What was before applies again when this is
/// dropped.
#[derive(Debug)]
pub struct Within<'a> {
    out: &'a mut Outbox,
    outer: Option<BreakNumber>,
}

impl Outbox {
    /// The same outbox for what belongs to this break.
    pub fn within(&mut self, in_break: Option<BreakNumber>) -> Within<'_> {
        let outer = self.swap_break(in_break);
        Within { out: self, outer }
    }
}

impl Deref for Within<'_> {
    type Target = Outbox;
    fn deref(&self) -> &Outbox {
        self.out
    }
}

impl DerefMut for Within<'_> {
    fn deref_mut(&mut self) -> &mut Outbox {
        self.out
    }
}

impl Drop for Within<'_> {
    fn drop(&mut self) {
        self.out.swap_break(self.outer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Code;
    use crate::api::{EventName, Item};
    use crate::rules;

    #[test]
    fn what_a_break_causes_has_its_number_and_nothing_else_has() {
        let (mut out, first) = (Outbox::new(), BreakNumber::FIRST);
        out.event(rules::BRK_1, EventName::Play);
        {
            let out = &mut *out.within(Some(first));
            out.event(rules::BRK_1, EventName::AdStart);
            out.within(Some(first.next())).event(rules::BRK_1, EventName::AdEnd);
            out.diag(rules::BRK_13, Code::SkipNotOffered, "it cannot be skipped");
        }
        out.event(rules::BRK_1, EventName::Pause);
        let number = |item: Item| item.in_break.map(BreakNumber::get);
        assert_eq!(out.take_diagnostics().map(number).collect::<Vec<_>>(), [Some(1)]);
        let rest = std::iter::from_fn(|| out.pop()).map(number);
        assert_eq!(rest.collect::<Vec<_>>(), [None, Some(1), Some(2), None]);
    }
}
