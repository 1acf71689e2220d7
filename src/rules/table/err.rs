//! Rules ERR: content errors.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events, doc:errors",
        "Content that fails, for whatever reason, emits one `playbackerror` without data and leaves the \
         player in failed.",
    )
    .knob("playbackerror.data"),
    html(
        2,
        "html",
        "State and error are in place before the event is delivered, and neither `pause` nor `ended` goes \
         with it.",
    ),
    chosen(
        3,
        "assumed",
        "While an ad is on a content failure is kept back until `adEnd`. While a break loads it is \
         emitted immediately, and the break is aborted in the way of STOP-3.",
    )
    .knob("error.during_ad"),
    stated(
        4,
        "doc:errors; INV-10",
        "Failing ads never lead to `playbackerror`, failing content never to `adError`.",
    ),
    chosen(
        5,
        "assumed",
        "A failed player keeps its position and takes setters; only seeking is ignored, with diag \
         `no_media`.",
    ),
    chosen(6, "assumed", "`play()` tries again by PLAY-15, and failing again emits again."),
    html(7, "html", "Loading that hangs for ever is no error, unless `media.timeout` sets a limit.")
        .knob("media.timeout"),
];
