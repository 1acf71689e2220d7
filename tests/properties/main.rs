//! Properties: what holds for every scenario, checked on random ones.
//!
//! A failing case prints its seed and writes the smallest scenario that still fails, as a file that
//! reproduces it. `PLAYSIM_CASES` sets the number of cases, `PLAYSIM_SEED` the first seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use playsim::scenario::Scenario;

mod ad_laws;
mod attachments;
mod broken;
mod calls;
mod coverage;
mod dice;
mod documents;
mod edits;
mod extremes;
mod features;
mod hand_made;
mod laws;
mod records;
mod settings;
mod shrink;
mod steps;
mod terms;
mod units;
mod unreached;
mod values;
mod world;
mod written;

use coverage::Coverage;
use dice::Dice;
use laws::{LAWS, Law};

/// The number of sessions of at least five actions that must hold.
const SESSIONS: u64 = 100_000;
/// The default number of scenarios: more than sessions, because a livelock may end one before its fifth
/// action.
const CASES: u64 = SESSIONS + 1_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const PANIC: &str = "it panics";

/// Plays a scenario and checks a law on it; a panic violates every law.
fn broken_by(law: &Law, scenario: &Scenario, seed: u64) -> Option<String> {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let trace = laws::play(scenario)?;
        (law.holds)(scenario, &trace, &mut Dice::new(seed))
    }));
    match tried {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("{PANIC}: {}", text.unwrap_or("without a word")))
        }
    }
}

/// The first law that a scenario violates, with the reason.
fn first_broken(scenario: &Scenario, seed: u64, coverage: &mut Coverage) -> Option<(&'static Law, String)> {
    let trace = catch_unwind(|| laws::play(scenario)).ok().and_then(Result::ok);
    let Some(trace) = trace else {
        let law = &LAWS[0];
        return broken_by(law, scenario, seed).map(|why| (law, why));
    };
    coverage.take(scenario, &trace);
    let due = LAWS.iter().enumerate().filter(|(number, law)| law.is_due(*number, seed));
    due.map(|(_, law)| law).find_map(|law| {
        let tried = catch_unwind(AssertUnwindSafe(|| (law.holds)(scenario, &trace, &mut Dice::new(seed))));
        let is_broken = !matches!(tried, Ok(Ok(())));
        is_broken.then(|| (law, broken_by(law, scenario, seed).unwrap_or_else(|| "only at times".to_owned())))
    })
}

/// Reduces a failing case, writes it to a file, and says where.
fn report(law: &Law, seed: u64, scenario: &Scenario) -> String {
    let is_panic = |why: &str| why.starts_with(PANIC);
    let first = broken_by(law, scenario, seed).unwrap_or_default();
    // A scenario that cannot be played, or that panics where the case did not, fails for another reason.
    let fails = |small: &Scenario| {
        // Without steps, generated steps would be added to the scenario.
        let is_playable =
            !small.steps.is_empty() && !matches!(catch_unwind(|| laws::play(small)), Ok(Err(_)));
        is_playable && broken_by(law, small, seed).is_some_and(|why| is_panic(&why) == is_panic(&first))
    };
    let small = shrink::shrink(scenario, fails);
    let why = broken_by(law, &small, seed).unwrap_or_default();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("failing-{seed}.json"));
    let written = std::fs::write(&path, small.to_json());
    let place = match written {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("nowhere, because {error}"),
    };
    format!("seed {seed} breaks \"{}\": {why}\n  the scenario is in {place}", law.name)
}

/// A case that violates a law.
struct Failed {
    seed: u64,
    law: &'static Law,
    why: String,
}

/// Checks a range of seeds on every core, each with its own share; returns the failures and the coverage.
fn try_all(first: u64, cases: u64) -> (Vec<Failed>, Coverage) {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let next = AtomicU64::new(first);
    let work = || {
        let (mut failed, mut coverage) = (Vec::new(), Coverage::default());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + cases {
                return (failed, coverage);
            }
            if let Some((law, why)) = first_broken(&world::scenario(seed), seed, &mut coverage) {
                failed.push(Failed { seed, law, why });
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
        failed.sort_by_key(|case: &Failed| case.seed);
        (failed, coverage)
    })
}

/// The number of failing cases that are reduced and written.
const MOST_REPORTS: usize = 5;

#[test]
fn every_law_holds_for_random_scenarios_and_the_generator_reaches_everything() {
    let (first, cases) = (from_environment("PLAYSIM_SEED", 0), from_environment("PLAYSIM_CASES", CASES));
    let (failed, coverage) = try_all(first, cases);
    let mut reported: Vec<String> = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    for Failed { seed, law, why } in &failed {
        // One of each kind, where their messages can be reported apart.
        let kind = format!("{}: {}", law.name, why.replace(|letter: char| letter.is_ascii_digit(), ""));
        let kind: String = kind.chars().take(110).collect();
        if reported.len() < MOST_REPORTS && !kinds.contains(&kind) {
            reported.push(report(law, *seed, &world::scenario(*seed)));
            kinds.push(kind);
        }
    }
    assert!(failed.is_empty(), "{} of {cases} cases fail\n{}", failed.len(), reported.join("\n"));
    println!("{coverage}");
    if cases >= CASES {
        assert!(coverage.sessions() >= SESSIONS, "only {} sessions have five actions", coverage.sessions());
        let missing = coverage.missing();
        assert!(missing.is_empty(), "the generator never reaches: {}", missing.join(", "));
    }
}

#[test]
fn shrinking_keeps_what_fails_and_little_else() {
    let has_stop = |scenario: &Scenario| scenario.to_json().contains("\"stop\"");
    let seed = (0..).find(|seed| has_stop(&world::scenario(*seed))).expect("some scenario stops");
    let small = shrink::shrink(&world::scenario(seed), has_stop);
    assert_eq!(
        (small.steps.len() + small.listeners.len(), small.videos.len(), small.network.len()),
        (1, 0, 0)
    );
}
