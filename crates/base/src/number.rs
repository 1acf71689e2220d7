//! Decimal numbers without floats.
//!
//! A number is a whole number of millionths. A decimal is converted to one when it is read, so
//! nothing in the engine is a float, and a trace shows exactly what a scenario says.
//!
//! Rules: CLK-1, CLK-9.

use std::fmt;

use crate::named::from_str;

/// A number with at most six decimal places, as whole millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Decimal(i64);

const ONE: i64 = 1_000_000;

/// A double is at most 0.17976931348623157 times ten to the power of 309; from the half of the next
/// step on, a literal is infinite.
const LARGEST_POWER: i64 = 309;
const LARGEST_DIGITS: &str = "179769313486231580793";

/// An exponent that is out of every range.
const FAR: i64 = 1_000_000_000;

/// The length of the longest written number: a sign, 13 digits, the point and six digits.
pub const LONGEST: usize = 21;

impl Decimal {
    /// Zero.
    pub const ZERO: Decimal = Decimal(0);
    /// One.
    pub const ONE: Decimal = Decimal(ONE);

    /// The number of this many millionths.
    #[must_use]
    pub const fn from_millionths(millionths: i64) -> Decimal {
        Decimal(millionths)
    }

    /// A whole number; saturates at the largest one.
    #[must_use]
    pub const fn from_integer(integer: i64) -> Decimal {
        Decimal(integer.saturating_mul(ONE))
    }

    /// The seconds in a length of time.
    #[must_use]
    pub fn seconds(micros: u64) -> Decimal {
        Decimal(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    /// Whole millionths.
    #[must_use]
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// The number if it has no fraction.
    #[must_use]
    pub const fn as_integer(self) -> Option<i64> {
        if self.0 % ONE == 0 {
            Some(self.0 / ONE)
        } else {
            None
        }
    }

    /// Writes the number at the end of a buffer, several times faster than `format!`: a digest
    /// takes many of them.
    pub fn written(self, buffer: &mut [u8; LONGEST]) -> &str {
        let mut from = LONGEST;
        let mut put = |byte: u8| {
            from -= 1;
            buffer[from] = byte;
        };
        let digit = |number: u64| b'0' + (number % 10) as u8;
        let size = self.0.unsigned_abs();
        let (mut whole, mut fraction) = (size / ONE.unsigned_abs(), size % ONE.unsigned_abs());
        if fraction > 0 {
            let mut places = 6;
            while fraction % 10 == 0 {
                (fraction, places) = (fraction / 10, places - 1);
            }
            for _ in 0..places {
                put(digit(fraction));
                fraction /= 10;
            }
            put(b'.');
        }
        loop {
            put(digit(whole));
            whole /= 10;
            if whole == 0 {
                break;
            }
        }
        if self.0 < 0 {
            put(b'-');
        }
        // It is ASCII.
        str::from_utf8(&buffer[from..]).unwrap_or_default()
    }

    fn read(text: &str) -> Option<Decimal> {
        Decimal::parse(text, false)
    }

    /// Parses a number like `FromStr`, but rounds further decimals to the nearest millionth, halves
    /// away from zero. For recordings, which contain printed floats.
    #[must_use]
    pub fn parse_rounded(text: &str) -> Option<Decimal> {
        Decimal::parse(text, true)
    }

    /// The number that JavaScript takes a decimal literal for: rounded to the nearest millionth,
    /// halves away from zero, and one that no `Decimal` can hold as the largest whole number there
    /// is. The error is an infinite number, and whether it is negative. `None` if it is no literal.
    #[must_use]
    pub fn literal(text: &str) -> Option<Result<Decimal, bool>> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let negative = mantissa.starts_with('-');
        let digits = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent_digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty())
            || exponent_digits.is_empty()
            || ![whole, fraction, exponent_digits]
                .into_iter()
                .all(are_digits)
        {
            return None;
        }
        let far = if exponent.starts_with('-') { -FAR } else { FAR };
        let exponent = exponent.parse::<i64>().unwrap_or(far).clamp(-FAR, FAR);
        let all = format!("{whole}{fraction}");
        let shown = all.trim_start_matches('0');
        // It is 0.DIGITS times ten to the power of this.
        let power = i64::try_from(whole.len()).ok()?
            - i64::try_from(all.len() - shown.len()).ok()?
            + exponent;
        if shown.is_empty() {
            return Some(Ok(Decimal::ZERO));
        }
        if power > LARGEST_POWER || (power == LARGEST_POWER && shown >= LARGEST_DIGITS) {
            return Some(Err(negative));
        }
        let Ok(places) = usize::try_from((power + 6).min(20)) else {
            return Some(Ok(Decimal::ZERO));
        };
        let digit = |place: usize| shown.as_bytes().get(place).map_or(0, |byte| byte - b'0');
        let mut number: i128 = 0;
        for place in 0..places {
            number = 10 * number + i128::from(digit(place));
        }
        number += i128::from(digit(places) >= 5);
        let number = if negative { -number } else { number };
        let largest = i64::MAX / ONE * ONE;
        let size = i64::try_from(number).unwrap_or(if negative { -largest } else { largest });
        Some(Ok(Decimal(size)))
    }

    fn parse(text: &str, rounds: bool) -> Option<Decimal> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction)
        {
            return None;
        }
        let mut number: i128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()) {
            number = number
                .checked_mul(10)?
                .checked_add(i128::from(digit - b'0'))?;
        }
        let shift = 6 + i64::from(exponent) - i64::try_from(fraction.len()).ok()?;
        let mut last_digit = 0;
        for _ in 0..shift.unsigned_abs().min(64) {
            if number == 0 {
                last_digit = 0;
                break;
            }
            if shift > 0 {
                number = number.checked_mul(10)?;
            } else {
                last_digit = number % 10;
                if last_digit != 0 && !rounds {
                    return None;
                }
                number /= 10;
            }
        }
        number += i128::from(last_digit >= 5);
        i64::try_from(if negative { -number } else { number })
            .ok()
            .map(Decimal)
    }
}

// Such as `12`, `-0.5` or `1.5e2`. Nothing is rounded.
from_str!(Decimal, "a decimal number with at most six decimals");

/// No trailing zeros and no point without decimals. Rule CLK-9.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.written(&mut [0; LONGEST]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly_or_not_at_all() {
        let read = |text: &str| text.parse::<Decimal>().ok().map(Decimal::millionths);
        assert_eq!(read("12"), Some(12_000_000));
        assert_eq!(read("-0.5"), Some(-500_000));
        assert_eq!(read("1.5e2"), Some(150_000_000));
        assert_eq!(read("1e-6"), Some(1));
        assert_eq!(read("0.0000010"), Some(1));
        for wrong in [
            "",
            ".",
            "1.2.3",
            "0.0000001",
            "1e999",
            "12a",
            "--1",
            "1e",
            "NaN",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(read("0e999"), Some(0));
    }

    #[test]
    fn a_number_with_more_decimals_is_rounded_only_on_request() {
        let read = |text| Decimal::parse_rounded(text).map(Decimal::millionths);
        assert_eq!(read("0.30000000000000004"), Some(300_000));
        assert_eq!(read("-1.0000005"), Some(-1_000_001));
        assert_eq!(read("0.0000004999"), Some(0));
        assert_eq!(read("9e-99"), Some(0));
        assert_eq!(read("5e-8"), Some(0));
        assert_eq!(read("5e-7"), Some(1));
        assert_eq!(read("12.5"), Some(12_500_000));
        assert_eq!(read("1e999"), None);
        assert_eq!(read("0.5x"), None);
    }

    #[test]
    fn a_literal_is_what_javascript_takes_it_for() {
        let number = |text: &str| {
            let literal = Decimal::literal(text).expect("it is a literal");
            literal.expect("it is finite").to_string()
        };
        for (text, expected) in [
            ("12", "12"),
            ("-0.5", "-0.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("0.12345678", "0.123457"),
            ("0.1234565", "0.123457"),
            ("-0.1234565", "-0.123457"),
            ("0.00000049", "0"),
            ("0.0000005", "0.000001"),
            ("1e-300", "0"),
            ("0.00012e4", "1.2"),
            ("12345e-2", "123.45"),
            ("1e12", "1000000000000"),
            ("1e300", "9223372036854"),
            ("-1e300", "-9223372036854"),
            ("9223372036854.775807", "9223372036854.775807"),
            ("-9223372036854.775808", "-9223372036854.775808"),
            ("1.7976931348623157e308", "9223372036854"),
            (
                "0.3333333333333333333333333333333333333333333333333",
                "0.333333",
            ),
            ("0e999999999999999999999", "0"),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
        assert_eq!(Decimal::literal("1e309"), Some(Err(false)));
        assert_eq!(Decimal::literal("-1.8e308"), Some(Err(true)));
        assert_eq!(Decimal::literal("1e99999999999999999999"), Some(Err(false)));
        for text in [
            "", "-", "e5", "1e", ".nan", ".inf", "0x1f", "1_000", "1e+-5",
        ] {
            assert_eq!(Decimal::literal(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_are_written_without_trailing_zeros() {
        let write = |millionths| Decimal::from_millionths(millionths).to_string();
        assert_eq!(write(12_000_000), "12");
        assert_eq!(write(-500_000), "-0.5");
        assert_eq!(write(1), "0.000001");
    }
}
