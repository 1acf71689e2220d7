//! The number of a player on its page.
//!
//! Rule: TRACE-1.

/// The index of a player or media element in the run, from 0 in order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerIndex(pub u16);
