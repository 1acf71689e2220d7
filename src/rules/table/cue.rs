//! Rules CUE: mid-rolls.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:ad",
        "A cue point in `s` is a second of content; one in `%` is a share of the duration, worked out to \
         the microsecond when metadata is there.",
    )
    .knob("cue.percent_round"),
    chosen(
        2,
        "assumed",
        "Cue points at or before 0, at or after the duration, or in percent on live content are dropped \
         with a diag.",
    )
    .knob("cue.edge"),
    chosen(
        3,
        "assumed",
        "Reaching a cue point starts the ad request; content plays on until the ad is ready and halts for \
         it then.",
    )
    .knob("midroll.hold, midroll.prefetch"),
    chosen(
        4,
        "assumed",
        "A cue point fires once per load of its item. `stop()` arms it anew (STOP-5), a replay does not \
         (PLAY-10).",
    )
    .knob("cue.repeat"),
    chosen(
        5,
        "assumed: the most common way elsewhere",
        "Of the unplayed cue points that a forward seek jumps over only the last fires, directly after \
         `seeked`; content then continues at the target.",
    )
    .knob("midroll.seek_policy"),
    chosen(6, "assumed", "Seeking back fires nothing and arms the unplayed cue points that now lie ahead."),
    chosen(
        7,
        "assumed",
        "A start position set by an early seek crosses the cue points before it as in CUE-5, once the \
         pre-roll is over.",
    )
    .knob("cue.on_start_offset"),
    chosen(
        8,
        "assumed",
        "Cue points that come to the same time, such as 5 s and 50 % of 10 s, share one break with a pod \
         each, in the order they were set.",
    ),
    chosen(
        9,
        "assumed",
        "A second cue point, reached while a mid-roll or commanded break loads or plays, waits for that \
         to be over and follows directly.",
    )
    .knob("cue.overlap"),
    chosen(
        10,
        "assumed",
        "When content ends with a mid-roll or commanded break still loading, it is held in ad loading and \
         plays that break ahead of the post-roll.",
    )
    .knob("midroll.at_end"),
    chosen(
        11,
        "assumed",
        "While a mid-roll loads nothing shows it: content's events go on, `getAdInProgress()` is false, \
         the state is not ad loading.",
    ),
];
