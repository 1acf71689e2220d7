//! The `Range` header. RFC 9110 section 14.2.

use std::ops::Range;

/// The range of a file that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it: there is no header, or one that servers ignore.
    Whole,
    /// These bytes.
    Bytes(Range<u64>),
    /// Bytes that it does not have.
    Beyond,
}

/// Reads a `Range` header for a file of this length. Several ranges in one header are ignored, as
/// servers may.
pub(super) fn part(header: Option<&str>, length: u64) -> Part {
    let Some(set) = header
        .map(str::trim)
        .and_then(|text| text.strip_prefix("bytes="))
    else {
        return Part::Whole;
    };
    if set.contains(',') {
        return Part::Whole;
    }
    let Some((first, last)) = set.trim().split_once('-') else {
        return Part::Whole;
    };
    let number = |text: &str| -> Option<Option<u64>> {
        if text.is_empty() {
            return Some(None);
        }
        let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
        // A number that does not fit is beyond every file.
        is_number.then(|| Some(text.parse().unwrap_or(u64::MAX)))
    };
    let (Some(first), Some(last)) = (number(first.trim()), number(last.trim())) else {
        return Part::Whole;
    };
    match (first, last) {
        (None, None) => Part::Whole,
        (None, Some(0)) => Part::Beyond,
        (None, Some(suffix)) if length > 0 => Part::Bytes(length.saturating_sub(suffix)..length),
        (Some(first), Some(last)) if last < first => Part::Whole,
        (Some(first), last) if first < length => {
            Part::Bytes(first..last.map_or(length, |last| last.saturating_add(1).min(length)))
        }
        (None | Some(_), _) => Part::Beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_says() {
        for (header, due) in [
            (None, Part::Whole),
            (Some("bytes=0-"), Part::Bytes(0..10)),
            (Some("bytes=3-5"), Part::Bytes(3..6)),
            (Some("bytes=3-99"), Part::Bytes(3..10)),
            (Some("bytes=9-9"), Part::Bytes(9..10)),
            (Some("bytes=-4"), Part::Bytes(6..10)),
            (Some("bytes=-99"), Part::Bytes(0..10)),
            (Some("bytes=-0"), Part::Beyond),
            (Some("bytes=10-"), Part::Beyond),
            (Some("bytes=99999999999999999999999-"), Part::Beyond),
            (Some("bytes=5-3"), Part::Whole),
            (Some("bytes=0-1,4-5"), Part::Whole),
            (Some("bytes=a-b"), Part::Whole),
            (Some("bytes=-"), Part::Whole),
            (Some("lines=0-1"), Part::Whole),
        ] {
            assert_eq!(part(header, 10), due, "{header:?}");
        }
        assert_eq!(part(Some("bytes=0-"), 0), Part::Beyond);
        assert_eq!(part(Some("bytes=-4"), 0), Part::Beyond);
    }
}
