//! Media: what an address plays, and where a playhead stands.
//!
//! The world scripts media as [`MediaInfo`]; whoever plays it keeps a [`Playhead`], which is one anchor
//! (a time and a position) and never a sum of ticks. How data arrive is `arrival`, units that run code are
//! `vpaid` and `simid`.
//!
//! Rules: MEL-6, MEL-7, MEL-17, MEL-19, MEL-20, MEL-22, MEL-25, LIVE-1 to LIVE-3, QUAL-5, CLK-5.

use std::sync::Arc;

use crate::time::{Position, Span, Time};

mod arrival;
mod simid;
mod vpaid;

pub use arrival::{Arrival, Supply};
pub use simid::{
    SIMID_ERRORS, SimidAnswer, SimidDetail, SimidError, SimidMessage, SimidReply, SimidScript, SimidSide,
    SimidStep,
};
pub use vpaid::{Vpaid, VpaidCall, VpaidDetail, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen};

/// What a media address plays, known once its metadata is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaInfo {
    /// The length; of a live stream the largest there is. Rule MEL-20.
    pub duration: Span,
    /// Where data runs out, and for how long; ascending by position. Rule MEL-17.
    pub stalls: Vec<Stall>,
    /// Where playing fails, and how. Rule MEL-7.
    pub fails: Option<Failure>,
    /// For a live stream: its window, and when it runs. Rules LIVE-1 to LIVE-3.
    pub live: Option<Live>,
    /// How its data arrive; `None`: all of it with the metadata. Rule MEL-25.
    pub delivery: Option<Delivery>,
    /// How long it takes to show it in place of another rendition. Rule QUAL-5.
    pub switch_after: Span,
    /// For a VPAID unit: what it does by itself. Rules BRK-2, MUTE-6, CLICK-4.
    pub vpaid: Option<Vpaid>,
    /// For a VPAID unit: what it says and when; `None`: its film plays, and it says what fits. Rule VPAID-1.
    pub vpaid_script: Option<Arc<VpaidScript>>,
    /// For the page of a SIMID unit: what it asks and answers. Rule SIMID-1.
    pub simid: Option<Arc<SimidScript>>,
}

/// A live stream. Times are those of the virtual clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Live {
    /// How far back one can seek from the live edge. Rule LIVE-3.
    pub window: Span,
    /// When it stops running; `None`: never. Rule LIVE-1.
    pub stops_at: Option<Time>,
    /// When it runs again; `None`: never. Rule LIVE-2.
    pub back_at: Option<Time>,
}

impl Live {
    /// Whether it runs at an instant.
    #[must_use]
    pub fn runs(self, now: Time) -> bool {
        self.stops_at.is_none_or(|stop| now < stop) || self.back_at.is_some_and(|back| back <= now)
    }

    /// The first instant behind `now` from which on it does not run; `None` if there is none.
    #[must_use]
    pub fn stops_after(self, now: Time) -> Option<Time> {
        self.stops_at.filter(|stop| *stop > now && !self.runs(*stop))
    }
}

/// How the data of a medium arrive: bytes by a script of the network, used up at the medium's own rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Bits that a second of the medium takes.
    pub bitrate: u64,
    /// From which time on how many bits a second arrive; ascending by time. Before the first: none.
    pub bandwidth: Vec<(Time, u64)>,
}

/// A place where data runs out, once for each load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stall {
    /// Where.
    pub at: Position,
    /// For how long.
    pub length: Span,
}

/// A place where playing fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// Where.
    pub at: Position,
    /// How.
    pub how: MediaFault,
}

/// Why media cannot be played. Rules MEL-6, MEL-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaFault {
    /// Nothing is at that address.
    NotFound,
    /// The network failed.
    Network,
    /// It cannot be decoded.
    Decode,
    /// Its form is not supported.
    Unsupported,
    /// It is a live stream that does not run. Rule LIVE-1.
    NotRunning,
}

impl MediaFault {
    /// The word in scenarios and traces.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            MediaFault::NotFound => "not-found",
            MediaFault::Network => "network",
            MediaFault::Decode => "decode",
            MediaFault::Unsupported => "unsupported",
            MediaFault::NotRunning => "not-running",
        }
    }
}

/// How fast media is played, in millionths of its own speed. Rule MEL-22.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

/// Where playing stands on a media timeline. Rule MEL-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Playhead {
    position: Position,
    /// Since when it advances from `position`; `None` while it stands.
    since: Option<Time>,
    rate: Rate,
}

impl Rate {
    /// A second in a second.
    pub const NORMAL: Rate = Rate(1_000_000);

    /// So many millionths of the media's own speed; 0 stands still.
    #[must_use]
    pub const fn from_millionths(millionths: u64) -> Rate {
        Rate(millionths)
    }

    /// In millionths of the media's own speed.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// How much media is played in a length of time; what is left of a microsecond does not count.
    #[inline]
    fn media(self, time: Span) -> Span {
        if self == Rate::NORMAL {
            return time;
        }
        let media = u128::from(time.micros()) * u128::from(self.0) / 1_000_000;
        Span::from_micros(u64::try_from(media).unwrap_or(u64::MAX))
    }

    /// How long that much media takes, to the next microsecond; `None` when it stands still.
    #[inline]
    fn time(self, media: Span) -> Option<Span> {
        if self == Rate::NORMAL {
            return Some(media);
        }
        let media = u128::from(media.micros()) * 1_000_000;
        (self.0 > 0)
            .then(|| Span::from_micros(u64::try_from(media.div_ceil(self.0.into())).unwrap_or(u64::MAX)))
    }
}

impl Default for Rate {
    fn default() -> Rate {
        Rate::NORMAL
    }
}

impl Playhead {
    /// A playhead that stands at a position.
    #[must_use]
    pub const fn standing(position: Position) -> Playhead {
        Playhead { position, since: None, rate: Rate::NORMAL }
    }

    /// Where it is at `now`.
    #[must_use]
    pub fn position(&self, now: Time) -> Position {
        match self.since {
            Some(since) => self.position + self.rate.media(now - since),
            None => self.position,
        }
    }

    /// When it will be at `position`, if it advances and the position lies ahead or here.
    #[must_use]
    pub fn reaches(&self, position: Position) -> Option<Time> {
        let since = self.since?;
        let media = (position >= self.position).then(|| position - self.position)?;
        self.rate.time(media).map(|time| since + time)
    }

    /// When it will be at `position` or was: since when it advances, if the position lay behind already.
    #[must_use]
    pub fn reaches_or_passed(&self, position: Position) -> Option<Time> {
        if position < self.position { self.since } else { self.reaches(position) }
    }

    /// How fast it advances.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whether it advances, be it at a rate of 0.
    #[must_use]
    pub fn advances(&self) -> bool {
        self.since.is_some()
    }

    /// Changes how fast it advances. Rule MEL-22.
    pub fn set_rate(&mut self, now: Time, rate: Rate) {
        self.position = self.position(now);
        self.since = self.since.map(|_| now);
        self.rate = rate;
    }

    /// Lets it advance from where it stands. No effect if it does already.
    pub fn advance(&mut self, now: Time) {
        if self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Lets it stand where it is.
    pub fn stand(&mut self, now: Time) {
        self.position = self.position(now);
        self.since = None;
    }

    /// Moves it; it stands or advances as before.
    pub fn jump(&mut self, now: Time, position: Position) {
        self.since = self.since.map(|_| now);
        self.position = position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_stream_stops_once_at_the_most() {
        let at = |seconds| Some(Time::from_secs(seconds));
        let live = Live { window: Span::ZERO, stops_at: at(10), back_at: at(20) };
        assert_eq!(live.stops_after(Time::from_secs(5)), at(10));
        assert_eq!(live.stops_after(Time::from_secs(20)), None);
        assert_eq!(Live { back_at: at(5), ..live }.stops_after(Time::ZERO), None);
        assert_eq!(Live::default().stops_after(Time::ZERO), None);
    }

    #[test]
    fn a_playhead_knows_when_it_will_be_where() {
        let mut head = Playhead::standing(Position::from_secs(2));
        assert_eq!(head.reaches(Position::from_secs(3)), None);
        head.advance(Time::from_secs(10));
        assert_eq!(head.position(Time::from_millis(10_500)), Position::from_millis(2_500));
        assert_eq!(head.reaches(Position::from_secs(3)), Some(Time::from_secs(11)));
        assert_eq!(head.reaches(Position::from_secs(1)), None);
        head.stand(Time::from_secs(12));
        assert_eq!(head.position(Time::from_secs(99)), Position::from_secs(4));
    }

    #[test]
    fn a_rate_is_exact_and_never_early() {
        let mut head = Playhead::standing(Position::ZERO);
        head.advance(Time::ZERO);
        head.set_rate(Time::from_secs(1), Rate::from_millionths(1_500_000));
        assert_eq!(head.position(Time::from_secs(3)), Position::from_secs(4));
        let position = Position::from_micros(1_000_001);
        assert_eq!(head.reaches(position), Some(Time::from_micros(1_000_001)));
        assert!(head.position(Time::from_micros(1_000_001)) >= position);
        head.set_rate(Time::from_secs(3), Rate::from_millionths(0));
        assert_eq!(head.position(Time::from_secs(9)), Position::from_secs(4));
        assert_eq!(head.reaches(Position::from_secs(5)), None);
        assert!(head.advances());
    }
}
