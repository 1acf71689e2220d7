//! Rules BRK: the ad break.

use super::{Row, chosen, iab, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events (impression prepared, start begins)",
        "A linear ad that is ready starts in its own task: `beforeStart` if due, `adImpression`, \
         `adStart`, then it owns the screen.",
    )
    .knob("ad.impression_vs_start"),
    stated(2, "doc:events; both assumed", "For a VPAID ad `vpaidStart` comes directly after `adStart`.")
        .knob("vpaid.start"),
    stated(
        3,
        "doc:events, iab",
        "At 25, 50 and 75 percent of the ad come `adFirstQuartile`, `adMidpoint` and `adThirdQuartile`, \
         at its end `adComplete`.",
    ),
    iab(
        4,
        "iab (each is a tracking event), assumed",
        "Several quartiles passed in one step of time are each emitted, in order.",
    )
    .knob("quartile.catch_up"),
    chosen(
        5,
        "assumed, iab; INV-13",
        "A linear ad that started ends in exactly one of `adComplete`, `adSkip` and `adError`. Overlays \
         have their own rules (OVL-2, OVL-5, OVL-6).",
    ),
    stated(6, "doc:adpos", "`adComplete` and `adSkip` hold the integers `wp`, `pod` and `pods`."),
    chosen(
        7,
        "assumed (OBS-4 for pods)",
        "`wp` is the winning tag's place in its pod's waterfall and `pod` the pod's place in the break; \
         both count from 0.",
    )
    .knob("adpos.base"),
    stated(
        8,
        "doc:adpos, OBS-4",
        "The pods of a break play in turn, each by its own waterfall; one without fill is left out.",
    ),
    iab(
        9,
        "iab; error assumed",
        "A winner that is a VAST pod plays all its ads in sequence under the same `wp` and `pod`, each \
         from `adImpression` to `adComplete`. An ad among them that cannot play gives one `adError` and \
         is replaced or left out, and the tag counts as filled.",
    )
    .knob("vast.pod"),
    stated(
        10,
        "doc:events; once per break assumed, CON-18",
        "`adEnd` closes the break, once, whether or not an ad was shown.",
    )
    .knob("ad_end.scope"),
    chosen(
        11,
        "assumed",
        "Between the ads of a break, also behind a failed one, the player is back in loading: \
         `getAdInProgress()` is false and content stays hidden.",
    )
    .knob("ad_in_progress.spans"),
    chosen(
        12,
        "OBS-5, assumed",
        "An ad that breaks after its start emits `adError`, and the waterfall goes on with the next tag.",
    )
    .knob("ad.after_start_error"),
    iab(
        13,
        "iab, doc:events",
        "Skipping works from the ad's skip offset on; earlier attempts are ignored with a diag, and an ad \
         without offset cannot be skipped.",
    )
    .knob("skip.default_offset"),
    chosen(
        14,
        "assumed",
        "A skip emits `adSkip` and leads to the next ad or pod. It works on a paused ad as well, without \
         `adResume`, and what comes next plays.",
    )
    .knob("skip.scope"),
    stated(
        15,
        "doc:events",
        "Pausing and resuming an ad emit `adPause` and `adResume`; its quartiles wait meanwhile.",
    ),
    chosen(
        16,
        "assumed, peer",
        "While a linear ad is on, content emits no `timeupdate`, `play`, `pause`, `progress`, \
         `lastSecond` or `seeked`. A seek that still waits for data finishes after `adEnd`.",
    )
    .knob("ad.content_events"),
    chosen(
        17,
        "assumed",
        "The content position stands still during linear ads. The edge of a live stream goes on; \
         the position is kept as long as it lies in the window.",
    )
    .knob("live.during_ad"),
    chosen(
        18,
        "assumed",
        "Content that goes on after a mid-roll or a commanded break does so without `play`.",
    )
    .knob("midroll.play_event"),
    chosen(19, "assumed", "Volume and mute set during an ad hold for the ad and the content."),
    chosen(20, "assumed", "An ad that stalls for longer than `ad.stall_timeout` (8 s) fails with 405.")
        .knob("ad.stall_timeout"),
    iab(
        21,
        "iab, assumed",
        "An ad of length zero gives impression, start, its quartiles (all three) and complete, in this \
         order and within one instant.",
    ),
    iab(
        22,
        "iab",
        "An ad's duration is known once its media is there; where the VAST document says otherwise, \
         quartiles go by the media.",
    )
    .knob("ad.duration_from"),
    chosen(
        23,
        "assumed",
        "The trace has a `break` line at the start of a break (kind, cue point, waterfalls, engine, \
         reason) and one at its end (outcome).",
    ),
];
