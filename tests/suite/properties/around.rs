//! Scenarios that vary another one.

use std::path::{Path, PathBuf};

use playsim::api::Outcome;
use playsim::scenario::{self, Scenario};
use playsim::testing::{Checks, Coverage, Feature, Options, Source, Vary};

fn vary(base: &Scenario, vary: Vary, seed: u64) -> Scenario {
    playsim::testing::scenario(
        &mut Source::from_seed(seed),
        &Options::default().around(base, vary),
    )
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the fixtures are there") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "yaml") {
            found.push(path);
        }
    }
}

/// Every scenario among the fixtures.
fn fixtures() -> Vec<(String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let read = |file: &PathBuf| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).expect("it is readable");
        let folder = file.parent().expect("it is in a folder");
        let read = scenario::read(&name, &text, &mut |path| {
            std::fs::read_to_string(folder.join(path))
        });
        (name, read.expect("a fixture is valid"))
    };
    let all: Vec<(String, Scenario)> = files.iter().map(read).collect();
    assert!(all.len() > 100, "only {} fixtures", all.len());
    all
}

#[test]
fn the_world_is_kept_or_the_steps_are() {
    for (name, base) in fixtures() {
        let steps = vary(&base, Vary::Steps, 1);
        let world = |scenario: &Scenario| {
            let Scenario {
                page,
                videos,
                media,
                network,
                player,
                mut knobs,
                expect,
                ..
            } = scenario.clone();
            knobs.limit_tasks_per_second = 0;
            (page, videos, media, network, player, knobs, expect)
        };
        assert_eq!(world(&steps), world(&base), "{name}");
        let other = vary(&base, Vary::World, 1);
        assert_eq!(
            (&other.steps, &other.listeners),
            (&base.steps, &base.listeners),
            "{name}"
        );
        assert_eq!(other.network.len(), base.network.len(), "{name}");
    }
}

#[test]
fn scenarios_around_the_fixtures_keep_the_laws() {
    let mut wrong = Vec::new();
    for (number, (name, base)) in fixtures().into_iter().enumerate() {
        // What a fixture expects does not hold for its variations, and some are about the limits.
        let base = Scenario {
            expect: Vec::new(),
            ..base
        };
        if !matches!(
            super::play(&base).outcome(),
            Some(Outcome::Idle | Outcome::Until)
        ) {
            continue;
        }
        for seed in 0..super::from_environment("PLAYSIM_AROUND", 2) {
            let scenario = vary(&base, Vary::ALL[(number + seed as usize) % 3], seed);
            if let Err(broken) = Checks::default().sampled().judge(&scenario) {
                wrong.push(format!(
                    "{name}, seed {seed}: {}: {}",
                    broken.law.name, broken.why
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} variations fail\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Every fixture, with `PLAYSIM_WHOLE` as their number; else one in twenty.
#[test]
fn fixtures_keep_the_laws_wholly() {
    let all = fixtures();
    let share = all.len()
        / super::from_environment("PLAYSIM_WHOLE", 60).clamp(1, all.len() as u64) as usize;
    let playable = |scenario: &Scenario| {
        matches!(
            super::play(scenario).outcome(),
            Some(Outcome::Idle | Outcome::Until)
        )
    };
    for (name, scenario) in all
        .into_iter()
        .step_by(share)
        .filter(|(_, scenario)| playable(scenario))
    {
        let judged = Checks::default().wholly().judge(&scenario);
        assert!(judged.is_ok(), "{name}: {}", judged.expect_err("it fails"));
    }
}

#[test]
fn random_sessions_keep_the_laws_wholly() {
    let mut wrong = Vec::new();
    for seed in 0..super::from_environment("PLAYSIM_WHOLE", 60) {
        if let Err(broken) = Checks::default().wholly().judge(&super::drawn(seed)) {
            wrong.push(format!("seed {seed}: {}: {}", broken.law.name, broken.why));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} sessions fail\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A film with a pre-roll and a mid-roll that play as they are.
const FILM: &str = "\
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 9s }, spot.mp4: { duration: 4s } }
network:
  https://ads.test/a: { after: 200ms, text: \"<VAST version='4.2'><Ad><InLine><Creatives><Creative><Linear>\\
    <MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>spot.mp4</MediaFile>\\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>\" }
player:
  ads:
    - { adType: 0, adTimeType: s, mobile: [https://ads.test/a] }
    - { adType: 1, adTimeType: s, cuepoints: [3], mobile: [https://ads.test/a] }
";

/// The codes of media that come late, cannot be shown or are not accepted.
#[test]
fn what_goes_wrong_with_media_goes_wrong_around_a_scenario() {
    let base = scenario::read("film.yaml", FILM, &mut |path| {
        panic!("it needs no file {path}")
    })
    .expect("a film");
    let options = Options::default().around(&base, Vary::Both);
    let mut coverage = Coverage::default();
    for seed in 0..6_000 {
        coverage.play(&playsim::testing::scenario(
            &mut Source::from_seed(seed),
            &options,
        ));
    }
    let reached = coverage
        .reached()
        .into_iter()
        .find(|sort| sort.what == "error codes of ads");
    let reached: Vec<String> = reached
        .expect("codes are counted")
        .seen
        .into_iter()
        .map(|(code, _)| code)
        .collect();
    for code in [
        "301", "302", "303", "401", "402", "403", "405", "406", "407", "408",
    ] {
        assert!(
            reached.contains(&code.to_owned()),
            "no {code} among {reached:?}"
        );
    }
}

/// A feature that is said not to be drawn has no effect; each of the others has one.
#[test]
fn a_feature_that_is_not_drawn_around_a_scenario_changes_nothing() {
    let base = scenario::read("film.yaml", FILM, &mut |path| {
        panic!("it needs no file {path}")
    })
    .expect("a film");
    let fixed = Scenario {
        steps: Vec::new(),
        name: "".into(),
        ..base
    };
    for vary in Vary::ALL {
        for feature in Feature::ALL {
            let drawn = |options: Options| {
                let options = options.around(&fixed, *vary);
                move |seed| playsim::testing::scenario(&mut Source::from_seed(seed), &options)
            };
            let (with, without) = (
                drawn(Options::default()),
                drawn(Options::default().without(*feature)),
            );
            let differs = (0..400).any(|seed| with(seed) != without(seed));
            assert_eq!(
                differs,
                feature.is_drawn_around(*vary),
                "{feature:?} with --vary {vary}"
            );
        }
    }
}

#[test]
fn options_bound_what_is_drawn() {
    let options = Options::default().features([Feature::Late]).steps(3..=3);
    for seed in 0..50 {
        let scenario = playsim::testing::scenario(&mut Source::from_seed(seed), &options);
        assert!(
            scenario.player.ads.is_empty() && scenario.listeners.is_empty(),
            "seed {seed}"
        );
        let players = scenario.steps.iter().filter(|step| {
            matches!(
                step.act,
                scenario::StepAct::Init { .. } | scenario::StepAct::Queue { .. }
            )
        });
        assert!(
            (3..=4).contains(&(scenario.steps.len() - players.count())),
            "seed {seed}"
        );
    }
}
