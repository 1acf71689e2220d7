//! Why a pixel of an ad was not called, in words.
//!
//! Rules: BRK-1, BRK-3, BRK-13, ADX-3 to ADX-16; VAST 4.3 sections 3.8, 3.14.

use super::{Fate, OfTag, is_empty};
use crate::waterfall::{AdEnd, Beacon, Played};
use playsim_base::number::Decimal;
use playsim_vast::is_filled;
use playsim_vast::pixels::{Clicked, Pixel, TrackedPart};
use playsim_vast::{Offset, TRACKING_EVENTS, TrackingEvent};

impl OfTag<'_> {
    pub(super) fn reason(&self, fate: &Fate<'_>, pixel: &Pixel<'_>) -> String {
        if is_empty(&pixel.url.text) {
            return NO_URL.to_owned();
        }
        match (fate, &pixel.what) {
            (Fate::Shown(_) | Fate::NotChosen, TrackedPart::Error) => ON_ERROR.to_owned(),
            (Fate::Not(why), _) => why.clone(),
            (Fate::NotChosen, _) => NOT_CHOSEN.to_owned(),
            (Fate::Shown(shown), what) => match shown.last() {
                Some(ad) => self.reason_of_shown(ad, pixel, what),
                None => NOT_CHOSEN.to_owned(),
            },
        }
    }

    /// Returns why a pixel of an ad that was shown was not called.
    fn reason_of_shown(&self, ad: &Played, pixel: &Pixel<'_>, what: &TrackedPart<'_>) -> String {
        let is_overlay = self.it.kind.plays_on();
        let event = TrackingEvent::from_name(pixel.event);
        match what {
            TrackedPart::Linear(..) | TrackedPart::Click(Clicked::Linear(_)) if is_overlay => {
                "it belongs to a linear creative, but the ad was shown as an overlay".to_owned()
            }
            TrackedPart::Overlay | TrackedPart::Click(Clicked::Overlay) if !is_overlay => {
                "it belongs to an overlay, but the ad was shown as a linear one".to_owned()
            }
            TrackedPart::Linear(linear, _) | TrackedPart::Click(Clicked::Linear(linear))
                if !linear.media_files.is_empty()
                    && ad.media.is_some()
                    && !linear.media_files.iter().any(|file| {
                        ad.media
                            .as_deref()
                            .is_some_and(|media| is_filled(&file.url, media))
                    }) =>
            {
                "another creative of the ad was shown".to_owned()
            }
            TrackedPart::Linear(_, offset) => self.reason_of_event(ad, pixel.event, *offset),
            TrackedPart::Overlay => self.reason_of_event(ad, pixel.event, None),
            TrackedPart::Impression | TrackedPart::Error => {
                "the player of this profile does not call it".to_owned()
            }
            TrackedPart::View => {
                let is_view = |it: &&Beacon| {
                    matches!(
                        it.event.known(),
                        Some(
                            TrackingEvent::Viewable
                                | TrackingEvent::NotViewable
                                | TrackingEvent::ViewUndetermined
                        )
                    )
                };
                match self.it.beacons.iter().find(is_view) {
                    Some(reported) => format!("viewability was reported as {}", reported.event),
                    None => format!("called only when viewability is {}", pixel.event),
                }
            }
            TrackedPart::Verification if event != Some(TrackingEvent::VerificationNotExecuted) => {
                "of the trackers of a verification, only verificationNotExecuted is called"
                    .to_owned()
            }
            TrackedPart::Verification => {
                "called only when the verification does not run".to_owned()
            }
            TrackedPart::Icon => "its icon was not shown".to_owned(),
            TrackedPart::Companion if event == Some(TrackingEvent::CreativeView) => {
                "its companion was not shown".to_owned()
            }
            TrackedPart::Companion => {
                "of the trackers of a companion, only creativeView is called".to_owned()
            }
            TrackedPart::Click(_) if event == Some(TrackingEvent::CustomClick) => {
                "called only on a click that the ad handles itself".to_owned()
            }
            TrackedPart::Click(Clicked::Linear(_) | Clicked::Overlay) => {
                "called only on a click on the ad".to_owned()
            }
            TrackedPart::Click(Clicked::Companion) => {
                "called only on a click on the companion".to_owned()
            }
            TrackedPart::Click(Clicked::Icon) => "called only on a click on the icon".to_owned(),
        }
    }

    /// Returns why a tracker of an event during the ad was not called.
    fn reason_of_event(&self, ad: &Played, name: &str, offset: Option<Offset>) -> String {
        let event = TrackingEvent::from_name(name).filter(|_| TRACKING_EVENTS.contains(&name));
        let Some(event) = event else {
            return format!("\"{name}\" is not a VAST tracking event");
        };
        if let Some((_, when)) = OCCASIONS.iter().find(|(of, _)| *of == event) {
            return format!("called only when {when}");
        }
        if event == TrackingEvent::Progress {
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
        let what = if event == TrackingEvent::Complete {
            "its end"
        } else if event == TrackingEvent::Progress {
            "this offset"
        } else {
            name
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
pub(super) const ON_ERROR: &str = "called only on an error";
const NOT_CHOSEN: &str = "the ad was not chosen";

/// The conditions of events that do not always occur.
const OCCASIONS: &[(TrackingEvent, &str)] = &[
    (TrackingEvent::Skip, "the ad is skipped"),
    (TrackingEvent::CloseLinear, "the ad is closed"),
    (TrackingEvent::Close, "the ad is closed"),
    (TrackingEvent::Mute, "the user mutes the player"),
    (TrackingEvent::Unmute, "the user unmutes the player"),
    (TrackingEvent::Pause, "the ad is paused"),
    (TrackingEvent::Resume, "the ad resumes after a pause"),
    (TrackingEvent::Rewind, "the user rewinds the ad"),
    (TrackingEvent::Fullscreen, "the player goes fullscreen"),
    (
        TrackingEvent::ExitFullscreen,
        "the player leaves fullscreen",
    ),
    (TrackingEvent::PlayerExpand, "the player is made larger"),
    (
        TrackingEvent::PlayerCollapse,
        "the player is made smaller again",
    ),
    (TrackingEvent::Expand, "the player is made larger"),
    (TrackingEvent::Collapse, "the player is made smaller again"),
    (TrackingEvent::AdExpand, "the ad is expanded"),
    (TrackingEvent::AdCollapse, "the ad is collapsed"),
    (TrackingEvent::Minimize, "the ad is minimized"),
    (
        TrackingEvent::AcceptInvitation,
        "the user accepts the ad's invitation",
    ),
    (
        TrackingEvent::AcceptInvitationLinear,
        "the user accepts the ad's invitation",
    ),
    (
        TrackingEvent::OtherAdInteraction,
        "the user does something else with the ad",
    ),
    (TrackingEvent::InteractiveStart, "an interactive file runs"),
    (TrackingEvent::NotUsed, "the ad is not used"),
    (
        TrackingEvent::TimeSpentViewing,
        "an overlay reports how long it was seen",
    ),
    (
        TrackingEvent::OverlayViewDuration,
        "an overlay reports how long it was seen",
    ),
    (
        TrackingEvent::VerificationNotExecuted,
        "the verification does not run",
    ),
];

/// Returns a share of a length, in millionths.
fn of_length(length_us: u64, share: u32) -> u64 {
    u64::try_from(u128::from(length_us) * u128::from(share) / 1_000_000).unwrap_or(u64::MAX)
}
