//! Rules LIVE: live streams.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events, doc:errors; exclusiveness assumed",
        "A live item without a running stream, be it at load or later, emits `livestreamstopped` and \
         fails without `playbackerror`.",
    )
    .knob("live.stop_error"),
    chosen(2, "assumed", "A stream that returns changes nothing until `play()` loads it again.")
        .knob("live.auto_resume"),
    html(
        3,
        "html, assumed",
        "On live the duration is infinite, and `ended`, `lastSecond` and post-roll do not occur. Positions \
         count from the instant of the metadata, at which the load joins. From there the edge moves with \
         the clock; seeking reaches from the fixture's window before it up to it, and what falls behind \
         the window while it does not play goes on at its beginning.",
    ),
    chosen(4, "assumed", "One load has one `livestreamstopped` at the most."),
];
