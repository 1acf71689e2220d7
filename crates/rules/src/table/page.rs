//! Rules about the page, its scripts and how a player is made.

use super::rules;

rules! { LOAD
    LOAD_1 stated "doc:loading; the error assumed",
        "Nothing in the API works before its script (the player's or the outstream unit's) has loaded: any \
         access other than a push to a queue array throws `script_not_loaded`.";
    LOAD_2 stated "doc:loading; the times assumed",
        "With synchronous embedding the script is there at time 0; with asynchronous embedding, at the time \
         the scenario gives. The script tag may even follow the closing body tag.";
    LOAD_3 chosen "assumed: the failure that ad operations look for",
        "If the script never loads, the queue is never processed, and the run ends `idle` with diagnostic \
         `queue_never_drained`.";
    LOAD_4 stated "doc:service, doc:calls",
        "Player and outstream unit have separate scripts; neither processes the other's queue.";
    LOAD_5 chosen "assumed",
        "A script that loads a second time gives a diagnostic and changes nothing; players and queue are \
         kept.";
}

rules! { QUEUE
    QUEUE_1 stated "doc:calls",
        "Queue arrays hold objects with `div`, `obj` and `onReady`: entries of `_player_queue` become \
         players, entries of `_outstream_queue` become outstream units.";
    QUEUE_2 stated "doc:calls (same as the initializer); the order assumed",
        "Entries that are waiting when the script loads are initialized in the order they were pushed, as if \
         the three-argument initializer had been called.";
    QUEUE_3 chosen "assumed",
        "An entry pushed after the script has loaded is initialized at once, in its own task.";
    QUEUE_4 chosen "assumed: one bad tag must not stop the others",
        "An entry without `div` or `obj` gives diagnostic `bad_queue_entry`; later entries are still \
         processed.";
    QUEUE_5 chosen "assumed; CON-5",
        "An entry may omit `onReady`.";
    QUEUE_6 chosen "assumed",
        "Entries pushed by another entry's `onReady` are processed after those already in the array.";
}

rules! { INIT
    INIT_1 stated "doc:calls; the error assumed",
        "`$player(div, config)` takes a string `div` and an object `config`. Anything else throws \
         `bad_argument` and creates no player.";
    INIT_2 stated "doc:embed; effect assumed",
        "A player's config must hold `id`, `width`, `height` and `video` as strings; each that is missing or \
         empty gives diagnostic `config_missing:<field>`. Without `id` or `video` no player is created; \
         without a size it is 640 by 360. A `playlist` or an inline `video` object may take the place of \
         `video`.";
    INIT_3 chosen "assumed, as in public integrations",
        "Numbers in place of config strings are converted to strings, with diagnostic `config_type`; any \
         other value that a field does not take counts as missing, and the same diagnostic says what it \
         takes. Sizes may be digits, a percentage or, as an extension, a ratio word such as `16x9`.";
    INIT_4 stated "doc:embed; ignoring `video` assumed",
        "An outstream unit needs only `id` (the unit's), `width` and `height`; a `video` is ignored with a \
         diagnostic.";
    INIT_5 chosen "assumed",
        "The page must have a container with the given id. Otherwise there is diagnostic `no_container`, no \
         player, and `onReady` is never called.";
    INIT_6 stated "doc:loading; creating the player anyway assumed",
        "The container should have the class `<player_class>`. Without it there is diagnostic `no_class`, \
         but the player is created.";
    INIT_7 chosen "assumed",
        "Initializing a container whose player is alive throws `already_initialised` and leaves that player \
         untouched.";
    INIT_8 stated "doc:calls",
        "After its player is destroyed, a container that is still in the page can be initialized again; the \
         old player's listeners are gone.";
    INIT_9 chosen "assumed",
        "The initializer returns the handle at once; its player is created but not ready.";
    INIT_10 chosen "assumed; the extensions from public integrations",
        "Unknown config fields are kept without effect and reported once with diagnostic `config_unknown`. \
         Known extensions: `autoplay`, `muted`, `playlist`, an inline `video` object, `title`, `ads`, \
         `poster`.";
    INIT_11 chosen "assumed: a listener bound on the next line must still see `ready`",
        "Becoming ready means fetching the settings, resolving `video` to its record and media URL, and \
         loading as far as `preload` says. It takes the scenario's `ready_after`: 0 means a later task of \
         the same instant, more a NET entry. It never completes inside the initializer. Steps of the same \
         instant that follow an initializer and bind listeners are the next lines of its script, so that \
         they hear `ready`.";
    INIT_12 chosen "assumed",
        "The order is: `isReady` becomes true, `ready` is queued, the `onReady` callback runs, the queue is \
         delivered. A `ready` listener bound inside the callback therefore receives the event, and events of \
         calls made there follow `ready`.";
    INIT_13 stated "doc:callrules",
        "In the `onReady` callback `this` is the player.";
    INIT_14 chosen "assumed",
        "A player fires `ready` once; listeners bound later do not receive it.";
    INIT_15 chosen "assumed: `src` needs a ready player",
        "A missing or unplayable record does not keep a player from becoming ready; `playbackerror` fires \
         when its media is first needed. A failure before `ready` is held until `ready` has been delivered.";
    INIT_16 chosen "assumed; what it means html",
        "With the default `preload`, `metadata`, media is loaded up to its metadata without being asked, so \
         only the scenario's delays decide whether `loadedmetadata` comes before or after `ready`.";
    INIT_17 chosen "assumed",
        "The `autoplay` extension is a single `play()` with cause `autoplay`, queued as soon as `ready` has \
         been dispatched.";
    INIT_18 stated "doc:callrules; the no-argument choice assumed",
        "`$player(div)` returns the player of that container; `$player()` returns the earliest created \
         player that is alive.";
    INIT_19 chosen "assumed",
        "Looking up a player that does not exist, as in `$player('unknown')`, throws `no_such_player`.";
    INIT_20 chosen "assumed; exceptions from doc:calls",
        "Before ready, only `on`, `once`, `off`, their aliases and `destroy` take effect. `src` and \
         `fireCustom` throw (SRC-3, GA-2); every other action or setter is dropped with diagnostic \
         `not_ready`. Getters return neutral values: position 0, duration null, empty strings, false, \
         length 0, index -1, no chapter; volume and mute as configured.";
    INIT_21 chosen "assumed",
        "A page may put an element in place in which a player can be made, such as one with the id of a \
         container that `destroy` has removed. It can hold a player from then on, as those of the start can; a \
         player that is alive is not touched.";
}

rules! { READY
    READY_1 stated "doc:calls; the moment and assignments assumed",
        "`isReady` is a read-only boolean property, true from the moment given in INIT-12 until the player \
         is destroyed. Assigning to it gives a diagnostic and does nothing.";
    READY_2 chosen "assumed; CON-4",
        "Calling `isReady()` as a function works, returns the property's value and gives diagnostic \
         `property_called`.";
    READY_3 chosen "assumed",
        "Before the script has loaded and after destroy, `isReady` fails like every other access.";
}

rules! { ENV
    ENV_1 chosen "assumed",
        "A scenario can script gestures, clicks on all controls, volume and timeline drags, scrolling, \
         sizes, device, network, media, ads and bids, script loading, record edits, and listeners with \
         actions. All of these are of class ACTION or NET.";
    ENV_2 chosen "assumed",
        "User input follows the rules of the corresponding call, has cause `user` and counts as a gesture.";
    ENV_3 chosen "assumed",
        "Input without a matching control on screen, such as a skip before its offset or the timeline during \
         an ad, is ignored with a diagnostic.";
    ENV_4 chosen "assumed",
        "Hiding the page changes nothing.";
}
