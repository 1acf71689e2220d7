//! The invariants: what holds in every trace, whatever the scenario.
//!
//! One row and one pure function for each. A function sees the lines of a trace and nothing else, and
//! gives a [`Finding`] for every line that must not be. What no line says (a position, an index) is
//! judged by the getters that the scenario reads; a scenario that reads none is judged by less.
//!
//! Invariants that compare two runs (INV-1, INV-2, INV-23, INV-24, INV-26) are properties of an engine,
//! not of a trace, and stand with the tests.
//!
//! Rules: INV-3 to INV-18, INV-22.

use std::fmt;

use crate::api::{Kind, Text, Value};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;
use crate::trace::{PlayerIndex, Record, Trace};

mod ads;
mod breaks;
mod content;
mod order;
mod position;
mod settings;

/// A line that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The invariant that is broken.
    pub rule: RuleId,
    /// The running number of the line.
    pub seq: u32,
    /// When.
    pub at: Time,
    /// Whose line it is.
    pub player: Option<PlayerIndex>,
    /// What is wrong, in a sentence.
    pub text: String,
}

/// One row of the table.
pub struct Invariant {
    /// Its rule.
    pub rule: RuleId,
    /// Knobs of which it holds only at their default: any other value is a reading without it.
    pub at_default: &'static [&'static str],
    /// Judges a trace.
    pub judge: fn(&Trace, &mut Findings),
}

impl Invariant {
    const fn new(rule: RuleId, judge: fn(&Trace, &mut Findings)) -> Invariant {
        Invariant { rule, at_default: &[], judge }
    }

    const fn at_default(self, knobs: &'static [&'static str]) -> Invariant {
        Invariant { at_default: knobs, ..self }
    }

    /// Whether it holds for traces under the knobs that the header names.
    fn holds_under(&self, trace: &Trace) -> bool {
        let header = trace.records.first().filter(|record| record.kind == Kind::Header);
        match header.and_then(|header| header.data.get("knobs")) {
            Some(Value::Map(differing)) => self.at_default.iter().all(|knob| differing.get(knob).is_none()),
            Some(_) | None => true,
        }
    }
}

/// All invariants that one trace can break.
pub const INVARIANTS: &[Invariant] = &[
    Invariant::new(rule!("INV-3"), order::time_and_numbers),
    Invariant::new(rule!("INV-4"), order::causes),
    Invariant::new(rule!("INV-5"), order::once_in_a_life),
    Invariant::new(rule!("INV-6"), content::ended_after_play),
    Invariant::new(rule!("INV-7"), content::start_after_play).at_default(&["before_start.scope"]),
    Invariant::new(rule!("INV-8"), ads::no_content_events),
    Invariant::new(rule!("INV-9"), content::stopped_by_calls),
    Invariant::new(rule!("INV-10"), ads::errors_in_their_place),
    Invariant::new(rule!("INV-11"), breaks::one_end).at_default(&["ad_end.scope"]),
    Invariant::new(rule!("INV-12"), breaks::requests_add_up).at_default(&["ad_error.scope"]),
    Invariant::new(rule!("INV-13"), ads::one_way_through).at_default(&["quartile.catch_up"]),
    Invariant::new(rule!("INV-14"), ads::resumed_when_paused),
    Invariant::new(rule!("INV-15"), position::moves_when_playing),
    Invariant::new(rule!("INV-16"), content::index_in_list),
    Invariant::new(rule!("INV-17"), settings::changes_are_changes),
    Invariant::new(rule!("INV-18"), content::complete_after_ended),
    Invariant::new(rule!("INV-22"), position::even_time_updates),
];

/// Judges a trace by all of them. Findings stand in the order of the table, then of the lines.
#[must_use]
pub fn judge(trace: &Trace) -> Vec<Finding> {
    let mut all = Vec::new();
    for invariant in INVARIANTS.iter().filter(|invariant| invariant.holds_under(trace)) {
        let mut findings = Findings { rule: invariant.rule, found: Vec::new() };
        (invariant.judge)(trace, &mut findings);
        findings.found.sort_by_key(|finding| finding.seq);
        all.append(&mut findings.found);
    }
    all
}

/// What one invariant finds.
#[derive(Debug)]
pub struct Findings {
    rule: RuleId,
    found: Vec<Finding>,
}

impl Findings {
    /// Notes what is wrong with a record.
    fn add(&mut self, record: &Record, text: impl Into<String>) {
        self.add_at(record, record.seq, record.at, text);
    }

    /// Notes what is wrong with one line of a record.
    fn add_at(&mut self, record: &Record, seq: u32, at: Time, text: impl Into<String>) {
        let text = text.into();
        self.found.push(Finding { rule: self.rule, seq, at, player: record.player, text });
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} (line {}): {}", self.rule, self.at, self.seq, self.text)
    }
}

/// Judges the lines of each player, one player after the other.
fn of_each_player<'a>(trace: &'a Trace, mut judge: impl FnMut(&mut dyn Iterator<Item = &'a Record>)) {
    for number in 0..trace.players.len() {
        let is_its =
            |record: &&Record| record.player.is_some_and(|PlayerIndex(own)| usize::from(own) == number);
        judge(&mut trace.records.iter().filter(is_its));
    }
}

/// The record that holds a line.
fn record_of(trace: &Trace, seq: u32) -> Option<&Record> {
    let after = trace.records.partition_point(|record| record.seq <= seq);
    trace.records.get(after.checked_sub(1)?).filter(|record| seq < record.seq + record.lines())
}

/// The name of an event; empty for any other line.
fn event(record: &Record) -> &str {
    if record.kind == Kind::Event { &record.name } else { "" }
}

/// Whether it is this line.
fn is(record: &Record, kind: Kind, name: &str) -> bool {
    record.kind == kind && *record.name == *name
}

fn text<'a>(record: &'a Record, key: &str) -> Option<&'a Text> {
    record.data.get(key)?.as_text()
}

fn integer(record: &Record, key: &str) -> Option<i64> {
    record.data.get(key)?.as_integer()
}

/// What a call gave, unless it failed.
fn returned<'a>(record: &'a Record, call: &str) -> Option<&'a Value> {
    if is(record, Kind::Call, call) { record.data.get("returns") } else { None }
}

/// Whether a call has an argument that counts.
fn has_argument(record: &Record) -> bool {
    match record.data.get("args") {
        Some(Value::List(args)) => args.first().is_some_and(|first| *first != Value::Undefined),
        _ => false,
    }
}
