//! How a run asks for its knobs: each reading is noted.
//!
//! The parts of a run are given a [`KnobReader`] and never the [`Knobs`] themselves, so that no
//! reading goes unnoted. A knob that a run has not read cannot have changed it.
//!
//! Rules: INV-26.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::table::{KNOBS, Knobs};
use super::values::{AskAhead, Limit};
use super::{Knob, KnobError};

/// How many words hold a bit for each knob.
const WORDS: usize = KNOBS.len().div_ceil(64);

/// The knobs of a run. Its methods, one for each knob, read a value and note that it was read.
/// Clones share their notes, as the players of a run do.
#[derive(Debug, Clone, Default)]
pub struct KnobReader(Arc<Noted>);

#[derive(Debug, Default)]
struct Noted {
    values: Knobs,
    read: [AtomicU64; WORDS],
}

/// The knobs of a run never change, and what was read of them decides nothing.
impl std::hash::Hash for KnobReader {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl From<Knobs> for KnobReader {
    fn from(values: Knobs) -> KnobReader {
        KnobReader(Arc::new(Noted {
            values,
            read: Default::default(),
        }))
    }
}

impl KnobReader {
    /// Returns the values, for the one reading of the knob in this place of the table.
    #[inline]
    pub(super) fn note(&self, place: usize) -> &Knobs {
        let (word, bit) = (&self.0.read[place / 64], 1 << (place % 64));
        // Nearly always it was read before, and then nothing is written.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        &self.0.values
    }

    /// Returns the knobs that were read so far, in the order of the table.
    pub fn noted(&self) -> impl Iterator<Item = &'static Knob> + '_ {
        let is_read =
            |place: usize| self.0.read[place / 64].load(Ordering::Relaxed) >> (place % 64) & 1 == 1;
        KNOBS
            .iter()
            .enumerate()
            .filter(move |(place, _)| is_read(*place))
            .map(|(_, knob)| knob)
    }

    /// Checks the values as [`Knobs::check`] does. Nothing is noted: it decides nothing.
    ///
    /// # Errors
    ///
    /// The first knob with an invalid value.
    pub fn check(&self) -> Result<(), KnobError> {
        self.0.values.check()
    }

    /// Returns the names and values of the knobs that differ from the default, for the header of a
    /// trace. Nothing is noted.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        self.0.values.differing()
    }

    /// Returns whether any break may be requested ahead of its cue point, while another one is
    /// open. Rules PRD-26, PRD-30.
    #[must_use]
    pub fn asks_ahead(&self) -> bool {
        [self.midroll_ask(), self.postroll_ask()]
            .iter()
            .any(|ask| *ask != AskAhead::AtCue)
    }

    /// Returns how long a pre-roll may take until its first ad is ready. Rule PRD-33.
    #[must_use]
    pub fn pre_roll_limit(&self) -> Limit {
        self.preroll_timeout().or(self.ad_break_timeout())
    }

    /// Returns how long a post-roll may take until its first ad is ready. Rule PRD-33.
    #[must_use]
    pub fn post_roll_limit(&self) -> Limit {
        self.postroll_timeout().or(self.ad_break_timeout())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_noted_once_and_for_all_clones() {
        let knobs = KnobReader::default();
        assert_eq!(knobs.noted().count(), 0);
        let player = knobs.clone();
        assert!(!player.ended_pause_event().is_on());
        assert!(!player.ended_pause_event().is_on());
        let names: Vec<&str> = knobs.noted().map(|knob| knob.name).collect();
        assert_eq!(names, ["ended.pause_event"]);
        assert_eq!(KnobReader::default().noted().count(), 0);
    }

    #[test]
    fn what_only_shows_the_knobs_notes_nothing() {
        let knobs = KnobReader::from(Knobs {
            ad_attempts: 11,
            ..Knobs::default()
        });
        assert!(knobs.check().is_err());
        assert_eq!(knobs.differing().count(), 1);
        assert_eq!(knobs.noted().count(), 0);
    }
}
