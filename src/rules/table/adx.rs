//! Rules ADX: what an ad does besides its film.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "VAST 4.3 sections 2.4, 3.16",
        "The verifications of all documents on the way to an ad run once its media file is chosen and before \
         that is asked for, those of the outermost document first.",
    ),
    chosen(
        2,
        "VAST 4.3 section 3.17.1",
        "What becomes of a vendor's verification the scenario's `page.verification` says; without a word on the \
         vendor its first JavaScript resource for Open Measurement runs if the page has `omid`, which is so by \
         default, and nothing else does.",
    ),
    iab(
        3,
        "VAST 4.3 sections 2.3.6, 3.17.3",
        "A verification that does not run calls its `verificationNotExecuted` trackers with `[REASON]` 1 \
         (refused), 2 (unsupported) or 3 (load error), and the ad's error addresses once with 410; the ad plays.",
    ),
    iab(
        4,
        "VAST 4.3 section 3.5, MRC viewable impression",
        "An ad counts as seen once its film has played for 2 s without interruption, or an overlay shown for \
         1 s, with half of the player in view and the page not hidden: `Viewable` of all documents is called. \
         An audio ad has none of the three.",
    ),
    iab(
        5,
        "VAST 4.3 section 3.5",
        "An ad that is completed, skipped, closed or fails before it counts as seen calls `NotViewable`, as the \
         last thing before that end; one that is aborted calls nothing.",
    ),
    chosen(
        6,
        "VAST 4.3 section 3.5 leaves it open",
        "Where the page says that views cannot be measured, `ViewUndetermined` is called when the ad starts.",
    ),
    iab(
        7,
        "VAST 4.3 section 3.14",
        "At one instant the trackers of an ad come in this order: loaded, impressions, start's, companions', \
         thresholds ascending with quartiles before progress, icons, viewability, then those of its end.",
    ),
    iab(
        8,
        "VAST 4.3 sections 2.3.5.2, 3.11",
        "Of each programme one icon shows: that of the document nearest to the ad, there the first that has \
         something that can be shown.",
    ),
    iab(
        9,
        "VAST 4.3 section 3.11",
        "An icon shows from its `offset` on the ad's clock for its `duration`, without one to the ad's end; \
         `IconViewTracking` is called when it is shown.",
    ),
    iab(
        10,
        "VAST 4.3 section 3.11.3",
        "A click on an icon calls `IconClickTracking`, leads to `IconClickThrough` and pauses the ad; it is no \
         click on the ad.",
    ),
    chosen(
        11,
        "VAST 4.3 section 3.11.4",
        "Where a page cannot be opened, or the icon names none, the first fallback image that fits the player is \
         shown, and the ad is paused until the person closes it or plays on.",
    ),
    chosen(
        12,
        "VAST 4.3 sections 2.3.5.2, 3.13",
        "Companions are those of the document nearest to the ad that has any. Each in turn takes the first free \
         place of the page that bears the name it asks for and has its size, or else is large enough; it shows \
         the first of its resources that can be shown.",
    ),
    iab(
        13,
        "VAST 4.3 section 3.13",
        "Where `required` is `all` and a companion has no place, or `any` and none has one, the ad is not played: \
         602.",
    ),
    chosen(
        14,
        "VAST 4.3 section 2.3.6",
        "Companions that need not be shown, and of which none can be though the page has places or it is an end \
         card, call the ad's error addresses: 601 for its size, 603 if it cannot be had, 604 for its type, 600 \
         otherwise. The ad plays.",
    ),
    iab(
        15,
        "VAST 4.3 sections 3.13, 3.14",
        "Companions show from the ad's start to its end and call `creativeView` when they do.",
    ),
    iab(
        16,
        "VAST 4.3 section 3.13",
        "A click on a companion calls `CompanionClickTracking` and leads to `CompanionClickThrough`; it is no \
         click on the ad, and the ad goes on.",
    ),
    chosen(
        17,
        "VAST 4.3 sections 3.13, 3.14",
        "A companion that is an end card shows in the player when a linear ad is complete, until the person \
         closes it, which calls `closeLinear`, or for `ad.end_card`; the break goes on behind it.",
    )
    .knob("ad.end_card"),
    chosen(
        18,
        "VAST 4.0 section 3.14",
        "`timeSpentViewing`, which 4.1 gave up, is called once, just before an ad's end.",
    ),
    iab(
        19,
        "VAST 4.3 section 3.14",
        "What the person does with an ad calls its trackers: `acceptInvitation` (of linear ads also under its old \
         name), `otherAdInteraction`, `CustomClick`; an accepted invitation pauses what plays.",
    ),
    iab(20, "VAST 4.3 section 3.14", "An ad that the person moves back calls `rewind`."),
    iab(
        21,
        "VAST 4.3 section 3.12",
        "Of several overlays in one creative the first is shown that fits the player and has something that can \
         be shown; if none is: 501 for size, 502 if it cannot be had, 503 for its type, 500 otherwise.",
    ),
    chosen(
        22,
        "VAST 4.3 section 3.12",
        "While an overlay is expanded or minimized its time stands; `adExpand` and `adCollapse` are told under \
         their old names too.",
    ),
    iab(
        23,
        "VAST 4.3 section 3.14",
        "`overlayViewDuration` is called once, when an overlay is first expanded, minimized or closed, or has \
         been shown for its time.",
    ),
    iab(
        24,
        "VAST 4.4 draft",
        "An overlay with media files of its own loads the one that linear ads would take, and shows for its \
         `Duration`, or else as long as the film is; a page beside it does not run.",
    ),
    chosen(
        25,
        "VAST 4.3 section 3.9.4",
        "Of an ad's captions those in the page's language are taken, or else those whose language begins alike; \
         none where the page has no language.",
    ),
    iab(
        26,
        "VAST 4.3 sections 3.4.3, 3.4.8, 3.7.1, 3.18",
        "What a filled ad says of itself is traced: its price, in a chain that of the outermost document, its \
         serving id, universal ids, and the fallback index of a `waterfall` extension.",
    ),
    chosen(27, "VAST 4.3 section 3.8", "A skip offset below `skip.min_offset` counts as that.")
        .knob("skip.min_offset"),
];
