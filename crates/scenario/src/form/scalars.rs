//! Forms of single values: strings, truth values, numbers with their limits, times, words.

use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{Definitions, WrittenForm, one_of};
use crate::read::node::{Node, Tree, Wrong, shown};
use crate::read::reading::Reading;
use crate::read::scalar;
use crate::writer::Writer;
use playsim_api::Decimal;
use playsim_base::time::{Position, Span, Time};

/// Forms of single values: their type, reader, schema and writer.
macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident: $of:ty = $read:path, $schema:expr, $write:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name;

        impl WrittenForm for $name {
            type Of = $of;

            fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<$of> {
                reading.keep($read(node, what))
            }

            fn schema(&self, definitions: &mut Definitions) -> Json {
                let schema: fn(&mut Definitions) -> Json = $schema;
                schema(definitions)
            }

            fn write(&self, value: &$of, out: &mut Writer) {
                let write: fn(&$of, &mut Writer) = $write;
                write(value, out);
            }
        }
    )*};
}

forms! {
    /// A string; a number counts as its spelling.
    Text: Arc<str> = scalar::text, |_| text_schema(), |text, out| out.text(text);
    /// A string that is not empty.
    Name: Arc<str> = scalar::name, |_| name_schema(), |name, out| out.filled(name);
    /// `true` or `false`.
    Truth: bool = scalar::truth, |_| json!({ "type": "boolean" }), |truth, out| out.truth(*truth);
    /// `true` or `false`, or 1 or 0 as the record of the edit call has it.
    Flag: bool = scalar::flag, |_| json!({ "enum": [0, 1, false, true] }), |flag, out| out.truth(*flag);
    /// A percentage: `30`, or `30%`.
    Percent: Decimal = scalar::percent, |_| percent_schema(), |share, out| PERCENT.write(share, out);
    /// Width and height in pixels.
    Size: (u32, u32) = scalar::size, size_schema, |(width, height), out| out.list(|out| {
        PIXELS.write(width, out);
        PIXELS.write(height, out);
    });
    /// A length of time.
    Length: Span = scalar::span, length_schema, |span, out| out.span(*span);
    /// A length of time, or `never`.
    LengthOrNever: Option<Span> = scalar::span_or_never, length_or_never_schema, |span, out| match span {
        Some(span) => out.span(*span),
        None => out.text("never"),
    };
    /// A point on the virtual clock.
    When: Time = scalar::time, length_schema, |time, out| out.span(*time - Time::ZERO);
    /// A position on a media timeline.
    Place: Position = scalar::position, length_schema, |place, out| out.span(*place - Position::ZERO);
}

const PERCENT: Number = Number {
    least: Decimal::ZERO,
    most: scalar::WHOLE_PERCENT,
};

const PIXELS: Whole<u32> = whole(0, scalar::MAX_PIXELS as u64);

/// Refuses a number outside its limits.
fn within<T: PartialOrd + Copy + Display>(value: T, least: T, most: T, out: &mut Writer) {
    out.refuse(|name| {
        (value < least || value > most)
            .then(|| format!("\"{name}\" is {value}; it must be a number from {least} to {most}"))
    });
}

fn percent_schema() -> Json {
    json!({ "anyOf": [
        { "type": "number", "minimum": 0, "maximum": 100 },
        { "type": "string", "pattern": "^[0-9.]+%$" },
    ] })
}

fn size_schema(definitions: &mut Definitions) -> Json {
    definitions.define("size", |_| {
        json!({
            "description": "Width and height in pixels.",
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": { "type": "integer", "minimum": 0, "maximum": scalar::MAX_PIXELS },
        })
    })
}

fn length_schema(definitions: &mut Definitions) -> Json {
    definitions.define("length", |_| {
        json!({
            "description": "A length of time with its unit: 1.5s, 250ms, 2m or 01:02:03.500.",
            "type": "string",
            "pattern": "^([0-9].*[A-Za-z\u{b5}\u{3bc}]|[0-9]+:[0-9]{2}:[0-9]{2}([.,][0-9]+)?)$",
        })
    })
}

fn length_or_never_schema(definitions: &mut Definitions) -> Json {
    let length = length_schema(definitions);
    definitions.define(
        "length_or_never",
        |_| json!({ "anyOf": [length, { "const": "never" }] }),
    )
}

/// A whole number within limits.
#[derive(Clone, Copy)]
pub(crate) struct Whole<T> {
    least: u64,
    most: u64,
    kind: PhantomData<T>,
}

/// A number within limits.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    /// The least that it may be.
    pub(crate) least: Decimal,
    /// The most that it may be.
    pub(crate) most: Decimal,
}

/// One word of a short list.
#[derive(Clone, Copy)]
pub(crate) struct Words<T: 'static>(pub(crate) &'static [(&'static str, T)]);

/// One word of a table of names.
#[derive(Clone, Copy)]
pub(crate) struct Word<T: 'static> {
    /// The name of one in messages; empty: the message lists all of them, which are few.
    pub(crate) what: &'static str,
    /// The accepted values, for those that are not strings: `a name, like adStart`.
    pub(crate) takes: &'static str,
    /// All of them.
    pub(crate) all: &'static [T],
    /// Returns the word of one.
    pub(crate) name: fn(T) -> &'static str,
}

/// A string with a form of its own.
pub(crate) struct Parsed<T: 'static> {
    /// The expected form, with an example.
    pub(crate) takes: &'static str,
    /// The form of one that is made in Rust, if not every value will do.
    pub(crate) made: Option<&'static str>,
    /// Its pattern, for the schema.
    pub(crate) pattern: &'static str,
    /// Reads it.
    pub(crate) read: fn(&str) -> Option<T>,
    /// Writes it in the form in which it is read.
    pub(crate) write: fn(&T) -> String,
}

/// The schema of a string.
pub(crate) fn text_schema() -> Json {
    json!({ "type": ["string", "number"] })
}

/// The schema of a string that is not empty.
pub(crate) fn name_schema() -> Json {
    json!({ "type": ["string", "number"], "minLength": 1 })
}

/// A whole number within limits.
pub(crate) const fn whole<T>(least: u64, most: u64) -> Whole<T> {
    Whole {
        least,
        most,
        kind: PhantomData,
    }
}

impl<T: TryFrom<u64> + Into<u64> + Copy> WrittenForm for Whole<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        let number = reading.keep(scalar::whole(node, what, self.least, self.most))?;
        Some(
            T::try_from(number)
                .ok()
                .expect("the limits of a whole number fit its type"),
        )
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let mut schema = json!({ "type": "integer", "minimum": self.least });
        // Whole numbers in JSON are exact up to here.
        if self.most < 1 << 53 {
            schema["maximum"] = self.most.into();
        }
        schema
    }

    fn write(&self, value: &T, out: &mut Writer) {
        let number = (*value).into();
        within(number, self.least, self.most, out);
        out.number(number);
    }
}

impl WrittenForm for Number {
    type Of = Decimal;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Decimal> {
        reading.keep(scalar::number(node, what, self.least, self.most))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        let limit =
            |limit: Decimal| serde_json::from_str::<Json>(&limit.to_string()).unwrap_or_default();
        json!({ "type": "number", "minimum": limit(self.least), "maximum": limit(self.most) })
    }

    fn write(&self, value: &Decimal, out: &mut Writer) {
        within(*value, self.least, self.most, out);
        out.decimal(*value);
    }
}

impl<T: Copy + PartialEq> WrittenForm for Words<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        reading.keep(scalar::word(node, what, self.0))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        one_of(self.0.iter().map(|(word, _)| *word))
    }

    fn write(&self, value: &T, out: &mut Writer) {
        out.text(word_of(self.0, value));
    }
}

/// Returns the word of a value.
pub(crate) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words
        .iter()
        .find(|(_, known)| known == value)
        .map_or("", |(word, _)| word)
}

impl<T: Copy> WrittenForm for Word<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        let names = self.all.iter().map(|known| (self.name)(*known));
        if self.what.is_empty() {
            let words: Vec<(&'static str, T)> = names.zip(self.all.iter().copied()).collect();
            return reading.keep(scalar::word(node, what, &words));
        }
        let Tree::Text(word) = &node.tree else {
            return reading.keep(Err(node.not(what, self.takes)));
        };
        let found = self
            .all
            .iter()
            .copied()
            .find(|known| (self.name)(*known) == word);
        reading.keep(found.ok_or_else(|| Wrong::unknown(&node.range, self.what, word, names)))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        one_of(self.all.iter().map(|known| (self.name)(*known)))
    }

    fn write(&self, value: &T, out: &mut Writer) {
        out.text((self.name)(*value));
    }
}

impl<T: PartialEq> WrittenForm for Parsed<T> {
    type Of = T;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<T> {
        let text = reading.keep(scalar::text(node, what))?;
        reading.keep((self.read)(&text).ok_or_else(|| node.not(what, self.takes)))
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        json!({ "type": ["string", "number"], "pattern": self.pattern })
    }

    fn write(&self, value: &T, out: &mut Writer) {
        let text = (self.write)(value);
        if let Some(due) = self.made {
            out.refuse(|name| {
                let is_kept = (self.read)(&text).is_some_and(|read| read == *value);
                (!is_kept).then(|| format!("\"{name}\" is \"{}\"; it must be {due}", shown(&text)))
            });
        }
        out.text(&text);
    }
}
