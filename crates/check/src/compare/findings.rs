//! Judges a trace by what its scenario predicts: each difference is a finding, with the rule that
//! asked for the line and with the differences that follow from it.
//!
//! A line of the prediction knows its cause. So a line that is missing because its cause is missing
//! follows from that; lines that nothing asks for and that come one after another are one finding.

use std::collections::{BTreeMap, BTreeSet};

use super::{CasePlace, Compared, Detail, Difference, DifferenceKind, Known, Marks, What, compare};
use crate::diff::Shared;
use crate::judge::{Finding, Level, Sure, brief};
use crate::recording::{Hears, Recording, Tolerance, heard};
use playsim_api::{Kind, UiLine};
use playsim_base::time::{Span, Time};
use playsim_rules::{self as rules, RuleId};
use playsim_scenario::Scenario;
use playsim_trace::{Record, Trace, line_words};
use playsim_vast as vast;

/// A trace held against what its scenario predicts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prediction {
    /// Where they differ: faults first, then by how much a viewer or an advertiser would notice.
    pub findings: Vec<Finding>,
    /// How many lines are the same.
    pub same: usize,
    /// The predicted lines after the end of the trace, in words.
    pub unseen: Vec<String>,
    /// The acts of page code and of the user that only the trace or only the scenario has: then it
    /// is not this scenario that was played, and all findings after the first depend on it.
    pub other_acts: Vec<String>,
    /// From when on nothing is judged, as the trace shows another session than the predicted one.
    pub until: Option<Until>,
    /// Whether it is a trace of playsim, all of whose lines are predicted.
    pub is_own: bool,
    /// Whether all kinds of lines that were heard are predicted. Of a player without the documented
    /// events only what every player shows is compared.
    pub is_whole: bool,
}

/// The first line that a trace does not have in common with the predicted session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Until {
    /// When.
    pub at: Time,
    /// How it differs, as a clause.
    pub why: String,
}

/// Holds a trace against the one that its scenario predicts: `predicted`, a complete trace of a
/// simulation. Times may differ by the tolerance; by default those of a trace of playsim not at
/// all.
#[must_use]
pub fn judge(
    recording: &Recording,
    scenario: &Scenario,
    predicted: &Trace,
    tolerance: Option<Tolerance>,
) -> Prediction {
    let known = Known::of(scenario).with_trace(predicted);
    let trace = &recording.trace;
    let is_own = recording.is_own();
    let predicted = heard(predicted);
    let is_whole = is_own || trace.records.iter().any(|record| record.event().is_some());
    let (recorded, due) = if is_own {
        own_marks(&known, trace, &predicted)
    } else {
        recorded_marks(&known, recording, &predicted, is_whole)
    };
    let default = if is_own {
        Tolerance::EXACT
    } else {
        Tolerance::default()
    };
    let compared = compare(&recorded, &due, tolerance.unwrap_or(default));
    Judging {
        trace,
        predicted: &predicted,
        is_own,
        is_whole,
        asks: "the scenario",
        compared: &compared,
    }
    .prediction()
}

/// The marks of a trace of playsim. Of an excerpt only the names that occur are known to be heard.
fn own_marks(known: &Known, trace: &Trace, predicted: &Trace) -> (Marks, Marks) {
    let has_all = trace.records.iter().try_fold(0_u32, |due, record| {
        (record.seq == due).then(|| record.last_seq().saturating_add(1))
    });
    let names: BTreeSet<(Kind, &str)> = trace
        .records
        .iter()
        .map(|record| (record.kind, &*record.name))
        .collect();
    let hears = |record: &Record| {
        // `ui shown` is no line of playsim.
        (has_all.is_some() && !is_of_recorders(record))
            || names.contains(&(record.kind, &*record.name))
    };
    (known.lines(trace, hears), known.lines(predicted, hears))
}

fn is_of_recorders(record: &Record) -> bool {
    record.is(UiLine::Shown) || record.is(UiLine::Gone)
}

/// The marks of a recording. Where its head does not say what was heard, that are the kinds of
/// lines in it.
pub(super) fn recorded_marks(
    known: &Known,
    recording: &Recording,
    predicted: &Trace,
    is_whole: bool,
) -> (Marks, Marks) {
    let trace = &recording.trace;
    let hears = if recording.head.hears == Hears::all() {
        Hears::kinds_of(trace)
    } else {
        recording.head.hears.clone()
    };
    let shared = Shared::of(trace, predicted);
    let detail = if is_whole {
        Detail::Full(&shared)
    } else {
        Detail::Outline
    };
    (
        known.marks(trace, &hears, detail),
        known.marks(predicted, &hears, detail),
    )
}

/// The trackers of what a viewer does.
pub(super) const OF_ACTS: [&str; 6] =
    ["mute", "unmute", "pause", "resume", "skip", "clickTracking"];

/// A trace, the one that is due, and where they differ.
pub(super) struct Judging<'a> {
    pub(super) trace: &'a Trace,
    pub(super) predicted: &'a Trace,
    pub(super) is_own: bool,
    pub(super) is_whole: bool,
    /// What asks for lines: `the scenario`.
    pub(super) asks: &'static str,
    pub(super) compared: &'a Compared,
}

impl Judging<'_> {
    pub(super) fn prediction(&self) -> Prediction {
        let differences = &self.compared.differences;
        let parents = self.parents();
        let mut doubts: Vec<usize> = (0..differences.len())
            .filter(|index| self.is_other_act(&differences[*index]))
            .collect();
        doubts.retain(|index| parents[*index].is_none());
        let doubt = doubts.iter().map(|index| at(&differences[*index])).min();
        let mut findings: Vec<(usize, Finding)> = Vec::new();
        let roots =
            (0..differences.len()).filter(|it| parents[*it].is_none() && !doubts.contains(it));
        for root in roots {
            let it = &differences[root];
            let mut finding = self.finding(it);
            let follows = (0..differences.len()).filter(|other| root_of(&parents, *other) == root);
            finding.consequences = follows
                .filter(|other| *other != root)
                .map(|other| self.sentence(&differences[other]))
                .collect();
            if doubt.is_some_and(|doubt| at(it) >= doubt) {
                finding.sure = Sure::Depends;
            }
            findings.push((root, finding));
        }
        findings.sort_by_key(|(root, finding)| (finding.level, differences[*root].importance));
        Prediction {
            findings: findings.into_iter().map(|(_, finding)| finding).collect(),
            same: self.compared.same,
            unseen: self.compared.unseen.clone(),
            other_acts: doubts
                .iter()
                .map(|index| self.other_act(&differences[*index]))
                .collect(),
            until: None,
            is_own: self.is_own,
            is_whole: self.is_whole,
        }
    }

    /// Returns whether a difference is an act that only one side has, and nothing made the page do
    /// it.
    fn is_other_act(&self, it: &Difference) -> bool {
        let has_cause = |place: CasePlace| {
            self.predicted
                .record(place.seq)
                .is_some_and(|record| record.cause.is_some())
        };
        it.of == What::Act && !it.simulated.is_some_and(has_cause)
    }

    fn other_act(&self, it: &Difference) -> String {
        let what = &it.what;
        match it.kind {
            DifferenceKind::Extra => format!("only the trace has {what}"),
            DifferenceKind::Missing => format!("only the scenario has {what}"),
            DifferenceKind::Order
            | DifferenceKind::Value
            | DifferenceKind::Time
            | DifferenceKind::Overall => format!("both have it, but not in the same way: {what}"),
        }
    }

    /// Returns for each difference the one that it follows from.
    fn parents(&self) -> Vec<Option<usize>> {
        let differences = &self.compared.differences;
        let mut by_line: BTreeMap<u32, usize> = BTreeMap::new();
        for (index, it) in differences.iter().enumerate() {
            if let Some(place) = it.simulated {
                by_line.entry(place.seq).or_insert(index);
            }
        }
        let same: BTreeSet<u32> = self.compared.pairs.iter().map(|pair| pair.1).collect();
        let mut parents: Vec<Option<usize>> = vec![None; differences.len()];
        for (index, it) in differences.iter().enumerate() {
            parents[index] = match it.simulated {
                Some(place) => self.cause(index, place.seq, &by_line, &same),
                None => None,
            };
        }
        for index in 0..differences.len() {
            if parents[index].is_none() {
                parents[index] = self
                    .neighbour(index)
                    .map(|found| root_of(&parents, found))
                    .filter(|root| *root != index);
            }
        }
        parents
    }

    /// Returns the difference that caused one with a predicted line: the nearest cause that is
    /// compared, if it is missing, or as late as the line.
    fn cause(
        &self,
        index: usize,
        seq: u32,
        by_line: &BTreeMap<u32, usize>,
        same: &BTreeSet<u32>,
    ) -> Option<usize> {
        let differences = &self.compared.differences;
        for link in self.predicted.causes(seq)?.links.iter().skip(1) {
            if let Some(found) = by_line.get(&link.seq).filter(|found| **found != index) {
                let cause = &differences[*found];
                let explains = match cause.kind {
                    DifferenceKind::Missing | DifferenceKind::Time | DifferenceKind::Overall => {
                        true
                    }
                    // What is wrong in a line is wrong in those that follow from it.
                    DifferenceKind::Value => differences[index].kind == DifferenceKind::Value,
                    DifferenceKind::Extra | DifferenceKind::Order => false,
                };
                return Some(*found).filter(|_| explains);
            }
            if same.contains(&link.seq) {
                return None;
            }
        }
        None
    }

    /// Returns the difference at the same place that one belongs to: of lines that are missing, one
    /// with the same cause; of additional lines, the one before, or what is missing in their place.
    fn neighbour(&self, index: usize) -> Option<usize> {
        let differences = &self.compared.differences;
        let it = &differences[index];
        let cause = |it: &Difference| self.predicted.record(it.simulated?.seq)?.cause;
        let is_before = |other: &usize| {
            let other = &differences[*other];
            if it.of == What::Update && it.kind != DifferenceKind::Extra {
                return other.of != What::Update && at(other) <= at(it);
            }
            match it.kind {
                DifferenceKind::Missing => {
                    other.kind == DifferenceKind::Missing
                        && other.after == it.after
                        && cause(it).is_some()
                        && cause(other) == cause(it)
                        && other.simulated.map(|place| place.seq)
                            < it.simulated.map(|place| place.seq)
                }
                DifferenceKind::Extra => {
                    other.after == it.after
                        && (other.kind == DifferenceKind::Missing
                            || other.kind == DifferenceKind::Extra
                                && other.recorded.map(|place| place.seq)
                                    < it.recorded.map(|place| place.seq))
                }
                // What comes late or early after a difference since the line that it counts from
                // follows from that; so does what the same cause moved as far.
                DifferenceKind::Time | DifferenceKind::Overall => {
                    let is_since = at(other) > it.from_us && at(other) <= at(it);
                    let is_one = matches!(
                        other.kind,
                        DifferenceKind::Missing | DifferenceKind::Extra | DifferenceKind::Time
                    );
                    let is_sibling = cause(it).is_some()
                        && cause(other) == cause(it)
                        && other.late_us == it.late_us
                        && other.simulated.map(|place| place.seq)
                            < it.simulated.map(|place| place.seq);
                    is_one && is_since && takes_time(other) || is_sibling
                }
                DifferenceKind::Order | DifferenceKind::Value => false,
            }
        };
        let mut others = (0..differences.len()).filter(|other| *other != index);
        match it.kind {
            DifferenceKind::Missing | DifferenceKind::Extra | DifferenceKind::Order => {
                others.find(is_before)
            }
            DifferenceKind::Time | DifferenceKind::Overall | DifferenceKind::Value => {
                others.rfind(is_before)
            }
        }
    }

    fn finding(&self, it: &Difference) -> Finding {
        let own = it
            .recorded
            .and_then(|place| self.trace.place(place.seq))
            .unwrap_or_else(|| self.due_place(it));
        let rule = self.rule(it);
        let line = &self.trace.records[own];
        let sure = if self.is_own {
            Sure::Certain
        } else {
            Sure::Likely
        };
        let mut finding = Finding::new(rule, own, line, sure, self.sentence(it), self.due(it));
        if let Some(place) = it.recorded {
            finding.seq = place.seq;
        }
        if self.is_own {
            // What playsim writes is what it predicts, whatever the rule rests on.
            finding.level = Level::Fault;
        }
        finding.cost = match it.of {
            What::Content
            | What::Flash
            | What::ContentEnd
            | What::Ad
            | What::Asks
            | What::Tracker { .. }
            | What::Opens => Some(it.importance),
            What::Stranger
            | What::Addition
            | What::Event
            | What::Act
            | What::Update
            | What::Line(_) => None,
        };
        finding
    }

    /// Returns the index of the record after which a missing line is due.
    fn due_place(&self, it: &Difference) -> usize {
        it.after
            .and_then(|(seq, _)| self.trace.place(seq))
            .unwrap_or_default()
    }

    /// Returns the rule that asked for the line; for an additional one the rule of such lines.
    fn rule(&self, it: &Difference) -> RuleId {
        let of_line = |seq: u32| {
            let causes = self.predicted.causes(seq)?;
            causes.links.iter().find_map(|link| link.record.rule)
        };
        let recorded = it.recorded.and_then(|place| self.trace.record(place.seq));
        let has_macro = |record: &Record| {
            let url = record.data.text("url");
            url.is_some_and(|url| !vast::macros(url).is_empty())
        };
        let simulated = it
            .simulated
            .and_then(|place| self.predicted.record(place.seq));
        let is_left = recorded.is_some_and(has_macro) && !simulated.is_some_and(has_macro);
        if it.kind == DifferenceKind::Value && is_left {
            return rules::MAC_1;
        }
        if let Some(rule) = it.simulated.and_then(|place| of_line(place.seq)) {
            return rule;
        }
        let like = |is_it: &dyn Fn(&Record) -> bool| {
            let mut records = self.predicted.records.iter();
            records.find(|record| is_it(record))?.rule
        };
        let of_event = |name: &str| like(&|it| it.kind == Kind::Beacon && *it.name == *name);
        match &it.of {
            What::Tracker { .. } if it.is_again => rules::TRK_1,
            What::Tracker { event, .. } => {
                let of_acts = || OF_ACTS.contains(&&**event).then_some(rules::TRK_12);
                of_event(event).or_else(of_acts).unwrap_or(rules::TRK_5)
            }
            What::Stranger => rules::TRK_17,
            What::Addition => rules::TRK_16,
            What::Asks => rules::REQ_1,
            What::Content
            | What::Flash
            | What::ContentEnd
            | What::Ad
            | What::Opens
            | What::Event
            | What::Act
            | What::Update
            | What::Line(_) => recorded
                .and_then(|record| like(&|it| (it.kind, &it.name) == (record.kind, &record.name)))
                .unwrap_or(rules::INV_4),
        }
    }

    /// Returns the predicted line in words, with its time and the line that asks for it.
    fn due(&self, it: &Difference) -> String {
        let Some(place) = it.simulated else {
            return format!("nothing in {} asks for it", self.asks);
        };
        let Some(causes) = self.predicted.causes(place.seq) else {
            return String::new();
        };
        let mut links = causes.links.iter();
        let line = links.next().map_or_else(String::new, |link| {
            format!("{} at {}", line_words(link.record), link.at)
        });
        match links.next() {
            Some(cause) => format!(
                "{line}, because of {} at {}",
                line_words(cause.record),
                cause.at
            ),
            None => line,
        }
    }

    pub(super) fn sentence(&self, it: &Difference) -> String {
        let what = &it.what;
        match it.kind {
            DifferenceKind::Extra if it.is_again => {
                format!("{what} once more, although nothing asks for it again")
            }
            DifferenceKind::Extra => format!("{what}, although nothing asks for it"),
            DifferenceKind::Missing => format!("missing: {what}"),
            DifferenceKind::Order => format!("{what} comes in another order"),
            DifferenceKind::Value => what.clone(),
            DifferenceKind::Time | DifferenceKind::Overall => {
                let late = it.late_us.unwrap_or_default();
                let by = brief(Span::from_micros(late.unsigned_abs()));
                let way = if late < 0 { "early" } else { "late" };
                format!("{what} is {by} s too {way}")
            }
        }
    }
}

/// Returns whether a difference takes or gives time, such as an ad that plays or does not.
fn takes_time(it: &Difference) -> bool {
    match &it.of {
        What::Ad | What::Content | What::Event | What::Asks | What::Line(_) => true,
        What::Flash
        | What::ContentEnd
        | What::Stranger
        | What::Addition
        | What::Tracker { .. }
        | What::Opens
        | What::Act
        | What::Update => false,
    }
}

/// Returns the difference that one follows from in the end.
fn root_of(parents: &[Option<usize>], index: usize) -> usize {
    let mut root = index;
    // Parents may point at each other only if a trace was made by hand.
    for _ in 0..parents.len() {
        match parents[root] {
            Some(parent) => root = parent,
            None => break,
        }
    }
    root
}

/// Returns the time of a difference, counted from the start of playback.
pub(super) fn at(it: &Difference) -> i64 {
    it.recorded.or(it.simulated).map_or(0, |place| place.at_us)
}
