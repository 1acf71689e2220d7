//! Rules OUT: outstream units.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:service, doc:embed, doc:calls",
        "An outstream unit has its own script and queue and the usual initializer; its config is id, \
         width and height.",
    ),
    stated(
        2,
        "doc:service",
        "A unit appears only with a valid ad. Until then it is hidden and `isPlayerInView()` is false.",
    ),
    chosen(3, "assumed (OBS-7)", "Once ready the unit opens its single break without being asked. Without a tag to ask it stays as it is, with diag `no_ads`.")
        .knob("outstream.start"),
    stated(
        4,
        "doc:events (names); selection assumed",
        "A unit emits `ready`, `requestAd`, perhaps `adError`, `beforeStart`, `adImpression`, `adStart`, \
         the quartiles, `adComplete` or `adSkip`, and `adEnd`.",
    ),
    chosen(
        5,
        "assumed",
        "As it has no content a unit has no `play`, `start`, `ended`, `timeupdate` or playlist events; \
         duration is null, position 0, `currentSrc()` empty, length 0.",
    )
    .knob("outstream.events"),
    chosen(
        6,
        "assumed (OBS-7, OBS-9)",
        "Behind `adEnd` the unit destroys itself with `destroyBefore` and leaves its container.",
    )
    .knob("outstream.after"),
    stated(
        7,
        "doc:events (the use of `destroyBefore`); sequence assumed",
        "Without fill there is an `adError` per tag, `adEnd`, `destroyBefore` and no `adImpression`.",
    ),
    chosen(
        8,
        "assumed",
        "Calls about content, such as `currentTime(n)`, `src`, `next`, chapters or quality, are ignored \
         with diag `outstream`.",
    ),
    chosen(
        9,
        "assumed",
        "`play`, `pause`, `stop`, `destroy`, `volume`, `muted`, `resize`, listeners, `playAd` and `setAd` \
         (as pre-roll at any level) work. With `stop()` the ad is aborted and the unit hidden.",
    ),
    chosen(
        10,
        "assumed",
        "Scrolling the unit out of view pauses its ad with `adPause`; at 50 percent in view the ad \
         resumes.",
    )
    .knob("outstream.view_pause"),
];
