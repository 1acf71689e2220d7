//! The invariants: what is true of every trace, whatever the scenario.
//!
//! Each has a row in the table and a pure function, which sees only the lines of a trace and reports a
//! [`BrokenInvariant`] for every line that breaks the invariant. What no line contains (a position, an index) is
//! checked from the getters that the scenario reads; a scenario that reads none is checked less.
//!
//! Invariants that compare two runs (INV-1, INV-2, INV-23, INV-24, INV-26) are properties of an engine rather
//! than of a trace, and are tested elsewhere.
//!
//! Rules: INV-3 to INV-18, INV-20 to INV-22.

use std::fmt;

use crate::api::{Fields, LineName, MakingLine, Value};
use crate::knobs::Knobs;
use crate::rules::{self, RuleId};
use crate::time::Time;
use crate::trace::{PlayerIndex, Record, Trace};

mod ads;
mod answers;
mod breaks;
mod content;
pub(in crate::check) mod line;
mod order;
pub(in crate::check) mod placed;
mod position;
mod settings;

use ads::AdLine;
use breaks::Breaks;
use line::Line;
use placed::{Placed, placed};

/// A line that breaks an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenInvariant {
    /// The invariant that is broken.
    pub rule: RuleId,
    /// The sequence number of the line.
    pub seq: u32,
    /// The time of the line.
    pub at: Time,
    /// The player of the line; `None` for the page.
    pub player: Option<PlayerIndex>,
    /// A sentence that says what is wrong.
    pub text: String,
}

/// An invariant: one row of the table.
#[derive(Debug)]
pub struct Invariant {
    /// Its rule.
    pub rule: RuleId,
    finds: fn(&Case<'_>, &mut Findings<'_>),
}

impl Invariant {
    /// What it says, in a sentence or two.
    #[must_use]
    pub fn gist(&self) -> &'static str {
        self.rule.row().gist
    }

    /// Checks a trace against it alone. Findings are in the order of the lines.
    #[must_use]
    pub fn judge(&self, trace: &Trace) -> Vec<BrokenInvariant> {
        self.judge_case(&Case::new(trace))
    }

    fn judge_case(&self, case: &Case<'_>) -> Vec<BrokenInvariant> {
        let mut findings = Findings { rule: self.rule, knobs: &case.knobs, found: Vec::new() };
        (self.finds)(case, &mut findings);
        findings.found.sort_by_key(|finding| finding.seq);
        findings.found
    }
}

/// All invariants that a single trace can break.
pub const INVARIANTS: &[Invariant] = &[
    Invariant { rule: rules::INV_3, finds: order::time_and_numbers },
    Invariant { rule: rules::INV_4, finds: order::causes },
    Invariant { rule: rules::INV_5, finds: order::once_in_a_life },
    Invariant { rule: rules::INV_6, finds: content::ended_after_play },
    Invariant { rule: rules::INV_7, finds: content::start_after_play },
    Invariant { rule: rules::INV_8, finds: ads::no_content_events },
    Invariant { rule: rules::INV_9, finds: content::stopped_by_calls },
    Invariant { rule: rules::INV_10, finds: ads::errors_in_their_place },
    Invariant { rule: rules::INV_11, finds: breaks::one_end },
    Invariant { rule: rules::INV_12, finds: breaks::requests_add_up },
    Invariant { rule: rules::INV_13, finds: ads::one_way_through },
    Invariant { rule: rules::INV_14, finds: ads::resumed_when_paused },
    Invariant { rule: rules::INV_15, finds: position::moves_when_playing },
    Invariant { rule: rules::INV_16, finds: content::index_in_list },
    Invariant { rule: rules::INV_17, finds: settings::changes_are_changes },
    Invariant { rule: rules::INV_18, finds: content::complete_after_ended },
    Invariant { rule: rules::INV_20, finds: answers::none_from_the_engine },
    Invariant { rule: rules::INV_21, finds: answers::none_for_items_without_ads },
    Invariant { rule: rules::INV_22, finds: position::even_time_updates },
];

/// Checks a trace against all of them. Findings are in the order of the table, then of the lines.
#[must_use]
pub fn judge(trace: &Trace) -> Vec<BrokenInvariant> {
    judge_by(trace, |_| true)
}

/// Checks a trace against some of them.
pub(super) fn judge_by(trace: &Trace, is_chosen: impl Fn(RuleId) -> bool) -> Vec<BrokenInvariant> {
    let case = Case::new(trace);
    let chosen = INVARIANTS.iter().filter(|invariant| is_chosen(invariant.rule));
    chosen.flat_map(|invariant| invariant.judge_case(&case)).collect()
}

/// The findings of one invariant.
#[derive(Debug)]
struct Findings<'a> {
    rule: RuleId,
    /// The knobs of the run.
    knobs: &'a Knobs,
    found: Vec<BrokenInvariant>,
}

impl Findings<'_> {
    /// Adds a finding for a record.
    fn add(&mut self, record: &Record, text: impl Into<String>) {
        self.add_at(record, record.seq, record.at, text);
    }

    /// Adds a finding for one line of a record.
    fn add_at(&mut self, record: &Record, seq: u32, at: Time, text: impl Into<String>) {
        let text = text.into();
        self.found.push(BrokenInvariant { rule: self.rule, seq, at, player: record.player, text });
    }
}

impl fmt::Display for BrokenInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} (line {}): {}", self.rule, self.at, self.seq, self.text)
    }
}

/// A trace, with what several invariants need to know of it.
#[derive(Debug)]
struct Case<'a> {
    trace: &'a Trace,
    /// The knobs of the run.
    knobs: Knobs,
    lines: Vec<Line<'a>>,
    players: Vec<Lines<'a>>,
}

/// The lines of one player.
#[derive(Debug)]
struct Lines<'a> {
    placed: Vec<Placed<'a>>,
    with_ads: Vec<AdLine<'a>>,
    breaks: Breaks<'a>,
}

impl<'a> Case<'a> {
    fn new(trace: &'a Trace) -> Case<'a> {
        // A recording that names no player is one of a single player.
        let is_of_one = trace.players.is_empty();
        let lines: Vec<Line<'_>> = trace.records.iter().map(Line::of).collect();
        let room = lines.len() / trace.players.len().max(1);
        let with_room = || Vec::with_capacity(room);
        let mut of_players: Vec<Vec<&Line<'_>>> = Vec::new();
        of_players.resize_with(trace.players.len().max(1), with_room);
        for line in &lines {
            let number = if is_of_one { Some(0) } else { line.player.map(|PlayerIndex(own)| own.into()) };
            if let Some(own) = number.and_then(|number: usize| of_players.get_mut(number)) {
                own.push(line);
            }
        }
        // The invariants of players do not apply to bare media elements.
        let is_player = |lines: &&Vec<&Line<'_>>| {
            lines.first().is_some_and(|first| is_of_one || !first.is(MakingLine::Element))
        };
        let players = of_players.iter().filter(is_player).map(|lines| Lines::new(trace, lines)).collect();
        Case { trace, knobs: knobs(trace), lines, players }
    }

    /// The lines of each player.
    fn players(&self) -> impl Iterator<Item = &Lines<'a>> {
        self.players.iter()
    }

    /// The lines of all players, one player after another, each with whether an ad is on.
    fn ad_lines(&self) -> impl Iterator<Item = AdLine<'a>> {
        self.players.iter().flat_map(|lines| lines.with_ads.iter().copied())
    }
}

impl<'a> Lines<'a> {
    fn new(trace: &'a Trace, lines: &[&Line<'a>]) -> Lines<'a> {
        let placed: Vec<Placed<'a>> = placed(trace, &mut lines.iter().map(|line| **line)).collect();
        Lines { with_ads: ads::with_ads(&placed), breaks: Breaks::of(&placed), placed }
    }

    fn records(&self) -> impl Iterator<Item = &Line<'a>> {
        self.placed.iter().map(|placed| &placed.record)
    }

    fn placed(&self) -> &[Placed<'a>] {
        &self.placed
    }
}

/// Returns the knobs of the run: the header lists those that differ from the default. Rule TRACE-6.
fn knobs(trace: &Trace) -> Knobs {
    let mut knobs = Knobs::default();
    let listed = trace.records.first().and_then(|header| header.data.get("knobs")).and_then(Value::as_map);
    for (name, value) in listed.into_iter().flat_map(Fields::iter) {
        // A trace written by hand may name a knob that does not exist, which has no effect.
        let _ = value.as_text().map(|value| knobs.set(name, value));
    }
    knobs
}

/// Returns what a call returned, unless it failed.
fn returned(record: &Record, call: impl Into<LineName>) -> Option<&Value> {
    if record.is(call) { record.data.get("returns") } else { None }
}

/// Returns whether a call has an argument that has an effect.
fn has_argument(record: &Record) -> bool {
    match record.data.get("args") {
        Some(Value::List(args)) => args.first().is_some_and(|first| *first != Value::Undefined),
        _ => false,
    }
}
