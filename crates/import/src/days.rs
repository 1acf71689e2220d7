//! Many recordings as one table: what became of each tag, and what differs from another set of
//! recordings.
//!
//! A [`RecordingSet`] takes evidence and verdict of one recording after the other and keeps
//! counters, latencies and a few names, never the recordings; nothing is simulated. Sets that were
//! read on several threads are merged, in any order, with the same result. A [`RecordingTable`] is
//! made of one set, or of two to compare.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::evidence::Evidence;
use super::verdict::{BreakVerdict, PageVerdict, RecordedBreakKind, Shown, TagResult, TagVerdict};

mod address;
mod change;
mod course;
mod csv;
mod figures;
mod latencies;
mod lost;
mod page;
mod row;
mod table;
mod text;
mod words;

pub use change::{ChangedFigure, ChangedValues, RecordingChange};
pub use course::{CourseTag, RecordedCourse};
pub use figures::{CodeCount, FailureCount, LeftOut, OutcomeCount, RecordedTag, SetFigures};
pub use latencies::LatencyQuantile;
pub use page::Links as RecordingLinks;
pub use row::{FailureKind, OutcomeKind, RecordedCount};
pub use table::RecordingTable;

pub(super) use address::split;

use address::{Address, Query};
use course::Courses;
use figures::FirstPicture;
use latencies::Latencies;
use row::Tally;

/// The data that is kept of a set of recordings.
#[derive(Debug, Clone, Default)]
pub struct RecordingSet {
    /// How many were read.
    recordings: u64,
    /// Those with an ad in each break or in some, without any, and those that cannot tell.
    with_ad: Tally,
    without_ad: Tally,
    unknown: Tally,
    /// From the first tag until the first ad, of the recordings whose first break shows one.
    first_ads: Latencies,
    /// When the first picture came, an ad or what the page went on with.
    pictures: Vec<FirstPicture>,
    /// The recordings of each course.
    courses: Courses,
    /// Impressions that were lost and belong to no tag, because the recording has no bodies.
    stray: Tally,
    /// The tags, by scheme, host and path.
    addresses: BTreeMap<String, Address>,
    /// The files that could not be read.
    left_out: Vec<LeftOut>,
}

impl RecordingSet {
    /// Adds a recording. `name` is what the table calls it.
    pub fn add(&mut self, name: &str, evidence: &Evidence, verdict: &PageVerdict) {
        let name: Arc<str> = name.into();
        self.recordings += 1;
        let first = FirstAd::of(verdict);
        let micros = first.as_ref().map_or(0, |first| first.micros);
        match verdict.headline.shown {
            Shown::All | Shown::Some => &mut self.with_ad,
            Shown::None => &mut self.without_ad,
            Shown::Unknown => &mut self.unknown,
        }
        .add(&name, micros);
        if first.is_some() {
            self.first_ads.came(micros);
        }
        self.pictures.extend(FirstPicture::of(
            verdict,
            first.as_ref().map(|first| first.micros),
        ));
        let course = self.courses.entry(course::of(verdict)).or_default();
        course.add(&name, first.as_ref().map(|first| first.micros));
        let tags: Vec<&TagVerdict> = verdict.tags().collect();
        let split: Vec<_> = tags.iter().map(|tag| split(&tag.url)).collect();
        let mut by_address: BTreeMap<&str, Vec<&Query>> = BTreeMap::new();
        for (address, query) in &split {
            by_address.entry(address).or_default().push(query);
        }
        for (address, queries) in by_address {
            self.addresses
                .entry(address.to_owned())
                .or_default()
                .note(&queries);
        }
        let lost = lost::by_tag(evidence, verdict);
        for (tag, (address, query)) in tags.iter().zip(split) {
            let Some(one) = self.addresses.get_mut(&address) else {
                continue;
            };
            let row = one.row(query);
            row.add(&name, tag);
            row.lose(&name, lost.get(&tag.document).copied().unwrap_or_default());
            row.waited += first
                .as_ref()
                .and_then(|first| first.waits.get(&tag.document))
                .unwrap_or(&0);
        }
        for _ in 0..lost::stray(verdict) {
            self.stray.add(&name, 0);
        }
    }

    /// Notes a file that could not be read, with the reason.
    pub fn leave_out(&mut self, name: &str, reason: &str) {
        self.left_out.push(LeftOut {
            name: name.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Adds what another set has.
    pub fn merge(&mut self, other: RecordingSet) {
        self.recordings += other.recordings;
        self.with_ad.merge(other.with_ad);
        self.without_ad.merge(other.without_ad);
        self.unknown.merge(other.unknown);
        self.stray.merge(other.stray);
        self.first_ads.merge(other.first_ads);
        self.pictures.extend(other.pictures);
        for (tags, row) in other.courses {
            self.courses.entry(tags).or_default().merge(row);
        }
        self.left_out.extend(other.left_out);
        for (name, address) in other.addresses {
            self.addresses.entry(name).or_default().merge(address);
        }
    }

    /// Returns how many recordings were read.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.recordings
    }

    /// Returns whether no recording was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recordings == 0
    }
}

impl FirstPicture {
    /// The time from the first tag until the ad, or without an ad until the last tag of the first
    /// break was over; `None` if the recording cannot tell.
    fn of(verdict: &PageVerdict, first_ad: Option<u64>) -> Option<FirstPicture> {
        let micros = |us: u64| u32::try_from(us).unwrap_or(u32::MAX);
        if let Some(us) = first_ad {
            return Some(FirstPicture {
                us: micros(us),
                has_ad: true,
            });
        }
        let it = verdict
            .breaks
            .iter()
            .find(|it| !it.is_schedule())
            .filter(|it| it.ads.is_empty())?;
        let is_told = it
            .tags
            .iter()
            .all(|tag| !matches!(tag.outcome, TagResult::Unknown { .. }));
        let over = it
            .tags
            .iter()
            .map(|tag| tag.asked + tag.waited.or(tag.took).unwrap_or_default())
            .max()?;
        is_told.then(|| FirstPicture {
            us: micros((over - it.begin).micros()),
            has_ad: false,
        })
    }
}

/// The way to the first ad of a recording.
struct FirstAd {
    micros: u64,
    /// How much of that passed while each tag was awaited, by the index of its document.
    waits: BTreeMap<usize, u64>,
}

impl FirstAd {
    /// The first break that is not a schedule; `None` if it shows no ad. The tag of a schedule
    /// counts if a pre-roll follows: before another break, content was played.
    ///
    /// A tag is awaited until the next one is asked or the ad begins. Of tags that were asked at
    /// once, the time counts for the one that filled, or else for the first.
    fn of(verdict: &PageVerdict) -> Option<FirstAd> {
        let is_schedule =
            |it: &BreakVerdict| it.kinds.first() == Some(&RecordedBreakKind::Schedule);
        let first = verdict.breaks.iter().position(|it| !is_schedule(it))?;
        let it = &verdict.breaks[first];
        let shown = it.ads.first()?.start;
        let is_pre_roll = it.kinds.first() == Some(&RecordedBreakKind::PreRoll);
        let before = if is_pre_roll {
            &verdict.breaks[..first]
        } else {
            &[]
        };
        let tags = before
            .iter()
            .chain([it])
            .flat_map(|it| &it.tags)
            .filter(|tag| tag.asked <= shown);
        let mut tags: Vec<&TagVerdict> = tags.collect();
        tags.sort_by_key(|tag| tag.asked);
        let groups: Vec<&[&TagVerdict]> = tags
            .chunk_by(|one, next| one.together && next.together && one.pod == next.pod)
            .collect();
        let begin = tags.first()?.asked;
        let mut waits = BTreeMap::new();
        for (index, group) in groups.iter().enumerate() {
            let until = groups.get(index + 1).map_or(shown, |next| next[0].asked);
            let filled = group
                .iter()
                .find(|tag| matches!(tag.outcome, TagResult::Filled { .. }));
            waits.insert(
                filled.unwrap_or(&group[0]).document,
                (until - group[0].asked).micros(),
            );
        }
        Some(FirstAd {
            micros: (shown - begin).micros(),
            waits,
        })
    }
}
