//! The position: how it advances and stops, what stops it, and seeking.
//!
//! The position changes immediately when a seek begins; the seek is over when the data for it are there.
//! Until then the ready state falls back to metadata, because a browser drops the current picture.
//!
//! Rules: MEL-7, MEL-11, MEL-13, MEL-16, MEL-17, MEL-19, MEL-22, MEL-25, LIVE-3, BRK-16.

use super::*;

/// What stops a playhead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Playing fails.
    Failure(MediaFault),
    /// A scripted stall at this position.
    Stall(Position),
    /// Data arrive more slowly than they are played.
    Dry,
    /// The end.
    End,
}

/// How the end of a seek is reported. Rules MEL-13, TIME-5, TIME-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SeekEnd {
    /// By a time update and `seeked`, which has this rule.
    Announced(RuleId),
    /// By a time update; page code does not see `seeked`.
    Internal,
    /// Page code sees neither, as the player moves the position on its own. The rule is the reason.
    Silent(RuleId),
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

impl Engine {
    /// The position; before metadata, where playback will start. On a live stream it does not pass the edge.
    /// Rules MEL-14, MEL-22.
    pub(crate) fn position(&self, now: Time) -> Position {
        if self.ready == Ready::Nothing {
            return self.start;
        }
        let position = self.head.position(now);
        self.stream.map_or(position, |stream| position.min(stream.edge(now)))
    }

    /// The position, counted from where a live stream was joined: cue points count from there. Rules CUE-2,
    /// LIVE-3.
    pub(crate) fn content_time(&self, now: Time) -> Position {
        Position::ZERO + (self.position(now) - (Position::ZERO + self.joined_at()))
    }

    /// The position at which content that counts from the start, or from where a live stream was joined, is
    /// at `content_time`. Rule LIVE-3.
    pub(crate) fn on_timeline(&self, content_time: Position) -> Position {
        content_time + self.joined_at()
    }

    fn joined_at(&self) -> Span {
        self.stream.map_or(Span::ZERO, |stream| stream.joined_at() - Position::ZERO)
    }

    /// The position begins to advance, if it does not yet. Rules MEL-15, MEL-19.
    pub(crate) fn advance(&mut self, now: Time, out: &Outbox) {
        if !self.head.advances() {
            self.head.advance(now);
            self.schedule.move_because(out.cause());
            self.schedule.restart(now);
        }
    }

    pub(crate) fn stand(&mut self, now: Time) {
        self.schedule.stop();
        if self.ready != Ready::Nothing {
            let position = self.position(now);
            self.head.stand(now);
            self.head.jump(now, position);
        }
    }

    /// Whether the position is to advance, even if at a rate of 0.
    pub(crate) fn advances(&self) -> bool {
        self.head.advances()
    }

    pub(crate) fn rate(&self) -> Rate {
        self.head.rate()
    }

    /// Plays faster or slower from here on. Returns whether that is a change. Rule MEL-22.
    pub(crate) fn set_rate(&mut self, now: Time, rate: Rate, out: &mut Outbox) -> bool {
        if rate == self.head.rate() {
            return false;
        }
        if self.ready != Ready::Nothing {
            self.head.jump(now, self.position(now));
        }
        self.head.set_rate(now, rate);
        let data = |fields: Fields| fields.with("rate", rate.decimal());
        self.report_with(now, rules::MEL_22, EventName::RateChange, data, out);
        true
    }

    /// The position of the end, if it is known and if there is one. Rules MEL-20, LIVE-3.
    pub(crate) fn end(&self) -> Option<Position> {
        let end = self.duration().filter(|_| self.stream.is_none())?.end();
        Some(end).filter(|end| *end < Position::MAX)
    }

    pub(crate) fn is_at_end(&self, now: Time) -> bool {
        self.end().is_some_and(|end| self.position(now) >= end)
    }

    /// The time at which the playhead will reach a position, if it advances towards it.
    pub(crate) fn reaches(&self, position: Position) -> Option<Time> {
        let at = self.head.reaches(position)?;
        match self.stream {
            Some(stream) => stream.edge_reaches(position).map(|edge| at.max(edge)),
            None => Some(at),
        }
    }

    /// The next obstacle of an advancing playhead, and its time. Rules MEL-7, MEL-11, MEL-17, MEL-25.
    pub(crate) fn next_obstacle(&self, now: Time) -> Option<(Time, Obstacle)> {
        let info = self.info().filter(|_| self.head.advances())?;
        let (position, end) = (self.position(now), self.end());
        // A failure or stall at the end is never met, as everything has been shown.
        let is_met = |at: &Position| end.is_none_or(|end| *at < end);
        let failure = info.fails.map(|fails| (self.on_timeline(fails.at), Obstacle::Failure(fails.how)));
        let stall = self.data.next_stall(position).map(|at| (at, Obstacle::Stall(at)));
        let reached = [failure, stall]
            .into_iter()
            .flatten()
            .filter(|(at, _)| is_met(at))
            .chain(end.map(|end| (end, Obstacle::End)))
            .filter_map(|(at, obstacle)| Some((self.reaches(at.max(position))?, obstacle)));
        let dry = self.dry_at(now).map(|at| (at, Obstacle::Dry));
        reached.chain(dry).min_by_key(|(at, obstacle)| (*at, obstacle.rank()))
    }

    /// When an advancing playhead runs out of data, because they arrive too slowly or a live stream stops.
    fn dry_at(&self, now: Time) -> Option<Time> {
        let stream = self.stream.and_then(|stream| stream.dry_at(now, &self.head));
        [stream, self.data.dry_at(now, &self.head)].into_iter().flatten().min()
    }

    /// Data have run out at the playhead, by a scripted stall or because they arrive too slowly. Rules MEL-16,
    /// MEL-17, MEL-25.
    pub(crate) fn run_dry(&mut self, now: Time, stall: Option<Position>, out: &mut Outbox) {
        let rule = if stall.is_some() { rules::MEL_17 } else { rules::MEL_25 };
        self.stand(now);
        self.ready = Ready::Current;
        if let Some(at) = stall {
            self.data.meet_stall(now, at);
            self.network = Network::Loading;
        }
        self.update_time(now, rule, out);
        self.data.cause = self.report(now, rule, EventName::Waiting, out);
    }

    /// Sets the position without a seek: a start position before the metadata, a stop, an end.
    pub(crate) fn place(&mut self, now: Time, position: Position) {
        if self.ready == Ready::Nothing {
            self.start = position;
            return;
        }
        self.head.jump(now, position);
        self.seek = None;
        self.data.aim(now, position, self.data.cause);
        if self.has_shown {
            self.ready = Ready::Metadata;
            self.raise_silently(now);
        }
    }

    /// The nearest position that can be sought to. Rules MEL-13, TIME-4, LIVE-3.
    pub(crate) fn nearest(&self, now: Time, target: Position) -> Position {
        match (self.stream, self.end()) {
            (Some(stream), _) => stream.nearest(now, target),
            (None, Some(end)) => target.min(end),
            (None, None) => target,
        }
    }

    /// The start of a live stream's window, if it has moved past the position. Rule LIVE-3.
    pub(crate) fn fallen_out(&self, now: Time) -> Option<Position> {
        let position = self.position(now);
        let nearest = self.stream?.nearest(now, position);
        Some(nearest).filter(|nearest| self.seek.is_none() && *nearest > position)
    }

    /// Seeks to the nearest possible position; an earlier seek is replaced. Rules MEL-13, TIME-10.
    pub(crate) fn seek(
        &mut self,
        now: Time,
        target: Position,
        was_playing: bool,
        rule: RuleId,
        end: SeekEnd,
        out: &mut Outbox,
    ) {
        let target = self.nearest(now, target);
        self.head.stand(now);
        self.head.jump(now, target);
        self.schedule.stop();
        let seeking = self.report(now, rule, EventName::Seeking, out);
        self.data.aim(now, target, seeking);
        self.settle_network();
        if was_playing {
            self.report(now, rule, EventName::Waiting, out);
        }
        self.ready = self.ready.min(Ready::Metadata);
        self.seeks += 1;
        self.seek = Some(Seek { number: self.seeks, is_held: false, end });
    }

    pub(crate) fn is_seeking(&self) -> bool {
        self.seek.is_some()
    }

    pub(crate) fn is_current_seek(&self, number: u32) -> bool {
        self.seek.is_some_and(|seek| seek.number == number)
    }

    /// The number of the seek, if its data are there and it is not held.
    pub(crate) fn seek_with_data(&self, now: Time) -> Option<u32> {
        let seek = self.seek.filter(|seek| !seek.is_held)?;
        (self.level(now) >= Ready::Current).then_some(seek.number)
    }

    /// Makes the seek wait for something other than its data: the scripts of this instant, or the end of an
    /// ad. Rule BRK-16.
    pub(crate) fn hold_seek(&mut self) {
        if let Some(seek) = &mut self.seek {
            seek.is_held = true;
        }
    }

    /// The number of the seek, if it is held.
    pub(crate) fn held_seek(&self) -> Option<u32> {
        self.seek.filter(|seek| seek.is_held).map(|seek| seek.number)
    }

    /// How the end of the current seek is reported.
    pub(crate) fn seek_end(&self) -> Option<SeekEnd> {
        self.seek.map(|seek| seek.end)
    }

    /// The current seek is over: reports it. Rules MEL-13, TIME-5, TIME-11, EVT-18.
    pub(crate) fn finish_seek(&mut self, now: Time, end: SeekEnd, out: &mut Outbox) {
        self.seek = None;
        match end {
            SeekEnd::Announced(rule) => {
                self.update_time(now, rules::MEL_13, out);
                self.announce(rule, EventName::Seeked, out);
            }
            SeekEnd::Internal => {
                self.update_time(now, rules::MEL_13, out);
                self.report(now, rules::TIME_11, EventName::Seeked, out);
            }
            SeekEnd::Silent(rule) => {
                if self.voice == Voice::Events {
                    self.update_time(now, rule, out);
                }
                self.report(now, rule, EventName::Seeked, out);
            }
        }
    }

    /// When a periodic time update or something else is due at a position that advances.
    #[inline]
    pub(crate) fn due(&self) -> Time {
        let update = self.schedule.next_update();
        self.schedule.next_mark().map_or(update, |mark| mark.min(update))
    }

    /// Reports periodic time updates: this one, and all up to `last` and before the next mark. Rule MEL-15.
    #[inline]
    pub(crate) fn update_times(&mut self, now: Time, last: Time, out: &mut Outbox) {
        let updates = self.schedule.take_updates(now, last);
        self.report_updates(rules::MEL_15, updates, out);
    }

    /// Whether the position changes with time.
    #[inline]
    pub(crate) fn is_moving(&self) -> bool {
        self.advances() && self.rate().millionths() > 0
    }

    pub(crate) fn is_update_due(&self, now: Time) -> bool {
        self.is_moving() && self.schedule.next_update() <= now
    }
}
