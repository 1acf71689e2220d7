//! Findings for people.

use playsim::check::{Finding, Level, OF_THE_FORM};
use playsim::import::Gap;
use playsim::rules::Basis;

use playsim_base::words::{counted, wrap};

use super::{Judged, Predicted};
use crate::cli::width;

/// The column at which the text of a finding begins.
const INDENT: usize = 32;

/// Returns the findings of all traces as text.
pub(super) fn text(all: &[Judged]) -> String {
    let mut text = String::new();
    for judged in all {
        text.push_str(&format!(
            "{:8}  {}: {}\n",
            judged.word(),
            judged.file,
            scope(judged)
        ));
        for doubt in doubts(judged) {
            for line in wrap(&doubt, width().saturating_sub(2).max(40)) {
                text.push_str(&format!("  {line}\n"));
            }
        }
        if let Some(cannot) = &judged.cannot {
            text.push_str(&format!(
                "  the recorder says that it cannot show the case: {cannot}\n"
            ));
        }
        for (finding, line) in &judged.findings {
            let place = line.map_or_else(String::new, |line| format!("line {line}"));
            let Finding { at, seen, .. } = finding;
            let rule = finding.rule.to_string();
            text.push_str(&format!("  {place:9} {at:>11}  {rule:6} {seen}\n"));
            let mut notes: Vec<String> = Vec::new();
            if !finding.due.is_empty() {
                notes.push(format!("due: {}", finding.due));
            }
            notes.push(judgement(finding));
            notes.push(finding.rule.row().gist.to_owned());
            notes.extend(consequences(finding));
            for line in notes
                .iter()
                .flat_map(|note| wrap(note, width().saturating_sub(INDENT).max(40)))
            {
                text.push_str(&format!("{:INDENT$}{line}\n", ""));
            }
        }
    }
    text
}

/// Says what a trace was judged by.
fn scope(judged: &Judged) -> String {
    let rules = format!(
        "{} judged, {} not",
        counted(judged.coverage.judged.len(), "rule"),
        judged.coverage.unjudged.len()
    );
    let same = counted(judged.predicted.same().unwrap_or_default(), "line");
    match &judged.predicted {
        Predicted::ByDocuments(_) => {
            format!("{same} as its own documents predict; {rules}")
        }
        Predicted::ByScenario(prediction) if prediction.is_whole => {
            format!("{same} as its scenario predicts")
        }
        Predicted::ByScenario(_) => format!("{same} as its scenario predicts; {rules}"),
        Predicted::Not(_) => rules,
    }
}

/// The most times that are told in which a recording is another session than the predicted one.
const GAPS: usize = 3;

/// Says what is not known of a trace, a sentence each.
pub(super) fn doubts(judged: &Judged) -> Vec<String> {
    let mut doubts = Vec::new();
    match &judged.predicted {
        Predicted::ByScenario(prediction) => {
            if let Some(first) = prediction.other_acts.first() {
                doubts.push(format!(
                    "not what this scenario plays: {first}; what differs from there on may follow from it"
                ));
            }
            if let Some(first) = prediction.unseen.first() {
                doubts.push(format!(
                    "the trace ends before {} that the scenario predicts, the first: {first}",
                    counted(prediction.unseen.len(), "line")
                ));
            }
        }
        Predicted::ByDocuments(replayed) => {
            let gaps = &replayed.gaps;
            doubts.extend(gaps.iter().take(GAPS).map(|Gap { from, to, why, .. }| {
                let to = to.map_or("on".to_owned(), |to| format!("to {to}"));
                format!(
                    "judged by rules alone from {from} {to}: its documents predict another session: {why}"
                )
            }));
            if gaps.len() > GAPS {
                let more = counted(gaps.len() - GAPS, "more time");
                doubts.push(format!("judged by rules alone in {more}"));
            }
        }
        Predicted::Not(Some(reason)) => doubts.push(format!("judged by rules alone: {reason}")),
        Predicted::Not(None) => {}
    }
    if judged.coverage.is_cut {
        doubts.push("the trace has no end: its last line is not an outcome".to_owned());
    }
    if !judged.coverage.unknown_events.is_empty() {
        let names = judged.coverage.unknown_events.join(", ");
        doubts.push(format!(
            "events with unknown names, which no rule judges: {names}"
        ));
    }
    for (rule, missing) in &judged.unjudged {
        doubts.push(format!("{rule} was not judged: the trace lacks {missing}"));
    }
    doubts
}

/// The most consequences of a finding that are listed.
const CONSEQUENCES: usize = 4;

/// Says what a finding costs and what follows from it.
fn consequences(finding: &Finding) -> Vec<String> {
    let mut notes: Vec<String> = finding
        .cost
        .iter()
        .map(|cost| cost.words().to_owned())
        .collect();
    let all = finding.consequences.len();
    let listed = finding.consequences.iter().take(CONSEQUENCES);
    notes.extend(listed.map(|it| format!("follows: {it}")));
    if all > CONSEQUENCES {
        notes.push(format!("follows: {} more", all - CONSEQUENCES));
    }
    notes
}

/// Says what a finding means, and how sure it is.
pub(super) fn judgement(finding: &Finding) -> String {
    let basis = finding.rests_on.row().basis.word();
    match (finding.level, finding.knob) {
        (Level::Fault, _) if finding.rests_on != finding.rule => {
            format!(
                "fault ({}: {basis}), {}",
                finding.rests_on,
                finding.sure.word()
            )
        }
        (Level::Fault, _) if OF_THE_FORM.contains(&finding.rests_on) => {
            format!("fault (the form of a trace), {}", finding.sure.word())
        }
        (Level::Fault, _) if finding.rests_on.row().basis == Basis::Chosen => format!(
            "fault (a choice of playsim, which wrote the trace), {}",
            finding.sure.word()
        ),
        (Level::Fault, _) => format!("fault ({basis}), {}", finding.sure.word()),
        (Level::Information, Some(knob)) => {
            format!(
                "information: {knob} in the header allows it; {}",
                finding.sure.word()
            )
        }
        (Level::Information, None) => {
            format!(
                "information ({basis}: a choice of playsim), {}",
                finding.sure.word()
            )
        }
    }
}
