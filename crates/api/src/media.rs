//! Media: the film at a URL, and the playhead on it.
//!
//! A scenario scripts media as [`MediaInfo`]; a player of media keeps a [`Playhead`], which is one
//! anchor (a time and a position) and never a sum of ticks. `arrival` is how data arrive, `vpaid`
//! and `simid` are units that run code.
//!
//! Rules: MEL-6, MEL-7, MEL-17, MEL-19, MEL-20, MEL-22, MEL-25, LIVE-1 to LIVE-3, QUAL-5, CLK-5.

use std::sync::Arc;

use playsim_base::number::Decimal;
use playsim_base::time::{Position, Span, Time};
use playsim_rules::{self as rules, RuleId};

mod arrival;
mod attributes;
mod said;
mod simid;
mod vpaid;

pub use arrival::MOST_BITS_PER_SECOND;
pub use arrival::{Arrival, Supply};
pub use attributes::{ElementConfig, Preload};
pub use simid::{
    SimidAnswer, SimidError, SimidMessage, SimidReply, SimidSaid, SimidScript, SimidSide, SimidStep,
};
pub use vpaid::{Vpaid, VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen};

/// The film at a media URL, known once its metadata have arrived.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct MediaInfo {
    /// The length; for a live stream, the maximum. Rule MEL-20.
    pub duration: Span,
    /// Whether the scenario leaves the length open: an ad with this media lasts as long as its
    /// document says, and `duration` applies only if that says nothing. Rule BRK-22.
    pub is_as_said: bool,
    /// Where data run out, and for how long; ascending by position. Rule MEL-17.
    pub stalls: Vec<Stall>,
    /// Where playing fails, and how. Rule MEL-7.
    pub fails: Option<Failure>,
    /// For a live stream: its window, and when it runs. Rules LIVE-1 to LIVE-3.
    pub live: Option<Live>,
    /// How its data arrive; `None`: all of them with the metadata. Rule MEL-25.
    pub delivery: Option<Delivery>,
    /// How long it takes to switch to it from another rendition. Rule QUAL-5.
    pub switch_after: Span,
    /// Whether a served film has a sound track. It has no effect on a simulation.
    pub has_sound: bool,
    /// For a VPAID unit: the actions that it takes on its own, its messages and their times. Rules
    /// BRK-2, MUTE-6, CLICK-4, VPAID-1.
    pub vpaid: Option<Arc<VpaidScript>>,
    /// For the page of a SIMID unit: its requests and responses. Rule SIMID-1.
    pub simid: Option<Arc<SimidScript>>,
}

impl MediaInfo {
    /// The delay of the first data after the metadata. Rules REQ-9, MEL-17.
    #[must_use]
    pub fn missing_at_start(&self) -> Span {
        let at_start = self
            .stalls
            .iter()
            .take_while(|stall| stall.at == Position::ZERO);
        let missing = at_start.fold(Span::ZERO, |sum, stall| sum + stall.length);
        if self.duration > Span::ZERO {
            missing
        } else {
            Span::ZERO
        }
    }

    /// The media for an ad whose document gives this length, which counts only if the scenario
    /// leaves the length open. Rule BRK-22.
    #[must_use]
    pub fn for_ad(self: Arc<MediaInfo>, said: Option<Span>) -> Arc<MediaInfo> {
        match said.filter(|said| self.is_as_said && *said > Span::ZERO) {
            Some(duration) => Arc::new(MediaInfo {
                duration,
                ..(*self).clone()
            }),
            None => self,
        }
    }
}

impl MediaInfo {
    /// The media that are there at an instant: what a live stream that has ended for good leaves is
    /// its window, which is no stream any more. Rule LIVE-5.
    #[must_use]
    pub fn at(self: Arc<MediaInfo>, now: Time) -> Arc<MediaInfo> {
        match self.live {
            Some(live) if live.ends_at.is_some_and(|end| end <= now) => Arc::new(MediaInfo {
                duration: live.window,
                live: None,
                ..(*self).clone()
            }),
            Some(_) | None => self,
        }
    }
}

/// A live stream. Times are those of the virtual clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Live {
    /// How far back one can seek from the live edge. Rule LIVE-3.
    pub window: Span,
    /// When it stops running; `None`: never. Rule LIVE-1.
    pub stops_at: Option<Time>,
    /// When it runs again; `None`: never. Rule LIVE-2.
    pub back_at: Option<Time>,
    /// When it ends for good, and has a length from then on; `None`: never. Rule LIVE-5.
    pub ends_at: Option<Time>,
}

impl Live {
    /// Whether it runs at an instant.
    #[must_use]
    pub fn runs(self, now: Time) -> bool {
        self.stops_at.is_none_or(|stop| now < stop) || self.back_at.is_some_and(|back| back <= now)
    }

    /// Whether it is on air when it ends for good, if it does. Rule LIVE-5.
    #[must_use]
    pub fn ends_on_air(self) -> bool {
        match (self.stops_at, self.back_at, self.ends_at) {
            (Some(_), None, Some(_)) => false,
            (_, Some(back), Some(end)) => back < end,
            (None, None, Some(_)) | (_, _, None) => true,
        }
    }

    /// The first instant after `now` at which it stops running; `None` if there is none.
    #[must_use]
    pub fn stops_after(self, now: Time) -> Option<Time> {
        self.stops_at
            .filter(|stop| *stop > now && !self.runs(*stop))
    }
}

/// How the data of media arrive: bytes as the network script says, consumed at the bitrate of the
/// media.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Delivery {
    /// The number of bits per second of media.
    pub bitrate: u64,
    /// The bits per second that arrive from each time on, ascending by time; none before the first.
    pub bandwidth: Vec<(Time, u64)>,
}

/// A position where data run out, once per load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stall {
    /// The position.
    pub at: Position,
    /// The length of the stall.
    pub length: Span,
}

/// A position where playback fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The position.
    pub at: Position,
    /// The kind of failure.
    pub how: MediaFault,
}

/// Why media cannot be played. Rules MEL-6, MEL-7, REQ-18, REQ-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaFault {
    /// There is nothing at that URL.
    NotFound,
    /// The network failed.
    Network,
    /// It cannot be decoded.
    Decode,
    /// Its format is not supported.
    Unsupported,
    /// It is a live stream that is not running. Rule LIVE-1.
    NotRunning,
    /// The player asks for it with CORS, and the response does not allow it. Rule REQ-18.
    Cors,
    /// The browser did not send the request, because of an ad blocker. Rule REQ-19.
    Blocked,
    /// It came, and the page does not play the ad: it reports this code for a reason of its own.
    /// Rule REQ-3.
    Refused(u16),
}

/// Why a load failed. Rules MEL-6, LIVE-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LoadFault {
    /// The kind of failure.
    pub how: MediaFault,
    /// Whether the URL is that of a live stream.
    pub is_live: bool,
}

impl From<MediaFault> for LoadFault {
    /// Without further information, media are live only if the fault itself says so.
    fn from(how: MediaFault) -> LoadFault {
        LoadFault {
            how,
            is_live: how == MediaFault::NotRunning,
        }
    }
}

impl MediaFault {
    /// Why an ad failed that the page refused.
    pub const REFUSAL: &'static str = "the page refused the ad";

    /// A refusal of which no code is known.
    pub const REFUSED: MediaFault = MediaFault::Refused(900);

    /// The documented name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MediaFault::NotFound => "not-found",
            MediaFault::Network => "network",
            MediaFault::Decode => "decode",
            MediaFault::Unsupported => "unsupported",
            MediaFault::NotRunning => "not-running",
            MediaFault::Cors => "cors",
            MediaFault::Blocked => "blocked",
            MediaFault::Refused(_) => "refused",
        }
    }

    /// The fault with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<MediaFault> {
        const ALL: [MediaFault; 8] = [
            MediaFault::NotFound,
            MediaFault::Network,
            MediaFault::Decode,
            MediaFault::Unsupported,
            MediaFault::NotRunning,
            MediaFault::Cors,
            MediaFault::Blocked,
            MediaFault::REFUSED,
        ];
        ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether the data did not arrive, rather than being unusable. Rules MEL-7, BRK-24.
    #[must_use]
    pub const fn is_of_network(self) -> bool {
        match self {
            MediaFault::NotFound
            | MediaFault::Network
            | MediaFault::NotRunning
            | MediaFault::Cors
            | MediaFault::Blocked => true,
            MediaFault::Decode | MediaFault::Unsupported | MediaFault::Refused(_) => false,
        }
    }

    /// Returns the rule that decides a request with this fault.
    #[must_use]
    pub const fn rule(self) -> RuleId {
        match self {
            MediaFault::Cors => rules::REQ_18,
            MediaFault::Blocked => rules::REQ_19,
            MediaFault::NotFound
            | MediaFault::Network
            | MediaFault::Decode
            | MediaFault::Unsupported
            | MediaFault::NotRunning
            | MediaFault::Refused(_) => rules::REQ_17,
        }
    }
}

/// How fast media is played, in millionths of normal speed. Rule MEL-22.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

/// The playback position on a media timeline. Rule MEL-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Playhead {
    position: Position,
    /// The time at which it started to advance from `position`; `None` while it does not advance.
    since: Option<Time>,
    rate: Rate,
}

impl Rate {
    /// The slowest rate at which browsers play. Rule MEL-22.
    pub const LEAST: Decimal = Decimal::from_millionths(62_500);
    /// The fastest rate at which browsers play. Rule MEL-22.
    pub const MOST: Decimal = Decimal::from_integer(16);

    /// Whether browsers play at this rate. Rule MEL-22.
    #[must_use]
    pub fn plays(rate: Decimal) -> bool {
        (Rate::LEAST..=Rate::MOST).contains(&rate)
    }

    /// One second of media per second.
    pub const NORMAL: Rate = Rate(1_000_000);

    /// The rate from millionths of normal speed; 0 does not advance.
    #[must_use]
    pub const fn from_millionths(millionths: u64) -> Rate {
        Rate(millionths)
    }

    /// The rate in millionths of normal speed.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// The rate as a number.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        Decimal::from_millionths(i64::try_from(self.0).unwrap_or(i64::MAX))
    }

    /// How much media is played in a length of time; fractions of a microsecond are dropped.
    #[inline]
    fn media(self, time: Span) -> Span {
        if self == Rate::NORMAL {
            return time;
        }
        let media = u128::from(time.micros()) * u128::from(self.0) / 1_000_000;
        Span::from_micros(u64::try_from(media).unwrap_or(u64::MAX))
    }

    /// How long that much media takes, rounded up to a microsecond; `None` at a rate of 0.
    #[inline]
    fn time(self, media: Span) -> Option<Span> {
        if self == Rate::NORMAL {
            return Some(media);
        }
        let media = u128::from(media.micros()) * 1_000_000;
        (self.0 > 0).then(|| {
            Span::from_micros(u64::try_from(media.div_ceil(self.0.into())).unwrap_or(u64::MAX))
        })
    }
}

impl Default for Rate {
    fn default() -> Rate {
        Rate::NORMAL
    }
}

impl Playhead {
    /// A playhead at a position, not advancing.
    #[must_use]
    pub const fn standing(position: Position) -> Playhead {
        Playhead {
            position,
            since: None,
            rate: Rate::NORMAL,
        }
    }

    /// The position at `now`.
    #[must_use]
    pub fn position(&self, now: Time) -> Position {
        match self.since {
            Some(since) => self.position + self.rate.media(now - since),
            None => self.position,
        }
    }

    /// The time at which it will be at `position`, if it advances and `position` is not behind it.
    #[must_use]
    pub fn reaches(&self, position: Position) -> Option<Time> {
        let since = self.since?;
        let media = (position >= self.position).then(|| position - self.position)?;
        self.rate.time(media).map(|time| since + time)
    }

    /// The time at which it reaches or has reached `position`; if `position` is behind it, the time
    /// at which it started to advance.
    #[must_use]
    pub fn reaches_or_passed(&self, position: Position) -> Option<Time> {
        if position < self.position {
            self.since
        } else {
            self.reaches(position)
        }
    }

    /// The rate at which it advances.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whether it advances, even if at a rate of 0.
    #[must_use]
    pub fn advances(&self) -> bool {
        self.since.is_some()
    }

    /// Changes the rate at which it advances. Rule MEL-22.
    pub fn set_rate(&mut self, now: Time, rate: Rate) {
        self.position = self.position(now);
        self.since = self.since.map(|_| now);
        self.rate = rate;
    }

    /// Starts to advance. No effect if it already advances.
    pub fn advance(&mut self, now: Time) {
        if self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Stops at the current position.
    pub fn stand(&mut self, now: Time) {
        self.position = self.position(now);
        self.since = None;
    }

    /// Moves to a position, and keeps advancing if it did before.
    pub fn jump(&mut self, now: Time, position: Position) {
        self.since = self.since.map(|_| now);
        self.position = position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_stream_stops_at_most_once() {
        let at = |seconds| Some(Time::from_secs(seconds));
        let live = Live {
            window: Span::ZERO,
            stops_at: at(10),
            back_at: at(20),
            ..Live::default()
        };
        assert_eq!(live.stops_after(Time::from_secs(5)), at(10));
        assert_eq!(live.stops_after(Time::from_secs(20)), None);
        assert_eq!(
            Live {
                back_at: at(5),
                ..live
            }
            .stops_after(Time::ZERO),
            None
        );
        assert_eq!(Live::default().stops_after(Time::ZERO), None);
    }

    #[test]
    fn a_playhead_computes_when_it_reaches_a_position() {
        let mut head = Playhead::standing(Position::from_secs(2));
        assert_eq!(head.reaches(Position::from_secs(3)), None);
        head.advance(Time::from_secs(10));
        assert_eq!(
            head.position(Time::from_millis(10_500)),
            Position::from_millis(2_500)
        );
        assert_eq!(
            head.reaches(Position::from_secs(3)),
            Some(Time::from_secs(11))
        );
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
