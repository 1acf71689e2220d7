//! Rules EV: the 41 events.

use super::{Row, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events; INIT-12",
        "`ready`: on the way from created to initial, once per player, no data. It follows the callback \
         and precedes all but `loadedmetadata`, `progress`, `fullscreenchange`, `playerresize`, \
         `stickyChange` and `destroyBefore`.",
    ),
    stated(
        2,
        "doc:events",
        "`qualityChange`: from initial to ended, ads included, for each real change, no data. It comes \
         with the change of `currentSrc()`.",
    ),
    stated(
        3,
        "doc:events; PLAY-4",
        "`start`: in playing, once per loaded item and anew after `stop()`, no data. It follows `play` \
         and precedes the first periodic `timeupdate` and every mid-roll.",
    ),
    stated(
        4,
        "doc:events; PLAY-7",
        "`beforeStart`: in initial or ad loading, once per item start, no data. Directly after it comes \
         the first ad's `adImpression` or `play`.",
    ),
    stated(
        5,
        "doc:events",
        "`play`: into playing or buffering, for each move there by intent, no data. It never falls in a \
         linear ad.",
    ),
    stated(
        6,
        "doc:states",
        "`pause`: into paused, for each move there from playing or buffering, no data. A `timeupdate` \
         precedes it; the end and `stop()` have none.",
    ),
    stated(
        7,
        "doc:states",
        "`ended`: into ended, once per pass, no data. It follows `timeupdate` and the post-roll and \
         precedes `skipped` and `playlistComplete`.",
    ),
    stated(
        8,
        "doc:states",
        "`stopped`: into initial, for each `stop()`, no data. It is the last event of that call.",
    ),
    stated(9, "doc:events", "`lastSecond`: in playing, once per pass, no data. `ended` comes later."),
    stated(
        10,
        "doc:errors",
        "`playbackerror`: into failed, for each failure, no data. Without another `play` no `ended` \
         follows.",
    ),
    stated(
        11,
        "doc:events",
        "`clickedThrough`: in content of any state but failed, for each click, no data. If the click \
         pauses, `pause` comes after it.",
    ),
    stated(
        12,
        "doc:errors",
        "`livestreamstopped`: into failed, once per load, no data. It comes without `playbackerror`.",
    ),
    stated(
        13,
        "doc:events",
        "`destroyBefore`: in any live state, once, no data. It is a player's last event.",
    ),
    stated(
        14,
        "doc:events",
        "`playlistStart`: in initial or ended, once per pass, no data. The first item's `beforeStart` and \
         ad requests come after it.",
    ),
    stated(
        15,
        "doc:events",
        "`skipped`: in any state, for each move to a neighbour, no data. On automatic advance it follows \
         `ended`; the new item's `beforeStart` follows it.",
    ),
    stated(
        16,
        "doc:events",
        "`playlistComplete`: in ended, once per pass, no data. It comes directly after the last `ended`.",
    ),
    stated(
        17,
        "doc:events; html",
        "`timeupdate`: periodically while playing and at pause, seek, stall, end and stop, no data. \
         MEL-15 and MEL-16 give the times.",
    ),
    stated(
        18,
        "doc:events; html, CON-32",
        "`progress`: in any state while content loads, periodically by MEL-4, no data. Complete data ends \
         it.",
    ),
    stated(
        19,
        "doc:events",
        "`seeked`: in content states and ad loading, for each finished seek, no data. It follows its \
         `timeupdate` and precedes a mid-roll that the seek sets off.",
    ),
    stated(
        20,
        "doc:events",
        "`requestAd`: in ad loading, between ads, and in content while a break loads, for each tag, no \
         data. All events of the answer come after it.",
    ),
    stated(
        21,
        "doc:events",
        "`AdsManagerLoadedEvent`: while a break loads, once per SDK answer, no data. It stands between \
         `requestAd` and `adImpression`.",
    ),
    stated(
        22,
        "doc:events",
        "`bidWon`: while a break loads, at most once per break, no data. The `requestAd` of the bid's tag \
         comes after it.",
    ),
    stated(
        23,
        "doc:events",
        "`adStart`: into ad playing, for overlays in content, once per ad, no data. It follows \
         `adImpression`.",
    ),
    stated(
        24,
        "doc:events",
        "`vpaidStart`: in ad playing, once per VPAID ad, no data. It follows `adStart`.",
    ),
    stated(
        25,
        "doc:events",
        "`adImpression`: into ad playing, for overlays in content, once per ad, no data. It follows \
         `beforeStart` if that is due.",
    ),
    stated(
        26,
        "doc:events; iab",
        "`adFirstQuartile`: in ad playing, once per ad, no data. The quartiles keep their order.",
    ),
    stated(
        27,
        "doc:events; iab",
        "`adMidpoint`: in ad playing, once per ad, no data. It follows `adFirstQuartile`.",
    ),
    stated(
        28,
        "doc:events; iab",
        "`adThirdQuartile`: in ad playing, once per ad, no data. It follows `adMidpoint`.",
    ),
    stated(
        29,
        "doc:events",
        "`adEnd`: at the end of a break, once per break, no data. No ad event of the break comes after \
         it.",
    ),
    stated(
        30,
        "doc:events",
        "`adComplete`: in ad playing, for overlays in content, at most once per ad, with `wp`, `pod`, \
         `pods`. In a linear ad it follows `adThirdQuartile`.",
    ),
    stated(
        31,
        "doc:events",
        "`adSkip`: in an ad, playing or paused, or overlay, at most once per ad, with `wp`, `pod`, \
         `pods`. That ad has no quartile and no `adComplete` after it.",
    ),
    stated(
        32,
        "doc:events",
        "`adError`: while a break loads or an ad is on, once per failed tag, with `code` and `message`. \
         It precedes the next `requestAd` or `adEnd`.",
    ),
    stated(
        33,
        "doc:events",
        "`adPause`: into ad paused, each time, no data. It takes turns with `adResume`.",
    ),
    stated(
        34,
        "doc:events",
        "`adResume`: from ad paused to ad playing, each time, no data. An `adPause` has come before it.",
    ),
    stated(
        35,
        "doc:events",
        "`adClicked`: in an ad, playing or paused, or overlay, for each click, no data. If the click \
         pauses the ad, `adPause` comes after it.",
    ),
    stated(
        36,
        "doc:events; html, CON-36",
        "`loadedmetadata`: in created or later, once per load, no data. It needs media metadata and the \
         resolved record, and precedes the item's `start`.",
    )
    .knob("loadedmetadata.needs"),
    stated(37, "doc:events", "`fullscreenchange`: in any live state, for each change, no data."),
    stated(38, "doc:events", "`playerresize`: in any live state, for each change of size, no data."),
    stated(39, "doc:events", "`volumechange`: in any live state, for each change of volume, no data."),
    stated(40, "doc:events", "`mutechange`: in any live state, for each change of mute, with `muted`."),
    stated(
        41,
        "doc:events",
        "`stickyChange`: in any live state, for each change, with `sticky` and `interaction`.",
    ),
];
