//! The difference of a row from the current settings, by sessions with the same random numbers in
//! both.
//!
//! Each session of a row is compared with the session of the same index as it is now, so that the
//! intervals are those of differences, which are much narrower than the difference of two
//! intervals.

use serde::Serialize;

use super::price::Prices;
use super::summary::RunOutcome;
use playsim_base::interval;
use playsim_base::number::Decimal;

/// The most sessions that are compared one by one.
pub(super) const PAIRED: u64 = 1_000_000;

/// A difference of means with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MeanChange {
    /// The difference.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub mean: Decimal,
    /// The lower end of its interval.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub low: Decimal,
    /// The upper end.
    #[serde(serialize_with = "playsim_base::interval::as_number")]
    pub high: Decimal,
}

/// The difference of a row from the current settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RowDifference {
    /// The share of sessions with an ad, from -1 to 1.
    pub filled: MeanChange,
    /// The time to the first picture in seconds, over sessions that have one in both.
    pub first_frame: MeanChange,
    /// The revenue of 1,000 sessions; `None` if no price is known.
    pub revenue: Option<MeanChange>,
}

/// The compared figures of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Got {
    is_filled: bool,
    frame_us: Option<u64>,
    earned: i64,
}

/// Sums of differences, which can be added to those of others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pairs {
    filled: Sum,
    frames: Sum,
    earned: Sum,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Got {
    pub(super) fn of(outcome: &RunOutcome, prices: &Prices) -> Got {
        Got {
            is_filled: outcome.is_filled(),
            frame_us: outcome.first_frame.map(|frame| frame.after_us),
            earned: prices.earned(outcome, |_| ()),
        }
    }
}

impl Sum {
    fn add(&mut self, from: i128, to: i128) {
        let difference = to - from;
        self.count += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn merge(&mut self, other: Sum) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn change(self) -> MeanChange {
        let (mean, low, high) = interval::mean(self.count, self.sum, self.squares);
        let [mean, low, high] = [mean, low, high].map(Decimal::from_millionths);
        MeanChange { mean, low, high }
    }
}

impl Pairs {
    /// Adds a session as it is now and in the row.
    pub(super) fn add(&mut self, now: Got, row: Got) {
        let share = |got: Got| if got.is_filled { 1_000_000 } else { 0 };
        self.filled.add(share(now), share(row));
        if let (Some(now), Some(row)) = (now.frame_us, row.frame_us) {
            self.frames.add(now.into(), row.into());
        }
        self.earned.add(now.earned.into(), row.earned.into());
    }

    /// Adds the sums of other sessions.
    pub(super) fn merge(&mut self, other: Pairs) {
        self.filled.merge(other.filled);
        self.frames.merge(other.frames);
        self.earned.merge(other.earned);
    }

    /// The differences; `None` of no sessions.
    pub(super) fn difference(&self, prices: &Prices) -> Option<RowDifference> {
        (self.filled.count > 0).then(|| RowDifference {
            filled: self.filled.change(),
            first_frame: self.frames.change(),
            revenue: prices.are_known().then(|| self.earned.change()),
        })
    }
}

impl MeanChange {
    /// The mean difference of pairs of numbers.
    pub(super) fn of(pairs: impl Iterator<Item = (i128, i128)>) -> MeanChange {
        let mut sum = Sum::default();
        pairs.for_each(|(from, to)| sum.add(from, to));
        sum.change()
    }

    /// Whether chance alone makes such a difference more often than the level of confidence allows.
    #[must_use]
    pub fn is_within_chance(&self) -> bool {
        (self.low..=self.high).contains(&Decimal::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_always_differs_by_the_same_is_certain() {
        let mut pairs = Pairs::default();
        for run in 0..1_000u64 {
            let now = Got {
                is_filled: run % 2 == 0,
                frame_us: Some(run),
                earned: 0,
            };
            let row = Got {
                is_filled: run % 2 == 0,
                frame_us: Some(run + 300_000),
                earned: 5_000,
            };
            pairs.add(now, row);
        }
        let found = pairs
            .difference(&Prices::default())
            .expect("there are sessions");
        assert!(found.filled.is_within_chance() && found.revenue.is_none());
        let ends = [
            found.first_frame.low,
            found.first_frame.mean,
            found.first_frame.high,
        ];
        assert_eq!(ends.map(|it| it.to_string()), ["0.3", "0.3", "0.3"]);
        assert!(Pairs::default().difference(&Prices::default()).is_none());
    }
}
