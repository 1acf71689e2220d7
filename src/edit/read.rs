//! A form read as changes of a record, with every mistake in it.
//!
//! Rules: EDIT-8, EDIT-12, EDIT-15 to EDIT-33, EDIT-35, EDIT-40, CON-3, CON-38.

use std::sync::Arc;

use super::lists;
use super::sort::{Role, Sent, Sorted};
use super::{Diag, FieldError};
use crate::api::{Fields, Text, Value};
use crate::catalog::{Fault, Field, FieldKind, Reader, fields};
use crate::knobs::{ClickthroughConflict, EditBoth, EditLists, UnknownFields};
use crate::rule;
use crate::rules::RuleId;
use crate::video::PIXELS;
use crate::words;

/// What a form asks for.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The id that it names, and where.
    pub(super) id: Option<(Arc<str>, usize)>,
    /// The account that it names.
    pub(super) partner: Option<Arc<str>>,
    pub(super) changes: Vec<Change>,
    /// With their places in the form.
    pub(super) errors: Vec<(usize, FieldError)>,
    pub(super) diags: Vec<Diag>,
    /// The fields as sent, named bare.
    pub(super) fields: Fields,
}

/// One change of a record.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) field: Field,
    pub(super) value: Value,
    /// Where the field stands in the form.
    pub(super) at: usize,
    /// Whether the value goes behind what there is. Rule EDIT-31.
    pub(super) appends: bool,
}

impl Reading {
    fn wrong(&mut self, at: usize, error: FieldError) {
        self.errors.push((at, error));
    }

    fn tell(&mut self, rule: RuleId, code: &'static str, text: String) {
        self.diags.push(Diag { code, text, rule });
    }
}

/// `field "publish" is "2024-01-31"; dates are day-month-year, like "31-01-2024"`.
pub(super) fn mistake(field: &str, found: &str, fault: Fault, rule: RuleId) -> FieldError {
    let shown: String = found.chars().take(60).collect();
    let dots = if shown.len() < found.len() { "..." } else { "" };
    let message = format!("field \"{field}\" is {shown:?}{dots}; {}", fault.due);
    FieldError { field: field.into(), code: fault.code, message, rule }
}

/// Reads the fields of a form.
pub(super) fn read(sorted: &Sorted, reader: Reader<'_>) -> Reading {
    let mut reading = Reading::default();
    if reader.knobs.edit_unknown == UnknownFields::Error {
        for (at, name) in &sorted.unknown {
            let known = fields().flat_map(|field| field.form.iter().copied());
            let known: Vec<&str> = known.collect();
            let message = words::unknown("field of a video", name, known);
            let error =
                FieldError { field: name.clone(), code: "unknown_field", message, rule: rule!("EDIT-35") };
            reading.wrong(*at, error);
        }
    }
    let mut kept: Vec<&Sent> = Vec::new();
    for sent in &sorted.sent {
        let twin =
            sorted.sent.iter().find(|other| other.name == sent.name && other.has_prefix != sent.has_prefix);
        if twin.is_none() || sent.has_prefix {
            kept.push(sent);
        }
        if twin.is_some_and(|twin| twin.at < sent.at) {
            both_ways(sent, reader, &mut reading);
        }
    }
    for sent in &kept {
        show(sent, &mut reading.fields);
        if counts(sent, &kept, reader, &mut reading) {
            field(sent, reader, &mut reading);
        }
    }
    reading
}

/// Bare and with prefix: the one with prefix counts. Rule EDIT-8.
fn both_ways(sent: &Sent, reader: Reader<'_>, reading: &mut Reading) {
    let rule = rule!("EDIT-8");
    let name = &sent.name;
    match reader.knobs.edit_both {
        EditBoth::Prefixed => {
            let text = format!("field \"{name}\" is there bare and with prefix; the one with prefix counts");
            reading.tell(rule, "sent_both_ways", text);
        }
        EditBoth::Error => {
            let message = format!(
                "field \"{name}\" is there bare and with prefix; send it one way, like data[Video][{name}]"
            );
            let error = FieldError { field: name.clone(), code: "sent_both_ways", message, rule };
            reading.wrong(sent.at, error);
        }
    }
}

/// Whether this spelling of a field counts. Rules EDIT-17, CON-3.
fn counts(sent: &Sent, all: &[&Sent], reader: Reader<'_>, reading: &mut Reading) -> bool {
    let is_other = |other: &&&Sent| other.field.name == sent.field.name && other.name != sent.name;
    let Some(other) = all.iter().find(is_other).filter(|_| sent.field.kind == FieldKind::Address) else {
        return true;
    };
    let text = |sent: &Sent| sent.values.first().map(|value| value.text.clone()).unwrap_or_default();
    let is_of_table = *sent.name == *sent.field.form[0];
    if text(sent) == text(other) {
        return is_of_table;
    }
    match reader.knobs.edit_clickthrough_conflict {
        ClickthroughConflict::TableWins => is_of_table,
        ClickthroughConflict::SampleWins => !is_of_table,
        ClickthroughConflict::Error => {
            if sent.at > other.at {
                let due =
                    format!("\"{}\" is another address; they are one field, so send one of them", other.name);
                let fault = Fault::new("two_values", due);
                reading.wrong(sent.at, mistake(&sent.name, &text(sent), fault, rule!("EDIT-17")));
            }
            false
        }
    }
}

/// A field as it was sent, for journal and trace.
fn show(sent: &Sent, shown: &mut Fields) {
    let mut list = |name: String, role: Role| {
        let texts = sent.values.iter().filter(|value| value.role == role);
        let texts: Vec<Value> = texts.map(|value| Value::from(&value.text)).collect();
        if !texts.is_empty() {
            shown.push(Text::from(name), Value::List(texts));
        }
    };
    match sent.field.kind.lists() {
        Some((one, other)) => {
            list(format!("{}[{one}][]", sent.name), Role::First);
            list(format!("{}[{other}][]", sent.name), Role::Second);
            list(sent.name.to_string(), Role::Misplaced);
        }
        None => match &sent.values[..] {
            [only] if only.role == Role::Only => shown.push(&sent.name, &only.text),
            several => shown.push(
                &sent.name,
                Value::List(several.iter().map(|value| Value::from(&value.text)).collect()),
            ),
        },
    }
}

/// Reads what counts of a field.
fn field(sent: &Sent, reader: Reader<'_>, reading: &mut Reading) {
    let Sent { field, name, at, .. } = sent;
    if sent.values.iter().any(|value| value.role == Role::Misplaced) {
        let message = match field.kind.lists() {
            Some((one, other)) => {
                format!("field \"{name}\" is sent as two lists, {name}[{one}][] and {name}[{other}][]")
            }
            None if field.kind == FieldKind::Pixels => {
                format!("field \"{name}\" is sent by key, like {name}[{}]", PIXELS[0])
            }
            None => format!("field \"{name}\" is one text, like \"{}\"; send it as {name}", field.example),
        };
        let (field, code, rule) = (name.clone(), "wrong_shape", field.rule);
        return reading.wrong(*at, FieldError { field, code, message, rule });
    }
    let values = match field.kind {
        FieldKind::Pairs => lists::parameters(sent),
        FieldKind::Chapters => lists::chapters(sent, reader.knobs.edit_chapter_counts),
        FieldKind::Id
        | FieldKind::Owner
        | FieldKind::Name
        | FieldKind::Text
        | FieldKind::AirDate
        | FieldKind::TextFlag
        | FieldKind::Tags
        | FieldKind::Address
        | FieldKind::Channel
        | FieldKind::AgeGate
        | FieldKind::Date
        | FieldKind::EndDate
        | FieldKind::Flag
        | FieldKind::Switch
        | FieldKind::Countries
        | FieldKind::Pixels => return single(sent, reader, reading),
    };
    match values {
        Ok(values) => {
            // A list that is sent empty is emptied, whatever else is appended. EDIT-12
            let appends = reader.knobs.edit_lists == EditLists::Append && !values.is_empty();
            let value = Value::List(values);
            reading.changes.push(Change { field: *field, value, at: *at, appends });
        }
        Err(errors) => reading.errors.extend(errors.into_iter().map(|error| (*at, error))),
    }
}

/// A field that is one text.
fn single(sent: &Sent, reader: Reader<'_>, reading: &mut Reading) {
    let Sent { field, name, at, .. } = sent;
    let text = sent.values.last().map(|value| value.text.clone()).unwrap_or_default();
    let value = match field.kind.read(&text, reader) {
        Ok(value) => value,
        Err(fault) => {
            return reading.wrong(*at, {
                let rule = rule_of(field, fault.code);
                mistake(name, &text, fault, rule)
            });
        }
    };
    match field.kind {
        FieldKind::Id => {
            reading.id = Some((text, *at));
            return;
        }
        FieldKind::Owner => reading.partner = Some(text),
        FieldKind::Pixels => {
            let key = name.split_once('[').map_or("", |(_, key)| key.trim_end_matches(']'));
            if !PIXELS.contains(&key) {
                let text = format!("no tracking pixel is named \"{key}\"; it is kept all the same");
                reading.tell(rule!("EDIT-29"), "unknown_pixel", text);
            }
            let value = Value::Map(Fields::one(key.to_owned(), value));
            reading.changes.push(Change { field: *field, value, at: *at, appends: false });
            return;
        }
        FieldKind::Name
        | FieldKind::Text
        | FieldKind::AirDate
        | FieldKind::TextFlag
        | FieldKind::Tags
        | FieldKind::Address
        | FieldKind::Channel
        | FieldKind::AgeGate
        | FieldKind::Date
        | FieldKind::EndDate
        | FieldKind::Flag
        | FieldKind::Switch
        | FieldKind::Countries
        | FieldKind::Pairs
        | FieldKind::Chapters => {}
    }
    reading.changes.push(Change { field: *field, value, at: *at, appends: false });
}

/// The rule by which a field does not take a text: that of all addresses, dates or empty integers, or its own.
fn rule_of(field: &Field, code: &str) -> RuleId {
    let is_date = matches!(field.kind, FieldKind::Date | FieldKind::EndDate);
    let is_integer =
        matches!(field.kind, FieldKind::Channel | FieldKind::AgeGate | FieldKind::Flag | FieldKind::Switch);
    match code {
        "bad_address" => rule!("EDIT-18"),
        "zero_date" => rule!("EDIT-22"),
        "bad_date" | "no_such_date" if is_date => rule!("EDIT-21"),
        "empty" if is_integer => rule!("EDIT-12"),
        _ => field.rule,
    }
}
