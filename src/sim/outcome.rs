//! How a run ends, and what its last line says.
//!
//! Rules: CLK-6, CLK-7, LOAD-3.

use super::*;

/// So many of the last lines stand in the outcome of a livelock. Rule CLK-6.
pub(super) const LIVELOCK_LINES: usize = 32;

/// Why a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Idle,
    Until,
    Turns,
    Time,
    Livelock,
    /// A livelock too: events within events, and no end of it. Rules CLK-6, EVT-1.
    Nesting,
}

impl Simulation {
    /// Ends the tape. Rule CLK-7.
    pub(super) fn finish(mut self) -> Trace {
        let stopped = self.stopped.unwrap_or(Stop::Idle);
        if stopped == Stop::Idle {
            self.tell_of_queues();
        }
        let (word, limit) = match stopped {
            Stop::Idle => ("idle", None),
            Stop::Until => ("until", None),
            Stop::Turns => ("limit", Some("turns")),
            Stop::Time => ("limit", Some("time")),
            Stop::Livelock => ("livelock", Some("limit.tasks_per_instant")),
            Stop::Nesting => ("livelock", Some("nesting")),
        };
        let at = match stopped {
            Stop::Until | Stop::Time => self.end(),
            Stop::Idle | Stop::Turns | Stop::Livelock | Stop::Nesting => self.last_change,
        };
        // One after the other may have had a container; its state is that of the last.
        let is_last =
            |n: usize| self.seats[n + 1..].iter().all(|seat| seat.container != self.seats[n].container);
        let seats = self.seats.iter().enumerate().filter(|(n, _)| is_last(*n));
        let states = seats.map(|(_, seat)| ((&seat.container).into(), seat.state(at).into()));
        let mut data = Fields::NONE
            .with_some("limit", limit)
            .with("lines", self.tape.next_seq())
            .with("states", Value::Map(states.collect()));
        if word == "livelock" {
            data.push("causes", self.last_lines());
        }
        self.tape.finish(at, word, data)
    }

    /// The last lines, for whoever looks for the loop. Rule CLK-6.
    fn last_lines(&self) -> Value {
        let records = self.tape.records();
        let last = &records[records.len().saturating_sub(LIVELOCK_LINES)..];
        let words =
            last.iter().map(|record| format!("{} {} {}", record.seq, record.kind.name(), record.name));
        Value::List(words.map(Value::from).collect())
    }
}
