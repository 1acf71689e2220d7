//! Plays a run in parts smaller than a turn, so that runs with a common beginning play it only
//! once.
//!
//! A part is the immediate effect of an input, or the delivery of one of its outputs. Between two
//! parts a run can be forked like between two turns; [`Simulation::run_into`] plays the rest of an
//! interrupted turn first.
//!
//! Rule: CLK-11.

use super::Simulation;
use playsim_trace::Sink;

impl Simulation {
    /// Plays the next part; returns `false` if the run is over.
    pub fn play_part(&mut self) -> bool {
        self.end_task();
        self.deliver_next() || self.begin_turn(self.end())
    }

    /// Passes the lines so far to a sink and keeps only the last ones, so that forks do not copy
    /// them. The sink that the rest of the run is played into must be a copy of this one.
    pub fn pass_on(&mut self, sink: &mut impl Sink) {
        if !sink.wants_digest() {
            self.tape.leave_out_digest();
        }
        // The outcome of a livelock lists the last lines.
        self.tape.pass_on(self.kept_lines(), sink);
    }
}
