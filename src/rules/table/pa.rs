//! Rules PA: ads on command.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`playAd(x)` opens a break immediately whose one waterfall is x, an ad object or the address of a \
         tag. Of `adType` only 3, overlay, matters.",
    ),
    chosen(
        2,
        "assumed",
        "Playing content goes on until the commanded ad is ready, halts for it and continues after \
         `adEnd`; PA-3 takes over if it is paused by then.",
    )
    .knob("play_ad.hold"),
    chosen(
        3,
        "assumed",
        "Paused, ended or initial players wait in that state for the ad and go back to it afterwards, \
         content untouched. A `play()` given in initial meanwhile takes effect after the break.",
    )
    .knob("play_ad.after"),
    chosen(
        4,
        "assumed",
        "While an ad is on or a break, mid-rolls included, loads, `playAd` is ignored with diag \
         `ad_busy`.",
    )
    .knob("play_ad.busy"),
    chosen(5, "assumed", "Pre-, mid- and post-rolls are neither used up nor armed by `playAd`."),
    stated(6, "doc:calls", "An argument of the wrong kind, or a text that is no address, is error `bad_ad`."),
    chosen(7, "assumed", "`playAd` works on items with `monetize` false: the order is explicit.")
        .knob("play_ad.monetize"),
    stated(8, "doc:limits", "If nothing has been played so far, the gesture rule holds for `playAd` too."),
    chosen(9, "assumed", "Before ready and after a playback error `playAd` is ignored with a diag."),
    chosen(
        10,
        "assumed; PLAY-7",
        "`beforeStart` comes directly ahead of the commanded ad unless the item has had it.",
    ),
];
