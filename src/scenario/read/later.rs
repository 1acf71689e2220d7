//! What the form of scenarios has room for and this version does not play.
//!
//! It is refused with a word on what can be written instead, never passed over. A name that gets built
//! moves from here to its table; a test below finds those that stand in both.

use crate::rules;

/// Calls and properties of the documented API that are not built.
pub(super) const CALLS: &[&str] = &[
    "volume",
    "muted",
    "setHD",
    "isHD",
    "setVideoSource",
    "src",
    "loadPlaylist",
    "playAd",
    "pushAds",
    "toggleFullScreen",
    "isFullScreen",
    "isPlayerInView",
    "changeSkin",
    "resize",
    "GoogleAnalytics.fireCustom",
    "load",
    "loop",
    "playbackRate",
];

/// Named sets of knobs beside the default.
pub(super) const PROFILES: &[&str] = &["literal", "element", "browser", "observed"];

/// What a person can do and the simulated one cannot.
pub(super) const USER: &[&str] = &["gesture", "click", "close", "mute", "unmute", "fullscreen", "volume"];

/// Whether the rules name this knob.
pub(super) fn is_knob(name: &str) -> bool {
    rules::all().any(|rule| rule.row().knob.split(", ").any(|knob| knob == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Call, Query};
    use crate::scenario::read::steps::USER_WORDS;

    #[test]
    fn nothing_stands_here_that_is_built() {
        for name in CALLS {
            assert_eq!(
                (Call::read(name), Query::read(name)),
                (None, None),
                "{name} is built: remove it here"
            );
        }
        for name in USER {
            assert!(!USER_WORDS.contains(name), "{name} is built: remove it here");
        }
    }
}
