//! The reason of an output.
//!
//! Rules: CLK-4, TRACE-2.

use std::hash::{Hash, Hasher};

use playsim_rules::RuleId;

/// The cause of a line: a line that is already written, or an item still in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Nothing: an input from the script.
    Script,
    /// The line with this running number.
    Line(u32),
    /// The line that the item with this number becomes.
    Ticket(u32),
}

/// The number of a line says nothing about what happens next: states that differ only in causes are
/// equal to a hasher.
impl Hash for Cause {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The rule that decides, and the line that is the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Because {
    /// The rule that decides.
    pub rule: RuleId,
    /// The line that is the cause.
    pub cause: Cause,
}

/// A reason for an outbox: a rule alone, with the current cause of the outbox, or both.
pub trait Reason {
    /// Returns the rule and the cause; `current` is the cause of the outbox.
    fn because(self, current: Cause) -> Because;
}

impl Reason for RuleId {
    #[inline]
    fn because(self, current: Cause) -> Because {
        Because {
            rule: self,
            cause: current,
        }
    }
}

/// Work that the clock triggers names the line that made it due.
impl Reason for Because {
    #[inline]
    fn because(self, _: Cause) -> Because {
        self
    }
}
