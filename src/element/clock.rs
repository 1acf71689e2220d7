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
        self.mark(now, None);
    }

    /// Handles the instant that `next_wake` returned: [`ElementInput::Wake`], which cannot fail.
    pub fn wake(&mut self, now: Time, out: &mut Outbox) {
        if self.engine.schedule.next_mark().is_some_and(|mark| mark <= now) {
            out.set_cause(self.engine.data_cause());
            self.data_move(now, out);
            out.set_cause(self.engine.schedule.moved());
            match self.engine.next_obstacle(now).filter(|(at, _)| *at <= now) {
                Some((_, obstacle)) => self.meet(now, obstacle, out),
                None if self.engine.is_update_due(now) => self.engine.update_times(now, now, out),
                None => {}
            }
            self.plan(now);
        } else if self.engine.is_update_due(now) {
            out.set_cause(self.engine.schedule.moved());
            self.engine.update_times(now, out.horizon(), out);
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

    fn meet(&mut self, now: Time, obstacle: Obstacle, out: &mut Outbox) {
        match obstacle {
            Obstacle::Failure(fault) => self.fail(now, fault, out),
            Obstacle::Stall(_) | Obstacle::Dry => self.run_dry(now, obstacle, out),
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
