//! Profiles: named sets of knobs, each the default with some differences.

use super::Knobs;
use crate::named::named;

named! {
    /// A named set of knobs.
    Profile {
        Default "default" "For everybody: the first reading of every choice.",
        Literal "literal" "For conformance testers who take the reference word by word.",
        Element "element" "For people who compare with a bare media element.",
        Browser "browser" "For people who compare with a recorded browser session.",
        Observed "observed" "For people who know public integrations of the player.",
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
            Profile::Observed => {
                &[("volume.zero_mutes", "on"), ("macros", "obs"), ("vpaid.start", "instead")]
            }
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
