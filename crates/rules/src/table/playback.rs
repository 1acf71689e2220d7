//! Rules about playing, pausing, seeking, sound and renditions.

use super::rules;

rules! { PLAY
    PLAY_1 stated "doc:states",
        "When nothing plays, `play()` records the request to play and either resumes or runs the start \
         sequence (PLAY-4).";
    PLAY_2 stated "doc:states; buffering counts as playing",
        "While content plays or buffers, `play()` has no effect: no event and no diagnostic.";
    PLAY_3 chosen "assumed",
        "`play()` returns nothing. Where it returns a promise, that resolves when `playing` fires, after ads \
         too, and rejects as in MEL-1, MEL-6 and MEL-10; a trace line reports which.";
    PLAY_4 stated "doc:states, doc:events; `play` at the call, and the instant that counts as the start, \
        assumed",
        "A first start without a pre-roll fires `playlistStart` (for a playlist, at the first item of the \
         pass) and `play` at the call, even if metadata is still missing. `beforeStart` and, directly after \
         it, `start` fire at the instant from which the position can move: while data are missing there, as by \
         a stall scripted for that position, they wait. A video that never starts fires neither.";
    PLAY_5 stated "doc:states, doc:events; `play` after the ads as in public integrations",
        "A first start with a pre-roll fires `playlistStart` if due and the request events, then \
         `beforeStart` directly before the first ad, the ad's events, `adEnd`, and only then `play` and \
         `start`.";
    PLAY_6 stated "doc:events (`beforeStart` without an ad); `play` at once assumed",
        "After the `adEnd` of a pre-roll without fill, `play` fires at once, and `beforeStart` directly \
         before `start`.";
    PLAY_7 chosen "assumed; CON-20",
        "`beforeStart` belongs to the start of an item and fires once for it; later ads of a pod, mid-rolls \
         and overlays have none.";
    PLAY_8 stated "doc:states (`start` the first time only); no ad request assumed",
        "Resuming paused content fires `play` alone, without any ad request; `beforeStart` and `start` \
         follow only if the item has not had them yet.";
    PLAY_9 stated "doc:events ('for the first time'); scope assumed, CON-29",
        "`start` fires once per load of an item. Replaying from the end does not repeat it; starting after \
         `stop()` does (STOP-5).";
    PLAY_10 html "html; ads assumed",
        "`play()` at the end seeks to position 0 and fires `play`. The replay does not repeat any ad break \
         that the item has already opened.";
    PLAY_11 chosen "assumed",
        "`play()` after `playlistComplete` begins a new pass at item 0, with `playlistStart`.";
    PLAY_12 stated "doc:states (initial state); the reading assumed",
        "`play()` after `stop()` is a first start again, with its pre-rolls.";
    PLAY_13 chosen "assumed",
        "`play()` while a break loads restores the request to play that `pause()` may have cleared; an ad \
         held by PAUSE-4 starts at once.";
    PLAY_14 stated "doc:states, doc:events; that `play()` resumes an ad assumed",
        "While an ad plays, `play()` does nothing; while an ad is paused, it fires `adResume` and the ad \
         continues.";
    PLAY_15 chosen "assumed",
        "After a playback error, `play()` loads the item once more; on success it starts like a first start \
         without pre-rolls.";
    PLAY_16 stated "doc:limits; the defaults assumed",
        "Starting playback from script with ads enabled, on a mobile browser or a recent version of a major \
         desktop browser, requires an earlier user interaction. The scenario gives `device`, \
         `gesture_policy` (required on mobile, free on desktop) and the gestures.";
    PLAY_17 chosen "assumed",
        "A start without its required gesture is refused: diagnostic `gesture_required`, no event, same \
         state.";
    PLAY_18 stated "doc:limits, taken literally",
        "Without an effective ad object, or for an item that is not monetized, no gesture is required.";
    PLAY_19 chosen "assumed",
        "One gesture lasts for the rest of the run, unless `activation.play` says otherwise (PLAY-22).";
    PLAY_20 chosen "assumed",
        "A muted autoplay requires no gesture.";
    PLAY_21 chosen "assumed",
        "Players on one page are independent; starting one does not stop the others.";
    PLAY_22 html "HTML, sections 6.4.1 (data model of user activation) and 4.8.11.8 (allowed to play); \
        Chromium's autoplay policy (sticky), WebKit's media element restrictions (by element)",
        "A gesture activates the page. `activation.play` names the activation that playback with sound needs: \
         sticky (there was a gesture), transient (the last gesture is less than `activation.lasts` old and not \
         consumed), or for each element, which may play from its first start with transient activation on. The \
         browser decides when playback is requested, and again when the first ad starts.";
    PLAY_23 html "HTML, section 6.4.1: transient activation duration, consume user activation; Fullscreen, \
        requestFullscreen(); five seconds as in Chromium",
        "Transient activation ends after `activation.lasts`, or as soon as entering fullscreen or opening a \
         page consumes it; a line of the trace says when and why. A new gesture activates the page again.";
    PLAY_24 chosen "VAST 4.3 section 2.3.6.3 (400); AUTOPLAY_DISALLOWED (1205) of the SDK, an inner error",
        "An ad that the browser does not let start, because the activation has ended or, with \
         `gesture.violation` ad_fails_at_start, was missing, fails with 400 after it was requested; with the SDK \
         the inner error is 1205. Its break ends, and what follows goes on as without an ad.";
    PLAY_25 html "HTML, sections 4.8.11.8 (allowed to play) and 4.8.11.13 (internal pause steps after \
        `volumechange`)",
        "A player or element that may only play because it is muted pauses when a script unmutes it: after the \
         event of the unmuting, an ad with `adPause`. It plays on if it was started with sound, if the user \
         unmutes it, or where sound requires no gesture (PLAY-16, PLAY-18); `play()` with sound is then refused \
         (PLAY-17). `unmute.refused` lets it stay muted instead.";
    PLAY_26 html "HTML, section 4.8.11.8 (allowed to play); Chromium's autoplay policy, WebKit's media element \
        restrictions",
        "With `activation.play` other than gesture, the browser decides by sound alone: `play()` with sound and \
         without activation is refused without ads, too, and what is muted may be started by any script, with \
         ads, too. PLAY-18 does not apply then.";
}

rules! { PAUSE
    PAUSE_1 stated "doc:states; the `timeupdate` html",
        "`pause()` while content plays or buffers fires `timeupdate` and `pause` and enters paused.";
    PAUSE_2 html "html; doc:states names only the move out of playing",
        "Before the first start, while paused, at the end and after an error, `pause()` does nothing.";
    PAUSE_3 stated "doc:events; that the call applies to the ad assumed",
        "`pause()` while an ad plays fires `adPause` and pauses it; while an ad is paused it does nothing.";
    PAUSE_4 chosen "assumed",
        "`pause()` while a break loads only withdraws the request to play; an ad that becomes ready is held \
         before its impression. If no ad fills, the player returns to initial after a pre-roll (which is \
         then used up), to ended with `ended` after a post-roll, to initial or ended after a commanded break \
         that began there, and otherwise to paused; the next `play()` continues from there.";
    PAUSE_5 chosen "assumed",
        "Pausing while a mid-roll loads pauses the content; the break is kept and starts when content plays \
         again.";
    PAUSE_6 html "html",
        "Data that arrives during a pause does not change the state.";
}

rules! { STOP
    STOP_1 stated "doc:states ('any')",
        "`stop()` returns any live player to initial and fires `stopped`, even if it was already there.";
    STOP_2 stated "doc:states; order assumed",
        "The position returns to 0 and `stopped` fires, after a `timeupdate` if the position was not 0; \
         neither `pause` nor `ended` fires.";
    STOP_3 chosen "assumed",
        "A break that loads or plays is aborted with its media, timers and requests, without `adEnd`, \
         `adComplete` or `adSkip`.";
    STOP_4 chosen "assumed",
        "Playlist, index, volume, mute, rendition, listeners and ads added by script survive `stop()`; STOP-9 \
         says more of the index.";
    STOP_5 stated "doc:states (initial state); the reading assumed",
        "After `stop()` everything is due again for the item: `start`, `beforeStart`, pre-, mid- and \
         post-rolls.";
    STOP_6 stated "doc:states, doc:events; INV-9",
        "`stopped` fires for API calls only, never for user actions, errors or the end of media.";
    STOP_7 chosen "assumed",
        "`stop()` keeps the loaded data, so the same source does not fire `loadedmetadata` again. Media or a \
         record that failed is requested once more by the next `play()`, and not before.";
    STOP_8 chosen "assumed",
        "Before ready, `stop()` is ignored like other calls; after destroy it throws.";
    STOP_9 stated "doc:states, doc:calls (the initial state of the player); the reading assumed",
        "The initial state that `stop()` returns to is that of the item in use, which `play()` \
         starts again: the index stays, and a new pass begins there, with `playlistStart` \
         (PL-10, PL-11). With `playlist.after_stop` at `first` it is that of the whole player: the list is \
         judged (PL-23), its first item is in use, `currentIndex` is 0 already in the `stopped` listener, its \
         media is loaded without `skipped`, and the next pass begins at it.";
}

rules! { END
    END_1 stated "doc:states; `timeupdate` from html, its `pause` left out",
        "Content that plays to its end fires `timeupdate` and `ended` and enters ended.";
    END_2 chosen "assumed, as in comparable players",
        "A pending post-roll delays `ended` until its break is over. With `ended.vs_postroll` before, `ended` \
         fires first, and the player is at the end while its listeners run; if one of them plays again, the \
         post-roll does not open and remains due.";
    END_3 chosen "assumed, as in comparable players; INV-6",
        "One pass through an item has at most one `ended`.";
    END_4 stated "doc:events; the order assumed",
        "After `ended` the next item follows (PL-12) or, after the last one, `playlistComplete` (PL-13).";
    END_5 chosen "assumed; doc:states starts the move to finished from playing",
        "A seek to the end while paused stays paused there, without `ended`; `play()` then starts at 0.";
    END_6 chosen "assumed",
        "Live content never reaches an end; LIVE-1 covers a stream that closes.";
}

rules! { LAST
    LAST_1 stated "doc:events; threshold assumed",
        "`lastSecond` fires when playback first carries the position past the duration minus 1 s. If data \
         runs out exactly there, it fires at that instant, after `waiting` (CLK-3).";
    LAST_2 chosen "assumed",
        "Items of at most 1 s fire `lastSecond` directly after `start`; live items never do.";
    LAST_3 chosen "assumed",
        "There is one `lastSecond` per pass. If a seek during playback lands in the last second, it follows \
         `seeked`; leaving and returning does not repeat it.";
    LAST_4 chosen "assumed",
        "Whatever depends on the position (cue points, quartiles, `lastSecond`) is detected at its exact \
         microsecond, not at the next `timeupdate`.";
}

rules! { VOL
    VOL_1 stated "doc:calls, doc:limits",
        "`volume(x)` takes a number from 0 to 1, sets the volume and returns it as a float.";
    VOL_2 chosen "assumed; CON-6",
        "`volume()` returns the volume.";
    VOL_3 stated "doc:events; equality html",
        "`volumechange` fires when the volume really changes, not when it is set to its current value.";
    VOL_4 stated "doc:limits (range), effect assumed",
        "A volume outside 0 to 1, or a value that is not a number, changes nothing: the old value is \
         returned, with diagnostic `volume_range`.";
    VOL_5 stated "doc:limits; the initial value assumed, CON-40",
        "On mobile devices `volume` sets nothing and fires nothing; it returns the current value (1 unless \
         the scenario says otherwise), with diagnostic `volume_mobile`.";
    VOL_6 chosen "assumed; public integrations differ",
        "Volume 0 and mute are independent: `muted()` stays false, and no `mutechange` fires.";
    VOL_7 chosen "assumed",
        "Raising the volume does not unmute.";
    VOL_8 chosen "assumed",
        "Ads and content share volume and mute, which persist across item changes and `stop()`.";
    VOL_9 chosen "assumed",
        "The volume can be set in every state; before ready and after destroy the general rules for calls \
         apply.";
    VOL_10 chosen "assumed",
        "A volume keeps six decimal places, so the value set is the value read.";
}

rules! { MUTE
    MUTE_1 stated "doc:calls",
        "`muted(true)` and `muted(false)` set the mute state; `muted()` reads it.";
    MUTE_2 stated "doc:events",
        "`mutechange` fires when the mute state really changes, with the new state in `data.muted`.";
    MUTE_3 chosen "assumed; HTML has one event for both",
        "Changing the mute state fires no `volumechange`.";
    MUTE_4 chosen "assumed: not shown",
        "As a setter, `muted` returns the new state.";
    MUTE_5 chosen "assumed",
        "An argument that is not a boolean changes nothing and gives diagnostic `bad_argument`; `undefined` \
         counts as no argument.";
    MUTE_6 stated "doc:limits; 200 ms assumed",
        "A VPAID creative that the scenario marks with `own_sound` may be audible on a muted player: an \
         internal `audible` line lasts from the ad's start until mute is applied 200 ms later. No event \
         fires.";
}

rules! { TIME
    TIME_1 stated "doc:calls; during an ad assumed",
        "`currentTime()` returns the content position in seconds as a float; during an ad, the position at \
         which content is held.";
    TIME_2 stated "doc:calls",
        "`currentTime(n)` seeks to second n of the content.";
    TIME_3 stated "doc:calls; tolerance assumed, CON-7",
        "The documented target is an integer; a fraction is used as given, with diagnostic \
         `non_integer_seek`.";
    TIME_4 html "html",
        "Targets below 0 become 0, targets past the end become the duration; on a live stream the seekable \
         window limits them. A value that is not a number gives a diagnostic and does not seek.";
    TIME_5 html "html, doc:events",
        "A seek in playing, buffering or paused content fires `timeupdate` and `seeked` once data is \
         available, and playing or paused continues as before. Without metadata, MEL-14 applies.";
    TIME_6 chosen "assumed: doc:calls gives the seek no condition; for the user as comparable players do",
        "During an ad, playing or paused, `currentTime(n)` is deferred and moves the content as soon as the \
         break is over; of several calls the last one counts. The user cannot seek then: diagnostic \
         `seek_during_ad`.";
    TIME_7 html "html",
        "In initial, a seek before metadata sets the start position; after metadata it is an ordinary seek \
         that stays in initial. While a break loads it behaves as in initial or paused, except for \
         post-rolls (POST-3).";
    TIME_8 html "html",
        "Seeking back from the end fires `timeupdate` and `seeked` and leaves the player paused there.";
    TIME_9 html "html; it leaves the order open, MEL-24 chooses it",
        "Seeking to the end during playback fires `timeupdate` and `seeked`, then the end sequence of END-1 \
         runs.";
    TIME_10 html "html",
        "A second seek before the first has finished replaces it, and one `seeked` fires.";
    TIME_11 chosen "assumed; CON-10",
        "Any requested seek ends in `seeked`, whether it comes from a call, the user or a chapter jump. \
         Moves of the player itself (item change, replay, stop, return from an ad) fire none.";
    TIME_12 chosen "assumed",
        "As a setter, `currentTime(n)` returns the clamped target as a float.";
    TIME_13 chosen "assumed",
        "CUE-5 says which mid-roll cue points play when a seek passes over them.";
}

rules! { DUR
    DUR_1 stated "doc:calls",
        "`duration()` returns the content's length in seconds as a float.";
    DUR_2 html "html (not-a-number there); null assumed",
        "Before metadata `duration()` is `null`; on a live stream it is `Infinity`.";
    DUR_3 chosen "assumed",
        "During an ad, `duration()` is still the length of the content.";
}

rules! { CH
    CH_1 stated "doc:calls, doc:chapterinfo",
        "`currentChapter()` returns number, name, start and end of the chapter at the current position, or \
         null for a video without chapters.";
    CH_2 chosen "assumed: names not shown",
        "The chapter object has the properties `chapter`, `title`, `start` and `end`.";
    CH_3 stated "doc:calls",
        "Chapter numbers start at 0 and follow time.";
    CH_4 html "html (cue rule)",
        "A chapter covers the time from its start up to, but not including, the next chapter's start; the \
         last one extends to the duration. While the duration is unknown, its `end` is null.";
    CH_5 chosen "assumed: doc:calls has null only for a video without chapters",
        "Before the first chapter, `currentChapter()` returns the first one, whose `start` shows that it is \
         still to come.";
    CH_6 stated "doc:calls; return assumed, CON-33",
        "`currentChapter(n)` seeks to the start of chapter n as in TIME-2 and returns that chapter's object.";
    CH_7 chosen "assumed",
        "A number that is negative, fractional or past the last chapter does not seek, and gives null and \
         diagnostic `no_such_chapter`. Without any chapters the result is null, without a diagnostic.";
    CH_8 chosen "assumed: doc:events lists no event for it",
        "Moving from one chapter to another fires no event; the trace has an internal `chapter` line.";
    CH_9 chosen "assumed: format not shown",
        "Chapter times are strings in seconds, M:SS, MM:SS or H:MM:SS, with up to three fractional digits. \
         Forms with colons reject minutes or seconds above 59.";
    CH_10 chosen "assumed",
        "Chapters are sorted by start. Of two with the same start the later one in the form wins, and one \
         that starts at or past the known duration is dropped; both give a diagnostic. A title may be \
         empty.";
    CH_11 chosen "assumed",
        "During an ad the getter uses the held content position, and a chapter jump is deferred as in \
         TIME-6.";
    CH_12 chosen "assumed",
        "Chapters come from an item's video record; a source given to `src` has none.";
}

rules! { QUAL
    QUAL_1 stated "doc:rendition, doc:calls; the error assumed",
        "The renditions are ld, sd, hsd, hd and fhd; any other word throws `bad_argument`.";
    QUAL_2 chosen "assumed; CON-12",
        "From worst to best: ld, sd, hsd, hd, fhd.";
    QUAL_3 stated "doc:calls, doc:limits; keeping assumed",
        "`setVideoSource(r)` switches to a rendition that the item has and the plan permits, keeping \
         position and state.";
    QUAL_4 stated "doc:limits; effect assumed",
        "A rendition that is missing or not in the plan changes nothing and gives diagnostic `no_rendition` \
         or `plan_limit`.";
    QUAL_5 stated "doc:events; moment and failure assumed",
        "`qualityChange` fires once per real change, with the first frame of the new rendition (after the \
         scenario's switch delay, 0 by default). Choosing the current rendition fires nothing; a rendition \
         whose media fails to load gives diagnostic `rendition_failed`, and the current one stays.";
    QUAL_6 chosen "assumed",
        "A second change supersedes an unfinished one; only the last fires its event.";
    QUAL_7 chosen "assumed; a plain source swap would repeat them",
        "A rendition change fires no `loadedmetadata`, `seeked`, `play` or `pause`.";
    QUAL_8 stated "doc:calls; the diagnostic assumed",
        "`setHD(true)` selects hd and `setHD(false)` sd, provided that the item has an hd preset; otherwise \
         diagnostic `no_hd`.";
    QUAL_9 stated "doc:calls; the error assumed",
        "An argument of `setHD` that is not a boolean throws `bad_argument`.";
    QUAL_10 chosen "assumed; CON-12",
        "`isHD()` is true for hd and fhd.";
    QUAL_11 chosen "assumed",
        "An item starts with its best rendition below hd, or else with its lowest.";
    QUAL_12 chosen "assumed",
        "A choice made before media is loaded, in initial or failed, is remembered for the load and fires \
         nothing.";
    QUAL_13 chosen "assumed",
        "The next item keeps the chosen rendition if it has it; otherwise QUAL-11 decides.";
    QUAL_14 chosen "assumed",
        "Before, between and during ads, the content changes its rendition at once; the ad is unaffected.";
    QUAL_15 chosen "assumed; an item with a `source` map (SRC-6) has the renditions that are its keys",
        "An item from `src` has a single rendition, sd.";
    QUAL_16 chosen "assumed",
        "`currentSrc()` changes and `qualityChange` fires at the same instant.";
}
