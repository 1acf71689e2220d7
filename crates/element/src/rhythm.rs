//! The intervals of recurring events: even or random.
//!
//! Each rhythm has its own stream of random numbers, so that another player or another use of
//! random numbers does not change it.
//!
//! Rules: CLK-8, MEL-4, MEL-15.

use playsim_base::chance::{Chance, stream};
use playsim_base::time::Span;
use playsim_rules::knobs::{Jitter, KnobReader};

/// The normal interval between two `progress` events. Rule MEL-4.
pub(super) const PROGRESS_INTERVAL: Span = Span::from_millis(350);
/// The shortest interval between two periodic time updates. Rule MEL-15.
const CLOSEST_UPDATES: Span = Span::from_millis(15);

/// The intervals of one kind of event.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Rhythm {
    shortest: Span,
    longest: Span,
    /// The random numbers; `None` if the interval is fixed.
    chance: Option<Box<Chance>>,
}

impl Default for Rhythm {
    /// That of `progress` without jitter. Rule MEL-4.
    fn default() -> Rhythm {
        Rhythm::even(PROGRESS_INTERVAL)
    }
}

impl Rhythm {
    /// Even ones.
    pub(super) fn even(interval: Span) -> Rhythm {
        Rhythm {
            shortest: interval,
            longest: interval,
            chance: None,
        }
    }

    /// Those of periodic time updates: up to a quarter of the period early, if the knob says so.
    /// Rule MEL-15.
    pub(crate) fn of_updates(player: &str, seed: u64, knobs: &KnobReader) -> Rhythm {
        let period = knobs.timeupdate_period();
        let shortest = match knobs.timeupdate_jitter() {
            Jitter::None => period,
            Jitter::Seeded => (period - period.share(1, 4)).max(CLOSEST_UPDATES),
        };
        Rhythm::between(shortest, period, "timeupdate.jitter", player, seed)
    }

    /// Those of `progress`: earlier or later by no more than the knob's value. Rule MEL-4.
    pub(crate) fn of_progress(player: &str, seed: u64, knobs: &KnobReader) -> Rhythm {
        let jitter = knobs.progress_jitter();
        let (shortest, longest) = (PROGRESS_INTERVAL - jitter, PROGRESS_INTERVAL + jitter);
        Rhythm::between(shortest, longest, "progress.jitter", player, seed)
    }

    fn between(shortest: Span, longest: Span, what: &str, player: &str, seed: u64) -> Rhythm {
        let is_random = shortest < longest;
        let chance = is_random.then(|| Box::new(Chance::of_stream(stream(what, player, seed))));
        Rhythm {
            shortest,
            longest,
            chance,
        }
    }

    /// Whether all intervals are equal.
    #[inline]
    pub(super) fn is_even(&self) -> bool {
        self.chance.is_none()
    }

    /// The longest interval, which is the normal one.
    #[inline]
    pub(super) fn longest(&self) -> Span {
        self.longest
    }

    /// The next interval.
    pub(super) fn next(&mut self) -> Span {
        let Some(chance) = &mut self.chance else {
            return self.longest;
        };
        // Any whole microsecond from the shortest to the longest, as evenly distributed as 64 bits
        // permit.
        let choices = u128::from((self.longest - self.shortest).micros()) + 1;
        let chosen = (u128::from(chance.next_u64()) * choices) >> 64;
        self.shortest + Span::from_micros(u64::try_from(chosen).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_rules::knobs::Knobs;

    fn jittered() -> Knobs {
        Knobs {
            timeupdate_jitter: Jitter::Seeded,
            progress_jitter: Span::from_millis(200),
            ..Knobs::default()
        }
    }

    #[test]
    fn intervals_are_even_by_default() {
        let mut rhythm = Rhythm::of_updates("player", 7, &KnobReader::default());
        assert!(rhythm.is_even());
        assert_eq!(rhythm.next(), Span::from_millis(250));
        assert_eq!(
            Rhythm::of_progress("player", 7, &KnobReader::default()).next(),
            Span::from_millis(350)
        );
    }

    #[test]
    fn random_intervals_stay_between_the_shortest_and_the_longest() {
        let mut rhythm = Rhythm::of_updates("player", 7, &jittered().into());
        let waits: Vec<Span> = (0..1_000).map(|_| rhythm.next()).collect();
        assert!(
            waits
                .iter()
                .all(|wait| (Span::from_micros(187_500)..=Span::from_millis(250)).contains(wait))
        );
        let mut rhythm = Rhythm::of_progress("player", 7, &jittered().into());
        let waits: Vec<Span> = (0..1_000).map(|_| rhythm.next()).collect();
        assert!(
            waits
                .iter()
                .all(|wait| (Span::from_millis(150)..=Span::from_millis(550)).contains(wait))
        );
        let closest = Knobs {
            timeupdate_period: Span::from_millis(15),
            ..jittered()
        };
        assert!(Rhythm::of_updates("player", 7, &closest.into()).is_even());
    }

    #[test]
    fn a_seed_gives_the_same_numbers_everywhere() {
        let mut rhythm = Rhythm::of_updates("player", 0, &jittered().into());
        let waits: Vec<u64> = (0..4).map(|_| rhythm.next().micros()).collect();
        assert_eq!(waits, [239_051, 196_603, 217_829, 222_127]);
        assert_ne!(
            Rhythm::of_updates("side", 0, &jittered().into())
                .next()
                .micros(),
            waits[0]
        );
    }
}
