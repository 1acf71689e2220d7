//! The values of the edit call's knobs: one type per knob, the default first.

use std::fmt;

use super::limit::Limit;
use super::written::choices;
use playsim_base::named::from_str;

choices! {
    "Which URL paths accept edits of a video."
    EditRoutes {
        All "all" "`video/edit/<id>.json`, and `videos/edit.json` in both versions.",
        MainOnly "main_only" "Only `video/edit/<id>.json`.",
    }

    "What happens to a URL-encoded form body."
    Urlencoded {
        Refuse "refuse" "The request fails with 415.",
        Accept "accept" "It is read like a multipart form.",
    }

    "Whether form fields are named with or without the prefix."
    EditPrefix {
        Both "both" "Either way, on every path.",
        ByRoute "by_route" "Without the prefix where the path contains the id, with it on the other paths.",
    }

    "What happens when a field is sent both with and without the prefix."
    EditBoth {
        Prefixed "prefixed" "The one with the prefix counts, and a diagnostic is logged.",
        Error "error" "The request fails with 422.",
    }

    "What happens when path and form name different ids."
    IdConflict {
        Error "error" "The request fails with 422.",
        PathWins "path_wins" "The id in the path counts.",
    }

    "What happens when an integer field is sent empty."
    EmptyInteger {
        Error "error" "The request fails with 422.",
        Unset "unset" "The field is reset, as if it had never been set.",
    }

    "What happens when `clickthroughURL` and `clickthroughUrl` are both sent and differ."
    ClickthroughConflict {
        Error "error" "The request fails with 422.",
        TableWins "table_wins" "`clickthroughURL` counts.",
        SampleWins "sample_wins" "`clickthroughUrl` counts.",
    }

    "How many digits the day and the month of a date must have."
    DateDigits {
        Strict "strict" "Two.",
        Lenient "lenient" "One or two.",
    }

    "What happens when the kill date is not after the publish date."
    DateOrder {
        Accept "accept" "It is accepted, and a diagnostic is logged.",
        Error "error" "The request fails with 422.",
    }

    "Which country codes are valid."
    GeoList {
        Iso "iso" "The codes of ISO 3166-1.",
        AnyTwoLetters "any_two_letters" "Any two letters.",
    }

    "What happens to the existing custom parameters and chapters when new ones are sent."
    EditLists {
        Replace "replace" "They are replaced.",
        Append "append" "They are kept, and the new ones are added at the end.",
    }

    "What happens when the numbers of chapter times and titles differ."
    ChapterCounts {
        TitleOptional "title_optional"
            "A time without a title gets an empty title; a title without a time fails with 422.",
        Error "error" "The request fails with 422.",
        Shortest "shortest" "The surplus times or titles are dropped.",
    }

    "What happens to unknown form fields."
    UnknownFields {
        Ignore "ignore" "They have no effect, and the journal lists them.",
        Error "error" "The request fails with 422.",
    }

    "What happens to a request without `User-Agent`."
    UserAgent {
        Warn "warn" "It is served, and a diagnostic is logged.",
        Require "require" "It fails with 400.",
    }

    "How a request must authenticate."
    EditAuth {
        None "none" "Not at all.",
        Bearer "bearer" "With a token in `Authorization: Bearer`.",
        Header "header" "With a token in `X-Api-Key`.",
    }

    "What the body of a successful response contains."
    SuccessShape {
        Obs "obs" "`status`, `videoId` and the record as `Video`.",
        RecordOnly "record_only" "The record.",
        Empty "empty" "Nothing.",
    }

    "What the body of an error response contains."
    ErrorShape {
        Problem "problem" "Problem JSON, with `errors` as a list of field, code and message.",
        MessageErrorsValidation "message_errors_validation"
            "`message`, `errors` as a list of strings, and `validation` with the strings by field.",
        EmptyBody "empty_body" "Nothing.",
    }

    "How responses write dates."
    ReadDate {
        DayFirst "d-m-Y" "Day first, as dates are sent.",
        YearFirst "Y-m-d" "Year first.",
    }

    "How other operations on videos are answered."
    OtherOperations {
        NotImplemented "501" "With 501, not implemented.",
        NotFound "404" "With 404, not found.",
    }
}

/// A number of bytes, written as `10MiB`, `64KiB` or `500B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(pub u64);

impl ByteSize {
    /// The valid values, in words.
    pub const TAKES: &'static str = "a number of bytes such as 10MiB, 64KiB or 500B";

    const UNITS: &'static [(&'static str, u64)] = &[
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
        ("B", 1),
    ];

    fn read(text: &str) -> Option<ByteSize> {
        let unit = ByteSize::UNITS
            .iter()
            .find(|(unit, _)| text.ends_with(unit));
        let (unit, size) = unit.copied().unwrap_or(("", 1));
        let digits = text.strip_suffix(unit)?;
        let number: u64 = digits
            .parse()
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        number.checked_mul(size).map(ByteSize)
    }
}

// The unit may be left out.
from_str!(ByteSize, ByteSize::TAKES);

/// Writes the number in the largest unit that divides it evenly.
impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |size: u64| self.0 >= size && self.0.is_multiple_of(size);
        let (unit, size) = ByteSize::UNITS
            .iter()
            .find(|(_, size)| fits(*size))
            .copied()
            .unwrap_or(("B", 1));
        write!(f, "{}{unit}", self.0 / size)
    }
}

/// The rate limit in requests per second of the virtual clock: `off`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateLimit {
    /// No limit.
    Off,
    /// At most this many.
    PerSecond(u32),
}

impl RateLimit {
    /// The valid values, in words.
    pub const TAKES: &'static str = "off, or a number of requests per second from 1 to 1000000";

    fn read(text: &str) -> Option<RateLimit> {
        if text == Limit::OFF {
            return Some(RateLimit::Off);
        }
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|rate| is_number && (1..=1_000_000).contains(rate))
            .map(RateLimit::PerSecond)
    }
}

from_str!(RateLimit, RateLimit::TAKES);

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateLimit::Off => f.write_str(Limit::OFF),
            RateLimit::PerSecond(rate) => write!(f, "{rate}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_rates_round_trip() {
        for (text, bytes) in [
            ("10MiB", 10 << 20),
            ("64KiB", 64 << 10),
            ("500B", 500),
            ("0B", 0),
            ("2GiB", 2 << 30),
        ] {
            assert_eq!(text.parse::<ByteSize>().ok(), Some(ByteSize(bytes)));
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
        assert_eq!("1024".parse::<ByteSize>().ok(), Some(ByteSize(1024)));
        for wrong in [
            "",
            "MiB",
            "-1B",
            "+1B",
            "1.5MiB",
            "10 MiB",
            "10MB",
            "99999999999GiB",
        ] {
            assert_eq!(wrong.parse::<ByteSize>().ok(), None, "{wrong}");
        }
        for text in ["off", "1", "1000"] {
            assert_eq!(
                text.parse::<RateLimit>()
                    .ok()
                    .map(|rate| rate.to_string())
                    .as_deref(),
                Some(text)
            );
        }
        for wrong in ["", "0", "-1", "+1", "on", "1/s", "9999999"] {
            assert_eq!(wrong.parse::<RateLimit>().ok(), None, "{wrong}");
        }
    }
}
