//! Why a pixel of an ad was not called, in words.
//!
//! Rules: BRK-1, BRK-3, BRK-13, ADX-3 to ADX-16; VAST 4.3 sections 3.8, 3.14.

use super::{Fate, OfTag, is_empty};
use crate::waterfall::{AdEnd, Played, TagOutcome};
use playsim_base::number::Decimal;
use playsim_vast::is_filled;
use playsim_vast::pixels::{Clicked, Pixel, What};
use playsim_vast::{Offset, TRACKING_EVENTS};

impl OfTag<'_> {
    pub(super) fn reason(&self, fate: &Fate<'_>, pixel: &Pixel<'_>) -> String {
        if is_empty(&pixel.url.text) {
            return NO_URL.to_owned();
        }
        match (fate, &pixel.what) {
            (Fate::Shown(_), What::Error) => "called only on an error".to_owned(),
            (Fate::Not(why), What::Error) if self.tag.outcome == TagOutcome::NotAsked => why.clone(),
            (Fate::Not(why), What::Error) if why == "the ad was not chosen" => {
                "called only on an error".to_owned()
            }
            (Fate::Not(why), _) => why.clone(),
            (Fate::Shown(shown), what) => match shown.last() {
                Some(ad) => self.reason_of_shown(ad, pixel, what),
                None => "the ad was not chosen".to_owned(),
            },
        }
    }

    /// Returns why a pixel of an ad that was shown was not called.
    fn reason_of_shown(&self, ad: &Played, pixel: &Pixel<'_>, what: &What<'_>) -> String {
        let is_overlay = self.it.kind.plays_on();
        match what {
            What::Linear(..) | What::Click(Clicked::Linear(_)) if is_overlay => {
                "it belongs to a linear creative, but the ad was shown as an overlay".to_owned()
            }
            What::Overlay | What::Click(Clicked::Overlay) if !is_overlay => {
                "it belongs to an overlay, but the ad was shown as a linear one".to_owned()
            }
            What::Linear(linear, _) | What::Click(Clicked::Linear(linear))
                if !linear.media_files.is_empty()
                    && ad.media.is_some()
                    && !linear
                        .media_files
                        .iter()
                        .any(|file| ad.media.as_deref().is_some_and(|media| is_filled(&file.url, media))) =>
            {
                "another creative of the ad was shown".to_owned()
            }
            What::Linear(_, offset) => self.reason_of_event(ad, pixel.event, *offset),
            What::Overlay => self.reason_of_event(ad, pixel.event, None),
            What::Impression | What::Error => "the player of this profile does not call it".to_owned(),
            What::View => {
                let words = ["viewable", "notViewable", "viewUndetermined"];
                let reported = self.it.beacons.iter().find(|it| words.contains(&it.event.as_str()));
                match reported {
                    Some(reported) => format!("viewability was reported as {}", reported.event),
                    None => format!("called only when viewability is {}", pixel.event),
                }
            }
            What::Verification if pixel.event != "verificationNotExecuted" => {
                "of the trackers of a verification, only verificationNotExecuted is called".to_owned()
            }
            What::Verification => "called only when the verification does not run".to_owned(),
            What::Icon => "its icon was not shown".to_owned(),
            What::Companion if pixel.event == "creativeView" => "its companion was not shown".to_owned(),
            What::Companion => "of the trackers of a companion, only creativeView is called".to_owned(),
            What::Click(_) if pixel.event == "customClick" => {
                "called only on a click that the ad handles itself".to_owned()
            }
            What::Click(Clicked::Linear(_) | Clicked::Overlay) => {
                "called only on a click on the ad".to_owned()
            }
            What::Click(Clicked::Companion) => "called only on a click on the companion".to_owned(),
            What::Click(Clicked::Icon) => "called only on a click on the icon".to_owned(),
        }
    }

    /// Returns why a tracker of an event during the ad was not called.
    fn reason_of_event(&self, ad: &Played, event: &str, offset: Option<Offset>) -> String {
        if let Some((_, when)) = OCCASIONS.iter().find(|(name, _)| *name == event) {
            return format!("called only when {when}");
        }
        if !TRACKING_EVENTS.contains(&event) {
            return format!("\"{event}\" is not a VAST tracking event");
        }
        if event == "progress" {
            let at = match (offset, ad.duration_us) {
                (None, _) => return "it has no valid offset".to_owned(),
                (Some(Offset::At(span)), _) => span.micros(),
                (Some(Offset::Share(_)), None) => 0,
                (Some(Offset::Share(share)), Some(length)) => of_length(length, share),
            };
            if let Some(length) = ad.duration_us.filter(|length| at > *length) {
                let (at, length) = (Decimal::seconds(at), Decimal::seconds(length));
                return format!("its offset is {at} s, but the ad lasts {length} s");
            }
        }
        let what = match event {
            "complete" => "its end".to_owned(),
            "progress" => "this offset".to_owned(),
            other => other.to_owned(),
        };
        match &ad.end {
            Some(AdEnd::Skip) => format!("the ad was skipped before {what}"),
            Some(AdEnd::Error) => format!("the ad failed before {what}"),
            Some(AdEnd::Cut) => format!("the break was aborted before {what}"),
            None => format!("the run ended before {what}"),
            Some(AdEnd::Complete | AdEnd::NotStarted | AdEnd::Other(_)) => {
                "the player of this profile does not call it".to_owned()
            }
        }
    }
}

pub(super) const NO_URL: &str = "the URL is empty";

/// What has to happen for events that do not always occur.
const OCCASIONS: &[(&str, &str)] = &[
    ("skip", "the ad is skipped"),
    ("closeLinear", "the ad is closed"),
    ("close", "the ad is closed"),
    ("mute", "the user mutes the player"),
    ("unmute", "the user unmutes the player"),
    ("pause", "the ad is paused"),
    ("resume", "the ad resumes after a pause"),
    ("rewind", "the user rewinds the ad"),
    ("fullscreen", "the player goes fullscreen"),
    ("exitFullscreen", "the player leaves fullscreen"),
    ("playerExpand", "the player is made larger"),
    ("playerCollapse", "the player is made smaller again"),
    ("expand", "the player is made larger"),
    ("collapse", "the player is made smaller again"),
    ("adExpand", "the ad is expanded"),
    ("adCollapse", "the ad is collapsed"),
    ("minimize", "the ad is minimized"),
    ("acceptInvitation", "the user accepts the ad's invitation"),
    ("acceptInvitationLinear", "the user accepts the ad's invitation"),
    ("otherAdInteraction", "the user does something else with the ad"),
    ("interactiveStart", "an interactive file runs"),
    ("notUsed", "the ad is not used"),
    ("timeSpentViewing", "an overlay reports how long it was seen"),
    ("overlayViewDuration", "an overlay reports how long it was seen"),
    ("verificationNotExecuted", "the verification does not run"),
];

/// Returns a share of a length, in millionths.
fn of_length(length_us: u64, share: u32) -> u64 {
    u64::try_from(u128::from(length_us) * u128::from(share) / 1_000_000).unwrap_or(u64::MAX)
}
