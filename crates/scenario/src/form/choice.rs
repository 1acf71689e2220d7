//! Objects of several kinds: the one field that every kind has says which kind it is.
//!
//! A [`Choice`] is made by `choice!` from one row for each variant of an enum: the field with its
//! subject, the other fields, each with its form, and what it is for. Reader, schema and writer
//! come from the row. The writer is a `match`, so that the compiler finds a variant without a row.

use serde_json::{Value as Json, json};

use super::{Definitions, Properties, WrittenForm, optional, required, write_field};
use crate::read::node::{Key, Node, Object, Wrong};
use crate::read::reading::Reading;
use crate::writer::Writer;

/// One of several kinds of objects.
pub(crate) struct Choice<T: 'static> {
    /// Its name in messages, such as `an expectation`.
    pub(crate) what: &'static str,
    /// An example.
    pub(crate) example: &'static str,
    /// Its description, in a sentence.
    pub(crate) about: &'static str,
    /// The name under which the schema defines it.
    pub(crate) definition: &'static str,
    /// The kinds.
    pub(crate) kinds: &'static [Kind<T>],
    /// Writes the fields of one.
    pub(crate) write: fn(&T, &mut Writer),
}

/// One kind of object.
pub(crate) struct Kind<T> {
    /// The field with its subject, which no other kind has.
    pub(crate) subject: &'static str,
    /// Its other fields.
    pub(crate) details: &'static [&'static str],
    /// Its description, in a sentence.
    pub(crate) about: &'static str,
    /// Reads one, given its subject.
    pub(crate) read: fn(&Node, &mut Object<'_>, &mut Reading<'_>) -> Option<T>,
    /// Adds its fields to the schema.
    pub(crate) schema: fn(&mut Properties, &mut Definitions),
}

impl<T> WrittenForm for Choice<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        let mut fields = reading.keep(Object::of(node, self.what, self.example))?;
        let found: Vec<(&Kind<T>, (&Key, &Node))> = self
            .kinds
            .iter()
            .filter_map(|kind| fields.entry(kind.subject).map(|entry| (kind, entry)))
            .collect();
        let wrong = match found[..] {
            [(kind, (_, subject))] => {
                let value = (kind.read)(subject, &mut fields, reading);
                fields.end(reading);
                return value;
            }
            [] => {
                for detail in self.kinds.iter().flat_map(|kind| kind.details) {
                    let _ = fields.field(detail);
                }
                if fields.has_unknown() {
                    fields.end(reading);
                    return None;
                }
                let all: Vec<&str> = self.kinds.iter().map(|kind| kind.subject).collect();
                let message = format!("{what} has no subject; it needs one of {}", all.join(", "));
                Wrong::new(fields.range(), message)
            }
            [(first, _), (second, (key, _)), ..] => {
                let message = format!(
                    "{} has one subject, not both \"{}\" and \"{}\"; split it in two",
                    self.what, first.subject, second.subject
                );
                Wrong::new(&key.range, message)
            }
        };
        reading.keep(Err(wrong))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define(self.definition, |definitions| {
            let kinds = self.kinds.iter().map(|kind| {
                let mut fields = Properties::default();
                (kind.schema)(&mut fields, definitions);
                fields.end(kind.about)
            });
            json!({ "description": self.about, "anyOf": kinds.collect::<Vec<Json>>() })
        })
    }

    fn write(&self, value: &T, out: &mut Writer) {
        out.object(|out| (self.write)(value, out));
    }
}

/// How a field beside the subject is given.
pub(crate) enum Given<T> {
    /// It may be left out, which means this.
    Default(T),
    /// It must be given; an example.
    Required(&'static str),
}

/// Reads a field beside the subject.
pub(crate) fn read<F: WrittenForm>(
    form: &F,
    key: &'static str,
    given: Given<F::Of>,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<F::Of> {
    match given {
        Given::Default(value) => optional(form, key, fields, reading)?.or(Some(value)),
        Given::Required(example) => required(form, (key, example), fields, reading),
    }
}

/// Adds a field beside the subject to the schema.
pub(crate) fn schema<F: WrittenForm>(
    form: &F,
    key: &'static str,
    given: &Given<F::Of>,
    about: &str,
    (fields, definitions): (&mut Properties, &mut Definitions),
) {
    fields.put(key, about, form.schema(definitions));
    if let Given::Required(_) = given {
        fields.require(key);
    }
}

/// Writes a field beside the subject, unless it has its default.
pub(crate) fn write<F: WrittenForm<Of: PartialEq>>(
    form: &F,
    key: &'static str,
    given: &Given<F::Of>,
    value: &F::Of,
    out: &mut Writer,
) {
    if !matches!(given, Given::Default(default) if default == value) {
        write_field(key, form, value, out);
    }
}

/// Makes a [`Choice`] of rows `Variant { "subject" field: FORM, "…"; … } "What the kind is.";`.
/// After the subject follow the other fields, `field: FORM, Default(VALUE), "…"` or
/// `field: FORM, Required("field: example"), "…"`. An empty text stands for the description that
/// the form has.
macro_rules! choice {
    ($of:ident, $definition:literal: $what:literal, $example:literal, $about:literal;
     $($variant:ident {
        $key:literal $subject:tt: $form:expr, $subject_about:literal;
        $($detail:ident: $detail_form:expr, $given:expr, $detail_about:literal;)*
     } $kind_about:literal;)*) => {{
        use $crate::form::{WrittenForm, choice, choice::Given::*, write_field};
        choice::Choice::<$of> {
            what: $what,
            example: $example,
            about: $about,
            definition: $definition,
            kinds: &[$(choice::Kind {
                subject: $key,
                details: &[$(stringify!($detail)),*],
                about: $kind_about,
                read: |node, _fields, reading| {
                    $(let $detail = choice::read(
                        &$detail_form, stringify!($detail), $given, _fields, reading,
                    );)*
                    let subject = $form.read(node, $key, reading);
                    Some($of::$variant { $subject: subject?, $($detail: $detail?),* })
                },
                schema: |fields, definitions| {
                    fields.put($key, $subject_about, $form.schema(definitions));
                    fields.require($key);
                    $(choice::schema(
                        &$detail_form, stringify!($detail), &$given, $detail_about,
                        (fields, definitions),
                    );)*
                },
            }),*],
            write: |value, out| match value {
                $($of::$variant { $subject: subject, $($detail),* } => {
                    write_field($key, &$form, subject, out);
                    $(choice::write(&$detail_form, stringify!($detail), &$given, $detail, out);)*
                })*
            },
        }
    }};
}

pub(crate) use choice;
