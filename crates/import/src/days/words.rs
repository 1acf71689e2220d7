//! The words and numbers that all forms of the table of recordings share.

use std::sync::Arc;

use super::change::{ChangedFigure, ChangedValues, RecordingChange};
use super::figures::{RecordedTag, SetFigures};
use super::latencies::LatencyQuantile;
use super::row::RecordedCount;
use super::table::RecordingTable;
use playsim_base::number::Decimal;
use playsim_base::words::{counted, seconds};

/// Returns a URL without its scheme.
pub(super) fn short(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// Returns a quantile in seconds; empty if there is none.
pub(super) fn quantile(it: Option<LatencyQuantile>) -> String {
    let at_least = |it: LatencyQuantile| if it.is_at_least { "over " } else { "" };
    it.map_or_else(String::new, |it| {
        format!("{}{}", at_least(it), seconds(it.us.into()))
    })
}

/// Returns the interval of a quantile in seconds; an end that is not known is `?`.
pub(super) fn interval(it: Option<LatencyQuantile>) -> String {
    let end = |us: Option<u32>| us.map_or_else(|| "?".to_owned(), |us| seconds(us.into()));
    match it {
        Some(it) if it.low_us.is_some() || it.high_us.is_some() => {
            format!("{} to {}", end(it.low_us), end(it.high_us))
        }
        Some(_) | None => String::new(),
    }
}

/// Returns a share in percent, without places.
pub(super) fn percent(share: Decimal) -> String {
    ((share.millionths() + 5_000) / 10_000).to_string()
}

/// Returns a difference of shares in points, with its sign and one place.
pub(super) fn points(difference: Decimal) -> String {
    let tenths = (difference.millionths().abs() + 500) / 1_000;
    let sign = if difference.millionths() < 0 {
        '\u{2212}'
    } else {
        '+'
    };
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// Returns a difference of times in seconds, with its sign.
pub(super) fn signed(us: i64) -> String {
    let sign = if us < 0 { '\u{2212}' } else { '+' };
    format!("{sign}{}", seconds(us.unsigned_abs()))
}

/// Returns how often chance makes a difference.
pub(super) fn chance(it: Decimal) -> String {
    match it.millionths() {
        ..100 => "less than 1 in 10,000".to_owned(),
        millionths => {
            let hundredths = (millionths + 50) / 100;
            format!("{}.{:02} in 100", hundredths / 100, hundredths % 100)
        }
    }
}

impl ChangedFigure {
    /// Returns the words for it.
    pub(super) fn words(self) -> String {
        match self {
            ChangedFigure::WithAd => "recordings with an ad".to_owned(),
            ChangedFigure::FirstAd => "time until the first ad, median".to_owned(),
            ChangedFigure::Asked => "recordings that ask it".to_owned(),
            ChangedFigure::Outcome(outcome) => outcome.words().to_owned(),
            ChangedFigure::Code(code) => format!("code {code}"),
            ChangedFigure::Latency => "latency, median".to_owned(),
            ChangedFigure::LostImpressions => "lost impressions".to_owned(),
        }
    }
}

impl RecordingChange {
    /// Returns the figure, now and before.
    pub(super) fn in_short(&self) -> String {
        match self.values {
            ChangedValues::Share { now, before, .. } => {
                format!(
                    "{} of {}, before {} of {}",
                    now.0, now.1, before.0, before.1
                )
            }
            ChangedValues::Median { now, before, .. } => {
                format!(
                    "{} s, before {} s",
                    quantile(Some(now)),
                    quantile(Some(before))
                )
            }
        }
    }

    /// Returns the figure, now and before, and the difference.
    pub(super) fn sentence(&self) -> String {
        match self.values {
            ChangedValues::Share { by, .. } => format!(
                "{}: {} points ({} to {})",
                self.in_short(),
                points(by.difference),
                points(by.low),
                points(by.high)
            ),
            ChangedValues::Median { by_us, .. } => {
                let by = by_us.map_or_else(String::new, |by| format!(": {} s", signed(by)));
                format!("{}{by}", self.in_short())
            }
        }
    }
}

impl RecordingTable {
    /// Returns the tag that a change concerns, if it concerns one.
    pub(super) fn subject(&self, change: &RecordingChange) -> Option<&RecordedTag> {
        self.tags.get(change.tag?)
    }

    /// Returns the recordings that show a change: those of the set, or if it has none, those of the
    /// other one.
    pub(super) fn shown_by(&self, change: &RecordingChange) -> &[Arc<str>] {
        let named = |set, tags| named(change, set, tags);
        let sets = [
            named(Some(&self.set), &self.tags),
            named(self.before.as_ref(), &self.tags_before),
        ];
        let found = sets
            .into_iter()
            .flatten()
            .find(|it| !it.recordings.is_empty());
        found.map(|it| &*it.recordings).unwrap_or_default()
    }
}

/// Says how many recordings of a set have an ad.
pub(super) fn of_set(it: &SetFigures) -> String {
    let count = usize::try_from(it.recordings).unwrap_or(usize::MAX);
    let mut text = format!(
        "{}, {} with an ad",
        counted(count, "recording"),
        it.with_ad.count
    );
    if it.without_ad.count > 0 {
        text.push_str(&format!(", {} without", it.without_ad.count));
    }
    if it.unknown.count > 0 {
        text.push_str(&format!(", {} cannot tell", it.unknown.count));
    }
    text
}

/// Returns the count of a set that a change is about.
fn named<'t>(
    change: &RecordingChange,
    set: Option<&'t SetFigures>,
    tags: &'t [RecordedTag],
) -> Option<&'t RecordedCount> {
    let tag = change.tag.and_then(|index| tags.get(index));
    match change.figure {
        ChangedFigure::WithAd => set.map(|set| &set.without_ad),
        ChangedFigure::FirstAd => set.map(|set| &set.with_ad),
        ChangedFigure::Outcome(outcome) => tag?
            .outcomes
            .iter()
            .find(|it| it.outcome == outcome)
            .map(|it| &it.count),
        ChangedFigure::Code(code) => tag?
            .codes
            .iter()
            .find(|it| it.code == code)
            .map(|it| &it.count),
        ChangedFigure::LostImpressions => Some(&tag?.lost_impressions),
        ChangedFigure::Asked | ChangedFigure::Latency => Some(&tag?.asked),
    }
}
