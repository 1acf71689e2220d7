//! Rules POST: post-rolls.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:ad; holding assumed",
        "Content that reaches its end opens the post-roll break and holds its last frame, first in ad \
         loading and then in the ad.",
    ),
    chosen(
        2,
        "as comparable players do",
        "`ended` follows the post-roll break (END-2), and the advance follows `ended`.",
    ),
    chosen(
        3,
        "assumed",
        "Seeking while a post-roll loads cancels its break without `adEnd` and returns to content, \
         playing or, if it was paused there, paused. The post-roll is still armed.",
    ),
];
