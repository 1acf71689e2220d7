//! Rules ENV: surroundings.

use super::{Row, chosen};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "assumed",
        "A scenario can supply gestures, clicks on all controls, drags of volume and timeline, scrolling, \
         sizes, device, network, media, ad and bid fixtures, script arrival, record edits, and listeners \
         with actions. All are of class ACTION or NET.",
    ),
    chosen(
        2,
        "assumed",
        "The person's input obeys the rules of the matching call, has cause `user` and is a gesture.",
    ),
    chosen(
        3,
        "assumed",
        "Input for which the screen has no control, such as a skip before its offset or the timeline \
         during an ad, is ignored with a diag.",
    ),
    chosen(4, "assumed", "Hiding the page changes nothing.").knob("visibility.hidden"),
];
