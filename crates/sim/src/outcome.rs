//! The end of a run, and its last line.
//!
//! Rules: CLK-6, CLK-7, CLK-12, LOAD-3.

use super::Simulation;
use playsim_api::{Fields, Outcome, PlayerIndex, Value};
use playsim_rules::{self as rules, RuleId};
use playsim_trace::{Record, Trace};

/// The number of last lines that the outcome of a livelock lists. Rule CLK-6.
pub(super) const LIVELOCK_LINES: u32 = 32;

/// Why a run has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stop {
    Idle,
    Until,
    Turns,
    Time,
    Livelock,
    /// The same happens again and again from the same origin. Rule CLK-6.
    Circle,
    /// There were too many calls of listeners. Rule CLK-12.
    Deliveries,
    /// Listeners performed too many actions in one second. Rule CLK-12.
    Acts,
    /// Too many players were created. Rule CLK-12.
    Players,
    /// Listeners were nested too deeply, which is also a livelock. Rules CLK-6, EVT-1.
    Nesting,
}

impl Stop {
    /// Whether something may have gone round in a circle.
    pub(super) const fn may_go_round(self) -> bool {
        match self {
            Stop::Acts | Stop::Livelock | Stop::Circle | Stop::Nesting => true,
            Stop::Idle
            | Stop::Until
            | Stop::Turns
            | Stop::Time
            | Stop::Deliveries
            | Stop::Players => false,
        }
    }

    /// Returns the name of the last line, the limit that was reached, and the rule that decides it.
    pub(super) const fn words(self) -> (Outcome, Option<&'static str>, RuleId) {
        match self {
            Stop::Idle => (Outcome::Idle, None, rules::CLK_7),
            Stop::Until => (Outcome::Until, None, rules::CLK_7),
            Stop::Turns => (Outcome::Limit, Some("turns"), rules::CLK_7),
            Stop::Time => (Outcome::Limit, Some("time"), rules::CLK_7),
            Stop::Deliveries => (Outcome::Limit, Some("deliveries"), rules::CLK_12),
            Stop::Acts => (
                Outcome::Limit,
                Some("limit.tasks_per_second"),
                rules::CLK_12,
            ),
            Stop::Players => (Outcome::Limit, Some("players"), rules::CLK_12),
            Stop::Livelock => (
                Outcome::Livelock,
                Some("limit.tasks_per_second"),
                rules::CLK_6,
            ),
            Stop::Circle => (Outcome::Livelock, Some("repeats"), rules::CLK_6),
            Stop::Nesting => (Outcome::Livelock, Some("nesting"), rules::CLK_6),
        }
    }
}

impl Simulation {
    /// Ends the tape. Rule CLK-7.
    pub(super) fn finish(mut self) -> Trace {
        self.describe_live();
        let stopped = self.stopped.unwrap_or(Stop::Idle);
        if stopped == Stop::Idle {
            self.report_queues();
        }
        let (word, limit, rule) = stopped.words();
        let at = if matches!(stopped, Stop::Until | Stop::Time) {
            self.end()
        } else {
            self.last_change
        };
        let container = |player: &PlayerIndex| &self.seats[*player].container;
        let newest = self
            .seats
            .indices()
            .filter(|player| self.seats.newest_in(container(player)) == Some(*player));
        let states = newest.map(|player| {
            (
                container(&player).into(),
                self.seats[player].state(at).into(),
            )
        });
        let mut data = Fields::NONE
            .with_some("limit", limit)
            .with("lines", self.tape.next_seq())
            .with("states", Value::Map(states.collect()));
        if stopped.may_go_round() {
            let circle = self.circle();
            if circle.is_empty() {
                data.push("causes", listed(self.tape.last(LIVELOCK_LINES as usize)));
            } else {
                data.push("circle", listed(circle.into_iter()));
            }
        }
        self.tape.finish(at, rule, word, data)
    }
}

/// Lines as the outcome lists them. Rule CLK-6.
fn listed<'a>(lines: impl Iterator<Item = &'a Record>) -> Value {
    let words =
        lines.map(|record| format!("{} {} {}", record.seq, record.kind.name(), record.name));
    Value::List(words.map(Value::from).collect())
}
