//! Rules INIT: getting a player.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`$player(div, config)` wants a text `div` and an object `config`. Anything else is error \
         `bad_argument` and makes no player.",
    ),
    stated(
        2,
        "doc:embed; effect assumed",
        "A player's config must hold `id`, `width`, `height` and `video` as texts; each missing one gives \
         diag `config_missing:<field>`. Without `id` or `video` there is no player, without a size it is \
         640 by 360; in place of `video` a `playlist` or an inline `video` object will do.",
    )
    .knob("init.missing_field"),
    chosen(
        3,
        "assumed (OBS-1)",
        "Numbers in place of config texts are turned into text with diag `config_type`. Sizes may be \
         digits, a percentage or, as an extension, a ratio word such as `16x9`.",
    )
    .knob("init.strict_types"),
    stated(
        4,
        "doc:embed",
        "For an outstream unit `id` (the unit's), `width` and `height` are enough; a `video` given to it \
         is ignored with a diag.",
    ),
    chosen(
        5,
        "assumed",
        "The page must hold a container of the given id. If it does not, there is diag `no_container`, no \
         player, and `onReady` stays uncalled.",
    )
    .knob("init.no_container"),
    stated(
        6,
        "doc:loading; the mild effect assumed",
        "The container is due to carry the class `<player_class>`. One without it gives diag `no_class`, \
         yet gets its player.",
    )
    .knob("init.no_class"),
    chosen(
        7,
        "assumed",
        "A second initialisation of a container whose player is alive is error `already_initialised` and \
         leaves that player untouched.",
    )
    .knob("init.twice"),
    stated(
        8,
        "doc:calls",
        "Once its player is destroyed a container that is still in the page can be initialised anew; \
         listeners of the old player are gone for good.",
    ),
    chosen(
        9,
        "assumed",
        "The initializer answers with the handle immediately; the player it leads to is created but not \
         ready.",
    )
    .knob("init.returns"),
    chosen(
        10,
        "assumed (OBS-1, OBS-2, OBS-13)",
        "Config fields outside the table are kept without effect and reported once as diag \
         `config_unknown`. Exceptions with a meaning: `autoplay`, `muted`, `playlist`, an inline `video` \
         object, `title`, `ads`, `poster`.",
    )
    .knob("init.extensions"),
    chosen(
        11,
        "assumed: a listener bound on the next line must still see `ready`",
        "Getting ready means fetching the settings, resolving `video` to record and media address, and \
         loading as far as `preload` says. It takes the fixture's `ready_delay`: 0 is a later task of the \
         same instant, more is a NET entry; it is never done within the initializer.",
    )
    .knob("ready.requires"),
    chosen(
        12,
        "assumed",
        "The order is: `isReady` turns true, `ready` is queued, the `onReady` callback runs, the queue is \
         delivered. A `ready` listener bound inside the callback is therefore heard, and events of calls \
         made there follow `ready`.",
    )
    .knob("ready.order"),
    stated(13, "doc:callrules", "In the `onReady` callback `this` is the player."),
    chosen(
        14,
        "assumed",
        "A player says `ready` once; listeners that are bound too late do not get it again.",
    )
    .knob("ready.replay"),
    chosen(
        15,
        "assumed: `src` needs a ready player",
        "A record that is missing or cannot be played does not keep a player from becoming ready; \
         `playbackerror` comes when its media is first tried. A failure that falls before `ready` is held \
         until `ready` was delivered.",
    )
    .knob("ready.on_bad_video"),
    chosen(
        16,
        "assumed; what it means html",
        "With `preload` at its default `metadata` the media is loaded that far unasked, so only the \
         fixture's delays decide whether `loadedmetadata` comes before or after `ready`.",
    )
    .knob("preload"),
    chosen(
        17,
        "assumed",
        "The `autoplay` extension is a single `play()` of cause `autoplay`, queued as soon as `ready` was \
         dispatched.",
    )
    .knob("autoplay.start"),
    stated(
        18,
        "doc:callrules; the no-argument choice assumed",
        "`$player(div)` finds the player of that container; `$player()` finds the earliest created one \
         that is alive.",
    )
    .knob("lookup.default"),
    chosen(
        19,
        "assumed",
        "Asking by one argument for a player that does not exist, as in `$player('unknown')`, is error \
         `no_such_player`.",
    )
    .knob("lookup.unknown"),
    chosen(
        20,
        "assumed; exceptions from doc:calls",
        "Before ready only `on`, `once`, `off`, their other spellings and `destroy` act. `src` and \
         `fireCustom` are errors (SRC-3, GA-2), every other action or setter is dropped with diag \
         `not_ready`. Getters give neutral answers: position 0, duration null, empty texts, false, length \
         0, index -1, no chapter; volume and mute as configured.",
    )
    .knob("api.before_ready"),
];
