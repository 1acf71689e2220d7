//! Properties: what holds for every scenario, checked on random ones.
//!
//! A failing case prints its seed and writes the smallest scenario that still fails, as a file that
//! reproduces it. `PLAYSIM_CASES` sets the number of cases, `PLAYSIM_SEED` the first seed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use playsim::api::{Call, EventName};
use playsim::scenario::{Expectation, Scenario, Step, StepAct};
use playsim::testing::{Broken, Checks, Coverage, Options, Source, check, scenario, shrink};
use playsim::trace::Trace;
use playsim::{Simulation, testing};

use crate::nightly;

mod ad_laws;
mod around;
mod broken;
mod explored;
mod extremes;
mod fuzz;
mod hand_made;
mod written;

/// The number of sessions of at least five actions that must hold each night, and reach every value
/// of every knob.
const SESSIONS: u64 = 100_000;
/// The number of scenarios for each commit and each night: more than sessions, because a livelock
/// may end one before its fifth action.
const CASES: (u64, u64) = (20_000, SESSIONS + 1_000);

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The scenario of a seed.
fn drawn(seed: u64) -> Scenario {
    scenario(&mut Source::from_seed(seed), &Options::default())
}

fn play(scenario: &Scenario) -> Trace {
    Simulation::new(scenario)
        .expect("a random scenario is playable")
        .run()
}

/// Reduces a failing case, writes it to a file, and says where.
fn report(broken: Broken) -> String {
    let small = broken.shrunk();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(small.file());
    let written = std::fs::write(&path, small.text());
    let place = written.map_or_else(
        |error| format!("nowhere, because {error}"),
        |()| path.display().to_string(),
    );
    format!("{small}\n  the scenario is in {place}")
}

/// Checks a range of seeds on every core, each with its own share; returns the failures and the
/// coverage.
fn try_all(first: u64, cases: u64) -> (Vec<Broken>, Coverage) {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let next = AtomicU64::new(first);
    let checks = Checks::default().sampled().of_drawn();
    let work = || {
        let (mut failed, mut coverage) = (Vec::new(), Coverage::default());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + cases {
                return (failed, coverage);
            }
            let scenario = drawn(seed);
            match checks.judge(&scenario) {
                Ok(trace) => coverage.take(&scenario, &trace),
                Err(broken) => failed.push(broken),
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let (mut failed, mut coverage) = (Vec::new(), Coverage::default());
        for thread in threads {
            let (more, seen) = thread.join().expect("a worker catches every panic");
            failed.extend(more);
            coverage.add(seen);
        }
        failed.sort_by_key(|case: &Broken| case.seed);
        (failed, coverage)
    })
}

/// The number of failing cases that are reduced and written.
const MOST_REPORTS: usize = 5;

#[test]
fn every_law_holds_for_random_scenarios_and_the_generator_reaches_everything() {
    let (first, cases) = (
        from_environment("PLAYSIM_SEED", 0),
        from_environment("PLAYSIM_CASES", nightly::cases(CASES.0, CASES.1)),
    );
    let (failed, coverage) = try_all(first, cases);
    let failures = failed.len();
    let mut reported: Vec<String> = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    for broken in failed {
        // One of each kind, where their messages can be told apart.
        let why = broken
            .why
            .replace(|letter: char| letter.is_ascii_digit(), "");
        let kind: String = format!("{}: {why}", broken.law.name)
            .chars()
            .take(110)
            .collect();
        if reported.len() < MOST_REPORTS && !kinds.contains(&kind) {
            reported.push(report(broken));
            kinds.push(kind);
        }
    }
    assert!(
        failures == 0,
        "{failures} of {cases} cases fail\n{}",
        reported.join("\n")
    );
    println!("{coverage}");
    if cases >= CASES.1 {
        assert!(
            coverage.sessions() >= SESSIONS,
            "only {} sessions have five actions",
            coverage.sessions()
        );
        let missing = coverage.missing();
        assert!(
            missing.is_empty(),
            "the generator never reaches: {}",
            missing.join(", ")
        );
    }
}

#[test]
fn shrinking_keeps_what_fails_and_little_else() {
    let is_stop = |step: &Step| {
        matches!(
            step.act,
            StepAct::Do {
                call: Call::Stop,
                ..
            }
        )
    };
    let has_stop = |scenario: &Scenario| scenario.steps.iter().any(is_stop);
    let seed = (0..)
        .find(|seed| has_stop(&drawn(*seed)))
        .expect("some scenario stops");
    let small = shrink(&drawn(seed), has_stop);
    assert_eq!(
        (
            small.steps.len() + small.listeners.len(),
            small.videos.len(),
            small.network.len()
        ),
        (1, 0, 0)
    );
}

#[test]
fn a_counterexample_of_two_steps_is_a_dozen_lines() {
    // A player whose content starts, and is then stopped by page code.
    let stops = |scenario: &Scenario| {
        Simulation::new(scenario).is_ok_and(|simulation| {
            let trace = simulation.run();
            let at = |event| trace.events().position(|fired| fired.name == event);
            at(EventName::AdStart)
                .zip(at(EventName::Stopped))
                .is_some_and(|(ad, stopped)| ad < stopped)
        })
    };
    for seed in (0..).filter(|seed| stops(&drawn(*seed))).take(4) {
        let small = shrink(&drawn(seed), stops).to_yaml();
        println!("{small}");
        assert!(small.lines().count() <= 16, "seed {seed}\n{small}");
    }
}

#[test]
fn bytes_give_scenarios_that_keep_the_laws_however_few_they_are() {
    for length in 0..300_u32 {
        let bytes: Vec<u8> = (0..length * 8)
            .map(|number| (number * number % 251) as u8)
            .collect();
        let scenario = scenario(&mut Source::from_bytes(&bytes), &Options::default());
        assert_eq!(
            scenario,
            testing::scenario(&mut Source::from_bytes(&bytes), &Options::default())
        );
        let judged = Checks::default().of_drawn().judge(&scenario);
        assert!(
            judged.is_ok(),
            "{length}: {}",
            judged.expect_err("it fails")
        );
    }
}

#[test]
fn a_broken_law_is_reported_with_a_small_scenario_and_a_command() {
    // Expects what no random session does.
    let seed = (0..).find(|seed| {
        play(&drawn(*seed))
            .events()
            .any(|event| event.name == EventName::Pause)
    });
    let expected = drawn(seed.expect("some session is paused"));
    let never = Expectation::Never(EventName::Pause);
    let broken = check(&Scenario {
        expect: vec![never],
        ..expected
    })
    .expect_err("it pauses");
    assert_eq!(broken.law.name, "the scenario's own expectations are met");
    assert!(
        broken.scenario.steps.len() <= 3 && broken.scenario.network.is_empty(),
        "{broken}"
    );
    assert!(
        broken.why.contains("expected no pause event; it fired"),
        "{broken}"
    );
    assert!(broken.to_string().contains(&broken.command()), "{broken}");
    let again = check(&broken.scenario).expect_err("it still pauses");
    assert_eq!(again.why, broken.why);
}
