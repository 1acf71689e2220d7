//! The keys by which lines are compared: two lines are the same if their keys are equal.

use std::fmt::Write;

use super::foreign::Shared;
use super::{Line, Side};
use playsim_api::{Fields, Kind, Value};
use playsim_trace::Record;

/// Which parts of a line are compared.
#[derive(Clone, Copy)]
pub(super) struct KeyForm<'a> {
    /// Whether data are compared, in addition to kind and name.
    pub(super) exact: bool,
    /// Whether data are compared as text, because one side is in text form.
    pub(super) are_words: bool,
    /// Whether players are compared, because both sides name them.
    pub(super) players: bool,
    /// The fields that are compared, if one side was recorded from a player.
    pub(super) shared: Option<&'a Shared>,
}

/// Returns the key of a line.
pub(super) fn of(side: &Side, line: Line, form: KeyForm<'_>) -> String {
    let record = side.record(line);
    let mut key = String::new();
    if form.players {
        key.push_str(side.container(line));
        key.push('\n');
    }
    let has_words = form.are_words || record.kind == Kind::Outcome;
    if form.exact && has_words {
        let words = &side.words[line.record];
        if record.kind == Kind::Call {
            // JSON lines do not distinguish these values.
            key.push_str(&words.replace("undefined", "null").replace("NaN", "null"));
        } else {
            key.push_str(words);
        }
        return key;
    }
    // The text form does not distinguish actions of the user from changes of the page.
    let kind = if form.are_words && record.kind == Kind::Page {
        Kind::User
    } else {
        record.kind
    };
    let _ = write!(key, "{}\n{}\n", kind.name(), record.name);
    match form.shared {
        Some(shared) if form.exact => {
            let fields = shared.fields(record);
            write_fields(fields.iter().map(|(key, value)| (*key, value)), &mut key);
        }
        None if form.exact => write_fields(fields(record), &mut key),
        Some(_) | None => {}
    }
    key
}

/// Returns the data of a line without the number of its request, which depends on how many requests
/// came before.
pub(crate) fn fields(record: &Record) -> impl Iterator<Item = (&str, &Value)> {
    let is_number = |key: &str| record.kind == Kind::Net && key == "id";
    record
        .data
        .iter()
        .map(|(key, value)| (&**key, value))
        .filter(move |(key, _)| !is_number(key))
}

/// Writes fields sorted by name, because their order does not matter.
pub(crate) fn write_fields<'a>(
    fields: impl Iterator<Item = (&'a str, &'a Value)>,
    key: &mut String,
) {
    let mut fields: Vec<(&str, &Value)> = fields.collect();
    fields.sort_by_key(|(name, _)| *name);
    key.push('{');
    for (name, value) in fields {
        let _ = write!(key, "{name:?}:");
        write_value(value, key);
        key.push(',');
    }
    key.push('}');
}

fn write_value(value: &Value, key: &mut String) {
    if let Some(fields) = value.as_map() {
        write_fields(of_map(fields), key);
    } else if let Some(items) = value.as_list() {
        key.push('[');
        for item in items {
            write_value(item, key);
            key.push(',');
        }
        key.push(']');
    } else {
        // JSON has no other words for these values.
        let _ = match value {
            Value::Undefined | Value::NaN => key.write_str("null"),
            Value::Infinity => key.write_str("\"Infinity\""),
            Value::NegativeInfinity => key.write_str("\"-Infinity\""),
            Value::Text(text) => write!(key, "{:?}", &**text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Function(_) => write!(key, "{value}"),
        };
    }
}

fn of_map(fields: &Fields) -> impl Iterator<Item = (&str, &Value)> {
    fields.iter().map(|(key, value)| (&**key, value))
}
