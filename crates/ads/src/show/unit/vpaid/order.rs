//! The order of the messages of a VPAID unit: which are allowed at a stage, and the stage after
//! each.
//!
//! Rules: VPAID-6, VPAID-16.

use std::cmp::Ordering;

use super::{Film, Life, VpaidUnit, Wait, Waiting};
use playsim_api::Cause;
use playsim_api::media::{VpaidEvent, VpaidSaid};
use playsim_base::time::{Position, Time};

const EARLY: &str = "it comes too early";
const TWICE: &str = "it has already been sent";
const LATE: &str = "the ad has ended; only AdStopped is expected";

impl VpaidUnit {
    /// Checks whether a message is allowed now; the error is the reason why not. Rules VPAID-6,
    /// VPAID-16.
    pub(crate) fn judge(&self, event: VpaidEvent, is_paused: bool) -> Result<(), &'static str> {
        match event {
            VpaidEvent::AdLog | VpaidEvent::AdError => Ok(()),
            VpaidEvent::AdStopped => match self.life {
                Life::Handshake | Life::Initialising | Life::Loaded => Err(EARLY),
                Life::Starting | Life::Started | Life::Shown(_) | Life::Leaving => Ok(()),
            },
            VpaidEvent::AdLoaded => once(self.life, Life::Initialising),
            VpaidEvent::AdStarted => once(self.life, Life::Starting),
            VpaidEvent::AdImpression => once(self.life, Life::Started),
            VpaidEvent::AdSkippableStateChange
            | VpaidEvent::AdSizeChange
            | VpaidEvent::AdLinearChange
            | VpaidEvent::AdDurationChange
            | VpaidEvent::AdRemainingTimeChange
            | VpaidEvent::AdVolumeChange => self.after(Life::Initialising),
            VpaidEvent::AdVideoStart => match self.shown()? {
                Film::Ahead => Ok(()),
                Film::Runs(_) => Err(TWICE),
            },
            VpaidEvent::AdVideoFirstQuartile => self.quartile(0),
            VpaidEvent::AdVideoMidpoint => self.quartile(1),
            VpaidEvent::AdVideoThirdQuartile => self.quartile(2),
            VpaidEvent::AdVideoComplete => match self.shown()? {
                Film::Ahead => Err("its video has not started"),
                Film::Runs(_) => Ok(()),
            },
            VpaidEvent::AdPaused if is_paused && !self.asked.pause => Err("it is already paused"),
            VpaidEvent::AdPlaying if !is_paused && !self.asked.resume => Err("it is not paused"),
            VpaidEvent::AdSkipped
            | VpaidEvent::AdExpandedChange
            | VpaidEvent::AdClickThru
            | VpaidEvent::AdInteraction
            | VpaidEvent::AdUserAcceptInvitation
            | VpaidEvent::AdUserMinimize
            | VpaidEvent::AdUserClose
            | VpaidEvent::AdPaused
            | VpaidEvent::AdPlaying => self.shown().map(drop),
        }
    }

    /// Checks a message that is allowed after `stage`.
    fn after(&self, stage: Life) -> Result<(), &'static str> {
        if self.life == Life::Leaving {
            Err(LATE)
        } else if self.life > stage {
            Ok(())
        } else {
            Err(EARLY)
        }
    }

    fn shown(&self) -> Result<Film, &'static str> {
        let Life::Shown(film) = self.life else {
            return Err(if self.life == Life::Leaving {
                LATE
            } else {
                EARLY
            });
        };
        Ok(film)
    }

    fn quartile(&self, number: usize) -> Result<(), &'static str> {
        match self.shown()? {
            Film::Ahead => Err("its video has not started"),
            Film::Runs(passed) if number < passed => {
                Err("this or a later quartile has already been sent")
            }
            Film::Runs(_) => Ok(()),
        }
    }

    /// Advances the unit by a message that is allowed; `position` is that of the ad.
    pub(crate) fn follow(&mut self, now: Time, said: &VpaidSaid, position: Position, cause: Cause) {
        match said {
            VpaidSaid::AdLoaded => {
                self.life = Life::Loaded;
                self.wait = None;
            }
            VpaidSaid::AdStarted => {
                self.life = Life::Started;
                // The time limit of `startAd` still applies; only the awaited message changes.
                let until = self.wait.map_or(now + self.limits.start, |wait| wait.until);
                self.wait = Some(Wait {
                    until,
                    waiting: Waiting::Impression,
                    cause,
                });
            }
            VpaidSaid::AdImpression => {
                self.life = Life::Shown(Film::Ahead);
                self.wait = None;
            }
            VpaidSaid::AdVideoStart => self.life = Life::Shown(Film::Runs(0)),
            VpaidSaid::AdVideoFirstQuartile => self.life = Life::Shown(Film::Runs(1)),
            VpaidSaid::AdVideoMidpoint => self.life = Life::Shown(Film::Runs(2)),
            VpaidSaid::AdVideoThirdQuartile => self.life = Life::Shown(Film::Runs(3)),
            VpaidSaid::AdDurationChange { duration } => self.duration = *duration,
            VpaidSaid::AdRemainingTimeChange { remaining } => {
                self.duration = (position + *remaining) - Position::ZERO;
            }
            VpaidSaid::AdSkippableStateChange { skippable } => self.is_skippable = *skippable,
            VpaidSaid::AdPaused { .. } => self.asked.pause = false,
            VpaidSaid::AdPlaying => self.asked.resume = false,
            VpaidSaid::AdStopped
            | VpaidSaid::AdSkipped
            | VpaidSaid::AdSizeChange
            | VpaidSaid::AdLinearChange { .. }
            | VpaidSaid::AdExpandedChange { .. }
            | VpaidSaid::AdVolumeChange { .. }
            | VpaidSaid::AdVideoComplete
            | VpaidSaid::AdClickThru { .. }
            | VpaidSaid::AdInteraction { .. }
            | VpaidSaid::AdUserAcceptInvitation
            | VpaidSaid::AdUserMinimize
            | VpaidSaid::AdUserClose
            | VpaidSaid::AdLog { .. }
            | VpaidSaid::AdError { .. } => {}
        }
    }
}

/// Checks a message that is sent exactly once, in `stage`.
fn once(life: Life, stage: Life) -> Result<(), &'static str> {
    match life.cmp(&stage) {
        Ordering::Less => Err(EARLY),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(TWICE),
    }
}
