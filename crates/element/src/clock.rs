//! Work as the playhead advances: periodic time updates, obstacles, and the end.
//!
//! At one instant data change first, followed by an obstacle of the playhead or a periodic time
//! update, and the end.
//!
//! Rules: CLK-3, MEL-7, MEL-11, MEL-15 to MEL-17, MEL-19.

use super::MediaElement;
use super::motion::Obstacle;
use playsim_api::Outbox;
use playsim_base::time::Time;
use playsim_rules as rules;

impl MediaElement {
    /// Handles the instant that `next_wake` returned: `ElementInput::Wake`, which cannot fail.
    pub fn wake(&mut self, out: &mut Outbox) {
        let now = out.now();
        if self.schedule.next_mark.is_some_and(|mark| mark <= now) {
            out.set_cause(self.media.data.cause);
            self.data_move(out);
            out.set_cause(self.schedule.moved);
            match self.next_obstacle(now).filter(|(at, _)| *at <= now) {
                Some((_, obstacle)) => self.meet(obstacle, out),
                None if self.is_update_due(now) => self.update_times(now, out),
                None => {}
            }
            self.mark(now, None);
        } else if self.is_update_due(now) {
            out.set_cause(self.schedule.moved);
            self.update_times(out.horizon(), out);
        } else {
            self.follow_scripts(out);
            self.mark(now, None);
        }
    }

    /// Does the work that had to wait until the scripts of this instant have run. Rules MEL-2,
    /// MEL-13.
    fn follow_scripts(&mut self, out: &mut Outbox) {
        let now = out.now();
        if self.choice.is_some_and(|(at, _)| at <= now) {
            self.settle_source(out);
        }
        if let Some((_, cause)) = self.finishing.take_if(|(at, _)| *at <= now) {
            out.set_cause(cause);
            self.finish_seek(out);
        }
    }

    fn meet(&mut self, obstacle: Obstacle, out: &mut Outbox) {
        match obstacle {
            Obstacle::Failure(fault) => self.fail(fault, out),
            Obstacle::Stall(_) | Obstacle::Dry => self.run_dry(obstacle, out),
            Obstacle::End => {
                if let Some(end) = self.end() {
                    self.place(out.now(), end);
                }
                self.reach_end(out);
            }
        }
    }

    /// The value of the element's `ended`.
    pub(super) fn has_ended(&self, now: Time) -> bool {
        self.is_at_end(now) && !self.is_seeking() && !self.attributes.content.looping
    }

    /// Sets when something other than a periodic time update is due while the position advances: a
    /// change of the data, an obstacle of the position, or `mark`.
    pub fn mark(&mut self, now: Time, mark: Option<Time>) {
        let obstacle = self.next_obstacle(now).map(|(at, _)| at);
        self.schedule.next_mark = [obstacle, self.next_change(now), mark]
            .into_iter()
            .flatten()
            .min();
    }

    /// When a periodic time update or something else is due at a position that advances.
    #[inline]
    pub fn due(&self) -> Time {
        let update = self.schedule.next_update;
        self.schedule
            .next_mark
            .map_or(update, |mark| mark.min(update))
    }

    /// Whether a time update is due.
    #[must_use]
    pub fn is_update_due(&self, now: Time) -> bool {
        self.is_moving() && self.schedule.next_update <= now
    }

    /// Whether something other than a periodic time update is due. The cause of either is the line
    /// that moved the position.
    #[inline]
    pub fn is_marked(&self, out: &mut Outbox) -> bool {
        out.set_cause(self.schedule.moved);
        self.schedule
            .next_mark
            .is_some_and(|mark| mark <= out.now())
    }

    /// Reports periodic time updates: this one, and all up to `last` and before the next mark. Rule
    /// MEL-15.
    #[inline]
    pub fn update_times(&mut self, last: Time, out: &mut Outbox) {
        let updates = self.schedule.take_updates(out.now(), last);
        self.report_updates(rules::MEL_15, updates, out);
    }

    /// When something that the position reaches at `at` is noticed, if only time updates notice it.
    /// Rule LAST-4.
    pub fn update_from(&self, at: Time) -> Time {
        self.schedule.update_from(at)
    }

    /// The next periodic time update is an interval away. Rule MEL-15.
    pub fn restart_updates(&mut self, now: Time) {
        self.schedule.restart(now);
    }
}
