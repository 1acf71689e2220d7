//! Random choices: the same seed gives the same ones.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// A source of random choices.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 up to, but not including, `bound`. The slight bias for huge bounds does not matter.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number below `bound` as an index or a count.
    pub(crate) fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// A count from `least` to `most`.
    pub(crate) fn count(&mut self, least: usize, most: usize) -> usize {
        least + self.index(most - least + 1)
    }

    /// True in `times` of `of` cases.
    pub(crate) fn chance(&mut self, times: u64, of: u64) -> bool {
        self.below(of) < times
    }

    /// One of several.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// From `least` to `most` of them.
    pub(crate) fn some<T>(
        &mut self,
        least: usize,
        most: usize,
        mut one: impl FnMut(&mut Dice) -> T,
    ) -> Vec<T> {
        (0..self.count(least, most)).map(|_| one(self)).collect()
    }
}
