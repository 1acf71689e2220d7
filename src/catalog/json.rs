//! Records as JSON: what people read, compare and commit.
//!
//! Every field of the table stands there, in the table's order and under its name; audience measurement
//! only where there is something in it. Reading is strict: a field that nobody knows, or that is not
//! formed as the edit call asks, is refused by its name. A field left out has what a new record has.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-33.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value as Json;

use super::kind::{Fault, FieldKind, Reader};
use super::{Catalog, Field, Group, Record, field, fields};
use crate::api::{Fields, Text, Value};
use crate::knobs::{GeoList, Knobs};
use crate::video::read_timestamp;
use crate::words;

/// Why a JSON value is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RecordError {
    /// The field; empty if it is the whole.
    pub field: String,
    /// A sentence that names the field, what was found, and what was due.
    pub message: String,
}

impl RecordError {
    fn new(field: &str, message: String) -> RecordError {
        RecordError { field: field.to_owned(), message }
    }
}

impl Record {
    /// All its fields, in the order of the table.
    #[must_use]
    pub fn to_fields(&self) -> Fields {
        let is_shown = |(field, value): &(Field, Value)| {
            let is_measurement =
                matches!(field.kind, FieldKind::Text | FieldKind::AirDate | FieldKind::TextFlag);
            !is_measurement || value.as_text().is_some_and(|text| !text.is_empty())
        };
        let all = fields().map(|field| (field, field.get(self))).filter(is_shown);
        all.map(|(field, value)| (Text::from(field.name), value)).collect()
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, in the order of the names.
    pub fn read(json: &Json) -> Result<Record, Vec<RecordError>> {
        let Json::Object(entries) = json else {
            let message = format!("a record is {}; it is an object, like {{ \"id\": \"v1\" }}", found(json));
            return Err(vec![RecordError::new("", message)]);
        };
        let mut record = Record::default();
        let mut errors = Vec::new();
        // Countries are those of the list only where they are sent: a record may have come by the knob.
        let knobs = Knobs { edit_geo_list: GeoList::AnyTwoLetters, ..Knobs::default() };
        let reader = Reader { knobs: &knobs, channels: None };
        let names: Vec<&str> = fields().map(|field| field.name).collect();
        for (name, json) in entries {
            let Some(field) = field(name) else {
                let message = words::unknown("field of a record", name, names.iter().copied());
                errors.push(RecordError::new(name, message));
                continue;
            };
            // Its other spelling would be lost without a word. CON-3
            let twin =
                field.form.iter().find(|other| **other != name.as_str() && entries.contains_key(**other));
            if let Some(twin) = twin.filter(|_| field.group == Group::Video && name != field.name) {
                let message =
                    format!("field \"{name}\" and field \"{twin}\" are one; a record has one of them");
                errors.push(RecordError::new(name, message));
                continue;
            }
            match read(field.kind, json, reader) {
                Ok(value) => field.set(&mut record, &value),
                Err(fault) => {
                    let message = format!("field \"{name}\" is {}; {}", found(json), fault.due);
                    errors.push(RecordError::new(name, message));
                }
            }
        }
        if !entries.contains_key("id") {
            let message = "a record has no \"id\"; it needs one, like \"id\": \"v1\"";
            errors.push(RecordError::new("id", message.to_owned()));
        }
        if errors.is_empty() { Ok(record) } else { Err(errors) }
    }
}

/// What stands there, for messages.
fn found(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => truth.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => {
            let shown: String = text.chars().take(60).collect();
            format!("{shown:?}")
        }
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

/// Reads the JSON value of a field.
fn read(kind: FieldKind, json: &Json, reader: Reader<'_>) -> Result<Value, Fault> {
    let wrong = || Fault::new("wrong_type", format!("it takes {}", kind.takes()));
    match kind {
        FieldKind::Id => json.as_str().ok_or_else(wrong).and_then(|text| kind.read(text, reader)),
        // A record need not have a name: a scenario's may be without.
        FieldKind::Name => text(json).map(|text| Value::from(text.to_owned())).ok_or_else(wrong),
        FieldKind::Owner
        | FieldKind::Text
        | FieldKind::AirDate
        | FieldKind::TextFlag
        | FieldKind::Tags
        | FieldKind::Address
        | FieldKind::Date
        | FieldKind::EndDate => text(json).ok_or_else(wrong).and_then(|text| kind.read(text, reader)),
        FieldKind::Channel | FieldKind::AgeGate | FieldKind::Flag | FieldKind::Switch => match json {
            Json::Null => Ok(Value::Null),
            Json::Number(number) => kind.read(&number.to_string(), reader),
            Json::String(text) => kind.read(text, reader),
            Json::Bool(truth) if matches!(kind, FieldKind::Flag | FieldKind::Switch) => {
                Ok(Value::from(u8::from(*truth)))
            }
            Json::Bool(_) | Json::Array(_) | Json::Object(_) => Err(wrong()),
        },
        FieldKind::Countries => match json {
            Json::Array(items) => {
                let codes: Option<Vec<&str>> = items.iter().map(Json::as_str).collect();
                codes.ok_or_else(wrong).and_then(|codes| kind.read(&codes.join(","), reader))
            }
            Json::Null | Json::String(_) | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
                text(json).ok_or_else(wrong).and_then(|text| kind.read(text, reader))
            }
        },
        FieldKind::Pixels => pixels(json).ok_or_else(|| {
            Fault::new(
                "wrong_type",
                "pixels are texts by key, like { \"impression\": \"https://pixels.test/i\" }",
            )
        }),
        FieldKind::Pairs => pairs(json).ok_or_else(|| {
            Fault::new("wrong_type", "custom parameters are keys and values, like [[\"genre\", \"news\"]]")
        }),
        FieldKind::Chapters => chapters(json).ok_or_else(|| {
            let due =
                "chapters are times and titles, like [{ \"timestamp\": \"0:40\", \"title\": \"Middle\" }]";
            Fault::new("wrong_type", due)
        }),
    }
}

/// A text; nothing at all is an empty one.
fn text(json: &Json) -> Option<&str> {
    if json.is_null() { Some("") } else { json.as_str() }
}

fn pixels(json: &Json) -> Option<Value> {
    if json.is_null() {
        return Some(Value::Map(Fields::NONE));
    }
    let pixel = |(key, json): (&String, &Json)| {
        Some((Text::from(key.clone()), Value::from(json.as_str()?.to_owned())))
    };
    json.as_object()?.iter().map(pixel).collect::<Option<Fields>>().map(Value::Map)
}

fn pairs(json: &Json) -> Option<Value> {
    let pair = |key: &str, value: &Json| {
        let both = vec![Value::from(key.to_owned()), Value::from(value.as_str()?.to_owned())];
        (!key.is_empty()).then_some(Value::List(both))
    };
    let pairs: Option<Vec<Value>> = match json {
        Json::Null => Some(Vec::new()),
        Json::Object(entries) => entries.iter().map(|(key, value)| pair(key, value)).collect(),
        Json::Array(items) => {
            let item = |item: &Json| match item.as_array()?.as_slice() {
                [key, value] => pair(key.as_str()?, value),
                _ => None,
            };
            items.iter().map(item).collect()
        }
        Json::Bool(_) | Json::Number(_) | Json::String(_) => None,
    };
    pairs.map(Value::List)
}

fn chapters(json: &Json) -> Option<Value> {
    if json.is_null() {
        return Some(Value::List(Vec::new()));
    }
    let chapter = |json: &Json| {
        let entries = json.as_object()?;
        if entries.keys().any(|key| key != "timestamp" && key != "title") {
            return None;
        }
        let timestamp = entries.get("timestamp")?.as_str().filter(|text| read_timestamp(text).is_some())?;
        let title = entries.get("title").map_or(Some(""), Json::as_str)?;
        Some(Value::Map(Fields::one("timestamp", timestamp.to_owned()).with("title", title.to_owned())))
    };
    json.as_array()?.iter().map(chapter).collect::<Option<_>>().map(Value::List)
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_fields().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Record::read(&json).map_err(|errors| D::Error::custom(Together(&errors)))
    }
}

/// Several errors in one line.
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
        let records: Vec<&Record> = self.iter().map(|record| &**record).collect();
        catalog.serialize_field("videos", &records)?;
        catalog.end()
    }
}

impl<'de> Deserialize<'de> for Catalog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Catalog, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            videos: Vec<Record>,
        }
        let Written { videos } = Written::deserialize(deserializer)?;
        let mut catalog = Catalog::new();
        for record in videos {
            if let Some(twice) = catalog.insert(record) {
                return Err(D::Error::custom(format!("record \"{}\" stands there twice", twice.id)));
            }
        }
        Ok(catalog)
    }
}
