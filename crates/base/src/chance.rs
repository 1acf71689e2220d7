//! Random numbers: each use has a stream of its own for each thing with a name, such as a player.
//! Another use or another name does not shift it.
//!
//! Rule: CLK-8.

use std::hash::{Hash, Hasher};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// One stream of random numbers.
#[derive(Debug, Clone)]
pub struct Chance(Xoshiro256PlusPlus);

/// Returns the seed of the stream for this use by what has this name.
#[must_use]
pub fn stream(used_for: &str, name: &str, seed: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(format!("{used_for}/{name}").as_bytes(), seed)
}

impl Chance {
    /// Returns the beginning of the stream with this seed.
    #[must_use]
    pub fn of_stream(stream: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(stream))
    }

    /// Draws 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Draws 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// The state of a stream is what it draws next.
impl Hash for Chance {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut ahead = self.clone();
        [ahead.next_u64(), ahead.next_u64()].hash(hasher);
    }
}
