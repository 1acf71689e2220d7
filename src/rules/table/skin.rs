//! Rules SKIN: skins.

use super::{Row, stated};

pub(super) const ROWS: &[Row] = &[stated(
    1,
    "doc:calls; rest assumed",
    "`changeSkin(id)` keeps an integer id and notes it in the trace, without event. An unknown id is \
         kept with a diag; what is no integer is error `bad_argument`.",
)
.knob("skin.unknown")];
