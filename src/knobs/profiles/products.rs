//! The knobs of products: what their code, their documentation or the standard says, as far as it is known.
//!
//! What is not known of a product stays at the default. Time-outs of a whole tag are as many of one document
//! as the product fetches at most.

/// Names of knobs, and their values.
type Differences = &'static [(&'static str, &'static str)];

/// VAST 4.3 sections 2.3.5, 2.3.6, 3.3.1, 3.14, 3.19. Time-outs are left to the player.
pub(super) const STANDARD: Differences = &[
    ("seek.during_ad", "seek_ad"),
    ("vast.reading", "version"),
    ("ad.empty_is_error", "off"),
    ("ad.after_start_error", "next_pod"),
    ("quartile.in_seek", "lost"),
    ("midroll.hold", "at_cue"),
];

/// The parser and the tracker, read in code of 6.4.4. It plays nothing itself.
pub(super) const VAST_CLIENT_JS: Differences = &[
    ("seek.during_ad", "seek_ad"),
    ("ad.timeout", "1200s"),
    ("ad.hop_timeout", "120s"),
    ("ad.max_wrappers", "10"),
    ("ad.max_wrappers_counts", "documents"),
    ("ad.wrapper_chained", "301"),
    ("ad.wrapper_pod", "101"),
    ("ad.fallback_on_no_ad", "ignore"),
    ("ad.broken", "thrown"),
    ("ad.first_broken", "900"),
    ("ad.no_media_code", "303"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
    ("progress.percent", "whole"),
];

/// The loader and the runner, read in code.
pub(super) const VIDEO_AD_SDK: Differences = &[
    ("detect", "on_timeupdate"),
    ("seek.during_ad", "seek_ad"),
    ("ad.wrapper_fetch_code", "502"),
    ("ad.wrapper_chained", "200"),
    ("ad.wrapper_pod", "203"),
    ("ad.expires", "off"),
    ("quartile.catch_up", "one_per_update"),
    ("complete.at", "99%"),
    ("vpaid.refused", "200"),
];

/// Developer pages and issues. It is closed: nothing was read or run.
pub(super) const IMA: Differences = &[
    ("ad.engine", "sdk"),
    ("ad.timeout", "25s"),
    ("ad.hop_timeout", "5s"),
    ("ad.max_wrappers", "4"),
    ("ad.pod_reserve", "off"),
    ("ad_error.codes", "sdk"),
    ("ad.after_start_error", "next_pod"),
    ("cue.percent", "off"),
];

/// The client on top of vast-client-js, read in code of 17.0.1.
pub(super) const RMP_VAST: Differences = &[
    ("ad.timeout", "40s"),
    ("ad.hop_timeout", "8s"),
    ("ad.max_wrappers", "4"),
    ("ad.wrapper_fetch_code", "301_told_303"),
    ("ad.wrapper_chained", "301"),
    ("ad.wrapper_pod", "play"),
    ("ad.fallback_on_no_ad", "ignore"),
    ("ad.broken", "thrown"),
    ("ad.first_broken", "900"),
    ("ad.category_fault", "told"),
    ("ad.no_media_code", "303_none_offered"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
];

/// The state machine round ads, read in code of 7.5.2. It knows nothing of VAST.
pub(super) const CONTRIB_ADS: Differences =
    &[("ad.break_timeout", "5s"), ("ad.late", "use_if_idle"), ("ad.after_start_error", "end_break")];

/// The bridge to the IMA SDK, read in code; what the SDK does is as in [`IMA`].
pub(super) const MEDIA3: Differences = &[
    ("ad.engine", "sdk"),
    ("ad.timeout", "25s"),
    ("ad.hop_timeout", "5s"),
    ("ad.break_timeout", "10s"),
    ("ad.max_wrappers", "4"),
    ("ad.pod_reserve", "off"),
    ("ad_error.codes", "sdk"),
    ("ad.after_start_error", "next_pod"),
    ("cue.percent", "off"),
    ("midroll.end_threshold", "5s"),
];
