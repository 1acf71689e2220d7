//! Alternatives to a session: its responses, played with other settings.

use playsim_base::time::Span;

/// The answers of a session, played with another setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The change, in words; the first one is "no change".
    pub change: String,
    /// Its result.
    pub result: AlternativeResult,
}

/// The result of the first break with another setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AlternativeResult {
    /// A picture came.
    Picture {
        /// How long after the break began.
        after: Span,
        /// The URL of the tag whose ad it shows; `None` if it is content.
        tag: Option<String>,
    },
    /// No picture came.
    Nothing,
    /// It depends on an answer that the page did not wait for.
    Unknown,
}

impl AlternativeResult {
    /// Returns how long after the break began the picture came, if one did.
    #[must_use]
    pub const fn after(&self) -> Option<Span> {
        match self {
            AlternativeResult::Picture { after, .. } => Some(*after),
            AlternativeResult::Nothing | AlternativeResult::Unknown => None,
        }
    }
}
