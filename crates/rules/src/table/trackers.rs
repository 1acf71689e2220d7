//! The behaviour of any player that ad servers and viewers notice: its trackers, and the films on
//! screen.
//!
//! These rules judge the trace of any player. The other families say in detail what the simulated
//! one does.

use super::rules;

rules! { TRK
    TRK_1 iab "VAST 4.3 sections 3.4.4, 3.14",
        "While an ad is shown, each of its URLs for the impression, `creativeView`, `start`, the quartiles, \
         `progress`, `complete` and `skip` is called once, as often as its documents name it.";
    TRK_2 iab "VAST 4.3 sections 3.4.4, 3.14",
        "The impression is called when the first picture of an ad is shown: never without its media, and \
         not after its `start`, quartiles or `complete`.";
    TRK_3 iab "VAST 4.3 section 3.14",
        "The trackers of a linear ad come in the order `start`, `firstQuartile`, `midpoint`, \
         `thirdQuartile`, `complete`; none that is named is left out of an ad that is shown to its end.";
    TRK_4 iab "VAST 4.3 section 3.14",
        "After `complete`, `skip`, `closeLinear` or an error of an ad no other tracker of its playback is \
         called.";
    TRK_5 iab "VAST 4.3 sections 3.3.1, 3.14",
        "Trackers are those of the ad that is on screen; each ad of a pod has its own.";
    TRK_6 iab "VAST 4.3 section 3.14",
        "Quartiles and `complete` are called when that share of the ad has been played; time in which it is \
         paused or stalled does not count.";
    TRK_7 iab "VAST 4.3 section 3.14",
        "`resume` is called only for an ad that was paused; `pause` and `resume` take turns.";
    TRK_8 iab "VAST 4.3 sections 2.3.4, 2.3.5.2",
        "The impressions and trackers of all documents of a wrapper chain are called together with those of \
         the ad itself.";
    TRK_9 iab "VAST 4.3 sections 2.3.6, 6",
        "An error URL is called with one of the codes of the standard in place of `[ERRORCODE]`, once for \
         each failure.";
    TRK_10 iab "VAST 4.3 sections 2.3.6, 3.2.1",
        "An ad that fails, and a document without a usable ad after a wrapper, calls the error URLs of the \
         chain.";
    TRK_11 chosen "the standard leaves the order open",
        "`creativeView` of a linear ad comes after its impression and before its `start`.";
    TRK_12 iab "VAST 4.3 sections 3.8.3, 3.14",
        "Skip, click, pause, resume, mute and unmute of an ad call the trackers that its documents name for \
         them.";
    TRK_13 iab "VAST 4.3 sections 3.10, 3.14",
        "A companion that is shown calls its `creativeView`.";
    TRK_14 iab "VAST 4.3 section 3.8",
        "An ad is skipped no earlier than its `skipoffset`.";
    TRK_15 iab "VAST 4.3 section 3.3.1",
        "The ads of a pod are shown in the order of their `sequence`.";
    TRK_16 chosen "the standard does not say what a player may add",
        "A tracker is called with the URL that its document names: its macros are replaced, and no query \
         parameter is added.";
    TRK_17 chosen "what a page requests is its own business",
        "Each request is one that a document, the scenario or the content names.";
}

rules! { SCR
    SCR_1 iab "VAST 4.3 sections 2.1, 3.8",
        "Content does not play and is not on screen while a linear ad is.";
    SCR_2 iab "VAST 4.3 section 3.3.1",
        "The ads of a pod follow one another, without content between them.";
    SCR_3 stated "doc:events, doc:states; how soon assumed",
        "After a break the session goes on: content comes back, or, if it was over, it ends.";
    SCR_4 html "html (report an exception)",
        "A page has no uncaught error and no unhandled rejection.";
}
