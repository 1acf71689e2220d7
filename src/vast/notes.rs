//! The warnings of one reading, with their places and their limit.

use std::sync::Arc;

use super::Warning;
use super::places::Places;
use crate::place::Place;

/// So many warnings are kept of one text, those of documents inside it included; what is left out is counted in one more.
pub(crate) const MAX_WARNINGS: usize = 1_000;

/// Warnings under way.
pub(crate) struct Notes<'t> {
    pub(crate) places: &'t Places<'t>,
    warnings: Vec<Warning>,
    /// How many were split off.
    apart: usize,
    left_out: usize,
}

impl<'t> Notes<'t> {
    pub(crate) fn new(places: &'t Places<'t>) -> Notes<'t> {
        Notes { places, warnings: Vec::new(), apart: 0, left_out: 0 }
    }

    /// Notes something tolerated at a byte.
    pub(crate) fn warn(&mut self, at: usize, code: &'static str, text: impl Into<Arc<str>>) {
        if self.warnings.len() + self.apart < MAX_WARNINGS {
            self.warnings.push(Warning { code, text: text.into(), at: self.places.of(at) });
        } else {
            self.left_out += 1;
        }
    }

    /// How many warnings there are here.
    pub(crate) fn mark(&self) -> usize {
        self.warnings.len()
    }

    /// The warnings noted since a mark, in document order: they belong to a document inside this one.
    pub(crate) fn split_off(&mut self, mark: usize) -> Vec<Warning> {
        let mut warnings = self.warnings.split_off(mark);
        self.apart += warnings.len();
        warnings.sort_by_key(|warning| warning.at);
        warnings
    }

    /// Warnings of a document that was read by itself: as many as the limit still allows.
    pub(crate) fn count_apart(&mut self, mut warnings: Vec<Warning>) -> Vec<Warning> {
        let room = MAX_WARNINGS.saturating_sub(self.warnings.len() + self.apart);
        self.left_out += warnings.len().saturating_sub(room);
        warnings.truncate(room);
        self.apart += warnings.len();
        warnings
    }

    /// The warnings in document order.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        self.warnings.sort_by_key(|warning| warning.at);
        if self.left_out > 0 {
            let text = format!("{} more warnings; {MAX_WARNINGS} are kept", self.left_out);
            let at = self.warnings.last().map_or(Place { line: 1, column: 1 }, |warning| warning.at);
            self.warnings.push(Warning { code: "warnings-left-out", text: text.into(), at });
        }
        self.warnings
    }
}
