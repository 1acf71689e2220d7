//! Two lists whose entries go together by their order: custom parameters, chapters.
//!
//! One empty entry in each is no entry: so a list is emptied, which a form cannot say otherwise.
//!
//! Rules: EDIT-12, EDIT-30 to EDIT-33, CH-9, CON-35.

use std::sync::Arc;

use super::FieldError;
use super::read::mistake;
use super::sort::{Role, Sent};
use crate::api::{Fields, Value};
use crate::catalog::Fault;
use crate::knobs::ChapterCounts;
use crate::rule;
use crate::video::read_timestamp;

/// Both lists, with their names.
struct Both<'a> {
    first: (String, Vec<&'a Arc<str>>),
    second: (String, Vec<&'a Arc<str>>),
}

impl<'a> Both<'a> {
    fn of(sent: &'a Sent) -> Both<'a> {
        let (first, second) = sent.field.kind.lists().unwrap_or_default();
        let list = |name: &str, role: Role| {
            let values = sent.values.iter().filter(|value| value.role == role);
            (format!("{}[{name}][]", sent.name), values.map(|value| &value.text).collect())
        };
        Both { first: list(first, Role::First), second: list(second, Role::Second) }
    }

    /// Whether there is one empty entry in each.
    fn is_empty(&self) -> bool {
        let is_blank = |list: &[&Arc<str>]| matches!(list, [only] if only.is_empty());
        is_blank(&self.first.1) && is_blank(&self.second.1)
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, &Arc<str>, &Arc<str>)> {
        self.first.1.iter().zip(&self.second.1).enumerate().map(|(at, (one, other))| (at, *one, *other))
    }
}

/// Keys and values. Rules EDIT-30, EDIT-32.
///
/// # Errors
///
/// A key without a value, a value without a key, an empty key.
pub(super) fn parameters(sent: &Sent) -> Result<Vec<Value>, Vec<FieldError>> {
    let both = Both::of(sent);
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let rule = rule!("EDIT-30");
    let ((keys_name, keys), (values_name, values)) = (&both.first, &both.second);
    let mut errors = Vec::new();
    if let Some(key) = keys.get(values.len()) {
        let message = format!(
            "custom parameter \"{key}\" has no value; send as many of {values_name} as of {keys_name}"
        );
        errors.push(FieldError {
            field: values_name.as_str().into(),
            code: "key_without_value",
            message,
            rule,
        });
    }
    if let Some(value) = values.get(keys.len()) {
        let message = format!(
            "the custom parameter with value \"{value}\" has no key; send as many of {keys_name} as of {values_name}"
        );
        errors.push(FieldError {
            field: keys_name.as_str().into(),
            code: "value_without_key",
            message,
            rule,
        });
    }
    if keys.iter().any(|key| key.is_empty()) {
        let fault =
            Fault::new("empty", "the key of a custom parameter is a text that is not empty, like \"genre\"");
        errors.push(mistake(keys_name, "", fault, rule));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(both.pairs().map(|(_, key, value)| Value::List(vec![Value::from(key), Value::from(value)])).collect())
}

/// Timestamps and titles. Rule EDIT-33.
///
/// # Errors
///
/// Unequal numbers of them, unless the knob takes those; a time that is none.
pub(super) fn chapters(sent: &Sent, counts: ChapterCounts) -> Result<Vec<Value>, Vec<FieldError>> {
    let both = Both::of(sent);
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let ((times_name, times), (titles_name, titles)) = (&both.first, &both.second);
    let mut errors = Vec::new();
    if times.len() != titles.len() && counts == ChapterCounts::Error {
        let fewer = if times.len() < titles.len() { times_name } else { titles_name };
        let message = format!(
            "there are {} of {times_name} and {} of {titles_name}; every chapter has a time and a title",
            times.len(),
            titles.len()
        );
        let (field, code, rule) = (fewer.as_str().into(), "unequal_counts", rule!("EDIT-33"));
        errors.push(FieldError { field, code, message, rule });
    }
    for (at, time) in times.iter().enumerate() {
        let is_left_over = counts == ChapterCounts::Shortest && at >= titles.len();
        if read_timestamp(time).is_none() && !is_left_over {
            let due = format!(
                "the time of chapter {} is none; a time is like \"90\", \"1:30\" or \"0:01:30.5\"",
                at + 1
            );
            errors.push(mistake(times_name, time, Fault::new("bad_timestamp", due), rule!("EDIT-33")));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let chapter = |(_, time, title): (usize, &Arc<str>, &Arc<str>)| {
        Value::Map(Fields::one("timestamp", time).with("title", title))
    };
    Ok(both.pairs().map(chapter).collect())
}
