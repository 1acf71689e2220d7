//! Rules about calls and positions, on content of 3 s.

use super::Absence;
use super::support::{expect_trace, film, list, still, traces};

pub(crate) const ALL: &[Absence] = traces![
    (
        "stop makes everything due again and keeps the loaded media",
        ["STOP-5", "STOP-7", "PLAY-12"],
        film("{ at: 1s, do: stop }\n{ at: 2s, do: play }\n{ at: 2s, do: stop }"),
        r#"@0 ready play loadedmetadata beforeStart start @1 timeupdate stopped @2 play beforeStart start stopped"#
    ),
    (
        "stop keeps list, index and listeners",
        ["STOP-4"],
        list("listeners: { L: [currentIndex] }", "{ at: 0s, do: { on: [stopped, L] } }\n{ at: 1s, do: next }\n{ at: 2s, do: stop }\n{ at: 2s, read: playlistLength }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @1 skipped play loadedmetadata beforeStart start @2 timeupdate stopped currentIndex=1 playlistLength=2"#
    ),
    (
        "user actions, errors and the end of content never fire stopped",
        ["STOP-6", "ERR-2"],
        list("", "{ at: 1s, user: pause }\n{ at: 2s, user: play }\n{ at: 9s, read: currentTime }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @1 timeupdate pause @2 play @3 lastSecond @4 timeupdate ended skipped play loadedmetadata beforeStart start @6 lastSecond @7 timeupdate ended playlistComplete @9 currentTime=3"#
    ),
    (
        "each pass has one ended, and the last is followed by playlistComplete",
        ["END-3", "END-4", "EV-7", "EV-16"],
        list("", "{ on: ended, do: pause }\n{ on: ended, do: { currentTime: 99 } }\n{ at: 3s, do: next }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended currentTime=3 timeupdate seeked skipped play loadedmetadata beforeStart start @5 lastSecond @6 timeupdate ended currentTime=3 playlistComplete timeupdate seeked"#
    ),
    (
        "a list that has ended starts again from its first item",
        ["END-4", "PL-11"],
        list("", "{ at: 7s, do: { playByIndex: 0 } }\n{ at: 8s, do: { playByIndex: 1 } }\n{ at: 9s, do: { playByIndex: 0 } }\n{ at: 9s, do: stop }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended skipped play loadedmetadata beforeStart start @5 lastSecond @6 timeupdate ended playlistComplete @7 playlistStart play loadedmetadata beforeStart start @8 play loadedmetadata beforeStart start @9 play loadedmetadata beforeStart start stopped"#
    ),
    (
        "a single video starts and completes no playlist",
        ["PL-14"],
        film("{ at: 4s, do: play }"),
        r#"@0 ready play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended @4 play @6 lastSecond @7 timeupdate ended"#
    ),
    (
        "playByIndex does not fire skipped",
        ["PL-9", "PL-22"],
        list("", "{ on: start, do: currentIndex }\n{ at: 1s, do: { playByIndex: 1 } }\n{ at: 2s, do: stop }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start currentIndex=0 @1 play loadedmetadata beforeStart start currentIndex=1 @2 timeupdate stopped"#
    ),
    (
        "a skipped listener reads the new index",
        ["PL-22", "EV-15"],
        list("", "{ on: skipped, do: currentIndex }\n{ on: skipped, do: getTitle }\n{ at: 1s, do: next }\n{ at: 2s, do: stop }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @1 skipped currentIndex=1 getTitle="Two" play loadedmetadata beforeStart start @2 timeupdate stopped"#
    ),
    (
        "an item that fails does not advance the list",
        ["PL-16", "ERR-2", "EV-10"],
        list("", "{ at: 0s, do: { playByIndex: 1 } }\n{ at: 9s, read: currentIndex }").replace("default:", "other.mp4: { fails: { at: 1s, how: decode } }, default:"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start play loadedmetadata beforeStart start @1 playbackerror @9 currentIndex=1"#
    ),
    (
        "an item change removes chapters, and start and beforeStart are due again",
        ["PL-21", "CH-12"],
        list("", "{ at: 1s, do: currentChapter }\n{ at: 1s, do: next }\n{ at: 2500ms, do: currentChapter }\n{ at: 3s, do: stop }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @1 currentChapter={"chapter":0,"title":"A","start":1,"end":2} skipped play loadedmetadata beforeStart start @2.5 currentChapter=null @3 lastSecond timeupdate stopped"#
    ),
    (
        "a second seek replaces the first",
        ["TIME-10", "MEL-13"],
        film("{ on: start, do: { currentTime: 1 } }\n{ on: start, do: { currentTime: 2 } }\n{ at: 500ms, do: stop }"),
        r#"@0 ready play loadedmetadata beforeStart start currentTime=1 currentTime=2 timeupdate seeked lastSecond @0.5 timeupdate stopped"#
    ),
    (
        "a seek to the end is reported before the end",
        ["TIME-9", "MEL-24", "TIME-12"],
        film("{ at: 500ms, do: { currentTime: 99 } }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.5 currentTime=3 timeupdate seeked lastSecond timeupdate ended"#
    ),
    (
        "seeks by page, user and chapter are reported, and moves by the player are not",
        ["TIME-11"],
        film("{ at: 100ms, do: { currentTime: 1 } }\n{ at: 200ms, user: { seek: 0 } }\n{ at: 300ms, do: { currentChapter: 1 } }\n{ at: 2s, do: play }\n{ at: 2500ms, do: stop }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.1 currentTime=1 timeupdate seeked @0.2 timeupdate seeked @0.3 currentChapter={"chapter":1,"title":"B","start":2,"end":3} timeupdate seeked lastSecond @1.3 timeupdate ended @2 play @2.5 timeupdate stopped"#
    ),
    (
        "a setter returns the clamped target",
        ["TIME-12"],
        still("", "{ at: 1s, do: { currentTime: -1 } }\n{ at: 2s, do: { currentTime: 99 } }\n{ at: 3s, do: { currentTime: 1 } }"),
        r#"@0 ready loadedmetadata @1 currentTime=0 timeupdate seeked @2 currentTime=3 timeupdate seeked @3 currentTime=1 timeupdate seeked"#
    ),
    (
        "a seek before metadata fires no event and sets the start position",
        ["MEL-14", "TIME-7"],
        still("", "{ at: 100ms, do: { currentTime: 2 } }\n{ at: 1s, read: currentTime }\n{ at: 1s, do: play }").replace("duration: 3s", "duration: 3s, metadata_after: 500ms"),
        r#"@0 ready @0.1 currentTime=2 @0.5 loadedmetadata @1 currentTime=2 play beforeStart start lastSecond @2 timeupdate ended"#
    ),
    (
        "play after a seek to the end starts at the start",
        ["MEL-12"],
        still("", "{ at: 1s, do: { currentTime: 99 } }\n{ at: 2s, do: play }\n{ at: 3s, read: currentTime }\n{ at: 3s, do: stop }"),
        r#"@0 ready loadedmetadata @1 currentTime=3 timeupdate seeked @2 play beforeStart start @3 currentTime=1 timeupdate stopped"#
    ),
    (
        "lastSecond comes once for each pass, after the seek that triggers it",
        ["LAST-3", "EV-9"],
        film("{ at: 500ms, do: { currentTime: 2 } }\n{ at: 700ms, do: { currentTime: 0 } }\n{ at: 4s, do: { currentTime: 1 } }\n{ at: 4s, do: play }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.5 currentTime=2 timeupdate seeked lastSecond @0.7 currentTime=0 timeupdate seeked @3.7 timeupdate ended @4 currentTime=1 timeupdate seeked play @5 lastSecond @6 timeupdate ended"#
    ),
    (
        "events that depend on position are exact to the microsecond",
        ["LAST-4", "MEL-19"],
        film("{ at: 100001us, do: pause }\n{ at: 1s, do: play }\n{ at: 1000003us, read: currentTime }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.100001 timeupdate pause @1 play @1.000003 currentTime=0.100004 @2.899999 lastSecond @3.899999 timeupdate ended"#
    ),
    (
        "state and position are already updated when their event is fired",
        ["MEL-8", "ERR-2"],
        film("{ on: pause, do: currentTime }\n{ on: seeked, do: currentTime }\n{ on: stopped, do: currentTime }\n{ at: 1100ms, do: pause }\n{ at: 1200ms, do: { currentTime: 2 } }\n{ at: 1300ms, do: stop }"),
        r#"@0 ready play loadedmetadata beforeStart start @1.1 timeupdate pause currentTime=1.1 @1.2 currentTime=2 timeupdate seeked currentTime=2 @1.3 timeupdate stopped currentTime=0"#
    ),
    (
        "chapters are numbered from 0, begin at their start and end at the next; before the first it is the first",
        ["CH-2", "CH-3", "CH-4", "CH-5", "MEL-21"],
        film("{ at: 999999us, do: currentChapter }\n{ at: 1s, do: currentChapter }\n{ at: 1999999us, do: currentChapter }\n{ at: 2s, do: currentChapter }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.999999 currentChapter={"chapter":0,"title":"A","start":1,"end":2} @1 currentChapter={"chapter":0,"title":"A","start":1,"end":2} @1.999999 currentChapter={"chapter":0,"title":"A","start":1,"end":2} @2 lastSecond currentChapter={"chapter":1,"title":"B","start":2,"end":3} @3 timeupdate ended"#
    ),
    (
        "an extra time update replaces the periodic one, but not one already fired",
        ["MEL-16", "EV-6", "EV-17"],
        film("{ on: timeupdate, nth: 1, do: pause }\n{ at: 500ms, do: play }\n{ at: 750ms, do: pause }\n{ on: timeupdate, do: currentTime }"),
        r#"@0 ready play loadedmetadata beforeStart start @0.25 currentTime=0.25 timeupdate currentTime=0.25 pause @0.5 play @0.75 currentTime=0.5 timeupdate currentTime=0.5 pause"#
    ),
    (
        "title and tags can be read from initial to failed",
        ["META-3"],
        still("", "{ at: 0s, read: [getTitle, getTags] }\n{ at: 1s, do: play }\n{ at: 2s, read: [getTitle, getTags] }\n{ at: 2s, do: pause }\n{ at: 3s, read: getTitle }\n{ at: 3s, do: play }\n{ at: 9s, read: getTags }").replace("duration: 3s", "duration: 3s, fails: { at: 2s, how: decode }"),
        r#"@0 ready loadedmetadata getTitle="One" getTags="a, b" @1 play beforeStart start @2 getTitle="One" getTags="a, b" timeupdate pause @3 getTitle="One" play @4 playbackerror @9 getTags="a, b""#
    ),
];
