//! The differences between two sets of recordings, and whether they are likely to be chance.
//!
//! Shares are compared by Fisher's exact test, and their difference has Newcombe's interval.
//! Medians are compared by Mood's median test: of both sets together, how many latencies of each
//! are above the common median, again by Fisher's exact test. It needs no assumption about the
//! distribution, and a request that the page gave up on counts as above.

use serde::Serialize;

use super::figures::{RecordedTag, SetFigures};
use super::latencies::{Latencies, LatencyQuantile};
use super::row::OutcomeKind;
use playsim_base::interval::{ShareDifference, as_number, chance};
use playsim_base::number::Decimal;

/// A difference is beyond chance if chance makes one as unlikely less often than this: once in 100.
const BEYOND: Decimal = Decimal::from_millionths(10_000);

/// A figure that differs between two sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordingChange {
    /// The index of the tag in the table; `None` for the sets as a whole.
    pub tag: Option<usize>,
    /// The figure.
    pub figure: ChangedFigure,
    /// Its values.
    #[serde(flatten)]
    pub values: ChangedValues,
    /// How often chance alone makes a difference that is at most as likely, from 0 to 1.
    #[serde(serialize_with = "as_number")]
    pub chance: Decimal,
    /// Whether that is less often than once in 100.
    pub is_beyond_chance: bool,
}

/// Which figure differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangedFigure {
    /// The recordings with an ad.
    WithAd,
    /// The time until the first ad.
    FirstAd,
    /// The recordings that ask a tag.
    Asked,
    /// The outcome of a tag.
    Outcome(OutcomeKind),
    /// A code that was reported for it.
    Code(u16),
    /// Its latency.
    Latency,
    /// The impressions that were lost.
    LostImpressions,
}

/// The values of a figure in both sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangedValues {
    /// Shares.
    Share {
        /// How many now, of how many.
        now: (u64, u64),
        /// How many before, of how many.
        before: (u64, u64),
        /// The difference of the shares.
        by: ShareDifference,
    },
    /// Medians.
    Median {
        /// The median now.
        now: LatencyQuantile,
        /// The median before.
        before: LatencyQuantile,
        /// The difference in microseconds; `None` if one of them is only known to be at least
        /// something.
        by_us: Option<i64>,
    },
}

impl RecordingChange {
    fn share(
        tag: Option<usize>,
        figure: ChangedFigure,
        now: (u64, u64),
        before: (u64, u64),
    ) -> Option<RecordingChange> {
        let by = ShareDifference::of(now, before).filter(|by| by.difference != Decimal::ZERO)?;
        Some(RecordingChange::new(
            tag,
            figure,
            ChangedValues::Share { now, before, by },
            chance(now, before),
        ))
    }

    fn median(
        tag: Option<usize>,
        figure: ChangedFigure,
        now: &Latencies,
        before: &Latencies,
    ) -> Option<RecordingChange> {
        let [above, above_before] = now.above_common_median(before)?;
        let (now, before) = (now.quantile(50)?, before.quantile(50)?);
        let is_known = !now.is_at_least && !before.is_at_least;
        let by_us = is_known.then(|| i64::from(now.us) - i64::from(before.us));
        if by_us == Some(0) {
            return None;
        }
        let values = ChangedValues::Median { now, before, by_us };
        Some(RecordingChange::new(
            tag,
            figure,
            values,
            chance(above, above_before),
        ))
    }

    fn new(
        tag: Option<usize>,
        figure: ChangedFigure,
        values: ChangedValues,
        chance: Decimal,
    ) -> RecordingChange {
        RecordingChange {
            tag,
            figure,
            values,
            chance,
            is_beyond_chance: chance < BEYOND,
        }
    }

    /// Returns the size of the difference, in millionths of a share or in microseconds.
    fn size(&self) -> i64 {
        match self.values {
            ChangedValues::Share { by, .. } => by.difference.millionths(),
            ChangedValues::Median { by_us, .. } => by_us.unwrap_or(i64::MAX),
        }
    }

    /// Returns whether it is for the worse; `None` if that depends, as for answers without an ad.
    #[must_use]
    pub fn is_worse(&self) -> Option<bool> {
        let is_more = self.size() > 0;
        match self.figure {
            ChangedFigure::WithAd => Some(!is_more),
            ChangedFigure::FirstAd | ChangedFigure::Latency => match self.values {
                ChangedValues::Median {
                    by_us: None,
                    now,
                    before,
                } => Some(now.us > before.us),
                ChangedValues::Median { .. } | ChangedValues::Share { .. } => Some(is_more),
            },
            ChangedFigure::Outcome(outcome) => outcome.is_bad().map(|is_bad| is_bad == is_more),
            ChangedFigure::Asked => None,
            // 303 says that there is no ad.
            ChangedFigure::Code(303) => None,
            ChangedFigure::Code(_) | ChangedFigure::LostImpressions => Some(is_more),
        }
    }
}

/// Compares the figures of the sets as a whole.
pub(super) fn of_sets(
    (now, first): (&SetFigures, &Latencies),
    (before, first_before): (&SetFigures, &Latencies),
) -> Vec<RecordingChange> {
    let with_ad = |it: &SetFigures| (it.with_ad.count, it.with_ad.count + it.without_ad.count);
    let with_ad =
        RecordingChange::share(None, ChangedFigure::WithAd, with_ad(now), with_ad(before));
    let first = RecordingChange::median(None, ChangedFigure::FirstAd, first, first_before);
    with_ad.into_iter().chain(first).collect()
}

/// Compares a tag, by its index.
/// It has the number of recordings of its set with it.
pub(super) fn of_tags(
    index: usize,
    (now, recordings): (&RecordedTag, u64),
    (before, recordings_before): (&RecordedTag, u64),
) -> Vec<RecordingChange> {
    let (asked, asked_before) = (now.asked.count, before.asked.count);
    let mut changes = Vec::new();
    changes.extend(RecordingChange::share(
        Some(index),
        ChangedFigure::Asked,
        (now.recordings, recordings),
        (before.recordings, recordings_before),
    ));
    for outcome in OutcomeKind::ALL {
        let (now, before) = (
            (now.count(outcome), asked),
            (before.count(outcome), asked_before),
        );
        changes.extend(RecordingChange::share(
            Some(index),
            ChangedFigure::Outcome(outcome),
            now,
            before,
        ));
    }
    let mut codes: Vec<u16> = now
        .codes
        .iter()
        .chain(&before.codes)
        .map(|it| it.code)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    for code in codes {
        let count = |it: &RecordedTag| {
            it.codes
                .iter()
                .find(|it| it.code == code)
                .map_or(0, |it| it.count.count)
        };
        let (now, before) = ((count(now), asked), (count(before), asked_before));
        changes.extend(RecordingChange::share(
            Some(index),
            ChangedFigure::Code(code),
            now,
            before,
        ));
    }
    changes.extend(RecordingChange::median(
        Some(index),
        ChangedFigure::Latency,
        &now.latencies,
        &before.latencies,
    ));
    let lost = |it: &RecordedTag| (it.lost_impressions.count, it.impressions);
    changes.extend(RecordingChange::share(
        Some(index),
        ChangedFigure::LostImpressions,
        lost(now),
        lost(before),
    ));
    changes
}

/// Puts the least likely to be chance first; of those that are equally likely, the larger.
pub(super) fn sort(changes: &mut [RecordingChange]) {
    changes.sort_by_key(|it| {
        let is_share = matches!(it.values, ChangedValues::Share { .. });
        (
            it.chance,
            !is_share,
            std::cmp::Reverse(it.size().unsigned_abs()),
            it.tag,
            it.figure,
        )
    });
}
