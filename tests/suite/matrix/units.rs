//! The matrix for outstream units: they have no content states, and the rows about content are rule
//! OUT-8.

use super::facts::Facts;
use super::paths::{CALL_AT, SPOT};

/// The states that a unit can be in, with their names and the steps that lead there.
const STATES: &[(&str, &str, &str)] = &[
    ("C", "created", ""),
    ("I", "initial", "  - { at: 5s, do: stop }\n"),
    ("L", "ad-loading", ""),
    ("A", "ad-playing", ""),
    ("AP", "ad-paused", "  - { at: 5s, do: pause }\n"),
    ("E", "ended", ""),
    ("D", "destroyed", "  - { at: 5s, do: { destroy: true } }\n"),
];

/// Calls about content: `o` is ignored with the diagnostic `outstream`.
const CONTENT: &[&str] = &[
    "do: { currentTime: 3 }",
    "do: { currentChapter: 0 }",
    "do: { setHD: true }",
    "do: { setVideoSource: hd }",
    "do: { src: film.mp4 }",
    "do: { loadPlaylist: \"https://lists.test/two.json\" }",
    "do: next",
    "do: previous",
    "do: { playByIndex: 0 }",
    "do: pushAds",
];

/// The value that a unit returns without content.
const GETTERS: &[&str] = &[
    "read: isReady",
    "read: [playlistLength]",
    "read: currentIndex",
    "do: currentTime",
    "do: duration",
    "do: currentChapter",
    "do: currentSrc",
    "do: getTitle",
    "do: getAdInProgress",
    "do: adDuration",
    "do: adRemainingTime",
    "do: isPlayerInView",
    "do: { volume: [] }",
    "do: { muted: [] }",
];

/// Actions with their cells, in the order of the states.
const ROWS: &[(&str, &str)] = &[
    (
        "init: { outstream: true, div: main, config: { id: q, width: \"1\", height: \"1\" } }",
        "E|E|E|E|E|E|+",
    ),
    ("do: destroy", "+|+|+|+|+|+|d"),
    ("do: play", "d|+|.|.|+|o|E"),
    ("do: pause", "d|.|+|+|.|.|E"),
    ("do: stop", "d|+|+|+|+|+|E"),
    (
        "do: { setAd: [{ adType: 2, mobile: [\"https://ads.test/slow\"] }, false, video] }",
        "d|+|+|+|+|+|E",
    ),
    ("do: { playAd: \"https://ads.test/long\" }", "d|+|d|d|d|+|E"),
    ("user: skip", "d|d|d|+|+|d|d"),
    ("user: { seek: 3 }", "d|o|o|o|o|o|d"),
    ("user: next", "d|o|o|o|o|o|d"),
];

#[test]
fn every_call_in_every_state_of_a_unit_does_what_its_cell_says() {
    let mut wrong = Vec::new();
    let content = CONTENT.iter().map(|act| (*act, "o|o|o|o|o|o|E"));
    let getters = GETTERS.iter().map(|act| (*act, "v|v|v|v|v|v|E"));
    for (act, cells) in ROWS.iter().copied().chain(content).chain(getters) {
        for ((state, word, path), cell) in STATES.iter().zip(cells.split('|')) {
            let without = Facts::play(&scenario(state, path, ""));
            assert_eq!(
                without.state_at(CALL_AT),
                *word,
                "{state}\n{}",
                without.text()
            );
            let with = Facts::play(&scenario(
                state,
                path,
                &format!("  - {{ at: {CALL_AT}s, {act} }}\n"),
            ));
            if let Err(why) = check(cell, &with, &without) {
                wrong.push(format!(
                    "{act} in {state} is \"{cell}\": {why}\n{}",
                    with.text()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cells are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn check(cell: &str, with: &Facts, without: &Facts) -> Result<(), String> {
    let (error, diags) = (with.error(CALL_AT), with.diags_at(CALL_AT));
    // A user action has its own line, which is not an effect.
    let course = |facts: &Facts| -> Vec<String> {
        facts
            .course()
            .into_iter()
            .filter(|line| !line.contains(" user "))
            .collect()
    };
    let is_same = course(with) == course(without);
    let is_so = match cell {
        "+" => error.is_none() && !is_same,
        "." => error.is_none() && diags.is_empty() && is_same,
        "d" => error.is_none() && !diags.is_empty() && is_same,
        "o" => error.is_none() && diags == ["outstream"] && is_same,
        "v" => error.is_none() && diags.is_empty() && is_same && with.returned(CALL_AT).is_some(),
        "E" => error.is_some() && is_same,
        other => return Err(format!("\"{other}\" is not a character of the matrix")),
    };
    let same = if is_same {
        "nothing else"
    } else {
        "something else"
    };
    if is_so {
        Ok(())
    } else {
        Err(format!("error {error:?}, diagnostics {diags:?}, {same}"))
    }
}

/// A unit that is hidden after its ads, in one of its states from 6 s on.
fn scenario(state: &str, path: &str, act: &str) -> String {
    let ready_after = if state == "C" { "60s" } else { "0s" };
    let tag = match state {
        "L" => "slow",
        "E" => "empty",
        _ => "long",
    };
    format!(
        r#"
until: 60s
knobs: {{ ad.timeout: 100s, outstream.after: hide }}
page: {{ containers: [main] }}
media: {{ long.mp4: {{ duration: 100s }} }}
network:
  https://ads.test/slow: {{ after: 30s, text: "{SPOT}" }}
  https://ads.test/long: {{ text: "{SPOT}" }}
  https://ads.test/empty: {{ after: 1s, text: "<VAST version='4.2'/>" }}
player: {{ ready_after: {ready_after}, ads: [{{ adType: 0, mobile: [https://ads.test/{tag}] }}] }}
steps:
  - {{ at: 0s, init: {{ outstream: true, div: main, config: {{ id: u, width: "640", height: "360" }} }} }}
{path}{act}"#
    )
}
