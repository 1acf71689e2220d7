//! Judging a finished trace.
//!
//! The judge knows the words and the trace, never the engine: a trace recorded from a real player is
//! judged by the same code.

mod expect;
pub mod invariants;

pub use expect::{Failure, expectations};
