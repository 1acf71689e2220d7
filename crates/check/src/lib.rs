//! Checks a finished trace.
//!
//! The checks depend only on the trace and its vocabulary, never on the engine, so that they also
//! apply to a trace recorded from a real player.

pub mod compare;
pub mod diff;
pub mod recording;

mod expect;
mod judge;

pub use expect::{UnmetExpectation, expectations};
pub use judge::{
    CheckOptions, Coverage, Finding, LAWS, Level, OF_THE_FORM, Sure, TraceLaw, UNPREDICTED, WITHIN,
    invariants, judge,
};
