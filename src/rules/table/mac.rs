//! Rules MAC: macros in the addresses of ads.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "VAST 4.3 section 6",
        "A macro of the standard whose value nobody knows becomes `-1`, one that is withheld `-2`; values are \
         percent-encoded, and the items of a list each for itself, with literal commas between.",
    ),
    chosen(
        2,
        "VAST 4.3 section 6 leaves it open",
        "`CACHEBUSTING` is eight digits, drawn from the seed for each address that asks; within one address \
         it is the same.",
    ),
    chosen(
        3,
        "real tags",
        "`%%NAME%%` and `${NAME}` count like `[NAME]`, `[errorcode]`, `[random]` and `[RANDOM]` are filled; \
         other lower-case and unknown names stay as written.",
    )
    .knob("macros.spelling"),
    iab(
        4,
        "VAST 4.3 section 6",
        "What clock, player, break and ad can say is filled from them at the instant of the call: playheads, \
         size, sound, fullscreen, kind of break, ads started in it, and what the document says of the ad.",
    ),
    chosen(
        5,
        "assumed",
        "What only a page can say comes from the scenario's `page.macros`, `withheld` among it; where the \
         page is silent the player's usual answer is given, if it has one.",
    ),
    chosen(
        6,
        "VAST 4.3 section 6 leaves it open",
        "`TRANSACTIONID` is one id for all that a break asks and tells, made from the seed, the player's name \
         and the break's number.",
    ),
    chosen(
        7,
        "VAST 4.3 section 6",
        "`CLICKPOS` is where the scenario has the person click, in pixels; a click without a place leaves it \
         unknown.",
    ),
];
