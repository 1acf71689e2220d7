//! The timestamps of chapters.
//!
//! Rule: CH-9.

use playsim_base::number::Decimal;
use playsim_base::time::{Position, Span};

/// Reads seconds, M:SS or H:MM:SS, with up to three decimals. Rule CH-9.
#[must_use]
pub fn read_timestamp(text: &str) -> Option<Position> {
    let text = text.trim();
    let (clock, fraction) = text
        .split_once('.')
        .map_or((text, None), |(clock, rest)| (clock, Some(rest)));
    let parts: Vec<&str> = clock.split(':').collect();
    if parts.len() > 3 || parts.iter().any(|part| part.is_empty() || part.len() > 9) {
        return None;
    }
    if fraction.is_some_and(|digits| digits.is_empty() || digits.len() > 3) {
        return None;
    }
    let mut seconds: u64 = 0;
    for (index, part) in parts.iter().enumerate() {
        if !part.bytes().all(|byte| byte.is_ascii_digit()) || (index > 0 && part.len() != 2) {
            return None;
        }
        let number: u64 = part.parse().ok()?;
        if parts.len() > 1 && number > 59 && !(index == 0 && parts.len() == 3) {
            return None;
        }
        seconds = seconds * 60 + number;
    }
    let millionths = match fraction {
        Some(digits) => format!("0.{digits}").parse::<Decimal>().ok()?.millionths(),
        None => 0,
    };
    Some(Position::from_secs(seconds) + Span::from_micros(u64::try_from(millionths).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapter_times_are_seconds_or_clock_times() {
        let read = |text| read_timestamp(text).map(Position::micros);
        assert_eq!(read("0:00"), Some(0));
        assert_eq!(read("90"), Some(90_000_000));
        assert_eq!(read("1:30"), Some(90_000_000));
        assert_eq!(read("01:30.25"), Some(90_250_000));
        assert_eq!(read("1:00:00"), Some(3_600_000_000));
        for wrong in [
            "", "1:60", "60:00", "1:2", "1:2:3:4", "a", "-1", "1.2345", "1.", "0:60:00",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
