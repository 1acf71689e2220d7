//! Kinds of fields: a row each, with what such a field takes and how a string of it is read.
//!
//! Reading, schemas and messages use these rows. Only the [`Shape`] of a kind is ever matched.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-30, EDIT-33, EDIT-55, CON-19, CH-9.

use super::fault::{InvalidValue, ValueSource};
use super::text;
use playsim_base::code::Code;
use playsim_base::value::Value;
use playsim_rules::{self as rules, RuleId};

/// The values of a field.
#[derive(Debug)]
pub struct FieldKind {
    /// How its value is made of strings.
    pub shape: Shape,
    /// The accepted values, with an example: `a date as day-month-year, like 31-01-2024`.
    pub takes: &'static str,
    /// The only strings that the edit call accepts, if they can be listed.
    pub words: &'static [&'static str],
    /// The regular expression that its strings match, including empty strings where they are
    /// accepted.
    pub pattern: Option<&'static str>,
    /// The two lists that it is sent as: the name of each, and a string that it accepts.
    pub lists: &'static [(&'static str, &'static str)],
    /// The keys that the reference names, of a field that is sent by key.
    pub keys: &'static [&'static str],
    /// The diagnostic for a wrong value in page code, if there is one.
    pub note: Option<(RuleId, Code)>,
    read: fn(&str, ValueSource<'_>) -> Result<Value, InvalidValue>,
}

/// How a value is made of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A string.
    String,
    /// A string, or none.
    Optional,
    /// A day, or none.
    Day,
    /// Strings separated by commas, kept as one string.
    Tags,
    /// 0 or 1.
    Flag,
    /// An integer from 1, or none.
    Integer,
    /// One of a few integers, or none.
    Choice,
    /// A list of codes, which a string separates by commas.
    Codes,
    /// Strings by key.
    ByKey,
    /// Pairs of a key and a value.
    Pairs,
    /// Chapters: a timestamp and a title each.
    Chapters,
}

impl FieldKind {
    const fn new(
        shape: Shape,
        takes: &'static str,
        read: fn(&str, ValueSource<'_>) -> Result<Value, InvalidValue>,
    ) -> FieldKind {
        let (words, lists, keys): (&[&str], &[(&str, &str)], &[&str]) = (&[], &[], &[]);
        FieldKind {
            shape,
            takes,
            words,
            pattern: None,
            lists,
            keys,
            note: None,
            read,
        }
    }

    /// Describes the values accepted from there.
    pub(super) const fn takes_from(&self, source: ValueSource<'_>) -> &'static str {
        if matches!(self.shape, Shape::Flag) && source.knobs().is_none() {
            "0, 1, true or false"
        } else if matches!(self.shape, Shape::String | Shape::Optional | Shape::Tags)
            && !source.is_checked()
        {
            "a string"
        } else {
            self.takes
        }
    }

    /// Reads one string. If a field takes several, this is one of them; of a field in two lists,
    /// one of the first.
    ///
    /// # Errors
    ///
    /// Why the field does not accept it.
    pub fn read(&self, text: &str, source: ValueSource<'_>) -> Result<Value, InvalidValue> {
        (self.read)(text, source).map_err(|fault| {
            let due = match fault.due.as_str() {
                "" => format!("it must be {}", self.takes_from(source)),
                _ => fault.due,
            };
            InvalidValue { due, ..fault }
        })
    }
}

/// The id of a video. Rule EDIT-11.
pub(super) const ID: FieldKind = FieldKind {
    pattern: Some("^.+$"),
    ..FieldKind::new(Shape::String, "a non-empty string", text::id)
};

/// The account that owns a video. Rule EDIT-34.
pub(super) const OWNER: FieldKind = FieldKind::new(Shape::Optional, "a string", |text, _| {
    Ok(text::or_none(text))
});

/// Rule EDIT-15.
pub(super) const NAME: FieldKind = FieldKind {
    pattern: Some("\\S"),
    ..FieldKind::new(
        Shape::String,
        "a non-blank string, like Big film",
        text::name,
    )
};

/// A string that is kept as sent. Rule EDIT-28.
pub(super) const TEXT: FieldKind =
    FieldKind::new(Shape::String, "a string", |text, _| Ok(text::kept(text)));

/// A string; where it is checked, a date with the year first. Rule EDIT-28.
pub(super) const AIR_DATE: FieldKind = FieldKind::new(
    Shape::String,
    "a date as year-month-day, like 2024-01-31",
    text::air_date,
);

/// A string; where it is checked, 0 or 1. Rule EDIT-28.
pub(super) const TEXT_FLAG: FieldKind = FieldKind::new(Shape::String, "0 or 1", text::text_flag);

/// Rule EDIT-16.
pub(super) const TAGS: FieldKind = FieldKind::new(
    Shape::Tags,
    "a string of tags separated by commas",
    |text, source| Ok(text::tags(text, source)),
);

/// Rule EDIT-18.
pub(super) const URL: FieldKind = FieldKind {
    pattern: Some("^([Hh][Tt][Tt][Pp][Ss]?://[^\\s/][^\\s]*)?$"),
    ..FieldKind::new(
        Shape::Optional,
        "an absolute URL with http or https, like https://shop.test/film",
        text::url,
    )
};

/// The id of a channel. Rule EDIT-19.
pub(super) const CHANNEL: FieldKind = FieldKind {
    pattern: Some("^[1-9][0-9]*$"),
    ..FieldKind::new(Shape::Integer, "a whole number from 1", text::channel)
};

/// Rule EDIT-20.
pub(super) const AGE_GATE: FieldKind = FieldKind {
    words: &["1", "2", "3"],
    ..FieldKind::new(
        Shape::Choice,
        "1 for everyone, 2 for 17 and older or 3 for 18 and older",
        |text, source| text::listed(text, &[("1", 1), ("2", 2), ("3", 3)], source),
    )
};

/// Rule EDIT-21.
pub(super) const DATE: FieldKind = FieldKind {
    pattern: Some("^([0-9]{2}-[0-9]{2}-[0-9]{4})?$"),
    note: Some((rules::EDIT_55, Code::BadDate)),
    ..FieldKind::new(
        Shape::Day,
        "a date as day-month-year, like 31-01-2024",
        text::date,
    )
};

/// A date for which all zeros mean none. Rule EDIT-22.
pub(super) const END_DATE: FieldKind = FieldKind {
    read: text::end_date,
    ..DATE
};

/// Rules EDIT-24, EDIT-25, CON-19.
pub(super) const FLAG: FieldKind = FieldKind {
    words: &["0", "1"],
    note: Some((rules::CON_19, Code::BadFlag)),
    ..FieldKind::new(Shape::Flag, "0 or 1", |text, source| {
        // Page code writes truth values as strings too.
        let is_page = matches!(source, ValueSource::Page);
        if is_page {
            (SWITCH.read)(text, source)
        } else {
            text::listed(text, &[("0", 0), ("1", 1)], source)
        }
    })
};

/// Rule EDIT-26.
pub(super) const SWITCH: FieldKind = FieldKind {
    words: &["true", "1", "false", "0"],
    takes: "true, 1, false or 0",
    read: |text, source| {
        text::listed(
            text,
            &[("true", 1), ("1", 1), ("false", 0), ("0", 0)],
            source,
        )
    },
    ..FLAG
};

/// Rule EDIT-27.
pub(super) const COUNTRIES: FieldKind = FieldKind {
    pattern: Some("^\\s*([A-Za-z]{2}\\s*(,\\s*[A-Za-z]{2}\\s*)*)?$"),
    ..FieldKind::new(
        Shape::Codes,
        "countries as two letters, separated by commas, like US, CA",
        text::countries,
    )
};

/// Rule EDIT-29.
pub(super) const PIXELS: FieldKind = FieldKind {
    keys: super::PIXELS,
    ..FieldKind::new(
        Shape::ByKey,
        "strings by key, like { \"impression\": \"https://pixels.test/i\" }",
        |text, _| Ok(text::kept(text)),
    )
};

/// Rule EDIT-30.
pub(super) const PAIRS: FieldKind = FieldKind {
    lists: &[("key", "genre"), ("value", "drama")],
    ..FieldKind::new(
        Shape::Pairs,
        "a list of keys and values, like [[\"genre\", \"news\"]]",
        text::key,
    )
};

/// Rule EDIT-33.
pub(super) const CHAPTERS: FieldKind = FieldKind {
    lists: &[("timestamp", "0:40"), ("title", "Middle")],
    note: Some((rules::CH_9, Code::BadChapter)),
    ..FieldKind::new(
        Shape::Chapters,
        "a list of chapters, like [{ \"timestamp\": \"0:40\", \"title\": \"Middle\" }]",
        text::timestamp,
    )
};
