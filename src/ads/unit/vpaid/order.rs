//! Which messages of a VPAID unit are in order, and how far each brings it.
//!
//! Rules: VPAID-6, VPAID-16.

use super::{Film, Life, VpaidUnit, Wait, Waiting};
use crate::api::Cause;
use crate::media::{VpaidEvent, VpaidSaid};
use crate::time::{Position, Time};

const EARLY: &str = "it comes too early";
const TWICE: &str = "it has come before";
const LATE: &str = "the ad has ended; only its leaving counts";

const LOADED: u8 = 1;
const STARTED: u8 = 3;
const IMPRESSION: u8 = 4;

impl VpaidUnit {
    /// Whether a message is in order; `Err` says why it is not. Rules VPAID-6, VPAID-16.
    pub(in crate::ads::unit) fn judge(&self, event: VpaidEvent, is_paused: bool) -> Result<(), &'static str> {
        match event {
            VpaidEvent::AdLog | VpaidEvent::AdError => Ok(()),
            VpaidEvent::AdStopped => match self.life {
                Life::Handshake | Life::Initialising | Life::Loaded => Err(EARLY),
                Life::Starting | Life::Started | Life::Shown(_) | Life::Leaving => Ok(()),
            },
            VpaidEvent::AdLoaded => once(self.stands(), LOADED),
            VpaidEvent::AdStarted => once(self.stands(), STARTED),
            VpaidEvent::AdImpression => once(self.stands(), IMPRESSION),
            VpaidEvent::AdSkippableStateChange
            | VpaidEvent::AdSizeChange
            | VpaidEvent::AdLinearChange
            | VpaidEvent::AdDurationChange
            | VpaidEvent::AdRemainingTimeChange
            | VpaidEvent::AdVolumeChange => self.after(LOADED),
            VpaidEvent::AdVideoStart => match self.shown()? {
                Film::Ahead => Ok(()),
                Film::Runs(_) => Err(TWICE),
            },
            VpaidEvent::AdVideoFirstQuartile => self.quartile(0),
            VpaidEvent::AdVideoMidpoint => self.quartile(1),
            VpaidEvent::AdVideoThirdQuartile => self.quartile(2),
            VpaidEvent::AdVideoComplete => match self.shown()? {
                Film::Ahead => Err("its film has not begun"),
                Film::Runs(_) => Ok(()),
            },
            VpaidEvent::AdPaused if is_paused && !self.asked.pause => Err("it stands already"),
            VpaidEvent::AdPlaying if !is_paused && !self.asked.resume => Err("it does not stand"),
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

    /// How far it is, as a number to compare.
    fn stands(&self) -> u8 {
        match self.life {
            Life::Handshake => 0,
            Life::Initialising => LOADED,
            Life::Loaded => LOADED + 1,
            Life::Starting => STARTED,
            Life::Started => IMPRESSION,
            Life::Shown(_) => IMPRESSION + 1,
            Life::Leaving => IMPRESSION + 2,
        }
    }

    fn after(&self, due: u8) -> Result<(), &'static str> {
        match self.life {
            Life::Leaving => Err(LATE),
            Life::Handshake
            | Life::Initialising
            | Life::Loaded
            | Life::Starting
            | Life::Started
            | Life::Shown(_) => {
                if self.stands() > due {
                    Ok(())
                } else {
                    Err(EARLY)
                }
            }
        }
    }

    fn shown(&self) -> Result<Film, &'static str> {
        match self.life {
            Life::Shown(film) => Ok(film),
            Life::Leaving => Err(LATE),
            Life::Handshake | Life::Initialising | Life::Loaded | Life::Starting | Life::Started => {
                Err(EARLY)
            }
        }
    }

    fn quartile(&self, number: usize) -> Result<(), &'static str> {
        match self.shown()? {
            Film::Ahead => Err("its film has not begun"),
            Film::Runs(behind) if number < behind => Err("its turn has passed"),
            Film::Runs(_) => Ok(()),
        }
    }

    /// Goes as far as a message that is in order brings it; `position` is where it stands.
    pub(in crate::ads::unit) fn follow(
        &mut self,
        now: Time,
        said: &VpaidSaid,
        position: Position,
        cause: Cause,
    ) {
        match said.event {
            VpaidEvent::AdLoaded => {
                self.life = Life::Loaded;
                self.wait = None;
            }
            VpaidEvent::AdStarted => {
                self.life = Life::Started;
                // The limit is that of `startAd`: what is waited for is another thing.
                let until = self.wait.map_or(now + self.limits.start, |wait| wait.until);
                self.wait = Some(Wait { until, waiting: Waiting::Impression, cause });
            }
            VpaidEvent::AdImpression => {
                self.life = Life::Shown(Film::Ahead);
                self.wait = None;
            }
            VpaidEvent::AdVideoStart => self.life = Life::Shown(Film::Runs(0)),
            VpaidEvent::AdVideoFirstQuartile => self.life = Life::Shown(Film::Runs(1)),
            VpaidEvent::AdVideoMidpoint => self.life = Life::Shown(Film::Runs(2)),
            VpaidEvent::AdVideoThirdQuartile => self.life = Life::Shown(Film::Runs(3)),
            VpaidEvent::AdDurationChange => {
                self.duration = said.detail.length().unwrap_or(self.duration);
            }
            VpaidEvent::AdRemainingTimeChange => {
                let end = said.detail.length().map(|left| (position + left) - Position::ZERO);
                self.duration = end.unwrap_or(self.duration);
            }
            VpaidEvent::AdSkippableStateChange => {
                self.is_skippable = said.detail.state().unwrap_or(self.is_skippable);
            }
            VpaidEvent::AdPaused => self.asked.pause = false,
            VpaidEvent::AdPlaying => self.asked.resume = false,
            VpaidEvent::AdStopped
            | VpaidEvent::AdSkipped
            | VpaidEvent::AdSizeChange
            | VpaidEvent::AdLinearChange
            | VpaidEvent::AdExpandedChange
            | VpaidEvent::AdVolumeChange
            | VpaidEvent::AdVideoComplete
            | VpaidEvent::AdClickThru
            | VpaidEvent::AdInteraction
            | VpaidEvent::AdUserAcceptInvitation
            | VpaidEvent::AdUserMinimize
            | VpaidEvent::AdUserClose
            | VpaidEvent::AdLog
            | VpaidEvent::AdError => {}
        }
    }
}

fn once(stands: u8, due: u8) -> Result<(), &'static str> {
    match stands.cmp(&due) {
        std::cmp::Ordering::Less => Err(EARLY),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(TWICE),
    }
}
