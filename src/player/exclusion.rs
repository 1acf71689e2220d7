//! Which videos are not for this viewer, or not now.
//!
//! A list leaves them out when it is built: a video whose record comes later, when that comes. Alone, a video
//! that is only rejected plays; one outside of its dates or countries fails when it is loaded.
//!
//! Rules: PL-19, PL-20, EDIT-54 to EDIT-56, CLK-10.

use super::*;
use crate::video::{Day, Video};

/// Why a video is not played.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exclusion {
    /// The word that codes of diagnostics end in.
    word: &'static str,
    rule: RuleId,
    /// The reason, as the second half of a sentence.
    text: String,
}

impl Player {
    /// Leaves out what the list must not hold, as far as its records are known. Rule PL-19.
    pub(super) fn leave_out_all(&mut self, now: Time, out: &mut Outbox) {
        let mut index = 0;
        while index < self.playlist.len() {
            if !self.leave_out(now, index, out) {
                index += 1;
            }
        }
    }

    /// Leaves one item out, if it must be. Tells whether it was.
    pub(super) fn leave_out(&mut self, now: Time, index: usize, out: &mut Outbox) -> bool {
        let Some(video) = self.playlist.video_at(index).filter(|_| self.playlist.leaves_out()) else {
            return false;
        };
        let rejected = video.rejected.then(|| Exclusion {
            word: "rejected",
            rule: rule!("EDIT-54"),
            text: "it is rejected".to_owned(),
        });
        let found = rejected.or_else(|| self.unavailable(now, video)).or_else(|| self.unplayable(video));
        let Some(Exclusion { word, rule, text }) = found else { return false };
        let text = format!("{} is left out of the list: {text}", called(video));
        out.diag(rule, format!("item_excluded:{word}"), text);
        // Within a pass the list has been announced as one. PL-10
        let is_under_way = !self.due.has(Due::PLAYLIST_START);
        self.playlist.leave_out(index, is_under_way);
        true
    }

    /// Whether a single video may be loaded here and now; if not, it says why. Rules EDIT-55, EDIT-56.
    pub(super) fn may_load(&mut self, now: Time, video: &Video, out: &mut Outbox) -> bool {
        let found = if self.playlist.leaves_out() { None } else { self.unavailable(now, video) };
        self.playlist.bar(found.is_some());
        let Some(Exclusion { word, rule, text }) = found else { return true };
        out.diag(rule, format!("video_barred:{word}"), format!("{} cannot be played: {text}", called(video)));
        false
    }

    /// The item in use was left out, and another one moved up or the list ended with it. Tells whether
    /// playing goes on with what is in use now.
    ///
    /// Behind the last item there is none to go on with: the one before it is in use again, and waits.
    pub(super) fn close_ranks(&mut self) -> bool {
        if self.playlist.index().is_none() && self.playlist.len() > 0 {
            self.playlist.choose(self.playlist.len() - 1);
            return false;
        }
        true
    }

    /// Outside of its dates, by the calendar of the run, or of its countries.
    fn unavailable(&self, now: Time, video: &Video) -> Option<Exclusion> {
        let page = &self.settings.page;
        let micros = i64::try_from(now.micros()).unwrap_or(i64::MAX);
        let today = Day::of_micros(page.epoch_micros.saturating_add(micros));
        outside_of_dates(video, today).or_else(|| outside_of_countries(video, page.country.as_deref()))
    }

    fn unplayable(&self, video: &Video) -> Option<Exclusion> {
        if self.first_rendition(video).is_some() {
            return None;
        }
        let rule = rule!("PL-19");
        Some(if video.renditions.is_empty() {
            Exclusion { word: "no_rendition", rule, text: "it has no rendition".to_owned() }
        } else {
            let text = "the account's plan allows none of its renditions".to_owned();
            Exclusion { word: "plan", rule, text }
        })
    }
}

/// The day of publishing is the first on which it is there, the kill date the first on which it is not.
fn outside_of_dates(video: &Video, today: Day) -> Option<Exclusion> {
    let rule = rule!("EDIT-55");
    if let Some(publish) = video.publish.filter(|publish| today < *publish) {
        let text = format!("it is published on {publish}, and today is {today}");
        return Some(Exclusion { word: "publish", rule, text });
    }
    let kill_date = video.kill_date.filter(|kill_date| *kill_date <= today)?;
    let text = format!("it is there until the day before {kill_date}, and today is {today}");
    Some(Exclusion { word: "kill_date", rule, text })
}

/// A viewer whose country is not known is in none of them.
fn outside_of_countries(video: &Video, country: Option<&str>) -> Option<Exclusion> {
    let is_listed = |country: &str| video.geo.iter().any(|listed| listed.eq_ignore_ascii_case(country));
    if !video.geo_on || country.is_some_and(is_listed) {
        return None;
    }
    let listed: Vec<&str> = video.geo.iter().map(|country| &**country).collect();
    let listed = if listed.is_empty() { "no country".to_owned() } else { listed.join(", ") };
    let viewer = country.map_or_else(
        || "the viewer's country is not known".to_owned(),
        |country| format!("the viewer is in {country}"),
    );
    let text = format!("it is for {listed}, and {viewer}");
    Some(Exclusion { word: "geo", rule: rule!("EDIT-56"), text })
}

/// What messages call a video.
fn called(video: &Video) -> String {
    let first_address = video.renditions.first().map_or("", |(_, address)| address);
    let word = [&*video.id, &*video.name, first_address].into_iter().find(|word| !word.is_empty());
    format!("video \"{}\"", word.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::Record;

    fn of(record: Record) -> Video {
        Video { record, ..Video::default() }
    }

    fn word(found: Option<Exclusion>) -> &'static str {
        found.map_or("", |found| found.word)
    }

    #[test]
    fn a_video_is_there_from_its_first_day_to_the_day_before_its_kill_date() {
        let day = |text| Day::read(text).expect("a day");
        let (publish, kill_date) = (Some(day("10-01-2026")), Some(day("12-01-2026")));
        let video = of(Record { publish, kill_date, ..Record::default() });
        let at = |text| word(outside_of_dates(&video, day(text)));
        assert_eq!(at("09-01-2026"), "publish");
        assert_eq!(at("10-01-2026"), "");
        assert_eq!(at("11-01-2026"), "");
        assert_eq!(at("12-01-2026"), "kill_date");
        assert_eq!(word(outside_of_dates(&Video::default(), day("12-01-2026"))), "");
    }

    #[test]
    fn countries_count_only_where_they_are_switched_on() {
        let geo = vec!["US".into(), "ca".into()];
        let video = of(Record { geo_on: true, geo, ..Record::default() });
        assert_eq!(word(outside_of_countries(&video, Some("us"))), "");
        assert_eq!(word(outside_of_countries(&video, Some("CA"))), "");
        assert_eq!(word(outside_of_countries(&video, Some("DE"))), "geo");
        assert_eq!(word(outside_of_countries(&video, None)), "geo");
        let open = of(Record { geo_on: false, ..video.record });
        assert_eq!(word(outside_of_countries(&open, Some("DE"))), "");
        let nowhere = of(Record { geo_on: true, ..Record::default() });
        assert_eq!(word(outside_of_countries(&nowhere, Some("US"))), "geo");
    }
}
