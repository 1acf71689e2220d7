//! Rules LAST: the last second.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events; threshold assumed",
        "`lastSecond` is emitted when playing first carries the position across duration minus 1 s. If \
         data run out at that very place it belongs to that instant, behind `waiting` (CLK-3).",
    )
    .knob("last_second.at"),
    chosen(
        2,
        "assumed",
        "Items no longer than 1 s emit `lastSecond` directly after `start`; live ones never do.",
    ),
    chosen(
        3,
        "assumed",
        "There is one `lastSecond` per pass. If a seek during play lands in the last second it follows \
         `seeked`; leaving and coming back does not repeat it.",
    )
    .knob("last_second.rearm_on_seek"),
    chosen(
        4,
        "assumed",
        "What follows from position (cue points, quartiles, `lastSecond`) is noticed on its exact \
         microsecond rather than with the next `timeupdate`.",
    )
    .knob("detect"),
];
