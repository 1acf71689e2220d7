//! Judges a trace from any source by rules alone, without the simulator and without the scenario.
//!
//! What a trace shows is first gathered into a [`Session`]: the ads that were shown with the trackers that were called
//! for each, and the films that were on screen. Each row of [`LAWS`] is a rule with a pure function over it. Documented
//! events are judged by those [invariants](super::invariants) that the trace has the lines for.
//!
//! What a recording cannot hear is never missed, nor is what came before its first line or after its last.

use std::fmt;

use crate::api::Kind;
use crate::recording::Recording;
use crate::rules::{self, RuleId};
use crate::time::Time;
use crate::trace::{PlayerIndex, Record};

mod by_documents;
mod by_lines;
mod excuses;
mod invariants;
mod laws;
mod lines;
mod options;
mod screen;
mod session;
mod showing;
mod spots;

pub use options::{CheckOptions, WITHIN};
use session::Session;

/// Something in a trace that a rule does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: RuleId,
    /// The rule that makes it binding: the rule itself, or the one that an invariant rests on.
    pub rests_on: RuleId,
    /// The index of the record.
    pub record: usize,
    /// The time of the line.
    pub at: Time,
    /// The player of the line; `None` for the page.
    pub player: Option<PlayerIndex>,
    /// What was seen: a clause without a full stop.
    pub seen: String,
    /// What was due instead; empty if the rule's own sentence says it.
    pub due: String,
    /// How sure it is.
    pub sure: Sure,
    /// Whether it is a fault.
    pub level: Level,
    /// The knob in the header that allows it, for a trace of playsim.
    pub knob: Option<&'static str>,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// The lines of the trace show it.
    Certain,
    /// It is inferred: which ad a line belongs to, when something should have come.
    Likely,
    /// Something that the recording cannot tell may explain it.
    Depends,
}

/// What a finding means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A standard or the reference says otherwise.
    Fault,
    /// Only playsim's own choice, or a knob of the run, says otherwise.
    Information,
}

/// A rule with the function that judges by it.
#[derive(Debug, Clone, Copy)]
pub struct TraceLaw {
    /// The rule.
    pub rule: RuleId,
    judge: fn(&Session<'_>, &mut Findings),
}

/// The laws, in the order in which findings at one line are reported.
pub const LAWS: &[TraceLaw] = laws::LAWS;

/// Judges a trace. Findings are in the order of the lines.
#[must_use]
pub fn judge(recording: &Recording, options: &CheckOptions) -> Vec<Finding> {
    let mut session = Session::of(recording, options);
    let has_beacons = recording.trace.records.iter().any(|record| record.kind == Kind::Beacon);
    session.showings = if session.is_own || has_beacons && session.spots.is_empty() {
        by_lines::showings(&session)
    } else {
        by_documents::showings(&session)
    };
    let mut findings = invariants::judge(&session);
    for law in LAWS {
        let mut found = Findings { rule: law.rule, found: Vec::new() };
        (law.judge)(&session, &mut found);
        findings.append(&mut found.found);
    }
    for finding in &mut findings {
        excuses::apply(&session, finding);
    }
    // Stable: findings at one line stay in the order of the laws.
    findings.sort_by_key(|finding| finding.record);
    findings
}

/// The findings of one law.
#[derive(Debug)]
pub(super) struct Findings {
    rule: RuleId,
    found: Vec<Finding>,
}

impl Findings {
    /// Adds a finding at a record of the session.
    fn add(
        &mut self,
        session: &Session<'_>,
        record: usize,
        sure: Sure,
        seen: impl Into<String>,
        due: impl Into<String>,
    ) {
        if let Some(line) = session.trace.records.get(record) {
            self.found.push(Finding::new(self.rule, record, line, sure, seen.into(), due.into()));
        }
    }
}

impl Finding {
    fn new(rule: RuleId, record: usize, line: &Record, sure: Sure, seen: String, due: String) -> Finding {
        let binding = binding(rule);
        let is_fault = binding.is_some() || OF_THE_FORM.contains(&rule);
        let level = if is_fault { Level::Fault } else { Level::Information };
        let rests_on = binding.unwrap_or(rule);
        Finding {
            rule,
            rests_on,
            record,
            at: line.at,
            player: line.player,
            seen,
            due,
            sure,
            level,
            knob: None,
        }
    }
}

/// Returns the rule that makes a rule binding: it rests on a standard or the reference itself, or, as an invariant, on a
/// rule that does.
fn binding(rule: RuleId) -> Option<RuleId> {
    let binds = |rule: &RuleId| rule.row().basis.is_binding();
    std::iter::once(rule).chain(excuses::rests_on(rule)).find(binds)
}

/// The rules of the form of a trace: one that breaks them says nothing reliable.
const OF_THE_FORM: &[RuleId] = &[rules::INV_3, rules::INV_4];

impl Sure {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Sure::Certain => "certain",
            Sure::Likely => "likely",
            Sure::Depends => "depends on what the recording cannot tell",
        }
    }
}

impl Level {
    /// The word in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Level::Fault => "fault",
            Level::Information => "information",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} (record {}): {}", self.rule, self.at, self.record, self.seen)?;
        if self.due.is_empty() { Ok(()) } else { write!(f, "; due: {}", self.due) }
    }
}
