//! Knobs about URLs and the macros in them.
//!
//! Rules: MAC-3, PRD-12 to PRD-14, PRD-38, EDIT-58.

use playsim_rules::knobs::{
    AssetUri, ContentPlayhead, KnobReader, MacroLists, MacroSet, MacroSpelling, MacroUrls,
    TrackerUrls,
};
use playsim_vast::standard_macros::Use;

/// The knobs about URLs.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) struct Readings {
    /// In which URLs macros are filled in. Rule PRD-38.
    urls: MacroUrls,
    pub(super) spelling: MacroSpelling,
    /// How items of lists are separated. Rule PRD-12.
    pub(super) lists: MacroLists,
    /// Which media file `ASSETURI` names. Rule PRD-13.
    pub(super) asset: AssetUri,
    /// What `CONTENTPLAYHEAD` stands for while an ad plays. Rule MAC-8.
    pub(super) content_playhead: ContentPlayhead,
    /// Which trackers are called. Rule PRD-14.
    trackers: TrackerUrls,
    /// Whether ad tags may use more macros than the standard has. Knob `macros`.
    pub(super) tags_ask_more: bool,
}

impl Readings {
    pub(super) fn of(knobs: &KnobReader) -> Readings {
        Readings {
            urls: knobs.macro_urls(),
            spelling: knobs.macro_spelling(),
            lists: knobs.macro_lists(),
            asset: knobs.macro_asset_uri(),
            content_playhead: knobs.macro_content_playhead(),
            trackers: knobs.ad_tracker_urls(),
            tags_ask_more: knobs.macros() == MacroSet::Obs,
        }
    }

    /// Which macros of a URL with this use are filled in. Rule PRD-38.
    pub(super) fn fills(self, what: Use) -> Fills {
        let is_request = match what {
            Use::AdTag | Use::Wrapper => true,
            Use::Tracking | Use::Click | Use::Error | Use::Verification => false,
        };
        let fills_all = match self.urls {
            MacroUrls::All => true,
            MacroUrls::NoWrapper => what != Use::Wrapper,
            MacroUrls::Trackers => !is_request,
            MacroUrls::ErrorCode | MacroUrls::None => false,
        };
        if fills_all {
            Fills::All
        } else if self.urls == MacroUrls::ErrorCode && what == Use::Error {
            Fills::ErrorCode
        } else {
            Fills::None
        }
    }

    /// Whether a tracker with this URL, as written in its document, is called. Rule PRD-14.
    pub(super) fn calls(self, url: &str) -> bool {
        match self.trackers {
            TrackerUrls::Any => true,
            TrackerUrls::Absolute => ["http://", "https://", "//"]
                .iter()
                .any(|start| url.starts_with(start)),
        }
    }
}

/// The macros of a URL that are filled in. Rule PRD-38.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fills {
    All,
    /// The first `[ERRORCODE]`.
    ErrorCode,
    None,
}
