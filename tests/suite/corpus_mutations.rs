//! Documents changed at random are played: nothing panics, nothing hangs, nothing takes unbounded
//! memory.
//!
//! The documents are those of the folder that `PLAYSIM_CORPUS` names, by default those of
//! `fixtures`. Half of the changes affect bytes, half affect elements (removed, doubled, moved,
//! nested, their text and attributes replaced), so that at least half of the mutants are still
//! well-formed according to a strict parser. Mutant N is the same in every run. One that fails is
//! reduced and written to a file; `PLAYSIM_MUTANT=N` tries it alone.

mod judge;
mod mutate;
mod seeds;
mod shrink;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Once};
use std::time::Duration;

use playsim::api::Outcome;
use playsim::time::Span;

use crate::nightly;
use judge::Facts;
use mutate::Mutant;
use seeds::Seed;

/// The number of mutants tried, for each commit and each night.
const MUTANTS: (u64, u64) = (5_000, 50_000);
const WORKERS: u64 = 2;
/// The time after which a mutant counts as hanging: the others take milliseconds.
const HANGS: Duration = Duration::from_secs(120);
/// The number of failures that are reduced and reported.
const MOST_REPORTED: usize = 3;

/// The totals over the mutants of one worker.
#[derive(Debug, Default)]
struct Tally {
    well_formed: u64,
    outcomes: BTreeMap<String, u64>,
    /// The most memory that reading and playing took, beyond the amount allowed per byte.
    most_read: u64,
    most_played: u64,
    most_records: usize,
    failures: Vec<(u64, String)>,
}

impl Tally {
    fn take(&mut self, facts: Facts) {
        self.well_formed += u64::from(facts.is_well_formed);
        self.most_read = self.most_read.max(
            facts
                .read_bytes
                .saturating_sub(judge::READ_EACH * facts.length),
        );
        let for_each = judge::PLAY_EACH * facts.length;
        self.most_played = self
            .most_played
            .max(facts.played_bytes.saturating_sub(for_each));
        self.most_records = self.most_records.max(facts.records);
        *self.outcomes.entry(facts.outcome).or_default() += 1;
    }

    fn add(&mut self, other: Tally) {
        self.well_formed += other.well_formed;
        for (outcome, count) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += count;
        }
        self.most_read = self.most_read.max(other.most_read);
        self.most_played = self.most_played.max(other.most_played);
        self.most_records = self.most_records.max(other.most_records);
        self.failures.extend(other.failures);
    }
}

#[test]
fn mutated_documents_never_panic_hang_or_take_memory_without_bound() {
    let seeds = Arc::new(seeds::all());
    if let Some(number) = std::env::var("PLAYSIM_MUTANT")
        .ok()
        .and_then(|number| number.parse().ok())
    {
        let mutant = mutate::mutant(number, &seeds);
        println!(
            "mutant {number} of {}: {}\n{}",
            mutant.seed,
            mutant.describe(),
            mutant.text
        );
        println!("{:?}", judge::judge(&mutant, &seeds));
        return;
    }
    let mutants = nightly::cases(MUTANTS.0, MUTANTS.1);
    let tally = try_all(&seeds, mutants);
    println!(
        "{mutants} mutants of {} documents, {} well-formed",
        seeds.len(),
        tally.well_formed
    );
    println!("outcomes: {:?}", tally.outcomes);
    println!(
        "beyond {} bytes for each byte, reading took {} bytes of {}; beyond {}, playing {} of {}",
        judge::READ_EACH,
        tally.most_read,
        judge::READ_ONCE,
        judge::PLAY_EACH,
        tally.most_played,
        judge::PLAY_ONCE
    );
    println!("the longest trace has {} records", tally.most_records);
    let reported: Vec<String> = tally
        .failures
        .iter()
        .take(MOST_REPORTED)
        .map(|(number, why)| report(*number, why, &seeds))
        .collect();
    assert!(
        reported.is_empty(),
        "{} mutants fail\n{}",
        tally.failures.len(),
        reported.join("\n")
    );
    assert!(
        2 * tally.well_formed >= mutants,
        "only {} are well-formed",
        tally.well_formed
    );
    // The test is meaningful only if ads play and every outcome occurs.
    for outcome in ["played", "100", "101", "102", "301", "302", "303", "403"] {
        assert!(
            tally.outcomes.contains_key(outcome),
            "no mutant comes to {outcome}: {:?}",
            tally.outcomes
        );
    }
}

fn try_all(seeds: &Arc<Vec<Seed>>, mutants: u64) -> Tally {
    silence_caught_panics();
    let (sender, receiver) = mpsc::channel();
    let current: Vec<Arc<AtomicU64>> = (0..WORKERS).map(|_| Arc::default()).collect();
    for (worker, at) in (0..).zip(&current) {
        let (seeds, sender, at) = (Arc::clone(seeds), sender.clone(), Arc::clone(at));
        std::thread::spawn(move || {
            let mut tally = Tally::default();
            for number in (worker..mutants).step_by(WORKERS as usize) {
                at.store(number, Ordering::Relaxed);
                match judge::judge(&mutate::mutant(number, &seeds), &seeds) {
                    Ok(facts) => tally.take(facts),
                    Err(why) => tally.failures.push((number, why)),
                }
                // The receiver is gone only if the test is over.
                let _ = sender.send(None);
            }
            let _ = sender.send(Some(tally));
        });
    }
    drop(sender);
    let mut all = Tally::default();
    loop {
        match receiver.recv_timeout(HANGS) {
            Ok(None) => {}
            Ok(Some(tally)) => all.add(tally),
            Err(RecvTimeoutError::Disconnected) => return all,
            Err(RecvTimeoutError::Timeout) => {
                let numbers: Vec<u64> = current
                    .iter()
                    .map(|at| at.load(Ordering::Relaxed))
                    .collect();
                let files: Vec<String> = numbers
                    .iter()
                    .map(|number| write(&mutate::mutant(*number, seeds), "hangs"))
                    .collect();
                panic!(
                    "one of the mutants {numbers:?} hangs; they are in {}",
                    files.join(" and ")
                );
            }
        }
    }
}

/// Reduces a failing mutant and says where it is written.
fn report(number: u64, why: &str, seeds: &[Seed]) -> String {
    let mutant = mutate::mutant(number, seeds);
    let fails = |text: &str| {
        judge::judge(
            &Mutant {
                text: text.into(),
                ..mutant.clone()
            },
            seeds,
        )
        .is_err()
    };
    let small = Mutant {
        text: shrink::shrink(&mutant.text, fails).into(),
        ..mutant.clone()
    };
    let (whole, file) = (write(&mutant, "whole"), write(&small, "small"));
    format!(
        "mutant {number} of {}, {}: {why}\n  {file}\n  {whole}",
        mutant.seed,
        mutant.describe()
    )
}

fn write(mutant: &Mutant, what: &str) -> String {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus_mutations");
    let file = folder.join(format!("{}.{what}.xml", mutant.number));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(&file, &*mutant.text).expect("a file can be written");
    file.display().to_string()
}

/// A caught panic is reported once by the test, not by each attempt to reduce the mutant.
fn silence_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let reported = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !judge::is_caught() {
                reported(info);
            }
        }));
    });
}

#[test]
fn a_mutant_is_the_same_in_every_run() {
    let seeds = seeds::all();
    for number in 0..200 {
        assert_eq!(
            mutate::mutant(number, &seeds),
            mutate::mutant(number, &seeds)
        );
    }
    let different = (0..200).filter(|number| {
        let mutant = mutate::mutant(*number, &seeds);
        let seed = seeds
            .iter()
            .find(|seed| seed.name == mutant.seed)
            .expect("it is of one of them");
        *seed.text != *mutant.text
    });
    assert!(different.count() > 150);
}

#[test]
fn a_failure_is_caught_and_reduced() {
    silence_caught_panics();
    let caught = judge::caught(|| panic!("a broken invariant"));
    assert_eq!(
        caught.map(|()| 0),
        Err("panic: a broken invariant".to_owned())
    );
    let text = "<VAST><Ad><InLine>x</InLine></Ad></VAST>".repeat(20);
    let small = shrink::shrink(&text, |text| text.contains("<Ad>") && text.contains("x<"));
    assert_eq!(small, "<Ad>x<");
}

/// Each of its wrappers leads to all of them again, and so on: many millions of paths. Where
/// responses take no time, the limit of tasks at one instant ends it; where they do, the time limit
/// of a tag.
#[test]
fn many_wrappers_that_point_to_themselves_end_at_a_limit() {
    let wrapper = format!(
        "<Ad><Wrapper allowMultipleAds='true'><AdSystem>t</AdSystem><Error>/e</Error><VASTAdTagURI>{}</VASTAdTagURI></Wrapper></Ad>",
        mutate::TAG
    );
    let text = format!("<VAST version='4.2'>{}</VAST>", wrapper.repeat(50));
    for (after, outcome) in [
        (Span::ZERO, Outcome::Livelock),
        (Span::from_millis(10), Outcome::Idle),
    ] {
        let (trace, bytes) = judge::crowd(&text, after);
        println!(
            "{outcome}: {} records, {} MB",
            trace.records.len(),
            bytes >> 20
        );
        assert_eq!(trace.outcome(), Some(outcome));
        assert!(bytes < 256 << 20, "{bytes} bytes");
    }
}

#[test]
fn more_memory_than_allowed_is_reported() {
    let seeds = seeds::all();
    let mutant = mutate::mutant(0, &seeds);
    let facts = judge::judge(&mutant, &seeds).expect("it can be played");
    assert!(
        facts.read_bytes > 0 && facts.played_bytes > facts.read_bytes,
        "{facts:?}"
    );
    let reported = |facts: &Facts| judge::within_bounds(facts).is_err();
    assert!(!reported(&facts));
    let length = facts.length;
    let most = judge::READ_ONCE + judge::READ_EACH * length;
    assert!(reported(&Facts {
        read_bytes: most + 1,
        ..facts.clone()
    }));
    let most = judge::PLAY_ONCE + judge::PLAY_EACH * length;
    assert!(reported(&Facts {
        played_bytes: most + 1,
        ..facts.clone()
    }));
    assert!(reported(&Facts {
        records: judge::most_records(length) + 1,
        ..facts
    }));
}
