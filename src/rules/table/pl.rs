//! Rules PL: playlist.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls; single case assumed",
        "`playlistLength` is the number of items as an integer property: 1 for a single video, 0 with \
         nothing loaded.",
    )
    .knob("playlist.single_length"),
    stated(
        2,
        "doc:calls; edge assumed",
        "`currentIndex` is the position of the item in use, counted from 0, as an integer property; -1 \
         with nothing loaded.",
    )
    .knob("playlist.no_index"),
    chosen(
        3,
        "assumed; CON-4",
        "Calling either property like a function works and gives diag `property_called`.",
    )
    .knob("compat.property_calls"),
    stated(4, "doc:calls", "`next()` plays the following item, `previous()` the one before."),
    chosen(
        5,
        "assumed; comparable players differ",
        "Past either edge of the list `next()` and `previous()` do nothing but give diag `playlist_edge`; \
         playback continues.",
    )
    .knob("playlist.wrap"),
    stated(
        6,
        "doc:calls; edges assumed",
        "`playByIndex(n)` plays item n, counted from 0, and restarts it if it is the current one. A \
         number out of range or with a fraction gives diag `no_such_item` and changes nothing.",
    )
    .knob("playlist.same_index"),
    stated(
        7,
        "doc:events; order assumed",
        "An item change aborts what runs (no `pause`, `ended`, `stopped`), sets the index, emits \
         `skipped` if due, starts the media load and goes on as a first start. `loadedmetadata` comes \
         when it comes, but before `start`.",
    )
    .knob("skipped.at"),
    stated(
        8,
        "doc:events",
        "`skipped` reports every move to a neighbour: `next()`, `previous()`, the person's buttons for \
         them, and the automatic advance.",
    ),
    stated(
        9,
        "doc:events (not listed)",
        "`playByIndex`, `src` and `loadPlaylist` change the item without `skipped`.",
    )
    .knob("skipped.on_index"),
    stated(
        10,
        "doc:events; condition assumed",
        "`playlistStart` marks the start of a pass at its first item, whatever its index. Content counts \
         as a playlist if it has two or more items or came by `loadPlaylist`.",
    )
    .knob("playlist.start_for_single, playlist_start.at"),
    chosen(
        11,
        "assumed",
        "Coming back to item 0 in the middle of a pass is no `playlistStart`; a pass begins after \
         `playlistComplete`, `stop()` or a new load only.",
    ),
    stated(
        12,
        "doc:events ('moves on automatically')",
        "After `ended` of any item but the last the next one starts as in PL-7, once \
         `playlist.advance_delay` is over. Even a delay of 0 is a TIMER entry, so `ended` listeners run \
         within it.",
    )
    .knob("playlist.advance, playlist.advance_delay"),
    stated(
        13,
        "doc:events",
        "`ended` of the last item is followed by `playlistComplete`; the state stays ended. Once in a \
         pass: a seek back from there and another `ended` complete nothing anew (PL-11, EV-16).",
    )
    .knob("playlist.loop"),
    chosen(
        14,
        "assumed",
        "A single video, which PL-10 does not count as a playlist, has no `playlistComplete`.",
    )
    .knob("playlist.complete_for_single"),
    chosen(
        15,
        "assumed, peer",
        "During the advance delay `play()` advances at once and `pause()` holds the advance until \
         `play()`. `stop()`, `src`, a loaded playlist, `next()`, `previous()`, `playByIndex()` and a seek \
         back call it off.",
    ),
    chosen(
        16,
        "assumed",
        "An item that fails gives `playbackerror` and stays as the failed item; the list waits for a \
         call.",
    )
    .knob("playlist.on_error"),
    chosen(
        17,
        "assumed",
        "Moving to another item while a break loads or an ad is on aborts that break as STOP-3 does.",
    )
    .knob("nav.during_ad"),
    stated(
        18,
        "doc:calls; refusal assumed",
        "From initial, paused, ended or failed a move to another item plays it. Where a gesture is due \
         and missing, the whole call is refused and the index stays.",
    )
    .knob("nav.from_paused"),
    stated(
        19,
        "doc:video; the moment assumed",
        "Building the list leaves out items with `rejected` 1, outside publish and kill date, in the \
         wrong country or without a playable rendition, each with a diag that says why. What a record that \
         comes later says counts when it comes.",
    )
    .knob("exclude.at"),
    chosen(
        20,
        "assumed",
        "If nothing is left in the list, length is 0, index -1, and `play()` emits one `playbackerror`.",
    )
    .knob("playlist.empty"),
    chosen(
        21,
        "assumed",
        "Mute, volume, player-level ads, skin and size are kept across items. Video-level ads, chapters, \
         renditions and the once-per-item marks of `start` and `beforeStart` are not.",
    ),
    chosen(
        22,
        "assumed; follows from EVT-1",
        "A `skipped` listener already reads the new `playlistLength` and `currentIndex`.",
    ),
];
