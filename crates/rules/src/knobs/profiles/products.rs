//! What is claimed about libraries that load and track ads, and about the VAST standard.
//!
//! Behaviour of a product that is not known keeps its default. Where a product limits only the time
//! of one document, `ad.timeout` is that limit times the maximum number of documents that the
//! product fetches.

use super::claim::claims;

claims! {
    /// The standard leaves timeouts to the player.
    STANDARD in "VAST 4.3" {
        document "seek.during_ad" = "seek_ad", "section 3.14.1",
            "`rewind`: the user goes to an earlier point of the creative";
        document "vast.reading" = "version", "section 2.3.6", "code 102: the version is not supported";
        document "ad.empty_is_error" = "off", "section 2.3.6.4",
            "a response without an ad is the root element alone; 303 is for one after wrappers";
        document "ad.after_start_error" = "next_pod", "section 3.3.1",
            "should an ad of a pod fail to play, ads of the same response follow; another tag is not named";
        document "quartile.in_seek" = "lost", "section 3.14.1",
            "a quartile is played continuously, at normal speed";
        document of "VMAP 1.0.1" "midroll.hold" = "at_cue", "section 2.3.1",
            "`timeOffset` is the time of the break";
    }

    /// The parser and the tracker; the library plays nothing itself.
    VAST_CLIENT_JS in "vast-client-js 6.4.4" {
        source "seek.during_ad" = "seek_ad", "src/vast_tracker.js",
            "`setProgress` takes any position";
        source "ad.timeout" = "1200s", "src/fetcher/consts.js",
            "no limit of its own: ten documents of `ad.hop_timeout`";
        source "ad.hop_timeout" = "120s", "src/fetcher/consts.js", "`DEFAULT_TIMEOUT`";
        source "ad.max_wrappers" = "10", "src/parser/vast_parser.js",
            "`DEFAULT_MAX_WRAPPER_DEPTH`; `resolveWrappers`: 302 from `wrapperDepth >= maxWrapperDepth`";
        source "ad.max_wrappers_counts" = "documents", "src/parser/vast_parser.js",
            "`resolveWrappers`: the depth is raised before it is compared";
        source "ad.wrapper_broken" = "as_fetch", "src/parser/vast_parser.js",
            "`resolveWrappers`, `catch`: 301, but 102 for a version";
        source "ad.wrapper_chained" = "301", "src/parser/ad_parser.js",
            "`parseAd`: a wrapper that is not followed gives no result, and `parseVastXml` throws";
        source "ad.wrapper_pod" = "101", "src/parser/vast_parser.js",
            "`parseVastXml`: an ad that `parseInLine` does not take calls the `Error` URLs of root elements \
             with 101, not if the first document is older than VAST 3; without another ad, \
             `completeWrapperResolving` tells the wrapper 303";
        source "ad.fallback_on_no_ad" = "ignore", "src/parser/ad_parser.js", "read, and used nowhere";
        source "ad.broken" = "thrown", "src/parser/ad_parser.js",
            "`parseAd`: no result for an `Ad` without a child; `parseVastXml` reads `result.ad`";
        source "ad.first_broken" = "900", "src/vast_client.js",
            "`get`: the promise is rejected, without a code";
        source "ad.no_media_code" = "303", "src/parser/vast_parser.js",
            "`completeWrapperResolving`: `ad.errorCode || 303`";
        source "ad.pod_reserve" = "off", "src/parser/vast_parser.js", "`parse`, `remainingAds`";
        source "ad.expires" = "off", "src/parser/ad_parser.js", "read, and used nowhere";
        source "ad.duration" = "document", "src/vast_tracker.js",
            "`_initLinearTracking`: `setDuration(this.creative.duration)`";
        source "progress.percent" = "whole", "src/vast_tracker.js", "`setProgress`: `Math.round`";
        source "skip.offset" = "whole_percent", "src/parser/creative_linear_parser.js",
            "`parseCreativeLinear`: `parseInt` of a share";
        source "ad.relative_urls" = "wrappers", "src/parser/parser_utils.js", "`resolveVastAdTagURI`";
        source "ad.tracker_urls" = "absolute", "src/util/util.js",
            "`isValidUrl`, asked by `trackURLs` of the tracker; the parser's `Error` URLs are not filtered";
        source "macros.urls" = "trackers", "src/util/util.js",
            "`resolveURLTemplates` fills trackers and clicks; `fetchVAST` asks for URLs as they are";
        source "macros.lists" = "encoded", "src/util/util.js",
            "`resolveURLTemplates`: a value is encoded as a whole";
        source "macros.asset_uri" = "first", "src/vast_tracker.js", "`trackURLs`: `mediaFiles[0]`";
        source "ad.tracker_order" = "impressions_apart", "src/parser/parser_utils.js",
            "`mergeWrapperAdData`";
        source "vast.names" = "exact", "src/parser/ad_parser.js",
            "`parseAd`: `<Inline>` is a warning and no ad";
        not_known "vast.reading",
            "`DOMParser` reads: of a document that is not well-formed, Chromium keeps what comes before the \
             fault, Firefox nothing";
    }

    /// The loader and the runner. It has no time limit of its own: a day means that.
    VIDEO_AD_SDK in "video-ad-sdk commit beb021a" {
        source "detect" = "on_timeupdate", "src/adUnit/helpers/metrics/handlers/onTimeUpdate.ts",
            "a listener of `timeupdate`";
        source "seek.during_ad" = "seek_ad", "src/adUnit/helpers/dom/preventManualProgress.ts",
            "a jump of up to 3 s stands; that a longer one is taken back cannot be said";
        source "ad.wrapper_fetch_code" = "502", "src/vastRequest/requestAd.ts",
            "`fetchAdXML`: `VAST_NONLINEAR_LOADING_FAILED`, a status from 400 on included";
        source "ad.timeout" = "86400s", "src/vastRequest/requestAd.ts", "no limit unless one is given";
        source "ad.no_media_code" = "401", "src/runner/helpers/startVideoAd.ts",
            "`tryToStartVpaidAd`: `VAST_MEDIA_FILE_NOT_FOUND`, thrown on if no file can be played";
        source "ad.pod_plays" = "first", "src/vastSelectors/index.ts",
            "`getFirstAd`; `requestNextAd` is called only after a failure";
        source "ad.tracker_order" = "innermost_first", "src/tracker/helpers/createVastEventTracker.ts",
            "the chain begins with the newest document";
        source "ad.wrapper_chained" = "200", "src/vastRequest/requestAd.ts",
            "`validateResponse`: `VAST_UNEXPECTED_AD_TYPE`";
        source "ad.wrapper_pod" = "203", "src/vastRequest/requestAd.ts",
            "`validateResponse`: `VAST_UNEXPECTED_MEDIA_FILE`, if two or more ads have a sequence";
        source "ad.pod_reserve" = "off", "src/vastRequest/requestNextAd.ts",
            "`useAdBuffet` is false unless it is given";
        source "ad.expires" = "off", "src", "`Expires` does not occur";
        source "quartile.catch_up" = "one_per_update",
            "src/adUnit/helpers/metrics/handlers/onTimeUpdate.ts", "`break` after each event";
        source "complete.at" = "99%", "src/adUnit/helpers/metrics/handlers/onTimeUpdate.ts",
            "`COMPLETED`";
        source "vpaid.refused" = "200", "src/runner/runWaterfall.ts",
            "`validateVastChain`: `VAST_UNEXPECTED_AD_TYPE`";
        source "vast.reading" = "well_formed", "src/xml/helpers/xml2js.ts",
            "`failOnParseError`; `parseVastXml`: 100";
        source "macros.urls" = "trackers", "src/tracker/helpers/parseMacro.ts",
            "called for trackers only; `requestAd` asks for URLs as they are";
    }

    /// The client, which is built on vast-client-js.
    RMP_VAST in "rmp-vast 17.0.1" {
        source "ad.timeout" = "32s", "src/js/helpers/utils.js",
            "no limit of its own: four documents of `ad.hop_timeout`";
        source "ad.hop_timeout" = "8s", "src/js/helpers/utils.js", "`filterParams`: `ajaxTimeout`";
        source "ad.max_wrappers" = "4", "src/js/helpers/utils.js", "`filterParams`: `maxNumRedirects`";
        source "ad.max_wrappers_counts" = "documents", "src/js/index.js",
            "`#getVastTag`: `wrapperLimit` of vast-client-js";
        source "ad.wrapper_limit_code" = "302_event_303", "src/js/index.js",
            "`#handleParsedVast`: no ad is left, 303";
        source "ad.unshowable_media_code" = "401", "src/js/creatives/linear.js",
            "`#onPlaybackError`: `MEDIA_ERR_SRC_NOT_SUPPORTED` is 401; other errors count for nothing";
        source "ad.root_errors" = "twice", "src/js/helpers/tracking.js",
            "`error` calls them with 303, besides the parser";
        source "ad.tracker_order" = "impressions_apart", "src/js/index.js",
            "`#addTrackingEvents`: in the order of the parser";
        source "resume.at_start" = "on", "src/js/helpers/tracking.js",
            "`wire`: `play` of the ad calls `resume`";
        source "ad.wrapper_fetch_code" = "301_event_303", "src/js/index.js",
            "`#handleParsedVast`: the parser has told 301, and no ad is left";
        source of "vast-client-js 6.4.4" "ad.wrapper_broken" = "as_fetch", "src/parser/vast_parser.js",
            "`resolveWrappers`, `catch`";
        source of "vast-client-js 6.4.4" "ad.wrapper_chained" = "301", "src/parser/ad_parser.js",
            "`parseAd`";
        source "ad.wrapper_pod" = "play", "src/js/index.js", "`#getVastTag`: `allowMultipleAds: true`";
        source of "vast-client-js 6.4.4" "ad.fallback_on_no_ad" = "ignore",
            "src/parser/ad_parser.js", "read, and used nowhere";
        source of "vast-client-js 6.4.4" "ad.broken" = "thrown", "src/parser/ad_parser.js", "`parseAd`";
        source "ad.first_broken" = "303_unreadable", "src/js/index.js",
            "`#getVastTag`, `catch`: 900; a document that is read to nothing: 303";
        source "ad.category_fault" = "reported", "src/js/index.js",
            "`#loopAds`: `resolve()` without `return`";
        source "ad.no_media_code" = "303_none_offered", "src/js/creatives/linear.js",
            "`parse`: 403 if no file is supported; the parser has removed an ad without one";
        source "ad.pod_reserve" = "off", "src/js/index.js", "`#getVastTag`: `resolveAll: false`";
        source of "vast-client-js 6.4.4" "ad.expires" = "off", "src/parser/ad_parser.js",
            "read, and used nowhere";
        source "macros.urls" = "no_wrapper", "src/js/index.js",
            "`loadAds` fills the tag and `pingURI` trackers; vast-client-js asks for the documents of wrappers";
        source of "vast-client-js 6.4.4" "vast.names" = "exact", "src/parser/ad_parser.js", "`parseAd`";
        not_known "vast.reading", "as vast-client-js: it depends on the browser";
    }

    /// The state machine for ad breaks, without a plugin: it does not handle VAST.
    CONTRIB_ADS in "videojs-contrib-ads 7.5.2" {
        source "pause.during_load" = "ignore", "src/states/Preroll.js",
            "`resumeAfterNoPreroll` plays if play was requested at all";
        source "ad.late" = "use_if_idle", "src/states/ContentPlayback.js",
            "`onAdsReady` triggers `readyforpreroll`";
        source "ad.after_start_error" = "end_break", "src/states/Preroll.js",
            "`onAdsError`: `endLinearAdMode`";
        source "preroll.absent" = "after_timeout", "src/states/Preroll.js",
            "`init` waits unless there was a `nopreroll`";
        source "preroll.timeout" = "5s", "src/states/Preroll.js",
            "`init`: `prerollTimeout`, else `timeout`, which `src/plugin.js` sets to 5000";
        source "postroll.absent" = "after_timeout", "src/states/Postroll.js",
            "`init` waits unless there was a `nopostroll`";
        source "postroll.timeout" = "5s", "src/states/Postroll.js",
            "`init`: `postrollTimeout`, else `timeout`";
        not_known "macros.urls", "left to the plugin, as all of VAST is";
    }
}
