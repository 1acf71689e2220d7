//! The knob values of real products, taken from their code or documentation, and of the VAST
//! standard.
//!
//! Behaviour of a product that is not known keeps its default. Where a product limits only the time
//! of one document, `ad.timeout` is that limit times the maximum number of documents that the
//! product fetches.

/// Knob names and their values.
/// The knobs that a profile sets, each with its value.
pub(super) type Differences = &'static [(&'static str, &'static str)];

/// VAST 4.3 sections 2.3.5, 2.3.6, 3.3.1, 3.14, 3.19. The standard leaves timeouts to the player.
pub(super) const STANDARD: Differences = &[
    ("seek.during_ad", "seek_ad"),
    ("vast.reading", "version"),
    ("ad.empty_is_error", "off"),
    ("ad.after_start_error", "next_pod"),
    ("quartile.in_seek", "lost"),
    ("midroll.hold", "at_cue"),
];

/// From the code of the parser and the tracker, and from running them. The library plays nothing
/// itself.
pub(super) const VAST_CLIENT_JS: Differences = &[
    ("seek.during_ad", "seek_ad"),
    ("ad.timeout", "1200s"),
    ("ad.hop_timeout", "120s"),
    ("ad.max_wrappers", "10"),
    ("ad.max_wrappers_counts", "documents"),
    ("ad.wrapper_broken", "as_fetch"),
    ("ad.wrapper_chained", "301"),
    ("ad.wrapper_pod", "101"),
    ("ad.fallback_on_no_ad", "ignore"),
    ("ad.broken", "thrown"),
    ("ad.first_broken", "900"),
    ("ad.no_media_code", "303"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
    ("progress.percent", "whole"),
    ("ad.relative_urls", "wrappers"),
    ("ad.tracker_urls", "absolute"),
    ("macros.lists", "encoded"),
    ("macros.asset_uri", "first"),
    ("ad.tracker_order", "impressions_apart"),
];

/// From the code of the loader and the runner, and from seeing it run. It has no time limit of its
/// own: a day means that.
pub(super) const VIDEO_AD_SDK: Differences = &[
    ("detect", "on_timeupdate"),
    ("seek.during_ad", "seek_ad"),
    ("ad.wrapper_fetch_code", "502"),
    ("ad.timeout", "86400s"),
    ("ad.failed_status", "read_event_502"),
    ("ad.no_media_code", "401"),
    ("ad.pod_plays", "first"),
    ("ad.tracker_order", "innermost_first"),
    ("ad.wrapper_chained", "200"),
    ("ad.wrapper_pod", "203"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
    ("quartile.catch_up", "one_per_update"),
    ("complete.at", "99%"),
    ("vpaid.refused", "200"),
];

/// From developer pages and issues. The SDK is closed source: no code was read or run.
pub(super) const IMA: Differences = &[
    ("ad.engine", "sdk"),
    ("ad.timeout", "25s"),
    ("ad.hop_timeout", "5s"),
    ("ad.max_wrappers", "4"),
    ("ad.pod_reserve", "off"),
    ("ad_error.codes", "sdk"),
    ("ad.after_start_error", "next_pod"),
    ("cue.percent", "off"),
    ("overlay.complete", "off"),
    ("skip.shortest", "8s"),
    ("src.pre_roll", "none"),
    ("gesture.violation", "ad_fails_at_start"),
    ("vmap.same_offset", "pod"),
    ("ad.pause_trackers", "first"),
];

/// From the code of the client, which is built on vast-client-js, and from seeing it run.
pub(super) const RMP_VAST: Differences = &[
    ("ad.timeout", "32s"),
    ("ad.hop_timeout", "8s"),
    ("ad.max_wrappers", "4"),
    ("ad.max_wrappers_counts", "documents"),
    ("ad.wrapper_limit_code", "302_event_303"),
    ("ad.unshowable_media_code", "401"),
    ("ad.root_errors", "twice"),
    ("ad.tracker_order", "impressions_apart"),
    ("resume.at_start", "on"),
    ("ad.wrapper_fetch_code", "301_event_303"),
    ("ad.wrapper_broken", "as_fetch"),
    ("ad.wrapper_chained", "301"),
    ("ad.wrapper_pod", "play"),
    ("ad.fallback_on_no_ad", "ignore"),
    ("ad.broken", "thrown"),
    ("ad.first_broken", "303_unreadable"),
    ("ad.category_fault", "reported"),
    ("ad.no_media_code", "303_none_offered"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
];

/// From the code of its state machine for ad breaks. It does not handle VAST.
pub(super) const CONTRIB_ADS: Differences = &[
    ("pause.during_load", "ignore"),
    ("ad.late", "use_if_idle"),
    ("ad.after_start_error", "end_break"),
    ("preroll.absent", "after_timeout"),
    ("preroll.timeout", "5s"),
    ("postroll.absent", "after_timeout"),
    ("postroll.timeout", "5s"),
];

/// From the code of the bridge to the IMA SDK; the SDK itself is as in [`IMA`].
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
    ("cue.live", "off"),
    ("overlay.complete", "off"),
    ("skip.shortest", "8s"),
    ("midroll.end_threshold", "5s"),
    ("midroll.seek_policy", "previous"),
    ("ad.before_start", "latest"),
];

/// From its code and from seeing it run. It looks at the position every 0.8 s, and compares whole
/// seconds; it follows one wrapper more than its setting says.
pub(super) const FLUID_PLAYER: Differences = &[
    ("detect", "on_timeupdate"),
    ("pause.during_load", "ignore"),
    ("seek.during_ad", "ignore"),
    ("ended.vs_postroll", "before"),
    ("ad.timeout", "25s"),
    ("ad.hop_timeout", "5s"),
    ("ad.max_wrappers", "4"),
    ("ad.unshowable_media_code", "401"),
    ("ad.media_choice", "last"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
    ("ad.not_used", "off"),
    ("ad.after_start_error", "end_break"),
    ("ad.error_urls", "fetched_media"),
    ("creative_view.at", "after_start"),
    ("ad.tracker_calls", "twice"),
    ("quartile.at", "whole_second"),
    ("complete.at", "-1s"),
    ("postroll.ask", "-4.5s"),
    ("midroll.seek_policy", "window(1s)"),
    ("midroll.hold", "at_cue"),
    ("midroll.ask", "-4.5s"),
    ("midroll.ask_passed", "lost"),
    ("midroll.rewind", "1s"),
    ("cue.check", "0.8s"),
];

/// From its code and from seeing it run. It knows no wrappers.
pub(super) const SHAKA: Differences = &[
    ("detect", "on_timeupdate"),
    ("ended.vs_postroll", "before"),
    ("ad.timeout", "30s"),
    ("ad.hop_timeout", "10s"),
    ("ad.attempts", "2"),
    ("ad.retry_after", "1s"),
    ("ad.max_wrappers", "0"),
    ("ad.pod_reserve", "off"),
    ("ad.expires", "off"),
    ("ad.not_used", "off"),
    ("ad.error_urls", "media"),
    ("creative_view.at", "never"),
    ("quartile.catch_up", "one_per_update"),
    ("cue.percent", "at_start"),
    ("preroll.hold", "when_ready"),
    ("midroll.seek_policy", "previous"),
    ("midroll.hold", "at_cue"),
    ("midroll.ask", "at_start"),
    ("postroll.ask", "at_start"),
    ("midroll.join", "middle"),
];
