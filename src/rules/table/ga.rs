//! Rules GA: analytics.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`GoogleAnalytics.fireCustom(category, action)` leaves an `analytics` line in the trace, emits \
         nothing and gives nothing back.",
    ),
    stated(
        2,
        "doc:calls, doc:limits; effect assumed",
        "Its place is a ready callback. Elsewhere it works with diag `ga_outside_ready`; before ready it \
         is an error.",
    )
    .knob("ga.strict"),
    stated(3, "doc:calls", "Both arguments must be texts, or it is error `bad_argument`."),
    chosen(4, "assumed", "What the player emits is not turned into analytics lines."),
];
