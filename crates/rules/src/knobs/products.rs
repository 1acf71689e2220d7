//! The values of knobs for which real products differ, given the same documents: one enum per knob,
//! the default first.
//!
//! The table of [`knobs`](super) says which rules depend on which knob; the profiles say which
//! product behaves how.

use super::written::choices;

choices! {
    "What `ad.max_wrappers` counts."
    LimitCounts {
        Wrappers "wrappers" "The wrappers that are followed.",
        Documents "documents" "All documents, including the tag's own.",
    }

    "Which relative URLs in VAST and VMAP documents are resolved against the document's own URL."
    RelativeUrls {
        Resolve "resolve" "All of them, before anything is requested.",
        Wrappers "wrappers" "Only the URLs of further documents: `VASTAdTagURI` and `AdTagURI`.",
        AsWritten "as_written" "None.",
    }

    "The error code when the document that a wrapper points to cannot be fetched."
    WrapperFetch {
        Unavailable "301" "301, as for a timeout.",
        Event303 "301_event_303" "301 in error pixels, 303 in `adError`.",
        NoAd "303" "303, for timeouts too.",
        NonLinear "502" "502, for the tag's own document too; a timeout is 301.",
    }

    "The error code when the document that a wrapper points to cannot be read."
    WrapperBroken {
        Named "named" "The code of the defect: 100, 101 or 102.",
        Fetch "as_fetch" "The code of a failed fetch, by `ad.wrapper_fetch_code`; VAST 1 is 102.",
    }

    "The error code when there are more wrappers than `ad.max_wrappers`."
    WrapperLimitCode {
        Limit "302" "302.",
        Event303 "302_event_303" "302 in error pixels, 303 in `adError`.",
    }

    "Which ads of a VAST pod play."
    PodPlays {
        All "all" "All of them, in order.",
        First "first" "Only the first that can be played.",
        Every "every_ad" "All ads of the document, with and without a `sequence`, in its order.",
        Listed "document_order" "All of them, in the order of the document.",
        FirstOfDocument "first_of_document"
            "Only the first ad of the document that can be played, with or without a `sequence`.",
    }

    "What happens to an ad response whose HTTP status is not a success."
    FailedStatus {
        Refused "refused" "It counts as a failed fetch, whatever its body contains.",
        Read "read" "Its body is read like any other; one that is not a document fails with 100.",
        ReadEvent502 "read_event_502" "As `read`, with 502 instead of 100 in `adError`.",
    }

    "Which breaks play when the content starts at a later position than its beginning."
    BeforeStartPosition {
        Each "each" "The pre-roll, then those of the passed mid-rolls that `midroll.seek_policy` selects.",
        Latest "latest" "Only the latest break at or before the start position; the earlier ones never play.",
        At "none" "None, except a break exactly at the start position; the earlier ones never play.",
    }

    "Whether mid-rolls, overlays and the breaks of VMAP documents may be placed at a percentage of the content."
    CuePercent {
        On "on" "They may.",
        Off "off" "Those of ad objects are dropped; a break of a VMAP document is left out with 900.",
        AtStart "at_start"
            "Those of ad objects are dropped; a break of a VMAP document comes before the content.",
    }

    "How the items of a list macro are separated."
    MacroLists {
        Literal "literal" "By a comma.",
        Encoded "encoded" "By `%2C`: the whole list is URL-encoded as one value.",
    }

    "Which tracker URLs are called."
    TrackerUrls {
        Any "any" "All of them.",
        Absolute "absolute"
            "Only those that begin with `http://`, `https://` or `//` in the document; `Error` URLs of a \
             failure before an ad was chosen are called in any case.",
    }

    "In which URLs macros are filled in."
    MacroUrls {
        All "all" "In all of them.",
        NoWrapper "no_wrapper" "In all but `VASTAdTagURI`.",
        Trackers "trackers"
            "In trackers and clicks; tags and `VASTAdTagURI` are requested as they are written.",
        ErrorCode "error_code" "In none, but for the first `[ERRORCODE]` of an `Error` URL.",
        None "none" "In none.",
    }

    "Which duration of a linear ad counts for its quartiles, an early `complete`, and offsets in percent."
    AdDuration {
        Media "media" "That of the media file that plays.",
        Document "document" "`Duration` of the document; without one that of the file.",
        Seconds "document_seconds" "As `document`, without a fraction of a second.",
    }

    "Whether `InLine` and `Wrapper` may be in another letter case."
    ChildNames {
        AnyCase "any_case" "They may.",
        Exact "exact" "They may not: an `Ad` with `Inline` has no child.",
    }

    "The value of the macro `ASSETURI`."
    AssetUri {
        Played "played" "The media file that plays.",
        First "first" "The ad's first media file, whichever plays; for an overlay, nothing.",
    }

    "What happens to a wrapper after one whose `followAdditionalWrappers` is false."
    ChainedWrapper {
        Ignore "ignore" "It is ignored; if nothing else is left, the tag fails with 303.",
        Unavailable "301" "It fails with 301.",
        Unexpected "200" "It fails with 200.",
        Follow "follow" "It is followed anyway.",
    }

    "What happens to ads with a `sequence` after a wrapper whose `allowMultipleAds` is false."
    PodRefused {
        Ignore "ignore" "They are ignored; if nothing else is left, the tag fails with 303.",
        Schema "101"
            "As `ignore`, and for each of them the `Error` URLs of root elements are called with 101; if the \
             tag's own document is older than VAST 3, as `play`.",
        Size "203" "Two or more of them fail with 203; a single one is played.",
        Play "play" "They are played anyway.",
    }

    "Whether a wrapper's `fallbackOnNoAd` has an effect."
    FallbackOnNoAd {
        Act "act" "Yes: `true` lets a stand-alone ad replace the wrapper that has no ad, `false` does not.",
        Ignore "ignore" "No: no ad ever replaces a wrapper.",
    }

    "What happens to an `Ad` element with neither or both of `InLine` and `Wrapper`."
    BrokenAd {
        Schema "101" "It fails with 101; the other ads of its document count.",
        Thrown "thrown" "The whole document is discarded, and no error pixel is called.",
    }

    "The error code when the tag's own document cannot be used."
    BrokenFirst {
        Named "named" "The code of the defect: 100, 101 or 102.",
        Undefined "900" "900 (undefined error), also for one that is empty, late or cannot be fetched.",
        NoAd "303_unreadable" "303 for one that cannot be read, 900 for one that is late or cannot be fetched.",
    }

    /// `vast::strict` lists what a strict reader refuses.
    "How strictly VAST documents are read."
    Reading {
        Lenient "lenient"
            "Whatever can be understood is played, and each tolerated defect is reported as a warning.",
        Version "version"
            "A document of an unknown version is refused with 102; of any other, whatever can be \
             understood is played.",
        WellFormed "well_formed"
            "A document is refused with 100 if it is not well-formed XML, as by the parsers of browsers; of \
             any other, whatever can be understood is played.",
        Strict "strict"
            "A document is refused with 100 if it is not well-formed XML (a bare \"&\", undeclared \
             entities or prefixes, a repeated attribute, text outside the root element), with 102 if its \
             version is unknown, and with 101 if it violates the schema of its version: no version; \
             AdSystem, AdTitle, Impression, Creative, VASTAdTagURI, Duration or MediaFile missing, from \
             4.0 on UniversalAdId, from 4.1 on AdServingId; a MediaFile without delivery, type, width or \
             height, a Category without authority, a Tracking without event, a progress event without \
             offset; unknown, misplaced, repeated or newer elements and attributes, also by letter case; \
             unknown events and keywords; malformed times, percentages, numbers and booleans.",
    }

    "What happens to an ad whose category is missing or blocked."
    CategoryFault {
        Refused "refused" "It fails with 204 or 205.",
        Reported "reported" "Its error pixels are called with 204 or 205, and the ad plays anyway.",
    }

    "When a `progress` tracker with an offset in percent is called."
    PercentProgress {
        Exact "exact" "At exactly that share of the ad.",
        Whole "whole"
            "When the played share, rounded to whole percent, reaches the offset; an offset that is not a \
             whole percent is never called.",
        Start "at_start"
            "At the start of the ad; of an offset that is a time, only whole seconds count.",
        Never "never" "Never, nor is one at a time.",
    }

    "Which `skipoffset` of a linear ad counts."
    SkipOffset {
        Exact "exact" "Times and shares of the duration, as they are written.",
        WholePercent "whole_percent" "Times, and shares in whole percent: the rest is dropped.",
        Times "times" "Times only: an ad with a share cannot be skipped.",
        WholeSeconds "whole_seconds"
            "Times only, in whole seconds: the rest is dropped. An ad with a share cannot be skipped.",
    }

    "The error code of an ad without a playable media file."
    NoMediaCode {
        Unsupported "403" "403.",
        NoAd "303" "303, also for an ad without any creative.",
        NotFound "401" "401.",
        NoneOffered "303_none_offered"
            "303 if the ad has no creative or no media file, 403 if none of its media files is supported.",
    }

    "Which of several playable media files is chosen."
    MediaChoice {
        Bitrate "bitrate" "The highest bitrate that the page allows, then the size nearest to the player's.",
        Size "size" "The size nearest to the player's, then the highest bitrate that the page allows.",
        First "first" "The first one in the document.",
        Height "height" "Of the streaming ones, or else of all, the one with the greatest height.",
        Last "last"
            "The last one in the document, up to the first that names its codecs or is a VPAID unit. A file \
             without a type does not count; a streaming HLS file does, whether the page plays HLS or not.",
    }

    "Which codes `adError` has where VAST defines none."
    ErrorCodes {
        Vast "vast" "The nearest VAST codes.",
        Sdk "sdk"
            "The codes of the third-party SDK: 1009 for an empty first response, 1010 for one of an \
             unknown kind, 1012 for one that cannot be fetched.",
    }

    "What happens to the quartiles of an ad that a seek within the ad passes."
    SeekQuartiles {
        Crossed "crossed" "They count as reached and fire.",
        Lost "lost" "They never fire: only played time counts.",
    }

    "When the `creativeView` trackers of an ad are called."
    CreativeViewAt {
        BeforeStart "before_start" "Directly before its `start` trackers.",
        AfterStart "after_start" "Directly after its `start` trackers.",
        Never "never" "Never.",
    }

    "In which order the documents of a wrapper chain have their trackers called."
    TrackerOrder {
        Outermost "outermost_first" "The outermost wrapper first, the ad itself last.",
        Innermost "innermost_first" "The ad itself first, the outermost wrapper last.",
        ImpressionsApart "impressions_apart"
            "Impressions and `Error` URLs with the outermost wrapper first, all others with the ad itself \
             first.",
    }

    "How often each tracking URL is called."
    TrackerCalls {
        Once "once" "Once.",
        Twice "twice" "Those of an ad's wrappers once; the list of its own twice.",
    }

    "Where the quartiles of a linear ad are."
    QuartileAt {
        Exact "exact" "At exact quarters of its duration.",
        WholeSecond "whole_second" "At quarters of its duration, rounded down to a whole second.",
    }

    "When the impressions of a linear ad are called."
    ImpressionAt {
        First "first" "Before the trackers of its start.",
        AfterStart "after_start" "After the trackers of its start.",
    }

    "When an ad calls its trackers of an event that it can have more than once, such as `pause` or `mute`."
    RepeatedTrackers {
        Each "each" "Each time.",
        First "first" "The first time only.",
    }

    "The position that the macro `CONTENTPLAYHEAD` stands for while an ad plays."
    ContentPlayhead {
        Content "content" "That in the content.",
        Ad "ad" "That in the ad.",
    }

    "What linear breaks of a VMAP document with one `timeOffset` are."
    SameOffset {
        Breaks "breaks" "Breaks of their own, one after the other.",
        Pod "pod" "One pod: one `adEnd`, one `adError` if all fail, no content between their ads.",
    }

    "How often the `Error` URLs of the root element of an empty document are called."
    RootErrors {
        Once "once" "Once.",
        Twice "twice" "Twice.",
    }

    "The error code of media that was fetched but cannot be shown, such as a file of an unknown format."
    UnshowableMedia {
        Display "405" "405.",
        NotFound "401" "401 before the ad has started, as for media that was not found; 405 afterwards.",
        Linear "400" "400.",
        Unsupported "403" "403.",
    }

    "The error code of media that cannot be fetched, such as a file that is not found."
    UnfetchedMedia {
        ByTime "by_time" "401 before the ad has started, 400 while it plays.",
        Display "405" "405.",
        Unsupported "403" "403 before the ad has started, 402 while it plays.",
    }

    "Which trackers of its sound a linear ad calls when it starts, although nobody has changed it."
    SoundAtStart {
        None "none" "None.",
        Muted "mute" "Those of `mute`, before its impressions, if it starts muted.",
        Audible "unmute" "Those of `unmute`, after those of its start.",
    }

    "Which failures call the `Error` URLs of a document."
    ErrorUrls {
        All "all" "Every failure.",
        Media "media"
            "Failures of an ad that was chosen, such as its media: not those of a tag, of a wrapper, or of \
             the choice itself.",
        Fetched "fetched_media"
            "As `media`, but media that cannot be fetched counts as part of the choice.",
        Shown "after_impression" "Only failures after the ad's impression.",
    }

    "The error code of an ad that has only VPAID units where VPAID is not allowed."
    VpaidRefused {
        NoMedia "403" "403.",
        Unexpected "200" "200.",
    }
}
