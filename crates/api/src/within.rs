//! Which ad break a line belongs to.
//!
//! Breaks of a player are counted from 1 in the order they open. Whatever is put in an outbox while
//! a break acts carries its number: [`Outbox::within`] is called where a break is entered, and
//! nowhere else.
//!
//! Rule: TRACE-1.

use std::ops::{Deref, DerefMut};

use super::break_number::BreakNumber;
use super::outbox::Outbox;

/// An outbox in which everything that is put belongs to one break. The former break applies again
/// when this is dropped.
#[derive(Debug)]
pub struct Within<'a> {
    out: &'a mut Outbox,
    outer: Option<BreakNumber>,
}

impl Outbox {
    /// The same outbox for outputs of this break.
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
    use crate::Code;
    use crate::{EventName, Item};
    use playsim_rules as rules;

    #[test]
    fn what_a_break_causes_has_its_number_and_nothing_else_has() {
        let (mut out, first) = (Outbox::new(), BreakNumber::FIRST);
        out.event(rules::BRK_1, EventName::Play);
        {
            let out = &mut *out.within(Some(first));
            out.event(rules::BRK_1, EventName::AdStart);
            out.within(Some(first.next()))
                .event(rules::BRK_1, EventName::AdEnd);
            out.diag(rules::BRK_13, Code::SkipNotOffered, "it cannot be skipped");
        }
        out.event(rules::BRK_1, EventName::Pause);
        let number = |item: Item| item.from.in_break.map(BreakNumber::get);
        assert_eq!(
            out.take_diagnostics().map(number).collect::<Vec<_>>(),
            [Some(1)]
        );
        let rest = std::iter::from_fn(|| out.pop()).map(number);
        assert_eq!(rest.collect::<Vec<_>>(), [None, Some(1), Some(2), None]);
    }
}
