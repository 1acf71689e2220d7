//! Random sessions on several threads. What is found does not depend on their number.

#![expect(clippy::disallowed_types, reason = "--time is real time")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use playsim::sim::Simulation;
use playsim::testing::{Broken, Checks, Coverage, Options, Source, scenario};
use playsim::time::Span;
use playsim_base::workers;

use crate::cli::interrupt::Interrupt;
use crate::cli::progress::Progress;

/// How many sessions are played, and for how long.
pub(super) struct Budget {
    /// The seed of the first one.
    pub(super) first: u64,
    pub(super) runs: u64,
    pub(super) time: Option<Span>,
    pub(super) threads: usize,
    pub(super) interrupt: Interrupt,
}

/// The results of the sessions.
pub(super) struct Played {
    /// Their coverage, up to the session that failed.
    pub(super) coverage: Coverage,
    /// The failure with the lowest seed, as it was drawn.
    pub(super) broken: Option<Broken>,
}

/// The number of sessions that are played before their results are put together.
const BATCH: u64 = 1_000;

/// Plays sessions until one fails, all are played, time is up or a signal comes. `base` is the
/// scenario that is varied; without one sessions are drawn as a whole.
pub(super) fn play(options: &Options, base: Option<&Simulation>, budget: &Budget) -> Played {
    let begin = Instant::now();
    let end = budget
        .time
        .and_then(|time| begin.checked_add(Duration::from_micros(time.micros())));
    let progress = Progress::counting("fuzzing", "sessions");
    let checks = Checks::default().sampled();
    let checks = if base.is_none() {
        checks.of_drawn()
    } else {
        checks
    };
    let mut played = Played {
        coverage: Coverage::default(),
        broken: None,
    };
    let mut done = 0;
    let is_over = || budget.interrupt.is_raised() || end.is_some_and(|end| Instant::now() >= end);
    while done < budget.runs && played.broken.is_none() && !is_over() {
        let batch = Batch {
            options,
            base,
            checks,
            first: budget.first.wrapping_add(done),
            count: BATCH.min(budget.runs - done),
            is_over: &is_over,
            next: AtomicU64::new(0),
            lowest: AtomicU64::new(u64::MAX),
        };
        let taken = batch.play(budget.threads, &mut played, &|sessions| {
            progress.count(done + sessions)
        });
        done += taken;
        if taken < batch.count {
            break;
        }
    }
    played
}

/// Sessions whose results are put together.
struct Batch<'a> {
    options: &'a Options,
    base: Option<&'a Simulation>,
    checks: Checks,
    first: u64,
    count: u64,
    is_over: &'a (dyn Fn() -> bool + Sync),
    /// The next session that a thread takes. All before it are played to their end.
    next: AtomicU64,
    /// The lowest session that failed.
    lowest: AtomicU64,
}

impl Batch<'_> {
    /// Plays them and returns how many were played.
    fn play(&self, threads: usize, played: &mut Played, tell: &(dyn Fn(u64) + Sync)) -> u64 {
        let (mut coverage, mut failed) = (Coverage::default(), Vec::new());
        for (own, failures) in workers::each(threads, threads, |_| self.work(tell)) {
            coverage.add(own);
            failed.extend(failures);
        }
        failed.sort_by_key(|(number, _): &(u64, Broken)| *number);
        let Some((number, broken)) = failed.into_iter().next() else {
            played.coverage.add(coverage);
            return self.next.load(Ordering::Relaxed).min(self.count);
        };
        // Which later ones were played depends on the threads.
        for earlier in 0..number {
            let scenario = self.scenario(earlier);
            if let Ok(trace) = self.checks.judge_like(self.base, &scenario) {
                played.coverage.take(&scenario, &trace);
            }
        }
        played.coverage.play(&broken.scenario);
        played.broken = Some(broken);
        number + 1
    }

    fn work(&self, tell: &(dyn Fn(u64) + Sync)) -> (Coverage, Vec<(u64, Broken)>) {
        let (mut coverage, mut failed) = (Coverage::default(), Vec::new());
        loop {
            if (self.is_over)() {
                return (coverage, failed);
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.count || number > self.lowest.load(Ordering::Relaxed) {
                return (coverage, failed);
            }
            let scenario = self.scenario(number);
            match self.checks.judge_like(self.base, &scenario) {
                Ok(trace) => coverage.take(&scenario, &trace),
                Err(broken) => {
                    self.lowest.fetch_min(number, Ordering::Relaxed);
                    failed.push((number, broken));
                }
            }
            tell(number + 1);
        }
    }

    fn scenario(&self, number: u64) -> playsim::Scenario {
        scenario(
            &mut Source::from_seed(self.first.wrapping_add(number)),
            self.options,
        )
    }
}
