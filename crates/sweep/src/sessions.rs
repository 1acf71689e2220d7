//! Any number of sessions, counted or looked at one by one, on several threads or machines.
//!
//! Only the caller's result is kept of a session, so that memory does not grow with their
//! number.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::plan::Base;
use super::shard::Shard;
use super::summary::RunOutcome;
use super::together::Together;
use super::{Combination, PIECE, Sweep, SweepError};
use playsim_base::workers;
use playsim_scenario::Scenario;
use playsim_trace::Digest;

/// A session of a sweep, and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepSession {
    /// The index of its combination of values. The values of the last axis change fastest.
    pub combination: u64,
    /// Its index among the sessions with this combination.
    pub run: u64,
    /// Its outcome.
    pub outcome: RunOutcome,
}

/// A sweep whose sessions are numbered.
struct Numbered<'s> {
    sweep: &'s Sweep<'s>,
    base: Base<'s>,
    combinations: Vec<Combination>,
    /// How many sessions each combination has.
    runs: u64,
}

impl Sweep<'_> {
    /// Plays only one of several equal parts of the sessions, for [`Sweep::count`] and
    /// [`Sweep::each`].
    #[must_use]
    pub fn shard(self, shard: Shard) -> Self {
        Sweep { shard, ..self }
    }

    /// How many sessions there are in all shards: one for each combination of values, or as many as
    /// [`Sweep::runs`] says if something is random.
    ///
    /// # Errors
    ///
    /// If the sweep cannot be run.
    pub fn sessions(&self) -> Result<u64, SweepError> {
        self.runs_of_each()
            .and_then(|runs| total(self.combinations()?.len(), runs))
    }

    /// Plays the sessions and counts those with the same key. Counts of shards add up to those of
    /// the whole.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use playsim::scenario;
    /// use playsim::sweep::{Axis, Sweep};
    ///
    /// let [(name, text), (_, document)] = scenario::demo();
    /// let demo = scenario::read(name, text, &mut |_| Ok(document.to_owned()))?;
    /// let random: Axis = "tag3.after=lognormal(1s, 0.5)".parse()?;
    /// let sweep = Sweep::of(&demo).vary(random).runs(1_000).threads(2);
    /// let by_tag = sweep.count(|session| session.outcome.filled_by.first().copied())?;
    /// assert_eq!(by_tag.values().sum::<u64>(), 1_000);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the sweep cannot be run.
    pub fn count<K: Ord + Send>(
        &self,
        key: impl Fn(SweepSession) -> K + Sync,
    ) -> Result<BTreeMap<K, u64>, SweepError> {
        let numbered = self.numbered()?;
        let range = self.shard.range(numbered.sessions()?);
        let pieces = (range.end - range.start).div_ceil(PIECE);
        let done = AtomicU64::new(0);
        let counts = workers::sum(
            self.threads,
            pieces,
            || Ok(BTreeMap::new()),
            |counts: &mut Result<BTreeMap<K, u64>, SweepError>, piece| {
                let Ok(counted) = counts else { return };
                let piece = part(&range, piece);
                let length = piece.end - piece.start;
                let played = numbered.play(piece, |session| {
                    *counted.entry(key(session)).or_default() += 1
                });
                match played {
                    Ok(()) => self.tell(&done, length, range.end - range.start),
                    Err(error) => *counts = Err(error),
                }
            },
        );
        let mut all = BTreeMap::new();
        for counts in counts {
            for (key, count) in counts? {
                *all.entry(key).or_default() += count;
            }
        }
        Ok(all)
    }

    /// Plays the sessions and passes them on in their order, until `look` breaks.
    ///
    /// # Errors
    ///
    /// If the sweep cannot be run.
    pub fn each(
        &self,
        mut look: impl FnMut(SweepSession) -> ControlFlow<()>,
    ) -> Result<(), SweepError> {
        /// How many pieces each thread does before the sessions are passed on.
        const PIECES: u64 = 8;
        let numbered = self.numbered()?;
        let range = self.shard.range(numbered.sessions()?);
        let done = AtomicU64::new(0);
        let batch = (PIECES * PIECE).saturating_mul(self.threads.max(1) as u64);
        let mut from = range.start;
        while from < range.end {
            let batch = from..from.saturating_add(batch).min(range.end);
            let pieces = (batch.end - batch.start).div_ceil(PIECE);
            let played = workers::each(
                self.threads,
                usize::try_from(pieces).unwrap_or(usize::MAX),
                |piece| {
                    let mut sessions = Vec::new();
                    let piece = part(&batch, piece as u64);
                    let length = piece.end - piece.start;
                    numbered.play(piece, |session| sessions.push(session))?;
                    self.tell(&done, length, range.end - range.start);
                    Ok(sessions)
                },
            );
            for sessions in played {
                for session in sessions? {
                    if look(session).is_break() {
                        return Ok(());
                    }
                }
            }
            from = batch.end;
        }
        Ok(())
    }

    /// The values of each combination, one for each axis.
    ///
    /// # Errors
    ///
    /// If there are too many combinations.
    pub fn settings(&self) -> Result<Vec<Vec<Arc<str>>>, SweepError> {
        // A row is one line, whatever a file is called.
        let line = |value: &super::AxisValue| value.label.replace(char::is_control, " ").into();
        let values = |combination: &Combination| self.values(combination).map(line).collect();
        Ok(self.combinations()?.iter().map(values).collect())
    }

    /// A fingerprint of everything that the outcomes depend on, and of nothing else: not of threads
    /// and shards.
    ///
    /// # Errors
    ///
    /// If the sweep cannot be run.
    pub fn digest(&self) -> Result<Digest, SweepError> {
        // The name may be that of a file, which another machine may call differently.
        let scenario = Scenario {
            name: "".into(),
            ..self.scenario.clone()
        }
        .digest();
        let (version, runs) = (env!("CARGO_PKG_VERSION"), self.runs_of_each()?);
        let axes: Vec<_> = self
            .axes
            .iter()
            .map(|axis| (&axis.name, &axis.values))
            .collect();
        Ok(Digest::of_text(&format!(
            "{version} {scenario} {} {runs} {axes:?}",
            self.seed
        )))
    }

    /// How often each combination is played.
    fn runs_of_each(&self) -> Result<u64, SweepError> {
        match self.runs {
            None if self.is_random() => Ok(super::RUNS),
            None => Ok(1),
            Some(_) if !self.is_random() => Err(super::nothing_random()),
            Some(0) => Err(SweepError::input("runs must be at least 1")),
            Some(runs) => Ok(runs),
        }
    }

    fn numbered(&self) -> Result<Numbered<'_>, SweepError> {
        let (base, combinations) = (self.base()?, self.combinations()?);
        Ok(Numbered {
            sweep: self,
            base,
            combinations,
            runs: self.runs_of_each()?,
        })
    }
}

impl Numbered<'_> {
    fn sessions(&self) -> Result<u64, SweepError> {
        total(self.combinations.len(), self.runs)
    }

    /// Plays the sessions with these numbers.
    fn play(
        &self,
        numbers: Range<u64>,
        mut each: impl FnMut(SweepSession),
    ) -> Result<(), SweepError> {
        let mut number = numbers.start;
        while number < numbers.end {
            let combination = number / self.runs;
            let first = combination * self.runs;
            let runs = number - first..numbers.end.min(first + self.runs) - first;
            number = first + runs.end;
            let index = usize::try_from(combination).unwrap_or(usize::MAX);
            let point = self
                .sweep
                .point(&self.base, &self.combinations[index], None)?;
            let mut tell = |run, outcome| {
                each(SweepSession {
                    combination,
                    run,
                    outcome,
                })
            };
            if runs.end - runs.start == 1 {
                // There is nothing to share.
                tell(runs.start, point.outcome(runs.start));
            } else {
                let sessions = Together::new(point);
                runs.for_each(|run| tell(run, sessions.outcome(run)));
            }
        }
        Ok(())
    }
}

fn total(combinations: usize, runs: u64) -> Result<u64, SweepError> {
    let combinations = combinations as u64;
    let all = runs.checked_mul(combinations);
    all.ok_or_else(|| {
        SweepError::input(format!(
            "{runs} runs of {combinations} combinations cannot be numbered; play fewer"
        ))
    })
}

/// A piece of a range of sessions.
fn part(range: &Range<u64>, piece: u64) -> Range<u64> {
    let from = range.start + piece * PIECE;
    from..(from + PIECE).min(range.end)
}
