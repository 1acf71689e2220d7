//! Reads a form as changes of a record, and finds every mistake in it.
//!
//! Rules: EDIT-8, EDIT-12, EDIT-15 to EDIT-33, EDIT-35, EDIT-40, CON-3, CON-38.

use std::sync::Arc;

use super::journal::mistake;
use super::lists;
use super::sort::{Role, Sent, Sorted};
use super::{Diag, FieldError};
use playsim_api::video::{Field, ID, InvalidValue, OWNER, Shape, ValueSource, fields};
use playsim_api::{Code, Fields, Text, Value};
use playsim_base::escape::shown;
use playsim_base::words;
use playsim_rules::knobs::{ClickthroughConflict, EditBoth, EditLists, KnobReader, UnknownFields};
use playsim_rules::{self as rules, RuleId};

/// The changes that a form requests.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The id in the form, and its place there.
    pub(super) id: Option<(Arc<str>, usize)>,
    /// The account in the form.
    pub(super) partner: Option<Arc<str>>,
    pub(super) changes: Vec<Change>,
    /// Each with the place of its field in the form.
    pub(super) errors: Vec<(usize, FieldError)>,
    pub(super) diags: Vec<Diag>,
    /// The fields as sent, by their names without prefix.
    pub(super) fields: Fields,
}

/// One change of a record.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) field: &'static Field,
    pub(super) value: Value,
    /// The place of the field in the form.
    pub(super) at: usize,
    /// Whether the value is added at the end of the existing list. Rule EDIT-31.
    pub(super) appends: bool,
}

/// The settings by which a form is read.
#[derive(Clone, Copy)]
pub(super) struct Settings<'a> {
    pub(super) knobs: &'a KnobReader,
    /// The channels that exist; `None`: any. Rule EDIT-19.
    pub(super) channels: Option<&'a [u32]>,
}

impl<'a> Settings<'a> {
    pub(super) fn source(self) -> ValueSource<'a> {
        ValueSource::Call {
            knobs: self.knobs,
            channels: self.channels,
        }
    }
}

impl Reading {
    fn wrong(&mut self, at: usize, error: FieldError) {
        self.errors.push((at, error));
    }

    fn note(&mut self, rule: RuleId, code: Code, text: String) {
        self.diags.push(Diag { code, text, rule });
    }
}

/// Reads the fields of a form.
pub(super) fn read(sorted: &Sorted, settings: Settings<'_>) -> Reading {
    let mut reading = Reading::default();
    if settings.knobs.edit_unknown() == UnknownFields::Error {
        for (at, name) in &sorted.unknown {
            let known = fields().flat_map(|field| field.form.iter().copied());
            let message = words::unknown("field of a video", name, known);
            let error = FieldError {
                field: name.clone(),
                code: "unknown_field",
                message,
                rule: rules::EDIT_35,
            };
            reading.wrong(*at, error);
        }
    }
    let mut kept: Vec<&Sent> = Vec::new();
    for sent in &sorted.sent {
        let twin = sorted
            .sent
            .iter()
            .find(|other| other.name == sent.name && other.has_prefix != sent.has_prefix);
        if twin.is_none() || sent.has_prefix {
            kept.push(sent);
        }
        if twin.is_some_and(|twin| twin.at < sent.at) {
            both_ways(sent, settings, &mut reading);
        }
    }
    for sent in &kept {
        show(sent, &mut reading.fields);
        if counts(sent, &kept, settings, &mut reading) {
            field(sent, settings, &mut reading);
        }
    }
    reading
}

/// A field was sent with and without prefix: the one with prefix counts. Rule EDIT-8.
fn both_ways(sent: &Sent, settings: Settings<'_>, reading: &mut Reading) {
    let rule = rules::EDIT_8;
    let name = &sent.name;
    match settings.knobs.edit_both() {
        EditBoth::Prefixed => {
            let text = format!(
                "field \"{name}\" was sent with and without prefix; the one with prefix counts"
            );
            reading.note(rule, Code::SentBothWays, text);
        }
        EditBoth::Error => {
            let message = format!(
                "field \"{name}\" was sent with and without prefix; send it once, like data[Video][{name}]"
            );
            let error = FieldError {
                field: name.clone(),
                code: Code::SentBothWays.name(),
                message,
                rule,
            };
            reading.wrong(sent.at, error);
        }
    }
}

/// Whether this spelling of a field counts. Rules EDIT-17, CON-3.
fn counts(sent: &Sent, all: &[&Sent], settings: Settings<'_>, reading: &mut Reading) -> bool {
    let is_other = |other: &&&Sent| other.field.name == sent.field.name && other.name != sent.name;
    let Some(other) = all
        .iter()
        .find(is_other)
        .filter(|_| sent.field.form.len() > 1)
    else {
        return true;
    };
    let text = |sent: &Sent| {
        sent.values
            .first()
            .map(|value| value.text.clone())
            .unwrap_or_default()
    };
    let is_of_table = *sent.name == *sent.field.form[0];
    if text(sent) == text(other) {
        return is_of_table;
    }
    match settings.knobs.edit_clickthrough_conflict() {
        ClickthroughConflict::TableWins => is_of_table,
        ClickthroughConflict::SampleWins => !is_of_table,
        ClickthroughConflict::Error => {
            if sent.at > other.at {
                let due = format!(
                    "\"{}\" is the same field with another URL; send one of them",
                    other.name
                );
                let fault = InvalidValue::new("two_values", due);
                reading.wrong(
                    sent.at,
                    mistake(&sent.name, &text(sent), fault, rules::EDIT_17),
                );
            }
            false
        }
    }
}

/// Adds a field as it was sent, for journal and trace.
fn show(sent: &Sent, shown: &mut Fields) {
    let mut list = |name: String, role: Role| {
        let texts = sent.values.iter().filter(|value| value.role == role);
        let texts: Vec<Value> = texts.map(|value| Value::from(&value.text)).collect();
        if !texts.is_empty() {
            shown.push(Text::from(name), Value::List(texts));
        }
    };
    if let [(one, _), (other, _)] = sent.field.kind.lists {
        list(format!("{}[{one}][]", sent.name), Role::First);
        list(format!("{}[{other}][]", sent.name), Role::Second);
        return list(sent.name.to_string(), Role::Misplaced);
    }
    match &sent.values[..] {
        [only] if only.role == Role::Only => shown.push(&sent.name, &only.text),
        several => {
            let texts = several
                .iter()
                .map(|value| Value::from(&value.text))
                .collect();
            shown.push(&sent.name, Value::List(texts));
        }
    }
}

/// Reads the value of a field.
fn field(sent: &Sent, settings: Settings<'_>, reading: &mut Reading) {
    let Sent {
        field, name, at, ..
    } = sent;
    if sent
        .values
        .iter()
        .any(|value| value.role == Role::Misplaced)
    {
        let due = match (field.kind.lists, field.kind.keys) {
            ([(one, _), (other, _)], _) => {
                format!("two lists, {name}[{one}][] and {name}[{other}][]")
            }
            (_, [key, ..]) => format!("values by key, like {name}[{key}]"),
            _ => format!("a single value, like {name}={}", field.example),
        };
        let message = format!("field \"{name}\" must be sent as {due}");
        let (field, code, rule) = (name.clone(), "wrong_shape", field.rule);
        return reading.wrong(
            *at,
            FieldError {
                field,
                code,
                message,
                rule,
            },
        );
    }
    let source = settings.source();
    let values = if field.kind.shape == Shape::Pairs {
        lists::parameters(sent, source)
    } else if field.kind.shape == Shape::Chapters {
        lists::chapters(sent, source, settings.knobs.edit_chapter_counts())
    } else {
        return single(sent, source, reading);
    };
    match values {
        Ok(values) => {
            // An empty list clears the field even where lists are appended. EDIT-12
            let appends = settings.knobs.edit_lists() == EditLists::Append && !values.is_empty();
            let value = Value::List(values);
            reading.changes.push(Change {
                field,
                value,
                at: *at,
                appends,
            });
        }
        Err(errors) => reading
            .errors
            .extend(errors.into_iter().map(|error| (*at, error))),
    }
}

/// Reads a field that is one string.
fn single(sent: &Sent, source: ValueSource<'_>, reading: &mut Reading) {
    let Sent {
        field, name, at, ..
    } = sent;
    let text = sent
        .values
        .last()
        .map(|value| value.text.clone())
        .unwrap_or_default();
    let mut value = match field.kind.read(&text, source) {
        Ok(value) => value,
        Err(fault) => return reading.wrong(*at, mistake(name, &text, fault, field.rule)),
    };
    if field.name == ID {
        reading.id = Some((text, *at));
        return;
    }
    if field.name == OWNER {
        reading.partner = Some(text);
    }
    if field.kind.shape == Shape::ByKey {
        let key = name
            .split_once('[')
            .map_or("", |(_, key)| key.trim_end_matches(']'));
        if !field.kind.keys.contains(&key) {
            let text = format!(
                "unknown tracking pixel \"{}\"; it is kept anyway",
                shown(key)
            );
            reading.note(rules::EDIT_29, Code::UnknownPixel, text);
        }
        value = Value::Map(Fields::one(key.to_owned(), value));
    }
    reading.changes.push(Change {
        field,
        value,
        at: *at,
        appends: false,
    });
}
