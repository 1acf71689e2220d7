//! Plays a run in parts smaller than a turn, so that runs that differ from some point on share what comes before it.
//!
//! A part is what an input does at once, or the delivery of one of the things that it has caused. Between two parts
//! a run can be forked like between two turns; [`Simulation::run_into`] plays the rest of an interrupted turn first.
//!
//! Rule: CLK-11.

use super::Simulation;
use super::outcome::LIVELOCK_LINES;
use playsim_trace::Sink;

impl Simulation {
    /// Plays the next part; returns `false` if the run is over.
    pub fn play_part(&mut self) -> bool {
        self.deliver_next() || self.begin_turn(self.end())
    }

    /// Passes what was written so far to a sink, and keeps little of it, so that forks do not have to copy it. The sink
    /// that the rest of the run is played into must be a copy of this one.
    pub fn pass_on(&mut self, sink: &mut impl Sink) {
        if !sink.wants_digest() {
            self.tape.leave_out_digest();
        }
        // The outcome of a livelock lists the last lines.
        self.tape.pass_on(LIVELOCK_LINES, sink);
    }
}
