//! Rules about what changes the content: renditions, sources, playlist files.

use super::Absence;
use super::support::{expect_trace, traces};

/// A player for this content in a world with these additional fields; then these steps.
fn world(more: &str, content: &str, steps: &str) -> String {
    let steps: String = steps
        .lines()
        .map(|line| format!("  - {}\n", line.trim()))
        .collect();
    format!(
        r#"{more}
videos:
  - {{ id: v1, name: One, tags: "a, b", renditions: {{ hd: one-hd.mp4, ld: one-ld.mp4, sd: one-sd.mp4 }} }}
  - {{ id: v2, renditions: {{ fhd: two-fhd.mp4, hd: two-hd.mp4 }} }}
  - {{ id: v3, renditions: {{ fhd: three-fhd.mp4, hsd: three-hsd.mp4, sd: three-sd.mp4 }} }}
  - {{ id: v4, renditions: {{ sd: four.mp4 }}, ads: [{{ adType: 0, mobile: [https://ads.test/video] }}] }}
media: {{ slow.mp4: {{ duration: 3s, metadata_after: 500ms }}, bad.mp4: {{ fails: {{ how: decode }} }}, default: {{ duration: 3s }} }}
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "1", height: "1", {content} }} }} }}
{steps}"#
    )
}

/// A player with one pre-roll that nothing fills, and a file of one item.
const AD: &str = r#"
player: { ads: [{ adType: 0, mobile: [https://ads.test/player] }] }
network:
  https://ads.test/player: { text: "<VAST version='4.2'/>" }
  https://ads.test/video: { text: "<VAST version='4.2'/>" }
"#;
const FILE: &str = r#"
network:
  https://feed.test/list: { text: '{ "Video": [{ "source": { "ld": "a.mp4", "hd": "b.mp4" }, "name": "A", "description": "Of it", "tags": ["x", "y"], "image": "a.png", "duration": 1, "monetize": true, "clickthrough": "https://shop.test/" }] }' }
  https://feed.test/other: { text: '[{ "file": "c.mp4", "title": "C" }]' }
"#;

pub(crate) const ALL: &[Absence] = traces![
    (
        "an item begins with the best rendition below hd, or with the lowest",
        ["QUAL-2", "QUAL-11", "CON-12"],
        world("", "playlist: [v2, v3]", "{ on: loadedmetadata, do: currentSrc }\n{ on: loadedmetadata, do: isHD }\n{ at: 1s, do: next }\n{ at: 1s, do: stop }"),
        r#"@0 ready loadedmetadata currentSrc="two-hd.mp4" isHD=true @1 skipped playlistStart play loadedmetadata currentSrc="three-hsd.mp4" isHD=false beforeStart start stopped"#
    ),
    (
        "a chosen rendition carries over to items that have it",
        ["QUAL-13"],
        world("", "playlist: [v1, v3, v2]", "{ at: 0s, do: { setHD: true } }\n{ on: loadedmetadata, do: currentSrc }\n{ at: 1s, do: next }\n{ at: 2s, do: next }\n{ at: 2s, do: stop }"),
        r#"@0 ready loadedmetadata currentSrc="one-sd.mp4" qualityChange
            @1 skipped playlistStart play loadedmetadata currentSrc="three-hsd.mp4" beforeStart start
            @2 skipped play loadedmetadata currentSrc="two-hd.mp4" beforeStart start stopped"#
    ),
    (
        "currentSrc changes with qualityChange and not before",
        ["QUAL-16", "EV-2"],
        world("", "video: v1", "{ on: ready, do: play }\n{ at: 1100ms, do: { setVideoSource: hd } }\n{ at: 1100ms, read: currentSrc }\n{ on: qualityChange, do: currentSrc }\n{ at: 2s, do: { setVideoSource: hd } }\n{ at: 2s, do: stop }")
            .replace("default:", "one-hd.mp4: { duration: 3s, switch_after: 100ms }, default:"),
        r#"@0 ready play loadedmetadata beforeStart start @1.1 currentSrc="one-sd.mp4" @1.2 qualityChange currentSrc="one-hd.mp4" @2 lastSecond timeupdate stopped"#
    ),
    (
        "a source is loaded and not played",
        ["SRC-5", "SRC-8", "SRC-9"],
        world("", "video: v1", "{ on: ready, do: { src: slow.mp4 } }\n{ at: 1s, read: [getTitle, getTags, currentTime, duration] }"),
        r#"@0 ready @0.5 loadedmetadata @1 getTitle="" getTags="" currentTime=0 duration=3"#
    ),
    (
        "a source that fails is a playback error",
        ["SRC-10"],
        world("", "video: v1", "{ on: ready, do: { src: bad.mp4 } }\n{ at: 1s, do: play }"),
        r#"@0 ready playbackerror @1 play playbackerror"#
    ),
    (
        "a source is monetized unless it says otherwise",
        ["SRC-7", "CON-19"],
        world(AD, "video: v1", "{ on: ready, do: { src: { src: x.mp4, monetize: false } } }\n{ at: 1s, do: play }\n{ at: 2s, do: stop }\n{ at: 3s, do: { src: { src: x.mp4, monetize: 0 } } }\n{ at: 3s, do: play }\n{ at: 4s, do: { src: { src: x.mp4, monetize: 1 } } }\n{ at: 4s, do: play }\n{ at: 5s, do: { src: x.mp4 } }\n{ at: 5s, do: play }\n{ at: 6s, do: destroy }"),
        r#"@0 ready loadedmetadata @1 play beforeStart start @2 timeupdate stopped
            @3 ~src_outside_ready loadedmetadata play beforeStart start
            @4 ~src_outside_ready ~content_replaced requestAd loadedmetadata adError adEnd play beforeStart start
            @5 ~src_outside_ready ~content_replaced requestAd loadedmetadata adError adEnd play beforeStart start
            @6 destroyBefore"#
    ),
    (
        "a source drops the ads of the previous video",
        ["SRC-11"],
        world(AD, "video: v4", "{ on: requestAd, do: getTitle }\n{ at: 1s, do: { src: { src: x.mp4, title: X } } }\n{ at: 1s, do: play }\n{ at: 2s, do: destroy }")
            .replace("id: v4,", "id: v4, monetize: 0,")
            .replace("[https://ads.test/player]", "[https://ads.test/player, https://ads.test/player]"),
        r#"@0 ready loadedmetadata @1 ~src_outside_ready loadedmetadata requestAd getTitle="X" adError requestAd getTitle="X" adError adEnd play beforeStart start @2 destroyBefore"#
    ),
    (
        "a source replaces a list, silently in a ready callback and elsewhere with a diagnostic",
        ["CON-11"],
        world("", "playlist: [v1, v2]", "{ on: ready, do: { src: { src: x.mp4 } } }\n{ at: 1s, read: [playlistLength, currentIndex] }\n{ at: 1s, do: { src: y.mp4 } }\n{ at: 2s, read: currentSrc }"),
        r#"@0 ready loadedmetadata @1 playlistLength=1 currentIndex=0 ~src_outside_ready loadedmetadata @2 currentSrc="y.mp4""#
    ),
    (
        "a playlist file is loaded, and plays if the old content did",
        ["LPL-2", "LPL-4"],
        world(FILE, "video: v1", "{ on: ready, do: play }\n{ at: 1s, do: { loadPlaylist: https://feed.test/list } }\n{ at: 2s, read: [getTitle, getTags, currentSrc, playlistLength] }\n{ at: 2s, do: { loadPlaylist: https://feed.test/other } }\n{ at: 3s, read: [getTitle, getTags, currentSrc] }"),
        r#"@0 ready play loadedmetadata beforeStart start
            @1 ~content_replaced playlistStart play loadedmetadata beforeStart start
            @2 getTitle="A" getTags="x,y" currentSrc="a.mp4" playlistLength=1
            ~content_replaced playlistStart play loadedmetadata beforeStart start
            @3 getTitle="C" getTags="" currentSrc="c.mp4" @4 lastSecond @5 timeupdate ended playlistComplete"#
    ),
    (
        "a playlist file starts a new pass",
        ["LPL-3", "PL-11", "PL-10"],
        world(FILE, "playlist: [v1, v2]", "{ on: ready, do: play }\n{ at: 1s, do: { loadPlaylist: https://feed.test/other } }\n{ at: 2s, do: play }\n{ at: 3s, do: { src: x.mp4 } }\n{ at: 3s, do: play }\n{ at: 7s, read: currentTime }"),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start
            @1 ~content_replaced playlistStart play loadedmetadata beforeStart start
            @3 lastSecond ~src_outside_ready ~content_replaced play loadedmetadata beforeStart start
            @5 lastSecond @6 timeupdate ended @7 currentTime=3"#
    ),
];
