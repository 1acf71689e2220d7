//! Where the ads in force have their places in the content, by position: looked up at each cue
//! point, and made once.
//!
//! Rules: CUE-2, CUE-8, REQ-15.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::vmap::schedule::PlacedRows;
use playsim_base::time::{Position, Span};

/// The places of the ads in force, for a duration of the content.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) duration: Option<Span>,
    /// The mid-rolls of ad objects, ascending and each once.
    pub(super) cues: Vec<Position>,
    pub(super) mid_rolls: PlacedSlots,
    pub(super) overlays: PlacedSlots,
    pub(super) vmap: PlacedRows,
}

/// The slots of one type by their positions.
#[derive(Debug)]
pub(super) struct PlacedSlots {
    /// The indexes in the level that is in force.
    at: BTreeMap<Position, Vec<usize>>,
    /// The most slots of the player level at one position.
    pub(super) most_at_player_level: u32,
}

/// The places that were made last. They follow from the schedule, and so are no part of its state.
#[derive(Debug, Default)]
pub(crate) struct KnownPlaces(Mutex<Option<Arc<Places>>>);

impl Clone for KnownPlaces {
    fn clone(&self) -> KnownPlaces {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        KnownPlaces(Mutex::new(known.clone()))
    }
}

impl Hash for KnownPlaces {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl KnownPlaces {
    /// The schedule has changed.
    pub(super) fn forget(&mut self) {
        *self = KnownPlaces::default();
    }
}

impl KnownPlaces {
    /// Returns the places for a duration, and makes them if they are not known.
    pub(super) fn get(&self, duration: Option<Span>, make: impl FnOnce() -> Places) -> Arc<Places> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(places) if places.duration == duration => Arc::clone(places),
            Some(_) | None => Arc::clone(known.insert(Arc::new(make()))),
        }
    }
}

impl PlacedSlots {
    /// Places slots by their positions; `of_player` are those of the player level.
    pub(super) fn of(
        in_force: impl Iterator<Item = (usize, Position)>,
        of_player: impl Iterator<Item = (usize, Position)>,
    ) -> PlacedSlots {
        let by_position = |slots: &mut dyn Iterator<Item = (usize, Position)>| {
            let mut at: BTreeMap<Position, Vec<usize>> = BTreeMap::new();
            for (index, position) in slots {
                at.entry(position).or_default().push(index);
            }
            at
        };
        let most = by_position(&mut { of_player }).into_values();
        let most = most.map(|slots| slots.len()).max().unwrap_or(0);
        PlacedSlots {
            at: by_position(&mut { in_force }),
            most_at_player_level: u32::try_from(most).unwrap_or(u32::MAX),
        }
    }

    /// Returns the indexes of the slots at a position.
    pub(super) fn at(&self, position: Position) -> &[usize] {
        self.at.get(&position).map_or(&[], Vec::as_slice)
    }
}
