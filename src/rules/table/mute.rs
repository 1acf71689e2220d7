//! Rules MUTE: mute.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(1, "doc:calls", "`muted(true)` and `muted(false)` set mute, `muted()` reads it."),
    stated(
        2,
        "doc:events",
        "`mutechange` comes when mute really changes, with the new state in `data.muted`.",
    ),
    chosen(3, "assumed; HTML has one event for both", "Changing mute emits no `volumechange`.")
        .knob("mute.volumechange"),
    chosen(4, "assumed: not shown", "As a setter `muted` gives the new state."),
    chosen(
        5,
        "assumed",
        "An argument that is no boolean changes nothing and gives diag `bad_argument`; `undefined` counts \
         as none.",
    )
    .knob("bool.coerce"),
    stated(
        6,
        "doc:limits",
        "A VPAID creative with the fixture flag `vpaid.own_sound` may be heard on a muted player: an \
         internal `audible` line lasts from ad start until mute reaches it, `mute.vpaid_delay` (200 ms) \
         later. No event tells.",
    )
    .knob("mute.vpaid_delay"),
];
