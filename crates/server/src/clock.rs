//! The server's clock: it moves only when it is set, unless it follows the real time.
//!
//! It starts at the epoch, counts microseconds since then, and never goes back.

use std::time::Duration;

use jiff::Timestamp;

use playsim_base::named::named;
use playsim_base::time::{Span, Time};

#[expect(
    clippy::disallowed_types,
    reason = "on request the server follows the real clock"
)]
use std::time::{Instant, SystemTime};

named! {
    /// Whether a clock is stopped or runs.
    #[derive(Default)]
    Pace {
        #[default]
        Still "still" "It is stopped.",
        Real "real" "It follows the real time.",
    }
}

/// The clock of a server.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    /// The date at time 0, in microseconds since 1970.
    epoch_micros: i64,
    /// The time when it was last set.
    at: Time,
    /// The real time when it was last set; `None` if it is stopped.
    #[expect(
        clippy::disallowed_types,
        reason = "on request the server follows the real clock"
    )]
    since: Option<Instant>,
}

/// The error of setting the clock back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockSetBack {
    /// The current time of the clock.
    pub(super) now: Timestamp,
}

impl Clock {
    /// Returns a clock that starts at the epoch, or one that follows the real time.
    pub(super) fn new(epoch_micros: i64, pace: Pace) -> Clock {
        let mut clock = Clock {
            epoch_micros,
            at: Time::ZERO,
            since: None,
        };
        // If the real time is before the epoch, the clock runs from the epoch.
        clock.follow(pace).unwrap_or_else(|_| clock.run());
        clock
    }

    /// Returns the current time.
    pub(super) fn now(&self) -> Time {
        match self.since {
            Some(since) => self.at + span(since.elapsed()),
            None => self.at,
        }
    }

    /// Returns whether the clock runs.
    pub(super) fn pace(&self) -> Pace {
        if self.since.is_some() {
            Pace::Real
        } else {
            Pace::Still
        }
    }

    /// Converts a time of the clock to a date.
    pub(super) fn calendar(&self, at: Time) -> Timestamp {
        let micros = self.epoch_micros.saturating_add_unsigned(at.micros());
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX)
    }

    /// Moves the clock forward.
    pub(super) fn advance(&mut self, by: Span) {
        self.set(self.now() + by);
    }

    /// Moves the clock to a date.
    pub(super) fn move_to(&mut self, to: Timestamp) -> Result<(), ClockSetBack> {
        let now = self.now();
        let since_epoch = to.as_microsecond().saturating_sub(self.epoch_micros);
        match u64::try_from(since_epoch).map(Time::from_micros) {
            Ok(to) if to >= now => {
                self.set(to);
                Ok(())
            }
            Ok(_) | Err(_) => Err(ClockSetBack {
                now: self.calendar(now),
            }),
        }
    }

    /// Makes the clock follow the real time from now on, or stops it.
    pub(super) fn follow(&mut self, pace: Pace) -> Result<(), ClockSetBack> {
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

    #[expect(
        clippy::disallowed_types,
        reason = "on request the server follows the real clock"
    )]
    fn run(&mut self) {
        self.since = Some(Instant::now());
    }
}

/// Returns the real time.
#[expect(
    clippy::disallowed_types,
    reason = "on request the server follows the real clock"
)]
fn real() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX)
}

fn span(duration: Duration) -> Span {
    Span::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}
