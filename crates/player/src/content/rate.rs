//! The playback rate.
//!
//! No documented call sets the rate; the environment may. Positions advance at that rate, time
//! updates come by the clock. A new source plays at normal speed again.
//!
//! Rules: MEL-1, MEL-19, MEL-22.

use crate::Player;
use crate::state::State;
use playsim_api::media::Rate;
use playsim_api::{Code, Decimal, Outbox};
use playsim_rules as rules;

impl Player {
    /// The environment sets the element's playback rate. Rule MEL-22.
    pub(crate) fn set_rate(&mut self, rate: Decimal, out: &mut Outbox) {
        let millionths = u64::try_from(rate.millionths())
            .ok()
            .filter(|_| Rate::plays(rate));
        let Some(millionths) = millionths else {
            let text = format!("the rate must be a number from 0.0625 to 16; {rate} is ignored");
            out.diag(rules::MEL_22, Code::RateRange, text);
            return;
        };
        self.element
            .set_rate(Rate::from_millionths(millionths), out);
        if matches!(self.state, State::Playing) {
            self.find_next_mark(out.now());
        }
    }
}
