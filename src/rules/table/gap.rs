//! Rules GAP: is an ad in progress.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`getAdInProgress()` is true while a linear ad runs or is paused, and false at any other time.",
    )
    .knob("ad_in_progress.spans"),
    chosen(
        2,
        "assumed",
        "A listener of a linear ad's `adImpression` already reads true; one of `adComplete`, `adSkip`, \
         `adError` or `adEnd` already reads false.",
    )
    .knob("ad_in_progress.edge"),
];
