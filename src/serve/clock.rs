//! The server's clock: it stands still unless it is moved, or told to follow the real one.
//!
//! It starts at the epoch, reads microseconds since then, and never goes back.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use crate::time::{Span, Time};

#[expect(clippy::disallowed_types, reason = "told to, the server follows the real clock")]
use std::time::{Instant, SystemTime};

/// Whether a clock moves by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// It stands still.
    #[default]
    Still,
    /// It shows the real time.
    Real,
}

impl Pace {
    /// All, as they are named.
    pub const ALL: &[(&str, Pace)] = &[("still", Pace::Still), ("real", Pace::Real)];

    /// The one of this name.
    #[must_use]
    pub fn read(word: &str) -> Option<Pace> {
        Pace::ALL.iter().find(|(name, _)| *name == word).map(|(_, pace)| *pace)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Pace::ALL.iter().find(|(_, pace)| pace == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

/// A clock.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    /// The calendar's instant at time 0, in microseconds since 1970.
    epoch_micros: i64,
    /// What it showed when it was last set.
    at: Time,
    /// Since when it moves.
    #[expect(clippy::disallowed_types, reason = "told to, the server follows the real clock")]
    since: Option<Instant>,
}

/// The clock was to go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Back {
    /// What it shows.
    pub(super) now: Timestamp,
}

impl Clock {
    /// A clock that starts at the epoch, or, if it is to be the real time, there.
    pub(super) fn new(epoch_micros: i64, pace: Pace) -> Clock {
        let mut clock = Clock { epoch_micros, at: Time::ZERO, since: None };
        // The real time can be before the epoch; then it starts there and moves.
        clock.follow(pace).unwrap_or_else(|_| clock.run());
        clock
    }

    /// What it shows.
    pub(super) fn now(&self) -> Time {
        match self.since {
            Some(since) => self.at + span(since.elapsed()),
            None => self.at,
        }
    }

    /// Whether it moves.
    pub(super) fn pace(&self) -> Pace {
        if self.since.is_some() { Pace::Real } else { Pace::Still }
    }

    /// A time of it in the calendar.
    pub(super) fn calendar(&self, at: Time) -> Timestamp {
        let micros = self.epoch_micros.saturating_add_unsigned(at.micros());
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX)
    }

    /// Moves it forward.
    pub(super) fn advance(&mut self, by: Span) {
        self.set(self.now() + by);
    }

    /// Moves it to an instant of the calendar.
    pub(super) fn move_to(&mut self, to: Timestamp) -> Result<(), Back> {
        let now = self.now();
        let since_epoch = to.as_microsecond().saturating_sub(self.epoch_micros);
        match u64::try_from(since_epoch).map(Time::from_micros) {
            Ok(to) if to >= now => {
                self.set(to);
                Ok(())
            }
            Ok(_) | Err(_) => Err(Back { now: self.calendar(now) }),
        }
    }

    /// Lets it follow the real clock from now on, or stand still.
    pub(super) fn follow(&mut self, pace: Pace) -> Result<(), Back> {
        match pace {
            Pace::Still => {
                self.at = self.now();
                self.since = None;
            }
            Pace::Real => {
                self.move_to(real())?;
                self.run();
            }
        }
        Ok(())
    }

    fn set(&mut self, to: Time) {
        self.at = to;
        if self.since.is_some() {
            self.run();
        }
    }

    #[expect(clippy::disallowed_types, reason = "told to, the server follows the real clock")]
    fn run(&mut self) {
        self.since = Some(Instant::now());
    }
}

/// The real time.
#[expect(clippy::disallowed_types, reason = "told to, the server follows the real clock")]
fn real() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX)
}

fn span(duration: Duration) -> Span {
    Span::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}
