//! Rules STOP: stop.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:states ('any')",
        "`stop()` takes any live player to initial and emits `stopped`, even if it was there already.",
    )
    .knob("stop.in_initial"),
    stated(
        2,
        "doc:states; order assumed",
        "The position goes to 0 and `stopped` is emitted, after a `timeupdate` if the position was \
         elsewhere; neither `pause` nor `ended` comes.",
    ),
    chosen(
        3,
        "assumed",
        "A break that loads or runs is aborted with its media, timers and requests, and without `adEnd`, \
         `adComplete` or `adSkip`.",
    )
    .knob("abort.ad_end"),
    chosen(
        4,
        "assumed",
        "Playlist, index, volume, mute, rendition, listeners and ads added by script survive `stop()`.",
    )
    .knob("stop.index"),
    stated(
        5,
        "doc:states ('initial state'), reading assumed",
        "After `stop()` the item owes everything again: `start`, `beforeStart`, pre-, mid- and \
         post-rolls.",
    )
    .knob("stop.rearms_ads"),
    stated(
        6,
        "doc:states, doc:events; INV-9",
        "`stopped` answers API calls only; what the person does, errors and the end never cause it.",
    ),
    chosen(
        7,
        "assumed",
        "`stop()` keeps the loaded data, so the same source does not report `loadedmetadata` again. What \
         failed, media or record, is asked for once more by the next `play()`, and not before.",
    )
    .knob("stop.unloads"),
    chosen(
        8,
        "assumed",
        "Before ready `stop()` is ignored as other calls are; after destroy it is an error.",
    ),
];
