//! Reports: what a trace comes to, for those who do not want to read all of it.
//!
//! A report is taken from the lines of a trace and from nothing else: what the trace does not say, it does
//! not say either. So it holds for a trace of any run, and judges nothing a second time.

pub mod waterfall;
