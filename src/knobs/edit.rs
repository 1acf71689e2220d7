//! What the knobs of the edit call can be set to: one type each, the default first.

use std::fmt;

use crate::named::named;

named! {
    /// Which paths edit a video.
    EditRoutes {
        All "all" "`video/edit/<id>.json`, and `videos/edit.json` in both versions.",
        MainOnly "main_only" "`video/edit/<id>.json` alone.",
    }
}

named! {
    /// What becomes of a URL-encoded form.
    Urlencoded {
        Refuse "refuse" "It is 415.",
        Accept "accept" "It is read like a multipart one.",
    }
}

named! {
    /// Where fields are named bare, and where with prefix.
    EditPrefix {
        Both "both" "Either way on every route.",
        ByRoute "by_route" "Bare with the id in the path, with prefix on the other routes.",
    }
}

named! {
    /// What a field that is there bare and with prefix comes to.
    EditBoth {
        Prefixed "prefixed" "The one with prefix counts, with a diag.",
        Error "error" "It is 422.",
    }
}

named! {
    /// What different ids in path and form come to.
    IdConflict {
        Error "error" "They are 422.",
        PathWins "path_wins" "The one in the path counts.",
    }
}

named! {
    /// What an integer that is sent empty comes to.
    EmptyInteger {
        Error "error" "It is 422.",
        Unset "unset" "The record is as if it had never been set.",
    }
}

named! {
    /// What two clickthrough addresses come to.
    ClickthroughConflict {
        Error "error" "They are 422.",
        TableWins "table_wins" "`clickthroughURL` counts.",
        SampleWins "sample_wins" "`clickthroughUrl` counts.",
    }
}

named! {
    /// How many digits day and month of a date have.
    DateDigits {
        Strict "strict" "Two.",
        Lenient "lenient" "One or two.",
    }
}

named! {
    /// What a kill date on or before the day of publishing comes to.
    DateOrder {
        Accept "accept" "It is taken, with a diag.",
        Error "error" "It is 422.",
    }
}

named! {
    /// Which countries there are.
    GeoList {
        Iso "iso" "Those of ISO 3166-1.",
        AnyTwoLetters "any_two_letters" "Any two letters.",
    }
}

named! {
    /// What custom parameters and chapters that are sent do to those there were.
    EditLists {
        Replace "replace" "They take their place.",
        Append "append" "They go behind them.",
    }
}

named! {
    /// What unequal numbers of chapter times and titles come to.
    ChapterCounts {
        Error "error" "They are 422.",
        Shortest "shortest" "What is left over is left out.",
    }
}

named! {
    /// What fields that nobody knows come to.
    UnknownFields {
        Ignore "ignore" "They have no effect and are named in the journal.",
        Error "error" "They are 422.",
    }
}

named! {
    /// What a call without `User-Agent` comes to.
    UserAgent {
        Warn "warn" "It is served, with a diag.",
        Require "require" "It is 400.",
    }
}

named! {
    /// What a call has to show.
    EditAuth {
        None "none" "Nothing.",
        Bearer "bearer" "A token in `Authorization: Bearer`.",
        Header "header" "A token in `X-Api-Key`.",
    }
}

named! {
    /// What success answers.
    SuccessShape {
        Obs "obs" "`status`, `videoId` and the record as `Video`.",
        RecordOnly "record_only" "The record.",
        Empty "empty" "Nothing.",
    }
}

named! {
    /// What failure answers.
    ErrorShape {
        Problem "problem" "Problem JSON, with `errors` as a list of field, code and message.",
        MessageErrorsValidation "message_errors_validation"
            "`message`, `errors` as a list of texts, and `validation` with the texts by field.",
        EmptyBody "empty_body" "Nothing.",
    }
}

named! {
    /// How answers write dates.
    ReadDate {
        DayFirst "d-m-Y" "As they are sent.",
        YearFirst "Y-m-d" "The year first.",
    }
}

named! {
    /// What other operations on videos answer.
    OtherOperations {
        NotImplemented "501" "That they are not there yet.",
        NotFound "404" "That there is no such path.",
    }
}

/// A number of bytes, written as `10MiB`, `64KiB` or `500B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl Bytes {
    /// What it looks like, in words.
    pub const TAKES: &'static str = "a number of bytes, like 10MiB, 64KiB or 500B";

    const UNITS: &'static [(&'static str, u64)] =
        &[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

    /// The number that a text means; a number alone counts bytes.
    #[must_use]
    pub fn read(text: &str) -> Option<Bytes> {
        let unit = Bytes::UNITS.iter().find(|(unit, _)| text.ends_with(unit));
        let (unit, size) = unit.copied().unwrap_or(("", 1));
        let digits = text.strip_suffix(unit)?;
        let number: u64 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        number.checked_mul(size).map(Bytes)
    }
}

/// In the largest unit that leaves no rest.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |size: u64| self.0 >= size && self.0.is_multiple_of(size);
        let (unit, size) = Bytes::UNITS.iter().find(|(_, size)| fits(*size)).copied().unwrap_or(("B", 1));
        write!(f, "{}{unit}", self.0 / size)
    }
}

/// How many calls a second of the clock takes: `off`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rate {
    /// As many as come.
    Off,
    /// So many, and no more.
    PerSecond(u32),
}

impl Rate {
    /// What it looks like, in words.
    pub const TAKES: &'static str = "off, or a number of calls in a second, like 5";

    /// The rate that a text means.
    #[must_use]
    pub fn read(text: &str) -> Option<Rate> {
        if text == "off" {
            return Some(Rate::Off);
        }
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|rate| is_number && (1..=1_000_000).contains(rate)).map(Rate::PerSecond)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rate::Off => f.write_str("off"),
            Rate::PerSecond(rate) => write!(f, "{rate}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_rates_are_written_as_they_are_read() {
        for (text, bytes) in
            [("10MiB", 10 << 20), ("64KiB", 64 << 10), ("500B", 500), ("0B", 0), ("2GiB", 2 << 30)]
        {
            assert_eq!(Bytes::read(text), Some(Bytes(bytes)));
            assert_eq!(Bytes(bytes).to_string(), text);
        }
        assert_eq!(Bytes::read("1024"), Some(Bytes(1024)));
        for wrong in ["", "MiB", "-1B", "+1B", "1.5MiB", "10 MiB", "10MB", "99999999999GiB"] {
            assert_eq!(Bytes::read(wrong), None, "{wrong}");
        }
        for text in ["off", "1", "1000"] {
            assert_eq!(Rate::read(text).map(|rate| rate.to_string()).as_deref(), Some(text));
        }
        for wrong in ["", "0", "-1", "+1", "on", "1/s", "9999999"] {
            assert_eq!(Rate::read(wrong), None, "{wrong}");
        }
    }
}
