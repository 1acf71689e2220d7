//! Findings for people: as text, and as annotations of GitHub.

use playsim::check::{Finding, Level, Sure};
use playsim::rules::Basis;

use playsim_base::words::wrap;

use super::Judged;
use crate::cli::github::{data, property};
use crate::cli::width;

/// The column at which the text of a finding begins.
const INDENT: usize = 32;

/// Returns the findings of all traces as text.
pub(super) fn text(all: &[Judged]) -> String {
    let mut text = String::new();
    for judged in all {
        let faults = judged.count(Level::Fault);
        let word = if faults > 0 { "faulty" } else { "ok" };
        text.push_str(&format!("{word:8}  {}\n", judged.file));
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
        (Level::Fault, _) if finding.rests_on.row().basis == Basis::Chosen => {
            format!("fault (the form of a trace), {}", finding.sure.word())
        }
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

/// Returns the findings as workflow commands of GitHub: an error for a fault, a warning for one
/// that depends on what the recording cannot tell, a notice for information.
pub(super) fn github(all: &[Judged]) -> String {
    let mut text = String::new();
    for judged in all {
        let file = property(&judged.file);
        for (finding, line) in &judged.findings {
            let command = severity(finding, "notice");
            let line = line.map_or_else(String::new, |line| format!(",line={line}"));
            let title = property(&format!("playsim: {}", finding.rule));
            let message = data(&message(finding));
            text.push_str(&format!(
                "::{command} file={file}{line},title={title}::{message}\n"
            ));
        }
    }
    text
}

/// Returns the severity of a finding for other programs, which have their own word for information.
pub(super) fn severity(finding: &Finding, information: &'static str) -> &'static str {
    match (finding.level, finding.sure) {
        (Level::Fault, Sure::Certain | Sure::Likely) => "error",
        (Level::Fault, Sure::Depends) => "warning",
        (Level::Information, _) => information,
    }
}

/// Returns a finding in sentences.
pub(super) fn message(finding: &Finding) -> String {
    let due = if finding.due.is_empty() {
        String::new()
    } else {
        format!("; due: {}", finding.due)
    };
    let Finding { at, seen, .. } = finding;
    format!(
        "at {at} s {seen}{due} [{}]\n{}",
        judgement(finding),
        finding.rule.row().gist
    )
}
