//! The sessions of a sweep, divided among several processes or machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::SweepError;

/// The largest number of shards.
pub const MAX_SHARDS: u64 = 1_000_000;

/// One of several equal parts of the sessions of a sweep: `3/8` is the fourth of eight.
///
/// All sessions are numbered, combination by combination, and each shard has consecutive ones. So
/// every session is in exactly one shard, and the shards one after another are the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All sessions.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// The shard of this index, counted from 0; `None` if there are not that many, or too many.
    #[must_use]
    pub const fn new(index: u64, of: u64) -> Option<Shard> {
        if index < of && of <= MAX_SHARDS {
            Some(Shard { index, of })
        } else {
            None
        }
    }

    /// Its index, counted from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// How many shards there are.
    #[must_use]
    pub const fn of(self) -> u64 {
        self.of
    }

    /// Its part of this many sessions.
    #[must_use]
    pub fn range(self, sessions: u64) -> Range<u64> {
        let before = |index: u64| {
            let before = u128::from(sessions) * u128::from(index) / u128::from(self.of);
            u64::try_from(before).unwrap_or(u64::MAX)
        };
        before(self.index)..before(self.index + 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Shard, SweepError> {
        let wrong = |why: &str| SweepError::input(format!("\"{text}\" is no shard: {why}"));
        let form = "write it like 0/8, the first of eight";
        let (index, of) = text.split_once('/').ok_or_else(|| wrong(form))?;
        let (Ok(index), Ok(of)) = (index.trim().parse(), of.trim().parse()) else {
            return Err(wrong(form));
        };
        Shard::new(index, of).ok_or_else(|| {
            wrong(&match of {
                0 => form.to_owned(),
                1..=MAX_SHARDS => format!(
                    "they are counted from 0, so that the last one is {}/{of}",
                    of - 1
                ),
                _ => format!("there are at most {MAX_SHARDS}"),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_session_is_in_exactly_one_shard() {
        for (sessions, of) in [
            (10, 3),
            (2, 5),
            (0, 4),
            (u64::MAX, 7),
            (1_000_000_007, 1_000),
        ] {
            let mut next = 0;
            for index in 0..of {
                let range = Shard::new(index, of)
                    .expect("there are that many")
                    .range(sessions);
                assert_eq!(range.start, next);
                assert!(range.end - range.start <= sessions / of + 1);
                next = range.end;
            }
            assert_eq!(next, sessions);
        }
    }

    #[test]
    fn a_mistake_is_named_with_a_form_to_copy() {
        for (text, why) in [
            ("8/8", "the last one is 7/8"),
            ("1", "write it like 0/8"),
            ("a/b", "write it like 0/8"),
            ("0/0", "write it like 0/8"),
            ("-1/8", "write it like 0/8"),
            ("1/9999999", "at most 1000000"),
        ] {
            let error = text.parse::<Shard>().expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(
            "7/8"
                .parse::<Shard>()
                .map(|it| it.to_string())
                .ok()
                .as_deref(),
            Some("7/8")
        );
    }
}
