//! How fast the content plays, and time updates that do not come evenly.
//!
//! No documented call sets it; the surroundings may. Positions go by it, time updates by the clock. A new
//! source plays at its own speed again.
//!
//! Rules: CLK-8, MEL-1, MEL-15, MEL-19, MEL-22.

use super::*;
use crate::media::Rate;

/// Browsers play no slower and no faster.
const RATES: std::ops::RangeInclusive<Decimal> = Decimal::from_millionths(62_500)..=Decimal::from_integer(16);

impl Player {
    /// The surroundings set the element's rate. Rule MEL-22.
    pub(super) fn set_rate(&mut self, now: Time, rate: Decimal, out: &mut Outbox) {
        let millionths = u64::try_from(rate.millionths()).ok().filter(|_| RATES.contains(&rate));
        let Some(millionths) = millionths else {
            let text = format!("a rate is a number from 0.0625 to 16; it is not set to {rate}");
            out.diag(rule!("MEL-22"), "rate_range", text);
            return;
        };
        self.element.set_rate(now, Rate::from_millionths(millionths), out);
        if matches!(self.state, State::Playing(_)) {
            self.find_next_mark(now);
        }
    }

    /// One time update; when the next comes is a matter of chance. Kept away from the hot path. Rule MEL-15.
    #[cold]
    #[inline(never)]
    pub(super) fn update_unevenly(&mut self, now: Time, out: &mut Outbox) {
        if let State::Playing(ticking) = &mut self.state {
            ticking.next_update = now + self.updates.next();
        }
        self.update_time(now, rule!("MEL-15"), out);
    }
}
