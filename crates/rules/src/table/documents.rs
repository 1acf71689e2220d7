//! Rules about VAST and VMAP documents.

use super::rules;

rules! { CHN
    CHN_1 chosen "the standard leaves timeouts open; comparable products limit each document",
        "With `ad.hop_timeout` each document of a tag has its own limit in addition to the tag's. A document \
         that exceeds it fails as in REQ-7, and its wrapper with it; other ads of the tag still have the \
         tag's remaining time.";
    CHN_2 chosen "comparable products limit how long a break waits for its ads",
        "With `ad.break_timeout` a break has this long until its first ad is ready. After that, pending work \
         fails, a document with 301 and media with 402, and no other tag is requested. When limits coincide, \
         the break's applies before the tag's, and the tag's before the document's.";
    CHN_3 iab "VAST 4.3 sections 2.3.5.1, 3.19.1; products count differently",
        "`ad.max_wrappers` counts the wrappers followed. Where it counts documents, the tag's own is the \
         first of them, so one wrapper fewer is followed.";
    CHN_4 chosen "HTTP",
        "An HTTP redirect is not a wrapper: the target's response is the response to the request, and only \
         the request's time limit applies. It is a `net` line `redirect`. After twenty redirects the \
         request fails.";
    CHN_5 iab "VAST 4.3 section 2.3.6; products have other codes",
        "A wrapper whose URL cannot be fetched, or responds with an unsuccessful status, fails with 301. The \
         product that uses 502 here uses it for a tag's own document too.";
    CHN_6 iab "VAST 4.3 section 3.19; products have codes for it",
        "After a wrapper with `followAdditionalWrappers` false, a wrapper is ignored as if it were not in \
         its document. Products that do not know the attribute follow it.";
    CHN_7 iab "VAST 4.3 section 3.19; products have codes for it",
        "After `allowMultipleAds` false only the first ad without a sequence counts. Where the ads with a \
         sequence fail instead of being ignored, they fail first and are reported like ads of a pod; the ad \
         without one then has its turn in its own right, not as a replacement, with or without \
         `ad.pod_reserve`. One product refuses with 203 only where two ads or more have a sequence; another \
         ignores them, and for each calls the `Error` URLs of the root elements up to there with 101, but \
         plays them if the tag's own document is older than VAST 3, which has no such attribute.";
    CHN_8 iab "VAST 4.3 section 2.3.6; a product was seen to crash",
        "An `Ad` with neither child, or with both, fails with 101 and leaves the other ads of its document \
         alone. A reader that crashes on it is modelled as losing the document: 900, and no error URL is \
         called.";
    CHN_9 chosen "VAST 4.3 section 2.3.6; products have other codes, or none",
        "A tag whose own document is unusable fails with the specific code, 100 to 102. A reader that throws \
         gives no code, as for a document that cannot be fetched; that is modelled as 900.";
    CHN_10 chosen "a limit, so that circular chains end",
        "At most `ad.max_documents` documents are requested for one tag; a wrapper after the last fails with \
         302.";
    CHN_11 iab "RFC 3986 section 5; HTTP; VAST and VMAP leave relative URLs open",
        "A relative URL in a VAST or VMAP document is resolved against the URL from which the document was \
         fetched, after redirects, before anything is requested; macros in it are kept. It stays as written \
         if the document's URL is itself relative, or if it begins with a macro. An invalid one stays as \
         written, with a warning. A document from a file has the file's location as its base, and `https` \
         for `//host`. `media` and `network` are searched for the resolved URL and, if that is not listed, \
         for the one written in the document.";
}

rules! { SEL
    SEL_1 iab "VAST 4.3 section 3.7",
        "Linear creatives of one ad that have a `sequence` play one after another, ascending; those without \
         one are alternatives, and the first playable one is used. The impression belongs to the ad and \
         fires with the first part; a later part that cannot play is reported and left out.";
    SEL_2 iab "VAST 4.3 sections 2.3.6, 3.3.1",
        "Ads without a sequence are the reserve of their document: the next unused one replaces an ad that \
         cannot play, each at most once.";
    SEL_3 iab "VAST 4.3 section 3.19",
        "When a wrapper yields no ad, `fallbackOnNoAd` decides: true takes an ad from the reserve, false \
         takes none. If the attribute is absent, an ad from the reserve is taken.";
    SEL_4 iab "VAST 4.3 sections 2.3.6, 3.3.1; which ad is cut is chosen",
        "With `break.max_duration`, the first ad that does not fit into the remaining time ends the break. \
         It and the later ads of its pod report 206, in order; one that would not fit into an empty break \
         reports 202, and the next is tried.";
    SEL_5 iab "VAST 4.3 section 3.14; which trackers are called is chosen",
        "An ad that was eligible but never had its turn fires its own `notUsed` trackers when its tag is \
         left. Wrappers above it are not notified, nor is an ad that failed: its error was its last \
         tracker.";
    SEL_6 iab "VAST 4.3 sections 3.4.5, 3.19.2",
        "Where the page requires a category, an ad without one fails with 204. An ad in a category blocked \
         by the page or by a wrapper above it fails with 205; a category of one authority is not blocked by \
         the same value from another.";
    SEL_7 chosen "VAST 4.3 section 3.9.1 asks for a choice and leaves it open",
        "Of the playable media files, a progressive one is preferred to a streaming one, then the best \
         bitrate that the page allows, then one without a bitrate, then the lowest above; on a tie the file \
         whose area is closest to the player's, then the first. One product takes the greatest height, of \
         the streaming files if there are any.";
    SEL_8 iab "VAST 4.3 section 2.3.6; a product has another code",
        "An ad whose media files are all unplayable fails with 403, and the trace gives the reason for each \
         file; an ad without a linear creative fails with 400. Products that use 303 here also use it for an \
         ad without any creative.";
    SEL_9 iab "VAST 4.3 sections 2.3, 3.3.2",
        "An ad of a type that the page does not ask for fails with 200: audio in a video slot, or a \
         skippable ad where none is wanted. It is not played without its skip.";
    SEL_10 iab "VAST 4.3 section 2.3.6",
        "A linear ad shorter or longer than the page asks for fails with 202, judged by its document or, if \
         that gives no duration, by its media. One whose files all have an unwanted size fails with 203.";
    SEL_11 iab "VAST 4.3 section 3.3.2 (deprecated in 4.1)",
        "A conditional ad is played unless the page refuses them; then it fails with 408.";
    SEL_12 iab "VAST 4.3 section 3.4.10; what follows is chosen",
        "An ad whose response is older than its `Expires` when its turn comes, or while it waits to start, \
         is not played: 900, and the next is tried.";
    SEL_13 iab "VAST 4.3 sections 2.3.6, 3.9.2",
        "Where the page's ads are stitched into the content, an ad needs a mezzanine file: 406 without one, \
         411 if it is below the required quality, 407 if it has to be fetched and transcoded first. The \
         mezzanine itself is never played.";
    SEL_14 chosen "VAST 4.3 section 3.9.1",
        "A media file is playable if the page lists its type; codecs count where both the page and the file \
         name one. Default list: MP4, WebM, Ogg, HLS and DASH.";
    SEL_15 chosen "VAST 4.3 section 2.3.6; X-PLAYOUT-LIMIT of HLS interstitials cuts so, too",
        "With `break.overrun=cut` an ad that is too long for `break.max_duration` plays until the limit and is \
         cut there, with `adSkip` but neither `skip` nor `complete` trackers, and no code, for it was shown. A \
         VPAID unit gets `stopAd`. The ads after it are not shown and report 206.";
}

rules! { VMAP
    VMAP_1 chosen "VMAP 1.0.1 section 2.2; the player's public help pages: cue lists from the ad server",
        "A tag of an item's pre-roll may return VMAP: its pod counts as served, and the document's breaks \
         take effect for the item in addition to the ad objects. Elsewhere a VMAP response fails with 200.";
    VMAP_2 iab "VMAP 1.0.1 section 2.6",
        "A VMAP document without a break means that there are no ads and is not an error: no other tag is \
         tried.";
    VMAP_3 chosen "VMAP 1.0.1 section 2.3",
        "Each VMAP break is an ad break of its own, whose first line says how the document describes it; its \
         fate does not affect other breaks. Tolerated deviations in the document are reported.";
    VMAP_4 iab "VMAP 1.0.1 section 2.3.1; edges chosen",
        "A break is due at a time, at a percentage of the content's length, or before or after the content. \
         Time zero and 0 % are before, 100 % is after; an offset at or past the end is never reached.";
    VMAP_5 iab "VMAP 1.0.1 section 2.3.1; limit chosen",
        "`repeatAfter` repeats a break and its source at this interval from its offset until the content \
         ends, at most a thousand times.";
    VMAP_6 iab "VMAP 1.0.1 section 2.3.1; what counts is chosen",
        "`#1` is the opportunity before the content, followed by the cue points of ad objects; the last is \
         after the content. Positions are ignored once the document has another kind of offset.";
    VMAP_7 iab "VMAP 1.0.1 section 2.4",
        "Of the types that a break accepts, the first that the document has is shown: the same document \
         serves for all. A break may thus change to another kind until one of its ads has been ready, if \
         that kind has space.";
    VMAP_8 chosen "VMAP 1.0.1 sections 2.4, 2.5",
        "A break that accepts no known type, or only an overlay after the content, fails with 1003.";
    VMAP_9 iab "VMAP 1.0.1 section 2.3.3",
        "A break without an ad source is legal: its trackers are called, nothing is requested, and its \
         `adEnd` fires at once.";
    VMAP_10 chosen "VMAP 1.0.1 section 2.3.2",
        "A document inside a break is used at once, without a request and therefore without `requestAd`; it \
         may be given as elements or as a string.";
    VMAP_11 iab "VMAP 1.0.1 sections 2.3.2, 4; defaults chosen",
        "`allowMultipleAds` says whether the break's document may hold a VAST pod, `followRedirects` whether \
         it may hold wrappers. Both default to allowed.";
    VMAP_12 iab "VMAP 1.0.1 section 2.3.2",
        "A template type other than vast, vast2, vast3 and vast4 is refused with 1005, before any request; \
         so is custom ad data, unless its type is one of these: then it is read as VAST.";
    VMAP_13 iab "VMAP 1.0.1 section 2.3.3; moment chosen",
        "A break's `breakStart` trackers are called when it opens and its `breakEnd` trackers after its \
         `adEnd`, with or without ads; for an aborted break no further tracker is called.";
    VMAP_14 iab "VMAP 1.0.1 section 2.5",
        "Each failure in a break calls its `error` trackers, with `[ERROR_CODE]`, `[ERRORCODE]` and \
         `[ERROR_MESSAGE]` filled; a VAST error keeps its own code.";
    VMAP_15 iab "VMAP 1.0.1 section 2.5",
        "A break's source that gives no VAST document fails with 1007 if it does not answer in time, 1008 if \
         it cannot be fetched, 1006 if nothing can be extracted from it, 1004 if it is something else.";
    VMAP_16 iab "VMAP 1.0.1 section 2.5; which trackers are called is chosen",
        "A response whose root element belongs to VMAP fails its tag with 1002 if it is not well-formed or \
         exceeds the limits of size or depth for any document; with 1000 if it has another root than `VMAP`, \
         too many breaks, or no usable one; with 1001 if its version is not 1. The trackers of the breaks \
         read up to that point are called.";
    VMAP_17 chosen "VMAP 1.0.1 sections 2.3.1, 2.5",
        "A break without a readable `timeOffset` or without a `breakType` is left out, and its `error` \
         trackers are called with 1000; the others take effect.";
    VMAP_18 chosen "VMAP 1.0.1 section 2.3.1",
        "Two breaks at one time are legal: they run one after the other in document order, after the break \
         of the ad objects there. All have `pod` 0 and one pod.";
    VMAP_19 iab "VMAP 1.0.1 section 2.3.1",
        "Of overlapping breaks the first wins: an overlay is dropped if another overlay or a linear break is \
         active when it is due, and so is the repetition of a break.";
    VMAP_20 iab "VMAP 1.0.1 section 2.4",
        "A display break appears next to the player and blocks nothing: `adImpression`, then its end. It \
         needs space on the page, which fullscreen takes away: the latest one appears when fullscreen \
         ends.";
    VMAP_21 chosen "assumed; STOP-5",
        "The breaks of a VMAP document end with the item; after `stop()` the pre-roll requests them again.";
    VMAP_22 chosen "doc:events (`adEnd` closes a call from start to finish); a page that acts on `adEnd` \
        must not act before the ads",
        "Each break of a VMAP document has one `adEnd`, at its end. The break whose tag returned the \
         document has none of its own if a pre-roll of the document follows, whose `adEnd` then closes the \
         call; without such a pre-roll it fires at once.";
    VMAP_23 chosen "public issues of a product",
        "Breaks at one time are breaks of their own, each with its error and its `adEnd`, and content may go \
         on while the next one loads. For one product, linear breaks that have one `timeOffset` are one pod: \
         once an ad of them was shown, content waits until the last has ended, which has their `adEnd`; \
         `adError` fires once, for the last failure, and only if none of them shows an ad. `error` trackers \
         and `Error` URLs are called as ever. Breaks that are requested ahead (PRD-26) are none.";
}

rules! { MAC
    MAC_1 iab "VAST 4.3 section 6",
        "A standard macro whose value is unknown becomes `-1`, a withheld one `-2`; values are \
         percent-encoded, and each item of a list separately, with literal commas between.";
    MAC_2 chosen "VAST 4.3 section 6 leaves it open",
        "`CACHEBUSTING` is eight digits, drawn from the seed for each URL that uses it; within one URL it is \
         the same.";
    MAC_3 chosen "seen in real tags",
        "`%%NAME%%` and `${NAME}` work like `[NAME]`; `[errorcode]`, `[random]` and `[RANDOM]` are filled; \
         other lower-case and unknown names stay as written.";
    MAC_4 iab "VAST 4.3 section 6",
        "Values known to clock, player, break and ad are taken from them at the instant of the call: \
         playheads, size, sound, fullscreen, kind of break, ads started in it, and what the document says \
         about the ad.";
    MAC_5 chosen "assumed",
        "Values that only a page can know come from the scenario's `page.macros`, where one can also be \
         `withheld`, and `PAGEURL` from `page.url`. For a macro that is not given there the player's usual \
         value is used, if it has one.";
    MAC_6 chosen "VAST 4.3 section 6 leaves it open",
        "`TRANSACTIONID` is one id for all requests and trackers of a break, derived from the seed, the \
         player's name and the break's number.";
    MAC_7 chosen "VAST 4.3 section 6",
        "`CLICKPOS` is where the scenario's user clicks, in pixels; a click without a position leaves it \
         unknown.";
    MAC_8 chosen "VAST 3.0 section 2.4.4 (the offset of the video content); deprecated since 4.1; vast-client-js 2, \
        `src/vast_tracker.js` `trackURLs`, fills in that of the ad",
        "`CONTENTPLAYHEAD` is the position in the content, also while an ad plays: zero before the content, \
         as for `MEDIAPLAYHEAD`. A product has filled in the position in the ad.";
}

rules! { ADX
    ADX_1 iab "VAST 4.3 sections 2.4, 3.16",
        "The verifications of all documents in the chain run once the ad's media file is chosen and before \
         it is requested, those of the outermost document first.";
    ADX_2 chosen "VAST 4.3 section 3.17.1",
        "The scenario's `page.verification` decides what happens to a vendor's verification; if it does not \
         name the vendor, the first JavaScript resource for Open Measurement runs if the page has `omid` \
         (the default), and nothing else does.";
    ADX_3 iab "VAST 4.3 sections 2.3.6, 3.17.3",
        "A verification that does not run calls its `verificationNotExecuted` trackers with `[REASON]` 1 \
         (refused), 2 (unsupported) or 3 (load error), and the ad's error URLs once with 410; the ad plays.";
    ADX_4 iab "VAST 4.3 section 3.5, MRC viewable impression",
        "An ad is viewable once its video has played for 2 s without interruption, or an overlay has been \
         shown for 1 s, with half of the player in view and the page not hidden: the `Viewable` trackers of \
         all documents are called. An audio ad has none of the three.";
    ADX_5 iab "VAST 4.3 section 3.5",
        "An ad that completes, is skipped, is closed or fails before it is viewable calls `NotViewable` as \
         the last tracker before that end; an aborted ad calls nothing.";
    ADX_6 chosen "VAST 4.3 section 3.5 leaves it open",
        "Where viewability cannot be measured, `ViewUndetermined` is called when the ad starts.";
    ADX_7 iab "VAST 4.3 section 3.14",
        "At one instant, an ad's trackers are called in this order: loaded, impressions, start, companions, \
         thresholds ascending with quartiles before progress, icons, viewability, then the trackers of its \
         end.";
    ADX_8 iab "VAST 4.3 sections 2.3.5.2, 3.11",
        "One icon is shown per program: that of the document closest to the ad, and there the first that can \
         be shown.";
    ADX_9 iab "VAST 4.3 section 3.11",
        "An icon is shown from its `offset` on the ad's clock for its `duration`, or to the ad's end if it \
         has none; `IconViewTracking` is called when it appears.";
    ADX_10 iab "VAST 4.3 section 3.11.3",
        "A click on an icon calls `IconClickTracking`, opens `IconClickThrough` and pauses the ad; it is not \
         a click on the ad.";
    ADX_11 chosen "VAST 4.3 section 3.11.4",
        "Where a page cannot be opened, or the icon names none, the first fallback image that fits the \
         player is shown, and the ad is paused until the user closes it or resumes.";
    ADX_12 chosen "VAST 4.3 sections 2.3.5.2, 3.13",
        "Companions are those of the closest document that has any. Those of exactly the size of a free slot \
         take it first, then those that ask for a slot by name, then all others, each group in document \
         order; a slot has to have the name that is asked for and to be large enough, and a missing width or \
         height fits always. A companion shows the first of its resources that can be shown.";
    ADX_13 iab "VAST 4.3 section 3.13",
        "If `required` is `all` and a companion has no slot, or `any` and none has one, the ad is not \
         played: 602.";
    ADX_14 chosen "VAST 4.3 section 2.3.6",
        "If companions are optional and none can be shown although the page has slots or it is an end card, \
         the ad's error URLs are called: 601 for size, 603 if it cannot be fetched, 604 for its type, 600 \
         otherwise. The ad plays.";
    ADX_15 iab "VAST 4.3 sections 3.13, 3.14",
        "Companions are shown from the ad's start to its end and call `creativeView` when they appear.";
    ADX_16 iab "VAST 4.3 section 3.13",
        "A click on a companion calls `CompanionClickTracking` and opens `CompanionClickThrough`; it is not \
         a click on the ad, and the ad continues.";
    ADX_17 chosen "VAST 4.3 sections 3.13, 3.14",
        "An end-card companion is shown in the player when a linear ad completes, until the user closes it, \
         which calls `closeLinear`, or for `ad.end_card`; the break continues afterwards.";
    ADX_18 chosen "VAST 4.0 section 3.14",
        "`timeSpentViewing`, removed in 4.1, is called once, just before an ad's end.";
    ADX_19 iab "VAST 4.3 section 3.14",
        "User interactions with an ad call their trackers: `acceptInvitation` (for linear ads also under its \
         old name), `otherAdInteraction`, `CustomClick`; an accepted invitation pauses playback.";
    ADX_20 iab "VAST 4.3 section 3.14",
        "Seeking back in an ad calls `rewind`.";
    ADX_21 iab "VAST 4.3 section 3.12",
        "Of several overlays in one creative, the first that fits the player and can be shown is shown; \
         otherwise 501 for size, 502 if it cannot be fetched, 503 for its type, 500 for anything else.";
    ADX_22 chosen "VAST 4.3 section 3.12",
        "While an overlay is expanded or minimized, its time is stopped; `adExpand` and `adCollapse` are \
         also called under their old names.";
    ADX_23 iab "VAST 4.3 section 3.14",
        "`overlayViewDuration` is called once, when an overlay is first expanded, minimized or closed, or \
         has been shown for its time.";
    ADX_24 iab "VAST 4.4 draft",
        "An overlay is shown for its `Duration`, with or without media files of its own. One with media \
         files loads the one that a linear ad would use, and without a `Duration` is shown for the length of \
         that video; an interactive page next to it does not run.";
    ADX_25 chosen "VAST 4.3 section 3.9.4",
        "Of an ad's captions, those in the page's language are used, else those whose language has the same \
         prefix; none if the page has no language.";
    ADX_26 iab "VAST 4.3 sections 3.4.3, 3.4.8, 3.7.1, 3.18",
        "A filled ad's metadata is traced: its price (in a chain, that of the outermost document), its \
         serving id, universal ids, and the fallback index of a `waterfall` extension.";
    ADX_27 chosen "VAST 4.3 section 3.8",
        "A skip offset below `skip.min_offset` is raised to it.";
}

rules! { PRD
    PRD_1 iab "VAST 4.3 section 3.14; products differ",
        "Trackers count played time: by the standard, quartiles that a seek within an ad passes over never \
         fire, nor does `complete` after a forward seek, and `progress` fires after that much playback. The \
         documented player counts what was passed over as reached, as in BRK-4.";
    PRD_2 chosen "code of a product",
        "The `complete` trackers are called at the end of an ad; one product calls them at 99 percent, \
         another a second before the end. The event `adComplete` fires at the end.";
    PRD_3 iab "VAST 4.3 section 2.3.6",
        "Where the page allows no VPAID, a unit does not count as a media file, and an ad that has only \
         units fails with 403; some products use 200.";
    PRD_4 chosen "issues of a product; code of another",
        "One product rejects offsets in percent with 900: such a mid-roll or overlay is dropped, with a \
         diagnostic as in CUE-2; such a break of a VMAP document is left out, with `adError` 900 and \
         its `error` trackers called with 900. Another product reads such an offset of a VMAP document as the start, so that the \
         break comes before the content.";
    PRD_5 chosen "code of a product",
        "One product treats content near its end as ended and skips the remaining mid-rolls: modelled as cue \
         points in the last stretch that never fire.";
    PRD_6 iab "VAST 4.3 sections 2.3.6, 4.3; the schemas of VAST 2.0.1 to 4.2",
        "A strict reader rejects a document that is not well-formed XML with 100, one of an unknown version \
         with 102, and one that the schema of its version does not allow with 101. Players are lenient: they \
         read on and report what they tolerate; one that follows the standard still rejects unknown \
         versions.";
    PRD_7 chosen "code of a product",
        "One product reports a missing or blocked category to the error URLs and plays the ad anyway.";
    PRD_8 chosen "code of a product",
        "One product rounds the played share of an ad to whole percent: a percentage `progress` tracker \
         fires half a percent early, and one at a fraction of a percent never. Another reads times in whole \
         seconds only, and calls a percentage tracker at the start. Others call no `progress` at all.";
    PRD_9 chosen "code of a product",
        "When content starts after its beginning, one product plays only the latest break at or before \
         that position: a mid-roll takes the place of the pre-roll, and content is held for it at once; with \
         an option, only a break exactly at that position. Breaks before it never play, not even after a \
         seek back. The tags of a pre-roll that is passed over are still requested, for one of them may \
         return VMAP, whose later breaks take effect; the first document with ads instead ends the break, \
         without showing them. A cue point in percent of a length that is not known yet does not take the \
         place of the pre-roll.";
    PRD_10 iab "VAST 4.3 section 2.3.6; code of a product",
        "A document after a wrapper that cannot be read fails the wrapper with the specific code, 100 to \
         102. One product catches whatever its reader throws there, also for an `Ad` without a child, and \
         treats the URL as one that cannot be fetched: 301, but 102 for VAST 1.";
    PRD_11 chosen "seen in a product",
        "One product does not check the status of a response: the body of a 404 is read like any other, and \
         one that is not a document fails with 100. A request that itself fails is a separate case.";
    PRD_12 iab "VAST 4.3 section 6; code of a product",
        "The commas between the items of a list are literal; one product encodes them with the items, as \
         `%2C`.";
    PRD_13 iab "VAST 4.3 section 6; code of a product",
        "`ASSETURI` is the media file that plays; for one product it is always the first one listed in the \
         linear creative, and an overlay has none.";
    PRD_14 chosen "code of a product",
        "The tracker of one product calls only URLs that the document writes as absolute or beginning with \
         `//`; for any other there is a `not-called` line. Its parser has no such filter: the `Error` URLs of \
         a failure before an ad was chosen are all called.";
    PRD_15 chosen "seen in products",
        "`creativeView` is called as the ad starts, before `start`. One product calls it after `start`, \
         another never calls it: then there is a `not-called` line.";
    PRD_16 iab "VAST 4.3 section 2.3.6; seen in products",
        "Every failure calls the `Error` URLs of the documents on the way to it. Some products call them \
         only once an ad has been chosen; for the others there is a `not-called` line.";
    PRD_17 chosen "VAST 4.3 section 2.3.4 names no order; seen in products",
        "The trackers of all documents of a chain are called at one instant, the outermost wrapper first. \
         One product begins with the ad itself, another does so for all but impressions and errors.";
    PRD_18 chosen "seen in a product",
        "`resume` is called when a paused ad goes on; one product calls it also when an ad starts.";
    PRD_19 chosen "seen in a product",
        "The `Error` URLs of the root element of an empty document are called once; one product calls them \
         twice.";
    PRD_20 iab "VAST 4.3 section 2.3.6; seen in products",
        "Media that was fetched but cannot be shown is 405. Products that only know that the browser found \
         nothing to play cannot distinguish it from media that was not found, and give 401.";
    PRD_21 chosen "seen in products",
        "Content is held for the pre-roll from the start. One product shows the content first: it plays, and \
         stops as soon as an ad of the pre-roll is ready. A break without an ad does not stop it. Products that \
         notice the start of the content too late show its first picture, and stop it then.";
    PRD_22 chosen "code of a product",
        "After a mid-roll content goes on where it stopped. One product goes back a little after its ads, \
         which page code does not see as a seek; no break comes again because of that.";
    PRD_23 chosen "code of a product",
        "An ad plays from its beginning. One product plays the content's ads as part of its timeline: if a \
         seek has gone past the cue point, the first ad of the break begins that far in. Its impression and \
         start are reported as usual.";
    PRD_24 chosen "code of a product",
        "Cue points are met exactly. One product checks the position at an interval, counted from the \
         start of the content: a cue point is met at the first check after it, the last of which comes at \
         the end of the content.";
    PRD_25 chosen "code of a product",
        "A document that cannot be fetched, or not within `ad.hop_timeout`, fails. One product requests it \
         once more, a second later; the time of the tag goes on.";
    PRD_26 chosen "code of products",
        "The ads of a mid-roll are requested at its cue point. One product requests those of all breaks at \
         the start, another does so a few seconds before each cue point, and never if a seek jumps over that \
         moment. Until the cue point a break that is ready waits, and one that finds no ad is over. Several \
         such breaks may load at a time; a break is ready for its cue point wherever a seek comes from.";
    PRD_27 chosen "seen in products",
        "The ads of a pod play one after another, in the order of their `sequence`. One product plays only \
         the first of them; another plays every ad of the document in its order, whatever its `sequence`; \
         others play the pod alone, in the order of the document, or the first ad of the document alone.";
    PRD_28 chosen "seen in a product",
        "Each tracking URL is called once. One product calls those of the ad itself twice and those of its \
         wrappers once.";
    PRD_29 chosen "seen in a product",
        "The impressions of an ad are called before the trackers of its start; one product, which waits for \
         the film's metadata, calls them after those if the film is slow to load.";
    PRD_30 chosen "code of products",
        "The ads of a post-roll are requested when the content is over. One product requests them at the \
         start, another a few seconds before the end. Until then a break that is ready waits, and one that \
         finds no ad is over.";
    PRD_31 chosen "seen in a product",
        "The quartiles of an ad are at exact quarters of its duration. One product compares whole seconds: \
         its quartiles come early, the first one with the start if the ad is shorter than 4 s.";
    PRD_32 chosen "code of a product",
        "Without a pre-roll content starts at once, and without a post-roll it ends at once. One product \
         does not know which ads there are: unless its ad plugin says that none comes, it holds content for \
         each of them until the time limit has passed.";
    PRD_33 chosen "code of a product",
        "One time limit applies to a break of any kind. One product has limits of its own for pre-rolls and \
         for post-rolls, and none for mid-rolls.";
    PRD_34 chosen "code of a product",
        "A source that page code sets asks for a pre-roll when it starts. One product requests ads only when \
         page code requests them: a source that replaces content which has started has no pre-roll.";
    PRD_35 chosen "issues of a product",
        "An overlay that was shown for its full time fires `adComplete`. For one product that event is for \
         linear ads alone: such an overlay leaves with `adEnd`, and its `complete` trackers are not called.";
    PRD_36 chosen "issues of a product",
        "An ad with a skip offset can be skipped however short it is. One product offers no skip button for \
         a short ad.";
    PRD_37 chosen "code of a product",
        "In a live stream, cue points in seconds count from its start. One product reports no position of \
         content without a duration to its SDK, so that no mid-roll comes.";
    PRD_38 iab "VAST 4.3 section 6; code of products",
        "Macros are filled in wherever the standard defines them. Products fill fewer URLs: not \
         `VASTAdTagURI`, not the tag, nothing but `[ERRORCODE]`, or none at all. What is not filled in is \
         requested as it is written.";
    PRD_39 chosen "code of products",
        "The duration of an ad is that of its media, as in BRK-22. Some products take `Duration` of the \
         document for quartiles, an early `complete` and offsets in percent, one of them in whole seconds. \
         What lies behind the end of the file is never reached.";
    PRD_40 chosen "code of products",
        "`InLine` and `Wrapper` are recognised in any letter case. Products whose reader looks for the exact \
         name find none: such an `Ad` has no child, as in CHN-8.";
    PRD_41 chosen "code of a product",
        "A tag is requested whenever a break asks for it. One product can be told to wait: so long after the \
         start of an ad it requests nothing, and the tag fails with 900 for the page alone.";
    PRD_42 chosen "VAST 4.3 section 3.8; code of products",
        "A skip offset is a time or a share of the ad's duration. Products read less: shares in whole \
         percent, times only, or times in whole seconds only. An ad whose offset is not read cannot be \
         skipped.";
    PRD_43 chosen "VAST 4.3 section 3.14.1; seen in products",
        "`mute`, `unmute` and `pause` are called for what the user does with an ad. Products that follow the \
         events of its media element call them without a user, too: `mute` before the impression of an ad \
         that starts muted, `unmute` at each start, `pause` at its end.";
    PRD_44 chosen "PLAY-14; seen in products",
        "A click on a linear ad opens its page and pauses it. Products leave the ad playing.";
    PRD_45 iab "VAST 4.3 section 2.3.6; seen in products",
        "Media that cannot be fetched is 401, or 400 if that happens while it plays. Products that know no \
         more than the code of the media element's error give 405 for every failure, or 403 and 402.";
}
