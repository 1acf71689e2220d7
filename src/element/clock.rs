//! What the playhead brings: periodic time updates, the end, and what it runs into.
//!
//! At one instant data come first, then what the playhead runs into or a periodic time update, then the end.
//!
//! Rules: CLK-3, MEL-7, MEL-11, MEL-15 to MEL-17, MEL-19.

use super::*;

/// What a playhead runs into.
enum Obstacle {
    /// Playing fails.
    Failure(MediaFault),
    /// Data run out here, by script.
    Stall(Position),
    /// Data have not come as fast as they were used up.
    Dry,
    /// The end.
    End,
}

impl MediaElement {
    /// Works out when something else than a periodic time update is due.
    pub(super) fn plan(&mut self, now: Time) {
        let data = self.next_data_mark(now);
        let playhead = self.next_obstacle(now).map(|(at, _)| at);
        self.next_mark = [data, playhead].into_iter().flatten().min();
    }

    /// The instant that `next_wake` named has come: [`ElementInput::Wake`], which cannot fail.
    pub fn wake(&mut self, now: Time, out: &mut Outbox) {
        if self.next_mark.is_some_and(|mark| mark <= now) {
            out.blame(self.supplied);
            self.data_move(now, out);
            out.blame(self.moved);
            match self.next_obstacle(now).filter(|(at, _)| *at <= now) {
                Some((_, obstacle)) => self.meet(now, obstacle, out),
                None if self.is_moving() && self.next_update <= now => self.update_times(now, now, out),
                None => {}
            }
            self.plan(now);
        } else if self.is_moving() && self.next_update <= now {
            let before_mark =
                self.next_mark.map_or(Time::MAX, |mark| Time::from_micros(mark.micros().saturating_sub(1)));
            out.blame(self.moved);
            self.update_times(now, out.horizon().min(before_mark).max(now), out);
        } else {
            self.follow_scripts(now, out);
            self.plan(now);
        }
    }

    /// What waited until the scripts of this instant have run. Rules MEL-2, MEL-13.
    fn follow_scripts(&mut self, now: Time, out: &mut Outbox) {
        if let Some((_, cause)) = self.choice.take_if(|(at, _)| *at <= now) {
            out.blame(cause);
            self.choose(now, out);
        }
        if let Some(Seek::Finishing(at, cause)) = self.seek
            && at <= now
        {
            out.blame(cause);
            self.finish_seek(now, out);
        }
    }

    /// Periodic time updates, this one and all up to `last`. Rule MEL-15.
    fn update_times(&mut self, now: Time, last: Time, out: &mut Outbox) {
        let step = self.settings.knobs.timeupdate_period;
        let count = u32::try_from((last - now).micros() / step.micros() + 1).unwrap_or(u32::MAX);
        self.next_update = now + step.times(u64::from(count));
        let work = MediaWork::TimeUpdates(TimeUpdates { first: now, step, count });
        self.queue(rule!("MEL-15"), work, out);
    }

    /// What the playhead runs into next, and when; where several meet, the failure is before the lack of
    /// data, and both are before the end.
    fn next_obstacle(&self, now: Time) -> Option<(Time, Obstacle)> {
        let Resource::Here(media) = &self.resource else { return None };
        if !self.head.advances() {
            return None;
        }
        let position = self.head.position(now);
        let end = media.info.duration.end();
        let failure = media.info.fails.filter(|failure| failure.at < end);
        let failure = failure.map(|failure| (failure.at, Obstacle::Failure(failure.how)));
        let stall = media.next_stall(position).map(|at| (at, Obstacle::Stall(at)));
        let end = media.info.live.is_none().then_some((end, Obstacle::End));
        let reached = [failure, stall, end]
            .into_iter()
            .flatten()
            .filter_map(|(at, obstacle)| self.head.reaches(at.max(position)).map(|when| (when, obstacle)));
        let dry = media.dry_at(now, &self.head).map(|when| (when, Obstacle::Dry));
        reached.chain(dry).min_by_key(|(when, obstacle)| (*when, obstacle.rank()))
    }

    fn meet(&mut self, now: Time, obstacle: Obstacle, out: &mut Outbox) {
        match obstacle {
            Obstacle::Failure(fault) => {
                self.fail(now, fault, out);
                self.settle_head(now, out);
            }
            Obstacle::Stall(at) => {
                if let Resource::Here(media) = &mut self.resource {
                    media.meet_stall(now, at);
                }
                self.network = Network::Loading;
                self.run_dry(now, rule!("MEL-17"), out);
            }
            Obstacle::Dry => self.run_dry(now, rule!("MEL-25"), out),
            Obstacle::End => {
                if let Some(end) = self.end() {
                    self.head.jump(now, end);
                }
                self.reach_end(now, out);
            }
        }
    }

    /// Where the media end, if that is known and if they do. Rule MEL-20.
    pub(super) fn end(&self) -> Option<Position> {
        let Resource::Here(media) = &self.resource else { return None };
        media.info.live.is_none().then(|| media.info.duration.end())
    }

    pub(super) fn is_at_end(&self, now: Time) -> bool {
        self.end().is_some_and(|end| self.head.position(now) >= end)
    }

    /// The element's `ended`.
    pub(super) fn has_ended(&self, now: Time) -> bool {
        self.is_at_end(now) && self.seek.is_none() && !self.attributes.content.looping
    }
}

impl Obstacle {
    fn rank(&self) -> u8 {
        match self {
            Obstacle::Failure(_) => 0,
            Obstacle::Stall(_) => 1,
            Obstacle::Dry => 2,
            Obstacle::End => 3,
        }
    }
}
