//! Fields that are sent as two lists, whose entries are paired by their order: custom parameters,
//! chapters.
//!
//! One empty entry in each list means no entries, because a form cannot send an empty list.
//!
//! Rules: EDIT-12, EDIT-30 to EDIT-33, CH-9, CON-35.

use std::sync::Arc;

use super::FieldError;
use super::journal::mistake;
use super::sort::{Role, Sent};
use playsim_api::video::{FieldKind, ValueSource};
use playsim_api::{Fields, Value};
use playsim_base::escape::shown;
use playsim_rules::knobs::ChapterCounts;
use playsim_rules::{self as rules, RuleId};

/// Both lists, with their names.
struct Both<'a> {
    kind: &'static FieldKind,
    first: (String, Vec<&'a Arc<str>>),
    second: (String, Vec<&'a Arc<str>>),
}

impl<'a> Both<'a> {
    fn of(sent: &'a Sent) -> Both<'a> {
        let list = |number: usize, role: Role| {
            let name = sent
                .field
                .kind
                .lists
                .get(number)
                .map_or("", |(name, _)| name);
            let values = sent.values.iter().filter(|value| value.role == role);
            (
                format!("{}[{name}][]", sent.name),
                values.map(|value| &value.text).collect(),
            )
        };
        Both {
            kind: sent.field.kind,
            first: list(0, Role::First),
            second: list(1, Role::Second),
        }
    }

    /// Adds the errors in these entries of the first list.
    fn check(
        &self,
        entries: &[&Arc<str>],
        source: ValueSource<'_>,
        rule: RuleId,
        errors: &mut Vec<FieldError>,
    ) {
        for entry in entries {
            let error = self
                .kind
                .read(entry, source)
                .map_err(|fault| mistake(&self.first.0, entry, fault, rule));
            errors.extend(error.err().filter(|error| !errors.contains(error)));
        }
    }

    /// Whether each list is one empty entry.
    fn is_empty(&self) -> bool {
        let is_blank = |list: &[&Arc<str>]| matches!(list, [only] if only.is_empty());
        is_blank(&self.first.1) && is_blank(&self.second.1)
    }

    fn pairs(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>)> {
        self.first
            .1
            .iter()
            .copied()
            .zip(self.second.1.iter().copied())
    }
}

/// Reads keys and values. Rules EDIT-30, EDIT-32.
///
/// # Errors
///
/// A key without a value, a value without a key, an empty key.
pub(super) fn parameters(
    sent: &Sent,
    source: ValueSource<'_>,
) -> Result<Vec<Value>, Vec<FieldError>> {
    let both = Both::of(sent);
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let rule = rules::EDIT_30;
    let ((keys_name, keys), (values_name, values)) = (&both.first, &both.second);
    let mut errors = Vec::new();
    if let Some(key) = keys.get(values.len()) {
        let key = shown(key);
        let message =
            format!("key \"{key}\" has no value; send as many of {values_name} as of {keys_name}");
        let (field, code) = (values_name.as_str().into(), "key_without_value");
        errors.push(FieldError {
            field,
            code,
            message,
            rule,
        });
    }
    if let Some(value) = values.get(keys.len()) {
        let value = shown(value);
        let message = format!(
            "value \"{value}\" has no key; send as many of {keys_name} as of {values_name}"
        );
        let (field, code) = (keys_name.as_str().into(), "value_without_key");
        errors.push(FieldError {
            field,
            code,
            message,
            rule,
        });
    }
    both.check(keys, source, rule, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(both
        .pairs()
        .map(|(key, value)| Value::List(vec![Value::from(key), Value::from(value)]))
        .collect())
}

/// Reads timestamps and titles; a chapter without a title has an empty one. Rule EDIT-33.
///
/// # Errors
///
/// A title without a timestamp, depending on the knob a timestamp without a title, and an invalid
/// timestamp.
pub(super) fn chapters(
    sent: &Sent,
    source: ValueSource<'_>,
    counts: ChapterCounts,
) -> Result<Vec<Value>, Vec<FieldError>> {
    let both = Both::of(sent);
    let ((times_name, times), (titles_name, titles)) = (&both.first, &both.second);
    let is_title_optional = counts == ChapterCounts::TitleOptional;
    if both.is_empty()
        || (is_title_optional && titles.is_empty() && matches!(**times, [only] if only.is_empty()))
    {
        return Ok(Vec::new());
    }
    let mut errors = Vec::new();
    let is_unequal = match counts {
        ChapterCounts::TitleOptional => times.len() < titles.len(),
        ChapterCounts::Error => times.len() != titles.len(),
        ChapterCounts::Shortest => false,
    };
    if is_unequal {
        let fewer = if times.len() < titles.len() {
            times_name
        } else {
            titles_name
        };
        let due = if is_title_optional {
            "every title needs a timestamp"
        } else {
            "every chapter needs a timestamp and a title"
        };
        let message = format!(
            "{} of {times_name} and {} of {titles_name} were sent; {due}",
            times.len(),
            titles.len()
        );
        let (field, code, rule) = (fewer.as_str().into(), "unequal_counts", rules::EDIT_33);
        errors.push(FieldError {
            field,
            code,
            message,
            rule,
        });
    }
    let kept = if counts == ChapterCounts::Shortest {
        times.len().min(titles.len())
    } else {
        times.len()
    };
    both.check(&times[..kept], source, rules::EDIT_33, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let untitled: Arc<str> = Arc::from("");
    let titles = titles.iter().copied().chain(std::iter::repeat(&untitled));
    let chapter = |(time, title): (&&Arc<str>, &Arc<str>)| {
        Value::Map(Fields::one("timestamp", *time).with("title", title))
    };
    Ok(times[..kept].iter().zip(titles).map(chapter).collect())
}
