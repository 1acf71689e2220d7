//! When two lines are the same line: a text for each, equal if they are.

use std::fmt::Write;

use super::{Line, Side};
use crate::api::{Fields, Kind, Value};
use crate::trace::Record;

/// What of a line counts.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// What it carries too, not only kind and name.
    pub(super) exact: bool,
    /// What it carries is compared as words: one side has no more.
    pub(super) are_words: bool,
    /// Whose line it is: both sides say it.
    pub(super) players: bool,
}

/// The text of a line.
pub(super) fn of(side: &Side, line: Line, form: Form) -> String {
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
            // JSON lines do not tell them apart.
            key.push_str(&words.replace("undefined", "null").replace("NaN", "null"));
        } else {
            key.push_str(words);
        }
        return key;
    }
    // A text does not tell what a person does from what the page does.
    let kind = if form.are_words && record.kind == Kind::Page { Kind::User } else { record.kind };
    let _ = write!(key, "{}\n{}\n", kind.name(), record.name);
    if form.exact {
        write_fields(fields(record), &mut key);
    }
    key
}

/// What a line carries, without the number of a request, which says only how many there were before.
pub(super) fn fields(record: &Record) -> impl Iterator<Item = (&str, &Value)> {
    let is_number = |key: &str| record.kind == Kind::Net && key == "id";
    record.data.iter().map(|(key, value)| (&**key, value)).filter(move |(key, _)| !is_number(key))
}

/// Fields by name: their order says nothing.
fn write_fields<'a>(fields: impl Iterator<Item = (&'a str, &'a Value)>, key: &mut String) {
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
    match value {
        Value::Map(fields) => write_fields(of_map(fields), key),
        Value::List(items) => {
            key.push('[');
            for item in items {
                write_value(item, key);
                key.push(',');
            }
            key.push(']');
        }
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::Text(_)
        | Value::Function(_) => {
            let _ = write!(key, "{value}");
        }
    }
}

fn of_map(fields: &Fields) -> impl Iterator<Item = (&str, &Value)> {
    fields.iter().map(|(key, value)| (&**key, value))
}
