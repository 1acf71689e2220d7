//! Rules AD: ad objects.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:ad",
        "An ad object has `adType` (0 pre-roll, 1 mid-roll, 2 post-roll, 3 overlay), `adTimeType` (`s` or \
         `%`), the list `mobile` and, if wanted, the list `desktop`.",
    ),
    stated(
        2,
        "doc:ad (required)",
        "An ad object whose `adType` is missing or not 0 to 3 is error `bad_ad` and adds nothing.",
    ),
    stated(
        3,
        "doc:ad marks it as required; leniency assumed, CON-16",
        "A missing `adTimeType` passes silently for pre- and post-rolls; for mid-rolls and overlays it \
         counts as `s`, with a diag.",
    )
    .knob("ad.time_type_required"),
    stated(4, "doc:ad", "No `mobile` list, or an empty one, is error `bad_ad` unless `adTagUrl` stands in."),
    stated(
        5,
        "doc:ad (sample); CON-2",
        "`adTagUrl`, a text or a list, serves as `mobile` with diag `ad_tag_url`; next to a real `mobile` \
         it loses.",
    )
    .knob("ad.adTagUrl"),
    stated(
        6,
        "doc:ad; an empty list as absent from OBS-4",
        "Desktop devices use `desktop` if it holds tags; mobile devices, and desktops without such a \
         list, use `mobile`.",
    )
    .knob("ad.empty_desktop"),
    chosen(7, "assumed", "The scenario settles the kind of device before the run; it stays."),
    chosen(
        8,
        "assumed (OBS-4); CON-15",
        "No documented field holds the time of a mid-roll or overlay. Read as extensions: `cuepoints` \
         (list or comma text), `overlayStartAt` and `overlayDuration`, in the unit of `adTimeType`.",
    )
    .knob("ad.time_field"),
    chosen(
        9,
        "assumed",
        "A mid-roll without cue point is taken but never fires, with diag `no_cue`. An overlay without \
         start time shows from 0 s, for as long as OVL-3 says.",
    )
    .knob("midroll.no_cue"),
    stated(
        10,
        "doc:calls",
        "`setAd(ad)` adds at level `player` unless `video` is named. The new tags go behind those of that \
         type's waterfall, or ahead of them if `prepend` is true.",
    ),
    chosen(11, "assumed", "One call's tags move as a block: [a, b] prepended to [x, y] makes [a, b, x, y].")
        .knob("set_ad.prepend_order"),
    chosen(
        12,
        "assumed",
        "New tags join pod 0 of their type, which is made if need be; mid-roll and overlay tags join the \
         pod of the same cue point or found a new one. Ad objects in a settings fixture may say their \
         `pod`.",
    )
    .knob("set_ad.pod"),
    stated(
        13,
        "doc:limits; per type from OBS-6",
        "A video-level ad replaces the player-level ads of its own type for that item; the other types \
         stay.",
    )
    .knob("override.scope"),
    chosen(
        14,
        "assumed",
        "`setAd` reaches breaks that have not begun; one under way plays the list it began with.",
    ),
    chosen(
        15,
        "assumed",
        "A pre-roll set after content started waits for the next start (replay by knob, `stop`, \
         `pushAds`). A mid-roll whose cue point lies behind does not fire until a seek back arms it \
         (CUE-6).",
    ),
    chosen(
        16,
        "assumed",
        "`setAd` is silent and gives nothing back; the trace shows the resulting waterfall.",
    ),
    stated(17, "doc:calls", "A level other than `player` and `video` given to `setAd` is error `bad_ad`."),
    stated(
        18,
        "doc:adpos; reading assumed, CON-14",
        "Player-level ads are those of the settings fixture plus `setAd`. `pods` is how many pods the \
         player level holds for the break's type, even if the break is video-level; a commanded break is \
         of type pre-roll, or overlay if `playAd` has `adType` 3.",
    )
    .knob("ad.pods_counts"),
];
