//! The items of a player and which of them is in use.
//!
//! A single video is a playlist of one. Rules: PL-1, PL-2, PL-10, CH-12.

use std::sync::Arc;

use crate::api::RequestId;
use crate::video::Video;

/// What a player plays, item by item.
#[derive(Debug, Clone, Default)]
pub(super) struct Playlist {
    items: Vec<Item>,
    index: usize,
    /// Whether the content counts as a playlist: two items or more. Rule PL-10.
    is_list: bool,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The id that the configuration names.
    pub(super) id: Arc<str>,
    /// Its record, as far as it is known.
    pub(super) record: Record,
}

/// What is known of an item's record.
#[derive(Debug, Clone)]
pub(super) enum Record {
    /// It was asked for.
    Pending(RequestId),
    /// It is here.
    Known(Arc<Video>),
    /// There is none.
    Missing,
    /// There was none, and the player was stopped: it is asked for when the item is to be played. Rule STOP-7.
    Stopped,
}

impl Playlist {
    pub(super) fn new(items: Vec<Item>) -> Playlist {
        let is_list = items.len() > 1;
        Playlist { items, index: 0, is_list }
    }

    /// Rule PL-1.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The index of the item in use; `None` if there is none. Rule PL-2.
    pub(super) fn index(&self) -> Option<usize> {
        (self.index < self.items.len()).then_some(self.index)
    }

    pub(super) fn is_list(&self) -> bool {
        self.is_list
    }

    pub(super) fn current(&self) -> Option<&Item> {
        self.items.get(self.index)
    }

    /// The record of the item in use, if it is known.
    pub(super) fn video(&self) -> Option<&Arc<Video>> {
        match &self.current()?.record {
            Record::Known(video) => Some(video),
            Record::Pending(_) | Record::Missing | Record::Stopped => None,
        }
    }

    pub(super) fn next_index(&self) -> Option<usize> {
        (self.index + 1 < self.items.len()).then_some(self.index + 1)
    }

    pub(super) fn previous_index(&self) -> Option<usize> {
        self.index.checked_sub(1)
    }

    pub(super) fn choose(&mut self, index: usize) {
        self.index = index;
    }

    /// Whether a record is still waited for.
    pub(super) fn awaits(&self, id: RequestId) -> bool {
        self.items.iter().any(|item| matches!(item.record, Record::Pending(pending) if pending == id))
    }

    /// Takes the answer to a request for a record. Tells whether it is the current item's.
    pub(super) fn answer(&mut self, id: RequestId, video: Option<Arc<Video>>) -> bool {
        let waits = |item: &Item| matches!(item.record, Record::Pending(pending) if pending == id);
        let Some(index) = self.items.iter().position(waits) else { return false };
        self.items[index].record = video.map_or(Record::Missing, Record::Known);
        index == self.index
    }

    /// Takes back that the current item has no record. No effect otherwise. Rule STOP-7.
    pub(super) fn take_back_failure(&mut self) {
        if let Some(Item { record: record @ Record::Missing, .. }) = self.items.get_mut(self.index) {
            *record = Record::Stopped;
        }
    }

    /// Asks again for the current item's record.
    pub(super) fn retry(&mut self, id: RequestId) {
        if let Some(item) = self.items.get_mut(self.index) {
            item.record = Record::Pending(id);
        }
    }
}
