//! Recordings of a like course: the same tags in the same order, each with the same outcome.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::address::split;
use super::latencies::{Latencies, LatencyQuantile};
use super::row::{OutcomeKind, RecordedCount, Tally};
use crate::verdict::PageVerdict;

/// The most tags of a course that are distinguished.
const MOST_TAGS: usize = 12;

/// A tag of a course.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CourseTag {
    /// Its URL without its query.
    pub url: Arc<str>,
    /// Its outcome.
    pub outcome: OutcomeKind,
}

/// Recordings of a like course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedCourse {
    /// Its tags, in the order in which they were asked; of a long course the first ones.
    pub tags: Vec<CourseTag>,
    /// How many recordings there are.
    #[serde(flatten)]
    pub count: RecordedCount,
    /// How many there are in the set to compare with; `None` without one.
    pub before: Option<u64>,
    /// The median of the time from the first tag to the first ad.
    pub first_ad_median: Option<LatencyQuantile>,
    /// Its 95th percentile.
    pub first_ad_p95: Option<LatencyQuantile>,
    /// All of its recordings, by name.
    #[serde(skip)]
    pub(super) names: Vec<Arc<str>>,
}

/// The recordings of one course, as far as they are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct CourseRow {
    tally: Tally,
    first_ads: Latencies,
    names: Vec<Arc<str>>,
}

/// The courses of a set, by their tags.
pub(super) type Courses = BTreeMap<Vec<CourseTag>, CourseRow>;

/// Returns the course of a recording.
pub(super) fn of(verdict: &PageVerdict) -> Vec<CourseTag> {
    let tag = |tag: &crate::verdict::TagVerdict| CourseTag {
        url: split(&tag.url).0.into(),
        outcome: OutcomeKind::of(&tag.outcome),
    };
    verdict.tags().take(MOST_TAGS).map(tag).collect()
}

impl CourseRow {
    /// Adds a recording, with the time to its first ad if it shows one.
    pub(super) fn add(&mut self, name: &Arc<str>, first_ad: Option<u64>) {
        self.tally.add(name, first_ad.unwrap_or_default());
        self.names.push(name.clone());
        first_ad
            .into_iter()
            .for_each(|micros| self.first_ads.came(micros));
    }

    pub(super) fn merge(&mut self, other: CourseRow) {
        self.tally.merge(other.tally);
        self.first_ads.merge(other.first_ads);
        self.names.extend(other.names);
    }
}

/// Returns the courses of a set, the most frequent first, with how frequent they were in another
/// set.
pub(super) fn table(courses: Courses, before: Option<&Courses>) -> Vec<RecordedCourse> {
    let mut table: Vec<RecordedCourse> = courses
        .into_iter()
        .map(|(tags, mut row)| {
            row.first_ads.sort();
            row.names.sort();
            RecordedCourse {
                before: before.map(|before| before.get(&tags).map_or(0, |row| row.tally.count)),
                tags,
                count: row.tally.done(),
                first_ad_median: row.first_ads.quantile(50),
                first_ad_p95: row.first_ads.quantile(95),
                names: row.names,
            }
        })
        .collect();
    // Stable: of one frequency, in the order of their tags.
    table.sort_by_key(|it| std::cmp::Reverse(it.count.count));
    table
}
