//! The outcome of a cell, in a form that can be stored: for a baseline, and to compare repeated
//! recordings.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The word of a cell that agrees.
pub(super) const SAME: &str = "same";
/// The word of a cell that does not.
pub(super) const DIFFERS: &str = "differs";
/// The word of a cell that says nothing.
pub(super) const UNKNOWN: &str = "unknown";

/// The outcome of a cell, without times, which is compared with a baseline and between repeated
/// recordings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellOutcome {
    /// `same`, `differs`, `not played`, `unknown`.
    pub verdict: String,
    /// The differences, in alphabetical order.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub differences: BTreeSet<String>,
    /// The rules that are broken.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub faults: BTreeSet<String>,
}

/// The change since the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was in order, or not there, and is not in order now.
    New,
    /// It was not in order, and is now.
    Fixed,
    /// It was not in order, and is not in another way: other differences, other rules.
    Changed,
}

impl Change {
    /// Returns its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Fixed => "fixed",
            Change::Changed => "changed",
        }
    }
}

impl CellOutcome {
    /// Returns whether it says something about the player.
    pub(super) fn is_known(&self) -> bool {
        self.verdict != UNKNOWN
    }

    /// Returns whether nothing is wrong.
    pub(super) fn is_clean(&self) -> bool {
        self.verdict == SAME && self.faults.is_empty()
    }
}
