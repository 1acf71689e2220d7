//! Rules SCHED: how often ads come.

use super::{Row, chosen};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "advertising.md section 7: the loop option",
        "With a loop only the first pre-roll slot is used: as the pre-roll, and again at each further multiple of \
         the loop's interval within the content. Each item, and each `stop()`, begins it anew.",
    ),
    chosen(
        2,
        "advertising.md section 7: a loop ends at the first valid ad or when all tags were asked",
        "Each loop is a break with that slot's waterfall; the number of loops counts those that were opened. \
         What a seek passes over is not made up for.",
    ),
    chosen(
        3,
        "advertising.md section 7: whichever of the two counts is reached first",
        "No loop begins once as many ads of the loop have started as its impressions allow; one that has begun \
         is finished.",
    ),
    chosen(
        4,
        "advertising.md section 7: ads on every nth video only",
        "With a frequency only every so manieth video that is started has ads, the first one included; ads on \
         command do not ask.",
    ),
    chosen(
        5,
        "advertising.md section 7: first ad delayed by n videos",
        "With an offset so many videos go by before the first one that has ads.",
    ),
    chosen(
        6,
        "advertising.md section 7: kept over page reloads",
        "Videos that were seen before the page was loaded count for frequency and offset.",
    ),
];
