//! Small scenarios explored by states and by force.

mod oracle;

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Outline;
use super::*;
use playsim_sim::Simulation;

fn demo() -> Scenario {
    let [(name, text), (_, document)] = playsim_scenario::demo();
    playsim_scenario::read(name, text, &mut |_| Ok(document.to_owned()))
        .expect("the demo can be read")
}

/// Two players on one page, each with an ad, a listener that acts, and steps that may come earlier
/// or later.
fn page() -> Scenario {
    let text = r#"
    {
        "page": { "containers": ["main", "side"] },
        "videos": [{ "id": "film", "renditions": { "sd": "film.mp4" } }],
        "media": { "film.mp4": { "duration": "4s" }, "spot.mp4": { "duration": "2s" } },
        "network": {
            "https://one.test/tag": { "after": "30ms", "text": "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression><Error>https://t.test/e?[ERRORCODE]</Error><Creatives><Creative><Linear skipoffset='00:00:01'><Duration>00:00:02</Duration><TrackingEvents><Tracking event='skip'>https://t.test/s</Tracking><Tracking event='complete'>https://t.test/c</Tracking></TrackingEvents><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>" },
            "https://two.test/tag": { "after": "40ms", "text": "<VAST version='4.2'/>" }
        },
        "players": {
            "main": { "ads": [{ "adType": 0, "adTimeType": "s", "mobile": ["https://two.test/tag", "https://one.test/tag"] }] },
            "side": { "ads": [{ "adType": 0, "adTimeType": "s", "mobile": ["https://two.test/tag"] }] }
        },
        "steps": [
            { "at": "0s", "init": { "div": "main", "config": { "id": "m", "width": "640", "height": "360", "video": "film" } } },
            { "at": "0s", "init": { "div": "side", "config": { "id": "s", "width": "640", "height": "360", "video": "film" } } },
            { "on": "ready", "player": "main", "do": "play" },
            { "on": "ready", "player": "side", "do": "play" },
            { "at": "0.05s", "player": "side", "user": "mute" }
        ],
        "expect": [{ "event": "ended", "times": 2 }, { "order": ["adStart", "ended"] }, { "never": "adSkip" }]
    }"#;
    playsim_scenario::read("page.json", text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

fn bounds(actions: &str, acts: u32, moves: u32) -> Bounds {
    Bounds::default()
        .actions(Action::list(actions).expect("they are known"))
        .acts(acts)
        .moves(moves)
}

fn found(scenario: &Scenario, bounds: &Bounds) -> Explored {
    let found = explore(scenario, bounds).expect("it can be played");
    assert_eq!(found.cut, None);
    found
}

/// The outcomes with their numbers of ways, in terms that do not depend on which way was first.
fn outcomes(found: &Explored) -> BTreeMap<BTreeSet<String>, u128> {
    found
        .outcomes
        .iter()
        .map(|class| (outcome_of(class), class.ways))
        .collect()
}

fn outcome_of(class: &OutcomeClass) -> BTreeSet<String> {
    class
        .facts
        .iter()
        .map(|(fact, count)| format!("{count} {fact}"))
        .collect()
}

fn laws(found: &Explored) -> BTreeSet<&'static str> {
    found.broken.iter().map(|broken| broken.law).collect()
}

#[test]
fn merging_loses_nothing() {
    let bounded = [
        (demo(), "pause,play,click,destroy", 2, 0),
        (page(), "", 0, 1),
        (demo(), "", 0, 2),
        (demo(), "pause,skip,mute,seek", 1, 1),
        (page(), "skip,pause", 1, 1),
        (page(), "skip,stop(),hide", 2, 0),
        (page(), "", 0, 2),
    ];
    // For each commit the quick ones, each night all.
    let is_nightly = std::env::var_os("PLAYSIM_NIGHTLY").is_some();
    let count = if is_nightly { bounded.len() } else { 2 };
    for (scenario, actions, acts, moves) in bounded.into_iter().take(count) {
        let bounds = bounds(actions, acts, moves);
        let (pruned, forced) = (
            found(&scenario, &bounds),
            found(&scenario, &bounds.clone().by_force()),
        );
        assert_eq!(laws(&pruned), laws(&forced), "{actions}");
        // How many regions a state is reached in depends on the states before it, what comes of
        // them does not.
        let [pruned, forced] = [pruned, forced].map(|it| outcomes(&it).into_keys());
        assert!(pruned.eq(forced), "{actions}");
    }
}

#[test]
fn each_way_is_a_scenario_that_plays_to_its_outcome() {
    let some = "skip,pause,destroy,next";
    let bounded = [
        (demo(), USUAL, 1, 0),
        (demo(), "", 0, 1),
        (page(), some, 1, 0),
        (page(), "", 0, 1),
        (page(), some, 1, 1),
    ];
    let is_nightly = std::env::var_os("PLAYSIM_NIGHTLY").is_some();
    let count = if is_nightly { bounded.len() } else { 4 };
    for (scenario, actions, acts, moves) in bounded.into_iter().take(count) {
        let found = found(&scenario, &bounds(actions, acts, moves));
        assert!(found.outcomes.len() > 1);
        for class in &found.outcomes {
            class.way.scenario.check().expect("it can be played");
            let again = Simulation::new(&class.way.scenario)
                .expect("it can be played")
                .run();
            assert_eq!(
                Outline::of(&again).facts,
                class.facts,
                "{:?}",
                class.way.choices
            );
        }
    }
}

#[test]
fn threads_change_nothing() {
    let bounds = bounds("pause", 1, 1);
    let [one, four] = [1, 4].map(|threads| found(&demo(), &bounds.clone().threads(threads)));
    assert_eq!(
        (one.ways, one.states, one.runs, one.judged),
        (four.ways, four.states, four.runs, four.judged)
    );
    assert_eq!(outcomes(&one), outcomes(&four));
}

#[test]
fn a_way_that_goes_on_and_on_is_cut() {
    let text = r#"{
        "videos": [{ "id": "film", "renditions": { "sd": "film.mp4" } }],
        "media": { "film.mp4": { "duration": "1s" } },
        "listeners": { "again": ["play"] },
        "steps": [
            { "at": "0s", "init": { "div": "player", "config": { "id": "p", "width": "640", "height": "360", "video": "film" } } },
            { "on": "ready", "do": "play" },
            { "on": "pause", "do": { "on": ["ended", "again"] } },
            { "at": "0.2s", "user": "pause" }
        ]
    }"#;
    let scenario = playsim_scenario::read("again.json", text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    });
    let found = found(&scenario.expect("it can be read"), &bounds("play", 1, 0));
    let endless = found
        .outcomes
        .iter()
        .find(|class| class.seen.ends_with("times; last playing"))
        .expect("it is found");
    assert_eq!(endless.way.choices.len(), 1, "played on");
    let trace = Simulation::new(&endless.way.scenario)
        .expect("it can be played")
        .run();
    assert_eq!(Outline::of(&trace).facts, endless.facts);
    assert!(
        trace
            .records
            .last()
            .is_some_and(|last| &*last.name == "until"),
        "it is cut"
    );
}

#[test]
fn a_panic_is_found_with_its_way() {
    let stops = |trace: &Trace| {
        assert!(
            !trace
                .events()
                .any(|event| event.name == playsim_api::EventName::AdPause),
            "it cannot pause"
        );
        Ok(())
    };
    let found = explore_judged(&demo(), &bounds("pause", 1, 0), &|_| true, &stops)
        .expect("it can be played");
    let broken = found
        .broken
        .iter()
        .find(|broken| broken.why.contains("it cannot pause"))
        .expect("it is found");
    assert_eq!(broken.way.choices.len(), 1);
    assert!(broken.why.starts_with("it panics"), "{}", broken.why);
}
