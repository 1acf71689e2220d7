//! The origin of a value of a field, and why it is wrong.

use playsim_rules::RuleId;
use playsim_rules::knobs::KnobReader;

/// The origin of a value, which decides how strictly it is read.
#[derive(Debug, Clone, Copy)]
pub enum ValueSource<'a> {
    /// A form of the edit call: the knobs decide.
    Call {
        /// The settings in force.
        knobs: &'a KnobReader,
        /// The channels that exist; `None`: any. Rule EDIT-19.
        channels: Option<&'a [u32]>,
    },
    /// A record as JSON: read like the default edit call, except that a name may be empty and a
    /// country may be any two letters, which a knob can have let in.
    Catalog,
    /// `videos` of a scenario: tags, URLs and timestamps are kept as written, so that a scenario
    /// can hold records that the edit call would refuse.
    Scenario,
    /// A video object of page code: what cannot be used is left out.
    Page,
}

impl ValueSource<'_> {
    /// Whether strings are checked and cleaned as the edit call does.
    pub(super) const fn is_checked(self) -> bool {
        matches!(self, ValueSource::Call { .. } | ValueSource::Catalog)
    }

    /// The knobs, if they decide.
    pub(super) const fn knobs(&self) -> Option<&KnobReader> {
        if let ValueSource::Call { knobs, .. } = self {
            Some(knobs)
        } else {
            None
        }
    }
}

/// Why a field does not accept a string.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InvalidValue {
    /// A stable word for programs.
    pub code: &'static str,
    /// The accepted values: the second half of a sentence.
    pub due: String,
    /// The part of the string that is wrong, if it is not all of it.
    pub part: Option<String>,
    /// The value that was probably intended.
    pub meant: Option<String>,
    /// The rule that the value breaks; `None`: that of its field.
    pub rule: Option<RuleId>,
}

impl InvalidValue {
    /// A fault with this code; `due` is the second half of a sentence, and if it is empty, what the
    /// kind takes.
    #[must_use]
    pub fn new(code: &'static str, due: impl Into<String>) -> InvalidValue {
        InvalidValue {
            code,
            due: due.into(),
            ..InvalidValue::default()
        }
    }

    pub(super) fn of(self, rule: RuleId) -> InvalidValue {
        InvalidValue {
            rule: Some(rule),
            ..self
        }
    }

    /// `"publish" is "2024-01-31"; it must be a date as day-month-year, like 31-01-2024`, without
    /// what was meant.
    pub fn message(&self, subject: &str, found: &str) -> String {
        match &self.part {
            Some(part) => format!("{subject} contains {}; {}", quoted(part), self.due),
            None => format!("{subject} is {found}; {}", self.due),
        }
    }
}

/// A message that proposes the probable intention.
pub fn proposing(message: String, meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("{message}; did you mean \"{meant}\"?"),
        None => message,
    }
}

/// Formats a string for messages.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", playsim_base::escape::shown(text))
}
