//! Rules READY: readiness.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`isReady` is a read-only boolean property, true from the moment of INIT-12 until the player is \
         destroyed. Assigning to it gives a diag and does nothing.",
    ),
    chosen(
        2,
        "assumed; CON-4",
        "Calling `isReady()` as if it were a function works, gives the property's value and adds diag \
         `property_called`.",
    )
    .knob("compat.property_calls"),
    chosen(3, "assumed", "With no script yet or after destroy, `isReady` fails like every other access.")
        .knob("ready.after_destroy"),
];
