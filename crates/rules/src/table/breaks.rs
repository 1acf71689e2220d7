//! Rules about ad objects, ad requests and ad breaks.

use super::rules;

rules! { AD
    AD_1 stated "doc:ad",
        "An ad object has `adType` (0 pre-roll, 1 mid-roll, 2 post-roll, 3 overlay), `adTimeType` (`s` or \
         `%`), the list `mobile` and optionally the list `desktop`.";
    AD_2 stated "doc:ad (required); the error assumed",
        "An ad object whose `adType` is missing or not 0 to 3 throws `bad_ad` and adds nothing.";
    AD_3 chosen "assumed; doc:ad requires it for all four types, CON-16",
        "A missing `adTimeType` is accepted silently where it is not used: for pre- and post-rolls, and in \
         `playAd`. For other mid-rolls and overlays it counts as `s`, with diagnostic `ad_time_type`.";
    AD_4 stated "doc:ad (required); the error assumed",
        "A missing or empty `mobile` list throws `bad_ad` unless `adTagUrl` replaces it.";
    AD_5 stated "doc:ad (its sample); precedence and diagnostic assumed, CON-2",
        "`adTagUrl`, a string or a list, serves as `mobile`, with diagnostic `ad_tag_url`; alongside a \
         `mobile` list it has no effect, and the diagnostic says so.";
    AD_6 stated "doc:ad; that an empty list counts as absent, from public integrations",
        "Desktop devices use `desktop` if it holds tags; mobile devices, and desktops without such a list, \
         use `mobile`.";
    AD_7 chosen "assumed",
        "The scenario fixes the kind of device for the whole run.";
    AD_8 chosen "assumed from public integrations; CON-15",
        "No documented field holds the time of a mid-roll or overlay. These extensions are read: `cuepoints` \
         (list or comma-separated string), `overlayStartAt` and `overlayDuration`, in the unit of \
         `adTimeType`.";
    AD_9 chosen "assumed",
        "A mid-roll without a cue point is accepted but never fires, with diagnostic `no_cue`; `playAd` \
         needs none. An overlay without a start time is shown from 0 s, for as long as OVL-3 says.";
    AD_10 stated "doc:calls",
        "`setAd(ad)` adds at level `player` unless `video` is given. The new tags are appended to the \
         waterfall of that type, or prepended if `prepend` is true.";
    AD_11 chosen "assumed",
        "The tags of one call move as a block: [a, b] prepended to [x, y] makes [a, b, x, y].";
    AD_12 chosen "assumed",
        "New tags join pod 0 of their type, which is created if needed; mid-roll and overlay tags join the \
         pod with the same cue point or create a new one. Ad objects in the player settings may name their \
         `pod`.";
    AD_13 stated "doc:limits; per type as in public integrations",
        "A video-level ad replaces the player-level ads of the same type for that item; other types are \
         unaffected.";
    AD_14 chosen "assumed",
        "`setAd` affects breaks that have not begun; a break in progress keeps the list it began with.";
    AD_15 chosen "assumed",
        "A pre-roll set after content has started waits for the next start (`stop` or `pushAds`). A mid-roll \
         whose cue point has passed does not fire until a seek back arms it (CUE-6).";
    AD_16 chosen "assumed",
        "`setAd` fires no event and returns nothing; the trace shows the resulting waterfall.";
    AD_17 stated "doc:calls; the error assumed",
        "A level other than `player` and `video` given to `setAd` throws `bad_ad`.";
    AD_18 stated "doc:adpos, taken literally; 0 and commanded breaks assumed, CON-14",
        "Player-level ads are those of the player settings plus those added by `setAd`. `pods` is the number \
         of pods that the player level has for the break's type, even if the break is video-level: 0 if it \
         has none. A commanded break counts as a pre-roll, or as an overlay if `playAd` has `adType` 3.";
    AD_19 chosen "assumed; doc:ad lists the fields",
        "A field of an ad object that is unknown, or that does not belong to its type, such as `cuepoints` \
         on an overlay, has no effect and gives diagnostic `ad_field` with a suggestion; so do times in \
         `playAd`, which plays at once. In the scenario's own `ads` it is an error with its position.";
}

rules! { REQ
    REQ_1 stated "doc:events",
        "Each ad request for a tag is announced by `requestAd`.";
    REQ_2 chosen "assumed, as in public integrations",
        "The tags of a waterfall are tried one at a time; a tag is requested when the previous one has \
         failed.";
    REQ_3 iab "iab; doc:events (`adError` for any reason)",
        "A tag fails on a network failure, a status other than 2xx, unreadable XML, no ad, a timeout, too \
         many redirects, no playable media, or a failure before or during playback. If a response is not \
         VAST, the reason says what it is instead: a web page, JSON, an archive, an image, a video or a \
         playlist.";
    REQ_4 stated "doc:events; once per tag assumed, CON-39",
        "A failed tag fires `adError` with `data.code` and `data.message`; the next tag's `requestAd` \
         follows.";
    REQ_5 iab "iab; public integrations use the same codes",
        "`adError` uses VAST codes with short messages: 100 to 102 document, 200 to 203 kind and size, 300 \
         to 303 wrapper, timeout, redirects, no ad, 400 to 403 and 405 linear media, 500 to 503 non-linear, \
         600 to 604 companion, 900 undefined, 901 VPAID.";
    REQ_6 chosen "public integrations; the standard has 303 only after a wrapper",
        "A VAST response without ads is failure 303, both in the tag's own document and after a wrapper. So \
         is a response without content: status 204, or a body that is empty or blank.";
    REQ_7 chosen "assumed; comparable players allow 5 s",
        "One tag has 5 s for its whole redirect chain, then it fails with 301; a response exactly at the \
         limit still counts.";
    REQ_8 iab "iab",
        "Five redirects are followed; a sixth is 302. Circular chains hit the same limit.";
    REQ_9 iab "iab",
        "A linear ad whose media is not ready within `ad.media_timeout` (8 s) fails with 402. Media is ready \
         when it can begin to play: data missing at position 0 (a stall scripted there) delays the ad.";
    REQ_10 chosen "assumed",
        "A response that arrives after its timeout is discarded and recorded as a `net` line `late`.";
    REQ_11 stated "doc:events+; the moment assumed",
        "`lastVASTXML` is set to the latest document, after redirects, when it arrives, so listeners of \
         `adError`, `adImpression` and `adStart` can read it.";
    REQ_12 stated "doc:events, doc:events+; the order assumed",
        "With the third-party SDK engine each tag is one SDK request, `AdsManagerLoadedEvent` fires between \
         its response and `adImpression`, and `lastVASTXML` stays undefined.";
    REQ_13 stated "doc:events; the position assumed",
        "A winning header bid for the break becomes a tag that is tried before the waterfall, with `bidWon` \
         before its `requestAd`. Without a bid there is no event and no change.";
    REQ_14 stated "doc:video, doc:source; that this excludes the whole break assumed",
        "An item with `monetize` false or 0 opens no break: no request and no `adEnd`.";
    REQ_15 chosen "assumed",
        "A break whose waterfall is empty, including through a video-level override, does not exist and has \
         no `adEnd`.";
    REQ_16 chosen "assumed",
        "An entry of a tag list that is not a URL fails with 900, without a `requestAd`.";
    REQ_17 chosen "assumed",
        "Redirects appear in the trace as hops of one request, with URL, latency, size and status.";
    REQ_18 html "Fetch standard, section 3.3 (CORS protocol)",
        "A response without the CORS headers that the request needs reaches the browser but not the page: \
         `cors`. The page sees a network error without a status, so a document fails as in REQ-3 and media \
         as in MEL-6 and MEL-7. Pixels are requested without CORS and never fail so.";
    REQ_19 chosen "browser extensions and built-in blockers (`net::ERR_BLOCKED_BY_CLIENT`)",
        "A request that an ad blocker stops never leaves the browser: `blocked`. The page sees a network \
         error without a status, as for `cors`. A blocked pixel changes nothing in the player, but no server \
         counts it: its line has `how: blocked`.";
    REQ_20 html "Fetch standard, scheme fetch and `data:` URL processor; RFC 2397",
        "A `data:` URL as ad tag or in `VASTAdTagURI` is its own response: percent-decoded, with `;base64` \
         also from base64, read as UTF-8, at once and with status 200, without any server. One that cannot \
         be decoded is a network error without a status. Relative URLs in the document stay as written. An \
         entry of `network` for the URL replaces it.";
}

rules! { BRK
    BRK_1 stated "doc:events; the order of `adImpression` and `adStart` assumed",
        "A linear ad that is ready starts in its own task: `beforeStart` if due, `adImpression`, `adStart`; \
         from then on it occupies the screen.";
    BRK_2 stated "doc:events; `adStart` in addition, and the order, assumed",
        "For a VPAID ad `vpaidStart` comes directly after `adStart`.";
    BRK_3 stated "doc:events, iab",
        "`adFirstQuartile`, `adMidpoint` and `adThirdQuartile` fire at 25, 50 and 75 percent of the ad, \
         `adComplete` at its end.";
    BRK_4 iab "iab (each is a tracking event), assumed",
        "Several quartiles passed in one step of time each fire, in order.";
    BRK_5 chosen "assumed, iab; INV-13",
        "A linear ad that has started ends with exactly one of `adComplete`, `adSkip` and `adError`. \
         Overlays have their own rules (OVL-2, OVL-5, OVL-6).";
    BRK_6 stated "doc:adpos",
        "`adComplete` and `adSkip` carry the integers `wp`, `pod` and `pods`.";
    BRK_7 chosen "doc:adpos; the base is assumed",
        "`wp` is the winning tag's position in its pod's waterfall, and `pod` that pod's position in the \
         break, among the `pods` set at player level; all ads of a VAST pod therefore have the same values. \
         Both count from 0.";
    BRK_8 chosen "assumed; doc:adpos counts pods, public integrations give each a waterfall",
        "The pods of a break play in order, each with its own waterfall; a pod without fill is left out.";
    BRK_9 iab "iab; error assumed",
        "A winner that is a VAST pod plays all its ads in sequence under the same `wp` and `pod`, each from \
         `adImpression` to `adComplete`. A pod ad that cannot play gives one `adError` and is replaced or \
         left out, and the tag counts as filled.";
    BRK_10 stated "doc:events; once per break assumed, CON-18",
        "`adEnd` closes the break, once, whether or not an ad was shown.";
    BRK_11 chosen "assumed",
        "Between the ads of a break, also after a failed one, the player is back in loading: \
         `getAdInProgress()` is false and content stays hidden.";
    BRK_12 chosen "assumed, as in public integrations",
        "An ad that fails after its start fires `adError`, and the waterfall continues with the next tag.";
    BRK_13 iab "iab, doc:events",
        "An ad can be skipped from its skip offset on; earlier attempts are ignored with a diagnostic, and \
         an ad without an offset cannot be skipped.";
    BRK_14 chosen "assumed",
        "A skip fires `adSkip` and continues with the next ad or pod. It also works on a paused ad, without \
         `adResume`, and what follows plays.";
    BRK_15 stated "doc:events; the quartiles assumed",
        "Pausing and resuming an ad fire `adPause` and `adResume`; its quartiles wait meanwhile.";
    BRK_16 chosen "assumed, as in comparable players",
        "During a linear ad, content fires no `timeupdate`, `play`, `pause`, `progress`, `lastSecond` or \
         `seeked`. A seek that still waits for data finishes after `adEnd`.";
    BRK_17 chosen "assumed",
        "The content position does not move during linear ads. A live edge keeps moving; the position is \
         kept as long as it is in the window.";
    BRK_18 chosen "assumed",
        "Content that resumes after a mid-roll or a commanded break fires no `play`.";
    BRK_19 chosen "assumed",
        "Volume and mute set during an ad apply to the ad and the content.";
    BRK_20 chosen "assumed",
        "An ad that has started and stalls for longer than `ad.stall_timeout` (8 s) fails with 405.";
    BRK_21 iab "iab, assumed",
        "An ad of length zero fires impression, start, all three quartiles and complete, in this order at \
         one instant.";
    BRK_22 iab "iab",
        "An ad's duration is known once its media is; where the VAST document gives another, quartiles \
         follow the media. Media whose length is not given (`playsim waterfall` without `--media`) lasts as \
         long as the document of the ad that plays it says.";
    BRK_23 chosen "assumed",
        "The trace has a `break` line at the start of a break (kind, cue point, waterfalls, engine, reason) \
         and one at its end (outcome).";
    BRK_24 iab "VAST 4.3 section 2.3.6; the choice of code is ours",
        "If an ad's media breaks off while the ad plays, the ad fails with 400 if the rest cannot be \
         fetched, since the file was found (not 401) and in time (not 402), and with 405 if it cannot be \
         decoded.";
    BRK_25 chosen "VAST 4.3 section 3.14 has no limit; issue 268 of videojs-ima",
        "The trackers of an event that an ad has more than once, such as `pause` and `mute`, are called each \
         time; one product calls them only the first time.";
}

rules! { PRE
    PRE_1 stated "doc:ad, doc:states; the state assumed",
        "The first start of an item opens its pre-roll break; the player is in ad loading until an ad starts \
         or none fills.";
    PRE_2 html "html",
        "The content's media may load during the break, so `loadedmetadata` can fire during it.";
    PRE_3 chosen "assumed",
        "Every item of a playlist gets its own pre-roll break.";
}

rules! { CUE
    CUE_1 stated "doc:ad",
        "A cue point in `s` is a second of content; one in `%` is a share of the duration, computed to the \
         microsecond when metadata arrives.";
    CUE_2 chosen "assumed",
        "Cue points at or before 0, at or after the duration, or in percent on live content are dropped with \
         a diagnostic.";
    CUE_3 chosen "assumed",
        "Reaching a cue point starts the ad request; content plays on until the ad is ready and then stops \
         for it.";
    CUE_4 chosen "assumed",
        "A cue point fires once per load of its item. `stop()` arms it again (STOP-5), a replay does not \
         (PLAY-10).";
    CUE_5 chosen "assumed: what most comparable players do",
        "Of the unplayed cue points that a forward seek passes over, only the last fires, directly after \
         `seeked`; content then continues at the target.";
    CUE_6 chosen "assumed",
        "Seeking back fires nothing and arms the unplayed cue points that are now ahead.";
    CUE_7 chosen "assumed",
        "A start position set by an early seek crosses the cue points before it as in CUE-5, once the \
         pre-roll is over; PRD-9 says what one product does instead.";
    CUE_8 chosen "assumed",
        "Cue points that resolve to the same time, such as 5 s and 50 % of 10 s, share one break with a pod \
         each, in the order they were set.";
    CUE_9 chosen "assumed",
        "A second cue point reached while a mid-roll or commanded break loads or plays waits for it to end \
         and follows directly.";
    CUE_10 chosen "assumed",
        "When content ends while a mid-roll or commanded break is loading, it is held in ad loading and \
         plays that break before the post-roll.";
    CUE_11 chosen "assumed",
        "While a mid-roll loads, playback shows no sign of it: content events continue, `getAdInProgress()` \
         is false, the state is not ad loading.";
}

rules! { POST
    POST_1 stated "doc:ad; holding assumed",
        "Content that reaches its end opens the post-roll break and holds its last frame, first in ad \
         loading and then during the ad.";
    POST_2 chosen "as comparable players do",
        "`ended` follows the post-roll break (END-2), and the advance to the next item follows `ended`.";
    POST_3 chosen "assumed",
        "Seeking while a post-roll loads cancels its break without `adEnd` and returns to content, playing \
         or, if it was paused, paused. The post-roll stays armed.";
}

rules! { OVL
    OVL_1 stated "doc:ad, iab; seek assumed",
        "An overlay is requested at its start time and then shown over playing content. A seek past that \
         time requests it only if the target is within the overlay's window.";
    OVL_2 iab "VAST 4.3 section 3.14 has quartiles for linear ads only",
        "An overlay fires `requestAd`, `adImpression`, `adStart`, and at its end `adComplete` and `adEnd`, \
         but no quartiles, since the player decides how long it is shown.";
    OVL_3 chosen "assumed",
        "An overlay shows for its `overlayDuration`, else the `Duration` of the 4.4 draft, else the length \
         of its own video, else the minimum duration of its VAST, else 10 s, measured in playing time.";
    OVL_4 stated "doc:calls (an ad rather than content); the reading assumed",
        "During an overlay `getAdInProgress()` is false, since content plays.";
    OVL_5 chosen "assumed",
        "Closing an overlay fires `adSkip` before `adEnd` if the scenario marks it as skippable, otherwise \
         `adEnd` alone.";
    OVL_6 chosen "assumed",
        "A linear ad and the end of content remove the overlay; it then fires only `adEnd`.";
    OVL_7 iab "iab",
        "A linear response for an overlay, or a non-linear one for a linear slot, fails with 201, and the \
         next tag is tried.";
}

rules! { PA
    PA_1 stated "doc:calls; the moment assumed",
        "`playAd(x)` immediately opens a break whose only waterfall is x, an ad object or the URL of a tag. \
         Of `adType` only 3, overlay, matters.";
    PA_2 chosen "assumed",
        "Playing content continues until the commanded ad is ready, stops for it and resumes after `adEnd`; \
         if it is paused by then, PA-3 applies.";
    PA_3 chosen "assumed",
        "A paused, ended or initial player waits in that state for the ad and returns to it afterwards, with \
         content untouched. A `play()` in initial meanwhile takes effect after the break.";
    PA_4 chosen "assumed",
        "While an ad plays or a break loads, mid-rolls included, `playAd` is ignored with diagnostic \
         `ad_busy`.";
    PA_5 chosen "assumed",
        "`playAd` neither uses up nor arms pre-, mid- and post-rolls.";
    PA_6 stated "doc:calls; the error assumed",
        "An argument of the wrong type, or a string that is not a URL, throws `bad_ad`.";
    PA_7 chosen "assumed: doc:video excludes such a video from monetization without naming an exception",
        "For a video with `monetize` 0, both `playAd` and `pushAds` are ignored with diagnostic \
         `not_monetized`.";
    PA_8 chosen "assumed: doc:limits names only `play`",
        "Before anything has played, the gesture rule applies to `playAd` too.";
    PA_9 chosen "assumed",
        "Before ready and after a playback error, `playAd` is ignored with a diagnostic.";
    PA_10 chosen "assumed; PLAY-7",
        "`beforeStart` fires directly before the commanded ad unless the item has had it.";
}

rules! { PUSH
    PUSH_1 stated "doc:calls",
        "Each `pushAds()` during content plays the player's pre-roll break once more.";
    PUSH_2 chosen "assumed; CON-13",
        "The ads are the pre-rolls in force for the item, video level first.";
    PUSH_3 stated "doc:calls; the diagnostic assumed",
        "Only playing or buffering content accepts `pushAds()`; otherwise it is ignored with diagnostic \
         `not_playing`.";
    PUSH_4 chosen "assumed",
        "Content stops and resumes as in PA-2; as in PA-4, the call is ignored while a commanded break or \
         mid-roll loads.";
    PUSH_5 chosen "assumed",
        "Without pre-rolls `pushAds()` only gives diagnostic `no_ads`.";
}

rules! { GAP
    GAP_1 stated "doc:calls",
        "`getAdInProgress()` is true while a linear ad plays or is paused, and false at any other time.";
    GAP_2 chosen "assumed",
        "A listener of a linear ad's `adImpression` already reads true; a listener of `adComplete`, \
         `adSkip`, `adError` or `adEnd` already reads false.";
    GAP_3 chosen "an extension of the reference; the name as in rmp-vast and VPAID",
        "`adDuration()` is the length of the linear ad on screen in seconds, not that of its pod. A VPAID \
         unit may change it (VPAID-9), and time granted to a SIMID unit counts (SIMID-12). It is null at any \
         other time: while an ad loads, during an overlay, after the ad.";
    GAP_4 chosen "an extension of the reference; the name as in rmp-vast and VPAID",
        "`adRemainingTime()` is `adDuration()` less the position of the ad, which a pause and missing data \
         stop. It is 0 while an end card shows, and while a unit exceeds its length; it is null when \
         `adDuration()` is null.";
}

rules! { VX
    VX_1 stated "doc:events+; undefined with the SDK assumed",
        "`values.lastVASTXML` holds a document with the in-house parser only; with the SDK it is undefined, \
         which the trace writes as null.";
    VX_2 chosen "assumed",
        "It is undefined until the break's first response and keeps its value until VX-3 or the next break \
         changes it.";
    VX_3 chosen "assumed",
        "When a request fails without a body, the document of that tag's previous hop stays; without one the \
         value is undefined.";
    VX_4 stated "doc:events+; `adStart`, and at any other time, assumed, CON-1",
        "The reference offers it at adStarted; here it can be read at `adStart`, and at any other time.";
}

rules! { SCHED
    SCHED_1 chosen "the player's public help pages: the loop option",
        "With a loop only the first pre-roll slot is used: as the pre-roll, and again at each multiple of \
         the loop's interval within the content. Each item, and each `stop()`, restarts it.";
    SCHED_2 chosen "the player's public help pages: a loop ends at the first valid ad or when all tags have \
        been requested",
        "Each repetition is a break with that slot's waterfall; the number of repetitions counts breaks that \
         opened. Repetitions that a seek passes over are not made up for.";
    SCHED_3 chosen "the player's public help pages: whichever of the two counts is reached first",
        "No repetition begins once as many ads of the loop have started as its impression limit allows; one \
         that has begun is finished.";
    SCHED_4 chosen "the player's public help pages: ads on every nth video only",
        "With a frequency, only every nth video that is started has ads, beginning with the first. `playAd` \
         ignores the frequency; `pushAds` follows it, since it plays the pre-rolls.";
    SCHED_5 chosen "the player's public help pages: first ad delayed by n videos",
        "The offset is the number of videos without ads before the first one that has them.";
    SCHED_6 chosen "the player's public help pages: kept over page reloads",
        "Videos seen before the page was loaded count for frequency and offset.";
}
