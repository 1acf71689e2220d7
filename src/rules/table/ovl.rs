//! Rules OVL: overlays.

use super::{Row, chosen, iab, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:ad, iab; seek assumed",
        "When its start time comes an overlay is requested; it then lies over playing content. A seek \
         across that time requests it only if the target is within the overlay's window.",
    ),
    iab(
        2,
        "iab, assumed",
        "An overlay gives `requestAd`, `adImpression`, `adStart`, at its end `adComplete` and `adEnd`, \
         and no quartiles.",
    )
    .knob("overlay.events"),
    chosen(
        3,
        "assumed",
        "It stays for `overlayDuration`, or the `Duration` that the 4.4 draft gives it, or as long as a film of \
         its own, or the minimum duration of its VAST, or 10 s, measured in playing time.",
    )
    .knob("overlay.default"),
    stated(
        4,
        "doc:calls ('an ad rather than content')",
        "Under an overlay `getAdInProgress()` is false, as content plays.",
    ),
    chosen(
        5,
        "assumed",
        "Closing an overlay gives `adSkip` before `adEnd` if the fixture marks it as skippable, otherwise \
         `adEnd` alone.",
    ),
    chosen(
        6,
        "assumed",
        "A linear ad and the end of content take the overlay away; `adEnd` is all it emits then.",
    )
    .knob("overlay.on_linear"),
    iab(
        7,
        "iab",
        "A linear answer for an overlay, or a non-linear one for a linear slot, fails with 201, and the \
         next tag is tried.",
    ),
];
