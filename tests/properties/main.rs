//! Properties: what holds for every scenario, tried on random ones.
//!
//! A failing case prints its seed and writes the smallest scenario that still fails, as a file that
//! reproduces it. `PLAYSIM_CASES` sets how many are tried, `PLAYSIM_SEED` the first seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use playsim::scenario::{self, Scenario};

mod ad_laws;
mod beside;
mod broken;
mod calls;
mod coverage;
mod dice;
mod documents;
mod edits;
mod features;
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
mod write;
mod write_units;

use coverage::Coverage;
use dice::Dice;
use laws::{LAWS, Law};

/// How many sessions of at least five acts must hold.
const SESSIONS: u64 = 100_000;
/// How many scenarios are tried if nobody says otherwise: a livelock may end one before its fifth act.
const CASES: u64 = SESSIONS + 1_000;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const PANIC: &str = "it panics";

/// Plays a scenario and tries a law on it; a panic breaks every law.
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

/// The first law that a scenario breaks, with what is wrong.
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

/// Makes a failing case small, writes it into a file, and says where.
fn report(law: &Law, seed: u64, scenario: &Scenario) -> String {
    let is_panic = |why: &str| why.starts_with(PANIC);
    let first = broken_by(law, scenario, seed).unwrap_or_default();
    // What cannot be played, or panics where the case did not, fails for another reason.
    let fails = |small: &Scenario| {
        // Without steps the scenario makes some of its own.
        let is_playable =
            !small.steps.is_empty() && !matches!(catch_unwind(|| laws::play(small)), Ok(Err(_)));
        is_playable && broken_by(law, small, seed).is_some_and(|why| is_panic(&why) == is_panic(&first))
    };
    let small = shrink::shrink(scenario, fails);
    let why = broken_by(law, &small, seed).unwrap_or_default();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("failing-{seed}.json"));
    let written = std::fs::write(&path, write::json(&small));
    let place = match written {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("nowhere, because {error}"),
    };
    format!("seed {seed} breaks \"{}\": {why}\n  the scenario is in {place}", law.name)
}

/// A case that breaks a law.
struct Failed {
    seed: u64,
    law: &'static Law,
    why: String,
}

/// Tries a stretch of seeds on every core, each its own share; gives what failed and what was seen.
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

/// How many failing cases are made small and written.
const MOST_REPORTS: usize = 5;

#[test]
fn every_law_holds_for_random_scenarios_and_the_generator_reaches_everything() {
    let (first, cases) = (from_environment("PLAYSIM_SEED", 0), from_environment("PLAYSIM_CASES", CASES));
    let (failed, coverage) = try_all(first, cases);
    println!("{coverage}");
    let mut told: Vec<String> = Vec::new();
    let mut kinds: Vec<String> = Vec::new();
    for Failed { seed, law, why } in &failed {
        // One of each kind, as far as words tell them apart.
        let kind = format!("{}: {}", law.name, why.replace(|letter: char| letter.is_ascii_digit(), ""));
        let kind: String = kind.chars().take(110).collect();
        if told.len() < MOST_REPORTS && !kinds.contains(&kind) {
            told.push(report(law, *seed, &world::scenario(*seed)));
            kinds.push(kind);
        }
    }
    assert!(failed.is_empty(), "{} of {cases} cases fail\n{}", failed.len(), told.join("\n"));
    if cases >= CASES {
        assert!(coverage.sessions() >= SESSIONS, "only {} sessions have five acts", coverage.sessions());
        let missing = coverage.missing();
        assert!(missing.is_empty(), "the generator never reaches: {}", missing.join(", "));
    }
}

#[test]
fn a_written_scenario_reads_back_as_it_was() {
    for seed in 0..500 {
        let written = world::scenario(seed);
        let text = write::json(&written);
        let read = scenario::read("case.json", &text, &mut |path| Err(format!("no file {path} is written")));
        match read {
            Ok(read) => assert_eq!(read, written, "seed {seed}"),
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
}

#[test]
fn shrinking_keeps_what_fails_and_little_else() {
    let has_stop = |scenario: &Scenario| write::json(scenario).contains("\"stop\"");
    let seed = (0..).find(|seed| has_stop(&world::scenario(*seed))).expect("some scenario stops");
    let small = shrink::shrink(&world::scenario(seed), has_stop);
    assert_eq!(
        (small.steps.len() + small.listeners.len(), small.videos.len(), small.network.len()),
        (1, 0, 0)
    );
}
