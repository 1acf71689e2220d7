//! Rules about the media element, live streams and content errors.

use super::rules;

rules! { MEL
    MEL_1 html "html",
        "A new source first clears the old one: pending play requests are rejected; `abort` fires unless the \
         load had failed; `emptied` fires; the position is 0, the element paused without an event, the rate \
         the default (`ratechange` if it differed), the error cleared. If the position had moved, a \
         `timeupdate` follows: a bare element fires it, a player keeps it internal.";
    MEL_2 html "html",
        "The source is settled once the scripts of the instant have ended, and before any listener acts. \
         Until then the network state is 3 (no source), so that a second source in these scripts fires no \
         `abort`; then it is 2 (loading), or 0 without a source, and `loadstart` is queued: after what the \
         scripts have queued, before what a listener causes. An empty address does not become `currentSrc`, \
         and fails in a task of its own. When metadata arrives, \
         `durationchange`, `resize` (for video) and `loadedmetadata` fire in that order, each in its own \
         task; page code sees only the last.";
    MEL_3 html "html",
        "The first frame (40 ms of media) fires `loadeddata`, once per load; enough data to continue (1 s, \
         or all up to the end) fires `canplay`; enough to play to the end at the current bandwidth fires \
         `canplaythrough`. If play was already requested, `playing` falls between the last two. They fire \
         in a task after `loadedmetadata`.";
    MEL_4 html "html, which allows 200 ms either way",
        "Arriving data fires `progress` every 350 ms or once per chunk, whichever is rarer, and once more at \
         completion, followed by `suspend`. Media that is complete along with its metadata fires `suspend` \
         alone, before `durationchange`. While no data arrives, none fires for this reason; MEL-26 gives \
         another.";
    MEL_5 html "html",
        "Loading that receives no data for 3 s fires `stalled`, and fires it again only after data has \
         arrived in between.";
    MEL_6 html "html",
        "A source that fails to fetch or decode before metadata sets error code 4, fires `error` and rejects \
         pending play requests as not supported; page code sees `playbackerror`. A bare element that was \
         about to play is not yet paused in `error`; then it is paused with `timeupdate` and `pause`, as in \
         browsers.";
    MEL_7 html "html",
        "After metadata, a fatal network failure is error code 2 and a decode failure is code 3, each with \
         `error`; page code sees `playbackerror`. A decode failure does not itself reject pending play \
         requests; after `error` a bare element is paused with `timeupdate` and `pause`, as in MEL-6, and \
         that aborts them.";
    MEL_8 html "html",
        "The paused flag, the error and the position have their new values before the corresponding event is \
         delivered.";
    MEL_9 html "html; agrees with PLAY-2",
        "A play request while paused clears the flag and queues `play`, then `waiting` if data is missing or \
         else `playing`, which resolves the request. While already playing, it resolves without an event.";
    MEL_10 html "html",
        "Pausing during playback queues one task with `timeupdate` and `pause` and rejects pending requests \
         as aborted. A second pause does nothing.";
    MEL_11 html "html",
        "Reaching the end without loop is one task: `timeupdate`, then `pause` if the element is still \
         unpaused and at the end, then `ended`. END-1 says what page code sees of it. A bare element is \
         already paused when the first of them is delivered, as in browsers.";
    MEL_12 html "html",
        "A play request at the end returns to the start before it plays.";
    MEL_13 html "html",
        "A seek replaces an unfinished one and clamps its target to the nearest seekable position. It fires \
         `seeking` and, once data is available, `timeupdate` and `seeked`. Meanwhile the ready state drops \
         to metadata, as in browsers: `waiting` after `seeking` if playing, then `canplay`, `playing` if \
         playing, and `canplaythrough` after `seeked`; a player keeps these internal.";
    MEL_14 html "html",
        "Before metadata, a seek only sets the start position and fires nothing. When metadata arrives the \
         element seeks there; a player keeps that seek internal.";
    MEL_15 html "html",
        "The standard allows a `timeupdate` every 15 to 250 ms during playback; browsers take somewhat \
         longer. The simulator uses one fixed period of 250 ms, counted from the instant the position starts \
         to move and restarted after pause, seek, stall and linear ad. With jitter each comes up to a \
         quarter of the period early, but never within 15 ms.";
    MEL_16 html "html: none within 15 ms of another",
        "Pause, lack of data, seek and end have their own `timeupdate`, and a periodic one due at the same \
         instant is dropped. One already delivered, for example before a call scripted for that instant, \
         stays.";
    MEL_17 html "html",
        "Running out of data during playback fires `timeupdate` and `waiting` and holds the position. When \
         data is back, `canplay` and `playing` fire, and `canplaythrough` if nothing is missing. A scripted \
         stall happens once per load; seeking back does not repeat it. The data that it withheld fires \
         `progress` and `suspend` (MEL-4), unless more is still on its way. A stall where playback is to \
         begin takes place before it begins: instead of `playing`, `waiting` fires, and the rest when its \
         data is there; a seek to the same position does not end it.";
    MEL_18 html "html",
        "`volumechange` requires a real change of volume or mute; setting a volume outside 0 to 1 is an \
         index error. VOL and MUTE say what page code sees.";
    MEL_19 chosen "assumed: keeps CLK-5 true over hours",
        "While content plays and has data, its position grows by elapsed time times rate. It is computed \
         from an anchor (time and position), not by adding up ticks.";
    MEL_20 html "html",
        "The duration is unknown until metadata, then a number, or infinite for a live stream. A later \
         correction fires `durationchange`, and a position past the new end becomes a seek to that end.";
    MEL_21 html "html",
        "A timed cue is active from its start (inclusive) to its end (exclusive). Chapters use this.";
    MEL_22 html "html, assumed",
        "The rate is 1, since no documented call sets it; only the scenario can change it, from 0.0625 to \
         16, with an internal `ratechange`. Positions advance by the rate, time updates by the clock; on a \
         live stream nothing passes the live edge. Any other rate is ignored with diagnostic `rate_range`. \
         A bare element also takes 0; any other number is not supported.";
    MEL_23 chosen "assumed; CON-36",
        "Queued media tasks are tagged with the load that created them and dropped once a newer load has \
         taken over.";
    MEL_24 html "html, which leaves the order open; this order is chosen",
        "The standard leaves open whether `seeked` or `ended` comes first when a seek lands on the end; here \
         `seeked` does.";
    MEL_25 chosen "assumed",
        "The scenario decides whether data runs out: a bandwidth script delivers bytes and playback consumes \
         them by bitrate, all in whole numbers. Without a script, everything is available with the \
         metadata. Only one range of the media is buffered: a seek outside it requests data from there to \
         the end and discards the old range. A player's content keeps loading after the metadata, whether \
         it plays or not.";
    MEL_26 chosen "assumed: doc:events describes it as buffering, the interval is that of MEL-4; CON-32",
        "While content that should play waits for metadata or data, a player fires `progress` every 350 ms, \
         counted from the start of the wait or the last `progress`, whichever is later. In a wait for \
         metadata, or for data that will never arrive, it stops after 3 s (MEL-5). A bare element follows \
         MEL-4 only.";
    MEL_27 html "html: addEventListener, removeEventListener",
        "Page code binds and removes the listeners of a bare element with `on`, `once` and `off`, which \
         stand for `addEventListener`, the same with `once: true`, and `removeEventListener`. All events of \
         an element can be heard, and a function that is already bound to an event is not bound again.";
    MEL_28 chosen "assumed, as for responses",
        "What a media URL plays may differ from load to load: the scenario lists the loads in order, and the \
         last repeats. Each request for the URL is a load, of any player or element.";
    MEL_29 html "html, section 4.8.11.7 (ready states); code of a browser",
        "A bare element with `autoplay` that may start fires `canplaythrough`, then `play` and `playing`. One \
         browser has `canplaythrough` last.";
}

rules! { LIVE
    LIVE_1 stated "doc:events, doc:errors; the order assumed",
        "A live item that cannot be played or that stops, at load or later and for whatever reason, fails \
         and fires `livestreamstopped`. If its content failed (not found, network, decoding), \
         `playbackerror` fires directly before it; if the stream is merely not running, `livestreamstopped` \
         fires alone. A bare element runs out of data at the live edge instead (MEL-17) and continues when \
         the stream is back.";
    LIVE_2 chosen "assumed",
        "When a stream comes back, nothing changes until `play()` loads it again.";
    LIVE_3 html "html, assumed",
        "On a live stream the duration is infinite, and `ended`, `lastSecond` and post-rolls do not occur. \
         The timeline begins at the earliest position available when the metadata arrives, and the load \
         joins at the live edge, which is then at the scenario's window: with a window of 30 s, playback \
         begins at 30, for a bare element and a player alike. The edge moves with the clock while the stream \
         runs; the seekable range reaches back from it by the window, and a position that falls out of the \
         window while not playing continues at its beginning. Cue points and scripted stalls and failures \
         count from where the load joined. With a bandwidth script, 1 s of media comes with the metadata.";
    LIVE_4 chosen "assumed",
        "One load fires `livestreamstopped` at most once.";
    LIVE_5 html "HTML, sections 4.8.11.6 (`durationchange` when the length changes to a known value) and \
        4.8.11.8 (end of playback); what a later load gets is assumed",
        "A live stream that ends for good (`ends_at`) has a length from then on: the live edge at that instant, \
         which `durationchange` tells. What plays at the edge ends there at once; what is behind it plays up to \
         it, and then ends like any media. Nothing stops, so `livestreamstopped` does not fire. Loaded later, \
         only its last window is there, as media with that length.";
}

rules! { ERR
    ERR_1 stated "doc:events, doc:errors; once and without data assumed",
        "Content that fails, for whatever reason, fires one `playbackerror` without data and leaves the \
         player in failed.";
    ERR_2 html "html",
        "State and error are set before the event is delivered, and neither `pause` nor `ended` fires with \
         it.";
    ERR_3 chosen "assumed",
        "While an ad plays, a content failure is held until `adEnd`. While a break loads it is reported at \
         once, and the break is aborted as in STOP-3.";
    ERR_4 stated "doc:errors; INV-10",
        "A failing ad never fires `playbackerror`; failing content never fires `adError`.";
    ERR_5 chosen "assumed",
        "A failed player keeps its position and accepts setters; only seeking is ignored, with diagnostic \
         `no_media`.";
    ERR_6 chosen "assumed",
        "`play()` tries again as in PLAY-15; another failure fires again.";
    ERR_7 html "html",
        "Loading that never completes is not an error.";
}
