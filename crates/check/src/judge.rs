//! Judges a trace from any source by rules alone, without the simulator and without the scenario.
//!
//! The content of a trace is gathered into a [`Session`]: the lines of each player with their
//! breaks, the ads that were shown with the trackers that were called for each, the films that were
//! on screen. [`LAWS`] is the table: each row is a rule, the lines that a trace must hear for it,
//! and a pure function over the session. A trace of playsim is exact, and judged by all rows. A
//! line that a recording cannot hear is never missed, nor is what came before its first line or
//! after its last; and the order of lines that are closer together than
//! [`TOGETHER`](crate::recording::TOGETHER) is not judged there.

use std::fmt;

use crate::compare::Importance;
use crate::recording::Recording;
use playsim_base::time::{Span, Time};
use playsim_rules::{self as rules, RuleId};
use playsim_trace::{PlayerIndex, Record, Trace};

mod by_documents;
mod by_lines;
mod coverage;
mod excuses;
mod laws;
mod line;
mod lines;
mod needs;
mod options;
mod placed;
mod screen;
mod session;
mod settle;
mod showing;
mod spots;

pub use coverage::Coverage;
pub use laws::LAWS;
pub(crate) use lines::brief;
use needs::Need;
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
    /// The sequence number of the record.
    pub seq: u32,
    /// The time of the line.
    pub at: Time,
    /// The player of the line; `None` for the page.
    pub player: Option<PlayerIndex>,
    /// The observation: a clause without a full stop.
    pub seen: String,
    /// The expected behaviour; empty if the rule's own sentence says it.
    pub due: String,
    /// How sure it is.
    pub sure: Sure,
    /// Whether it is a fault.
    pub level: Level,
    /// The knob in the header that allows it, for a trace of playsim.
    pub knob: Option<&'static str>,
    /// What a viewer or an advertiser would notice, if that is known.
    pub cost: Option<Importance>,
    /// What follows from it: a clause each.
    pub consequences: Vec<String>,
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// The lines of the trace show it.
    Certain,
    /// It is inferred: which ad a line belongs to, when something was due.
    Likely,
    /// Something that the recording does not show may explain it.
    Depends,
}

/// The meaning of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A standard or the reference says otherwise.
    Fault,
    /// Only playsim's own choice, or a knob of the run, says otherwise.
    Information,
}

/// A row of the table: a rule, the lines that a trace must hear for it, and the function that
/// judges by it.
#[derive(Debug, Clone, Copy)]
pub struct TraceLaw {
    /// The rule.
    pub rule: RuleId,
    needs: &'static [Need],
    judge: fn(&Session<'_>, &mut Findings<'_>),
    /// The rules whose finding on the same record implies one of this rule, which is not repeated
    /// then.
    implied_by: &'static [RuleId],
}

impl TraceLaw {
    /// Returns whether it holds for the traces of playsim as an invariant, whatever the scenario
    /// and the knobs.
    #[must_use]
    pub fn is_invariant(&self) -> bool {
        self.rule.family() == rules::INV_3.family()
    }

    /// Judges a trace of playsim by this law alone. Findings are in the order of the lines.
    #[must_use]
    pub fn judge(&self, trace: &Trace) -> Vec<Finding> {
        let options = CheckOptions::default();
        let mut found = self.findings(&Session::of_trace(trace, &options));
        found.sort_by_key(|finding| finding.record);
        found
    }

    fn findings(&self, session: &Session<'_>) -> Vec<Finding> {
        let mut findings = Findings {
            rule: self.rule,
            trace: session.trace,
            found: Vec::new(),
        };
        if self.needs.iter().all(|need| need.is_met(session)) {
            (self.judge)(session, &mut findings);
        }
        findings.found
    }
}

/// Judges a trace. Findings are in the order of the lines.
///
/// A trace of playsim is judged by its own lines, and once more as a recorder would have heard it.
#[must_use]
pub fn judge(recording: &Recording, options: &CheckOptions) -> Vec<Finding> {
    let hears = &recording.head.hears;
    if !recording.is_own() {
        return judge_recording(recording, options, Span::ZERO);
    }
    let session = Session::new(&recording.trace, hears, options);
    let mut findings = judge_session(&session);
    // What a knob allows, only the trace itself says.
    if session.has_knobs() || !session.is_complete || recording.trace.is_cut_short() {
        return findings;
    }
    let own: Vec<(RuleId, u32)> = findings.iter().map(|it| (it.rule, it.seq)).collect();
    let is_told = |it: &Finding| own.iter().any(|own| own.0 == it.rule || own.1 == it.seq);
    let heard = recording.as_recorded();
    let further = judge_recording(&heard, options, STAYS).into_iter();
    let further = further.filter(|it| !is_told(it) && it.sure == Sure::Certain);
    findings.extend(further.filter_map(|it| {
        let record = recording.trace.place(it.seq)?;
        Some(Finding { record, ..it })
    }));
    findings.sort_by_key(|finding| finding.record);
    findings
}

/// How long a run without anything left to do stays as it is, for laws that wait.
const STAYS: Span = Span::from_secs(60);

/// Judges a recording, after whose last line nothing happened for this long.
fn judge_recording(recording: &Recording, options: &CheckOptions, stays: Span) -> Vec<Finding> {
    let settled = settle::settled(&recording.trace);
    let trace = settled.as_ref().map_or(&recording.trace, |it| &it.trace);
    let mut session = Session::new(trace, &recording.head.hears, options);
    session.end += stays;
    let mut findings = judge_session(&session);
    for finding in &mut findings {
        finding.record = settled
            .as_ref()
            .map_or(finding.record, |it| it.places[finding.record]);
    }
    findings.sort_by_key(|finding| finding.record);
    findings
}

fn judge_session(session: &Session<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for law in LAWS {
        findings.extend(law.findings(session));
    }
    let broken: Vec<(usize, RuleId)> = findings.iter().map(|it| (it.record, it.rule)).collect();
    findings.retain(|finding| {
        let law = LAWS.iter().find(|law| law.rule == finding.rule);
        let implied_by = law.map_or(&[][..], |law| law.implied_by);
        !implied_by
            .iter()
            .any(|by| broken.contains(&(finding.record, *by)))
    });
    for finding in &mut findings {
        if session.is_complete {
            // What playsim writes follows its own choices, too.
            finding.level = Level::Fault;
        }
        excuses::apply(session, finding);
    }
    // Stable: findings at one line stay in the order of the table.
    findings.sort_by_key(|finding| finding.record);
    findings
}

/// Judges a trace of playsim by the invariants alone. Findings are in the order of the table, then
/// of the lines.
#[must_use]
pub fn invariants(trace: &Trace) -> Vec<Finding> {
    let options = CheckOptions::default();
    let session = Session::of_trace(trace, &options);
    let rows = LAWS.iter().filter(|law| law.is_invariant());
    let found = rows.flat_map(|law| {
        let mut found = law.findings(&session);
        found.sort_by_key(|finding| finding.record);
        found
    });
    found.collect()
}

/// The findings of one law.
#[derive(Debug)]
struct Findings<'s> {
    rule: RuleId,
    trace: &'s Trace,
    found: Vec<Finding>,
}

impl Findings<'_> {
    /// Adds a finding at a record of the session.
    fn add(&mut self, record: usize, sure: Sure, seen: impl Into<String>, due: impl Into<String>) {
        if let Some(line) = self.trace.records.get(record) {
            self.found.push(Finding::new(
                self.rule,
                record,
                line,
                sure,
                seen.into(),
                due.into(),
            ));
        }
    }

    /// Adds a finding that a line itself shows.
    fn broken(&mut self, record: &Record, seen: impl Into<String>) {
        self.broken_at(record, record.at, seen);
    }

    /// Says of the last finding that something else may explain it.
    fn doubt(&mut self) {
        if let Some(last) = self.found.last_mut() {
            last.sure = Sure::Depends;
        }
    }

    /// Adds a finding that one line of a record shows.
    fn broken_at(&mut self, record: &Record, at: Time, seen: impl Into<String>) {
        // A record of the trace tells its place by its address: a search would cost its square in a
        // trace with many findings.
        let records = &self.trace.records;
        let distance = (&raw const *record)
            .addr()
            .checked_sub(records.as_ptr().addr());
        let place = distance.map(|distance| distance / size_of::<Record>());
        if let Some(place) = place.filter(|place| *place < records.len()) {
            let found = Finding::new(
                self.rule,
                place,
                record,
                Sure::Certain,
                seen.into(),
                String::new(),
            );
            self.found.push(Finding { at, ..found });
        }
    }
}

impl Finding {
    pub(crate) fn new(
        rule: RuleId,
        record: usize,
        line: &Record,
        sure: Sure,
        seen: String,
        due: String,
    ) -> Finding {
        let binding = binding(rule);
        let is_fault =
            (binding.is_some() || OF_THE_FORM.contains(&rule)) && !OF_SCRIPTS.contains(&rule);
        let level = if is_fault {
            Level::Fault
        } else {
            Level::Information
        };
        let rests_on = binding.unwrap_or(rule);
        Finding {
            rule,
            rests_on,
            record,
            seq: line.seq,
            at: line.at,
            player: line.player,
            seen,
            due,
            sure,
            level,
            knob: None,
            cost: None,
            consequences: Vec::new(),
        }
    }
}

/// Returns the rule that makes a rule binding: it rests on a standard or the reference itself, or,
/// as an invariant, on a rule that does.
fn binding(rule: RuleId) -> Option<RuleId> {
    let binds = |rule: &RuleId| rule.row().basis.is_binding();
    std::iter::once(rule)
        .chain(excuses::rests_on(rule))
        .find(binds)
}

/// The rules of what an element does on its own. A script may do otherwise, which no standard
/// forbids.
const OF_SCRIPTS: &[RuleId] = &[rules::MEL_12];

/// The rules of what no prediction is compared with: how far media elements get, what fails on the
/// page, films that nobody names, and the data of events if a recorder leaves them out.
pub const UNPREDICTED: &[RuleId] = &[
    rules::BRK_6,
    rules::TRK_17,
    rules::SCR_1,
    rules::SCR_4,
    rules::BRK_17,
    rules::TIME_2,
    rules::MEL_12,
    rules::MEL_13,
];

/// The rules of the form of a trace: one that breaks them says nothing reliable.
pub const OF_THE_FORM: &[RuleId] = &[rules::CLK_7, rules::INV_3, rules::INV_4];

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
        write!(
            f,
            "{} at {} (line {}): {}",
            self.rule, self.at, self.seq, self.seen
        )?;
        if self.due.is_empty() {
            Ok(())
        } else {
            write!(f, "; due: {}", self.due)
        }
    }
}
