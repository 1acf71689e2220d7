//! Which videos must not be shown to this viewer, or not now.
//!
//! A list leaves them out when it is built, or as soon as their records arrive, and is judged anew
//! whenever an item is about to load. Outside of a list, a video that is merely rejected plays; one
//! outside of its dates or countries fails when it is loaded.
//!
//! Rules: PL-19, PL-20, PL-23, EDIT-54 to EDIT-56, CLK-10.

use super::Items;
use super::playlist::ItemPlace;
use super::rendition::Quality;
use crate::state::Due;
use playsim_api::page::Page;
use playsim_api::video::{Day, Video};
use playsim_api::{Code, Outbox};
use playsim_base::time::Time;
use playsim_rules::{self as rules, RuleId};

/// The kinds of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Geo,
    KillDate,
    NoRendition,
    Plan,
    Publish,
    Rejected,
}

impl Reason {
    /// The code of the diagnostic about an item that a list leaves out.
    fn of_item(self) -> Code {
        match self {
            Reason::Geo => Code::ItemExcludedGeo,
            Reason::KillDate => Code::ItemExcludedKillDate,
            Reason::NoRendition => Code::ItemExcludedNoRendition,
            Reason::Plan => Code::ItemExcludedPlan,
            Reason::Publish => Code::ItemExcludedPublish,
            Reason::Rejected => Code::ItemExcludedRejected,
        }
    }

    /// The code of the diagnostic about a single video that must not play; `None` if it may.
    fn of_single(self) -> Option<Code> {
        match self {
            Reason::Geo => Some(Code::VideoBarredGeo),
            Reason::KillDate => Some(Code::VideoBarredKillDate),
            Reason::Publish => Some(Code::VideoBarredPublish),
            Reason::NoRendition | Reason::Plan | Reason::Rejected => None,
        }
    }
}

/// Why a video is not played.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exclusion {
    reason: Reason,
    rule: RuleId,
    /// The reason, a clause that messages append.
    text: String,
}

impl Items {
    /// Leaves out the items that the list must not contain, where their records are known. Rule
    /// PL-19.
    pub(crate) fn leave_out_all(&mut self, page: &Page, out: &mut Outbox) {
        let mut index = 0;
        while index < self.playlist.len() {
            if !self.leave_out(page, index, out) {
                index += 1;
            }
        }
    }

    /// Leaves one item out if it must not be in the list. Returns whether it did.
    pub(super) fn leave_out(&mut self, page: &Page, index: usize, out: &mut Outbox) -> bool {
        let Some(video) = self
            .playlist
            .latest_at(index)
            .filter(|_| self.playlist.leaves_out())
        else {
            return false;
        };
        let Some(Exclusion { reason, rule, text }) = self.excluded(page, out.now(), video) else {
            return false;
        };
        let text = format!("{} is left out of the list: {text}", called(video));
        out.diag(rule, reason.of_item(), text);
        self.playlist.leave_out(index, self.is_under_way());
        true
    }

    /// Judges the list anew, by the calendar and the records of this moment, because an item is
    /// about to load: items leave it or return to their positions. The current item stays as long
    /// as it is in use. Rule PL-23.
    pub(super) fn judge(&mut self, page: &Page, out: &mut Outbox) {
        if !self.playlist.leaves_out() {
            return;
        }
        let mut index = 0;
        while index < self.playlist.len() {
            let is_in_use = self.playlist.index() == Some(index);
            if is_in_use || !self.leave_out(page, index, out) {
                index += 1;
            }
        }
        while let Some(left_out) = self.back_at(page, out.now()) {
            let is_under_way = self.is_under_way();
            let Some(video) = self.playlist.take_back(left_out, is_under_way) else {
                continue;
            };
            let text = format!(
                "{} is in the list again: nothing excludes it any more",
                called(&video)
            );
            out.diag(rules::PL_23, Code::ItemBack, text);
        }
    }

    /// The first of the items left out that nothing excludes any more.
    fn back_at(&self, page: &Page, now: Time) -> Option<usize> {
        self.playlist
            .left_out()
            .position(|video| self.excluded(page, now, video).is_none())
    }

    /// The first item at or after a place that may play: the item in use, which is spared, may not.
    /// Rule PL-23.
    pub(super) fn playable_from(&self, page: &Page, now: Time, place: ItemPlace) -> Option<usize> {
        let may_play = |index: &usize| {
            let video = self
                .playlist
                .latest_at(*index)
                .filter(|_| self.playlist.leaves_out());
            video.is_none_or(|video| self.excluded(page, now, video).is_none())
        };
        (self.playlist.index_of_place(place)..self.playlist.len()).find(may_play)
    }

    /// Why a list leaves a video out, if it does. Rule PL-19.
    fn excluded(&self, page: &Page, now: Time, video: &Video) -> Option<Exclusion> {
        let rejected = video.rejected.then(|| Exclusion {
            reason: Reason::Rejected,
            rule: rules::EDIT_54,
            text: "it is rejected".to_owned(),
        });
        rejected
            .or_else(|| unavailable(page, now, video))
            .or_else(|| unplayable(&self.quality, video))
    }

    /// Once a pass has begun, the content has already been announced as a list. Rule PL-10.
    fn is_under_way(&self) -> bool {
        !self.due.has(Due::PLAYLIST_START)
    }

    /// Whether a single video may be loaded now; if not, a diagnostic says why. Rules EDIT-55,
    /// EDIT-56.
    pub(super) fn may_load(&mut self, page: &Page, video: &Video, out: &mut Outbox) -> bool {
        let found = if self.playlist.leaves_out() {
            None
        } else {
            unavailable(page, out.now(), video)
        };
        let found = found.and_then(|found| Some((found.reason.of_single()?, found)));
        self.playlist.bar(found.is_some());
        let Some((code, Exclusion { rule, text, .. })) = found else {
            return true;
        };
        out.diag(
            rule,
            code,
            format!("{} cannot be played: {text}", called(video)),
        );
        false
    }

    /// The item after the one in use, in the list of this moment. Rule PL-23.
    pub(super) fn judged_next(&mut self, page: &Page, out: &mut Outbox) -> Option<usize> {
        self.judge(page, out);
        self.playlist.next_index()
    }
}

/// Excludes a video outside of its dates, by the calendar of the run, or of its countries.
fn unavailable(page: &Page, now: Time, video: &Video) -> Option<Exclusion> {
    let micros = i64::try_from(now.micros()).unwrap_or(i64::MAX);
    let today = Day::of_micros(page.epoch_micros.saturating_add(micros));
    outside_of_dates(video, today).or_else(|| outside_of_countries(video, page.country.as_deref()))
}

fn unplayable(quality: &Quality, video: &Video) -> Option<Exclusion> {
    if quality.first(video).is_some() {
        return None;
    }
    let rule = rules::PL_19;
    Some(if video.renditions.is_empty() {
        Exclusion {
            reason: Reason::NoRendition,
            rule,
            text: "it has no rendition".to_owned(),
        }
    } else {
        let text = "the account's plan allows none of its renditions".to_owned();
        Exclusion {
            reason: Reason::Plan,
            rule,
            text,
        }
    })
}

/// The publishing date is the first day on which the video is available, the kill date the first on
/// which it is not.
fn outside_of_dates(video: &Video, today: Day) -> Option<Exclusion> {
    let rule = rules::EDIT_55;
    if let Some(publish) = video.publish.filter(|publish| today < *publish) {
        let text = format!("it is published on {publish}, and today is {today}");
        return Some(Exclusion {
            reason: Reason::Publish,
            rule,
            text,
        });
    }
    let kill_date = video.kill_date.filter(|kill_date| *kill_date <= today)?;
    let text = format!("it is available until the day before {kill_date}, and today is {today}");
    Some(Exclusion {
        reason: Reason::KillDate,
        rule,
        text,
    })
}

/// A viewer whose country is unknown is in none of them.
fn outside_of_countries(video: &Video, country: Option<&str>) -> Option<Exclusion> {
    let is_listed = |country: &str| {
        video
            .geo
            .iter()
            .any(|listed| listed.eq_ignore_ascii_case(country))
    };
    if !video.geo_on || country.is_some_and(is_listed) {
        return None;
    }
    let listed: Vec<&str> = video.geo.iter().map(|country| &**country).collect();
    let listed = if listed.is_empty() {
        "no country".to_owned()
    } else {
        listed.join(", ")
    };
    let viewer = country.map_or_else(
        || "the viewer's country is unknown".to_owned(),
        |country| format!("the viewer is in {country}"),
    );
    let text = format!("it is limited to {listed}, and {viewer}");
    Some(Exclusion {
        reason: Reason::Geo,
        rule: rules::EDIT_56,
        text,
    })
}

/// How messages refer to a video.
fn called(video: &Video) -> String {
    let first_address = video.renditions.first().map_or("", |(_, address)| address);
    let word = [&*video.id, &*video.name, first_address]
        .into_iter()
        .find(|word| !word.is_empty());
    format!("video \"{}\"", word.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_api::video::VideoRecord;

    fn of(record: VideoRecord) -> Video {
        Video {
            record,
            ..Video::default()
        }
    }

    fn reason(found: Option<Exclusion>) -> Option<Reason> {
        found.map(|found| found.reason)
    }

    #[test]
    fn a_video_is_available_from_its_publish_date_to_the_day_before_its_kill_date() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let (publish, kill_date) = (Some(day("10-01-2026")), Some(day("12-01-2026")));
        let video = of(VideoRecord {
            publish,
            kill_date,
            ..VideoRecord::default()
        });
        let at = |text| reason(outside_of_dates(&video, day(text)));
        assert_eq!(at("09-01-2026"), Some(Reason::Publish));
        assert_eq!(at("10-01-2026"), None);
        assert_eq!(at("11-01-2026"), None);
        assert_eq!(at("12-01-2026"), Some(Reason::KillDate));
        assert_eq!(
            reason(outside_of_dates(&Video::default(), day("12-01-2026"))),
            None
        );
    }

    #[test]
    fn countries_count_only_if_they_are_switched_on() {
        let geo = vec!["US".into(), "ca".into()];
        let video = of(VideoRecord {
            geo_on: true,
            geo,
            ..VideoRecord::default()
        });
        assert_eq!(reason(outside_of_countries(&video, Some("us"))), None);
        assert_eq!(reason(outside_of_countries(&video, Some("CA"))), None);
        assert_eq!(
            reason(outside_of_countries(&video, Some("DE"))),
            Some(Reason::Geo)
        );
        assert_eq!(
            reason(outside_of_countries(&video, None)),
            Some(Reason::Geo)
        );
        let open = of(VideoRecord {
            geo_on: false,
            ..video.record
        });
        assert_eq!(reason(outside_of_countries(&open, Some("DE"))), None);
        let nowhere = of(VideoRecord {
            geo_on: true,
            ..VideoRecord::default()
        });
        assert_eq!(
            reason(outside_of_countries(&nowhere, Some("US"))),
            Some(Reason::Geo)
        );
    }
}
