//! Reports: summaries of a trace for readers who do not want to read all of it.
//!
//! A report is derived from the lines of a trace alone and adds nothing that they do not say. It
//! therefore works for the trace of any run, and repeats none of the player's decisions.

pub mod alternative;
pub mod comparison;
pub mod dictionary;
pub mod page;
pub mod waterfall;
