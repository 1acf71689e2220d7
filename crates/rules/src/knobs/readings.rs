//! The values of knobs for passages of the reference that players read differently: one enum per
//! knob, the default first.
//!
//! The default follows the wording of the reference where that decides. The table of
//! [`knobs`](super) says which rules depend on which knob.

use super::written::choices;

choices! {
    "Which breaks of a VMAP response fire `adEnd`."
    VmapAdEnd {
        Break "break" "Each of its breaks; the break that requested it only if no pre-roll follows.",
        Answer "answer" "Each of its breaks and, at once, the break that requested it.",
    }

    "What `pod` of `adComplete` and `adSkip` counts."
    PodPosition {
        Slot "slot"
            "The position of the ad's slot in the break: all ads of one VAST pod have the same number.",
        Ad "ad" "The position of the ad in its response: the ads of a VAST pod count up.",
    }

    "What `pods` of `adComplete` and `adSkip` counts."
    PodsCount {
        PlayerLevel "player_level" "The pods that are set at player level for this type of break.",
        Break "break" "The pods of the break itself.",
    }

    "What fires when a user clicks on a VPAID ad and the unit does not report the click."
    VpaidClick {
        Person "person" "`adClicked`: a user has clicked on an ad.",
        Unit "unit" "Nothing: only what the unit reports counts.",
    }

    "What happens to an ad on command while the video is excluded from monetization."
    CommandMonetize {
        Refuse "refuse" "It is ignored, and a diagnostic is logged.",
        Play "play" "It plays, because it was requested explicitly.",
    }

    "What `currentChapter()` returns before the first chapter."
    ChapterBeforeFirst {
        First "first" "The first chapter.",
        None "none" "`null`.",
    }
}
