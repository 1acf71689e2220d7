//! Rules PAUSE: pause.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:states; the `timeupdate` html",
        "`pause()` while content plays or buffers emits `timeupdate` and `pause` and leads to paused.",
    ),
    html(
        2,
        "html; doc:states names only the move out of playing",
        "Before the first start, while paused, at the end and after an error `pause()` does nothing.",
    ),
    stated(
        3,
        "doc:events",
        "`pause()` in a running ad emits `adPause` and pauses it; in a paused ad it does nothing.",
    )
    .knob("pause.during_ad"),
    chosen(
        4,
        "assumed",
        "`pause()` while a break loads only withdraws the wish to play; an ad that gets ready is held \
         ahead of its impression. If nothing fills, a pre-roll (then spent) leads to initial, a post-roll \
         to ended with `ended`, a commanded break from initial or ended back there, all else to paused; \
         the next `play()` takes it up.",
    )
    .knob("pause.during_load, hold.impression"),
    chosen(
        5,
        "assumed",
        "Pausing while a mid-roll loads pauses the content; the break is kept and starts when content \
         plays again.",
    )
    .knob("midroll.while_paused"),
    html(6, "html", "Data that comes in during a pause leaves the state as it is."),
];
