//! Rules SRC: custom sources.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:source",
        "`src` takes a media address as text or an object with `src`, `title`, `description` and \
         `monetize`.",
    ),
    stated(
        2,
        "doc:calls, doc:limits",
        "`src` belongs into a ready callback: `onReady` or a listener of `ready`.",
    ),
    chosen(
        3,
        "assumed: forbidden without a stated effect; CON-11",
        "Later than that `src` works and gives diag `src_outside_ready`; before ready it is error \
         `not_ready`.",
    )
    .knob("src.strict"),
    chosen(
        4,
        "assumed",
        "`src` ends what runs in the way of STOP-3 but without `stopped`, and leaves a list of one item \
         at index 0, position 0, in initial.",
    ),
    chosen(5, "assumed", "Setting a source does not play it.").knob("src.autoplay"),
    chosen(
        6,
        "assumed (OBS-3)",
        "An object that has no `src` is error `bad_argument` and changes nothing. Extensions: a `source` \
         map of renditions, `name`, `image`.",
    ),
    stated(
        7,
        "doc:source; default from doc:video, CON-19",
        "`monetize` counts as true unless given; false means that the item gets no ad request of any \
         kind.",
    ),
    chosen(
        8,
        "assumed",
        "With no `title`, `getTitle()` is empty, and `getTags()` is always empty for such an item.",
    ),
    html(9, "html, doc:events", "`loadedmetadata` follows when the fixture's delay is over."),
    stated(10, "doc:errors", "A source that cannot be fetched or decoded fails by ERR-1."),
    chosen(
        11,
        "assumed",
        "A new source drops the former item's video-level ads and keeps the player-level ones.",
    )
    .knob("set_ad.video_level_lives"),
];
