//! Whether two sets of runs differ: the difference of two shares with its interval, and how often
//! chance alone makes one at least as unlikely.
//!
//! The interval is Newcombe's hybrid score interval (1998, method 10), made of two intervals of
//! Wilson. The probability is that of Fisher's exact test, on both sides: of all tables with the
//! same sums, those that are at most as likely as the one that was seen. Both hold for few runs and
//! rare events.

#![expect(
    clippy::disallowed_types,
    reason = "intervals are formulas over real numbers"
)]

use serde::Serialize;

use super::{as_number, millionths, wilson};
use crate::number::Decimal;

/// A difference of two shares, from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShareDifference {
    /// The first share minus the second.
    #[serde(serialize_with = "as_number")]
    pub difference: Decimal,
    /// The lower end of its interval.
    #[serde(serialize_with = "as_number")]
    pub low: Decimal,
    /// The upper end.
    #[serde(serialize_with = "as_number")]
    pub high: Decimal,
}

impl ShareDifference {
    /// The difference of two shares, each as a count and the number of runs; `None` if one of them
    /// has no runs.
    pub fn of(first: (u64, u64), second: (u64, u64)) -> Option<ShareDifference> {
        if first.1 == 0 || second.1 == 0 {
            return None;
        }
        let ([one, one_low, one_high], [other, other_low, other_high]) =
            (wilson(first.0, first.1), wilson(second.0, second.1));
        let square = |real: f64| real * real;
        let below = (square(one - one_low) + square(other_high - other)).sqrt();
        let above = (square(one_high - one) + square(other - other_low)).sqrt();
        Some(ShareDifference {
            difference: millionths(one - other),
            low: millionths((one - other - below).max(-1.0)),
            high: millionths((one - other + above).min(1.0)),
        })
    }
}

/// How often chance alone makes two shares differ in a way that is at most as likely as this one:
/// Fisher's exact test.
pub fn chance(first: (u64, u64), second: (u64, u64)) -> Decimal {
    /// Tables less likely than this times the likeliest one are neglected.
    const LEAST: f64 = 1e-30;
    /// Tables that are equally likely differ by the last bits.
    const SAME: f64 = 1.0 + 1e-9;
    let (one, other) = (first.1, second.1);
    let with = first.0 + second.0;
    let (from, to) = (with.saturating_sub(other), with.min(one));
    if from >= to {
        return Decimal::ONE;
    }
    // How the probability of one more in the first set relates to that of this many.
    let next = |at: u64| {
        let more = (with - at) as f64 * (one - at) as f64;
        more / ((at + 1) as f64 * (other + at + 1 - with) as f64)
    };
    let whole = |real: f64| real as u64;
    let mode =
        whole((with + 1) as f64 * (one + 1) as f64 / (one + other + 2) as f64).clamp(from, to);
    let mut weights = vec![(mode, 1.0)];
    let (mut at, mut weight) = (mode, 1.0);
    while at < to && weight > LEAST {
        weight *= next(at);
        at += 1;
        weights.push((at, weight));
    }
    (at, weight) = (mode, 1.0);
    while at > from && weight > LEAST {
        at -= 1;
        weight /= next(at);
        weights.push((at, weight));
    }
    let seen = weights
        .iter()
        .find(|(at, _)| *at == first.0)
        .map_or(0.0, |(_, weight)| *weight);
    let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let rare: f64 = weights
        .iter()
        .map(|(_, weight)| *weight)
        .filter(|weight| *weight <= seen * SAME)
        .sum();
    millionths((rare / all).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_difference_is_that_of_textbooks() {
        // Newcombe (1998), Statistics in Medicine 17, table II, method 10: 56/70 - 48/80, 9/10 -
        // 3/10, 10/10 - 0/20.
        let rounded = |one, other| {
            let it = ShareDifference::of(one, other).expect("both have runs");
            [it.low, it.high].map(|end| (end.millionths() + 50).div_euclid(100))
        };
        assert_eq!(rounded((56, 70), (48, 80)), [524, 3339]);
        assert_eq!(rounded((9, 10), (3, 10)), [1705, 8090]);
        assert_eq!(rounded((10, 10), (0, 20)), [6791, 10000]);
        assert_eq!(ShareDifference::of((0, 0), (1, 2)), None);
    }

    #[test]
    fn chance_is_that_of_fisher() {
        // Fisher's tea with milk: 3 of 4 and 1 of 4, on both sides 34/70.
        assert_eq!(chance((3, 4), (1, 4)).millionths(), 485_714);
        // 4 of 4 and none of 4: 2/70.
        assert_eq!(chance((4, 4), (0, 4)).millionths(), 28_571);
        // 1 of 12 and 9 of 12, counted with whole numbers: 5,412 of 1,961,256 tables.
        assert_eq!(chance((1, 12), (9, 12)).millionths(), 2_759);
        assert_eq!(chance((0, 5), (0, 9)), Decimal::ONE);
        assert_eq!(chance((5, 5), (9, 9)), Decimal::ONE);
        assert_eq!(chance((0, 100_000), (100_000, 100_000)).millionths(), 0);
        for (one, other) in [((3, 40), (9, 50)), ((7, 9), (1, 30))] {
            assert_eq!(chance(one, other), chance(other, one));
        }
    }
}
