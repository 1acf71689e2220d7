//! How sure a statement about a recording is.

use std::fmt;

use serde::Serialize;

/// How sure a statement about a recording is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// It is in the recording.
    Seen,
    /// It follows from the recording.
    Inferred,
    /// Somebody gave it, such as an option of the command line.
    Assumed,
    /// The recording does not show it.
    Unknown,
}

/// How a recording was read, or an assumption of the simulation: one sentence with one degree, and
/// its ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The sentence, without a full stop.
    pub text: String,
    /// How sure it is.
    pub certainty: Certainty,
}

impl Certainty {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Certainty::Seen => "seen",
            Certainty::Inferred => "inferred",
            Certainty::Assumed => "assumed",
            Certainty::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Note {
    pub(super) fn seen(text: impl Into<String>) -> Note {
        Note {
            text: text.into(),
            certainty: Certainty::Seen,
        }
    }

    pub(super) fn inferred(text: impl Into<String>) -> Note {
        Note {
            text: text.into(),
            certainty: Certainty::Inferred,
        }
    }

    pub(super) fn assumed(text: impl Into<String>) -> Note {
        Note {
            text: text.into(),
            certainty: Certainty::Assumed,
        }
    }

    pub(super) fn unknown(text: impl Into<String>) -> Note {
        Note {
            text: text.into(),
            certainty: Certainty::Unknown,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  [{}]", self.text, self.certainty)
    }
}
