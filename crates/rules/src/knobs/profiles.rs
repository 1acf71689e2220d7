//! Profiles: named sets of knob values, each given as differences from the default.
//!
//! A profile is a reading of the reference, or a claim about a product. Each setting of the latter
//! has its evidence.

use super::{Knob, Knobs, Profiles};
use playsim_base::named::named;

mod claim;
mod measured;
mod players;
mod products;

pub use claim::{Claim, ClaimEvidence, EvidenceKind};
pub use measured::{Decision, FEWEST_RECORDINGS, MeasuredSetting, Measurement};

named! {
    /// A named set of knobs.
    Profile {
        Default "default" "The player of the reference, with the first value of every choice.",
        Literal "literal" "The player of the reference, taken word for word.",
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
        VastPlayer "vast-player" "The ad player vast-player, beside content of the page's own.",
        Chromium "chromium" "User activation and autoplay of Chromium. To be joined with a player, as in ima+chromium.",
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
    pub fn differences(self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        let (readings, claims) = match self.row().1 {
            Settings::Reading(settings) => (settings, NO_CLAIMS),
            Settings::Product(claims) => (NO_SETTINGS, claims),
        };
        let known = claims.iter().filter_map(move |claim| self.setting(claim));
        readings.iter().copied().chain(known)
    }

    /// Returns what the profile claims about a product, a standard or a browser, with the evidence;
    /// `None` if it is a reading of the reference.
    #[must_use]
    pub const fn claims(self) -> Option<&'static [Claim]> {
        match self.row().1 {
            Settings::Reading(_) => None,
            Settings::Product(claims) => Some(claims),
        }
    }

    /// Returns the recordings of the product; `None` if there are none.
    #[must_use]
    pub fn measurement(self) -> Option<&'static Measurement> {
        match self {
            Profile::FluidPlayer => Some(&measured::FLUID_PLAYER),
            Profile::Shaka => Some(&measured::SHAKA),
            Profile::VastPlayer => Some(&measured::VAST_PLAYER),
            // They were recorded together.
            Profile::ContribAds | Profile::VastClientJs => Some(&measured::CONTRIB_ADS),
            Profile::Default
            | Profile::Literal
            | Profile::Element
            | Profile::Browser
            | Profile::Observed
            | Profile::Standard
            | Profile::VideoAdSdk
            | Profile::Ima
            | Profile::RmpVast
            | Profile::Media3
            | Profile::Chromium
            | Profile::Firefox
            | Profile::WebKit => None,
        }
    }

    /// The setting of a claim: as it was measured, if recordings decide it, else as it was read.
    fn setting(self, claim: &Claim) -> Option<(&'static str, &'static str)> {
        let measured = self.measurement().and_then(|it| it.of(claim.knob));
        let Some(measured) = measured.filter(|it| it.is_decided()) else {
            return claim.setting();
        };
        let is_default = |knob: &Knob| knob.default() == measured.value;
        let is_default = Knob::named(claim.knob).is_some_and(is_default);
        (!is_default).then_some((claim.knob, &*measured.value))
    }

    const fn row(self) -> (Option<&'static str>, Settings) {
        use Settings::{Product, Reading};
        match self {
            Profile::Default => (None, Reading(&[])),
            Profile::Literal => (
                None,
                Reading(&[
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
                ]),
            ),
            Profile::Element => (
                None,
                Reading(&[
                    ("bus.expose_html", "on"),
                    ("ended.pause_event", "on"),
                    ("mute.volumechange", "on"),
                    ("play.with_preroll", "at_call"),
                    ("play.returns", "promise"),
                    ("progress.meaning", "data"),
                    ("volume.out_of_range", "error"),
                ]),
            ),
            Profile::Browser => (
                None,
                Reading(&[
                    ("detect", "on_timeupdate"),
                    ("timeupdate.jitter", "seeded"),
                    ("quality.reload_events", "on"),
                    ("progress.jitter", "200ms"),
                    ("progress.meaning", "data"),
                ]),
            ),
            Profile::Observed => (
                None,
                Reading(&[
                    ("volume.zero_mutes", "on"),
                    ("edit.read_date", "Y-m-d"),
                    ("edit.error_shape", "message_errors_validation"),
                    ("edit.auth", "bearer"),
                    ("macros", "obs"),
                    ("vpaid.start", "instead"),
                ]),
            ),
            Profile::Standard => (Some("VAST 4.3, VMAP 1.0.1"), Product(products::STANDARD)),
            Profile::VastClientJs => (Some("6.4.4"), Product(products::VAST_CLIENT_JS)),
            Profile::VideoAdSdk => (Some("commit beb021a"), Product(products::VIDEO_AD_SDK)),
            Profile::Ima => (Some("3"), Product(players::IMA)),
            Profile::RmpVast => (Some("17.0.1"), Product(products::RMP_VAST)),
            Profile::ContribAds => (Some("7.5.2"), Product(products::CONTRIB_ADS)),
            Profile::Media3 => (Some("commit 2bc2078"), Product(players::MEDIA3)),
            Profile::FluidPlayer => (Some("3.58.0"), Product(players::FLUID_PLAYER)),
            Profile::Shaka => (Some("5.2.12"), Product(players::SHAKA)),
            Profile::VastPlayer => (Some("0.2.10"), Product(players::VAST_PLAYER)),
            // PLAY-22
            Profile::Chromium => (None, Product(players::CHROMIUM)),
            Profile::Firefox => (None, Product(players::FIREFOX)),
            Profile::WebKit => (None, Product(players::WEBKIT)),
        }
    }

    /// Returns the knobs of this profile.
    #[must_use]
    pub fn knobs(self) -> Knobs {
        Profiles::from(self).knobs()
    }
}

/// What a profile sets.
#[derive(Clone, Copy)]
enum Settings {
    /// A reading of the reference: knobs and their values.
    Reading(&'static [(&'static str, &'static str)]),
    /// What is claimed about a product.
    Product(&'static [Claim]),
}

const NO_SETTINGS: &[(&str, &str)] = &[];
const NO_CLAIMS: &[Claim] = &[];

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
                profile.differences().count(),
                "{}",
                profile.name()
            );
            assert_eq!(knobs == standard, *profile == Profile::Default);
        }
    }
    #[test]
    fn a_claim_about_code_names_a_version_and_a_file() {
        let claims = Profile::ALL.iter().filter_map(|profile| profile.claims());
        for claim in claims.flatten() {
            let Ok((_, evidence)) = claim.known else {
                assert!(
                    crate::knobs::Knob::named(claim.knob).is_some(),
                    "{}",
                    claim.knob
                );
                continue;
            };
            if evidence.kind == EvidenceKind::Source {
                let has_version = evidence.of.contains(|letter: char| letter.is_ascii_digit());
                let is_file = evidence.place.contains(['/', '.']) || evidence.place == "src";
                assert!(has_version && is_file, "{}: {evidence:?}", claim.knob);
            }
        }
    }

    #[test]
    fn a_profile_says_nothing_twice() {
        for profile in Profile::ALL {
            let mut knobs: Vec<&str> = profile
                .claims()
                .unwrap_or_default()
                .iter()
                .map(|claim| claim.knob)
                .collect();
            let count = knobs.len();
            knobs.sort_unstable();
            knobs.dedup();
            assert_eq!(knobs.len(), count, "{}", profile.name());
        }
    }
}
