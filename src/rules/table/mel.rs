//! Rules MEL: the media element below.

use super::{Row, chosen, html};

pub(super) const ROWS: &[Row] = &[
    html(
        1,
        "html",
        "A new source first clears the old one: pending play requests are rejected, `abort` unless its \
         load had failed, `emptied`, position 0, paused without an event, default rate (`ratechange` if \
         it was another), no error. The `timeupdate` of that reset, due if the position had moved, stays \
         internal in a player; a bare element tells it.",
    ),
    html(
        2,
        "html",
        "Loading starts with `loadstart`. With the metadata come `durationchange`, `resize` for pictures, \
         and `loadedmetadata`, in that order and each as its own queued task; the last is visible to the \
         page.",
    ),
    html(
        3,
        "html",
        "The first frame (40 ms of media) gives `loadeddata`, once per load; enough to go on (1 s, or all \
         up to the end) gives `canplay`; so much that playing would not run dry at the bandwidth of the \
         moment gives `canplaythrough`. If play is already wanted, `playing` falls between the last two. \
         They come in a task behind `loadedmetadata`.",
    ),
    html(
        4,
        "html, which allows 200 ms either way",
        "Arriving data emits `progress` every 350 ms or per chunk, whichever is rarer, and once more at \
         completion, then `suspend`. Media that is complete along with its metadata gives none; while no \
         data moves there is none either.",
    )
    .knob("progress.interval, progress.jitter"),
    html(
        5,
        "html",
        "Loading that gets no data for 3 s emits `stalled`, and again only after data has moved in \
         between.",
    )
    .knob("stalled.after"),
    html(
        6,
        "html",
        "A source that fails to fetch or decode before metadata sets error code 4, emits `error` and \
         rejects pending play requests as not supported; the page sees `playbackerror`. A bare element that \
         was to play is paused behind that, as browsers do.",
    ),
    html(
        7,
        "html",
        "After metadata a fatal network failure is error code 2 and a decoding failure code 3, each with \
         `error`; the page sees `playbackerror`. A decoding failure leaves pending play requests alone; \
         but a bare element is then paused with `timeupdate` and `pause`, as browsers do, and that aborts \
         them.",
    ),
    html(
        8,
        "html",
        "The paused flag, the error and the position have their new values before the event that tells of \
         them is delivered.",
    ),
    html(
        9,
        "html; agrees with PLAY-2",
        "A play request while paused clears the flag and queues `play`, then `waiting` if data is short \
         or else `playing`, which resolves the request. While already playing it only resolves, without \
         event.",
    ),
    html(
        10,
        "html",
        "Pausing something that plays queues one task with `timeupdate` and `pause` and rejects pending \
         requests as aborted. Pausing twice does nothing.",
    ),
    html(
        11,
        "html",
        "Running into the end without loop is one task: `timeupdate`, then `pause` if it still stands \
         unpaused at the end, then `ended`. What the page sees of it is END-1. A bare element is paused \
         already when the first of them is heard, as in browsers.",
    ),
    html(12, "html", "A play request at the end goes back to the start before it plays."),
    html(
        13,
        "html",
        "A seek replaces an unfinished one and clamps its target to the nearest seekable place. It gives \
         `seeking` and, once data is there, `timeupdate` and `seeked`. The element falls back to its \
         metadata for that time, as in browsers: `waiting` behind `seeking` if it plays, and `canplay`, \
         `playing` if it plays, `canplaythrough` behind `seeked`; in a player these stay internal.",
    ),
    html(
        14,
        "html",
        "Before any metadata a seek merely sets where playback will start, without event. With the \
         metadata the element seeks there by itself, which stays internal in a player.",
    ),
    html(
        15,
        "html",
        "The standard lets `timeupdate` come every 15 to 250 ms while playing. The simulator takes one \
         fixed period of 250 ms, counted from the instant the position began to move and begun anew after \
         pause, seek, stall and linear ad. With jitter each comes up to a quarter of the period early, \
         but never within 15 ms.",
    )
    .knob("timeupdate.period, timeupdate.jitter, timeupdate.phase"),
    html(
        16,
        "html: none within 15 ms of another",
        "Pause, lack of data, seek and end bring a `timeupdate` of their own, and a periodic one due at \
         that same instant is dropped. One already delivered, as before a call scripted for the instant, \
         stays.",
    )
    .knob("timeupdate.coalesce"),
    html(
        17,
        "html",
        "Running dry while playing gives `timeupdate` and `waiting` and holds the position. When data is \
         back come `canplay` and `playing`, with `canplaythrough` if nothing is missing. A scripted stall \
         comes once for each load; seeking back does not repeat it.",
    ),
    html(
        18,
        "html",
        "`volumechange` needs a true change of volume or mute, and setting a volume that is not from 0 to \
         1 is an index error. VOL and MUTE say what the page sees.",
    ),
    chosen(
        19,
        "assumed: keeps CLK-5 true over hours",
        "While content plays and has data its position grows by elapsed time times rate. It is computed \
         from an anchor (time and position), not by adding up ticks.",
    ),
    html(
        20,
        "html",
        "Duration is unknown until metadata, then a number, for live infinite. A later correction emits \
         `durationchange`, and a position beyond the new end becomes a seek to that end.",
    ),
    html(21, "html", "A timed cue holds from its start, included, to its end, excluded. Chapters use this."),
    html(
        22,
        "html, assumed",
        "The rate is 1, as no documented call sets it; only the scenario can change it, from 0.0625 to 16, \
         with an internal `ratechange`. Positions go by it, time updates by the clock; on a live stream \
         nothing passes the edge. Any other rate is ignored with diag `rate_range`. A bare element takes \
         0 too; another number is not supported.",
    )
    .knob("rate.allowed"),
    chosen(
        23,
        "assumed; CON-36",
        "Queued media tasks are marked with the load that made them and are dropped when a newer load has \
         taken over.",
    ),
    html(
        24,
        "html (open issue), assumed",
        "The standard leaves open whether `seeked` or `ended` is first when a seek lands on the end; here \
         `seeked` comes first, then the end.",
    )
    .knob("seek_to_end.order"),
    chosen(
        25,
        "assumed",
        "Whether data runs out follows from the fixture: a bandwidth script delivers bytes, playing uses \
         them up by bitrate, all in whole numbers. Without a script everything is there at metadata. Data \
         comes for one stretch of the media: a seek to what is not at hand asks for it from there to the \
         end, and lets go of what was. A player's content loads on from the metadata, played or not.",
    ),
];
