//! Breaks at cue points and on command, gestures, and tags with macros: behaviour without a line of
//! its own.

use super::super::Absence;
use super::super::support::{expect, expect_trace, play, traces};
use super::world::{SPOT, asked};

/// A document with one overlay.
const OVERLAY: &str = "<VAST version='4.2'><Ad id='over'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><NonLinearAds>\
    <NonLinear width='300' height='50' minSuggestedDuration='00:00:03'>\
    <StaticResource creativeType='image/png'>https://m.test/over.png</StaticResource></NonLinear>\
    </NonLinearAds></Creative></Creatives></InLine></Ad></VAST>";

/// Content of ten seconds, ads of 1 s whose tags respond after 100 ms, and these steps.
fn world(more: &str, ads: &str, steps: &str) -> String {
    let spot = SPOT.replace("00:00:04", "00:00:01");
    let steps: String = steps
        .lines()
        .map(|line| format!("  - {}\n", line.trim()))
        .collect();
    format!(
        r#"{more}
videos:
  - {{ id: v1, name: One, renditions: {{ sd: film.mp4 }} }}
  - {{ id: unpaid, monetize: 0, renditions: {{ sd: film.mp4 }} }}
media:
  film.mp4: {{ duration: 10s }}
  https://m.test/spot.mp4: {{ duration: 1s }}
network:
  https://ads.test/pre: {{ after: 100ms, text: "{spot}" }}
  https://ads.test/mid: {{ after: 100ms, text: "{spot}" }}
  https://ads.test/now: {{ after: 100ms, text: "{spot}" }}
  https://ads.test/over: {{ after: 100ms, text: "{OVERLAY}" }}
player: {{ ads: [{ads}] }}
steps:
  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: "640", height: "360", video: v1 }} }} }}
{steps}"#
    )
}

const PRE: &str = "{ adType: 0, mobile: [https://ads.test/pre] }";

fn cue_points(unit: &str, points: &str) -> String {
    format!(
        "{{ adType: 1, adTimeType: '{unit}', cuepoints: [{points}], mobile: [https://ads.test/mid] }}"
    )
}

/// A document whose one ad is a VPAID unit of one second.
const UNIT: &str = "<VAST version='4.2'><Ad id='unit'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:01</Duration>\
    <MediaFiles><MediaFile delivery='progressive' type='application/javascript' apiFramework='VPAID'>\
    https://m.test/spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

/// An ad tag may contain names in square brackets, which are filled with a value that is encoded
/// once, or left as they are.
pub(super) fn an_ad_tag_requests_custom_parameters_only_with_the_knob() -> Result<(), String> {
    let tag = "https://ads.test/pre?all=[custom_params]&g=[custom.genre]&v=[video_id]&t=[title]&ip=[ip]&x=[unknown]";
    for (macros, due) in [
        (
            "obs",
            "all=genre%3Dnews%26a%2526b%3D1%25202&g=news&v=v1&t=One&ip=-1&x=[unknown]",
        ),
        (
            "off",
            "all=[custom_params]&g=[custom.genre]&v=[video_id]&t=[title]&ip=[ip]&x=[unknown]",
        ),
    ] {
        let ads = format!("{{ adType: 0, mobile: [\"{tag}\"] }}");
        let text = world(
            &format!("knobs: {{ macros: {macros} }}"),
            &ads,
            "{ on: ready, do: play }",
        )
        .replace(
            "name: One",
            "name: One, custom_params: [[genre, news], [\"a&b\", \"1 2\"]]",
        );
        let trace = play(&text);
        expect(asked(&trace) == [format!("pre?{due}")], due, &trace)?;
    }
    Ok(())
}

pub(crate) const TRACES: &[Absence] = traces![
    (
        "bidWon comes before the tag of the winning bid is requested",
        ["EV-22"],
        world("", PRE, "{ on: ready, do: play }").replace(
            "player: { ads",
            "player: { bids: [{ break: pre, nth: 1, url: https://ads.test/now }], ads"
        ),
        r#"@0 ready bidWon requestAd loadedmetadata @0.1 beforeStart adImpression adStart @0.35 adFirstQuartile @0.6 adMidpoint @0.85 adThirdQuartile @1.1 adComplete adEnd play start @10.1 lastSecond @11.1 timeupdate ended"#
    ),
    (
        "a VPAID unit's vpaidStart comes after adStart",
        ["EV-24"],
        world(
            "",
            "{ adType: 0, mobile: [https://ads.test/unit] }",
            "{ on: ready, do: play }"
        )
        .replace(
            "network:",
            &format!("network:\n  https://ads.test/unit: {{ text: \"{UNIT}\" }}")
        ),
        r#"@0 ready requestAd loadedmetadata beforeStart adImpression adStart vpaidStart @0.25 adFirstQuartile @0.5 adMidpoint @0.75 adThirdQuartile @1 adComplete adEnd play start @10 lastSecond @11 timeupdate ended"#
    ),
    (
        "seconds and shares of the duration with the same time share a break, with a pod each",
        ["CUE-1", "CUE-8"],
        world(
            "",
            &format!("{}, {}", cue_points("%", "50"), cue_points("s", "5")),
            "{ on: ready, do: play }\n{ on: adStart, nth: 2, read: [currentTime] }"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @5 requestAd @5.1 adImpression adStart @5.35 adFirstQuartile @5.6 adMidpoint @5.85 adThirdQuartile @6.1 adComplete requestAd @6.2 adImpression adStart currentTime=5.1 @6.45 adFirstQuartile @6.7 adMidpoint @6.95 adThirdQuartile @7.2 adComplete adEnd @11.1 lastSecond @12.1 timeupdate ended"#
    ),
    (
        "a cue point fires once, again after stop() and not in a replay",
        ["CUE-4", "STOP-5", "PLAY-10"],
        world(
            "",
            &cue_points("s", "8"),
            "{ on: ready, do: play }\n{ on: ended, nth: 1, after: 1s, do: play }\n{ on: ended, nth: 2, after: 1s, do: stop }\n{ on: stopped, after: 1s, do: play }"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @8 requestAd @8.1 adImpression adStart @8.35 adFirstQuartile @8.6 adMidpoint @8.85 adThirdQuartile @9.1 adComplete adEnd @10 lastSecond @11 timeupdate ended @12 play @21 lastSecond @22 timeupdate ended @23 timeupdate stopped @24 play beforeStart start @32 requestAd @32.1 adImpression adStart @32.35 adFirstQuartile @32.6 adMidpoint @32.85 adThirdQuartile @33.1 adComplete adEnd @34 lastSecond @35 timeupdate ended"#
    ),
    (
        "a seek over a cue point makes it due where the seek ends, a seek back arms those not played",
        ["TIME-13", "CUE-6", "CUE-5"],
        world(
            "",
            &cue_points("s", "3, 6"),
            "{ on: ready, do: play }\n{ at: 1s, do: { currentTime: 7 } }\n{ at: 4s, do: { currentTime: 2 } }\n{ at: 8s, read: [currentTime] }"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @1 currentTime=7 timeupdate seeked requestAd @1.1 adImpression adStart @1.35 adFirstQuartile @1.6 adMidpoint @1.85 adThirdQuartile @2.1 adComplete adEnd @4 lastSecond currentTime=2 timeupdate seeked @5 requestAd @5.1 adImpression adStart @5.35 adFirstQuartile @5.6 adMidpoint @5.85 adThirdQuartile @6.1 adComplete adEnd @8 currentTime=5 @13 timeupdate ended"#
    ),
    (
        "a loading mid-roll is not observable, and one that loads during a pause starts with the content",
        ["CUE-11", "PAUSE-5"],
        world(
            "",
            &cue_points("s", "2"),
            "{ on: ready, do: play }\n{ at: 2050ms, read: [getAdInProgress, currentTime] }\n{ at: 2060ms, do: pause }\n{ at: 3s, read: [getAdInProgress] }\n{ at: 3s, do: play }\n{ on: adStart, read: [currentTime] }"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @2 requestAd @2.05 getAdInProgress=false currentTime=2.05 @2.06 timeupdate pause @3 getAdInProgress=false play adImpression adStart currentTime=2.06 @3.25 adFirstQuartile @3.5 adMidpoint @3.75 adThirdQuartile @4 adComplete adEnd @10.94 lastSecond @11.94 timeupdate ended"#
    ),
    (
        "content continues until a commanded ad is ready, and its own ads are neither used up nor armed",
        ["PA-2", "PA-5"],
        world(
            "",
            &format!("{PRE}, {}", cue_points("s", "4")),
            "{ at: 1s, do: { playAd: https://ads.test/now } }\n{ at: 3s, do: play }\n{ at: 6s, do: { playAd: https://ads.test/now } }\n{ at: 6s, read: [currentTime] }\n{ on: adStart, nth: 3, read: [currentTime] }"
        ),
        r#"@0 ready loadedmetadata @1 requestAd @1.1 beforeStart adImpression adStart @1.35 adFirstQuartile @1.6 adMidpoint @1.85 adThirdQuartile @2.1 adComplete adEnd @3 requestAd @3.1 adImpression adStart @3.35 adFirstQuartile @3.6 adMidpoint @3.85 adThirdQuartile @4.1 adComplete adEnd play start @6 requestAd currentTime=1.9 @6.1 adImpression adStart currentTime=2 @6.35 adFirstQuartile @6.6 adMidpoint @6.85 adThirdQuartile @7.1 adComplete adEnd @9.1 requestAd @9.2 adImpression adStart @9.45 adFirstQuartile @9.7 adMidpoint @9.95 adThirdQuartile @10.2 adComplete adEnd @15.1 lastSecond @16.1 timeupdate ended"#
    ),
    (
        "an item that is not monetized has no ads, not even on command",
        ["PA-7", "INV-21"],
        world(
            "",
            &format!("{PRE}, {}", cue_points("s", "4")),
            "{ on: ready, do: play }\n{ at: 2s, do: { playAd: https://ads.test/now } }"
        )
        .replace("video: v1", "video: unpaid"),
        r#"@0 ready play loadedmetadata beforeStart start @2 ~not_monetized @9 lastSecond @10 timeupdate ended"#
    ),
    (
        "pushAds plays the current pre-rolls, and content halts and continues",
        ["PUSH-2", "PUSH-3"],
        world(
            "",
            PRE,
            "{ on: ready, do: play }\n{ at: 2s, do: pushAds }\n{ on: adStart, nth: 2, read: [currentTime] }"
        ),
        r#"@0 ready requestAd loadedmetadata @0.1 beforeStart adImpression adStart @0.35 adFirstQuartile @0.6 adMidpoint @0.85 adThirdQuartile @1.1 adComplete adEnd play start @2 requestAd @2.1 adImpression adStart currentTime=1 @2.35 adFirstQuartile @2.6 adMidpoint @2.85 adThirdQuartile @3.1 adComplete adEnd @11.1 lastSecond @12.1 timeupdate ended"#
    ),
    (
        "an item without ads needs no gesture, and one with ads does",
        ["PLAY-18"],
        world(
            "page: { gesture_policy: required }",
            PRE,
            "{ at: 1s, do: play }\n{ at: 2s, do: next }"
        )
        .replace("video: v1", "playlist: [v1, unpaid]"),
        r#"@0 ready loadedmetadata @1 ~gesture_required @2 skipped playlistStart play loadedmetadata beforeStart start @11 lastSecond @12 timeupdate ended playlistComplete"#
    ),
    (
        "one gesture is sufficient for the rest of the run",
        ["PLAY-19"],
        world(
            "page: { gesture_policy: required }",
            PRE,
            "{ at: 1s, do: play }\n{ at: 2s, user: fullscreen }\n{ at: 60s, do: play }"
        ),
        r#"@0 ready loadedmetadata @1 ~gesture_required @2 fullscreenchange @60 requestAd @60.1 beforeStart adImpression adStart @60.35 adFirstQuartile @60.6 adMidpoint @60.85 adThirdQuartile @61.1 adComplete adEnd play start @70.1 lastSecond @71.1 timeupdate ended"#
    ),
    (
        "an autoplay that starts muted needs no gesture",
        ["PLAY-20"],
        world(
            "page: { gesture_policy: required }",
            PRE,
            "{ at: 12s, read: [currentTime] }"
        )
        .replace("video: v1", "video: v1, autoplay: true, muted: true"),
        r#"@0 ready requestAd loadedmetadata @0.1 beforeStart adImpression adStart @0.35 adFirstQuartile @0.6 adMidpoint @0.85 adThirdQuartile @1.1 adComplete adEnd play start @10.1 lastSecond @11.1 timeupdate ended @12 currentTime=10"#
    ),
    (
        "an overlay does not count as an ad in progress, because content plays",
        ["OVL-4"],
        world(
            "",
            "",
            "{ on: ready, do: play }\n{ at: 1s, do: { playAd: { adType: 3, adTimeType: s, mobile: [https://ads.test/over] } } }\n{ on: adStart, read: [getAdInProgress] }\n{ at: 2s, read: [getAdInProgress, currentTime] }"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @1 requestAd @1.1 adImpression adStart getAdInProgress=false @2 getAdInProgress=false currentTime=2 @4.1 adComplete adEnd @9 lastSecond @10 timeupdate ended"#
    ),
    (
        "the SDK engine does not expose the documents",
        ["EV-21", "INV-20", "VX-1"],
        world(
            "knobs: { ad.engine: sdk }",
            PRE,
            "{ on: ready, do: play }\n{ on: adStart, read: [values.lastVASTXML] }\n{ on: adEnd, read: [values.lastVASTXML] }"
        ),
        r#"@0 ready requestAd loadedmetadata @0.1 AdsManagerLoadedEvent beforeStart adImpression adStart values.lastVASTXML=null @0.35 adFirstQuartile @0.6 adMidpoint @0.85 adThirdQuartile @1.1 adComplete adEnd values.lastVASTXML=null play start @10.1 lastSecond @11.1 timeupdate ended"#
    ),
];
