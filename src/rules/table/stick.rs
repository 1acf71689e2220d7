//! Rules STICK: sticky players.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events",
        "The scenario makes a player sticky or not. `data.sticky` tells the new state, `data.interaction` \
         whether the person did it by closing.",
    ),
    chosen(
        2,
        "assumed",
        "A sticky player that the person closed stays closed, however the page scrolls, until it is \
         destroyed.",
    )
    .knob("sticky.after_close"),
    chosen(3, "assumed", "Without a change of state there is no `stickyChange`."),
];
