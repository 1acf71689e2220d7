//! Rules about the surroundings of the content: sound, fullscreen, size, clicks, analytics.

use playsim::api::{Call, Kind, Value};
use playsim::knobs::values::{FullscreenEvent, Switch};
use playsim::rules::RuleId;
use playsim::trace::{PlayerIndex, Record, Trace};

use super::Absence;
use super::every_trace::law;
use super::support::{expect, expect_trace, film, list, play, still, story, traces};

pub(crate) const ALL: &[Absence] = traces![
    (
        "volume 0 does not mute, and raising the volume does not unmute",
        ["VOL-6", "VOL-7", "CON-6"],
        still(
            "",
            "{ at: 1s, do: { volume: 0 } }\n{ at: 1s, do: muted }\n{ at: 2s, do: { muted: true } }\n{ at: 2s, do: { volume: 0.5 } }\n{ at: 2s, do: muted }\n{ at: 2s, do: volume }"
        ),
        r#"@0 ready loadedmetadata @1 volume=0 volumechange muted=false @2 muted=true mutechange volume=0.5 volumechange muted=true volume=0.5"#
    ),
    (
        "a volume keeps six decimal places",
        ["VOL-10", "VOL-1"],
        still(
            "",
            "{ at: 1s, do: { volume: 0.1 } }\n{ at: 1s, do: volume }\n{ at: 1s, do: { volume: 0.000001 } }\n{ at: 1s, do: volume }"
        ),
        r#"@0 ready loadedmetadata @1 volume=0.1 volumechange volume=0.1 volume=0.000001 volumechange volume=0.000001"#
    ),
    (
        "volume and mute are kept across items and stop()",
        ["VOL-8", "PL-21"],
        list(
            "",
            "{ at: 1s, do: { volume: 0.3 } }\n{ at: 1s, do: { muted: true } }\n{ at: 1s, do: next }\n{ at: 2s, do: volume }\n{ at: 2s, do: stop }\n{ at: 2s, read: [volume, muted] }"
        ),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @1 volume=0.3 volumechange muted=true mutechange skipped play loadedmetadata beforeStart start @2 volume=0.3 timeupdate stopped volume=0.3 muted=true"#
    ),
    (
        "a mute setter returns the new state, and does not change the volume",
        ["MUTE-3", "MUTE-4", "MUTE-2"],
        still(
            "",
            "{ at: 1s, do: { muted: true } }\n{ at: 1s, do: { muted: true } }\n{ at: 1s, do: { muted: no } }\n{ at: 1s, do: { muted: false } }"
        ),
        r#"@0 ready loadedmetadata @1 muted=true mutechange muted=true muted=true ~bad_argument muted=false mutechange"#
    ),
    (
        "on a mobile device a volume setter returns the current volume",
        ["CON-40", "VOL-5"],
        still(
            "page: { device: mobile }",
            "{ at: 1s, do: { volume: 0.2 } }\n{ at: 1s, do: volume }"
        ),
        r#"@0 ready loadedmetadata @1 volume=1 ~volume_mobile volume=1"#
    ),
    (
        "the configuration can start a player muted",
        ["INIT-10"],
        still(
            "",
            "{ at: 1s, do: muted }\n{ at: 1s, do: { muted: false } }"
        )
        .replace("id: p,", "id: p, muted: true,"),
        r#"@0 ready loadedmetadata @1 muted=true muted=false mutechange"#
    ),
    (
        "the call toggles, the browser may also change it, and each change fires an event",
        ["CON-9", "FS-2", "FS-4", "FS-6"],
        still(
            "",
            "{ at: 1s, do: toggleFullScreen }\n{ at: 1s, page: { fullscreen: true } }\n{ at: 2s, page: { fullscreen: false } }\n{ at: 3s, do: toggleFullScreen }\n{ at: 3s, do: toggleFullScreen }"
        ),
        r#"@0 ready loadedmetadata @1 toggleFullScreen=true fullscreenchange @2 fullscreenchange @3 toggleFullScreen=true fullscreenchange toggleFullScreen=false fullscreenchange"#
    ),
    (
        "what a listener of a destroyed player has put off is for that player",
        ["DESTROY-12", "DESTROY-8"],
        still(
            "",
            "{ on: ready, after: 2s, do: pause }\n{ on: ready, after: 2500ms, user: mute }\n{ at: 1s, do: { destroy: true } }\n{ at: 1s, init: { div: player, config: { id: p, width: \"1\", height: \"1\", video: v1 } } }\n{ at: 3s, read: muted }"
        ),
        r#"@0 ready loadedmetadata @1 ~deldiv_true_keeps destroyBefore ~listeners_gone ready loadedmetadata @2 pause!destroyed @2.5 ~not_offered @3 muted=false"#
    ),
    (
        "fullscreen alone is not a change of size",
        ["FS-7"],
        still(
            "",
            "{ at: 1s, do: toggleFullScreen }\n{ at: 1s, do: { resize: [1, 1] } }\n{ at: 1s, do: toggleFullScreen }"
        ),
        r#"@0 ready loadedmetadata @1 toggleFullScreen=true fullscreenchange toggleFullScreen=false fullscreenchange"#
    ),
    (
        "the four properties can be read, and calling them gives a warning",
        ["CON-4"],
        still(
            "",
            "{ at: 1s, read: [isReady, playlistLength, currentIndex, isFullScreen] }\n{ at: 1s, do: { isReady: [] } }\n{ at: 1s, do: { playlistLength: [] } }\n{ at: 1s, do: { currentIndex: [] } }\n{ at: 1s, do: { isFullScreen: [] } }"
        ),
        r#"@0 ready loadedmetadata @1 isReady=true playlistLength=1 currentIndex=0 isFullScreen=false isReady=true ~property_called playlistLength=1 ~property_called currentIndex=0 ~property_called isFullScreen=false ~property_called"#
    ),
    (
        "no event reports how much is in view, and being sticky does not affect it",
        ["VIEW-2", "VIEW-3"],
        still(
            "",
            "{ at: 1s, do: isPlayerInView }\n{ at: 1s, page: { in_view: 0 } }\n{ at: 1s, do: isPlayerInView }\n{ at: 1s, page: { sticky: true } }\n{ at: 1s, do: isPlayerInView }\n{ at: 1s, page: { in_view: 50 } }\n{ at: 1s, do: isPlayerInView }"
        ),
        r#"@0 ready loadedmetadata @1 isPlayerInView=true isPlayerInView=false stickyChange isPlayerInView=false isPlayerInView=true"#
    ),
    (
        "a hidden page continues to play",
        ["ENV-4"],
        film("{ at: 1s, page: { hidden: true } }\n{ at: 2s, page: { hidden: false } }"),
        r#"@0 ready play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended"#
    ),
    (
        "setting sticky again is not a change",
        ["STICK-3", "EV-41"],
        still(
            "",
            "{ at: 1s, page: { sticky: false } }\n{ at: 1s, page: { sticky: true } }\n{ at: 1s, page: { sticky: true } }\n{ at: 1s, user: close }\n{ at: 1s, page: { sticky: false } }"
        ),
        r#"@0 ready loadedmetadata @1 stickyChange stickyChange"#
    ),
    (
        "the title and the tags are those of the record",
        ["EDIT-50", "META-1"],
        still("", "{ at: 1s, read: [getTitle, getTags] }"),
        r#"@0 ready loadedmetadata @1 getTitle="One" getTags="a, b""#
    ),
    (
        "a click opens the record's URL and pauses what plays",
        ["EDIT-51", "CLICK-1", "EV-11"],
        film("{ at: 1s, user: click }\n{ at: 2s, user: click }").replace(
            "name: One,",
            "name: One, clickthroughURL: https://shop.test/,"
        ),
        r#"@0 ready play loadedmetadata beforeStart start @1 clickedThrough timeupdate pause @2 clickedThrough"#
    ),
    (
        "a click between two items starts the next one, and with a URL holds it back",
        ["CLICK-1", "CLICK-2", "PL-15"],
        list(
            "knobs: { playlist.advance_delay: 1s, playlist.play_in_delay: advance }",
            "{ at: 3500ms, user: click }\n{ at: 7s, user: click }\n{ at: 7s, do: stop }"
        ),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended @3.5 clickedThrough skipped play loadedmetadata beforeStart start @5.5 lastSecond @6.5 timeupdate ended playlistComplete @7 clickedThrough playlistStart play loadedmetadata beforeStart start stopped"#
    ),
    (
        "a click that opens a URL between two items holds the next one back",
        ["CLICK-1", "PL-15"],
        list(
            "knobs: { playlist.advance_delay: 1s }",
            "{ at: 3500ms, user: click }\n{ at: 9s, do: play }\n{ at: 9s, do: stop }"
        )
        .replace(
            "name: One,",
            "name: One, clickthroughURL: https://shop.test/,"
        ),
        r#"@0 ready playlistStart play loadedmetadata beforeStart start @2 lastSecond @3 timeupdate ended @3.5 clickedThrough @9 skipped play loadedmetadata beforeStart start stopped"#
    ),
    (
        "a click on an overlay belongs to the overlay, and content continues",
        ["CLICK-3", "EV-35"],
        still(
            OVERLAY,
            "{ at: 0s, do: play }\n{ at: 1500ms, user: click }\n{ at: 2500ms, user: click }"
        ),
        r#"@0 ready loadedmetadata play beforeStart start @1 requestAd adImpression adStart @1.5 adClicked @2 lastSecond adComplete adEnd @2.5 clickedThrough timeupdate pause"#
    ),
    (
        "destroy(true) keeps the container, with one diagnostic",
        ["CON-8"],
        still(
            "",
            "{ at: 1s, do: { destroy: true } }\n{ at: 1s, do: { destroy: true } }"
        ),
        r#"@0 ready loadedmetadata @1 ~deldiv_true_keeps destroyBefore ~destroyed"#
    ),
];

pub(crate) const LAWS: &[Absence] = &[
    Absence {
        name: "each change of volume, mute, fullscreen and size is one event",
        rules: &["EV-37", "EV-38", "EV-39", "EV-40"],
        check: one_event_for_each_change,
    },
    Absence {
        name: "clicks are reported for what was clicked, before the pause they cause",
        rules: &["EV-11", "EV-35"],
        check: clicks_in_their_place,
    },
    Absence {
        name: "an overlay's own URLs are called and opened",
        rules: &["CLICK-3"],
        check: overlay_has_its_own_addresses,
    },
    Absence {
        name: "analytics lines are those that page code requested",
        rules: &["GA-4"],
        check: analytics_on_demand,
    },
    Absence {
        name: "the content's surroundings can be set in every state",
        rules: &["VOL-9", "EV-37", "EV-38", "EV-39", "EV-40", "EV-41"],
        check: every_state,
    },
];

/// An overlay one second long, one second into the content.
const OVERLAY: &str = r#"player: { ads: [{ adType: 3, adTimeType: s, overlayStartAt: 1, overlayDuration: 1, mobile: [https://ads.test/o] }] }
network: { https://ads.test/o: { text: "<VAST version='4.2'><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression><Creatives><Creative><NonLinearAds><NonLinear><StaticResource>https://m.test/o.png</StaticResource><NonLinearClickThrough>https://shop.test/</NonLinearClickThrough><NonLinearClickTracking>https://t.test/c</NonLinearClickTracking></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>" } }"#;

/// The lines of each player of a trace.
fn players(trace: &Trace) -> impl Iterator<Item = Vec<&Record>> {
    (0..trace.players.len()).map(|index| {
        let player = u16::try_from(index).ok().map(PlayerIndex);
        trace
            .records
            .iter()
            .filter(|record| record.player == player)
            .collect()
    })
}

fn is(record: &Record, kind: Kind, name: &str) -> bool {
    record.kind == kind && *record.name == *name
}

/// Checks the number of events of this name that have a line as their cause.
fn caused(lines: &[&Record], by: &Record, name: &str) -> usize {
    lines
        .iter()
        .filter(|record| is(record, Kind::Event, name) && record.cause == Some(by.seq))
        .count()
}

fn one_event_for_each_change() -> Result<(), String> {
    law(|scenario, trace| {
        let knobs = &scenario.knobs;
        // A bare media element has one event for volume and mute.
        let has_calls =
            |lines: &Vec<&Record>| lines.iter().any(|line| is(line, Kind::Call, "$player"));
        for lines in players(trace).filter(has_calls) {
            let reported = [
                (Call::Volume, "volumechange"),
                (Call::Muted, "mutechange"),
                (Call::ToggleFullScreen, "fullscreenchange"),
            ];
            for (call, event) in reported {
                let mut before: Option<&Value> = None;
                for record in lines
                    .iter()
                    .filter(|record| is(record, Kind::Call, call.name()))
                {
                    let after = record.data.get("returns");
                    let is_change = before.is_some() && after.is_some() && before != after;
                    let is_told = event != "fullscreenchange"
                        || knobs.fullscreen_event == FullscreenEvent::AnyChange;
                    // Between two calls the user, or another player, may have changed it too.
                    let by_another = "FS-8".parse::<RuleId>().ok();
                    let is_alone = !lines.iter().any(|line| {
                        line.kind == Kind::User
                            || line.kind == Kind::Page
                            || line.rule == by_another
                    });
                    let due = usize::from(is_change && is_told);
                    let found = caused(&lines, record, event);
                    if before.is_some() && is_alone && found != due {
                        return Err(format!(
                            "{found} {event} for {before:?} to {after:?} at {}",
                            record.at
                        ));
                    }
                    before = after.or(before);
                }
            }
            for record in lines
                .iter()
                .filter(|record| is(record, Kind::Call, "muted"))
            {
                let is_doubled = knobs.mute_volumechange == Switch::On;
                let due = if is_doubled {
                    caused(&lines, record, "mutechange")
                } else {
                    0
                };
                if caused(&lines, record, "volumechange") != due {
                    return Err(format!("a volumechange of mute at {}", record.at));
                }
            }
        }
        Ok(())
    })
}

fn clicks_in_their_place() -> Result<(), String> {
    law(|_, trace| {
        for lines in players(trace) {
            let (mut state, mut has_overlay) = ("", false);
            for (place, record) in lines.iter().enumerate() {
                if record.kind == Kind::State {
                    state = &record.name;
                }
                if is(record, Kind::Ui, "overlay") {
                    has_overlay = record.data.get("visible") == Some(&Value::Bool(true));
                }
                let is_ad = ["ad-playing", "ad-paused"].contains(&state);
                let is_content =
                    ["initial", "playing", "buffering", "paused", "ended"].contains(&state);
                let is_wrong = (is(record, Kind::Event, "clickedThrough")
                    && (!is_content || has_overlay))
                    || (is(record, Kind::Event, "adClicked") && !is_ad && !has_overlay);
                if is_wrong {
                    return Err(format!("{} in {state} at {}", record.name, record.at));
                }
                let pause = if is(record, Kind::Event, "adClicked") {
                    "adPause"
                } else {
                    "pause"
                };
                let is_click = ["adClicked", "clickedThrough"].contains(&&*record.name);
                let paused =
                    |line: &&Record| is(line, Kind::Event, pause) && line.cause == record.cause;
                if record.kind == Kind::Event && is_click && lines[..place].iter().any(paused) {
                    return Err(format!("{} after its pause at {}", record.name, record.at));
                }
            }
        }
        Ok(())
    })
}

fn overlay_has_its_own_addresses() -> Result<(), String> {
    let trace = play(&still(
        OVERLAY,
        "{ at: 0s, do: play }\n{ at: 1500ms, user: click }",
    ));
    let urls = trace.records.iter().filter(|record| {
        is(record, Kind::Ui, "navigate") || is(record, Kind::Beacon, "clickTracking")
    });
    let urls: Vec<&str> = urls
        .filter_map(|record| record.data.get("url")?.as_text())
        .map(|url| &**url)
        .collect();
    expect(
        urls == ["https://t.test/c", "https://shop.test/"],
        "the tracker, then the URL",
        &trace,
    )
}

fn analytics_on_demand() -> Result<(), String> {
    law(|_, trace| {
        let of_kind = |kind| {
            trace
                .records
                .iter()
                .filter(move |record| record.kind == kind)
        };
        let asked = of_kind(Kind::Call).filter(|call| {
            *call.name == *Call::FireCustom.name() && call.data.get("error").is_none()
        });
        let (asked, found) = (asked.count(), of_kind(Kind::Analytics).count());
        if asked == found {
            Ok(())
        } else {
            Err(format!("{found} analytics lines for {asked} calls"))
        }
    })
}

/// How each state is reached by 2 s, when the calls are made: fields of the scenario, and steps.
const STATES: &[(&str, &str, &str)] = &[
    ("created", "player: { ready_after: 9s }", ""),
    ("initial", "", ""),
    ("ad-loading", PRE_ROLL, "{ at: 0s, do: play }"),
    ("ad-playing", PRE_ROLL_AT_ONCE, "{ at: 0s, do: play }"),
    (
        "ad-paused",
        PRE_ROLL_AT_ONCE,
        "{ at: 0s, do: play }\n{ at: 1s, do: pause }",
    ),
    ("playing", "", "{ at: 100ms, do: play }"),
    (
        "buffering",
        "",
        "{ at: 0s, do: play }\n# metadata_after: 9s",
    ),
    ("paused", "", "{ at: 0s, do: play }\n{ at: 1s, do: pause }"),
    (
        "ended",
        "",
        "{ at: 0s, do: { currentTime: 3 } }\n{ at: 0s, do: play }\n{ at: 1s, do: { currentTime: 3 } }",
    ),
    (
        "failed",
        "",
        "{ at: 0s, do: play }\n# fails: { at: 1s, how: decode }",
    ),
    ("destroyed", "", "{ at: 1s, do: destroy }"),
];

const PRE_ROLL: &str = "player: { ads: [{ adType: 0, mobile: [https://ads.test/a] }] }\n\
                        network: { https://ads.test/a: { after: 4s, text: \"<VAST version='4.2'/>\" } }";

const PRE_ROLL_AT_ONCE: &str = r#"player: { ads: [{ adType: 0, mobile: [https://ads.test/a] }] }
network: { https://ads.test/a: { text: "<VAST version='4.2'><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:03</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>" } }"#;

const CALLS: &str = r#"
{ at: 2s, do: volume }
{ at: 2s, do: { volume: 0.5 } }
{ at: 2s, do: muted }
{ at: 2s, do: { muted: true } }
{ at: 2s, do: isFullScreen }
{ at: 2s, do: toggleFullScreen }
{ at: 2s, do: isPlayerInView }
{ at: 2s, do: { changeSkin: 3 } }
{ at: 2s, do: { resize: [7, 7] } }
{ at: 2s, do: { GoogleAnalytics.fireCustom: [category, action] } }
{ at: 2s, page: { sticky: true } }
{ at: 2s, do: volume }
"#;

const LIVE: &str = "volume=1 volume=0.5 volumechange muted=false muted=true mutechange isFullScreen=false \
                    toggleFullScreen=true fullscreenchange isPlayerInView=true playerresize \
                    ~ga_outside_ready stickyChange volume=0.5";

const CREATED: &str = "volume=1 ~not_ready muted=false ~not_ready isFullScreen=false ~not_ready \
                       isPlayerInView=false ~not_ready ~not_ready GoogleAnalytics.fireCustom!not_ready \
                       stickyChange volume=1";

const DESTROYED: &str = "volume!destroyed volume!destroyed muted!destroyed muted!destroyed \
                         isFullScreen!destroyed toggleFullScreen!destroyed isPlayerInView!destroyed \
                         changeSkin!destroyed resize!destroyed GoogleAnalytics.fireCustom!destroyed \
                         volume!destroyed";

/// The rows of the matrix for these calls; where the script has not loaded, there is no player at
/// all.
fn every_state() -> Result<(), String> {
    for (state, more, steps) in STATES {
        let media = steps
            .split_once("# ")
            .map_or("duration: 3s".to_owned(), |(_, fault)| {
                format!("duration: 3s, {fault}")
            });
        let steps: String = steps
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect::<Vec<_>>()
            .join("\n");
        let text = still(more, &format!("{steps}\n{CALLS}")).replace("duration: 3s", &media);
        let text = format!(
            "until: 2s\n{}",
            text.replace("default:", "spot.mp4: { duration: 9s }, default:")
        );
        let trace = play(&text);
        let due = match *state {
            "created" => CREATED,
            "destroyed" => DESTROYED,
            _ => LIVE,
        };
        let due = due.split_whitespace().collect::<Vec<_>>().join(" ");
        let story = story(&trace);
        let found = story.split_once("@2 ").map_or("", |(_, found)| found);
        let is_there = trace
            .records
            .last()
            .is_some_and(|last| last.data.to_string().contains(*state));
        expect(is_there, &format!("the state {state}"), &trace)?;
        expect(
            found.ends_with(&due),
            &format!("in {state}: expected {due}\nfound: {found}"),
            &trace,
        )?;
        let skins = trace
            .records
            .iter()
            .filter(|record| is(record, Kind::Ui, "skin"))
            .count();
        expect(
            skins == usize::from(due.contains("playerresize")),
            "one skin line if a skin is set",
            &trace,
        )?;
    }
    Ok(())
}
