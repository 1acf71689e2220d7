//! The end of a run, and its last line.
//!
//! Rules: CLK-6, CLK-7, CLK-12, LOAD-3.

use super::Simulation;
use playsim_api::{Fields, Kind, Outcome, PlayerIndex, Value};
use playsim_rules::{self as rules, RuleId};
use playsim_trace::{Record, Trace};

/// The number of last lines that the outcome of a livelock lists. Rule CLK-6.
const LIVELOCK_LINES: u32 = 32;

/// The longest circle that is found.
const CIRCLE_LINES: usize = 256;
/// Among how many of the last lines the last act of page code is looked for.
const LOOKED_THROUGH: usize = 1_024;

/// Why a run has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stop {
    Idle,
    Until,
    Turns,
    Time,
    Livelock,
    /// Acts of page code cause each other without end. Rule CLK-6.
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
    const fn may_go_round(self) -> bool {
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
            Stop::Circle => (Outcome::Livelock, Some("listeners"), rules::CLK_6),
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

    /// How many of the last lines are kept, since a circle is looked for among them.
    pub(super) fn kept_lines(&self) -> usize {
        (self.tape.next_seq() - self.looked_at_from()) as usize
    }

    /// The first of the lines among which a circle is looked for.
    #[inline]
    fn looked_at_from(&self) -> u32 {
        let last = self.tape.next_seq().saturating_sub(LIVELOCK_LINES);
        self.budget.busy_from().map_or(last, |busy| busy.min(last))
    }

    /// Whether acts of page code have caused each other so often in this second that they will do
    /// so forever. Rule CLK-6.
    #[inline(never)]
    pub(super) fn goes_round(&self) -> bool {
        let acts = self.chain().filter(|record| is_act(record));
        acts.count() > self.budget.longest_chain() as usize
    }

    /// The lines that go round, if acts of page code cause each other: those from one act to the
    /// next of the same name, oldest first. Empty if there are none. Rule CLK-6.
    #[must_use]
    pub fn circle(&self) -> Vec<&Record> {
        if !self.stopped.is_some_and(Stop::may_go_round) {
            return Vec::new();
        }
        let chain: Vec<&Record> = self.chain().take(CIRCLE_LINES).collect();
        let is_same = |one: &Record, other: &Record| {
            (one.kind, &one.name, one.player) == (other.kind, &other.name, other.player)
        };
        let circle = chain.iter().enumerate().find_map(|(newest, act)| {
            let older = chain[newest + 1..]
                .iter()
                .position(|record| is_act(act) && is_same(act, record))?;
            Some(&chain[newest + 1..=newest + 1 + older])
        });
        circle.map_or(Vec::new(), |lines| lines.iter().rev().copied().collect())
    }

    /// The last act of page code, its cause, and so on, newest first.
    fn chain(&self) -> impl Iterator<Item = &Record> {
        let first = self.looked_at_from();
        let known = move |seq: u32| (seq >= first).then(|| self.tape.kept(seq)).flatten();
        let newest = self.tape.last(LOOKED_THROUGH);
        let last = newest
            .filter(|record| record.seq >= first && is_act(record))
            .last();
        std::iter::successors(last, move |record| {
            // A cause is older than its effect.
            let cause = record.cause.filter(|cause| *cause < record.seq);
            cause.and_then(known)
        })
    }
}

/// Whether page code or the user did it because of something, and not at a time.
fn is_act(record: &Record) -> bool {
    matches!(record.kind, Kind::Call | Kind::User | Kind::Page) && record.cause.is_some()
}

/// Lines as the outcome lists them. Rule CLK-6.
fn listed<'a>(lines: impl Iterator<Item = &'a Record>) -> Value {
    let words =
        lines.map(|record| format!("{} {} {}", record.seq, record.kind.name(), record.name));
    Value::List(words.map(Value::from).collect())
}
