//! Rules SIZE: size.

use super::{Row, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:events",
        "`resize(w, h)` takes two integers from 0 up and emits `playerresize` if the size is a new one.",
    )
    .knob("resize.same"),
    stated(
        2,
        "doc:calls; assumed",
        "Without two proper numbers `resize` is error `bad_argument` and changes nothing; zero is proper.",
    ),
    stated(
        3,
        "doc:events",
        "When the scenario resizes the window, a player sized in percent emits `playerresize` if that \
         gives it another size.",
    ),
];
