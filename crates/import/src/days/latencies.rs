//! How long answers took, those that never came included: they took at least as long as the page
//! waited.

use serde::Serialize;

use playsim_base::interval::ranks;

/// Latencies in microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Latencies {
    /// Of answers that came.
    came: Vec<u32>,
    /// How long the page waited at least for answers that did not come.
    given_up: Vec<u32>,
}

/// A quantile of latencies with its interval of 95 percent confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LatencyQuantile {
    /// The quantile in microseconds.
    pub us: u32,
    /// Whether it is at least that much: the page gave up so often that it is not known.
    pub is_at_least: bool,
    /// The lower end of its interval; `None` if there are too few values.
    pub low_us: Option<u32>,
    /// The upper end; `None` if there are too few values, or the page gave up before it.
    pub high_us: Option<u32>,
}

impl Latencies {
    /// Adds one of an answer that came.
    pub(super) fn came(&mut self, micros: u64) {
        self.came.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    /// Adds one of an answer that did not come in this time.
    pub(super) fn given_up(&mut self, micros: u64) {
        self.given_up
            .push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    pub(super) fn merge(&mut self, other: Latencies) {
        self.came.extend(other.came);
        self.given_up.extend(other.given_up);
    }

    /// Puts them in order, whatever the order in which they were added.
    pub(super) fn sort(&mut self) {
        self.came.sort_unstable();
        self.given_up.sort_unstable();
    }

    /// Returns a quantile; `None` if there are no values. They must be sorted.
    pub(super) fn quantile(&self, percent: u32) -> Option<LatencyQuantile> {
        let all = self.least();
        if all.is_empty() {
            return None;
        }
        let ranks = ranks(all.len(), percent);
        // A request that was given up may have taken any time: the quantile lies between two
        // values, one with the shortest time that it can have taken, the other with none at all.
        let us = all[ranks.value];
        Some(LatencyQuantile {
            us,
            is_at_least: self.came.get(ranks.value) != Some(&us),
            low_us: ranks.low.map(|at| all[at]),
            high_us: ranks.high.and_then(|at| self.came.get(at).copied()),
        })
    }

    /// Returns all of them in order, those that were given up with the shortest time that they can
    /// have taken.
    fn least(&self) -> Vec<u32> {
        let mut all = [&*self.came, &*self.given_up].concat();
        all.sort_unstable();
        all
    }

    /// Returns for each of two sets how many are above their common median, and of how many that is
    /// known.
    pub(super) fn above_common_median(&self, other: &Latencies) -> Option<[(u64, u64); 2]> {
        let mut all = [self.least(), other.least()].concat();
        all.sort_unstable();
        let median = *all.get(all.len().checked_sub(1)? / 2)?;
        let count = |it: &Latencies| {
            let above = |list: &[u32]| list.iter().filter(|one| **one > median).count() as u64;
            // A request that was given up at the median or before may lie on either side.
            let late = it.given_up.iter().filter(|one| **one >= median).count() as u64;
            (above(&it.came) + late, it.came.len() as u64 + late)
        };
        Some([count(self), count(other)])
    }

    /// Returns the values that came, in order.
    #[cfg(test)]
    pub(super) fn of(came: &[u32], given_up: &[u32]) -> Latencies {
        let mut it = Latencies {
            came: came.to_vec(),
            given_up: given_up.to_vec(),
        };
        it.sort();
        it
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_of_what_was_given_up_is_a_bound() {
        let median = |came: &[u32], given_up: &[u32]| {
            let it = Latencies::of(came, given_up)
                .quantile(50)
                .expect("there are values");
            (it.us, it.is_at_least)
        };
        assert_eq!(median(&[1, 2, 3], &[]), (2, false));
        // One of four was given up late: the second is known.
        assert_eq!(median(&[1, 2, 3], &[9]), (2, false));
        // Most were given up.
        assert_eq!(median(&[1], &[9, 9]), (9, true));
        // A request that was given up soon may have taken long: the median is 2 or more.
        assert_eq!(median(&[3, 4, 5], &[2, 2]), (3, true));
        assert_eq!(Latencies::default().quantile(50), None);
    }

    #[test]
    fn the_common_median_leaves_out_what_was_given_up_before_it() {
        let (one, other) = (
            Latencies::of(&[1, 2, 3], &[]),
            Latencies::of(&[7, 8], &[1, 9]),
        );
        // All: 1 1 2 3 7 8 9; the median is 3.
        assert_eq!(one.above_common_median(&other), Some([(0, 3), (3, 3)]));
        assert_eq!(
            Latencies::default().above_common_median(&Latencies::default()),
            None
        );
    }
}
