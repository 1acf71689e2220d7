//! Rules TIME: position and seeking.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`currentTime()` gives the position in content in seconds as a float; during an ad, the position \
         at which content is held.",
    )
    .knob("time.during_ad"),
    stated(2, "doc:calls", "`currentTime(n)` moves the position in content to second n."),
    stated(
        3,
        "doc:calls; tolerance assumed, CON-7",
        "The documented target is an integer; a fraction is taken as it stands, with diag \
         `non_integer_seek`.",
    )
    .knob("seek.fraction"),
    html(
        4,
        "html",
        "Targets below 0 become 0, those beyond the end become the duration, on live the seekable window \
         limits them. Something that is no number gives a diag and no seek.",
    ),
    html(
        5,
        "html, doc:events",
        "A seek in playing, buffering or paused content emits `timeupdate` and `seeked` when data is \
         there, and playing or pausing goes on as before. Without metadata MEL-14 holds.",
    ),
    chosen(
        6,
        "assumed; comparable players forbid it",
        "Seeking during an ad, running or paused, is ignored with diag `seek_during_ad`.",
    )
    .knob("seek.during_ad"),
    html(
        7,
        "html",
        "In initial a seek before metadata sets the start position; with metadata it is a usual seek that \
         stays in initial. While a break loads it acts as in initial or paused, post-rolls apart \
         (POST-3).",
    ),
    html(
        8,
        "html",
        "Seeking back from the end emits `timeupdate` and `seeked` and leaves the player paused there.",
    )
    .knob("seek.from_ended"),
    html(
        9,
        "html leaves the order open; MEL-24",
        "Seeking to the end in play emits `timeupdate` and `seeked`, after which the end sequence of \
         END-1 runs.",
    ),
    html(
        10,
        "html",
        "If a second seek comes before the first is done it takes its place, and one `seeked` is emitted.",
    ),
    chosen(
        11,
        "assumed; CON-10",
        "Any requested seek ends in `seeked`, be it by API, person or chapter jump. Moves of the player \
         itself (item change, replay, stop, return from an ad) emit none.",
    )
    .knob("seeked.cause"),
    chosen(12, "assumed", "As a setter `currentTime(n)` gives the clamped target back as a float."),
    chosen(13, "assumed", "What becomes of mid-roll cue points that a seek jumps over is said in CUE-5."),
];
