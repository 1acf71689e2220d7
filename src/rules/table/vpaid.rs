//! Rules VPAID: units that run code of their own, by the script of the scenario.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "VPAID 2.0 section 3.3",
        "A scripted unit goes through its life in order: `handshakeVersion`, `initAd`, `AdLoaded`, `startAd`, \
         `AdStarted`, `AdImpression`, `AdVideoStart`, quartiles, `AdVideoComplete`, `AdStopped`. Each call and \
         each message is a `vpaid` line. A unit without a script says what fits as its film plays.",
    ),
    iab(
        2,
        "VPAID 2.0 section 3.1.1; the range chosen",
        "A unit whose answer to the handshake is no version from 1 up to below 3 fails with 901.",
    ),
    chosen(
        3,
        "VPAID names no time; VAST 4.3 code 901 covers it",
        "A unit that does not answer the handshake, or does not say `AdLoaded` after `initAd`, within \
         `vpaid.init_timeout` (8 s) each, fails with 901 before anything of it is shown.",
    )
    .knob("vpaid.init_timeout"),
    chosen(
        4,
        "VPAID names no time; VAST 4.3 codes 901 and 304",
        "`AdStarted` and `AdImpression` have to come within `vpaid.start_timeout` (8 s) after `startAd`: \
         without the first the unit fails with 901, without the second with 304. `adError` tells, and \
         the waterfall goes on.",
    )
    .knob("vpaid.start_timeout"),
    iab(
        5,
        "VPAID 2.0 section 3.3, VAST 4.3 section 3.14; the player's events chosen",
        "Trackers follow what the unit says: `AdStarted` is `creativeView`, `AdImpression` the impressions, \
         `AdVideoStart` `start`, its quartiles and `AdVideoComplete` theirs. With `AdImpression` the player \
         tells `adImpression`, `adStart` and `vpaidStart`; a quartile that the unit leaves out is missing.",
    ),
    chosen(
        6,
        "VPAID fixes the order, not what breaks it",
        "A message that comes before its turn, or twice, is ignored; its line says why.",
    ),
    iab(
        7,
        "VPAID 2.0 section 3.3.4",
        "`AdSkipped` ends the ad with `adSkip` and the trackers of `skip`; the unit leaves with `AdStopped`.",
    ),
    chosen(
        8,
        "VPAID 2.0 sections 3.1.7 and 3.1.10; the cap is what a peer does",
        "When the person skips, the player calls `skipAd` of a unit that is skippable, else `stopAd`. The \
         answer ends the ad; so does its absence after `vpaid.stop_timeout` (3 s), in which the unit must be \
         gone, however its ad ended.",
    )
    .knob("vpaid.stop_timeout"),
    iab(
        9,
        "VPAID 2.0 sections 3.2.8 and 3.3.7; the cap chosen",
        "`AdDurationChange` and `AdRemainingTimeChange` set the length of the ad, and so when what is left of \
         it comes. A unit that is still there, with nothing said, `vpaid.stop_timeout` after its length \
         fails with 901.",
    )
    .knob("vpaid.stop_timeout"),
    iab(
        10,
        "VPAID 2.0 section 3.3.14; the pause as CLICK-3 has it",
        "`AdClickThru` gives `adClicked` and the trackers of clicks. Only if the unit says that the player \
         handles it, the player leads to its address, or without one to that of the document, and the ad \
         pauses.",
    ),
    iab(
        11,
        "VPAID 2.0 section 3.3.17, VAST 4.3 code 901",
        "`AdError` ends the unit at once with 901: before it is shown the ad cannot be used, after that \
         `adError` tells. Content recovers.",
    ),
    iab(
        12,
        "VPAID 2.0 sections 3.3.10 to 3.3.16, VAST 4.3 section 3.14",
        "What the person does inside the unit calls trackers: `AdUserAcceptInvitation` `acceptInvitation`, \
         `AdUserMinimize` `minimize` and `collapse`, `AdExpandedChange` the expand family, `AdInteraction` \
         `otherAdInteraction`, `AdVolumeChange` `mute` and `unmute`, in their old and new names.",
    ),
    iab(
        13,
        "VPAID 2.0 sections 3.1.8, 3.1.9 and 3.3.16; the player's events chosen",
        "The player pauses a unit by `pauseAd` and resumes it by `resumeAd`; the unit's answers, `AdPaused` \
         and `AdPlaying`, call the trackers. A unit that says either by itself pauses or resumes the ad.",
    ),
    chosen(
        14,
        "BRK-5 knows three ends",
        "A unit that leaves with `AdUserClose` or `AdStopped`, and has told no other end, was left before \
         its end: `adSkip`, without the trackers of `skip`; `AdUserClose` calls `closeLinear` and `close`.",
    ),
    iab(
        15,
        "VPAID 2.0 sections 3.2.1 and 3.3.6; the refusal chosen",
        "A unit that is not linear when it is loaded is refused in a slot for linear ads, with 201. One that \
         stops being linear while it is on does not bring the content back.",
    ),
    iab(
        16,
        "VAST 4.3 section 3.14",
        "Once the end of its ad is told, nothing counts that the unit says but `AdStopped`; an `AdError` \
         then takes it away without a word.",
    ),
    chosen(
        17,
        "VPAID 2.0 sections 3.1.3 and 3.2.9; STOP-3",
        "The unit is told of mute (`adVolume`), of fullscreen (`resizeAd`), and, when its break is aborted, \
         to leave (`stopAd`), which nobody waits for.",
    ),
    chosen(
        18,
        "PAUSE-4 for a unit that is just starting",
        "A pause between `startAd` and `AdImpression` is handed on once the ad is on.",
    ),
];
