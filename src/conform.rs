//! Conformance: a suite of cases, played by the simulator and by real players, and where they differ.
//!
//! A [`Case`] is a scenario. A [`Recording`](crate::recording::Recording) of it comes from a page in a browser; [`judge`]
//! compares the two, [`fit()`] finds the knobs that bring the simulator nearest to a player over all cases.

mod case;
mod cell;
mod compare;
mod fit;
mod marks;
mod matrix;
mod page;
pub mod report;
mod settings;
#[cfg(feature = "origin")]
pub mod stage;

pub use crate::recording::Tolerance;
pub use case::{Behaviour, Case};
pub use cell::{Cell, Explained, RuleOf, Verdict, judge};
pub use compare::{CasePlace, Difference, DifferenceKind};
pub use fit::{Fit, FitStep, fit, nearest};
pub use matrix::MatrixPage;
pub use page::foreign_hosts;
pub use report::{Recorded, Report};
pub use settings::FittedSetting;
