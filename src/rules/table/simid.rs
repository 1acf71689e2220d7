//! Rules SIMID: units beside the film of an ad, by the script of the scenario.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "SIMID 1.2 sections 4 and 7",
        "A unit that an ad names beside its film asks for a session (`createSession`), answers `init`, and \
         once the film has started and the impression counts, `startCreative`. Each message, answer and \
         refusal is a `simid` line. Trackers go by the film. `startCreative` resolved calls \
         `interactiveStart`.",
    ),
    iab(
        2,
        "VAST 4.3 section 3.9.3, SIMID 1.2 section 7.2; the refusal of variable durations chosen",
        "The first `InteractiveCreativeFile` for SIMID is loaded beside the film. One that cannot be had \
         within `ad.media_timeout`, has no framework that runs, or asks for a variable duration, is told \
         with 409, and the film plays without it. One that stands in the document is not asked for, and scripted \
         as `inline`. Without a script a unit answers at once and asks for nothing.",
    ),
    chosen(
        3,
        "SIMID 1.2 section 9 for the codes; the times and what follows chosen",
        "Without a session within `simid.session_timeout` (5 s) stands 1223, without an answer to `init` \
         within `simid.init_timeout` (5 s) 1212, for an answer that cannot be read 1210, for a version that \
         is not 1 stands 1201. The error addresses learn 902, and the film plays without the unit.",
    )
    .knob("simid.session_timeout, simid.init_timeout, simid.failed"),
    iab(
        4,
        "SIMID 1.2 section 9; the time for 1208 chosen",
        "A unit that has not answered `startCreative` by the end of the film fails with 1213, one that \
         answers after `simid.answer_timeout` (5 s) with 1208.",
    )
    .knob("simid.answer_timeout"),
    iab(
        5,
        "SIMID 1.2 section 9, VAST 4.3 code 902",
        "A fatal error of either side, while the ad is on, ends the ad: `adError` and the error addresses \
         learn 902, the number of SIMID stands in the trace.",
    ),
    iab(
        6,
        "SIMID 1.2 section 9",
        "A film that fails is told to its unit as 1206, one that waits for data too long as 1207, one of a \
         type that is not supported as 1209; VAST's own code for the film stays.",
    ),
    chosen(
        7,
        "SIMID 1.2 section 9 for the codes; the limit chosen",
        "A message that cannot be read is fatal with 1211, more than `simid.max_messages` (50) within a second \
         with 1205.",
    )
    .knob("simid.max_messages"),
    chosen(
        8,
        "SIMID 1.2 section 9 for the code",
        "What a unit asks for before `startCreative` is resolved, or where it makes no sense, is refused with \
         1204; a note and an error count at any time.",
    ),
    iab(
        9,
        "SIMID 1.2 section 4.4",
        "`requestSkip` skips an ad that may be skipped by now, else it is refused with 1204. `requestStop` ends \
         the ad with `adSkip` and the trackers of `closeLinear`.",
    ),
    iab(10, "SIMID 1.2 section 4.4", "`requestPause` pauses the ad, `requestPlay` resumes it."),
    iab(
        11,
        "SIMID 1.2 sections 4.4 and 9; limits chosen",
        "`clickThru` gives `adClicked` and the trackers of clicks. What the player is to open, it opens, and \
         the ad pauses; `requestNavigation` opens without either of them. Refused are a player or a device \
         that leads nowhere (1214, 1215), more than `simid.max_navigations` (3) addresses (1216), what is \
         no address (1217), a store link without an entry (1218), and another one while one is open (1219).",
    )
    .knob("simid.navigation, simid.max_navigations"),
    chosen(
        12,
        "SIMID 1.2 section 9 for the code; VAST 4.3 section 3.9.3",
        "`requestChangeAdDuration` is refused with 1202 for more than `simid.extra_time` (none). What is given \
         makes the ad longer behind its film.",
    )
    .knob("simid.extra_time"),
    chosen(
        13,
        "SIMID 1.2 section 9 for the code; screen and sound are the person's",
        "A unit that asks for another size, volume or for the whole screen is refused with 1203.",
    ),
    iab(
        14,
        "SIMID 1.2 section 4.4",
        "`reportTracking` calls the addresses that it names, `getMediaState` is answered, `log` is a note.",
    ),
    iab(
        15,
        "SIMID 1.2 sections 4.4 and 9; the limit chosen",
        "An overlay that is a unit may cover the content: `expandNonlinear` pauses the content and calls \
         `adExpand`, `collapseNonlinear` gives it back and calls `adCollapse`. It is refused if the content \
         does not pause (1220), the person does not want it (1221), or after `simid.max_expands` (3) \
         attempts (1222). An overlay whose unit fails before it shows cannot be used (902).",
    )
    .knob("simid.expand, simid.max_expands"),
    iab(
        16,
        "SIMID 1.2 section 4.3",
        "The unit is told how its ad ends, `adSkipped` or `adStopped`; nobody waits for its answer.",
    ),
];
