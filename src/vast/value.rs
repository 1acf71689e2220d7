//! Times, shares, numbers and booleans as VAST writes them, and as real documents write them.
//!
//! Each reading gives the value if there is one, and what was odd about the text. No number passes through
//! a float: a time is exact to the microsecond, a share to the millionth.

use std::borrow::Cow;

use super::Offset;
use crate::time::Span;

/// What a text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken<T> {
    /// The value; `None` if there is none in it.
    pub(crate) value: Option<T>,
    /// What was tolerated, or why there is none.
    pub(crate) oddity: Option<Oddity>,
}

/// Something odd about a value: a warning's code, and how the text was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Oddity {
    pub(crate) code: &'static str,
    pub(crate) how: Cow<'static, str>,
}

impl<T> Taken<T> {
    pub(super) fn plain(value: T) -> Taken<T> {
        Taken { value: Some(value), oddity: None }
    }

    pub(super) fn odd(value: T, code: &'static str, how: impl Into<Cow<'static, str>>) -> Taken<T> {
        Taken { value: Some(value), oddity: Some(Oddity { code, how: how.into() }) }
    }

    pub(super) fn nothing(code: &'static str, how: &'static str) -> Taken<T> {
        Taken { value: None, oddity: Some(Oddity { code, how: Cow::Borrowed(how) }) }
    }

    pub(super) fn map<U>(self, to: impl FnOnce(T) -> U) -> Taken<U> {
        Taken { value: self.value.map(to), oddity: self.oddity }
    }
}

/// A time of the form `HH:MM:SS` or `HH:MM:SS.mmm`. VAST 4.3 section 3.8.1.
///
/// Odd but read: seconds alone, minutes and seconds, fields of other lengths, more than 59 minutes or
/// seconds, fractions of other than three digits. What is finer than a microsecond is cut off.
pub(crate) fn time(text: &str) -> Taken<Span> {
    let due = "no time of the form \"HH:MM:SS.mmm\", not taken";
    time_parts(text).unwrap_or_else(|| Taken::nothing("time-unreadable", due))
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
    let span = Span::from_micros(seconds.checked_mul(1_000_000)?.checked_add(fraction_micros)?);
    Some(match fields {
        1 => Taken::odd(span, "time-bare-number", format!("taken as seconds: {}", clock(span))),
        _ if cut => Taken::odd(span, "time-too-fine", format!("cut to the microsecond: {}", clock(span))),
        3 if !two_digits => Taken::odd(span, "time-form", format!("taken as {}", clock(span))),
        3 if !in_range => Taken::odd(span, "time-range", format!("taken as {}", clock(span))),
        3 if fraction.is_some_and(|digits| digits.len() != 3) => {
            Taken::odd(span, "time-fraction", format!("taken as {}", clock(span)))
        }
        3 => Taken::plain(span),
        2 => Taken::odd(span, "time-form", format!("taken as minutes and seconds: {}", clock(span))),
        _ => return None,
    })
}

/// A time or a share, as `skipoffset` and `offset` have it. VAST 4.3 sections 3.8, 3.14.
pub(crate) fn offset(text: &str) -> Taken<Offset> {
    let Some(percent) = text.strip_suffix('%') else {
        let mut taken = time(text);
        if taken.value.is_none() {
            taken =
                Taken::nothing("offset-unreadable", "neither a time nor a share such as \"25%\", not taken");
        }
        return taken.map(Offset::At);
    };
    share(percent.trim_end())
        .unwrap_or_else(|| Taken::nothing("offset-unreadable", "no share such as \"25%\", not taken"))
        .map(Offset::Share)
}

/// A decimal number of percent in millionths of the whole.
fn share(percent: &str) -> Option<Taken<u32>> {
    let (whole, fraction) = percent.split_once('.').unwrap_or((percent, "0"));
    let (fraction, cut) = decimals(fraction, 4)?;
    let millionths = digits(whole)?.checked_mul(10_000)?.checked_add(fraction)?;
    let share = u32::try_from(millionths).ok()?;
    Some(if cut {
        Taken::odd(share, "offset-too-fine", "cut to the millionth")
    } else if share > 1_000_000 {
        Taken::odd(share, "offset-over-100", "more than the whole, never reached")
    } else {
        Taken::plain(share)
    })
}

/// A whole number that is not negative.
pub(crate) fn number(text: &str) -> Taken<u32> {
    let small = |part| digits(part).and_then(|number| u32::try_from(number).ok());
    if let Some(number) = small(text) {
        return Taken::plain(number);
    }
    if let Some((whole, fraction)) = text.split_once('.')
        && let (Some(number), Some(_)) = (small(whole), decimals(fraction, 1))
    {
        return Taken::odd(number, "number-fraction", format!("taken as {number}"));
    }
    if digits_alone(text) {
        return Taken::nothing("number-unreadable", "a number too large, not taken");
    }
    Taken::nothing("number-unreadable", "no whole number, not taken")
}

/// `true`, `false`, `1`, `0`; other letter cases are odd.
pub(crate) fn boolean(text: &str) -> Taken<bool> {
    match text {
        "true" | "1" => Taken::plain(true),
        "false" | "0" => Taken::plain(false),
        _ if text.eq_ignore_ascii_case("true") => Taken::odd(true, "boolean-spelling", "taken as true"),
        _ if text.eq_ignore_ascii_case("false") => Taken::odd(false, "boolean-spelling", "taken as false"),
        _ => Taken::nothing("boolean-unreadable", "neither \"true\" nor \"false\", not taken"),
    }
}

/// A span as VAST writes it: `HH:MM:SS`, with a fraction of three digits, or six if it takes them.
pub(crate) fn clock(span: Span) -> String {
    let (seconds, micros) = (span.micros() / 1_000_000, span.micros() % 1_000_000);
    let whole = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match micros {
        0 => whole,
        _ if micros % 1_000 == 0 => format!("{whole}.{:03}", micros / 1_000),
        _ => format!("{whole}.{micros:06}"),
    }
}

/// An offset as VAST writes it.
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

/// A number of nothing but digits.
fn digits(text: &str) -> Option<u64> {
    if digits_alone(text) { text.parse().ok() } else { None }
}

fn digits_alone(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits behind a point as a number of `places` places, and whether more than zeros were cut off.
fn decimals(text: &str, places: usize) -> Option<(u64, bool)> {
    if !digits_alone(text) {
        return None;
    }
    let (kept, rest) = text.split_at(text.len().min(places));
    let number = (0..places).fold(0, |number, place| {
        number * 10 + kept.as_bytes().get(place).map_or(0, |digit| u64::from(digit - b'0'))
    });
    Some((number, rest.bytes().any(|digit| digit != b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str) -> (Option<u64>, Option<&'static str>) {
        let taken = time(text);
        (taken.value.map(Span::micros), taken.oddity.map(|oddity| oddity.code))
    }

    #[test]
    fn times_are_exact_and_their_oddities_named() {
        assert_eq!(micros("00:00:15"), (Some(15_000_000), None));
        assert_eq!(micros("01:02:03.004"), (Some(3_723_004_000), None));
        assert_eq!(micros("00:00:15.5"), (Some(15_500_000), Some("time-fraction")));
        assert_eq!(micros("00:00:00.0000019"), (Some(1), Some("time-too-fine")));
        assert_eq!(micros("15.25"), (Some(15_250_000), Some("time-bare-number")));
        assert_eq!(micros("3"), (Some(3_000_000), Some("time-bare-number")));
        assert_eq!(micros("1:30"), (Some(90_000_000), Some("time-form")));
        assert_eq!(micros("0:00:09"), (Some(9_000_000), Some("time-form")));
        assert_eq!(micros("00:00:75"), (Some(75_000_000), Some("time-range")));
    }

    #[test]
    fn what_is_no_time_gives_nothing() {
        for text in ["", ":", "-1", "+1", "00:00:15.", ".5", "1:2:3:4", "PT15S", "1e3", "9999999999999999999"]
        {
            assert_eq!(micros(text), (None, Some("time-unreadable")), "{text}");
        }
    }

    #[test]
    fn shares_are_millionths() {
        assert_eq!(offset("25%"), Taken::plain(Offset::Share(250_000)));
        assert_eq!(offset("33.3333%").value, Some(Offset::Share(333_333)));
        assert_eq!(offset("33.33335%").oddity.map(|oddity| oddity.code), Some("offset-too-fine"));
        assert_eq!(offset("150%").oddity.map(|oddity| oddity.code), Some("offset-over-100"));
        assert_eq!(offset("%").value, None);
        assert_eq!(offset("999999%").value, None);
        assert_eq!(offset_text(Offset::Share(12_500)), "1.25%");
        assert_eq!(offset_text(Offset::At(Span::from_millis(5_250))), "00:00:05.250");
    }

    #[test]
    fn numbers_and_booleans_have_odd_spellings() {
        assert_eq!(number("640"), Taken::plain(640));
        assert_eq!(number("29.97").value, Some(29));
        assert_eq!(number("100%"), Taken::nothing("number-unreadable", "no whole number, not taken"));
        let large = Taken::nothing("number-unreadable", "a number too large, not taken");
        assert_eq!(number("99999999999999999"), large);
        assert_eq!(number("4294967296"), large);
        assert_eq!(number("99999999999999999999999"), large);
        assert_eq!(boolean("1"), Taken::plain(true));
        assert_eq!(boolean("True").value, Some(true));
        assert_eq!(boolean("yes").value, None);
    }
}
