//! The record of a video, as the edit call knows it.
//!
//! Rules: EDIT-11, EDIT-12, EDIT-15 to EDIT-34, EDIT-63.

use std::sync::Arc;

use super::{ChapterMark, Day};
use playsim_base::named::named;
use playsim_base::value::Value;

/// A video's record: all that can be edited. The edit call knows neither its media nor its ads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VideoRecord {
    /// Its id. Rule EDIT-11.
    pub id: Arc<str>,
    /// The account that owns it, if one is known. Rule EDIT-34.
    pub partner_id: Option<Arc<str>>,
    /// Its name, the player's title. Rule EDIT-50.
    pub name: Arc<str>,
    /// Its tags, separated by commas. Rule EDIT-50.
    pub tags: Arc<str>,
    /// The page that a click on it opens. Rule CLICK-1.
    pub clickthrough: Option<Arc<str>>,
    /// The channel that it belongs to. Rule EDIT-61.
    pub channel_id: Option<u32>,
    /// Its audience. Rule EDIT-57.
    pub age_gate: Option<AgeGate>,
    /// The first day it is published; `None`: it always was. Rule PL-19.
    pub publish: Option<Day>,
    /// The first day it is no longer published; `None`: it stays. Rule PL-19.
    pub kill_date: Option<Day>,
    /// Whether it is excluded from playlists. Rule PL-19.
    pub rejected: bool,
    /// The URL of its picture. Rule EDIT-52.
    pub image: Option<Arc<str>>,
    /// Whether ads may be shown with it, which is the default. Rules REQ-14, EDIT-25.
    pub monetize: bool,
    /// Whether it is only for some countries. Rule PL-19.
    pub geo_on: bool,
    /// Those countries, as two letters. Rule PL-19.
    pub geo: Vec<Arc<str>>,
    /// Tracking pixels by key: those of [`PIXELS`] in their order, then others by name. Rule
    /// EDIT-29.
    pub pixels: Vec<(Arc<str>, Arc<str>)>,
    /// Audience-measurement fields that are not empty, in the order of the table. Rule EDIT-60.
    pub comscore: Vec<(Arc<str>, Arc<str>)>,
    /// Custom targeting parameters in order. Rule EDIT-58.
    pub custom_params: Vec<(Arc<str>, Arc<str>)>,
    /// Its chapters as written. Rule CH-9.
    pub chapters: Vec<ChapterMark>,
}

impl Default for VideoRecord {
    fn default() -> VideoRecord {
        VideoRecord {
            id: Arc::default(),
            partner_id: None,
            name: Arc::default(),
            tags: Arc::default(),
            clickthrough: None,
            channel_id: None,
            age_gate: None,
            publish: None,
            kill_date: None,
            rejected: false,
            image: None,
            monetize: true,
            geo_on: false,
            geo: Vec::new(),
            pixels: Vec::new(),
            comscore: Vec::new(),
            custom_params: Vec::new(),
            chapters: Vec::new(),
        }
    }
}

named! {
    /// The audience of a video. Rule EDIT-20.
    AgeGate {
        Everyone "1" "Everyone.",
        Mature "2" "17 and older: mature rated.",
        Adults "3" "18 and older: adults only.",
    }

    /// The state of a record on a day. The reference names no states. Rule EDIT-63.
    RecordState {
        Scheduled "scheduled" "It is not yet published.",
        Live "live" "It is published.",
        Expired "expired" "Its kill date has passed.",
    }
}

/// The tracking-pixel fields that the reference names, in its order. Rules EDIT-29, CON-3.
pub const PIXELS: &[&str] = &[
    "impression",
    "viewable",
    "firstQuartile",
    "midpoint",
    "thirdQuartile",
    "complete",
    "clickthrough_url",
    "clickthrough",
];

impl VideoRecord {
    /// Returns its state on a day. Rule EDIT-63.
    #[must_use]
    pub fn state(&self, today: Day) -> RecordState {
        if self.kill_date.is_some_and(|kill_date| kill_date <= today) {
            RecordState::Expired
        } else if self.publish.is_some_and(|publish| today < publish) {
            RecordState::Scheduled
        } else {
            RecordState::Live
        }
    }

    /// Whether it may belong to an account: whether that one owns it, or none is known to. Rule
    /// EDIT-34.
    #[must_use]
    pub fn may_belong_to(&self, account: &str) -> bool {
        self.partner_id
            .as_ref()
            .is_none_or(|owner| **owner == *account)
    }

    /// Returns an audience-measurement field; empty if it is not set.
    pub(super) fn measured(&self, name: &str) -> Value {
        let found = self.comscore.iter().find(|(known, _)| **known == *name);
        found.map_or_else(|| Value::from(""), |(_, text)| Value::from(text))
    }

    /// Sets an audience-measurement field; an empty string removes it. An unknown name changes
    /// nothing.
    pub fn set_comscore(&mut self, name: &str, text: &str) {
        let place =
            |name: &str| super::fields().position(|field| field.name == name && field.is_measured);
        set_sorted(
            &mut self.comscore,
            name,
            (!text.is_empty()).then_some(text),
            |name| place(name),
        );
        self.comscore.retain(|(name, _)| place(name).is_some());
    }

    /// Sets a tracking pixel, which may be empty. Rule EDIT-29.
    pub fn set_pixel(&mut self, name: &str, text: &str) {
        let place = |name: &str| {
            let known = PIXELS.iter().position(|known| *known == name);
            (known.is_none(), known, name.to_owned())
        };
        set_sorted(&mut self.pixels, name, Some(text), place);
    }
}

/// Inserts a pair at its place, instead of the one with its name, or removes that one.
fn set_sorted<K: Ord>(
    pairs: &mut Vec<(Arc<str>, Arc<str>)>,
    name: &str,
    text: Option<&str>,
    key: impl Fn(&str) -> K,
) {
    pairs.retain(|(known, _)| **known != *name);
    if let Some(text) = text {
        let place = pairs.partition_point(|(known, _)| key(known) < key(name));
        pairs.insert(place, (name.into(), text.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_scheduled_then_live_then_expired() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let record = VideoRecord {
            publish: Some(day("10-01-2026")),
            kill_date: Some(day("12-01-2026")),
            ..VideoRecord::default()
        };
        let on = |text| record.state(day(text)).name();
        assert_eq!(on("09-01-2026"), "scheduled");
        assert_eq!(on("10-01-2026"), "live");
        assert_eq!(on("11-01-2026"), "live");
        assert_eq!(on("12-01-2026"), "expired");
        assert_eq!(
            VideoRecord::default().state(day("01-01-1970")),
            RecordState::Live
        );
        // It expires before it is published.
        let turned = VideoRecord {
            publish: record.kill_date,
            kill_date: record.publish,
            ..VideoRecord::default()
        };
        assert_eq!(turned.state(day("11-01-2026")), RecordState::Expired);
    }

    #[test]
    fn pairs_keep_the_order_of_their_tables() {
        let mut record = VideoRecord::default();
        for name in [
            "zeta",
            "clickthrough",
            "impression",
            "alpha",
            "clickthrough_url",
            "impression",
        ] {
            record.set_pixel(name, name);
        }
        let names: Vec<&str> = record.pixels.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            [
                "impression",
                "clickthrough_url",
                "clickthrough",
                "alpha",
                "zeta"
            ]
        );
        for (name, text) in [
            ("ns_user_gen", "0"),
            ("ns_st_sn", "1"),
            ("ns_st_en", "2"),
            ("ns_st_sn", ""),
            ("ns", "x"),
        ] {
            record.set_comscore(name, text);
        }
        let names: Vec<&str> = record.comscore.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["ns_st_en", "ns_user_gen"]);
    }
}
