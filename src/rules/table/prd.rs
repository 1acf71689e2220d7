//! Rules PRD: what single products do otherwise than the standard.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "VAST 4.3 section 3.14; products differ",
        "Trackers stand for played time: by the standard quartiles that a seek in an ad passes over never come, \
         nor does `complete` after a move forward, and `progress` comes after so much play. The documented player counts what was \
         passed over as reached, as BRK-4 has it.",
    )
    .knob("quartile.in_seek"),
    chosen(
        2,
        "code of a product",
        "The `complete` trackers are called at the end of an ad; one product calls them at 99 percent. The \
         event `adComplete` comes at the end.",
    )
    .knob("complete.at"),
    iab(
        3,
        "VAST 4.3 section 2.3.6",
        "Where the page lets no VPAID unit run, a unit is no media file, and an ad that has only units fails \
         with 403; some products say 200.",
    )
    .knob("vpaid.refused"),
    chosen(
        4,
        "issues of a product",
        "One product refuses places at a share of the content with 900; here such a mid-roll or overlay is \
         dropped, with a diag as in CUE-2.",
    )
    .knob("cue.percent"),
    chosen(
        5,
        "code of a product",
        "One product counts content near its end as ended, and leaves out the mid-rolls that are still to \
         come: modelled as cues in the last stretch that never come.",
    )
    .knob("midroll.end_threshold"),
    iab(
        6,
        "VAST 4.3 sections 2.3.6, 4.3; the schemas of VAST 2.0.1 to 4.2",
        "A strict reader refuses a document that is no well-formed XML with 100, one of an unknown version with \
         102, one that the schema of its version does not allow with 101. Players are lenient: they read on and \
         say what they tolerate; one that goes by the standard knows the versions there are.",
    )
    .knob("vast.reading"),
    chosen(
        7,
        "code of a product",
        "One product tells the error addresses that the category of an ad is missing or blocked, and plays the ad \
         all the same.",
    )
    .knob("ad.category_fault"),
    chosen(
        8,
        "code of a product",
        "One product rounds the share of an ad that was played to whole percent: a `progress` tracker at a share \
         is due half a percent early, and one at a fraction of a percent never.",
    )
    .knob("progress.percent"),
];
