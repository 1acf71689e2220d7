//! Rules LOAD: scripts of the page.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:loading",
        "Nothing of the API works before its script, player's or outstream's, has arrived: any access but \
         a push on a queue array is error `script_not_loaded`.",
    )
    .knob("api.before_script"),
    stated(
        2,
        "doc:loading",
        "Embedded synchronously the script is there at time 0, asynchronously at the time the scenario \
         says; its tag may even follow the closing body tag.",
    ),
    chosen(
        3,
        "assumed: the failure that ad operations look for",
        "If the script never comes the queue stays as it is and the run ends `idle` with diag \
         `queue_never_drained`.",
    ),
    stated(
        4,
        "doc:service, doc:calls",
        "Player and outstream unit have a script each, and neither drains the other's queue.",
    ),
    chosen(
        5,
        "assumed",
        "A script that loads a second time gives a diag and changes nothing; players and queue are kept.",
    )
    .knob("load.twice"),
];
