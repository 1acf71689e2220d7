//! The context of a break for one input: its surroundings, macros, and the outbox with the time.
//!
//! The player lends a [`Context`]. A break makes a [`Scope`] of it where it is entered, so that
//! everything it puts into the outbox carries its number and its trackers know its kind.

use super::macros::{Macros, Occasion};
use crate::surroundings::Surroundings;
use playsim_api::{BreakKind, BreakNumber, Outbox, Within};
use playsim_base::time::Time;
use playsim_rules::knobs::KnobReader;

/// The context of a break for one input.
#[derive(Debug)]
pub struct Context<'a> {
    /// The parts that do not change during the input.
    pub around: Surroundings<'a>,
    /// Fills macros in URLs.
    pub macros: &'a mut Macros,
    /// Takes all effects, oldest first.
    pub out: &'a mut Outbox,
}

/// A [`Context`] that is lent to one break.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    /// The kind of the break.
    pub(crate) kind: BreakKind,
    pub around: Surroundings<'a>,
    pub macros: &'a mut Macros,
    /// Everything that is put into it belongs to the break.
    pub(crate) out: Within<'a>,
}

impl Context<'_> {
    /// The same for a break of this number and kind.
    pub(crate) fn within(&mut self, number: Option<BreakNumber>, kind: BreakKind) -> Scope<'_> {
        let out = self.out.within(number);
        Scope {
            kind,
            around: self.around,
            macros: &mut *self.macros,
            out,
        }
    }

    /// The same for a new break, which gets the next number. Rule MAC-4.
    pub(crate) fn open_break(&mut self, kind: BreakKind) -> Scope<'_> {
        let number = self.macros.open_break().number;
        self.within(number, kind)
    }
}

impl<'a> Scope<'a> {
    /// The time of the input.
    pub(crate) fn now(&self) -> Time {
        self.out.now()
    }

    /// The knobs of the run.
    pub(crate) fn knobs(&self) -> &'a KnobReader {
        self.around.knobs
    }

    /// The context of URLs that are called now for the break.
    pub(crate) fn occasion<'o>(&self) -> Occasion<'o> {
        Occasion::new(self.now(), self.kind)
    }
}
