//! Rules PRE: pre-rolls.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:states, doc:calls",
        "The first start of an item opens its pre-roll break; the player is in ad loading until an ad \
         starts or none fills.",
    ),
    html(2, "html", "The content's media may load behind the break, so `loadedmetadata` can come during it."),
    chosen(3, "assumed", "Every item of a playlist gets its own pre-roll break.").knob("playlist.prerolls"),
];
