//! When the `complete` trackers of an ad are called.

use std::fmt;

use playsim_base::named::from_str;
use playsim_base::number::Decimal;
use playsim_base::time::{Position, Span};

/// When the `complete` trackers of a linear ad are called; the ad itself ends at its end. Rule
/// PRD-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompleteAt {
    /// At its end.
    End,
    /// At this share of it, in millionths: more than none, and less than all of it.
    Share(u32),
    /// This long before its end; in an ad that is shorter than that, when it starts.
    Before(Span),
}

/// The word for the end of the ad.
const END: &str = "end";

/// The whole, in millionths.
const WHOLE: u32 = 1_000_000;

impl CompleteAt {
    /// The valid values, in words.
    pub const TAKES: &str =
        "end, a percentage of the ad such as 99%, or a time before its end such as -800ms";

    fn read(word: &str) -> Option<CompleteAt> {
        if word == END {
            return Some(CompleteAt::End);
        }
        if let Some(percent) = word.strip_suffix('%') {
            // A percent is ten thousand millionths; the number has six digits after its point.
            let share = percent.parse::<Decimal>().ok()?.millionths();
            let millionths = u32::try_from(share / 100).ok()?;
            return (share % 100 == 0 && (1..WHOLE).contains(&millionths))
                .then_some(CompleteAt::Share(millionths));
        }
        let before = word.strip_prefix('-')?.parse::<Span>().ok()?;
        (before > Span::ZERO).then_some(CompleteAt::Before(before))
    }

    /// Where that is in an ad of this duration; `None` at its end.
    #[must_use]
    pub fn place(self, duration: Span) -> Option<Position> {
        match self {
            CompleteAt::End => None,
            CompleteAt::Share(millionths) => Some(
                duration
                    .share(u64::from(millionths), u64::from(WHOLE))
                    .end(),
            ),
            CompleteAt::Before(before) => Some((duration - before).end()),
        }
    }
}

from_str!(CompleteAt, CompleteAt::TAKES);

impl fmt::Display for CompleteAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompleteAt::End => f.write_str(END),
            CompleteAt::Share(millionths) => {
                write!(
                    f,
                    "{}%",
                    Decimal::from_millionths(i64::from(*millionths) * 100)
                )
            }
            CompleteAt::Before(before) => write!(f, "-{}", before.in_seconds()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_or_a_time_before_the_end_is_read_and_written() {
        for (word, written, place) in [
            ("end", "end", None),
            ("99%", "99%", Some(3_960_000)),
            ("99.5%", "99.5%", Some(3_980_000)),
            ("-800ms", "-0.8s", Some(3_200_000)),
            ("-10s", "-10s", Some(0)),
        ] {
            let at: CompleteAt = word.parse().unwrap();
            assert_eq!(at.to_string(), written);
            assert_eq!(
                at.place(Span::from_secs(4)).map(Position::micros),
                place,
                "{word}"
            );
            assert_eq!(written.parse(), Ok(at));
        }
        for word in [
            "",
            "0%",
            "100%",
            "101%",
            "-1%",
            "99",
            "800ms",
            "-0s",
            "99.99999%",
            "start",
        ] {
            assert!(word.parse::<CompleteAt>().is_err(), "{word}");
        }
    }
}
