//! The content of the records of a trace, as types.
//!
//! [`Record::view`] reads a record into a [`RecordView`], an enum with a variant for each kind of
//! content. The types, how they are read, and the page of the book that lists them are all made of
//! the same rows.
//!
//! A view borrows from its record, which is its field `record`: there are time, player, cause and
//! rule.
//!
//! ```
//! use playsim::trace::record::RecordView;
//! # let scenario: playsim::Scenario = playsim::Scenario::default()
//! #     .with_video(playsim::video::Video::new("film"));
//! # let trace = playsim::Simulation::new(&scenario)?.run();
//! for record in &trace.records {
//!     match record.view() {
//!         RecordView::NoFill(tag) => {
//!             println!("{} tag {}: {} {}", record.at, tag.wp, tag.code, tag.why)
//!         }
//!         RecordView::Beacon(call) => println!("{} {} {}", record.at, call.name, call.url),
//!         _ => {}
//!     }
//! }
//! # Ok::<(), playsim::ScenarioError>(())
//! ```
//!
//! Rules: TRACE-1, TRACE-2.

use super::Record;
use playsim_api::{
    AdLine, BreakKind, Code, EventName, Fields, Kind, LineName, MakingLine, MediaLine, NetLine,
    Outcome, PageLine, StateLine, UiLine, UserLine, Value,
};
use playsim_base::number::Decimal;

mod payload;
mod views;

pub use payload::*;
pub use views::*;

/// A row of the tables: what records of some names contain.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RecordShape {
    /// The kind of the records.
    pub kind: Kind,
    /// The variant that they are read as: of [`Payload`] for events, otherwise of [`RecordView`].
    pub title: &'static str,
    /// The type that it holds.
    pub type_name: &'static str,
    /// Their content, in a sentence or two.
    pub gist: &'static str,
    /// Their data.
    pub fields: &'static [RecordField],
    names: fn(Option<LineName>) -> bool,
}

/// A field of a record's data.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RecordField {
    /// Its key.
    pub key: &'static str,
    /// The type of its value: `a number`, `a string`, `a list` and the like.
    pub takes: &'static str,
    /// Whether it may be missing.
    pub is_optional: bool,
    /// Its meaning.
    pub gist: &'static str,
}

impl RecordShape {
    /// Returns the rows of a kind.
    pub fn of_kind(kind: Kind) -> impl Iterator<Item = &'static RecordShape> {
        // The row of all events has no data of its own.
        let rows = if kind == Kind::Event {
            Payload::SHAPES
        } else {
            RecordView::SHAPES
        };
        rows.iter().filter(move |shape| shape.kind == kind)
    }

    /// Returns the row for the data of a record; `None` for a name that no table has.
    #[must_use]
    pub fn of(record: &Record) -> Option<&'static RecordShape> {
        let name = record.line_name();
        RecordShape::of_kind(record.kind).find(|shape| (shape.names)(name))
    }

    /// Returns whether it is for names that no table has, too.
    #[must_use]
    pub fn is_open(&self) -> bool {
        (self.names)(None)
    }

    /// Returns the names of the tables that it is for. None for a kind whose names come from
    /// elsewhere.
    pub fn names(&self) -> impl Iterator<Item = LineName> {
        let is_own = self.names;
        LineName::all().filter(move |name| name.kind() == self.kind && is_own(Some(*name)))
    }
}

/// A type that a field is read as.
trait Datum<'a>: Sized {
    /// The type of the value, for people.
    const TAKES: &'static str;
    const IS_OPTIONAL: bool = false;

    /// Reads the value of a field; `None` if it is not of this type.
    fn read(value: Option<&'a Value>) -> Option<Self>;
}

impl<'a, T: Datum<'a>> Datum<'a> for Option<T> {
    const TAKES: &'static str = T::TAKES;
    const IS_OPTIONAL: bool = true;

    fn read(value: Option<&'a Value>) -> Option<Option<T>> {
        match value {
            None => Some(None),
            Some(_) => T::read(value).map(Some),
        }
    }
}

/// Implements [`Datum`] by a function from a value.
macro_rules! datum {
    ($($type:ty, $takes:literal, $read:expr;)*) => {$(
        impl<'a> Datum<'a> for $type {
            const TAKES: &'static str = $takes;

            fn read(value: Option<&'a Value>) -> Option<$type> {
                let read: fn(&'a Value) -> Option<$type> = $read;
                value.and_then(read)
            }
        }
    )*};
}

datum! {
    u32, "a whole number", |value| u32::try_from(value.as_integer()?).ok();
    u64, "a whole number", |value| u64::try_from(value.as_integer()?).ok();
    i64, "an integer", Value::as_integer;
    Decimal, "a number", Value::as_number;
    bool, "true or false", Value::as_bool;
    &'a str, "a string", |value| value.as_text().map(|text| &**text);
    &'a [Value], "a list", Value::as_list;
    &'a Fields, "an object", Value::as_map;
    &'a Value, "any value", Some;
    BreakKind, "a kind of break", |value| BreakKind::from_name(value.as_text()?);
    StateLine, "a state", |value| StateLine::from_name(value.as_text()?);
    Code, "a code", |value| Code::from_name(value.as_text()?);
}

/// A type that a record's name is read as.
trait Named<'a>: Sized {
    fn read(name: &'a str) -> Option<Self>;
}

impl<'a> Named<'a> for &'a str {
    fn read(name: &'a str) -> Option<&'a str> {
        Some(name)
    }
}

macro_rules! named {
    ($($type:ty)*) => {$(
        impl<'a> Named<'a> for $type {
            fn read(name: &'a str) -> Option<$type> {
                <$type>::from_name(name)
            }
        }
    )*};
}

named!(AdLine EventName MakingLine MediaLine NetLine Outcome PageLine StateLine UiLine UserLine);

/// The key of a field: its own name, unless the row gives another one.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

/// Makes an enum and its types of rows: variant, type, kind, names, fields.
macro_rules! shapes {
    (
        $(#[$of_enum:meta])*
        $enum:ident;
        $(
            #[doc = $about:literal]
            $variant:ident($shape:ident): $kind:ident, $names:pat => $($name:ident: $name_type:ty =>)? {
                $($field:ident $(as $key:literal)?: $type:ty, $gist:literal;)*
            }
        )*
    ) => {
        $(#[$of_enum])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $enum<'a> {
            $(#[doc = $about] $variant($shape<'a>),)*
            /// Anything else: a name that no table has, or data of another form, as in a trace from
            /// elsewhere.
            Other(&'a Record),
        }

        $(
            #[doc = $about]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            #[non_exhaustive]
            pub struct $shape<'a> {
                /// The record that says it.
                pub record: &'a Record,
                $(
                    /// Its name within the kind.
                    pub $name: $name_type,
                )?
                $(
                    #[doc = $gist]
                    pub $field: $type,
                )*
            }

            impl<'a> $shape<'a> {
                fn read(record: &'a Record) -> Option<$shape<'a>> {
                    Some($shape {
                        record,
                        $($name: Named::read(&record.name)?,)?
                        $($field: Datum::read(record.data.get(key!($field $($key)?)))?,)*
                    })
                }
            }
        )*

        impl<'a> $enum<'a> {
            /// The rows, in the order of the table.
            pub(super) const SHAPES: &'static [RecordShape] = &[$(RecordShape {
                kind: Kind::$kind,
                title: stringify!($variant),
                type_name: stringify!($shape),
                gist: $about.trim_ascii(),
                fields: &[$(RecordField {
                    key: key!($field $($key)?),
                    takes: <$type as Datum<'a>>::TAKES,
                    is_optional: <$type as Datum<'a>>::IS_OPTIONAL,
                    gist: $gist,
                },)*],
                names: |name| matches!(name, $names),
            },)*];

            pub(crate) fn of(record: &'a Record) -> $enum<'a> {
                let read = match (record.kind, record.line_name()) {
                    $((Kind::$kind, $names) => $shape::read(record).map($enum::$variant),)*
                    _ => None,
                };
                read.unwrap_or($enum::Other(record))
            }
        }
    };
}

use {key, shapes};

impl Record {
    /// Returns its content, as a type.
    #[must_use]
    pub fn view(&self) -> RecordView<'_> {
        RecordView::of(self)
    }
}

impl<'a> EventRecord<'a> {
    /// Returns its data, as a type.
    #[must_use]
    pub fn payload(&self) -> Payload<'a> {
        Payload::of(self.record)
    }
}
