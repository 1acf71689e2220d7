//! Profiles: named sets of knobs, each the default with some differences.

use super::Knobs;
use crate::named::named;

mod products;

named! {
    /// A named set of knobs.
    Profile {
        Default "default" "For everybody: the first reading of every choice.",
        Literal "literal" "For conformance testers who take the reference word by word.",
        Element "element" "For people who compare with a bare media element.",
        Browser "browser" "For people who compare with a recorded browser session.",
        Observed "observed" "For people who know public integrations of the player.",
        Standard "standard" "The text of VAST 4.3, strictly.",
        VastClientJs "vast-client-js" "As vast-client-js 6.4 reads and tracks.",
        VideoAdSdk "video-ad-sdk" "As video-ad-sdk loads and runs.",
        Ima "ima" "As the documentation of the IMA SDK for HTML5 says.",
        RmpVast "rmp-vast" "As rmp-vast 17 plays.",
        ContribAds "contrib-ads" "As videojs-contrib-ads 7.5 waits for ads.",
        Media3 "media3" "As the IMA extension of androidx media3 plays.",
    }
}

impl Profile {
    /// What differs from the default: knobs by name, and their values.
    #[must_use]
    pub const fn differences(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Profile::Default => &[],
            Profile::Literal => &[
                ("before_start.scope", "ad"),
                ("seeked.cause", "user_only"),
                ("fullscreen.toggle", "enter_only"),
                ("fullscreen.event", "button_only"),
                ("src.strict", "on"),
                ("ga.strict", "on"),
                ("init.strict_types", "on"),
                ("init.no_class", "refuse"),
                ("bus.array_everywhere", "off"),
                ("ad.adTagUrl", "ignore"),
                ("ad.time_type_required", "strict"),
                ("push_ads.source", "player_level"),
                ("compat.property_calls", "error"),
            ],
            Profile::Element => &[
                ("bus.expose_html", "on"),
                ("ended.pause_event", "on"),
                ("mute.volumechange", "on"),
                ("play.with_preroll", "at_call"),
                ("play.returns", "promise"),
                ("volume.out_of_range", "error"),
            ],
            Profile::Browser => &[
                ("detect", "on_timeupdate"),
                ("timeupdate.jitter", "seeded"),
                ("quality.reload_events", "on"),
                ("progress.jitter", "200ms"),
            ],
            Profile::Observed => &[
                ("volume.zero_mutes", "on"),
                ("edit.read_date", "Y-m-d"),
                ("edit.error_shape", "message_errors_validation"),
                ("edit.auth", "bearer"),
                ("macros", "obs"),
                ("vpaid.start", "instead"),
            ],
            Profile::Standard => products::STANDARD,
            Profile::VastClientJs => products::VAST_CLIENT_JS,
            Profile::VideoAdSdk => products::VIDEO_AD_SDK,
            Profile::Ima => products::IMA,
            Profile::RmpVast => products::RMP_VAST,
            Profile::ContribAds => products::CONTRIB_ADS,
            Profile::Media3 => products::MEDIA3,
        }
    }

    /// The knobs of this profile.
    #[must_use]
    pub fn knobs(self) -> Knobs {
        let mut knobs = Knobs::default();
        for (name, value) in self.differences() {
            knobs.set(name, value).expect("a profile names knobs of the table, and their values");
        }
        knobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_differs_from_the_default_in_what_it_says() {
        let standard = Knobs::default();
        for profile in Profile::ALL {
            let knobs = profile.knobs();
            let differing: Vec<&str> = knobs.differing().map(|(name, _)| name).collect();
            assert_eq!(differing.len(), profile.differences().len(), "{}", profile.name());
            assert_eq!(knobs == standard, *profile == Profile::Default);
        }
    }
}
