//! What products do differently with the same documents: one enum for each condition, the default first.
//!
//! Which rule asks which knob stands in the table of [`knobs`](super); which product has which reading, in the
//! profiles.

use crate::named::named;

named! {
    /// What the limit of wrappers counts.
    LimitCounts {
        Wrappers "wrappers" "Wrappers that are followed.",
        Documents "documents" "Documents, that of the ad tag among them.",
    }
}

named! {
    /// The code of a wrapper whose address answers nothing usable.
    WrapperFetch {
        Unavailable "301" "301, as of one that answers too late.",
        Told303 "301_told_303" "301 for its error addresses, 303 for the page.",
        NoAd "303" "303, answered too late or not at all.",
        NonLinear "502" "502; one that answers too late is 301.",
    }
}

named! {
    /// What becomes of a wrapper that may not follow another.
    ChainedWrapper {
        Ignore "ignore" "It does not count: nothing is left, 303.",
        Unavailable "301" "It fails with 301.",
        Unexpected "200" "It fails with 200.",
    }
}

named! {
    /// What becomes of ads with a sequence where only one ad counts.
    PodRefused {
        Ignore "ignore" "They do not count; if nothing is left, 303.",
        Schema "101" "They fail with 101.",
        Size "203" "They fail with 203.",
        Play "play" "They are played all the same.",
    }
}

named! {
    /// Whether a wrapper's `fallbackOnNoAd` is acted on.
    FallbackOnNoAd {
        Act "act" "True: an ad of the reserve steps in; false: none does.",
        Ignore "ignore" "No ad steps in for a wrapper, whatever it says.",
    }
}

named! {
    /// What becomes of an `Ad` that holds neither or both of its two children.
    BrokenAd {
        Schema "101" "It fails with 101; other ads of its document count.",
        Thrown "thrown" "Its whole document is lost, and no address hears of it.",
    }
}

named! {
    /// The code of an ad tag whose own document cannot be used.
    BrokenFirst {
        Named "named" "That of the mistake: 100, 101 or 102.",
        Undefined "900" "900.",
    }
}

named! {
    /// How strictly VAST documents are read; which tolerances a strict reader does not have, is listed in
    /// `vast::strict`.
    Reading {
        Lenient "lenient" "What can be understood is played, and each tolerance is told.",
        Version "version" "A document of an unknown version is refused with 102, of the rest what can be understood is played.",
        Strict "strict" "A document is refused with 100 if it is no well-formed XML (bare \"&\", undeclared entities and prefixes, an attribute twice, words outside of the root), with 102 if its version is unknown, with 101 if the schema of its version refuses it: no version; no AdSystem, AdTitle, Impression, Creative, VASTAdTagURI, Duration or MediaFile; from 4.0 on no UniversalAdId, from 4.1 on no AdServingId; a MediaFile without delivery, type, width or height; a Category without authority, a Tracking without an event or a progress without an offset; unknown, misplaced, repeated and newer elements and attributes, also in other letter case; unknown events and words; times, shares, numbers and booleans of another form.",
    }
}

named! {
    /// What becomes of an ad whose category is missing or blocked.
    CategoryFault {
        Refused "refused" "It fails with 204 or 205.",
        Told "told" "The error addresses hear 204 or 205, and the ad is played all the same.",
    }
}

named! {
    /// When a `progress` tracker at a share of the ad is due.
    PercentProgress {
        Exact "exact" "At that share.",
        Whole "whole" "When the share that is played, rounded to whole percent, is reached; one that is not whole never.",
    }
}

named! {
    /// The code of an ad without a media file that can be played.
    NoMediaCode {
        Unsupported "403" "403.",
        NoAd "303" "303.",
        NoneOffered "303_none_offered" "303 if it offers none, 403 if none is supported.",
    }
}

named! {
    /// Which of several media files that can be played is taken.
    MediaChoice {
        Bitrate "bitrate" "The best bitrate that the page allows, then the size next to the player's.",
        Size "size" "The size next to the player's, then the best bitrate that the page allows.",
        First "first" "The first of the document.",
    }
}

named! {
    /// Whose numbers `adError` has where the VAST standard names none.
    ErrorCodes {
        Vast "vast" "Those of VAST.",
        Sdk "sdk" "Those of the third-party SDK: 1009 for an empty first answer, 1010 for one of an unknown kind, 1012 for one that cannot be had.",
    }
}

named! {
    /// What becomes of quartiles that a seek in an ad passes over.
    SeekQuartiles {
        Crossed "crossed" "They count as reached.",
        Lost "lost" "They never come: only played time counts.",
    }
}

named! {
    /// When the `complete` trackers of a linear ad are called.
    CompleteAt {
        End "end" "At its end.",
        Percent99 "99%" "At 99 percent of it; the ad ends at its end.",
    }
}

named! {
    /// The code of an ad that has only VPAID units where none may run.
    VpaidRefused {
        NoMedia "403" "403.",
        Unexpected "200" "200.",
    }
}
