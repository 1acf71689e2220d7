//! A duration that may be unlimited.

use std::fmt;

use playsim_base::named::from_str;
use playsim_base::time::{Span, Time};

/// A time limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    Off,
    /// At most this long.
    After(Span),
}

impl Limit {
    /// The valid values, in words.
    pub const TAKES: &str = "a duration such as 8s, or off";

    /// The word for no limit.
    pub const OFF: &str = "off";

    fn read(word: &str) -> Option<Limit> {
        match word {
            Limit::OFF => Some(Limit::Off),
            "0" => Some(Limit::After(Span::ZERO)),
            length => length.parse().ok().map(Limit::After),
        }
    }

    /// Returns when the limit is reached if it starts now, or `None` if there is no limit.
    #[must_use]
    pub fn from(self, now: Time) -> Option<Time> {
        self.length().map(|length| now + length)
    }

    /// Returns this limit, or `other` if this is none.
    #[must_use]
    pub const fn or(self, other: Limit) -> Limit {
        match self {
            Limit::Off => other,
            Limit::After(_) => self,
        }
    }

    /// Returns the duration, or `None` if there is no limit.
    #[must_use]
    pub const fn length(self) -> Option<Span> {
        match self {
            Limit::Off => None,
            Limit::After(length) => Some(length),
        }
    }
}

// `off`, or a duration; `0` needs no unit.
from_str!(Limit, Limit::TAKES);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Off => f.write_str(Limit::OFF),
            Limit::After(length) => f.write_str(&length.in_seconds()),
        }
    }
}
