//! Scenarios that vary another one.

use std::path::{Path, PathBuf};

use playsim::api::Outcome;
use playsim::scenario::{self, Scenario};
use playsim::testing::{Checks, Feature, Options, Source, Vary};

fn vary(base: &Scenario, vary: Vary, seed: u64) -> Scenario {
    playsim::testing::scenario(&mut Source::from_seed(seed), &Options::default().around(base, vary))
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
        let read = scenario::read(&name, &text, &mut |path| std::fs::read_to_string(folder.join(path)));
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
            let Scenario { page, videos, media, network, player, mut knobs, expect, .. } = scenario.clone();
            knobs.limit_tasks_per_second = 0;
            (page, videos, media, network, player, knobs, expect)
        };
        assert_eq!(world(&steps), world(&base), "{name}");
        let other = vary(&base, Vary::World, 1);
        assert_eq!((&other.steps, &other.listeners), (&base.steps, &base.listeners), "{name}");
        assert_eq!(other.network.len(), base.network.len(), "{name}");
    }
}

#[test]
fn scenarios_around_the_fixtures_keep_the_laws() {
    let mut wrong = Vec::new();
    for (number, (name, base)) in fixtures().into_iter().enumerate() {
        // What a fixture expects does not hold for its variations, and some are about the limits.
        let base = Scenario { expect: Vec::new(), ..base };
        if !matches!(super::play(&base).outcome(), Some(Outcome::Idle | Outcome::Until)) {
            continue;
        }
        for seed in 0..super::from_environment("PLAYSIM_AROUND", 2) {
            let scenario = vary(&base, Vary::ALL[(number + seed as usize) % 3], seed);
            if let Err(broken) = Checks::default().sampled().judge(&scenario) {
                wrong.push(format!("{name}, seed {seed}: {}: {}", broken.law.name, broken.why));
            }
        }
    }
    assert!(wrong.is_empty(), "{} variations fail\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn options_bound_what_is_drawn() {
    let options = Options::default().features([Feature::Late]).steps(3..=3);
    for seed in 0..50 {
        let scenario = playsim::testing::scenario(&mut Source::from_seed(seed), &options);
        assert!(scenario.player.ads.is_empty() && scenario.listeners.is_empty(), "seed {seed}");
        let players = scenario.steps.iter().filter(|step| {
            matches!(step.act, scenario::StepAct::Init { .. } | scenario::StepAct::Queue { .. })
        });
        assert!((3..=4).contains(&(scenario.steps.len() - players.count())), "seed {seed}");
    }
}
