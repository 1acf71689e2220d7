//! Rules END: the end of an item.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:states; browsers add `pause`",
        "Content that plays to its end emits `timeupdate` and `ended`; the state is ended.",
    )
    .knob("ended.pause_event"),
    chosen(2, "peer, assumed", "An armed post-roll delays `ended` until its break is over.")
        .knob("ended.vs_postroll"),
    chosen(
        3,
        "assumed, as in comparable players; INV-6",
        "One pass through an item has at most one `ended`.",
    ),
    stated(
        4,
        "doc:events",
        "After `ended` comes the next item (PL-12) or, behind the last one, `playlistComplete` (PL-13).",
    ),
    chosen(
        5,
        "assumed; doc:states starts the move to finished from playing",
        "A seek to the end while paused stays paused there, without `ended`; `play()` then begins at 0.",
    )
    .knob("seek_to_end.paused"),
    chosen(6, "assumed", "Live content never ends by itself; a stream that closes is a matter of LIVE-1."),
];
