//! Instants, lengths and media positions, all in whole microseconds.
//!
//! A [`Time`] is a point on the virtual clock, a [`Span`] a length, a [`Position`] a place on one
//! media timeline. They do not mix: `Time + Position` does not exist. Arithmetic saturates, so no
//! input can overflow. There are no floats; seconds exist only in written form.
//!
//! Rules: CLK-1, CLK-9.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;
use std::time::Duration;

use jiff::fmt::friendly::SpanParser;

use crate::number::Decimal;
use crate::watch;

const MICROS_PER_SECOND: u64 = 1_000_000;

/// A point on the virtual clock: microseconds since the start of the run. Rule CLK-1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Time(u64);

/// A length of time in microseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span(u64);

/// A place on one media timeline: microseconds from its start.
#[derive(Debug, Clone, Copy, Default)]
pub struct Position(u64);

macro_rules! micros {
    ($type:ident, $what:literal) => {
        impl $type {
            /// Zero.
            pub const ZERO: $type = $type(0);
            /// The largest value, at which sums saturate.
            pub const MAX: $type = $type(u64::MAX);

            #[doc = concat!("The ", $what, " of this many microseconds.")]
            #[must_use]
            pub const fn from_micros(micros: u64) -> $type {
                $type(micros)
            }

            #[doc = concat!("The ", $what, " of this many milliseconds.")]
            #[must_use]
            pub const fn from_millis(millis: u64) -> $type {
                $type(millis.saturating_mul(1_000))
            }

            #[doc = concat!("The ", $what, " of this many seconds.")]
            #[must_use]
            pub const fn from_secs(secs: u64) -> $type {
                $type(secs.saturating_mul(MICROS_PER_SECOND))
            }

            /// Whole microseconds.
            #[must_use]
            pub const fn micros(self) -> u64 {
                self.0
            }
        }

        // Each comparison can be watched: see `watch`.
        impl PartialEq for $type {
            #[inline(always)]
            fn eq(&self, other: &$type) -> bool {
                watch::is_equal(self.0, other.0)
            }
        }

        impl Eq for $type {}

        impl Ord for $type {
            #[inline(always)]
            fn cmp(&self, other: &$type) -> Ordering {
                watch::is_equal(self.0, other.0);
                self.0.cmp(&other.0)
            }
        }

        impl PartialOrd for $type {
            #[inline(always)]
            fn partial_cmp(&self, other: &$type) -> Option<Ordering> {
                Some(self.cmp(other))
            }

            #[inline(always)]
            fn lt(&self, other: &$type) -> bool {
                watch::is_less(self.0, other.0)
            }

            #[inline(always)]
            fn le(&self, other: &$type) -> bool {
                !watch::is_less(other.0, self.0)
            }

            #[inline(always)]
            fn gt(&self, other: &$type) -> bool {
                watch::is_less(other.0, self.0)
            }

            #[inline(always)]
            fn ge(&self, other: &$type) -> bool {
                !watch::is_less(self.0, other.0)
            }
        }

        /// Seconds with six decimals, as traces write them.
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let text = Seconds(self.0);
                fmt::Display::fmt(&text, f)
            }
        }
    };
}

micros!(Time, "instant");
micros!(Span, "length");
micros!(Position, "position");

struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.0 / MICROS_PER_SECOND, self.0 % MICROS_PER_SECOND);
        match f.width() {
            // The width counts the digits of the whole number, the point and six decimals.
            Some(width) => write!(f, "{whole:>0$}.{fraction:06}", width.saturating_sub(7)),
            None => write!(f, "{whole}.{fraction:06}"),
        }
    }
}

/// An instant is written as an `i128`, and nothing else is, so that a hasher can tell instants from
/// lengths and take them relative to its clock.
impl Hash for Time {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_i128(self.0.into());
    }
}

impl Hash for Span {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0);
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0);
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

/// The time since an earlier instant; zero if it was later.
impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        watch::is_less(self.0, earlier.0);
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, more: Span) -> Span {
        Span(self.0.saturating_add(more.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, more: Span) {
        *self = *self + more;
    }
}

/// The difference; zero if it would be negative.
impl Sub for Span {
    type Output = Span;
    fn sub(self, less: Span) -> Span {
        watch::is_less(self.0, less.0);
        Span(self.0.saturating_sub(less.0))
    }
}

impl Add<Span> for Position {
    type Output = Position;
    fn add(self, span: Span) -> Position {
        Position(self.0.saturating_add(span.0))
    }
}

/// How far a position is after another; zero if it is before it.
impl Sub for Position {
    type Output = Span;
    fn sub(self, start: Position) -> Span {
        watch::is_less(self.0, start.0);
        Span(self.0.saturating_sub(start.0))
    }
}

impl Span {
    /// The longest length in a scenario, which also fits into a number of seconds.
    pub const LONGEST: Span = Span(i64::MAX as u64);

    /// This many of these spans, one after the other.
    #[must_use]
    pub const fn times(self, count: u64) -> Span {
        Span(self.0.saturating_mul(count))
    }

    /// The first moment at which `part` of `whole` equal parts of this span has passed.
    ///
    /// Rounds up to the next microsecond, so a quartile never fires early: a quarter of 3 µs is 1
    /// µs. The share is zero if `whole` is 0.
    ///
    /// Rules BRK-3, CUE-1.
    #[must_use]
    pub const fn share(self, part: u64, whole: u64) -> Span {
        if whole == 0 {
            return Span::ZERO;
        }
        let micros = (self.0 as u128 * part as u128).div_ceil(whole as u128);
        if micros > u64::MAX as u128 {
            Span::MAX
        } else {
            Span(micros as u64)
        }
    }

    /// How many whole steps it has; 0 if a step has no length.
    #[must_use]
    pub fn steps(self, step: Span) -> u64 {
        watch::divided(self.0, step.0);
        self.0.checked_div(step.0).unwrap_or(0)
    }

    /// How many steps cover it; 0 if a step has no length.
    #[must_use]
    pub fn covering_steps(self, step: Span) -> u64 {
        watch::divided(self.0.saturating_add(step.0.saturating_sub(1)), step.0);
        self.0.div_ceil(step.0.max(1))
    }

    /// The end of a media timeline of this length.
    #[must_use]
    pub const fn end(self) -> Position {
        Position(self.0)
    }

    /// The length in seconds, as written in scenarios: `0.25s`.
    #[must_use]
    pub fn in_seconds(self) -> String {
        format!("{}s", Decimal::seconds(self.0))
    }
}

/// The same length, without what is less than a microsecond.
impl From<Duration> for Span {
    fn from(length: Duration) -> Span {
        Span(u64::try_from(length.as_micros()).unwrap_or(u64::MAX))
    }
}

/// Whether it is as long; for assertions such as `later.at - earlier.at == Duration::from_secs(3)`.
impl PartialEq<Duration> for Span {
    fn eq(&self, length: &Duration) -> bool {
        u128::from(self.0) * 1_000 == length.as_nanos()
    }
}

/// Parses a length written with its unit: `1.5s`, `250ms`, `2m` or `01:02:03.500`. Nothing is
/// rounded.
impl FromStr for Span {
    type Err = ParseSpanError;

    fn from_str(text: &str) -> Result<Span, ParseSpanError> {
        if text.starts_with('-') {
            return Err(ParseSpanError::Negative);
        }
        let length = SpanParser::new()
            .parse_unsigned_duration(text)
            .map_err(|_| ParseSpanError::Form)?;
        if length.subsec_nanos() % 1_000 != 0 {
            return Err(ParseSpanError::TooFine);
        }
        let length = u64::try_from(length.as_micros()).ok().map(Span);
        length
            .filter(|length| *length <= Span::LONGEST)
            .ok_or(ParseSpanError::TooLong)
    }
}

/// Why a string is not a length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSpanError {
    /// It is not written as one.
    #[error("it must be a length of time with its unit, like 1.5s, 250ms, 2m or 01:02:03.500")]
    Form,
    /// It has a minus sign.
    #[error("it must not be negative")]
    Negative,
    /// It is finer than a microsecond.
    #[error("the finest unit is the microsecond")]
    TooFine,
    /// It is longer than [`Span::LONGEST`].
    #[error("it must be at most 9223372036854s")]
    TooLong,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_rounds_up_to_the_next_microsecond() {
        assert_eq!(Span::from_micros(3).share(1, 4), Span::from_micros(1));
        assert_eq!(
            Span::from_millis(15_001).share(1, 4),
            Span::from_micros(3_750_250)
        );
        assert_eq!(Span::MAX.share(1, 1), Span::MAX);
        assert_eq!(Span::ZERO.share(3, 4), Span::ZERO);
        assert_eq!(Span::MAX.share(u64::MAX, 1), Span::MAX);
        assert_eq!(Span::from_secs(1).share(1, 0), Span::ZERO);
    }

    #[test]
    fn seconds_are_written_with_six_decimals_and_padded_on_the_left() {
        assert_eq!(Time::from_micros(4_060_000).to_string(), "4.060000");
        assert_eq!(format!("{:13}", Time::from_millis(250)), "     0.250000");
    }

    #[test]
    fn sums_stop_at_the_largest_value() {
        assert_eq!(Time::MAX + Span::from_secs(1), Time::MAX);
        assert_eq!(Time::ZERO - Time::from_secs(1), Span::ZERO);
    }
}
