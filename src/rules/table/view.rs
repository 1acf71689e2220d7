//! Rules VIEW: visibility.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(1, "doc:calls", "`isPlayerInView()` holds from 50 percent visible on, 50 itself included.")
        .knob("view.threshold"),
    chosen(
        2,
        "assumed",
        "The scenario says how many percent are visible at which time, 100 if it says nothing; being \
         sticky makes no difference.",
    )
    .knob("view.sticky_counts"),
    stated(3, "doc:events (absence)", "No event reports that the view changed."),
];
