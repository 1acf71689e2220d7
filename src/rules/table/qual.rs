//! Rules QUAL: renditions.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:rendition, doc:calls",
        "The renditions are ld, sd, hsd, hd and fhd; any other word is error `bad_argument`.",
    )
    .knob("quality.unknown"),
    chosen(2, "assumed; CON-12", "From worst to best: ld, sd, hsd, hd, fhd."),
    stated(
        3,
        "doc:calls, doc:limits; keeping assumed",
        "`setVideoSource(r)` changes to a rendition that the item has and the plan permits, keeping \
         position and state.",
    ),
    stated(
        4,
        "doc:limits; effect assumed",
        "A rendition that is missing or not in the plan changes nothing and gives diag `no_rendition` or \
         `plan_limit`.",
    )
    .knob("quality.missing"),
    stated(
        5,
        "doc:events",
        "`qualityChange` comes once per real change, with the new rendition's first frame (after the \
         fixture's switch delay, 0 by default). Choosing the current one emits nothing; a rendition whose \
         media cannot be had gives diag `rendition_failed`, and the one in use stays.",
    )
    .knob("quality.event_at"),
    chosen(
        6,
        "assumed",
        "A second change overtakes one that is not finished; the last one alone has its event.",
    ),
    chosen(
        7,
        "assumed; a plain source swap would repeat them",
        "A change of rendition brings no `loadedmetadata`, `seeked`, `play` or `pause`.",
    )
    .knob("quality.reload_events"),
    stated(
        8,
        "doc:calls",
        "`setHD(true)` means hd and `setHD(false)` sd, provided that the item has an hd preset; otherwise \
         diag `no_hd`.",
    )
    .knob("hd.true_means, hd.false_means"),
    stated(9, "doc:calls", "Anything but a boolean given to `setHD` is error `bad_argument`."),
    chosen(10, "assumed; CON-12", "`isHD()` holds for hd and fhd.").knob("hd.is"),
    chosen(11, "assumed", "An item begins with its best rendition below hd, or else with its lowest.")
        .knob("quality.initial"),
    chosen(
        12,
        "assumed",
        "Choosing before media is loaded, in initial or failed, is remembered for the load and emits \
         nothing.",
    ),
    chosen(
        13,
        "assumed",
        "The next item takes the choice over if it has that rendition; otherwise QUAL-11 chooses.",
    )
    .knob("quality.sticky"),
    chosen(
        14,
        "assumed",
        "Around and during ads the content changes its rendition at once; the ad is not touched.",
    ),
    chosen(
        15,
        "assumed; a source map as in OBS-3 has its keys",
        "An item from `src` has a single rendition, sd.",
    ),
    chosen(16, "assumed", "`currentSrc()` and `qualityChange` change and come at one instant."),
];
