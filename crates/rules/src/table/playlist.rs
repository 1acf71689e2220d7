//! Rules about sources, playlists and titles.

use super::rules;

rules! { SRC
    SRC_1 stated "doc:calls, doc:source",
        "`src` takes a media URL as a string, or an object with `src`, `title`, `description` and \
         `monetize`.";
    SRC_2 stated "doc:calls, doc:limits; the listener of `ready` assumed",
        "`src` must be called inside a ready callback: `onReady` or a listener of `ready`.";
    SRC_3 chosen "assumed: forbidden without a stated effect; CON-11",
        "Called later, `src` works and gives diagnostic `src_outside_ready`; before ready it throws \
         `not_ready`.";
    SRC_4 chosen "assumed",
        "`src` ends whatever is running as in STOP-3, but without `stopped`, and leaves a list of one item: \
         index 0, position 0, state initial. SRC-5 says what happens next.";
    SRC_5 chosen "assumed, as playlist moves do",
        "The request to play carries over: a source that replaces content that plays, buffers or is held for \
         an ad while play is requested makes a first start at once. Otherwise (initial, paused, ended, \
         failed, a paused ad, a post-roll) setting a source does not start it.";
    SRC_6 chosen "assumed; the extensions from public integrations",
        "An object without `src` throws `bad_argument` and changes nothing. Extensions: a `source` map of \
         renditions, `name`, `image`.";
    SRC_7 stated "doc:source; default from doc:video, CON-19",
        "`monetize` defaults to true; false means that the item gets no ad request of any kind.";
    SRC_8 chosen "assumed",
        "Without a `title`, `getTitle()` is empty; `getTags()` is always empty for such an item.";
    SRC_9 html "html, doc:events",
        "After `src`, `loadedmetadata` fires once the scenario's delay has passed.";
    SRC_10 stated "doc:errors",
        "A source that cannot be fetched or decoded fails as in ERR-1.";
    SRC_11 chosen "assumed",
        "A new source drops the previous item's video-level ads and keeps the player-level ones.";
    SRC_12 chosen "assumed",
        "Content that is replaced before its end is reported with its URL and position: by diagnostic \
         `content_replaced`, which also says whether playback continues, if a source or a loaded playlist \
         replaces it, and by an internal line `replaced` if another item does.";
}

rules! { LPL
    LPL_1 stated "doc:calls",
        "`loadPlaylist` takes a URL as a string, and the scenario's network delivers the file.";
    LPL_2 chosen "assumed from public integrations: format not shown",
        "The file may be an array of items or an object with `playlist` or `Video`. An item's source is \
         `src`, `source` (string or rendition map) or `file`, its title `title` or `name`; description, \
         tags, image, duration, monetize and clickthrough are read too.";
    LPL_3 chosen "assumed",
        "On success the list is set as in SRC-4, with all items that can be played: index 0, state initial. \
         No event of its own fires.";
    LPL_4 chosen "assumed",
        "A loaded playlist starts automatically where SRC-5 says so, and only there.";
    LPL_5 chosen "assumed",
        "If the network fails, or the file is not valid JSON or holds no item, the old content stays, with \
         diagnostic `playlist_failed`.";
    LPL_6 chosen "assumed",
        "The old content keeps playing during the fetch; a newer `loadPlaylist` or `src` cancels the fetch.";
    LPL_7 chosen "assumed",
        "An item without a source is left out with diagnostic `bad_item`.";
}

rules! { SRCQ
    SRCQ_1 stated "doc:calls, html",
        "`currentSrc()` is the URL of the current item's rendition, or an empty string if there is none. \
         During an ad it is still the content's, like position and duration (TIME-1, DUR-3); the URL of the \
         ad's media is in the trace only.";
}

rules! { META
    META_1 stated "doc:calls, doc:video; the form of the tags assumed",
        "`getTitle()` is the title of the current item and `getTags()` its tags, as one comma-separated \
         string in the record's spelling; tags that an edit set are joined as in EDIT-16.";
    META_2 chosen "assumed",
        "Editing a record while it plays has no effect until the item is loaded again.";
    META_3 chosen "assumed",
        "Title and tags are available in all states from initial to failed; during an ad they are still the \
         content's.";
}

rules! { PL
    PL_1 stated "doc:calls; single case assumed",
        "`playlistLength` is the number of items, an integer property: 1 for a single video, 0 with nothing \
         loaded.";
    PL_2 stated "doc:calls; edge assumed",
        "`currentIndex` is the zero-based index of the current item, an integer property; -1 with nothing \
         loaded.";
    PL_3 chosen "assumed; CON-4",
        "Calling either property as a function works and gives diagnostic `property_called`.";
    PL_4 stated "doc:calls",
        "`next()` plays the next item, `previous()` the previous one.";
    PL_5 chosen "assumed; comparable players differ",
        "At either edge of the list, `next()` and `previous()` do nothing but give diagnostic \
         `playlist_edge`; playback continues.";
    PL_6 stated "doc:calls; edges assumed",
        "`playByIndex(n)` plays item n, counted from 0, and restarts it if it is the current one. It counts \
         in the list that page code has seen, or, where that ends, in the one of the call (PL-23). A number \
         that is out of range or has a fraction gives diagnostic `no_such_item` and changes nothing; anything \
         that is not a number throws `bad_argument`.";
    PL_7 stated "doc:events; order assumed",
        "An item change aborts what is running (no `pause`, `ended`, `stopped`), sets the index, fires \
         `skipped` if due, starts the media load and continues as a first start. `loadedmetadata` fires \
         whenever it is ready, but before `start`.";
    PL_8 stated "doc:events",
        "`skipped` fires for every move to the next or previous item: `next()`, `previous()`, the user's \
         buttons for them, and automatic advance.";
    PL_9 chosen "assumed: doc:events does not list them for `skipped`",
        "`playByIndex`, `src` and `loadPlaylist` change the item without `skipped`.";
    PL_10 stated "doc:events; condition assumed",
        "`playlistStart` marks the start of a pass at its first item, whatever its index. Content counts as \
         a playlist if it has two or more items or came from `loadPlaylist`.";
    PL_11 chosen "assumed",
        "Returning to item 0 in the middle of a pass fires no `playlistStart`; a pass begins only after \
         `playlistComplete`, `stop()` or a new load.";
    PL_12 stated "doc:events ('moves on automatically')",
        "After `ended` of any item but the last, the next one starts as in PL-7 once \
         `playlist.advance_delay` has elapsed. Even a delay of 0 is a TIMER entry, so `ended` listeners run \
         before it.";
    PL_13 stated "doc:events; order and once per pass assumed",
        "`ended` of the last item is followed by `playlistComplete`; the state stays ended. It fires once \
         per pass: after a seek back, another `ended` does not fire it again (PL-11, EV-16).";
    PL_14 chosen "assumed",
        "A single video, which PL-10 does not count as a playlist, has no `playlistComplete`.";
    PL_15 chosen "`play()`: doc:events has no `skipped` for it, and comparable lists replay; the rest assumed",
        "During the advance delay, also one of 0, `play()` plays the item that has ended again and drops the \
         advance (knob `playlist.play_in_delay`), and `pause()` holds the advance until `play()`. \
         `stop()`, `src`, a loaded playlist, `next()`, `previous()`, `playByIndex()` and a seek back cancel \
         it.";
    PL_16 chosen "assumed",
        "An item that fails fires `playbackerror` and stays current as the failed item; the list waits for a \
         call.";
    PL_17 chosen "assumed",
        "Moving to another item while a break loads or an ad plays aborts that break as in STOP-3.";
    PL_18 stated "doc:calls; refusal assumed",
        "From initial, paused, ended or failed, a move to another item plays it. If a required gesture is \
         missing, the whole call is refused and the index stays.";
    PL_19 stated "doc:video (`rejected`); the other reasons and the moment assumed",
        "Building the list leaves out items that are rejected, not yet published, past their kill date, in \
         the wrong country or without a playable rendition, each with a diagnostic that says why. A record \
         that arrives later is judged when it arrives; PL-23 says when the list is judged anew.";
    PL_20 chosen "assumed",
        "If nothing is left in the list, the length is 0, the index -1, and `play()` fires one \
         `playbackerror`.";
    PL_21 chosen "assumed",
        "Mute, volume, player-level ads, skin and size persist across items. Video-level ads, chapters, \
         renditions and the once-per-item state of `start` and `beforeStart` do not.";
    PL_22 chosen "assumed; follows from EVT-1",
        "A `skipped` listener already reads the new `playlistLength` and `currentIndex`.";
    PL_23 stated "doc:video (`publish`, `kill_date`, `rejected`); the moment assumed",
        "Whenever an item of a list is about to load (a move, an automatic advance, another pass, a load after \
         a failure, `play()` on an empty list), and when an item ends, the list is judged anew, by the \
         calendar and the records as edited then: items leave it as in PL-19, and items that are no \
         longer excluded return to their positions, with diagnostic `item_back`. The current item stays until \
         it would load itself; if it is excluded then, the next item takes its place. A loaded item plays on.";
}
