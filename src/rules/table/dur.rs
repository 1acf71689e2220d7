//! Rules DUR: duration.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(1, "doc:calls", "`duration()` gives the content's length in seconds as a float."),
    html(
        2,
        "html (not-a-number there); null assumed",
        "Before metadata `duration()` is `null`, on live it is `Infinity`.",
    )
    .knob("duration.unknown"),
    chosen(3, "assumed", "An ad does not change what `duration()` says: the length of the content.")
        .knob("time.during_ad"),
];
