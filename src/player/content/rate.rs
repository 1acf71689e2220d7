//! The playback rate, and time updates at uneven intervals.
//!
//! No documented call sets the rate; the environment may. Positions advance at that rate, time updates come
//! by the clock. A new source plays at normal speed again.
//!
//! Rules: CLK-8, MEL-1, MEL-15, MEL-19, MEL-22.

use crate::api::{Code, Decimal, Outbox};
use crate::media::Rate;
use crate::player::Player;
use crate::player::state::State;
use crate::rules;
use crate::time::Time;

impl Player {
    /// The environment sets the element's playback rate. Rule MEL-22.
    pub(in crate::player) fn set_rate(&mut self, now: Time, rate: Decimal, out: &mut Outbox) {
        let millionths = u64::try_from(rate.millionths()).ok().filter(|_| Rate::plays(rate));
        let Some(millionths) = millionths else {
            let text = format!("the rate must be a number from 0.0625 to 16; {rate} is ignored");
            out.diag(rules::MEL_22, Code::RateRange, text);
            return;
        };
        let _ = self.element.set_rate(now, Rate::from_millionths(millionths), out);
        if matches!(self.state, State::Playing(_)) {
            self.find_next_mark(now);
        }
    }

    /// One time update, with a random interval to the next. Kept out of the hot path. Rule MEL-15.
    #[cold]
    #[inline(never)]
    pub(super) fn update_unevenly(&mut self, now: Time, out: &mut Outbox) {
        if let State::Playing(ticking) = &mut self.state {
            ticking.next_update = now + self.updates.next();
        }
        self.element.update_time(now, rules::MEL_15, out);
    }
}
