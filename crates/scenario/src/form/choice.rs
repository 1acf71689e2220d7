//! Objects of several kinds: the one field that every kind has says which kind it is.
//!
//! A [`Choice`] is made by `choice!` from one row for each variant of an enum: the field with its
//! subject, the other fields, each with its form, and what it is for. Reader, schema and writer
//! come from the row. The writer is a `match`, so that the compiler finds a variant without a row.
//!
//! Of messages, a word in one field says which it is, next to fields that all of them have. Their
//! other fields are [`Data`], made by `data!` from one row for each variant, too.

use serde_json::{Value as Json, json};

use super::{Definitions, Properties, WrittenForm, default_of, optional, required, write_field};
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
    let mut schema = form.schema(definitions);
    match given {
        Given::Required(_) => fields.require(key),
        Given::Default(value) => {
            if let Some(default) = default_of(|out| form.write(value, out)) {
                schema["default"] = default;
            }
        }
    }
    fields.put(key, about, schema);
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

/// The fields of messages besides the word that says which message it is.
pub(crate) struct Data<K, T> {
    /// Reads those of a message of this kind.
    pub(crate) read: fn(K, &mut Object<'_>, &mut Reading<'_>) -> Option<T>,
    /// Adds those of all messages to the schema, where which are required depends on the message.
    pub(crate) schema: fn(&mut Properties, &mut Definitions),
    /// Writes those of a message.
    pub(crate) write: fn(&T, &mut Writer),
}

/// Makes [`Data`] of rows `Variant { "key" field: FORM, GIVEN, "…"; … }`, where `GIVEN` is
/// `Default(VALUE)` or `Required("key: example")`.
macro_rules! data {
    ($kind:ident, $of:ident:
     $($variant:ident { $($key:literal $field:ident: $form:expr, $given:expr, $about:expr;)* })*) => {{
        use $crate::form::{choice, choice::Given::*};
        choice::Data::<$kind, $of> {
            read: |kind, fields, reading| match kind {
                $($kind::$variant => {
                    $(let $field = choice::read(&$form, $key, $given, fields, reading);)*
                    Some($of::$variant { $($field: $field?),* })
                })*
            },
            schema: |fields, definitions| {
                $($(choice::schema(&$form, $key, &$given, $about, (fields, definitions));)*)*
            },
            write: |value, out| match value {
                $($of::$variant { $($field),* } => {
                    $(choice::write(&$form, $key, &$given, $field, out);)*
                })*
            },
        }
    }};
}

pub(crate) use data;
