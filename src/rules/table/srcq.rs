//! Rules SRCQ: current source.

use super::{Row, stated};

pub(super) const ROWS: &[Row] = &[stated(
    1,
    "doc:calls, html",
    "`currentSrc()` is the address of the current item's rendition, or an empty text if there is \
         none.",
)
.knob("src.during_ad")];
