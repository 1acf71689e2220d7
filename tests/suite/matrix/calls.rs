//! The rows of the matrix: each call with its cells, how it is made, and how its effect is
//! observed.

use playsim::api::{Kind, Value};

use super::facts::Facts;
use super::paths::{CALL_AT, State};

/// A row.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The twelve cells, in the notation of `cells.rs`.
    cells: &'static str,
    /// The calls that it covers.
    pub(crate) calls: &'static [Call],
}

/// One way to make a call.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    /// The action as a scenario writes it.
    pub(crate) act: &'static str,
    /// The index of its character in cells with two characters.
    pub(crate) form: Form,
    /// Steps before it, in addition to those that lead to the state.
    pub(crate) before: &'static str,
    /// Steps after it that make its effect visible.
    pub(crate) after: &'static str,
    /// Whether it took effect, judged by its trace in a state.
    pub(crate) effect: fn(&Facts, State) -> bool,
}

/// The variant of a call that reads without an argument and acts with one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Getter,
    Setter,
}

impl Row {
    /// The cells, in the order of the states.
    pub(crate) fn cells(&self) -> Vec<&'static str> {
        self.cells.split('|').map(str::trim).collect()
    }
}

const fn call(name: &'static str, act: &'static str, effect: fn(&Facts, State) -> bool) -> Call {
    Call {
        name,
        act,
        form: Form::Setter,
        before: "",
        after: "",
        effect,
    }
}

const fn getter(name: &'static str, act: &'static str) -> Call {
    Call {
        name,
        act,
        form: Form::Getter,
        before: "",
        after: "",
        effect: |_, _| false,
    }
}

impl Call {
    const fn before(self, before: &'static str) -> Call {
        Call { before, ..self }
    }

    const fn after(self, after: &'static str) -> Call {
        Call { after, ..self }
    }
}

/// An event is fired at the call or after it.
fn comes(facts: &Facts, event: &str) -> bool {
    facts.count_from(CALL_AT, Kind::Event, event) > 0
}

fn line(facts: &Facts, kind: Kind, name: &str) -> bool {
    facts.count_from(CALL_AT, kind, name) > 0
}

/// Content that replaces content that was to play, plays; otherwise it waits in initial. Rule
/// SRC-12.
fn goes_on(facts: &Facts, state: State) -> bool {
    let was_to_play = matches!(state, State::L | State::A | State::P | State::B);
    (facts.last_state() == "initial") != was_to_play
}

/// The value read at 12 s.
fn reads(facts: &Facts, value: impl Into<Value>) -> bool {
    facts.returned(12) == Some(&value.into())
}

/// Whether a listener was bound or removed is visible when the player is resized; before the player
/// is ready, at `ready`.
const HEARD: &str = "  - { at: 12s, do: { resize: [320, 180] } }\n";

fn hears(facts: &Facts, _: State) -> bool {
    line(facts, Kind::Listener, "playerresize") || line(facts, Kind::Listener, "ready")
}

fn is_deaf(facts: &Facts, state: State) -> bool {
    !hears(facts, state)
}

const BOUND: &str = "  - { at: 0s, do: { on: [[playerresize, ready], L1] } }\n";

const BINDING: &[Call] = &[
    call("on", "do: { on: [[playerresize, ready], L1] }", hears).after(HEARD),
    call("once", "do: { once: [[playerresize, ready], L1] }", hears).after(HEARD),
    call("add", "do: { add: [[playerresize, ready], L1] }", hears).after(HEARD),
    call(
        "addOnce",
        "do: { addOnce: [[playerresize, ready], L1] }",
        hears,
    )
    .after(HEARD),
    call("off", "do: { off: [[playerresize, ready], L1] }", is_deaf)
        .before(BOUND)
        .after(HEARD),
    call(
        "remove",
        "do: { remove: [[playerresize, ready], L1] }",
        is_deaf,
    )
    .before(BOUND)
    .after(HEARD),
];

/// Ads of `pushAds` that content did not wait for.
const SET_PREROLL: &str = "  - { at: 7s, do: { setAd: [{ adType: 0, adTimeType: s, mobile: [\"https://ads.test/slow\"] }] } }\n";

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "initializer, same container",
        cells: "E|E|E|E|E|E|E|E|E|E|E|+",
        calls: &[call(
            "$player",
            "init: { div: main, config: { id: q, width: \"1\", height: \"1\", video: v2 } }",
            |facts, _| comes(facts, "ready"),
        )],
    },
    Row {
        name: "push on queue array",
        cells: "s|+|+|+|+|+|+|+|+|+|+|+",
        calls: &[call(
            "_player_queue.push",
            "queue: { _player_queue: { div: other, obj: { id: q, width: \"1\", height: \"1\", video: v2 } } }",
            // The player's own `ready` is fired in some states, so that of the other player would
            // be ambiguous.
            |facts, _| line(facts, Kind::Call, "$player"),
        )],
    },
    Row {
        name: "isReady",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[getter("isReady", "read: isReady")],
    },
    Row {
        name: "on, once, off, add, addOnce, remove",
        cells: "E|+|+|+|+|+|+|+|+|+|+|E",
        calls: BINDING,
    },
    Row {
        name: "destroy",
        cells: "E|+|+|+|+|+|+|+|+|+|+|d",
        calls: &[call("destroy", "do: destroy", |facts, _| {
            facts.last_state() == "destroyed"
        })],
    },
    Row {
        name: "play",
        cells: "E|d|+|+|.|+|.|.|+|+|+|E",
        calls: &[call("play", "do: play", |facts, state| match state {
            // Play was cancelled before; with `play` again, the ad starts when its response has
            // arrived.
            State::L => comes(facts, "adStart"),
            State::AP => comes(facts, "adResume"),
            State::U
            | State::C
            | State::I
            | State::A
            | State::P
            | State::B
            | State::Z
            | State::E
            | State::X
            | State::D => comes(facts, "play"),
        })
        .before("  - { at: 9s, user: gesture }\n")],
    },
    Row {
        name: "pause",
        cells: "E|d|.|+|+|.|+|+|.|.|.|E",
        calls: &[call("pause", "do: pause", |facts, state| match state {
            // The ad is held when its response has arrived.
            State::L => !comes(facts, "adStart"),
            State::A => comes(facts, "adPause"),
            State::U
            | State::C
            | State::I
            | State::AP
            | State::P
            | State::B
            | State::Z
            | State::E
            | State::X
            | State::D => comes(facts, "pause"),
        })],
    },
    Row {
        name: "stop",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[call("stop", "do: stop", |facts, _| {
            comes(facts, "stopped") && facts.last_state() == "initial"
        })],
    },
    Row {
        name: "volume",
        cells: "E|vd|v+|v+|v+|v+|v+|v+|v+|v+|v+|E",
        calls: &[
            getter("volume()", "do: { volume: [] }"),
            call("volume(0.5)", "do: { volume: 0.5 }", |facts, _| {
                comes(facts, "volumechange")
            }),
        ],
    },
    Row {
        name: "muted",
        cells: "E|vd|v+|v+|v+|v+|v+|v+|v+|v+|v+|E",
        calls: &[
            getter("muted()", "do: { muted: [] }"),
            call("muted(true)", "do: { muted: true }", |facts, _| {
                comes(facts, "mutechange")
            }),
        ],
    },
    Row {
        name: "currentTime",
        cells: "E|vd|v+|v+|vs|vs|v+|v+|v+|v+|vd|E",
        calls: &[
            getter("currentTime()", "do: { currentTime: [] }"),
            call("currentTime(3)", "do: { currentTime: 3 }", |facts, _| {
                comes(facts, "seeked")
            }),
        ],
    },
    Row {
        name: "duration",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[getter("duration", "do: duration")],
    },
    Row {
        name: "currentChapter",
        cells: "E|vd|v+|v+|vs|vs|v+|v+|v+|v+|vd|E",
        calls: &[
            getter("currentChapter()", "do: { currentChapter: [] }"),
            call(
                "currentChapter(1)",
                "do: { currentChapter: 1 }",
                |facts, _| comes(facts, "seeked"),
            ),
        ],
    },
    Row {
        name: "setHD, setVideoSource",
        cells: "E|d|s|+|+|+|+|+|+|+|s|E",
        calls: &[
            call("setHD", "do: { setHD: true }", |facts, _| {
                comes(facts, "qualityChange")
            }),
            call(
                "setVideoSource",
                "do: { setVideoSource: hd }",
                |facts, _| comes(facts, "qualityChange"),
            ),
        ],
    },
    Row {
        name: "isHD",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[getter("isHD", "do: isHD")],
    },
    Row {
        name: "src",
        cells: "E|E|+|+|+|+|+|+|+|+|+|E",
        calls: &[call("src", "do: { src: other.mp4 }", |facts, state| {
            reads(facts, "other.mp4") && goes_on(facts, state)
        })
        .after("  - { at: 12s, do: currentSrc }\n")],
    },
    Row {
        name: "loadPlaylist",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[call(
            "loadPlaylist",
            "do: { loadPlaylist: \"https://lists.test/two.json\" }",
            |facts, state| reads(facts, 2) && goes_on(facts, state),
        )
        .after("  - { at: 12s, read: playlistLength }\n")],
    },
    Row {
        name: "currentSrc",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[getter("currentSrc", "do: currentSrc")],
    },
    Row {
        name: "playlistLength, currentIndex",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[
            getter("playlistLength", "read: playlistLength"),
            getter("currentIndex", "read: currentIndex"),
        ],
    },
    Row {
        name: "next, previous, playByIndex",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[
            call("next", "do: next", |facts, _| reads(facts, 1)).after(INDEX),
            call("previous", "do: previous", |facts, _| reads(facts, 2)).after(INDEX),
            call("playByIndex", "do: { playByIndex: 1 }", |facts, _| {
                reads(facts, 1)
            })
            .after(INDEX),
        ],
    },
    Row {
        name: "setAd",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[call(
            "setAd",
            "do: { setAd: [{ adType: 2, mobile: [\"https://ads.test/slow\"] }] }",
            |facts, _| line(facts, Kind::Ad, "waterfall"),
        )],
    },
    Row {
        name: "playAd",
        cells: "E|d|+|d|d|d|+|+|+|+|d|E",
        calls: &[call(
            "playAd",
            "do: { playAd: \"https://ads.test/long\" }",
            |facts, _| comes(facts, "requestAd") && comes(facts, "adStart"),
        )],
    },
    Row {
        name: "pushAds",
        cells: "E|d|d|d|d|d|+|+|d|d|d|E",
        calls: &[call("pushAds", "do: pushAds", |facts, _| {
            comes(facts, "requestAd")
        })
        .before(SET_PREROLL)],
    },
    Row {
        name: "getAdInProgress",
        cells: "E|v|v|v|v true|v true|v|v|v|v|v|E",
        calls: &[getter("getAdInProgress", "do: getAdInProgress")],
    },
    Row {
        name: "adDuration",
        cells: "E|v null|v null|v null|v 100|v 100|v null|v null|v null|v null|v null|E",
        calls: &[getter("adDuration", "do: adDuration")],
    },
    Row {
        name: "adRemainingTime",
        cells: "E|v null|v null|v null|v 91|v 96|v null|v null|v null|v null|v null|E",
        calls: &[getter("adRemainingTime", "do: adRemainingTime")],
    },
    Row {
        name: "toggleFullScreen",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[call(
            "toggleFullScreen",
            "do: toggleFullScreen",
            |facts, _| comes(facts, "fullscreenchange"),
        )],
    },
    Row {
        name: "isFullScreen, isPlayerInView",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[
            getter("isFullScreen", "read: isFullScreen"),
            getter("isPlayerInView", "do: isPlayerInView"),
        ],
    },
    Row {
        name: "changeSkin, resize",
        cells: "E|d|+|+|+|+|+|+|+|+|+|E",
        calls: &[
            call("changeSkin", "do: { changeSkin: 3 }", |facts, _| {
                line(facts, Kind::Ui, "skin")
            }),
            call("resize", "do: { resize: [320, 180] }", |facts, _| {
                comes(facts, "playerresize")
            }),
        ],
    },
    Row {
        name: "GoogleAnalytics.fireCustom",
        cells: "E|E|+|+|+|+|+|+|+|+|+|E",
        calls: &[call(
            "fireCustom",
            "do: { GoogleAnalytics.fireCustom: [video, watched] }",
            |facts, _| line(facts, Kind::Analytics, "video"),
        )],
    },
    Row {
        name: "getTitle, getTags",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[
            getter("getTitle", "do: getTitle"),
            getter("getTags", "do: getTags"),
        ],
    },
    Row {
        name: "values.lastVASTXML",
        cells: "E|v|v|v|v|v|v|v|v|v|v|E",
        calls: &[getter("values.lastVASTXML", "read: values.lastVASTXML")],
    },
];

const INDEX: &str = "  - { at: 12s, read: currentIndex }\n";
