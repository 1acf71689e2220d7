//! When the ads of breaks in and after the content are requested.

use std::fmt;

use playsim_base::named::from_str;
use playsim_base::time::{Position, Span};

/// When the ads of a mid-roll or post-roll are requested; they are shown at its cue point. Rules
/// PRD-26, PRD-30.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskAhead {
    /// At its cue point.
    AtCue,
    /// When the content starts, or when the cue point becomes known.
    AtStart,
    /// This long before its cue point.
    Before(Span),
}

impl AskAhead {
    /// The valid values, in words.
    pub const TAKES: &str = "at_cue, at_start or a time before the cue point such as -5s";

    fn read(word: &str) -> Option<AskAhead> {
        match word {
            "at_cue" => Some(AskAhead::AtCue),
            "at_start" => Some(AskAhead::AtStart),
            _ => {
                let before = word.strip_prefix('-')?.parse::<Span>().ok()?;
                (before > Span::ZERO).then_some(AskAhead::Before(before))
            }
        }
    }

    /// The position at which the ads of a cue point are requested; `None` if nothing is requested
    /// ahead.
    #[must_use]
    pub fn place(self, cue: Position) -> Option<Position> {
        match self {
            AskAhead::AtCue => None,
            AskAhead::AtStart => Some(Position::ZERO),
            AskAhead::Before(before) => Some(((cue - Position::ZERO) - before).end()),
        }
    }
}

from_str!(AskAhead, AskAhead::TAKES);

impl fmt::Display for AskAhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskAhead::AtCue => f.write_str("at_cue"),
            AskAhead::AtStart => f.write_str("at_start"),
            AskAhead::Before(before) => write!(f, "-{}", before.in_seconds()),
        }
    }
}
