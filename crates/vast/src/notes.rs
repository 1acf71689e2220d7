//! Collects the warnings of one document, up to a limit.

use std::sync::Arc;

use super::places::{ByteOffset, Places};
use super::{Warning, WarningCode};
use playsim_base::place::Place;

/// The number of warnings kept for one document and those embedded in it; one more counts the rest.
pub(crate) const MAX_WARNINGS: usize = 1_000;

/// The warnings so far.
pub(crate) struct Notes<'t> {
    pub(crate) places: &'t Places<'t>,
    warnings: Vec<Warning>,
    /// The number of warnings that belong to embedded documents.
    apart: usize,
    left_out: usize,
}

impl<'t> Notes<'t> {
    pub(crate) fn new(places: &'t Places<'t>) -> Notes<'t> {
        Notes {
            places,
            warnings: Vec::new(),
            apart: 0,
            left_out: 0,
        }
    }

    /// Adds a warning at a byte offset.
    pub(crate) fn warn_at(&mut self, at: ByteOffset, code: WarningCode, text: impl Into<Arc<str>>) {
        self.warn(|places| places.of(at), code, text);
    }

    /// Adds a warning at a place.
    pub(crate) fn warn_in(&mut self, at: Place, code: WarningCode, text: impl Into<Arc<str>>) {
        self.warn(|_| at, code, text);
    }

    /// Adds a warning; beyond the limit its place is not looked for.
    fn warn(
        &mut self,
        at: impl FnOnce(&Places<'_>) -> Place,
        code: WarningCode,
        text: impl Into<Arc<str>>,
    ) {
        if self.warnings.len() + self.apart < MAX_WARNINGS {
            self.warnings.push(Warning {
                code,
                text: text.into(),
                at: at(self.places),
            });
        } else {
            self.left_out += 1;
        }
    }

    /// The number of warnings so far, for [`split_off`](Notes::split_off).
    pub(crate) fn mark(&self) -> usize {
        self.warnings.len()
    }

    /// Removes the warnings since a mark, in document order: they belong to an embedded document.
    pub(crate) fn split_off(&mut self, mark: usize) -> Vec<Warning> {
        let mut warnings = self.warnings.split_off(mark);
        self.apart += warnings.len();
        warnings.sort_by_key(|warning| warning.at);
        warnings
    }

    /// Counts the warnings of an embedded document that was read separately, and cuts them at the
    /// limit.
    pub(crate) fn count_apart(&mut self, mut warnings: Vec<Warning>) -> Vec<Warning> {
        let room = MAX_WARNINGS.saturating_sub(self.warnings.len() + self.apart);
        self.left_out += warnings.len().saturating_sub(room);
        warnings.truncate(room);
        self.apart += warnings.len();
        warnings
    }

    /// Returns the warnings in document order.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        self.warnings.sort_by_key(|warning| warning.at);
        if self.left_out > 0 {
            let text = format!(
                "{} more warnings; only {MAX_WARNINGS} are kept",
                self.left_out
            );
            let at = self
                .warnings
                .last()
                .map_or(Place { line: 1, column: 1 }, |warning| warning.at);
            self.warnings.push(Warning {
                code: WarningCode::WarningsLeftOut,
                text: text.into(),
                at,
            });
        }
        self.warnings
    }
}
