//! Rules LIVE: live streams.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events, doc:errors; exclusiveness assumed",
        "A live item without a running stream, be it at load or later, emits `livestreamstopped` and \
         fails without `playbackerror`.",
    )
    .knob("live.stop_error")
    .waits("comes with live streams"),
    chosen(2, "assumed", "A stream that returns changes nothing until `play()` loads it again.")
        .knob("live.auto_resume")
        .waits("comes with live streams"),
    html(
        3,
        "html, assumed",
        "On live the duration is infinite, seeking stays in the fixture's window, and `ended`, \
         `lastSecond` and post-roll do not occur.",
    )
    .waits("comes with live streams"),
    chosen(4, "assumed", "One load has one `livestreamstopped` at the most.")
        .waits("comes with live streams"),
];
