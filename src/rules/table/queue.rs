//! Rules QUEUE: queue arrays.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "Queue arrays hold objects of `div`, `obj` and `onReady`: those in `_player_queue` become \
         players, those in `_outstream_queue` outstream units.",
    ),
    stated(
        2,
        "doc:calls ('Same as above'); the order assumed",
        "Entries that wait when the script arrives are initialised in the order of their pushes, just as \
         the three-argument initializer would do it.",
    ),
    chosen(
        3,
        "assumed",
        "An entry pushed when the script is there is initialised straight away, as its own task.",
    )
    .knob("queue.after_load"),
    chosen(
        4,
        "assumed: one bad tag must not stop the others",
        "An entry that lacks `div` or `obj` gives diag `bad_queue_entry`; the ones behind it are served.",
    ),
    chosen(5, "assumed; CON-5", "`onReady` may be missing from an entry."),
    chosen(
        6,
        "assumed",
        "What an entry's `onReady` pushes is handled after everything that was in the array already.",
    ),
];
