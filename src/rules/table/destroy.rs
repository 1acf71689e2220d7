//! Rules DESTROY: destroying a player.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:events",
        "`destroy` first emits `destroyBefore` synchronously on a player that still works fully. It then \
         halts playback, drops listeners and timers, resets the DOM, and the player is destroyed.",
    ),
    chosen(
        2,
        "assumed; CON-28",
        "The stop within destroy is silent: no `stopped`, `pause`, `adEnd` or `adSkip`.",
    )
    .knob("destroy.stopped"),
    stated(
        3,
        "doc:calls (cleans up)",
        "Requests under way are cancelled, and what they answer is traced as dropped.",
    ),
    stated(
        4,
        "doc:calls; false assumed, CON-8",
        "`destroy(true)` leaves the container in the page; `destroy()` and `destroy(false)` remove it.",
    )
    .knob("destroy.false"),
    chosen(
        5,
        "assumed",
        "A player can be destroyed from its creation on. Before ready this means that neither `ready` nor \
         `onReady` will come.",
    ),
    chosen(
        6,
        "assumed",
        "In a listener `destroy` emits `destroyBefore` and tears down at once. The event in delivery \
         still reaches its other listeners; later ones in the queue are dropped.",
    )
    .knob("destroy.in_listener"),
    chosen(7, "assumed", "Calling `destroy` from `destroyBefore` has no effect."),
    chosen(
        8,
        "assumed",
        "Calls on a destroyed handle are error `destroyed`; only another `destroy` gets by with a diag.",
    )
    .knob("destroy.after"),
    chosen(
        9,
        "assumed",
        "`$player()` moves on to the next player alive; if there is none it is error `no_such_player`.",
    ),
    chosen(
        10,
        "assumed",
        "A `destroyBefore` listener may call what it likes, but the teardown cancels whatever that would \
         start.",
    ),
];
