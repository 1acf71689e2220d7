//! A length of time that may be without end.

use std::fmt;

use crate::time::{Span, Time};

/// A limit on a length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// There is none.
    Off,
    /// So long, and no longer.
    After(Span),
}

impl Limit {
    /// What it takes, in words.
    pub const TAKES: &str = "a length of time, like 8s, or off";

    /// The limit of this word: `off`, or a length of time; `0` needs no unit.
    #[must_use]
    pub fn read(word: &str) -> Option<Limit> {
        match word {
            "off" => Some(Limit::Off),
            "0" => Some(Limit::After(Span::ZERO)),
            length => Span::read(length).ok().map(Limit::After),
        }
    }

    /// When it is over if it begins now; `None`: never.
    #[must_use]
    pub fn from(self, now: Time) -> Option<Time> {
        self.length().map(|length| now + length)
    }

    /// The length; `None`: without end.
    #[must_use]
    pub const fn length(self) -> Option<Span> {
        match self {
            Limit::Off => None,
            Limit::After(length) => Some(length),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Off => f.write_str("off"),
            Limit::After(length) => f.write_str(&length.in_seconds()),
        }
    }
}
