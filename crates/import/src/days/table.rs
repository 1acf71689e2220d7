//! The table of a set of recordings, alone or beside another set.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::RecordingSet;
use super::change::{self, RecordingChange};
use super::course::{self, RecordedCourse};
use super::figures::{RecordedTag, SetFigures, figures};
use super::row::TagRow;
use playsim_base::interval::CONFIDENCE;

/// The tags of a set of recordings, and the differences from another set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordingTable {
    /// The level of confidence of all intervals, in percent.
    pub confidence_percent: u32,
    /// The set.
    pub set: SetFigures,
    /// The set to compare with.
    pub before: Option<SetFigures>,
    /// The differences between the two sets, the least likely to be chance first.
    pub changes: Vec<RecordingChange>,
    /// The tags, those that were asked most often first.
    pub tags: Vec<RecordedTag>,
    /// The same tags in the set to compare with, in the same order.
    pub tags_before: Vec<RecordedTag>,
    /// The recordings of a like course, the most frequent first; of the set to compare with only
    /// those that are in both.
    pub courses: Vec<RecordedCourse>,
}

impl RecordingTable {
    /// Makes the table of a set, and compares it with another one if there is one.
    #[must_use]
    pub fn of(set: RecordingSet, before: Option<RecordingSet>) -> RecordingTable {
        // Both sets tell their tags apart by the same parameters.
        let mut both = set.clone();
        both.merge(before.clone().unwrap_or_default());
        let counting: BTreeMap<String, Vec<String>> = both
            .addresses
            .iter()
            .map(|(name, address)| (name.clone(), address.counting()))
            .collect();
        drop(both);
        let courses = course::table(
            set.courses.clone(),
            before.as_ref().map(|before| &before.courses),
        );
        let (set, first_ads, mut rows) = figures(set, &counting);
        let (before, mut rows_before) = match before {
            Some(before) => {
                let (before, first_ads, rows) = figures(before, &counting);
                (Some((before, first_ads)), rows)
            }
            None => (None, BTreeMap::new()),
        };
        let mut urls: Vec<Arc<str>> = rows.keys().chain(rows_before.keys()).cloned().collect();
        let asked = |url: &Arc<str>| {
            let count = |rows: &BTreeMap<Arc<str>, RecordedTag>| {
                rows.get(url).map_or(0, |it| it.asked.count)
            };
            (count(&rows), count(&rows_before))
        };
        urls.sort();
        urls.dedup();
        urls.sort_by_cached_key(|url| std::cmp::Reverse(asked(url)));
        let take = |rows: &mut BTreeMap<Arc<str>, RecordedTag>| -> Vec<RecordedTag> {
            let none = |url: &Arc<str>| RecordedTag::of(url.clone(), TagRow::default(), 0);
            urls.iter()
                .map(|url| rows.remove(url).unwrap_or_else(|| none(url)))
                .collect()
        };
        let tags = take(&mut rows);
        let tags_before = if before.is_some() {
            take(&mut rows_before)
        } else {
            Vec::new()
        };
        let changes = match &before {
            Some((before, first_ads_before)) => {
                let mut changes = change::of_sets((&set, &first_ads), (before, first_ads_before));
                for (index, (now, tag_before)) in tags.iter().zip(&tags_before).enumerate() {
                    changes.extend(change::of_tags(
                        index,
                        (now, set.recordings),
                        (tag_before, before.recordings),
                    ));
                }
                change::sort(&mut changes);
                changes
            }
            None => Vec::new(),
        };
        let before = before.map(|(figures, _)| figures);
        RecordingTable {
            confidence_percent: CONFIDENCE,
            set,
            before,
            changes,
            tags,
            tags_before,
            courses,
        }
    }

    /// Returns one JSON object, indented, without a line feed at its end.
    #[must_use]
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self)
            .expect("strings and numbers can always be written as JSON");
        playsim_base::escape::json(&text).into_owned()
    }

    /// Returns whether the sets differ beyond chance.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changes.iter().any(|it| it.is_beyond_chance)
    }
}
