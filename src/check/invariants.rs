//! The invariants: what holds in every trace, whatever the scenario.
//!
//! One row and one pure function for each. A function sees the lines of a trace and nothing else, and
//! gives a [`Finding`] for every line that must not be. What no line says (a position, an index) is
//! judged by the getters that the scenario reads; a scenario that reads none is judged by less.
//!
//! Invariants that compare two runs (INV-1, INV-2, INV-23, INV-24, INV-26) are properties of an engine,
//! not of a trace, and stand with the tests.
//!
//! Rules: INV-3 to INV-18, INV-20 to INV-22.

use std::fmt;

use crate::api::{Kind, Text, Value};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;
use crate::trace::{PlayerIndex, Record, Trace};

mod ads;
mod answers;
mod breaks;
mod content;
mod lanes;
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
    /// Judges a trace.
    pub judge: fn(&Trace, &mut Findings),
}

/// All invariants that one trace can break.
pub const INVARIANTS: &[Invariant] = &[
    Invariant { rule: rule!("INV-3"), judge: order::time_and_numbers },
    Invariant { rule: rule!("INV-4"), judge: order::causes },
    Invariant { rule: rule!("INV-5"), judge: order::once_in_a_life },
    Invariant { rule: rule!("INV-6"), judge: content::ended_after_play },
    Invariant { rule: rule!("INV-7"), judge: content::start_after_play },
    Invariant { rule: rule!("INV-8"), judge: ads::no_content_events },
    Invariant { rule: rule!("INV-9"), judge: content::stopped_by_calls },
    Invariant { rule: rule!("INV-10"), judge: ads::errors_in_their_place },
    Invariant { rule: rule!("INV-11"), judge: breaks::one_end },
    Invariant { rule: rule!("INV-12"), judge: breaks::requests_add_up },
    Invariant { rule: rule!("INV-13"), judge: ads::one_way_through },
    Invariant { rule: rule!("INV-14"), judge: ads::resumed_when_paused },
    Invariant { rule: rule!("INV-15"), judge: position::moves_when_playing },
    Invariant { rule: rule!("INV-16"), judge: content::index_in_list },
    Invariant { rule: rule!("INV-17"), judge: settings::changes_are_changes },
    Invariant { rule: rule!("INV-18"), judge: content::complete_after_ended },
    Invariant { rule: rule!("INV-20"), judge: answers::none_from_the_engine },
    Invariant { rule: rule!("INV-21"), judge: answers::none_asked_for_what_earns_nothing },
    Invariant { rule: rule!("INV-22"), judge: position::even_time_updates },
];

/// Judges a trace by all of them. Findings stand in the order of the table, then of the lines.
#[must_use]
pub fn judge(trace: &Trace) -> Vec<Finding> {
    let mut all = Vec::new();
    for invariant in INVARIANTS {
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

/// Judges the lines of each player, one player after the other. What holds for players is not asked of bare
/// media elements.
fn of_each_player<'a>(trace: &'a Trace, mut judge: impl FnMut(&mut dyn Iterator<Item = &'a Record>)) {
    for number in 0..trace.players.len() {
        let is_its =
            |record: &&Record| record.player.is_some_and(|PlayerIndex(own)| usize::from(own) == number);
        let mut lines = trace.records.iter().filter(is_its).peekable();
        if lines.peek().is_some_and(|first| !is(first, Kind::Call, "element")) {
            judge(&mut lines);
        }
    }
}

/// The name of an event; empty for any other line.
fn event(record: &Record) -> &str {
    if record.kind == Kind::Event { &record.name } else { "" }
}

/// Whether it is this line.
fn is(record: &Record, kind: Kind, name: &str) -> bool {
    record.kind == kind && *record.name == *name
}

/// The name of what the media element tells, as a line or as an event that page code hears; empty for any
/// other line. Rule EVT-18.
fn media(record: &Record) -> &str {
    if matches!(record.kind, Kind::Media | Kind::Event) { &record.name } else { "" }
}

fn text<'a>(record: &'a Record, key: &str) -> Option<&'a Text> {
    record.data.get(key)?.as_text()
}

fn integer(record: &Record, key: &str) -> Option<i64> {
    record.data.get(key)?.as_integer()
}

/// What a knob is set to, as the header says; `None`: as it is by itself.
fn knob<'a>(trace: &'a Trace, name: &str) -> Option<&'a str> {
    let knobs = trace.records.first()?.data.get("knobs")?.as_map()?;
    knobs.get(name)?.as_text().map(|value| &**value)
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
