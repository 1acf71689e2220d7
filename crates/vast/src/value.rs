//! Times, percentages, numbers, booleans and keywords, as VAST specifies them and as real documents
//! write them.
//!
//! Each function returns the value, if there is one, and how it deviates from the standard. Floats
//! are not used: a time is exact to the microsecond, a percentage to the millionth of the whole.

use std::borrow::Cow;

use super::{Offset, WarningCode};
use playsim_base::time::Span;

/// The result of parsing a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken<T> {
    /// The value; `None` if it is invalid.
    pub(crate) value: Option<T>,
    /// How it deviates from the standard, or why it is invalid.
    pub(crate) oddity: Option<Oddity>,
}

/// A deviation from the standard: the code of the warning, and how the value is interpreted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Oddity {
    pub(crate) code: WarningCode,
    pub(crate) how: Cow<'static, str>,
}

impl<T> Taken<T> {
    pub(super) fn plain(value: T) -> Taken<T> {
        Taken {
            value: Some(value),
            oddity: None,
        }
    }

    pub(super) fn odd(value: T, code: WarningCode, how: impl Into<Cow<'static, str>>) -> Taken<T> {
        Taken {
            value: Some(value),
            oddity: Some(Oddity {
                code,
                how: how.into(),
            }),
        }
    }

    pub(super) fn nothing(code: WarningCode, how: &'static str) -> Taken<T> {
        Taken {
            value: None,
            oddity: Some(Oddity {
                code,
                how: Cow::Borrowed(how),
            }),
        }
    }

    pub(super) fn map<U>(self, to: impl FnOnce(T) -> U) -> Taken<U> {
        Taken {
            value: self.value.map(to),
            oddity: self.oddity,
        }
    }
}

/// Parses a keyword in any letter case; `None` if it is not one of `known`.
pub(super) fn keyword<T>(
    text: &str,
    known: impl IntoIterator<Item = T>,
    word: impl Fn(&T) -> &str,
) -> Option<Taken<T>> {
    let found = known
        .into_iter()
        .find(|it| word(it).eq_ignore_ascii_case(text))?;
    if word(&found) == text {
        return Some(Taken::plain(found));
    }
    let how = format!("read as \"{}\"", word(&found));
    Some(Taken::odd(found, WarningCode::LetterCase, how))
}

/// Parses a time of the form `HH:MM:SS` or `HH:MM:SS.mmm`. VAST 4.3 section 3.8.1.
///
/// Also accepted, with a warning: seconds alone, minutes and seconds, fields of other lengths, more
/// than 59 minutes or seconds, fractions without exactly three digits. Anything finer than a
/// microsecond is truncated.
pub(crate) fn time(text: &str) -> Taken<Span> {
    let how = "expected a time of the form \"HH:MM:SS.mmm\", ignored";
    time_parts(text).unwrap_or_else(|| Taken::nothing(WarningCode::TimeUnreadable, how))
}

fn time_parts(text: &str) -> Option<Taken<Span>> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let (mut seconds, mut fields, mut two_digits, mut in_range) = (0_u64, 0, true, true);
    for field in whole.split(':') {
        let number = digits(field)?;
        in_range &= fields == 0 || number < 60;
        two_digits &= field.len() == 2;
        seconds = seconds.checked_mul(60)?.checked_add(number)?;
        fields += 1;
    }
    let (fraction_micros, cut) = fraction.map_or(Some((0, false)), |digits| decimals(digits, 6))?;
    let span = Span::from_micros(
        seconds
            .checked_mul(1_000_000)?
            .checked_add(fraction_micros)?,
    );
    Some(match fields {
        1 => Taken::odd(
            span,
            WarningCode::TimeBareNumber,
            format!("read as seconds: {}", clock(span)),
        ),
        _ if cut => Taken::odd(
            span,
            WarningCode::TimeTooFine,
            format!("truncated to the microsecond: {}", clock(span)),
        ),
        3 if !two_digits => Taken::odd(
            span,
            WarningCode::TimeForm,
            format!("read as {}", clock(span)),
        ),
        3 if !in_range => Taken::odd(
            span,
            WarningCode::TimeRange,
            format!("read as {}", clock(span)),
        ),
        3 if fraction.is_some_and(|digits| digits.len() != 3) => Taken::odd(
            span,
            WarningCode::TimeFraction,
            format!("read as {}", clock(span)),
        ),
        3 => Taken::plain(span),
        2 => Taken::odd(
            span,
            WarningCode::TimeForm,
            format!("read as minutes and seconds: {}", clock(span)),
        ),
        _ => return None,
    })
}

/// Parses a time or a percentage, as in `skipoffset` and `offset`. VAST 4.3 sections 3.8, 3.14.
pub(crate) fn offset(text: &str) -> Taken<Offset> {
    let Some(percent) = text.strip_suffix('%') else {
        let mut taken = time(text);
        if taken.value.is_none() {
            taken = Taken::nothing(
                WarningCode::OffsetUnreadable,
                "expected a time or a percentage such as \"25%\", ignored",
            );
        }
        return taken.map(Offset::At);
    };
    share(percent.trim_end())
        .unwrap_or_else(|| {
            Taken::nothing(
                WarningCode::OffsetUnreadable,
                "expected a percentage such as \"25%\", ignored",
            )
        })
        .map(Offset::Share)
}

/// Converts a decimal percentage to millionths of the whole.
fn share(percent: &str) -> Option<Taken<u32>> {
    let (whole, fraction) = percent.split_once('.').unwrap_or((percent, "0"));
    let (fraction, cut) = decimals(fraction, 4)?;
    let millionths = digits(whole)?.checked_mul(10_000)?.checked_add(fraction)?;
    let share = u32::try_from(millionths).ok()?;
    Some(if cut {
        Taken::odd(
            share,
            WarningCode::OffsetTooFine,
            "truncated to the millionth",
        )
    } else if share > 1_000_000 {
        Taken::odd(
            share,
            WarningCode::OffsetOver100,
            "more than 100%, never reached",
        )
    } else {
        Taken::plain(share)
    })
}

/// Parses a whole number that is not negative.
pub(crate) fn number(text: &str) -> Taken<u32> {
    let small = |part| digits(part).and_then(|number| u32::try_from(number).ok());
    if let Some(number) = small(text) {
        return Taken::plain(number);
    }
    if let Some((whole, fraction)) = text.split_once('.')
        && let (Some(number), Some(_)) = (small(whole), decimals(fraction, 1))
    {
        return Taken::odd(
            number,
            WarningCode::NumberFraction,
            format!("read as {number}"),
        );
    }
    if digits_alone(text) {
        return Taken::nothing(
            WarningCode::NumberUnreadable,
            "a number that is too large, ignored",
        );
    }
    Taken::nothing(
        WarningCode::NumberUnreadable,
        "expected a whole number, ignored",
    )
}

/// Parses `true`, `false`, `1` or `0`; other letter cases get a warning.
pub(crate) fn boolean(text: &str) -> Taken<bool> {
    match text {
        "true" | "1" => Taken::plain(true),
        "false" | "0" => Taken::plain(false),
        _ if text.eq_ignore_ascii_case("true") => {
            Taken::odd(true, WarningCode::BooleanSpelling, "read as true")
        }
        _ if text.eq_ignore_ascii_case("false") => {
            Taken::odd(false, WarningCode::BooleanSpelling, "read as false")
        }
        _ => Taken::nothing(
            WarningCode::BooleanUnreadable,
            "expected \"true\" or \"false\", ignored",
        ),
    }
}

/// Writes a span as VAST does: `HH:MM:SS`, with a fraction of three digits, or six if necessary.
pub(crate) fn clock(span: Span) -> String {
    let (seconds, micros) = (span.micros() / 1_000_000, span.micros() % 1_000_000);
    let whole = format!(
        "{:02}:{:02}:{:02}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60
    );
    match micros {
        0 => whole,
        _ if micros % 1_000 == 0 => format!("{whole}.{:03}", micros / 1_000),
        _ => format!("{whole}.{micros:06}"),
    }
}

/// Writes an offset as VAST does.
pub(crate) fn offset_text(offset: Offset) -> String {
    match offset {
        Offset::At(span) => clock(span),
        Offset::Share(share) if share % 10_000 == 0 => format!("{}%", share / 10_000),
        Offset::Share(share) => {
            let decimals = format!("{:04}", share % 10_000);
            format!("{}.{}%", share / 10_000, decimals.trim_end_matches('0'))
        }
    }
}

/// Parses a number of digits alone.
fn digits(text: &str) -> Option<u64> {
    if digits_alone(text) {
        text.parse().ok()
    } else {
        None
    }
}

fn digits_alone(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Converts the digits after a decimal point to a number of `places` digits; `true` if more than
/// zeros were cut off.
fn decimals(text: &str, places: usize) -> Option<(u64, bool)> {
    if !digits_alone(text) {
        return None;
    }
    let (kept, rest) = text.split_at(text.len().min(places));
    let number = (0..places).fold(0, |number, place| {
        number * 10
            + kept
                .as_bytes()
                .get(place)
                .map_or(0, |digit| u64::from(digit - b'0'))
    });
    Some((number, rest.bytes().any(|digit| digit != b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str) -> (Option<u64>, Option<WarningCode>) {
        let taken = time(text);
        (
            taken.value.map(Span::micros),
            taken.oddity.map(|oddity| oddity.code),
        )
    }

    #[test]
    fn times_are_exact_and_deviations_are_reported() {
        assert_eq!(micros("00:00:15"), (Some(15_000_000), None));
        assert_eq!(micros("01:02:03.004"), (Some(3_723_004_000), None));
        assert_eq!(
            micros("00:00:15.5"),
            (Some(15_500_000), Some(WarningCode::TimeFraction))
        );
        assert_eq!(
            micros("00:00:00.0000019"),
            (Some(1), Some(WarningCode::TimeTooFine))
        );
        assert_eq!(
            micros("15.25"),
            (Some(15_250_000), Some(WarningCode::TimeBareNumber))
        );
        assert_eq!(
            micros("3"),
            (Some(3_000_000), Some(WarningCode::TimeBareNumber))
        );
        assert_eq!(
            micros("1:30"),
            (Some(90_000_000), Some(WarningCode::TimeForm))
        );
        assert_eq!(
            micros("0:00:09"),
            (Some(9_000_000), Some(WarningCode::TimeForm))
        );
        assert_eq!(
            micros("00:00:75"),
            (Some(75_000_000), Some(WarningCode::TimeRange))
        );
    }

    #[test]
    fn an_invalid_time_gives_no_value() {
        for text in [
            "",
            ":",
            "-1",
            "+1",
            "00:00:15.",
            ".5",
            "1:2:3:4",
            "PT15S",
            "1e3",
            "9999999999999999999",
        ] {
            assert_eq!(
                micros(text),
                (None, Some(WarningCode::TimeUnreadable)),
                "{text}"
            );
        }
    }

    #[test]
    fn percentages_are_millionths() {
        assert_eq!(offset("25%"), Taken::plain(Offset::Share(250_000)));
        assert_eq!(offset("33.3333%").value, Some(Offset::Share(333_333)));
        assert_eq!(
            offset("33.33335%").oddity.map(|oddity| oddity.code),
            Some(WarningCode::OffsetTooFine)
        );
        assert_eq!(
            offset("150%").oddity.map(|oddity| oddity.code),
            Some(WarningCode::OffsetOver100)
        );
        assert_eq!(offset("%").value, None);
        assert_eq!(offset("999999%").value, None);
        assert_eq!(offset_text(Offset::Share(12_500)), "1.25%");
        assert_eq!(
            offset_text(Offset::At(Span::from_millis(5_250))),
            "00:00:05.250"
        );
    }

    #[test]
    fn unusual_numbers_and_booleans_are_read() {
        assert_eq!(number("640"), Taken::plain(640));
        assert_eq!(number("29.97").value, Some(29));
        assert_eq!(
            number("100%"),
            Taken::nothing(
                WarningCode::NumberUnreadable,
                "expected a whole number, ignored"
            )
        );
        let large = Taken::nothing(
            WarningCode::NumberUnreadable,
            "a number that is too large, ignored",
        );
        assert_eq!(number("99999999999999999"), large);
        assert_eq!(number("4294967296"), large);
        assert_eq!(number("99999999999999999999999"), large);
        assert_eq!(boolean("1"), Taken::plain(true));
        assert_eq!(boolean("True").value, Some(true));
        assert_eq!(boolean("yes").value, None);
    }
}
