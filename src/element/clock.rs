//! What happens as the playhead advances: periodic time updates, obstacles, and the end.
//!
//! At one instant data change first, followed by an obstacle of the playhead or a periodic time update, and
//! the end.
//!
//! Rules: CLK-3, MEL-7, MEL-11, MEL-15 to MEL-17, MEL-19.

use super::*;

impl MediaElement {
    /// Computes when something other than a periodic time update is due.
    pub(super) fn plan(&mut self, now: Time) {
        let data = self.engine.next_change(now, ProgressReports::HTML);
        let playhead = self.engine.next_obstacle(now).map(|(at, _)| at);
        self.next_mark = [data, playhead].into_iter().flatten().min();
    }

    /// Handles the instant that `next_wake` returned: [`ElementInput::Wake`], which cannot fail.
    pub fn wake(&mut self, now: Time, out: &mut Outbox) {
        if self.next_mark.is_some_and(|mark| mark <= now) {
            out.set_cause(self.engine.data_cause());
            self.data_move(now, out);
            out.set_cause(self.moved);
            match self.engine.next_obstacle(now).filter(|(at, _)| *at <= now) {
                Some((_, obstacle)) => self.meet(now, obstacle, out),
                None if self.is_moving() && self.next_update <= now => self.update_times(now, now, out),
                None => {}
            }
            self.plan(now);
        } else if self.is_moving() && self.next_update <= now {
            let before_mark =
                self.next_mark.map_or(Time::MAX, |mark| Time::from_micros(mark.micros().saturating_sub(1)));
            out.set_cause(self.moved);
            self.update_times(now, out.horizon().min(before_mark).max(now), out);
        } else {
            self.follow_scripts(now, out);
            self.plan(now);
        }
    }

    /// Does what had to wait until the scripts of this instant have run. Rules MEL-2, MEL-13.
    fn follow_scripts(&mut self, now: Time, out: &mut Outbox) {
        if let Some((_, cause)) = self.choice.take_if(|(at, _)| *at <= now) {
            out.set_cause(cause);
            self.choose(now, out);
        }
        if let Some((_, cause)) = self.finishing.take_if(|(at, _)| *at <= now) {
            out.set_cause(cause);
            self.finish_seek(now, out);
        }
    }

    /// Queues periodic time updates, this one and all up to `last`. Rule MEL-15.
    fn update_times(&mut self, now: Time, last: Time, out: &mut Outbox) {
        let step = self.settings.knobs.timeupdate_period;
        let count = u32::try_from((last - now).micros() / step.micros() + 1).unwrap_or(u32::MAX);
        self.next_update = now + step.times(u64::from(count));
        let work = MediaWork::TimeUpdates(TimeUpdates { first: now, step, count });
        self.engine.queue(rules::MEL_15, work, out);
    }

    fn meet(&mut self, now: Time, obstacle: Obstacle, out: &mut Outbox) {
        match obstacle {
            Obstacle::Failure(fault) => self.fail(now, fault, out),
            Obstacle::Stall(at) => self.engine.run_dry(now, Some(at), out),
            Obstacle::Dry => self.engine.run_dry(now, None, out),
            Obstacle::End => {
                if let Some(end) = self.engine.end() {
                    self.engine.place(now, end);
                }
                self.reach_end(now, out);
            }
        }
    }

    /// The value of the element's `ended`.
    pub(super) fn has_ended(&self, now: Time) -> bool {
        self.engine.is_at_end(now) && !self.engine.is_seeking() && !self.attributes.content.looping
    }
}
