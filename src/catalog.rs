//! The record store: what is known about each video, by id.
//!
//! A [`Record`] is one video as the edit call knows it; what its fields are called, take and mean is one
//! table, [`fields`](fields()). A [`Catalog`] holds records in the order of their ids. As JSON a record is an
//! object that people read, compare and commit; reading one back refuses what it does not know by name.
//!
//! Nothing here knows of playback, and nothing touches a file.
//!
//! Rules: EDIT-11, EDIT-15 to EDIT-34.

use std::collections::BTreeMap;
use std::sync::Arc;

mod countries;
mod fields;
mod json;
mod kind;
mod text;

pub use crate::video::{AgeGate, Record, RecordState};
pub use fields::{Field, Group, field, fields};
pub use json::RecordError;
pub use kind::{Fault, FieldKind, Reader};

/// Records by id.
///
/// As JSON it is an object with the list `videos`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    records: BTreeMap<Arc<str>, Arc<Record>>,
}

impl Catalog {
    /// No records.
    #[must_use]
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// The record of this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<Record>> {
        self.records.get(id)
    }

    /// Puts a record in, instead of the one of its id; gives that one.
    pub fn insert(&mut self, record: impl Into<Arc<Record>>) -> Option<Arc<Record>> {
        let record = record.into();
        self.records.insert(Arc::clone(&record.id), record)
    }

    /// Takes the record of this id out.
    pub fn remove(&mut self, id: &str) -> Option<Arc<Record>> {
        self.records.remove(id)
    }

    /// Holds these records from here on and no others; of two with one id the later.
    pub fn replace_all<R: Into<Arc<Record>>>(&mut self, records: impl IntoIterator<Item = R>) {
        self.records.clear();
        for record in records {
            self.insert(record);
        }
    }

    /// The records, ascending by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Record>> {
        self.records.values()
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

impl<R: Into<Arc<Record>>> FromIterator<R> for Catalog {
    fn from_iter<I: IntoIterator<Item = R>>(records: I) -> Catalog {
        let mut catalog = Catalog::new();
        catalog.replace_all(records);
        catalog
    }
}
