//! The figures of one set of recordings and of its tags, as they are printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::RecordingSet;
use super::latencies::{Latencies, LatencyQuantile};
use super::row::{FailureKind, OutcomeKind, RecordedCount, TagRow};
use playsim_base::interval::Proportion;
use playsim_base::number::Decimal;

/// The figures of a set of recordings as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetFigures {
    /// How many recordings were read.
    pub recordings: u64,
    /// Those with an ad in each break or in some.
    pub with_ad: RecordedCount,
    /// The share of these, among those that can tell.
    pub share_with_ad: Proportion,
    /// Those without any ad.
    pub without_ad: RecordedCount,
    /// Those that cannot tell.
    pub unknown: RecordedCount,
    /// The median of the time from the first tag to the first ad, of the recordings whose first
    /// break shows one.
    pub first_ad_median: Option<LatencyQuantile>,
    /// Its 95th percentile.
    pub first_ad_p95: Option<LatencyQuantile>,
    /// Impressions that were lost; also those that belong to no tag, because a recording has no
    /// bodies.
    pub lost_impressions: u64,
    /// The files that could not be read, with the reason. They are in no sum.
    pub left_out: Vec<LeftOut>,
    /// When the first pictures came, in order.
    #[serde(skip)]
    pub(super) pictures: Vec<FirstPicture>,
}

/// When the first picture of a recording came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FirstPicture {
    /// The time from the first tag, in microseconds.
    pub(super) us: u32,
    /// Whether it is that of an ad.
    pub(super) has_ad: bool,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LeftOut {
    /// The file.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// The results of a tag in many recordings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedTag {
    /// Its URL without what changes.
    pub url: Arc<str>,
    /// In how many recordings it was asked.
    pub recordings: u64,
    /// How often it was asked.
    pub asked: RecordedCount,
    /// Its outcomes; the counts add up to the number of its requests.
    pub outcomes: Vec<OutcomeCount>,
    /// Why it failed.
    pub failures: Vec<FailureCount>,
    /// The codes that error pixels reported.
    pub codes: Vec<CodeCount>,
    /// The median of its latency; `None` if no answer came and nothing was given up.
    pub median: Option<LatencyQuantile>,
    /// Its 95th percentile.
    pub p95: Option<LatencyQuantile>,
    /// Its share of the time to the first ad, from 0 to 1; `None` if no recording shows one.
    #[serde(serialize_with = "share_of_wait")]
    pub share_of_wait: Option<Decimal>,
    /// The impressions that were due for its ads.
    pub impressions: u64,
    /// Those that were lost.
    pub lost_impressions: RecordedCount,
    #[serde(skip)]
    pub(super) latencies: Latencies,
}

/// How often one thing became of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeCount {
    /// What.
    pub outcome: OutcomeKind,
    /// How often, and in which recordings.
    #[serde(flatten)]
    pub count: RecordedCount,
}

/// How often a tag failed for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// The reason.
    pub kind: FailureKind,
    /// How often, and in which recordings.
    #[serde(flatten)]
    pub count: RecordedCount,
}

/// How often a code was reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeCount {
    /// The code.
    pub code: u16,
    /// How often, and in which recordings.
    #[serde(flatten)]
    pub count: RecordedCount,
}

fn share_of_wait<S: serde::Serializer>(
    share: &Option<Decimal>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match share {
        Some(share) => playsim_base::interval::as_number(share, serializer),
        None => serializer.serialize_none(),
    }
}

impl RecordedTag {
    /// Returns how often this became of it.
    #[must_use]
    pub fn count(&self, outcome: OutcomeKind) -> u64 {
        self.outcomes
            .iter()
            .find(|it| it.outcome == outcome)
            .map_or(0, |it| it.count.count)
    }

    pub(super) fn of(url: Arc<str>, mut row: TagRow, wait: u64) -> RecordedTag {
        row.latencies.sort();
        let recordings = row.recordings();
        let outcomes = OutcomeKind::ALL.into_iter().zip(row.outcomes);
        let share = |waited: u64| Decimal::from_millionths(millionths(waited, wait));
        RecordedTag {
            url,
            recordings,
            asked: row.asked.done(),
            outcomes: outcomes
                .map(|(outcome, tally)| OutcomeCount {
                    outcome,
                    count: tally.done(),
                })
                .collect(),
            failures: (row.failures.into_iter())
                .map(|(kind, tally)| FailureCount {
                    kind,
                    count: tally.done(),
                })
                .collect(),
            codes: (row.codes.into_iter())
                .map(|(code, tally)| CodeCount {
                    code,
                    count: tally.done(),
                })
                .collect(),
            median: row.latencies.quantile(50),
            p95: row.latencies.quantile(95),
            share_of_wait: (wait > 0).then(|| share(row.waited)),
            impressions: row.due,
            lost_impressions: row.lost.done(),
            latencies: row.latencies,
        }
    }
}

/// Returns a part of a whole in millionths.
fn millionths(part: u64, whole: u64) -> i64 {
    let whole = u128::from(whole.max(1));
    i64::try_from((u128::from(part) * 1_000_000 + whole / 2) / whole).unwrap_or(i64::MAX)
}

/// Returns the figures of a set, the times to its first ads, and its tags by URL.
pub(super) fn figures(
    mut set: RecordingSet,
    counting: &BTreeMap<String, Vec<String>>,
) -> (SetFigures, Latencies, BTreeMap<Arc<str>, RecordedTag>) {
    set.first_ads.sort();
    set.left_out.sort();
    set.pictures.sort_unstable();
    let mut rows: BTreeMap<Arc<str>, TagRow> = BTreeMap::new();
    for (address, one) in set.addresses {
        let counting = counting
            .get(&address)
            .map(Vec::as_slice)
            .unwrap_or_default();
        for (query, row) in one.tags(counting) {
            rows.insert(format!("{address}{query}").into(), row);
        }
    }
    let wait = rows.values().map(|row| row.waited).sum();
    let lost = rows.values().map(|row| row.lost.count).sum::<u64>() + set.stray.count;
    let tags = rows
        .into_iter()
        .map(|(url, row)| (url.clone(), RecordedTag::of(url, row, wait)))
        .collect();
    let figures = SetFigures {
        recordings: set.recordings,
        share_with_ad: Proportion::of(set.with_ad.count, set.with_ad.count + set.without_ad.count),
        with_ad: set.with_ad.done(),
        without_ad: set.without_ad.done(),
        unknown: set.unknown.done(),
        first_ad_median: set.first_ads.quantile(50),
        first_ad_p95: set.first_ads.quantile(95),
        lost_impressions: lost,
        left_out: set.left_out,
        pictures: set.pictures,
    };
    (figures, set.first_ads, tags)
}
