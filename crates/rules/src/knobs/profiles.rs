//! Profiles: named sets of knob values, each given as differences from the default.

use super::{Knobs, Profiles};
use playsim_base::named::named;

mod products;

use products::Differences;

named! {
    /// A named set of knobs.
    Profile {
        Default "default" "The documented player, with the first value of every choice.",
        Literal "literal" "The documented player, with its reference taken word for word.",
        Element "element" "A player that behaves as much like a bare HTML media element as possible.",
        Browser "browser" "A player in a real browser, for comparison with recorded sessions.",
        Observed "observed" "The player as seen in public integrations.",
        Standard "standard" "A player that follows VAST 4.3 to the letter.",
        VastClientJs "vast-client-js" "The VAST parser and tracker of vast-client-js.",
        VideoAdSdk "video-ad-sdk" "The VAST loader and ad player of video-ad-sdk.",
        Ima "ima" "The IMA SDK for HTML5, according to its documentation.",
        RmpVast "rmp-vast" "The ad player rmp-vast.",
        ContribAds "contrib-ads" "A player whose breaks are run by videojs-contrib-ads.",
        Media3 "media3" "The IMA extension of androidx media3.",
        FluidPlayer "fluid-player" "The player fluid-player with its own ads.",
        Shaka "shaka" "The client-side interstitials of shaka-player.",
        Chromium "chromium" "The user activation of Chromium. To be joined with a player, as in ima+chromium.",
        Firefox "firefox" "The user activation of Firefox. To be joined with a player, as in ima+firefox.",
        WebKit "webkit" "The user activation of WebKit. To be joined with a player, as in ima+webkit.",
    }
}

impl Profile {
    /// Returns the version of the product or standard that the profile describes, if it describes
    /// one.
    #[must_use]
    pub const fn version(self) -> Option<&'static str> {
        self.row().0
    }

    /// Returns the knobs that differ from the default, with their values.
    #[must_use]
    pub const fn differences(self) -> Differences {
        self.row().1
    }

    const fn row(self) -> (Option<&'static str>, Differences) {
        match self {
            Profile::Default => (None, &[]),
            Profile::Literal => (
                None,
                &[
                    ("before_start.scope", "ad"),
                    ("start.scope", "first_time"),
                    ("ended.vs_postroll", "before"),
                    ("seek.fraction", "whole_second"),
                    ("init.missing_size", "refuse"),
                    ("progress.meaning", "waiting"),
                    ("seeked.cause", "user_only"),
                    ("fullscreen.toggle", "enter_only"),
                    ("fullscreen.event", "button_only"),
                    ("src.strict", "on"),
                    ("ga.strict", "on"),
                    ("init.strict_types", "on"),
                    ("init.no_class", "refuse"),
                    ("bus.array_everywhere", "off"),
                    ("ad.time_type_required", "strict"),
                    ("push_ads.source", "player_level"),
                    ("overlay.quartiles", "on"),
                    ("compat.property_calls", "error"),
                ],
            ),
            Profile::Element => (
                None,
                &[
                    ("bus.expose_html", "on"),
                    ("ended.pause_event", "on"),
                    ("mute.volumechange", "on"),
                    ("play.with_preroll", "at_call"),
                    ("play.returns", "promise"),
                    ("progress.meaning", "data"),
                    ("volume.out_of_range", "error"),
                ],
            ),
            Profile::Browser => (
                None,
                &[
                    ("detect", "on_timeupdate"),
                    ("timeupdate.jitter", "seeded"),
                    ("quality.reload_events", "on"),
                    ("progress.jitter", "200ms"),
                    ("progress.meaning", "data"),
                ],
            ),
            Profile::Observed => (
                None,
                &[
                    ("volume.zero_mutes", "on"),
                    ("edit.read_date", "Y-m-d"),
                    ("edit.error_shape", "message_errors_validation"),
                    ("edit.auth", "bearer"),
                    ("macros", "obs"),
                    ("vpaid.start", "instead"),
                ],
            ),
            Profile::Standard => (Some("VAST 4.3, VMAP 1.0.1"), products::STANDARD),
            Profile::VastClientJs => (Some("6.4.4"), products::VAST_CLIENT_JS),
            Profile::VideoAdSdk => (Some("commit beb021a"), products::VIDEO_AD_SDK),
            Profile::Ima => (Some("3"), products::IMA),
            Profile::RmpVast => (Some("17.0.1"), products::RMP_VAST),
            Profile::ContribAds => (Some("7.5.2"), products::CONTRIB_ADS),
            Profile::Media3 => (Some("commit 2bc2078"), products::MEDIA3),
            Profile::FluidPlayer => (Some("3.58.0"), products::FLUID_PLAYER),
            Profile::Shaka => (Some("5.2"), products::SHAKA),
            // Their policies for media: sticky activation, and WebKit's for each element. PLAY-22
            Profile::Chromium | Profile::Firefox => (None, &[("activation.play", "sticky")]),
            Profile::WebKit => (None, &[("activation.play", "element")]),
        }
    }

    /// Returns the knobs of this profile.
    #[must_use]
    pub fn knobs(self) -> Knobs {
        Profiles::from(self).knobs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_differs_from_the_default_in_exactly_its_differences() {
        let standard = Knobs::default();
        for profile in Profile::ALL {
            let knobs = profile.knobs();
            let differing: Vec<&str> = knobs.differing().map(|(name, _)| name).collect();
            assert_eq!(
                differing.len(),
                profile.differences().len(),
                "{}",
                profile.name()
            );
            assert_eq!(knobs == standard, *profile == Profile::Default);
        }
    }
}
