//! What is claimed about SDKs and players with ads of their own, and about browsers.

use super::claim::claims;

claims! {
    /// The SDK is closed source: no code was read or run.
    IMA in "IMA SDK for HTML5" {
        document "ad.engine" = "sdk", "guide \"Get started\"",
            "`requestAds` takes the tag: the SDK requests and reads documents itself";
        document "ad.timeout" = "25s", "reference of `AdsRequest.vastLoadTimeout`",
            "no limit of the whole tag is documented: five documents of `ad.hop_timeout`";
        document "ad.hop_timeout" = "5s", "reference of `AdsRequest.vastLoadTimeout`",
            "for a single wrapper, 5000 ms";
        document of "IMA SDK for iOS" "ad.max_wrappers" = "4", "reference of `IMASettings.maxRedirects`",
            "4, then 302; `ImaSdkSettings.setNumRedirects` of the SDK for HTML5 states no default";
        document "ad_error.codes" = "sdk", "reference of `AdError.ErrorCode`",
            "1009 for an empty response, 1010 for one that is not understood, 1012 for a failed request";
        document "ad.after_start_error" = "next_pod", "reference of `AdEvent.Type.LOG`",
            "after an error that is not fatal the SDK goes on with the same or the next ad: it knows one tag";
        issue of "videojs-ima" "cue.percent" = "off", "issues 269, 928",
            "`AdError` 900; the SDK's team: offsets in percent are not supported";
        issue of "videojs-ima" "overlay.complete" = "off", "issues 691, 849, 883",
            "the SDK's team: no `COMPLETE` for an ad that is not linear";
        issue of "ExoPlayer" "skip.shortest" = "8s", "issue 8694",
            "an ad of 7 s cannot be skipped, one of 10 s can; that the limit is 8 s is not known";
        document "src.pre_roll" = "none", "guide \"Get started\"",
            "ads are requested by `requestAds` alone";
        issue of "videojs-ima" "gesture.violation" = "ad_fails_at_start", "issues 494, 561, 803",
            "`AdError` 400, caused by 1205: the browser prevented playback without user interaction";
        issue of "videojs-ima" "vmap.same_offset" = "pod", "issues 1042, 1146",
            "one `LOG` for all empty breaks of a `timeOffset`, none if one of them fills; the SDK's team: \
             expected";
        issue of "videojs-ima" "ad.repeated_trackers" = "first", "issue 268",
            "the SDK's team: URLs of `pause`, `mute` and the like are called the first time only";
        not_known "ad.pod_reserve", "no document says whether a stand-alone ad replaces an ad of a pod";
        not_known "vast.reading", "closed source";
        not_known "vast.names", "closed source";
        not_known "ad.duration", "closed source";
        not_known "macros.urls", "closed source; the reference names `[PAGEURL]` alone";
    }

    /// The bridge to the IMA SDK.
    MEDIA3 in "androidx media3 commit 2bc2078" {
        source "ad.engine" = "sdk", "ImaAdsLoader.java", "the SDK requests and reads documents itself";
        document of "IMA SDK for HTML5" "ad.timeout" = "25s",
            "reference of `AdsRequest.vastLoadTimeout`",
            "no limit of the whole tag is documented: five documents of `ad.hop_timeout`";
        issue of "ExoPlayer" "ad.hop_timeout" = "5s", "issue 3556",
            "a maintainer: the default of five seconds; `AdTagLoader.java` leaves it unless it is set";
        document of "IMA SDK for iOS" "ad.max_wrappers" = "4", "reference of `IMASettings.maxRedirects`",
            "4, then 302; the SDK for Android states no default";
        source "ad.break_timeout" = "10s", "ImaAdsLoader.java",
            "`DEFAULT_AD_PRELOAD_TIMEOUT_MS`; `AdTagLoader.java` `handleAdLoadTimeout`";
        document of "IMA SDK for HTML5" "ad_error.codes" = "sdk", "reference of `AdError.ErrorCode`",
            "1009, 1010 and 1012";
        document of "IMA SDK for HTML5" "ad.after_start_error" = "next_pod",
            "reference of `AdEvent.Type.LOG`",
            "after an error that is not fatal the SDK goes on with the same or the next ad";
        issue of "videojs-ima" "cue.percent" = "off", "issues 269, 928",
            "the SDK's team: offsets in percent are not supported";
        issue of "ExoPlayer" "vmap.same_offset" = "pod", "issues 6097, 8205",
            "a maintainer: the pre-rolls of a VMAP document are one ad pod";
        source "cue.live" = "off", "AdTagLoader.java",
            "`getContentVideoProgressUpdate`: no position without a duration";
        issue of "videojs-ima" "overlay.complete" = "off", "issues 691, 849, 883",
            "the SDK's team: no `COMPLETE` for an ad that is not linear";
        issue of "ExoPlayer" "skip.shortest" = "8s", "issue 8694",
            "an ad of 7 s cannot be skipped, one of 10 s can; that the limit is 8 s is not known";
        source "ad.before_start" = "latest", "AdTagLoader.java",
            "`setupAdsRendering`: earlier groups are skipped; `playAdBeforeStartPosition` is true unless \
             it is set";
        source "midroll.seek_policy" = "previous", "AdPlaybackState.java",
            "`getAdGroupIndexForPositionUs`: the ad group at or before the position, if it has unplayed ads";
        not_known "midroll.end_threshold",
            "`ensureSentContentCompleteIfAtEndOfStream` of `AdTagLoader.java` skips later mid-rolls in the last \
             5 s, but only if the player buffers, jumps or gets news of ads there, and never one that is \
             due: that cannot be said";
        not_known "ad.pod_reserve", "as ima";
        not_known "vast.reading", "as ima";
        not_known "vast.names", "as ima";
        not_known "ad.duration", "as ima";
        not_known "macros.urls", "as ima";
    }

    /// Its own ads. It looks at the position every 0.8 s and compares whole seconds.
    FLUID_PLAYER in "fluid-player 3.58.0" {
        source "detect" = "on_timeupdate", "src/modules/adsupport.js",
            "`renderLinearAd`: a listener of `timeupdate`";
        source "pause.during_load" = "ignore", "src/modules/adsupport.js", "`preRollAdsPlay`";
        source "seek.during_ad" = "ignore", "src/fluidplayer.js",
            "timeline and keys do nothing while an ad plays";
        source "ended.vs_postroll" = "before", "src/fluidplayer.js",
            "`onMainVideoEnded`, a listener of the element's `ended`, shows the post-roll";
        source "ad.timeout" = "25s", "src/modules/vast.js",
            "no limit of its own: five documents of `ad.hop_timeout`";
        source "ad.hop_timeout" = "5s", "src/fluidplayer.js",
            "`vastTimeout`, the time limit of `sendRequestAsync`";
        source "ad.max_wrappers" = "4", "src/fluidplayer.js",
            "`maxAllowedVastTagRedirects: 3`; `src/modules/vast.js` `resolveAdTreeRequests`: \
             `currentDepth <= maxDepth`";
        source "ad.unshowable_media_code" = "401", "src/fluidplayer.js", "`onErrorDetection`";
        source "ad.media_choice" = "last", "src/modules/adsupport.js", "`getSupportedMediaFileObject`";
        source "ad.pod_reserve" = "off", "src/modules/vast.js", "`getPlayableAds`";
        source "skip.offset" = "whole_seconds", "src/modules/utils.js",
            "`convertTimeStringToSeconds`: false for a share, no fraction; `addSkipButton` needs a number";
        source "progress.percent" = "at_start", "src/modules/vast.js",
            "`registerTrackingEvents`: `convertTimeStringToSeconds(…) || 0`";
        source "ad.expires" = "off", "src", "`Expires` does not occur";
        source "ad.not_used" = "off", "src", "`notUsed` does not occur";
        source "ad.after_start_error" = "end_break", "src/modules/vast.js",
            "`playMainVideoWhenVastFails`";
        source "ad.error_urls" = "fetched_media", "src/modules/vast.js",
            "`announceError` needs an ad; `validateMediaFile`: a file that cannot be fetched leaves none; that \
             one URL of the chain alone is called cannot be said";
        source "ad.duration" = "document_seconds", "src/modules/vast.js",
            "`getDurationFromLinear`, `convertTimeStringToSeconds`; the file's only without one";
        source "creative_view.at" = "after_start", "src/modules/adsupport.js", "`scheduleTrackingEvent`";
        source "ad.tracker_calls" = "twice", "src/modules/vast.js",
            "`flattenAdTree`: the ad is one of its own wrappers";
        source "quartile.at" = "whole_second", "src/modules/adsupport.js",
            "`scheduleTrackingEvent`: `Math.floor`";
        source "complete.at" = "-1s", "src/modules/adsupport.js",
            "`scheduleTrackingEvent`: `duration - 1`";
        source "postroll.ask" = "-4.5s", "src/modules/adsupport.js",
            "`scheduleOnDemandRolls`: a task for each of the last five seconds";
        source "midroll.seek_policy" = "window(1s)", "src/modules/adsupport.js",
            "`adKeytimePlay`: whole seconds are compared";
        source "midroll.hold" = "at_cue", "src/modules/adsupport.js", "`midRoll`, `scheduleTask`";
        source "midroll.ask" = "-4.5s", "src/modules/adsupport.js",
            "`scheduleOnDemandRolls`: `vastTimeout` before the cue point, in whole seconds";
        source "midroll.ask_passed" = "lost", "src/modules/adsupport.js",
            "`adKeytimePlay`: a task is for one second";
        source "midroll.rewind" = "1s", "src/modules/adsupport.js", "`backupMainVideoContentTime`";
        source "cue.check" = "0.8s", "src/modules/adsupport.js", "`adTimer`: `setInterval` of 800 ms";
        source "macros.urls" = "error_code", "src/modules/vast.js",
            "`announceError` replaces `[ERRORCODE]`, `callUris` nothing; issue 579: \"The only current macro\"";
        source "vast.reading" = "well_formed", "src/fluidplayer.js",
            "`sendRequestAsync`: `responseXML`, null unless the document is well-formed";
        source "vast.names" = "exact", "src/modules/vast.js",
            "`hasInLine`, `getElementsByTagName` of an XML document";
    }

    /// The client-side interstitials. They know no wrappers.
    SHAKA in "shaka-player 5.2.12" {
        source "detect" = "on_timeupdate", "lib/player.js",
            "`onVideoProgress_`, a listener of `timeupdate`";
        source "ended.vs_postroll" = "before", "lib/ads/interstitial_ad_manager.js",
            "`addEventListeners_`: `ended` of the content's element asks for the post-roll";
        source "ad.timeout" = "30s", "lib/net/backoff.js",
            "`defaultRetryParameters`: `timeout`, of one attempt";
        source "ad.hop_timeout" = "10s", "lib/net/backoff.js",
            "`defaultRetryParameters`: `connectionTimeout`";
        source "ad.attempts" = "2", "lib/net/backoff.js", "`defaultRetryParameters`: `maxAttempts`";
        source "ad.retry_after" = "1s", "lib/net/backoff.js",
            "`defaultRetryParameters`: `baseDelay`; that it varies by half cannot be said";
        source "ad.max_wrappers" = "0", "lib/ads/vast_interstitial_parser.js",
            "`parseVastToInterstitials` reads `InLine` alone";
        source "ad.pod_reserve" = "off", "lib/ads/vast_interstitial_parser.js",
            "`parseVastToInterstitials` reads no `sequence`";
        source "ad.pod_plays" = "every_ad", "lib/ads/vast_interstitial_parser.js",
            "`parseVastToInterstitials`: an interstitial for each `Ad`, in order";
        source "ad.media_choice" = "height", "lib/ads/vast_interstitial_parser.js",
            "`processLinearAd_`: `sortedMedias`; that a file of an unsupported type is taken, too, cannot be said";
        source "skip.offset" = "times", "lib/ads/vast_interstitial_parser.js",
            "`processLinearAd_`: `parseTime` gives null for percent";
        source "ad.expires" = "off", "lib/ads", "`Expires` does not occur";
        source "ad.not_used" = "off", "lib/ads", "`notUsed` does not occur";
        source "ad.error_urls" = "media", "lib/ads/interstitial_ad_manager.js",
            "`processTrackingEvent_`: the URLs of the ad that was set up";
        source "creative_view.at" = "never", "lib/ads/ad_utils.js",
            "`createTracking` does not name it";
        source "progress.percent" = "never", "lib/ads/ad_utils.js",
            "`createTracking` does not name it";
        source "quartile.catch_up" = "one_per_update", "lib/player.js",
            "`onVideoProgress_`: one event for each update";
        source "cue.percent" = "at_start", "lib/ads/vast_interstitial_parser.js",
            "`parseVMAP`: `parseTime` gives null for percent, as for `start`";
        source "preroll.hold" = "when_ready", "lib/ads/interstitial_ad_manager.js",
            "`onTimeUpdate_`: at `playing` or `timeupdate`, once the URL has been read";
        source "midroll.seek_policy" = "previous", "lib/ads/interstitial_ad_manager.js",
            "`getCurrentInterstitial_`: the last one before the position";
        source "midroll.hold" = "at_cue", "lib/ads/interstitial_ad_manager.js",
            "`setupVideoAd_` pauses the content";
        source "midroll.ask" = "at_start", "lib/ads/interstitial_ad_manager.js",
            "`addAdUrlInterstitial` reads the URL when it is added";
        source "postroll.ask" = "at_start", "lib/ads/interstitial_ad_manager.js",
            "`addAdUrlInterstitial` reads the URL when it is added";
        source "midroll.join" = "middle", "lib/ads/interstitial_ad_manager.js",
            "`setupVideoAd_`: `playerStartTime`; `allowStartInMiddleOfInterstitial` is true unless it is set";
        source "macros.urls" = "none", "lib/ads/ad_utils.js",
            "`fireTrackingEvents`, `makeAdRequest_`: URLs as they are";
        source "vast.names" = "exact", "lib/ads/vast_interstitial_parser.js",
            "`TXml.findChild` compares names as they are";
        not_known "cue.check",
            "`addEventListeners_` of `lib/ads/interstitial_ad_manager.js` looks at every frame, or every 25 ms \
             where the browser tells no frames";
    }

    /// It plays the creative of one ad in an element of its own; what lies between ad and content
    /// is up to the page. It reads documents with vastacular.
    VAST_PLAYER in "vast-player 0.2.10" {
        source of "vastacular 0.2.0" "ad.timeout" = "86400s", "lib/VAST.js",
            "`fetch`, `resolveWrappers`: `request.get` without a time limit";
        source "ad.pod_plays" = "first_of_document", "lib/VASTPlayer.js",
            "`load`: `ads[0]`; that no other one is tried if its media fails cannot be said";
        source of "vastacular 0.2.0" "ad.wrapper_chained" = "follow", "lib/VAST.js",
            "`resolveWrappers` reads no attribute";
        source of "vastacular 0.2.0" "ad.wrapper_pod" = "play", "lib/VAST.js",
            "`resolveWrappers` reads no attribute";
        source of "vastacular 0.2.0" "ad.tracker_order" = "innermost_first", "lib/VAST.js",
            "`decorateWithWrapper` adds those of the wrapper to those of the ad";
        source "ad.error_urls" = "fetched_media", "lib/VASTPlayer.js",
            "`load`: trackers are set up once the media has loaded";
        source "creative_view.at" = "after_start", "lib/PixelReporter.js",
            "`track`: `AdStarted` calls it, and `AdVideoStart` calls `start`";
        source "progress.percent" = "never", "lib/PixelReporter.js", "`track` does not name it";
        source "quartile.at" = "whole_second", "lib/VideoTracker.js", "`tick`: `quartileIndices`";
        source "click.pauses" = "off", "lib/players/HTMLVideo.js",
            "`onclick` emits `AdClickThru` and nothing else";
        source "macros.urls" = "error_code", "lib/PixelReporter.js",
            "`track`: `[ERRORCODE]` alone; that the code is always 901 cannot be said";
    }

    /// Its policy for media.
    CHROMIUM in "Chromium" {
        document "activation.play" = "sticky", "www.chromium.org/audio-video/autoplay",
            "a user gesture on the page allows sound from then on";
        source of "Chromium commit 01dadfb" "autoplay.play" = "before",
            "third_party/blink/renderer/core/html/media/html_media_element.cc",
            "`SetReadyState` schedules `play`, then `canplaythrough`";
    }

    /// Its policy for media.
    FIREFOX in "Firefox" {
        document "activation.play" = "sticky",
            "hacks.mozilla.org, \"Firefox 66 to block automatically playing audible video and audio\"",
            "a click, key or touch on the page allows sound from then on";
        not_known "autoplay.play", "its source was not read for it";
    }

    /// Its policy for media, for each element.
    WEBKIT in "WebKit" {
        document "activation.play" = "element", "webkit.org/blog/6784",
            "`play()` has to come directly from the handler of a gesture, which frees that element; how long a gesture counts is not said";
    }
}
