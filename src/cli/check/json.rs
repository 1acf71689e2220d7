//! Findings as one JSON object.

use playsim::check::{Finding, Level};
use playsim::time::Span;
use playsim_base::escape;
use serde_json::{Value, json};

use super::text::doubts;
use super::{Judged, Predicted};

/// The version of the form.
const VERSION: u32 = 1;

/// Returns the findings of all traces. Times are whole microseconds, as in traces.
pub(super) fn json(all: &[Judged], within: Span) -> String {
    let traces: Vec<Value> = all.iter().map(trace).collect();
    let report = json!({ "version": VERSION, "within": within.micros(), "traces": traces });
    format!("{}\n", escape::json(&format!("{report:#}")))
}

fn trace(judged: &Judged) -> Value {
    let findings: Vec<Value> = judged
        .findings
        .iter()
        .map(|(finding, line)| found(finding, *line))
        .collect();
    let rules = judged.coverage.judged.iter().map(ToString::to_string);
    let unjudged = judged.coverage.unjudged.iter();
    let unjudged =
        unjudged.map(|(rule, lacks)| json!({ "rule": rule.to_string(), "lacks": lacks }));
    let by = match &judged.predicted {
        Predicted::ByScenario(_) => Some("scenario"),
        Predicted::ByDocuments(_) => Some("documents"),
        Predicted::Not(_) => None,
    };
    json!({
        "file": judged.file,
        "lines": judged.lines,
        "faults": judged.count(Level::Fault),
        "cannot": judged.cannot,
        "verdict": judged.word(),
        "doubts": doubts(judged),
        "judged": rules.collect::<Vec<_>>(),
        "unjudged": unjudged.collect::<Vec<_>>(),
        "same": judged.predicted.same(),
        "predicted_by": by,
        "findings": findings,
    })
}

fn found(finding: &Finding, line: Option<usize>) -> Value {
    let row = finding.rule.row();
    let due = if finding.due.is_empty() {
        row.gist
    } else {
        &finding.due
    };
    json!({
        "rule": finding.rule.to_string(),
        "level": finding.level.word(),
        "sure": finding.sure.word().split(' ').next(),
        "line": line,
        "t": finding.at.micros(),
        "seen": finding.seen,
        "due": due,
        "gist": row.gist,
        "basis": finding.rests_on.row().basis.word(),
        "rests_on": finding.rests_on.to_string(),
        "source": row.source,
        "knob": finding.knob,
        "cost": finding.cost.map(|cost| cost.words()),
        "consequences": finding.consequences,
    })
}
