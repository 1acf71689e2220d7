//! Where random choices come from: a seed, or bytes of a fuzzer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

/// A source of random choices: the same seed or the same bytes give the same ones on every machine.
///
/// Bytes can run out. From then on every choice is the first or the smallest one, so that whatever
/// is being drawn ends soon.
#[derive(Debug, Clone)]
pub struct Source {
    seed: u64,
    choices: Choices,
}

#[derive(Debug, Clone)]
enum Choices {
    Seeded(Xoshiro256PlusPlus),
    Bytes { bytes: Vec<u8>, at: usize },
    Asked(Ask),
}

/// Whoever is asked for choices.
#[derive(Clone)]
struct Ask(Arc<Mutex<dyn FnMut(u64) -> u64 + Send>>);

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ask")
    }
}

impl Source {
    /// Returns the source of a seed, which never runs out.
    #[must_use]
    pub fn from_seed(seed: u64) -> Source {
        Source {
            seed,
            choices: Choices::Seeded(Xoshiro256PlusPlus::seed_from_u64(seed)),
        }
    }

    /// Returns a source that takes each choice from the next one to eight bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Source {
        Source {
            seed: xxh3_64(bytes),
            choices: Choices::Bytes {
                bytes: bytes.to_vec(),
                at: 0,
            },
        }
    }

    /// Returns a source that asks for each choice: a number below the bound that it passes, at
    /// least 2. 0 is the smallest choice, so that a library that shrinks numbers shrinks scenarios.
    #[must_use]
    pub fn asking(ask: impl FnMut(u64) -> u64 + Send + 'static) -> Source {
        Source {
            seed: 0,
            choices: Choices::Asked(Ask(Arc::new(Mutex::new(ask)))),
        }
    }

    /// The seed, or a fingerprint of the bytes; 0 of a source that asks.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether all bytes are used up.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        matches!(&self.choices, Choices::Bytes { bytes, at } if *at >= bytes.len())
    }

    /// A number from 0 up to, but not including, `bound`; 0 if that is 0. The slight bias for huge
    /// bounds does not matter.
    pub fn below(&mut self, bound: u64) -> u64 {
        match &mut self.choices {
            Choices::Seeded(random) => {
                ((u128::from(random.next_u64()) * u128::from(bound)) >> u64::BITS) as u64
            }
            Choices::Bytes { bytes, at } => {
                let width =
                    (u64::BITS - bound.saturating_sub(1).leading_zeros()).div_ceil(8) as usize;
                let taken = bytes.get(*at..*at + width);
                *at = (*at + width).min(bytes.len());
                let number = taken
                    .unwrap_or_default()
                    .iter()
                    .fold(0, |number, byte| number << 8 | u64::from(*byte));
                number.checked_rem(bound).unwrap_or(0)
            }
            Choices::Asked(_) if bound < 2 => 0,
            Choices::Asked(Ask(ask)) => {
                let mut ask = ask.lock().unwrap_or_else(PoisonError::into_inner);
                ask(bound).min(bound - 1)
            }
        }
    }

    /// A number below `bound` as an index or a count.
    pub fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// A count from `least` to `most`; `least` if `most` is not greater.
    pub fn count(&mut self, least: usize, most: usize) -> usize {
        least + self.index(most.saturating_sub(least).saturating_add(1))
    }

    /// True in `times` of `of` cases.
    pub fn chance(&mut self, times: u64, of: u64) -> bool {
        if let Choices::Asked(_) = self.choices {
            // The smallest choice is that nothing happens.
            return of > 0 && of - 1 - self.below(of) < times;
        }
        !self.is_exhausted() && self.below(of) < times
    }

    /// One of several.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// From `least` to `most` of them.
    pub fn some<T>(
        &mut self,
        least: usize,
        most: usize,
        mut one: impl FnMut(&mut Source) -> T,
    ) -> Vec<T> {
        (0..self.count(least, most)).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_their_choices_and_then_the_first() {
        let source = &mut Source::from_bytes(&[7, 1, 2, 9]);
        assert_eq!(
            (source.below(4), source.below(1_000), source.is_exhausted()),
            (3, 258, false)
        );
        assert_eq!((source.below(1_000), source.is_exhausted()), (0, true));
        assert!(!source.chance(1, 1) && *source.pick(&["first", "second"]) == "first");
        assert_eq!((source.count(2, 9), source.below(u64::MAX)), (2, 0));
    }

    #[test]
    fn whoever_is_asked_chooses_and_zero_is_the_smallest_choice() {
        let mut asked = [1, 7, 0, 3].into_iter();
        let source = &mut Source::asking(move |_| asked.next().unwrap_or(0));
        assert_eq!(
            (source.below(4), source.below(4), source.below(1)),
            (1, 3, 0)
        );
        assert!(
            !source.chance(3, 4)
                && source.chance(1, 4)
                && !source.chance(3, 4)
                && source.chance(4, 4)
        );
    }

    #[test]
    fn a_seed_gives_the_same_choices_each_time() {
        let drawn = |seed| Source::from_seed(seed).some(8, 8, |source| source.below(1_000));
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), drawn(4));
        assert_eq!(Source::from_seed(3).seed(), 3);
    }
}
