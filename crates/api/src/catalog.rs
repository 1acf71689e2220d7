//! The record store: the records of all videos, by id.
//!
//! A [`VideoRecord`] is one video as the edit call knows it; the names of its fields, what they
//! take and what they mean are one table, [`fields`](fields()). A [`Catalog`] holds records in the
//! order of their ids. As JSON a record is an object that people read, compare and commit.
//!
//! Nothing here depends on playback or touches a file.
//!
//! Rules: EDIT-11, EDIT-15 to EDIT-34.

use std::collections::BTreeMap;
use std::sync::Arc;

mod json;

pub use crate::video::{
    AgeGate, Field, FieldKind, Group, InvalidValue, RecordState, Shape, ValueSource, VideoRecord,
    field, fields,
};
pub use json::RecordError;

/// Records by id.
///
/// As JSON it is an object with the list `videos`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Catalog {
    records: BTreeMap<Arc<str>, Arc<VideoRecord>>,
}

impl Catalog {
    /// Returns a catalog without records.
    #[must_use]
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// Returns the record with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<VideoRecord>> {
        self.records.get(id)
    }

    /// Inserts a record, and returns the one with its id that it replaces.
    pub fn insert(&mut self, record: impl Into<Arc<VideoRecord>>) -> Option<Arc<VideoRecord>> {
        let record = record.into();
        self.records.insert(Arc::clone(&record.id), record)
    }

    /// Removes the record with this id, and returns it.
    pub fn remove(&mut self, id: &str) -> Option<Arc<VideoRecord>> {
        self.records.remove(id)
    }

    /// Replaces all records; of two with the same id the later one is kept.
    pub fn replace_all<R: Into<Arc<VideoRecord>>>(&mut self, records: impl IntoIterator<Item = R>) {
        self.records.clear();
        for record in records {
            self.insert(record);
        }
    }

    /// Returns the records, ascending by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<VideoRecord>> {
        self.records.values()
    }

    /// Returns the number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

impl<R: Into<Arc<VideoRecord>>> FromIterator<R> for Catalog {
    fn from_iter<I: IntoIterator<Item = R>>(records: I) -> Catalog {
        let mut catalog = Catalog::new();
        catalog.replace_all(records);
        catalog
    }
}
