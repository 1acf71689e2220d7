//! The position: how it advances and stops, and its obstacles.
//!
//! Rules: MEL-7, MEL-11, MEL-14, MEL-16, MEL-17, MEL-19, MEL-22, MEL-25, LIVE-3.

use super::MediaElement;
use super::data::Ready;
use super::media::Network;
use playsim_api::media::{MediaFault, Rate};
use playsim_api::{EventName, Fields, Outbox};
use playsim_base::time::{Position, Span, Time};
use playsim_rules as rules;

/// An obstacle of a playhead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Playing fails.
    Failure(MediaFault),
    /// A scripted stall at this position.
    Stall(Position),
    /// Data arrive more slowly than they are played.
    Dry,
    /// The end.
    End,
}

impl Obstacle {
    /// Of several at one time, a failure comes before a lack of data, and both come before the end.
    fn rank(self) -> u8 {
        match self {
            Obstacle::Failure(_) => 0,
            Obstacle::Stall(_) => 1,
            Obstacle::Dry => 2,
            Obstacle::End => 3,
        }
    }
}

impl MediaElement {
    /// The position; before metadata, where playback will start. On a live stream it does not pass
    /// the edge. Rules MEL-14, MEL-22.
    pub fn position(&self, now: Time) -> Position {
        if self.media.ready == Ready::Nothing {
            return self.start;
        }
        let position = self.media.head.position(now);
        self.media
            .stream
            .map_or(position, |stream| position.min(stream.edge(now)))
    }

    /// The position, counted from where a live stream was joined: cue points count from there.
    /// Rules CUE-2, LIVE-3.
    pub fn content_time(&self, now: Time) -> Position {
        Position::ZERO + (self.position(now) - (Position::ZERO + self.joined_at()))
    }

    /// The position at which content that counts from the start, or from where a live stream was
    /// joined, is at `content_time`. Rule LIVE-3.
    pub fn on_timeline(&self, content_time: Position) -> Position {
        content_time + self.joined_at()
    }

    fn joined_at(&self) -> Span {
        self.media
            .stream
            .map_or(Span::ZERO, |stream| stream.joined_at() - Position::ZERO)
    }

    /// The position begins to advance, unless it does or has failed. Rules MEL-15, MEL-19.
    pub(super) fn advance(&mut self, out: &Outbox) {
        let now = out.now();
        if !self.media.head.advances() && self.media.error.is_none() {
            self.media.head.advance(now);
            self.schedule.moved = out.cause();
            self.schedule.restart(now);
        }
    }

    pub(super) fn stand(&mut self, now: Time) {
        self.schedule.stop();
        if self.media.ready != Ready::Nothing {
            let position = self.position(now);
            self.media.head.stand(now);
            self.media.head.jump(now, position);
        }
    }

    /// Whether the position is to advance, even if at a rate of 0.
    pub(super) fn advances(&self) -> bool {
        self.media.head.advances()
    }

    /// Whether the position changes with time.
    #[inline]
    pub(super) fn is_moving(&self) -> bool {
        self.advances() && self.rate().millionths() > 0
    }

    pub(super) fn rate(&self) -> Rate {
        self.media.head.rate()
    }

    /// Plays faster or slower from here on. Returns whether that is a change. Rule MEL-22.
    pub fn set_rate(&mut self, rate: Rate, out: &mut Outbox) -> bool {
        let now = out.now();
        if rate == self.media.head.rate() {
            return false;
        }
        if self.media.ready != Ready::Nothing {
            self.media.head.jump(now, self.position(now));
        }
        self.media.head.set_rate(now, rate);
        let data = |fields: Fields| fields.with("rate", rate.decimal());
        self.report_with(rules::MEL_22, EventName::RateChange, data, out);
        true
    }

    /// The position of the end, if it is known and if there is one. Rules MEL-20, LIVE-3.
    pub(super) fn end(&self) -> Option<Position> {
        // That of a live stream which has not ended is `MAX`.
        let end = self.duration()?.end();
        Some(end).filter(|end| *end < Position::MAX)
    }

    /// Whether the end is reached.
    #[must_use]
    pub fn is_at_end(&self, now: Time) -> bool {
        self.end().is_some_and(|end| self.position(now) >= end)
    }

    /// The time at which the playhead will reach a position, if it advances towards it.
    pub fn reaches(&self, position: Position) -> Option<Time> {
        let at = self.media.head.reaches(position)?;
        match self.media.stream {
            Some(stream) => stream.edge_reaches(position).map(|edge| at.max(edge)),
            None => Some(at),
        }
    }

    /// The next obstacle of an advancing playhead, and its time. Rules MEL-7, MEL-11, MEL-17,
    /// MEL-25.
    pub fn next_obstacle(&self, now: Time) -> Option<(Time, Obstacle)> {
        let info = self.info().filter(|_| self.media.head.advances())?;
        let (position, end) = (self.position(now), self.end());
        // A failure or stall at the end is never met, as everything has been shown.
        let is_met = |at: &Position| end.is_none_or(|end| *at < end);
        let failure = info
            .fails
            .map(|fails| (self.on_timeline(fails.at), Obstacle::Failure(fails.how)));
        let stall = self
            .media
            .data
            .next_stall(position)
            .map(|at| (at, Obstacle::Stall(at)));
        let reached = [failure, stall]
            .into_iter()
            .flatten()
            .filter(|(at, _)| is_met(at))
            .chain(end.map(|end| (end, Obstacle::End)))
            .filter_map(|(at, obstacle)| Some((self.reaches(at.max(position))?, obstacle)));
        let dry = self.dry_at(now).map(|at| (at, Obstacle::Dry));
        reached
            .chain(dry)
            .min_by_key(|(at, obstacle)| (*at, obstacle.rank()))
    }

    /// When an advancing playhead runs out of data, because they arrive too slowly or a live stream
    /// stops.
    fn dry_at(&self, now: Time) -> Option<Time> {
        let stream = self
            .media
            .stream
            .and_then(|stream| stream.dry_at(now, &self.media.head));
        [stream, self.media.data.dry_at(now, &self.media.head)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Data have run out at the playhead, by a scripted stall or because they arrive too slowly.
    /// Rules MEL-16, MEL-17, MEL-25.
    pub fn run_dry(&mut self, obstacle: Obstacle, out: &mut Outbox) {
        let now = out.now();
        let stall = if let Obstacle::Stall(at) = obstacle {
            Some(at)
        } else {
            None
        };
        let rule = if stall.is_some() {
            rules::MEL_17
        } else {
            rules::MEL_25
        };
        self.waits_since.get_or_insert(now);
        self.stand(now);
        self.media.ready = Ready::Current;
        if let Some(at) = stall {
            self.withhold(now, at);
        }
        self.update_time(rule, out);
        self.media.data.cause = self.report(rule, EventName::Waiting, out);
    }

    /// A scripted stall begins. Rule MEL-17.
    fn withhold(&mut self, now: Time, at: Position) {
        self.media.data.meet_stall(now, at);
        self.media.ready = self.media.ready.min(Ready::Current);
        self.media.network = Network::Loading;
    }

    /// Playback is about to begin: if a scripted stall is at its position, that begins instead, and
    /// the position does not move before its data have arrived. Returns whether there was one.
    /// Rules MEL-17, PLAY-4.
    pub(super) fn meet_stall_here(&mut self, out: &Outbox) -> bool {
        let now = out.now();
        if self.advances() || self.is_seeking() || self.info().is_none() {
            return false;
        }
        let (position, end) = (self.position(now), self.end());
        let is_here = |at: &Position| *at == position && end.is_none_or(|end| *at < end);
        let Some(at) = self.media.data.next_stall(position).filter(is_here) else {
            return false;
        };
        self.withhold(now, at);
        self.media.data.cause = out.cause();
        true
    }

    /// Sets the position without a seek: a start position before the metadata, a stop, an end.
    pub fn place(&mut self, now: Time, position: Position) {
        if self.media.ready == Ready::Nothing {
            self.start = position;
            return;
        }
        self.media.head.jump(now, position);
        self.media.seek = None;
        self.media.data.aim(now, position, self.media.data.cause);
        if self.media.has_shown {
            self.media.ready = Ready::Metadata;
            self.raise_silently(now);
        }
    }
}
