//! Rules about listeners, dispatch and the events of the reference.

use super::rules;

rules! { EVT
    EVT_1 html "html; two comparable players dispatch synchronously",
        "State changes during the call itself. The resulting events are queued and delivered first in, first \
         out, at the same instant, after the call has returned.";
    EVT_2 chosen "assumed; the guarantee comparable players give",
        "Each event is delivered to all its listeners, in binding order, before the next event starts. \
         Events caused by a listener's calls go to the end of the queue and never interrupt. A `listener` \
         line records each delivery to a named listener, even one that does nothing.";
    EVT_3 stated "doc:calls; the error assumed",
        "`on(event, listener)` requires a name and a function; an empty name or something not callable \
         throws `bad_argument`.";
    EVT_4 stated "doc:calls; the empty array assumed",
        "Given an array of names, `on` binds the listener to each in turn. An empty array binds nothing and \
         gives a diagnostic.";
    EVT_5 stated "doc:calls; detail assumed",
        "A listener bound with `once` receives one dispatch. It is unbound before it runs, so it cannot be \
         re-entered.";
    EVT_6 chosen "assumed; CON-24",
        "`once` and `off` accept arrays of names as `on` does; with `once`, each name has its own single \
         dispatch. `addOnce` and `remove` accept the same (EVT-9).";
    EVT_7 stated "doc:calls; all-bindings assumed",
        "`off(event, listener)` removes all bindings of that pair, whether made by `on` or `once`; removing \
         a pair that was never bound is not an error.";
    EVT_8 chosen "assumed",
        "`off` without a listener throws `bad_argument` and removes nothing.";
    EVT_9 stated "doc:calls, doc:versioning",
        "`add`, `addOnce` and `remove` are aliases of `on`, `once` and `off`; bindings made with one \
         vocabulary can be removed with the other. The trace keeps the spelling that was used.";
    EVT_10 chosen "assumed",
        "A listener bound twice to the same name runs twice per event.";
    EVT_11 html "html",
        "A listener bound while an event of its name is being delivered does not receive that event.";
    EVT_12 html "html",
        "A listener removed by `off` during a delivery, before its turn, is skipped.";
    EVT_13 html "html, comparable players",
        "An exception thrown by a listener is recorded in its `listener` line; other listeners and events \
         are delivered as usual.";
    EVT_14 stated "doc:events; no data for the other events assumed",
        "A listener receives an object whose `type` is the exact event name. `data` is present only for \
         events with a documented payload.";
    EVT_15 chosen "assumed; doc:callrules says it of the ready callback only",
        "In every listener `this` is the player.";
    EVT_16 chosen "assumed: doc:events writes its names in mixed case; CON-21",
        "Event names are case-sensitive: `AdsManagerLoadedEvent` starts with a capital, `playbackerror` has \
         none.";
    EVT_17 chosen "assumed",
        "Any other name than those of EVT-18 may be bound but never fires; diagnostic `unknown_event` \
         suggests the closest known one, such as `adStart` for adStarted.";
    EVT_18 stated "doc:events (its table); keeping the others internal assumed",
        "Page code sees 41 event names. Other media element events, such as `waiting`, `canplay` or \
         `seeking`, are internal lines of the trace. With `bus.expose_html` they are page events in the \
         same place, including those of a replay.";
    EVT_19 chosen "assumed: otherwise no listener could receive the `ready` of doc:events",
        "Listeners can be bound before the player is ready. Apart from `onReady`, this is the only way to \
         receive `ready`.";
    EVT_20 stated "doc:events; sync assumed",
        "`destroy` delivers `destroyBefore` before it tears anything down, after the events already queued. \
         Inside a listener, DESTROY-6 applies instead.";
    EVT_21 stated "doc:calls (cleans up listeners and timers); the diagnostic assumed",
        "A destroyed player dispatches nothing after the event being delivered. Each event still queued is \
         dropped with diagnostic `event_dropped`.";
    EVT_22 chosen "assumed",
        "Events belong to one player; listeners on other players do not receive them. The calls of a listener \
         are for that player unless they name another (`player:`), as page code can.";
    EVT_23 chosen "assumed: the chain of causes",
        "Each event in the trace names its cause: the call, scenario entry or event that led to it.";
}

rules! { EV
    EV_1 stated "doc:events; states, order and the lack of data assumed, INIT-12",
        "`ready`: on the transition from created to initial, once per player, no data. It follows the \
         callback and precedes all other events except `loadedmetadata`, `progress`, `fullscreenchange`, \
         `playerresize`, `stickyChange` and `destroyBefore`.";
    EV_2 stated "doc:events; states, order and the lack of data assumed",
        "`qualityChange`: from initial to ended, during ads too, on each real change, no data. It coincides \
         with the change of `currentSrc()`.";
    EV_3 stated "doc:events; states, order and the lack of data assumed, PLAY-4",
        "`start`: in playing, once per loaded item and again after `stop()`, no data. It follows `play` and, \
         if no ad had it, comes directly after `beforeStart`; it precedes the first periodic `timeupdate` \
         and every mid-roll.";
    EV_4 stated "doc:events; states, order and the lack of data assumed, PLAY-7",
        "`beforeStart`: once per item start, no data. The first ad's `adImpression` or the item's `start` \
         follows directly, at the same instant.";
    EV_5 stated "doc:events; states, order and the lack of data assumed",
        "`play`: on entering playing or buffering, once per request to play, no data. It never fires during \
         a linear ad.";
    EV_6 stated "doc:states; states, order and the lack of data assumed",
        "`pause`: on entering paused from playing or buffering, no data. A `timeupdate` precedes it; the end \
         of media and `stop()` fire none.";
    EV_7 stated "doc:states; states, order and the lack of data assumed",
        "`ended`: on entering ended, once per pass, no data. It follows `timeupdate` and the post-roll and \
         precedes `skipped` and `playlistComplete`.";
    EV_8 stated "doc:states; states, order and the lack of data assumed",
        "`stopped`: on entering initial, for each `stop()`, no data. It is the last event of that call.";
    EV_9 stated "doc:events; states, order and the lack of data assumed",
        "`lastSecond`: in playing, once per pass, no data. It precedes `ended`.";
    EV_10 stated "doc:errors; states, order and the lack of data assumed",
        "`playbackerror`: on entering failed, for each failure, no data. No `ended` follows without another \
         `play`.";
    EV_11 stated "doc:events; states, order and the lack of data assumed",
        "`clickedThrough`: on content in any state except failed, for each click, no data. If the click \
         pauses, `pause` follows.";
    EV_12 stated "doc:errors; states, order and the lack of data assumed",
        "`livestreamstopped`: on entering failed, once per load, no data. It fires alone if the stream is \
         not running, and directly after `playbackerror` if its content failed.";
    EV_13 stated "doc:events; states, order and the lack of data assumed",
        "`destroyBefore`: in any live state, once, no data. It is a player's last event.";
    EV_14 stated "doc:events; states, order and the lack of data assumed",
        "`playlistStart`: in initial or ended, once per pass, no data. It precedes the first item's \
         `beforeStart` and ad requests.";
    EV_15 stated "doc:events; states, order and the lack of data assumed",
        "`skipped`: in any state, for each move to the next or previous item, no data. On automatic advance \
         it follows `ended`; the new item's `beforeStart` follows it.";
    EV_16 stated "doc:events; states, order and the lack of data assumed",
        "`playlistComplete`: in ended, once per pass, no data. It directly follows the last `ended`.";
    EV_17 stated "doc:events; states, order and the lack of data assumed, html",
        "`timeupdate`: periodically while playing, and on pause, seek, stall, end and stop, no data. MEL-15 \
         and MEL-16 define the times.";
    EV_18 stated "doc:events; states, order and the lack of data assumed, html, CON-32",
        "`progress`: while data of the content arrives, in any state except during an ad, and while \
         buffering, no data. MEL-4 and MEL-26 define the times.";
    EV_19 stated "doc:events; states, order and the lack of data assumed",
        "`seeked`: in content states and ad loading, for each finished seek, no data. It follows its \
         `timeupdate` and precedes a mid-roll triggered by the seek.";
    EV_20 stated "doc:events; states, order and the lack of data assumed",
        "`requestAd`: in ad loading, between ads, and in content while a break loads, for each tag, no data. \
         It precedes all events that result from the response.";
    EV_21 stated "doc:events; states, order and the lack of data assumed",
        "`AdsManagerLoadedEvent`: while a break loads, once per SDK response, no data. It falls between \
         `requestAd` and `adImpression`.";
    EV_22 stated "doc:events; states, order and the lack of data assumed",
        "`bidWon`: while a break loads, at most once per break, no data. It precedes the `requestAd` of the \
         bid's tag.";
    EV_23 stated "doc:events; states, order and the lack of data assumed",
        "`adStart`: on entering ad playing, for overlays in content, once per ad, no data. It follows \
         `adImpression`.";
    EV_24 stated "doc:events; states, order and the lack of data assumed",
        "`vpaidStart`: in ad playing, once per VPAID ad, no data. It follows `adStart`.";
    EV_25 stated "doc:events; states, order and the lack of data assumed",
        "`adImpression`: on entering ad playing, for overlays in content, once per ad, no data. It follows \
         `beforeStart` where that fires.";
    EV_26 stated "doc:events; states, order and the lack of data assumed, iab",
        "`adFirstQuartile`: in ad playing, once per ad, no data. Quartiles come in order.";
    EV_27 stated "doc:events; states, order and the lack of data assumed, iab",
        "`adMidpoint`: in ad playing, once per ad, no data. It follows `adFirstQuartile`.";
    EV_28 stated "doc:events; states, order and the lack of data assumed, iab",
        "`adThirdQuartile`: in ad playing, once per ad, no data. It follows `adMidpoint`.";
    EV_29 stated "doc:events; states, order and the lack of data assumed",
        "`adEnd`: at the end of a break, once per break, no data. No ad event of the break follows it.";
    EV_30 stated "doc:events, doc:adpos; states and order assumed",
        "`adComplete`: in ad playing, for overlays in content, at most once per ad, with `wp`, `pod`, \
         `pods`. In a linear ad it follows `adThirdQuartile`.";
    EV_31 stated "doc:events, doc:adpos; states and order assumed",
        "`adSkip`: in an ad, playing or paused, or an overlay, at most once per ad, with `wp`, `pod`, \
         `pods`. No quartile or `adComplete` of that ad follows it.";
    EV_32 stated "doc:events; states and order assumed",
        "`adError`: while a break loads or an ad plays, once per failed tag, with `code` and `message`. It \
         precedes the next `requestAd` or `adEnd`.";
    EV_33 stated "doc:events; states, order and the lack of data assumed",
        "`adPause`: on entering ad paused, each time, no data. It alternates with `adResume`.";
    EV_34 stated "doc:events; states, order and the lack of data assumed",
        "`adResume`: from ad paused to ad playing, each time, no data. An `adPause` precedes it.";
    EV_35 stated "doc:events; states, order and the lack of data assumed",
        "`adClicked`: in an ad, playing or paused, or an overlay, for each click, no data. If the click \
         pauses the ad, `adPause` follows.";
    EV_36 stated "doc:events; states, order and the lack of data assumed, html, CON-36",
        "`loadedmetadata`: in created or later, once per load, no data. It requires the media metadata and \
         the resolved record, and precedes the item's `start`.";
    EV_37 stated "doc:events; states, order and the lack of data assumed",
        "`fullscreenchange`: in any live state, for each change, no data.";
    EV_38 stated "doc:events; states, order and the lack of data assumed",
        "`playerresize`: in any live state, for each change of size, no data.";
    EV_39 stated "doc:events; states, order and the lack of data assumed",
        "`volumechange`: in any live state, for each change of volume, no data.";
    EV_40 stated "doc:events; states and order assumed",
        "`mutechange`: in any live state, for each change of mute, with `muted`.";
    EV_41 stated "doc:events; states and order assumed",
        "`stickyChange`: in any live state, for each change, with `sticky` and `interaction`.";
}
