//! The written forms of a scenario's values: one row per field defines its reader, schema and
//! writer.
//!
//! A [`WrittenForm`] is the written form of one kind of value: how it is read from a node, its
//! schema, and how it is written. Numbers with their limits, strings, words and lists have forms in
//! `scalars` and `lists`. An object is a [`Shape`]: a table of rows, made by `field_rows!`, each
//! with the key, the field of the Rust type, its form and its purpose. The default of a field is
//! that of the Rust type; a writer leaves out fields that equal it, and the schema shows it.
//!
//! An object of one of several kinds is a [`Choice`](choice::Choice), made by `choice!` from one
//! row for each kind.
//!
//! Objects that are more than their fields (steps, responses, a medium that may be live) implement
//! [`WrittenForm`] themselves, with the same three functions side by side.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::read::node::{Node, Object, shown};
use super::read::reading::Reading;
use super::writer::Writer;

pub(super) mod choice;
mod lists;
mod scalars;

pub(super) use lists::{Brief, List, Opt, OrNull, Shared, entries, list};
pub(super) use scalars::{
    Flag, Length, LengthOrNever, Name, Number, Parsed, Percent, Place, Size, Text, Truth, When,
    Whole, Word, Words, name_schema, text_schema, whole, word_of,
};

/// The written form of one kind of value.
pub(super) trait WrittenForm {
    /// The kind of value.
    type Of;
    /// Reads one; `what` is its name in messages. `None`: it is invalid, and `reading` holds the
    /// error.
    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Self::Of>;
    /// Returns its schema.
    fn schema(&self, definitions: &mut Definitions) -> Json;
    /// Writes one, so that reading it gives the same value. One that is not within the bounds of
    /// the form, as only Rust can make it, is refused if the writer checks.
    fn write(&self, value: &Self::Of, out: &mut Writer);
}

impl<F: WrittenForm + ?Sized> WrittenForm for &F {
    type Of = F::Of;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<F::Of> {
        F::read(self, node, what, reading)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        F::schema(self, definitions)
    }

    fn write(&self, value: &F::Of, out: &mut Writer) {
        F::write(self, value, out);
    }
}

/// One field of an object.
pub(super) struct FieldRow<T> {
    /// Its key.
    pub(super) key: &'static str,
    /// Its purpose, in a sentence.
    pub(super) about: &'static str,
    /// An example, if it is required.
    pub(super) required: Option<&'static str>,
    /// Reads it into a value; returns whether it is valid.
    pub(super) read: fn(&Node, &mut T, &mut Reading<'_>) -> bool,
    /// Whether the field is the same in both values, so that it need not be written.
    pub(super) same: fn(&T, &T) -> bool,
    /// Writes the field.
    pub(super) write: fn(&T, &mut Writer),
    /// Returns its schema.
    pub(super) schema: fn(&mut Definitions) -> Json,
}

/// Makes the rows of a table: `"key" field: FORM, "What it is for.";`, with `=> "key: example"`
/// after the form of a required field.
macro_rules! field_rows {
    ($of:ty: $($key:literal $($field:ident).+: $form:expr $(=> $example:literal)?, $about:expr;)*) => {
        &[$($crate::form::FieldRow::<$of> {
            key: $key,
            about: $about,
            required: $crate::form::field_rows!(@example $($example)?),
            read: |node, value, reading| {
                match $crate::form::WrittenForm::read(&$form, node, $key, reading) {
                    Some(read) => {
                        value.$($field).+ = read;
                        true
                    }
                    None => false,
                }
            },
            same: |one, other| one.$($field).+ == other.$($field).+,
            write: |value, out| $crate::form::WrittenForm::write(&$form, &value.$($field).+, out),
            schema: |definitions| $crate::form::WrittenForm::schema(&$form, definitions),
        }),*]
    };
    (@example) => { None };
    (@example $example:literal) => { Some($example) };
}

pub(super) use field_rows;

/// An object: its fields and the rules between them.
pub(super) struct Shape<T: 'static> {
    /// Its name in messages, such as `a bid`.
    pub(super) what: &'static str,
    /// An example.
    pub(super) example: &'static str,
    /// Its description, in a sentence.
    pub(super) about: &'static str,
    /// The name under which the schema defines it; `None`: it is described where it is used.
    pub(super) definition: Option<&'static str>,
    /// An object with the defaults. Required fields have an arbitrary value.
    pub(super) base: fn() -> T,
    /// Its fields, in one table or several.
    pub(super) tables: &'static [&'static [FieldRow<T>]],
    /// Checks the rules between its fields.
    pub(super) check: fn(&mut T, &mut Object<'_>, &mut Reading<'_>),
    /// Adds those rules to the schema, where a schema can express them.
    pub(super) refine: fn(&mut Json),
}

impl<T> Shape<T> {
    /// A shape without a definition of its own, and without rules between its fields.
    pub(super) const fn new(
        what: &'static str,
        example: &'static str,
        about: &'static str,
        base: fn() -> T,
        tables: &'static [&'static [FieldRow<T>]],
    ) -> Shape<T> {
        Shape {
            what,
            example,
            about,
            definition: None,
            base,
            tables,
            check: |_, _, _| {},
            refine: |_| {},
        }
    }

    /// Reads an object on top of another value.
    pub(super) fn read_over(
        &self,
        node: &Node,
        mut base: T,
        reading: &mut Reading<'_>,
    ) -> Option<T> {
        let mut fields = reading.keep(Object::of(node, self.what, self.example))?;
        let mut is_whole = true;
        for rows in self.tables {
            is_whole &= read_rows(rows, &mut fields, &mut base, reading);
        }
        (self.check)(&mut base, &mut fields, reading);
        fields.end(reading);
        is_whole.then_some(base)
    }

    /// Whether a value equals another in all fields, so that none is written.
    pub(super) fn is_same(&self, value: &T, base: &T) -> bool {
        self.tables
            .iter()
            .all(|rows| rows.iter().all(|row| (row.same)(value, base)))
    }

    /// Writes the fields that differ from another value.
    pub(super) fn write_over(&self, value: &T, base: &T, out: &mut Writer) {
        out.object(|out| {
            for rows in self.tables {
                write_rows(rows, value, base, out);
            }
        });
    }
}

impl<T> WrittenForm for Shape<T> {
    type Of = T;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<T> {
        self.read_over(node, (self.base)(), reading)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let make = |definitions: &mut Definitions| {
            let mut object = Properties::default();
            for rows in self.tables {
                object.rows(rows, &(self.base)(), definitions);
            }
            let mut object = object.end(self.about);
            (self.refine)(&mut object);
            object
        };
        match self.definition {
            Some(name) => definitions.define(name, make),
            None => make(definitions),
        }
    }

    fn write(&self, value: &T, out: &mut Writer) {
        self.write_over(value, &(self.base)(), out);
    }
}

/// Reads the fields of a table; returns whether all required ones are valid.
pub(super) fn read_rows<T>(
    rows: &[FieldRow<T>],
    fields: &mut Object<'_>,
    value: &mut T,
    reading: &mut Reading<'_>,
) -> bool {
    let mut is_whole = true;
    for row in rows {
        match row.required {
            None => {
                if let Some(node) = fields.field(row.key) {
                    (row.read)(node, value, reading);
                }
            }
            Some(example) => {
                let node = reading.keep(fields.required(row.key, example));
                is_whole &= node.is_some_and(|node| (row.read)(node, value, reading));
            }
        }
    }
    is_whole
}

/// Reads an optional field; `None` if it is invalid.
pub(super) fn optional<F: WrittenForm>(
    form: &F,
    name: &'static str,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<Option<F::Of>> {
    match fields.field(name) {
        Some(node) => form.read(node, name, reading).map(Some),
        None => Some(None),
    }
}

/// Reads a required field.
pub(super) fn required<F: WrittenForm>(
    form: &F,
    (name, example): (&'static str, &str),
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<F::Of> {
    let node = reading.keep(fields.required(name, example))?;
    form.read(node, name, reading)
}

/// Writes the fields of a table that are required or differ from `base`.
pub(super) fn write_rows<T>(rows: &[FieldRow<T>], value: &T, base: &T, out: &mut Writer) {
    for row in rows {
        if row.required.is_some() || !(row.same)(value, base) {
            out.field(row.key);
            (row.write)(value, out);
        }
    }
}

/// Writes a field of an object.
pub(super) fn write_field<F: WrittenForm>(
    key: &'static str,
    form: &F,
    value: &F::Of,
    out: &mut Writer,
) {
    out.field(key);
    form.write(value, out);
}

/// Writes an optional field of an object, if it is set.
pub(super) fn write_some<F: WrittenForm>(
    key: &'static str,
    form: &F,
    value: Option<&F::Of>,
    out: &mut Writer,
) {
    if let Some(value) = value {
        write_field(key, form, value, out);
    }
}

/// Writes a field of an object, unless it has its default.
pub(super) fn write_unless<F: WrittenForm<Of: PartialEq>>(
    key: &'static str,
    form: &F,
    value: &F::Of,
    default: &F::Of,
    out: &mut Writer,
) {
    if value != default {
        write_field(key, form, value, out);
    }
}

/// The name of a part in messages, such as `video "v1"`.
pub(super) fn part(kind: &str, name: &str) -> String {
    format!("{kind} \"{}\"", shown(name))
}

/// Returns the message about a name that occurs twice.
pub(super) fn twice<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut known = BTreeSet::new();
    let twice = names.into_iter().find(|name| !known.insert(*name))?;
    Some(format!("duplicate {what} \"{}\"", shown(twice)))
}

/// The definitions that the schema's parts refer to, by name.
#[derive(Default)]
pub(super) struct Definitions(Map<String, Json>);

impl Definitions {
    /// Returns a reference to the definition of this name, and adds the definition if it does not
    /// exist yet.
    pub(super) fn define(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut Definitions) -> Json,
    ) -> Json {
        if !self.0.contains_key(name) {
            // Inserted first, so that the definition may refer to itself.
            self.0.insert(name.to_owned(), Json::Null);
            let definition = make(self);
            self.0.insert(name.to_owned(), definition);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// Returns all of them.
    pub(super) fn end(self) -> Json {
        Json::Object(self.0)
    }
}

/// The properties of an object of the schema.
#[derive(Default)]
pub(super) struct Properties {
    properties: Map<String, Json>,
    required: Vec<&'static str>,
}

impl Properties {
    /// Adds the fields of a table, with the defaults in `base`.
    pub(super) fn rows<T>(
        &mut self,
        rows: &[FieldRow<T>],
        base: &T,
        definitions: &mut Definitions,
    ) {
        for row in rows {
            let mut schema = described(row.about, (row.schema)(definitions));
            if row.required.is_some() {
                self.required.push(row.key);
            } else if let Some(default) = default_of(|out| (row.write)(base, out)) {
                schema["default"] = default;
            }
            self.properties.insert(row.key.to_owned(), schema);
        }
    }

    /// Adds a field that is not in a table.
    pub(super) fn add(&mut self, key: &str, about: &str, schema: Json) {
        self.insert(key, described(about, schema));
    }

    /// Adds a field with this description, or with that of its form if this is empty.
    pub(super) fn put(&mut self, key: &str, about: &str, schema: Json) {
        match about {
            "" => self.insert(key, schema),
            about => self.add(key, about, schema),
        }
    }

    /// Adds a field that already has a description.
    pub(super) fn insert(&mut self, key: &str, schema: Json) {
        self.properties.insert(key.to_owned(), schema);
    }

    /// Requires a field.
    pub(super) fn require(&mut self, key: &'static str) {
        self.required.push(key);
    }

    /// Returns the schema of an object with these fields and no others. `null` counts as an empty
    /// object.
    pub(super) fn end(self, about: &str) -> Json {
        let kind = if self.required.is_empty() {
            json!(["object", "null"])
        } else {
            "object".into()
        };
        let mut object = json!({
            "description": about,
            "type": kind,
            "properties": self.properties,
            "additionalProperties": false,
        });
        if !self.required.is_empty() {
            object["required"] = json!(self.required);
        }
        object
    }
}

/// The default of a field, which `write` writes, unless it is empty.
fn default_of(write: impl FnOnce(&mut Writer)) -> Option<Json> {
    let mut out = Writer::text_form();
    write(&mut out);
    let default: Json = serde_json::from_str(&out.end()).ok()?;
    let is_something = match &default {
        Json::Null => false,
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(fields) => !fields.is_empty(),
        Json::Bool(_) | Json::Number(_) => true,
    };
    is_something.then_some(default)
}

/// Adds a description to a schema.
pub(super) fn described(about: &str, mut schema: Json) -> Json {
    schema["description"] = about.into();
    schema
}

/// The schema for one of these words.
pub(super) fn one_of<T: Into<Json>>(words: impl IntoIterator<Item = T>) -> Json {
    json!({ "enum": words.into_iter().map(Into::into).collect::<Vec<Json>>() })
}

/// Restricts the schema of an object to exactly one of its fields.
pub(super) fn exactly_one(mut object: Json) -> Json {
    object["type"] = "object".into();
    object["minProperties"] = 1.into();
    object["maxProperties"] = 1.into();
    object
}
