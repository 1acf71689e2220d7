//! Rules NM: not modelled, on purpose.

use super::{Row, not_modelled};

pub(super) const ROWS: &[Row] = &[
    not_modelled(
        1,
        "doc:loading",
        "Where in the page the script tag stands and whether it has `async` is not modelled; a scenario says \
         when the script arrives.",
    )
    .waits("left out on purpose: only the time of arrival matters"),
    not_modelled(
        2,
        "doc:source",
        "What an item's `description` is used for is not modelled; it is read and has no effect.",
    )
    .waits("left out on purpose: no call or event gives it back"),
    not_modelled(
        3,
        "doc:chapters",
        "That the title of a chapter is displayed is not modelled; `currentChapter()` gives it.",
    )
    .waits("left out on purpose: a headless player shows nothing"),
    not_modelled(
        4,
        "doc:limits",
        "Which two desktop browsers, in which versions, ask for a gesture is not modelled; `gesture_policy` \
         says whether one is due.",
    )
    .waits("left out on purpose: the scenario decides"),
    not_modelled(
        5,
        "doc:video, doc:comscore",
        "What age gates and the comScore fields mean is not modelled; their values are stored and traced.",
    )
    .waits("left out on purpose: the reference shows no effect on the player"),
];
