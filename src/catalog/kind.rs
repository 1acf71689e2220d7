//! What a field takes: how its text is read, and how the description of the service words it.
//!
//! Rules: EDIT-12, EDIT-15 to EDIT-29.

use super::text;
use crate::api::Value;
use crate::knobs::Knobs;

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// The id of a video: a text with something in it. Rule EDIT-11.
    Id,
    /// The account that owns it: a text. Rule EDIT-34.
    Owner,
    /// A text with more than blanks. Rule EDIT-15.
    Name,
    /// Any text, kept as sent. Rule EDIT-28.
    Text,
    /// A text; where it is checked, a date with the year first. Rule EDIT-28.
    AirDate,
    /// A text; where it is checked, 0 or 1. Rule EDIT-28.
    TextFlag,
    /// Texts separated by commas. Rule EDIT-16.
    Tags,
    /// An absolute http or https address. Rule EDIT-18.
    Address,
    /// A channel's id: an integer from 1. Rule EDIT-19.
    Channel,
    /// 1, 2 or 3. Rule EDIT-20.
    AgeGate,
    /// A day as day-month-year. Rule EDIT-21.
    Date,
    /// The same; all zeros stand for none. Rule EDIT-22.
    EndDate,
    /// 0 or 1. Rules EDIT-24, EDIT-25.
    Flag,
    /// `true`, `1`, `false` or `0`. Rule EDIT-26.
    Switch,
    /// Countries as two letters, separated by commas. Rule EDIT-27.
    Countries,
    /// Texts by key. Rule EDIT-29.
    Pixels,
    /// Keys and values, paired by order. Rule EDIT-30.
    Pairs,
    /// Times and titles, paired by order. Rule EDIT-33.
    Chapters,
}

/// What reading a field depends on besides its text.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The settings in force.
    pub knobs: &'a Knobs,
    /// The channels that there are; `None`: any. Rule EDIT-19.
    pub channels: Option<&'a [u32]>,
}

/// Why a text is not what a field takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A stable word for programs.
    pub code: &'static str,
    /// What is due and a form to copy: the second half of a sentence.
    pub due: String,
}

impl Fault {
    /// A fault of this code; `due` is the second half of a sentence.
    #[must_use]
    pub fn new(code: &'static str, due: impl Into<String>) -> Fault {
        Fault { code, due: due.into() }
    }
}

impl FieldKind {
    /// The kind of an audience-measurement field. Rule EDIT-28.
    #[must_use]
    pub const fn comscore(name: &str) -> FieldKind {
        match name.as_bytes() {
            b"ns_st_ddt" | b"ns_st_tdt" => FieldKind::AirDate,
            b"ns_st_ce" | b"ns_user_gen" => FieldKind::TextFlag,
            _ => FieldKind::Text,
        }
    }

    /// What it takes, in words: `an integer from 1`.
    #[must_use]
    pub const fn takes(self) -> &'static str {
        match self {
            FieldKind::Id => "a text that is not empty",
            FieldKind::Owner | FieldKind::Text => "a text",
            FieldKind::Name => "a text with more than blanks",
            FieldKind::AirDate => "a text; checked, a date as year-month-day",
            FieldKind::TextFlag => "a text; checked, 0 or 1",
            FieldKind::Tags => "texts separated by commas",
            FieldKind::Address => "an absolute address with http or https",
            FieldKind::Channel => "an integer from 1",
            FieldKind::AgeGate => "1, 2 or 3",
            FieldKind::Date => "a date as day-month-year",
            FieldKind::EndDate => "a date as day-month-year; all zeros: none",
            FieldKind::Flag => "0 or 1",
            FieldKind::Switch => "true, 1, false or 0",
            FieldKind::Countries => "countries as two letters, separated by commas",
            FieldKind::Pixels => "texts by key",
            FieldKind::Pairs => "keys and values, as many of the one as of the other",
            FieldKind::Chapters => "times and titles, as many of the one as of the other",
        }
    }

    /// The only texts it takes, if they can be listed.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            FieldKind::AgeGate => &["1", "2", "3"],
            FieldKind::Flag => &["0", "1"],
            FieldKind::Switch => &["true", "1", "false", "0"],
            FieldKind::Id
            | FieldKind::Owner
            | FieldKind::Name
            | FieldKind::Text
            | FieldKind::AirDate
            | FieldKind::TextFlag
            | FieldKind::Tags
            | FieldKind::Address
            | FieldKind::Channel
            | FieldKind::Date
            | FieldKind::EndDate
            | FieldKind::Countries
            | FieldKind::Pixels
            | FieldKind::Pairs
            | FieldKind::Chapters => &[],
        }
    }

    /// The regular expression that its texts match, empty ones too where they are taken.
    #[must_use]
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            FieldKind::Id => Some("^.+$"),
            FieldKind::Name => Some("\\S"),
            FieldKind::Address => Some("^([Hh][Tt][Tt][Pp][Ss]?://[^\\s]+)?$"),
            FieldKind::Channel => Some("^[1-9][0-9]*$"),
            FieldKind::Date | FieldKind::EndDate => Some("^([0-9]{2}-[0-9]{2}-[0-9]{4})?$"),
            FieldKind::Countries => Some("^\\s*([A-Za-z]{2}\\s*(,\\s*[A-Za-z]{2}\\s*)*)?$"),
            FieldKind::Owner
            | FieldKind::Text
            | FieldKind::AirDate
            | FieldKind::TextFlag
            | FieldKind::Tags
            | FieldKind::AgeGate
            | FieldKind::Flag
            | FieldKind::Switch
            | FieldKind::Pixels
            | FieldKind::Pairs
            | FieldKind::Chapters => None,
        }
    }

    /// The names of the two lists of a field that is sent as two lists.
    #[must_use]
    pub const fn lists(self) -> Option<(&'static str, &'static str)> {
        match self {
            FieldKind::Pairs => Some(("key", "value")),
            FieldKind::Chapters => Some(("timestamp", "title")),
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
            | FieldKind::Pixels => None,
        }
    }

    /// A text that an audience-measurement field takes.
    pub(super) const fn example(self) -> &'static str {
        match self {
            FieldKind::AirDate => "2026-01-31",
            FieldKind::TextFlag => "0",
            FieldKind::Id
            | FieldKind::Owner
            | FieldKind::Name
            | FieldKind::Text
            | FieldKind::Tags
            | FieldKind::Address
            | FieldKind::Channel
            | FieldKind::AgeGate
            | FieldKind::Date
            | FieldKind::EndDate
            | FieldKind::Flag
            | FieldKind::Switch
            | FieldKind::Countries
            | FieldKind::Pixels
            | FieldKind::Pairs
            | FieldKind::Chapters => "1",
        }
    }

    /// Reads one text of a form. Of the kinds that take several texts each is taken as it is.
    ///
    /// # Errors
    ///
    /// Why it is not what the field takes.
    pub fn read(self, text: &str, reader: Reader<'_>) -> Result<Value, Fault> {
        match self {
            FieldKind::Id => text::id(text),
            FieldKind::Owner => Ok(text::or_none(text)),
            FieldKind::Name => text::name(text),
            FieldKind::AirDate if reader.knobs.edit_comscore_check.is_on() => text::air_date(text),
            FieldKind::TextFlag if reader.knobs.edit_comscore_check.is_on() => text::text_flag(text),
            FieldKind::Text
            | FieldKind::AirDate
            | FieldKind::TextFlag
            | FieldKind::Pixels
            | FieldKind::Pairs
            | FieldKind::Chapters => Ok(Value::from(text.to_owned())),
            FieldKind::Tags => Ok(text::tags(text)),
            FieldKind::Address => text::address(text),
            FieldKind::Channel => text::channel(text, reader),
            FieldKind::AgeGate => {
                text::listed(text, &[("1", 1), ("2", 2), ("3", 3)], "1, 2 or 3, like \"1\"", reader)
            }
            FieldKind::Date => text::date(text, reader),
            FieldKind::EndDate => text::end_date(text, reader),
            FieldKind::Flag => text::listed(text, &[("0", 0), ("1", 1)], "0 or 1, like \"1\"", reader),
            FieldKind::Switch => {
                let words = [("true", 1), ("1", 1), ("false", 0), ("0", 0)];
                text::listed(text, &words, "true, 1, false or 0, like \"true\"", reader)
            }
            FieldKind::Countries => text::countries(text, reader),
        }
    }
}
