//! Rules TRACE: the trace.

use super::{Row, chosen};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "assumed",
        "A trace is JSON Lines: one object per line with its keys in the order `t` (microseconds), `seq`, \
         `player`, `kind`, `name`, `data`, `cause`.",
    ),
    chosen(
        2,
        "assumed",
        "A line's kind is one of `header`, `call`, `user`, `page`, `event`, `listener`, `state`, `media`, \
         `ui`, `ad`, `break`, `net`, `beacon`, `diag`, `analytics`, `measurement`, `edit`, `outcome`.",
    ),
    chosen(
        3,
        "assumed",
        "The view `page` keeps what page code can observe, events and returned values, and is the one to \
         check conformance on.",
    ),
    chosen(4, "assumed", "If asked, each line names the rule it comes from under `rule`."),
    chosen(
        5,
        "assumed",
        "Numbers follow CLK-9. Text is UTF-8, escaped only as far as JSON needs it; paths and dates of \
         the host do not occur.",
    ),
    chosen(
        6,
        "assumed",
        "The header states format version, profile, the knobs that differ from the default, a digest of \
         the scenario and the seed.",
    ),
    chosen(
        7,
        "assumed",
        "Comparing two traces shows the first line in which they differ, with the chain of causes on \
         either side.",
    ),
    chosen(
        8,
        "assumed",
        "A trace can be exported to the formats of `playsim run`, a request list and a tracker list among \
         them; what a format has no room for is listed.",
    ),
];
