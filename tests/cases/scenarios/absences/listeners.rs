//! Rules about listeners, readiness and destroying, on content of 3 s.

use super::Absence;
use super::support::{expect_trace, film, still, traces};

pub(crate) const ALL: &[Absence] = traces![
    (
        "events wait until the call returns and keep their order",
        ["EVT-1", "CLK-4"],
        film("{ on: pause, nth: 1, do: play }\n{ on: pause, nth: 1, do: { currentTime: 0 } }\n{ on: pause, nth: 1, do: currentTime }\n{ at: 1100ms, do: pause }\n{ at: 1200ms, do: stop }"),
        r#"@0 ready play loadedmetadata beforeStart start @1.1 timeupdate pause currentTime=0 currentTime=0 play timeupdate seeked @1.2 timeupdate stopped"#
    ),
    (
        "a listener bound twice runs twice",
        ["EVT-10"],
        still("listeners: { L: [currentTime] }", "{ at: 0s, do: { on: [stopped, L] } }\n{ at: 0s, do: { on: [stopped, L] } }\n{ at: 1s, do: stop }"),
        r#"@0 ready loadedmetadata @1 stopped currentTime=0 currentTime=0"#
    ),
    (
        "a listener bound during delivery waits, one removed is skipped",
        ["EVT-11", "EVT-12"],
        still("listeners: { L: [{ off: [stopped, M] }, { on: [stopped, N] }], M: [duration], N: [currentTime] }", "{ at: 0s, do: { once: [stopped, L] } }\n{ at: 0s, do: { on: [stopped, M] } }\n{ at: 1s, do: stop }\n{ at: 2s, do: stop }"),
        r#"@0 ready loadedmetadata @1 stopped @2 stopped currentTime=0"#
    ),
    (
        "`this` is the player in callbacks and listeners",
        ["INIT-13", "EVT-15", "EVT-22", "PLAY-21"],
        still("page: { containers: [player, side] }\nlisteners: { L: [getTitle, play] }", "{ at: 0s, init: { div: side, config: { id: s, width: \"1\", height: \"1\", video: v2 }, on_ready: L } }\n{ at: 0s, player: side, do: { on: [pause, L] } }\n{ at: 1s, player: side, do: pause }\n{ at: 1s, do: play }\n{ at: 2s, player: side, do: stop }\n{ at: 2s, do: stop }"),
        r#"@0 ready loadedmetadata side.getTitle="Two" side.ready side.play side.loadedmetadata side.beforeStart side.start @1 side.timeupdate side.pause side.getTitle="Two" side.play play beforeStart start @2 side.lastSecond side.timeupdate side.stopped timeupdate stopped"#
    ),
    (
        "event names match exactly, and no other names are delivered",
        ["EVT-16", "EVT-18"],
        film("{ at: 0s, do: { on: [[Pause, waiting, canplay, seeking, playing], L] } }\n{ at: 0s, do: { on: [pause, L] } }\n{ at: 1s, do: { currentTime: 2 } }\n{ at: 1s, do: pause }").replace("steps:", "listeners: { L: [currentTime] }\nsteps:"),
        r#"@0 ready play loadedmetadata beforeStart start ~unknown_event ~unknown_event ~unknown_event ~unknown_event ~unknown_event @1 currentTime=2 timeupdate seeked lastSecond timeupdate pause currentTime=2"#
    ),
    (
        "a listener bound before ready gets it, one bound later does not",
        ["EVT-19", "INIT-14", "EV-1"],
        still("player: { ready_after: 500ms }\nlisteners: { L: [isReady], M: [stop] }", "{ at: 0s, do: { on: [ready, L] } }\n{ at: 1s, do: { on: [ready, M] } }"),
        r#"@0 loadedmetadata @0.5 ready isReady=true"#
    ),
    (
        "metadata comes before or after ready as the delays say",
        ["INIT-16", "EV-36"],
        still("players: { player: { ready_after: 100ms } }\npage: { containers: [player, side] }", "{ at: 0s, init: { div: side, config: { id: s, width: \"1\", height: \"1\", video: v2 } } }").replace("default:", "film.mp4: { duration: 1s, metadata_after: 50ms }, other.mp4: { duration: 1s, metadata_after: 200ms }, default:"),
        r#"@0 side.ready @0.05 ~chapter_behind_end ~chapter_behind_end loadedmetadata @0.1 ready @0.2 side.loadedmetadata"#
    ),
    (
        "autoplay is one play directly after ready",
        ["INIT-17"],
        still("", "{ on: ready, do: isReady }\n{ at: 1s, do: stop }").replace("video: v1 ", "video: v1, autoplay: true "),
        r#"@0 ready isReady=true play loadedmetadata beforeStart start @1 timeupdate stopped"#
    ),
    (
        "a name finds its player, no name finds the first that exists",
        ["INIT-18", "DESTROY-9"],
        still("page: { containers: [player, side] }", "{ at: 0s, init: { div: side, config: { id: s, width: \"1\", height: \"1\", video: v2 } } }\n{ at: 1s, player: null, do: getTitle }\n{ at: 1s, player: side, do: getTitle }\n{ at: 2s, do: destroy }\n{ at: 3s, player: null, do: getTitle }\n{ at: 4s, player: side, do: destroy }\n{ at: 5s, player: null, do: getTitle }"),
        r#"@0 ready loadedmetadata side.ready side.loadedmetadata @1 getTitle="One" side.getTitle="Two" @2 destroyBefore @3 side.getTitle="Two" @4 side.destroyBefore @5 getTitle!no_such_player"#
    ),
    (
        "a container that is kept can be reused, without the old listeners",
        ["INIT-8", "DESTROY-4"],
        still("listeners: { L: [currentTime] }", "{ at: 0s, do: { on: [stopped, L] } }\n{ at: 1s, do: { destroy: true } }\n{ at: 2s, init: { div: player, config: { id: p, width: \"1\", height: \"1\", video: v1 } } }\n{ at: 3s, do: stop }\n{ at: 4s, do: { destroy: false } }\n{ at: 5s, init: { div: player, config: { id: p, width: \"1\", height: \"1\", video: v1 } } }"),
        r#"@0 ready loadedmetadata @1 ~deldiv_true_keeps destroyBefore @2 ready loadedmetadata @3 stopped @4 destroyBefore @5 ~no_container"#
    ),
    (
        "destroy fires only destroyBefore, during which the player still works",
        ["DESTROY-2", "DESTROY-10", "EV-13"],
        film("{ on: destroyBefore, do: currentTime }\n{ on: destroyBefore, do: pause }\n{ at: 1s, do: destroy }"),
        r#"@0 ready play loadedmetadata beforeStart start @1 destroyBefore currentTime=1 ~event_dropped ~event_dropped"#
    ),
    (
        "destroy in a listener lets the current event's delivery finish",
        ["DESTROY-6"],
        film("{ on: pause, do: destroy }\n{ on: pause, do: currentTime }\n{ on: destroyBefore, do: currentTime }\n{ at: 1s, do: pause }\n{ at: 1s, do: play }"),
        r#"@0 ready play loadedmetadata beforeStart start @1 timeupdate pause destroyBefore currentTime=1 currentTime!destroyed play!destroyed"#
    ),
    (
        "a load that hangs is not an error",
        ["ERR-7"],
        still("until: 50m", "{ at: 0s, do: play }\n{ at: 1s, do: { playByIndex: 0 } }\n{ at: 2s, do: stop }").replace("default:", "film.mp4: { duration: 1s, metadata_after: 60m }, default:"),
        r#"@0 ready play @0.35 progress @0.7 progress @1 play @1.35 progress @1.7 progress @2 stopped"#
    ),
    (
        "content that fails fires no adError",
        ["ERR-4", "ERR-6"],
        still("", "{ at: 1s, do: play }\n{ at: 2s, do: play }").replace("default:", "film.mp4: { fails: { how: network } }, default:"),
        r#"@0 ready playbackerror @1 play playbackerror @2 play playbackerror"#
    ),
    (
        "play after the end and next begin items with their own start",
        ["EV-3", "EV-4", "EV-5", "EV-8", "EV-14", "EV-19"],
        still("", "{ at: 0s, do: play }\n{ at: 1s, do: { currentTime: 2 } }\n{ at: 1500ms, do: stop }\n{ at: 2s, do: next }\n{ at: 3s, do: stop }").replace("video: v1 ", "playlist: [v1, v2] "),
        r#"@0 ready loadedmetadata playlistStart play beforeStart start @1 currentTime=2 timeupdate seeked lastSecond @1.5 timeupdate stopped @2 skipped playlistStart play loadedmetadata beforeStart start @3 timeupdate stopped"#
    ),
    (
        "numbers are decimals without unnecessary digits",
        ["CLK-9"],
        still("", "{ at: 0s, read: duration }\n{ at: 1s, do: { currentTime: 1.500000 } }\n{ at: 1s, do: { currentTime: 0.000001 } }\n{ at: 1s, do: { currentTime: { $: NaN } } }\n{ at: 1s, do: { currentTime: { $: Infinity } } }"),
        r#"@0 ready loadedmetadata duration=3 @1 currentTime=1.5 ~non_integer_seek timeupdate seeked currentTime=0.000001 ~non_integer_seek timeupdate seeked currentTime=0.000001 ~bad_argument currentTime=3 timeupdate seeked"#
    ),
    (
        "at one instant responses come first, then media, waits and steps",
        ["CLK-2"],
        still("knobs: { playlist.advance_delay: 500ms }", "{ at: 0s, do: play }\n{ at: 3s, do: currentTime }\n{ at: 3500ms, do: currentIndex }\n{ at: 4s, do: stop }").replace("video: v1 ", "playlist: [v1, v2] ").replace("default:", "other.mp4: { duration: 2s, metadata_after: 3s }, default:"),
        r#"@0 ready loadedmetadata playlistStart play beforeStart start @2 lastSecond @3 timeupdate ended currentTime=3 @3.5 skipped play currentIndex=1 @3.85 progress @4 stopped @6.5 loadedmetadata"#
    ),
];
