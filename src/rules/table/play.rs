//! Rules PLAY: play.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:states",
        "Whenever nothing plays, `play()` notes that play is wanted and resumes, or runs the sequence of \
         a start (PLAY-4).",
    ),
    stated(
        2,
        "doc:states; buffering counts as playing",
        "While content plays or buffers `play()` has no effect: neither event nor diag.",
    ),
    chosen(
        3,
        "assumed",
        "`play()` gives nothing back. As a promise it is kept when `playing` is told, be it after ads, and \
         broken by MEL-1, MEL-6 and MEL-10; a line tells which.",
    )
    .knob("play.returns"),
    stated(
        4,
        "doc:states, doc:events; `play` before `start` as the sentence lists them",
        "A first start without pre-roll gives `playlistStart` (playlists, first item of the pass), \
         `beforeStart` and `play` at the call, even if metadata is missing. `start` waits for the instant \
         from which the position can move.",
    )
    .knob("start.order, play.waits_for_metadata"),
    stated(
        5,
        "doc:states, doc:events; OBS-9",
        "A first start with pre-roll gives `playlistStart` if due and the request events, then \
         `beforeStart` directly ahead of the first ad, the ad's events, `adEnd`, and only then `play` and \
         `start`.",
    )
    .knob("play.with_preroll"),
    stated(
        6,
        "doc:events ('or before the video when there is no ad')",
        "A pre-roll without fill puts `beforeStart` after `adEnd`, directly ahead of `play`.",
    ),
    chosen(
        7,
        "assumed; CON-20",
        "`beforeStart` belongs to the start of an item and comes once for it; the further ads of a pod \
         and mid-rolls have none.",
    )
    .knob("before_start.scope"),
    stated(
        8,
        "doc:states ('the first time')",
        "Resuming paused content emits `play` alone, without `beforeStart` or any ad request; `start` \
         joins it only if the item still owes it.",
    ),
    stated(
        9,
        "doc:events ('for the first time'); scope assumed, CON-29",
        "`start` comes once per load of an item. Replaying from the end does not repeat it; starting \
         after `stop()` does (STOP-5).",
    )
    .knob("start.scope"),
    html(
        10,
        "html; ads assumed",
        "`play()` at the end goes to position 0 and emits `play`. The replay does not request again any \
         ad break that the item has opened.",
    )
    .knob("replay.prerolls"),
    chosen(
        11,
        "assumed",
        "`play()` after `playlistComplete` begins a new pass at item 0, with `playlistStart`.",
    )
    .knob("playlist.play_after_complete"),
    stated(
        12,
        "doc:states ('initial state'), reading assumed",
        "`play()` after `stop()` is a first start again, pre-rolls and all.",
    )
    .knob("stop.rearms_ads"),
    chosen(
        13,
        "assumed",
        "`play()` while a break loads sets the wish to play, which `pause()` may have cleared; an ad that \
         PAUSE-4 held ready starts at once.",
    ),
    stated(
        14,
        "doc:events (adResume)",
        "In a running ad `play()` does nothing; in a paused one it emits `adResume` and the ad goes on.",
    ),
    chosen(
        15,
        "assumed",
        "After a playback error `play()` loads the item once more; if that works, it starts as a first \
         start without pre-rolls.",
    )
    .knob("play.after_error"),
    stated(
        16,
        "doc:limits",
        "Starting playback by script with ads enabled, on a mobile browser or a recent big desktop \
         browser, needs an earlier interaction of the person. The scenario gives `device`, \
         `gesture_policy` (required on mobile, free on desktop) and the gestures.",
    ),
    chosen(
        17,
        "assumed",
        "A start that lacks its gesture is refused: diag `gesture_required`, no event, same state.",
    )
    .knob("gesture.violation"),
    stated(
        18,
        "doc:limits (literal)",
        "Without an ad object in force, or for an item that is not monetized, no gesture is needed.",
    )
    .knob("gesture.scope"),
    chosen(19, "assumed", "One gesture is good for the whole rest of the run.").knob("gesture.lifetime"),
    chosen(20, "assumed", "An autoplay that starts muted needs no gesture.").knob("gesture.muted_exempt"),
    chosen(
        21,
        "assumed",
        "Players of one page do not touch each other; starting one leaves the others playing.",
    )
    .knob("multi.exclusive"),
];
