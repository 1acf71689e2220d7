//! Rules EVT: listeners and dispatch.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    html(
        1,
        "html; two comparable players dispatch synchronously",
        "State changes during the call itself. The events that follow from it queue up and are delivered \
         first in, first out, in that instant once the call has returned.",
    )
    .knob("dispatch.mode"),
    chosen(
        2,
        "assumed; the guarantee comparable players give",
        "An event is given to all its listeners in binding order before the next event starts. What a \
         listener's calls cause goes to the end of the queue and never cuts in.",
    ),
    stated(
        3,
        "doc:calls",
        "`on(event, listener)` needs a name and a function; an empty name or something that cannot be \
         called is error `bad_argument`.",
    ),
    stated(
        4,
        "doc:calls",
        "Given an array of names, `on` binds the listener to one after another. An empty array binds \
         nothing and gives a diag.",
    ),
    stated(
        5,
        "doc:calls; detail assumed",
        "A listener bound by `once` hears one dispatch. Its binding goes before it runs, so it cannot be \
         entered twice.",
    ),
    chosen(
        6,
        "assumed; CON-24",
        "`once` and `off` take arrays of names as `on` does; under `once` each name has its own single \
         dispatch.",
    )
    .knob("bus.array_everywhere"),
    stated(
        7,
        "doc:calls; all-bindings assumed",
        "`off(event, listener)` takes away all bindings of that pair, whether made by `on` or by `once`; \
         a pair that was never bound is no mistake.",
    )
    .knob("bus.off_removes"),
    chosen(8, "assumed", "`off` without a listener is error `bad_argument` and removes nothing.")
        .knob("bus.off_without_listener"),
    stated(
        9,
        "doc:calls, doc:versioning",
        "`add`, `addOnce` and `remove` are other spellings of `on`, `once` and `off`; what one vocabulary \
         binds the other can remove. The trace keeps the spelling that was used.",
    ),
    chosen(10, "assumed", "Binding a listener twice to one name makes it run twice for each event.")
        .knob("bus.dedupe"),
    html(
        11,
        "html",
        "A listener that is bound while an event of its name is being delivered does not hear that \
         delivery.",
    ),
    html(
        12,
        "html",
        "A listener that `off` removes during a delivery before it had its turn is passed over.",
    )
    .knob("bus.removed_in_flight"),
    html(
        13,
        "html, peer",
        "An error thrown by a listener is written into its `listener` line; the other listeners and \
         events are served as usual.",
    )
    .knob("bus.on_throw"),
    stated(
        14,
        "doc:events",
        "What a listener receives is an object whose `type` is the event's exact name. `data` is there \
         only for events whose payload is documented.",
    )
    .knob("event.extra_data"),
    chosen(
        15,
        "assumed; doc:callrules says it of the ready callback only",
        "In every listener `this` is the player.",
    ),
    stated(
        16,
        "doc:events; CON-21",
        "Event names match letter by letter, capitals included: `AdsManagerLoadedEvent` has one in front, \
         `playbackerror` has none.",
    ),
    chosen(
        17,
        "assumed",
        "A name that is not among the 41 may be bound but never fires; diag `unknown_event` proposes the \
         nearest known one, `adStart` for adStarted.",
    )
    .knob("bus.unknown_name"),
    stated(
        18,
        "doc:events",
        "Page code can see 41 event names. Other events of the media element, such as `waiting`, \
         `canplay` or `seeking`, are internal lines of the trace. Exposed by the knob they are events in \
         their place, those of a replay too.",
    )
    .knob("bus.expose_html"),
    stated(
        19,
        "doc:calls",
        "Listeners can be bound before the player is ready. Apart from `onReady` that is the one way to \
         hear `ready`.",
    ),
    stated(
        20,
        "doc:events; sync assumed",
        "`destroy` itself delivers `destroyBefore` before it tears anything down, after the events that \
         were already queued. Inside a listener DESTROY-6 rules instead.",
    )
    .knob("destroy.flush"),
    stated(
        21,
        "doc:calls (cleans listeners and timers)",
        "A destroyed player dispatches nothing more once the event in delivery is finished. What is still \
         queued is dropped, each as diag `event_dropped`.",
    ),
    chosen(22, "assumed", "Events stay with their player; listeners of one are deaf to every other."),
    chosen(
        23,
        "assumed: the chain of causes",
        "Each event in the trace names its cause: the call, fixture entry or event from which it \
         followed.",
    ),
];
