//! Conformance: a suite of cases, played by the simulator and by real players, and where they
//! differ.
//!
//! A [`Case`] is a scenario. A [`Recording`](playsim_check::recording::Recording) of it comes from
//! a page in a browser; [`judge`] compares the two, [`fit()`] finds the knobs that bring the
//! simulator nearest to a player over all cases.

mod baseline;
mod case;
mod cell;
mod evidence;
mod fit;
mod gather;
mod matrix;
mod outcome;
mod page;
mod played;
pub mod report;
mod settings;
mod shared;
pub mod stage;

pub use baseline::Expectations;
pub use case::{Behaviour, Case};
pub use cell::{Cell, Explained, RuleOf, Verdict, judge};
pub use evidence::{CellEvidence, CellFault, Said, SaidLevel, Screenshot};
pub use fit::{
    Agreement, Fit, FitOptions, FittedKnob, HeldOut, Suggestion, fit, measure, measurement,
    nearest, suggest,
};
pub use gather::{FoundPlayer, Gathered, RecordingFile};
pub use matrix::{FolderPage, MatrixPage};
pub use outcome::{CellOutcome, Change};
pub use page::foreign_hosts;
pub use played::are_played;
pub use playsim_check::compare::{CasePlace, Difference, DifferenceKind, Importance};
pub use playsim_check::recording::Tolerance;
pub use report::{Recorded, Report};
pub use settings::FittedSetting;
pub use shared::SharedDifference;
