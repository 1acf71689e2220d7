//! Rules CLICK: clicks.

use super::{Row, chosen, iab, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events; pause assumed",
        "Clicking on content emits `clickedThrough`. A clickthrough address in the record has the \
         navigation noted in the trace, and playback pauses.",
    )
    .knob("click.pauses"),
    chosen(
        2,
        "assumed",
        "Without such an address `clickedThrough` comes all the same, and the click switches between play \
         and pause.",
    )
    .knob("click.without_url"),
    stated(
        3,
        "doc:events; pause assumed",
        "Clicking on a linear ad or an overlay emits `adClicked` instead, and a linear ad pauses with \
         `adPause`.",
    )
    .knob("click.ad_pauses"),
    iab(4, "iab", "VPAID creatives handle clicks themselves; whether they report one is in the fixture."),
];
