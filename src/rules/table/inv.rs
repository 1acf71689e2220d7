//! Rules INV: invariants.

use super::{Row, chosen};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "CLK-1, CLK-8",
        "The same scenario, profile and seed write the same bytes, whatever the run in the process, the \
         thread or the operating system.",
    ),
    chosen(2, "CLK-5", "Cutting a step of time into pieces leaves the trace as it is."),
    chosen(3, "CLK-1", "From line to line time never goes back, and the sequence number goes up by one."),
    chosen(4, "EVT-23", "Each event has a cause, and the cause stands before it."),
    chosen(
        5,
        "INIT-14, EVT-21",
        "A player has one `ready` and one `destroyBefore` at the most, and no event once it is destroyed.",
    ),
    chosen(6, "END-3, PLAY-10", "An item that ends twice was played by a `play` in between."),
    chosen(
        7,
        "PLAY-4, PLAY-7, PLAY-9",
        "`start` follows the item's `play` and comes at most once per load or `stop()`; an item start has \
         at most one `beforeStart`.",
    ),
    chosen(
        8,
        "BRK-16, GAP-1",
        "While `getAdInProgress()` is true the default profile emits none of content's `play`, `pause`, \
         `timeupdate`, `seeked` and `lastSecond`.",
    ),
    chosen(9, "STOP-1, STOP-6", "There are as many `stopped` as `stop()` calls that took effect."),
    chosen(10, "ERR-3, ERR-4", "`adError` falls within breaks only, `playbackerror` outside ads only."),
    chosen(
        11,
        "BRK-10, STOP-3",
        "A break that requested anything has one `adEnd`, unless stop, navigation, a new source, destroy, \
         failing content (ERR-3) or, for a post-roll, a seek (POST-3) aborted it.",
    ),
    chosen(
        12,
        "REQ-1, REQ-4, REQ-16",
        "Leaving out tags of REQ-16, there is one `requestAd` per tag tried. In a break that is not \
         aborted, in which no ad fails after start and no winner is a partly playable VAST pod, `adError` \
         plus winners make `requestAd` plus the tags of REQ-16.",
    ),
    chosen(
        13,
        "BRK-3, BRK-5",
        "A linear ad's `adImpression` leads to exactly one of complete, skip and error, save when \
         aborted; its quartiles come in order and once each at most.",
    ),
    chosen(14, "BRK-15", "At no point has an ad more `adResume` than `adPause`."),
    chosen(
        15,
        "MEL-19, BRK-17",
        "The position lies between 0 and duration. Seeks, stop, replay and item change apart it moves in \
         playing content only, not in or before an ad, paused or buffering.",
    ),
    chosen(16, "PL-2", "`currentIndex` names an item of the list, or is -1 if there is none."),
    chosen(
        17,
        "VOL-3, MUTE-2, QUAL-5, SIZE-1, STICK-3, FS-4",
        "`volume` lies between 0 and 1. `volumechange`, `mutechange`, `qualityChange`, `playerresize`, \
         `stickyChange` and `fullscreenchange` each stand for a value that really changed.",
    ),
    chosen(18, "PL-13", "Nothing but the last item's `ended` stands directly before `playlistComplete`."),
    chosen(
        19,
        "the state matrix",
        "Any call of the reference, in any state and with any argument, does what the matrix of states \
         and calls says, without panic.",
    ),
    chosen(20, "VX-1", "With the SDK engine `lastVASTXML` stays unset."),
    chosen(21, "REQ-14, PA-7", "An item that is not monetized has no `requestAd` but those of `playAd`."),
    chosen(
        22,
        "MEL-15",
        "Periodic `timeupdate`s of undisturbed playing (no seek, stall or ad) lie exactly one period \
         apart.",
    ),
    chosen(
        23,
        "EVT-2",
        "Getters and listeners that only record leave the events of the trace alone, whether they are \
         there or not.",
    ),
    chosen(
        24,
        "CLK-11",
        "A snapshot of any point, resumed, writes what the uninterrupted run writes from there on.",
    ),
    chosen(
        25,
        "EDIT-13",
        "A failed edit call leaves the record as it was, and repeating an edit changes nothing further.",
    ),
    chosen(26, "TRACE-6", "A knob that the run never reaches changes nothing below the header."),
];
