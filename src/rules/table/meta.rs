//! Rules META: titles and tags.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:video",
        "`getTitle()` is the title of the current item and `getTags()` its tags, as one text with commas, \
         the way the record has them.",
    )
    .knob("tags.shape"),
    chosen(
        2,
        "assumed",
        "A record that is edited while it plays keeps its old values until an item is loaded again.",
    )
    .knob("record.live_update"),
    chosen(
        3,
        "assumed",
        "Title and tags can be asked in all states from initial to failed; during an ad they are still \
         the content's.",
    ),
];
