//! Confidence intervals for figures of random runs and of many recordings, at a level of 95
//! percent, and the probability that a difference is due to chance.
//!
//! Shares use the Wilson score interval (1927), which is also valid for few runs and rare events.
//! Quantiles use the exact interval by order statistics: the number of values below the true
//! quantile has a binomial distribution, whatever the distribution of the values. Means use the
//! standard error.
//!
//! Floats are only used here and in the distributions of sweeps, and only with addition,
//! multiplication, division and roots, which IEEE 754 defines to the last bit, so that all machines
//! agree. Statistics crates compute the binomial distribution with the platform's logarithms, whose
//! results differ.

#![expect(
    clippy::disallowed_types,
    reason = "intervals are formulas over real numbers"
)]

use serde::{Serialize, Serializer};

use crate::number::Decimal;
use crate::value::Value;

mod difference;

pub use difference::ShareDifference;
pub use difference::chance;

/// The level of confidence of all intervals, in percent.
pub const CONFIDENCE: u32 = 95;

/// The quantile of the standard normal distribution for this level, on both sides.
const Z: f64 = 1.959_963_984_540_054;

/// A share of all runs, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Proportion {
    /// How many runs.
    pub count: u64,
    /// The share.
    #[serde(serialize_with = "as_number")]
    pub share: Decimal,
    /// The lower end of its interval.
    #[serde(serialize_with = "as_number")]
    pub low: Decimal,
    /// The upper end.
    #[serde(serialize_with = "as_number")]
    pub high: Decimal,
}

impl Proportion {
    /// The share of `count` in `runs`, with the interval of Wilson.
    #[must_use]
    pub fn of(count: u64, runs: u64) -> Proportion {
        if runs == 0 {
            return Proportion {
                count,
                share: Decimal::ZERO,
                low: Decimal::ZERO,
                high: Decimal::ONE,
            };
        }
        let [share, low, high] = wilson(count, runs);
        Proportion {
            count,
            share: millionths(share),
            low: millionths(low),
            high: millionths(high),
        }
    }
}

/// A share and the ends of its interval; of at least one run.
fn wilson(count: u64, runs: u64) -> [f64; 3] {
    let (n, share) = (runs as f64, count as f64 / runs as f64);
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // At the ends the formula gives 0 and 1 up to rounding errors.
    let low = if count == 0 {
        0.0
    } else {
        (middle - reach) / scale
    };
    let high = if count == runs {
        1.0
    } else {
        (middle + reach) / scale
    };
    [share, low, high]
}

/// Serializes a decimal number as one, exactly as printed.
pub fn as_number<S: Serializer>(number: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    Value::from(*number).serialize(serializer)
}

fn millionths(real: f64) -> Decimal {
    Decimal::from_millionths((real * 1e6).round() as i64)
}

/// The mean of whole numbers and its interval, each rounded to a whole number, computed from the
/// count, the sum, and the sum of squares.
#[must_use]
pub fn mean(count: u64, sum: i128, squares: i128) -> (i64, i64, i64) {
    if count == 0 {
        return (0, 0, 0);
    }
    let n = count as f64;
    let mean = sum as f64 / n;
    let variance = (squares as f64 / n - mean * mean).max(0.0);
    let reach = Z * (variance / n).sqrt();
    (
        mean.round() as i64,
        (mean - reach).round() as i64,
        (mean + reach).round() as i64,
    )
}

/// The indexes, in ascending values, of a quantile and of the ends of its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranks {
    /// The index of the quantile itself.
    pub value: usize,
    /// `None`: there are too few values for a lower end.
    pub low: Option<usize>,
    /// `None`: there are too few values for an upper end.
    pub high: Option<usize>,
}

/// Finds the ranks for the quantile of `percent` among `count` values, at least one.
///
/// The true quantile lies between the values of the ranks `low` and `high` with at least the level
/// of confidence, half of the rest on either side.
pub fn ranks(count: usize, percent: u32) -> Ranks {
    let whole = |share: u128| usize::try_from(share).unwrap_or(usize::MAX);
    // The smallest value that is at least as large as this share of all of them.
    let value =
        whole((count as u128 * u128::from(percent)).div_ceil(100)).clamp(1, count.max(1)) - 1;
    let tail = (1.0 - f64::from(CONFIDENCE) / 100.0) / 2.0;
    let below = Binomial::new(count, f64::from(percent) / 100.0);
    // P(B <= low) <= tail, with B the number of values below the quantile; rank `low` is then below
    // it.
    let low = below.largest_with_lower_tail(tail);
    // P(B >= high + 1) <= tail; rank `high` is then at or above it.
    let high = below
        .smallest_with_upper_tail(tail)
        .map(|at| at - 1)
        .filter(|at| *at < count);
    Ranks { value, low, high }
}

/// The probabilities of a binomial distribution around its mode, as far as a double can represent
/// them.
struct Binomial {
    /// The number that the first probability is for.
    from: usize,
    probabilities: Vec<f64>,
    trials: usize,
}

impl Binomial {
    /// Multiplies from the mode outwards and divides by the sum.
    fn new(trials: usize, share: f64) -> Binomial {
        const LEAST: f64 = 1e-20;
        let odds = share / (1.0 - share);
        let mode = (((trials + 1) as f64) * share) as usize;
        let mode = mode.min(trials);
        let mut left = Vec::new();
        let (mut at, mut weight) = (mode, 1.0);
        while at > 0 {
            weight *= at as f64 / ((trials - at + 1) as f64 * odds);
            if weight < LEAST {
                break;
            }
            left.push(weight);
            at -= 1;
        }
        let from = mode - left.len();
        let mut probabilities: Vec<f64> = left.into_iter().rev().chain([1.0]).collect();
        let (mut at, mut weight) = (mode, 1.0);
        while at < trials {
            weight *= (trials - at) as f64 * odds / (at + 1) as f64;
            if weight < LEAST {
                break;
            }
            probabilities.push(weight);
            at += 1;
        }
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|weight| *weight /= sum);
        Binomial {
            from,
            probabilities,
            trials,
        }
    }

    /// The largest number that at most `tail` of the distribution is at or below.
    fn largest_with_lower_tail(&self, tail: f64) -> Option<usize> {
        let mut sum = 0.0;
        let mut found = self.from.checked_sub(1);
        for (at, probability) in (self.from..).zip(&self.probabilities) {
            sum += probability;
            if sum > tail {
                break;
            }
            found = Some(at);
        }
        found
    }

    /// The smallest number that at most `tail` of the distribution is at or above.
    fn smallest_with_upper_tail(&self, tail: f64) -> Option<usize> {
        let mut sum = 0.0;
        let end = self.from + self.probabilities.len();
        let mut found = Some(end).filter(|end| *end <= self.trials);
        for (before, probability) in self.probabilities.iter().rev().enumerate() {
            sum += probability;
            if sum > tail {
                break;
            }
            found = Some(end - 1 - before);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(rate: Proportion) -> [String; 3] {
        [rate.share, rate.low, rate.high].map(|number| number.to_string())
    }

    #[test]
    fn the_interval_of_wilson_is_that_of_textbooks() {
        // Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263, 15 of 148, 0 of 20, 1 of
        // 29.
        let rounded = |count, runs| {
            let rate = Proportion::of(count, runs);
            [rate.low, rate.high].map(|end| (end.millionths() + 50) / 100)
        };
        assert_eq!(rounded(81, 263), [2553, 3662]);
        assert_eq!(rounded(15, 148), [624, 1605]);
        assert_eq!(rounded(0, 20), [0, 1611]);
        assert_eq!(rounded(1, 29), [61, 1718]);
        assert_eq!(written(Proportion::of(20, 20))[2], "1");
        assert_eq!(written(Proportion::of(0, 0)), ["0", "0", "1"]);
    }

    #[test]
    fn the_interval_of_a_quantile_is_that_of_binomial_tables() {
        // Conover, Practical Nonparametric Statistics: for the median of 20 values, the 6th and the
        // 15th.
        assert_eq!(
            ranks(20, 50),
            Ranks {
                value: 9,
                low: Some(5),
                high: Some(14)
            }
        );
        // Of 5 values none is sure to be on either side of the median.
        assert_eq!(
            ranks(5, 50),
            Ranks {
                value: 2,
                low: None,
                high: None
            }
        );
        assert_eq!(
            ranks(6, 50),
            Ranks {
                value: 2,
                low: Some(0),
                high: Some(5)
            }
        );
        // One value is very likely below the 99th percentile, and nothing is known to be above it.
        assert_eq!(
            ranks(1, 99),
            Ranks {
                value: 0,
                low: Some(0),
                high: None
            }
        );
        // For many values it comes close to the normal approximation: 95,000 - 1.96 * 68.9 and so
        // on.
        let many = ranks(100_000, 95);
        assert_eq!(many.value, 94_999);
        assert!(
            many.low.is_some_and(|at| at.abs_diff(94_864) <= 2),
            "{many:?}"
        );
        assert!(
            many.high.is_some_and(|at| at.abs_diff(95_135) <= 2),
            "{many:?}"
        );
    }

    #[test]
    fn the_interval_of_a_mean_follows_from_sums() {
        // 1, 2, 3, 4, 5: the mean is 3, the variance 2, and 1.96 * sqrt(2 / 5) is 1.24.
        let sums = |numbers: &[i128]| {
            let squares = numbers.iter().map(|number| number * number).sum();
            mean(numbers.len() as u64, numbers.iter().sum(), squares)
        };
        assert_eq!(
            sums(&[1_000, 2_000, 3_000, 4_000, 5_000]),
            (3_000, 1_760, 4_240)
        );
        assert_eq!(sums(&[]), (0, 0, 0));
    }
}
