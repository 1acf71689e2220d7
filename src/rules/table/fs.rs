//! Rules FS: fullscreen.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls; meaning of the boolean assumed",
        "`toggleFullScreen()` makes the player fullscreen and gives a boolean, the state that results.",
    )
    .knob("fullscreen.returns"),
    chosen(2, "assumed; CON-9", "Called in fullscreen it leaves it.").knob("fullscreen.toggle"),
    stated(
        3,
        "doc:calls",
        "`isFullScreen` is a property of type boolean; written as a call it gives diag `property_called`.",
    )
    .knob("compat.property_calls"),
    chosen(4, "assumed; CON-9", "`fullscreenchange` comes with every real change, however it was made.")
        .knob("fullscreen.event"),
    chosen(
        5,
        "assumed",
        "Where the surroundings refuse fullscreen (gesture, policy) the call gives false and a diag, and \
         nothing is emitted.",
    ),
    chosen(6, "assumed", "Leaving by the escape key is a change too and emits `fullscreenchange`."),
    chosen(
        7,
        "assumed",
        "Fullscreen alone causes no `playerresize`; a scripted change of size along with it does.",
    )
    .knob("fullscreen.resizes"),
];
