//! Rules PUSH: pre-rolls on command.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "Each `pushAds()` during content plays the player's pre-roll break one more time.",
    ),
    chosen(2, "assumed; CON-13", "The ads are the pre-rolls in force for the item, video level first.")
        .knob("push_ads.source"),
    stated(
        3,
        "doc:calls",
        "Only playing or buffering content takes `pushAds()`; elsewhere it is ignored with diag \
         `not_playing`.",
    )
    .knob("push_ads.in_pause"),
    chosen(
        4,
        "assumed",
        "Content halts and continues as in PA-2; as in PA-4 the call is ignored while a commanded break \
         or mid-roll loads.",
    )
    .knob("play_ad.busy"),
    chosen(5, "assumed", "Without pre-rolls `pushAds()` does nothing but give diag `no_ads`."),
];
