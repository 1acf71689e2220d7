//! Records as JSON, for people to read, compare and commit.
//!
//! JSON has every field of the table, in the table's order and under its name, but audience
//! measurement only where it is not empty. Reading is strict: an unknown field is an error, and so
//! is a value that the edit call would refuse. An omitted field has the value of a new record.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-33.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value as Json;

use super::{Catalog, Group, VideoRecord, field, fields};
use crate::video::{ID, ValueSource, proposing};
use crate::{Fields, Text};
use playsim_base::words;

/// Why a JSON value is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct RecordError {
    /// The field; empty if the whole value is wrong.
    pub field: String,
    /// The error, with the field and the accepted values.
    pub message: String,
}

impl RecordError {
    fn new(field: &str, message: String) -> RecordError {
        RecordError {
            field: field.to_owned(),
            message,
        }
    }
}

impl VideoRecord {
    /// Returns all its fields, in the order of the table.
    #[must_use]
    pub fn to_fields(&self) -> Fields {
        let all = fields().map(|field| (field, field.get(self)));
        let shown = all.filter(|(field, value)| {
            !field.is_measured || value.as_text().is_some_and(|text| !text.is_empty())
        });
        shown
            .map(|(field, value)| (Text::from(field.name), value))
            .collect()
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, in the order of the names.
    pub fn read(json: &Json) -> Result<VideoRecord, Vec<RecordError>> {
        let Json::Object(entries) = json else {
            let message = "a record must be an object, like { \"id\": \"v1\" }";
            return Err(vec![RecordError::new("", message.to_owned())]);
        };
        let mut record = VideoRecord::default();
        let mut errors = Vec::new();
        for (name, json) in entries {
            let Some(field) = field(name) else {
                let names = fields().map(|field| field.name);
                errors.push(RecordError::new(
                    name,
                    words::unknown("field of a record", name, names),
                ));
                continue;
            };
            // Otherwise one of the two values would be lost silently. CON-3
            let other = field
                .form
                .iter()
                .find(|other| **other != *name && entries.contains_key(**other));
            if let Some(other) =
                other.filter(|_| field.group == Group::Video && *name != field.name)
            {
                let message = format!(
                    "\"{name}\" and \"{other}\" are the same field; a record has one of them"
                );
                errors.push(RecordError::new(name, message));
                continue;
            }
            let value = field.read(json, name, ValueSource::Catalog, &mut |wrong| {
                errors.push(RecordError::new(
                    name,
                    proposing(wrong.message, wrong.meant.as_deref()),
                ));
            });
            if let Some(value) = value {
                field.set(&mut record, &value);
            }
        }
        if !entries.contains_key(ID) {
            let message = "a record has no \"id\"; it needs one, like \"id\": \"v1\"";
            errors.push(RecordError::new(ID, message.to_owned()));
        }
        if errors.is_empty() {
            Ok(record)
        } else {
            Err(errors)
        }
    }
}

impl Serialize for VideoRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_fields().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for VideoRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VideoRecord, D::Error> {
        let json = Json::deserialize(deserializer)?;
        VideoRecord::read(&json).map_err(|errors| D::Error::custom(Together(&errors)))
    }
}

/// Several errors on one line.
struct Together<'a>(&'a [RecordError]);

impl fmt::Display for Together<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for Catalog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut catalog = serializer.serialize_struct("Catalog", 1)?;
        let records: Vec<&VideoRecord> = self.iter().map(|record| &**record).collect();
        catalog.serialize_field("videos", &records)?;
        catalog.end()
    }
}

impl<'de> Deserialize<'de> for Catalog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Catalog, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            videos: Vec<VideoRecord>,
        }
        let Written { videos } = Written::deserialize(deserializer)?;
        let mut catalog = Catalog::new();
        for record in videos {
            if let Some(twice) = catalog.insert(record) {
                return Err(D::Error::custom(format!(
                    "duplicate record \"{}\"",
                    twice.id
                )));
            }
        }
        Ok(catalog)
    }
}
