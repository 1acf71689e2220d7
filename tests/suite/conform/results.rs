//! What real players did, as committed in `conform/results`: recordings without what no comparison
//! reads, and the report of the day. `npm run record` in `conform` makes both anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use playsim::api::NetLine;
use playsim::conform::{Behaviour, Case, FitOptions, measure};
use playsim::knobs::{Profile, Profiles};
use playsim::recording::Recording;
use playsim::scenario;
use serde_json::Value as Json;

use crate::nightly;

fn conform() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conform")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The players, and the package of each that is pinned in `conform/package.json`.
const PLAYERS: &[(&str, &str)] = &[
    ("contrib-ads", "videojs-contrib-ads"),
    ("fluid-player", "fluid-player"),
    ("mediaelement", "mediaelement"),
    ("shaka", "shaka-player"),
    ("vast-player", "vast-player"),
    ("videojs-vast-vpaid", "videojs-vast-vpaid"),
];
/// The browsers in which each was recorded, by the names of folders.
const BROWSERS: &[(&str, &str)] = &[("chromium", "Chromium "), ("firefox", "Firefox ")];

/// The names of the files in a folder with this ending.
fn names(folder: &Path, ending: &str) -> BTreeSet<String> {
    let files =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.expect("it can be read").path());
    let found = paths.filter(|path| path.extension().is_some_and(|it| it == ending));
    found
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect()
}

fn recording(player: &str, browser: &str, case: &str) -> Recording {
    let file = conform()
        .join("results")
        .join(player)
        .join(browser)
        .join(format!("{case}.jsonl"));
    Recording::read(case, &read(&file))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn each_player_has_played_the_suite_in_the_pinned_version() {
    let package: Json =
        serde_json::from_str(&read(&conform().join("package.json"))).expect("it is JSON");
    let suite = names(&conform().join("suite"), "yaml");
    for ((player, main), (folder, browser)) in PLAYERS
        .iter()
        .flat_map(|it| BROWSERS.iter().map(move |b| (it, b)))
    {
        let recorded = names(
            &conform().join("results").join(player).join(folder),
            "jsonl",
        );
        let missing: Vec<&String> = suite.difference(&recorded).collect();
        // New cases are recorded when players are recorded the next time.
        assert!(
            missing.len() * 10 <= suite.len(),
            "{player}: npm run record -- {player}; {missing:?}"
        );
        for case in &recorded {
            let head = recording(player, folder, case).head;
            assert_eq!(head.player.as_deref(), Some(*player), "{case}");
            assert_eq!(head.case.as_deref(), Some(&**case), "{player}");
            assert!(
                head.browser.is_some_and(|it| it.starts_with(browser)),
                "{player}, {case}"
            );
            if let Some(why) = head.cannot {
                assert!(why.contains(" has no "), "{player}, {case}: {why}");
                continue;
            }
            let pinned = package["dependencies"][main].as_str();
            let version = head
                .versions
                .iter()
                .find(|(name, _)| &**name == *main)
                .map(|(_, version)| &**version);
            assert_eq!(version, pinned, "{player}, {case}");
        }
    }
}

/// How often a page asked for a URL.
fn asked(recording: &Recording, url: &str) -> usize {
    let is_asked = |it: &&playsim::trace::Record| {
        it.is(NetLine::Request) && it.data.text("url").is_some_and(|asked| **asked == *url)
    };
    recording.trace.records.iter().filter(is_asked).count()
}

/// The faults that the suite was made to find are in what it recorded: without them, recorder or
/// adapters are broken.
#[test]
fn known_faults_of_the_players_are_recorded() {
    let times =
        |player: &str, case: &str, url: &str| asked(&recording(player, "chromium", case), url);
    for (player, calls) in [("contrib-ads", 1), ("fluid-player", 2), ("shaka", 1)] {
        assert_eq!(
            times(player, "pre_roll", "http://t.test/impression?ad=1"),
            calls,
            "{player}"
        );
    }
    // The first ad of a pod is complete, but the tracker of the second one is called.
    assert_eq!(
        times("shaka", "pod_of_two", "http://t.test/complete?ad=1"),
        0
    );
    assert_eq!(
        times("shaka", "pod_of_two", "http://t.test/complete?ad=2"),
        2
    );
    // A film that fails has had its impression before.
    assert_eq!(
        times("shaka", "media_404", "http://t.test/impression?ad=1"),
        1
    );
}

/// The players that are compared for each commit, in one browser: those with a profile.
const COMPARED: &[&str] = &[
    "results/contrib-ads/chromium",
    "results/fluid-player/chromium",
];

/// The report is made of the recordings next to it, so that it changes when the simulator does. All
/// of it is compared each night; for each commit, what it says first of some players.
#[test]
fn the_report_follows_from_the_recordings() {
    let file = conform().join("results/report.txt");
    let is_updated = std::env::var_os("UPDATE_RESULTS").is_some();
    let is_whole = is_updated || nightly::is_nightly();
    let folders = if is_whole { &["results"] } else { COMPARED };
    let profile = [
        "--profile",
        "shaka=shaka.yaml",
        "--profile",
        "contrib-ads=contrib-ads.yaml",
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_playsim"));
    let ran = command
        .args(["conform", "report"])
        .args(folders)
        .args(["--suite", "suite"])
        .args(profile)
        .current_dir(conform())
        .env("COLUMNS", "100")
        .output();
    let ran = ran.expect("the binary runs");
    assert!(
        ran.status.code().is_some(),
        "the report was interrupted: {}",
        ran.status
    );
    let report = String::from_utf8(ran.stdout).expect("it is text");
    if is_updated {
        fs::write(&file, &report).expect("it can be written");
    }
    let committed = read(&file);
    let same = if is_whole {
        committed == report
    } else {
        let mut said = report
            .lines()
            .filter(|line| line.contains(" cases same as profile "));
        said.clone().count() == COMPARED.len()
            && said.all(|line| committed.lines().any(|other| other == line))
    };
    assert!(
        same,
        "the report changed; run this test with UPDATE_RESULTS=1, and read what is new"
    );
}

/// What profiles say to be measured is what the recordings say.
#[test]
fn measured_profiles_follow_from_the_recordings() {
    let all = [
        (Profile::ContribAds, "contrib-ads", "contrib-ads.yaml"),
        (Profile::Shaka, "shaka", "shaka.yaml"),
        (Profile::FluidPlayer, "fluid-player", ""),
        (Profile::VastPlayer, "vast-player", ""),
    ];
    for (profile, player, adapter) in &all {
        let mut behaviour = Profiles::from(*profile);
        if !adapter.is_empty() {
            let text = read(&conform().join(adapter));
            behaviour = scenario::read_profile(adapter, &text).expect("it is a profile");
        }
        let mut files = Vec::new();
        for (results, suite) in [("results", "suite"), ("results-lengths", "lengths")] {
            let folder = conform().join(results).join(player).join("chromium");
            for name in names(&folder, "jsonl") {
                let text = read(&folder.join(format!("{name}.jsonl")));
                let file = conform().join(suite).join(format!("{name}.yaml"));
                let load = &mut |other: &str| fs::read_to_string(conform().join(suite).join(other));
                let given = scenario::read(&file.to_string_lossy(), &read(&file), load);
                let case = Case::of(&name, given.expect("it reads")).expect("it plays");
                files.push((
                    case,
                    Recording::read(&name, &text).expect("it is a recording"),
                ));
            }
        }
        let pairs: Vec<(&Case, &Recording)> = files.iter().map(|(a, b)| (a, b)).collect();
        let measurement = profile.measurement().expect("it was recorded");
        let mut knobs = behaviour.knobs();
        for it in measurement.settings.iter().filter(|it| it.is_decided()) {
            knobs.set(&it.knob, &it.value).expect("it is valid");
        }
        let behaviour = Behaviour {
            name: behaviour.to_string(),
            knobs,
        };
        let options = FitOptions {
            threads: 2,
            ..FitOptions::default()
        };
        let found = measure(&pairs, &behaviour, options);
        for it in &measurement.settings {
            let same = found.iter().find(|known| known.setting.knob == it.knob);
            let same = same.map(|it| {
                (
                    &*it.setting.value,
                    it.decided_by.len(),
                    it.contradicted_by.len(),
                )
            });
            let due = (&*it.value, it.decided_by, it.contradicted_by);
            assert_eq!(
                same,
                Some(due),
                "{player}: {}; conform/README.md says how to write it",
                it.knob
            );
        }
    }
}
