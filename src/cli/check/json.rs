//! Findings as one JSON object.

use playsim::check::{Finding, Level};
use playsim::time::Span;
use playsim_base::escape;
use serde_json::{Map, Value, json};

use super::Judged;
use super::text::doubts;

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
    let mut trace = Map::new();
    trace.insert("file".into(), judged.file.clone().into());
    trace.insert("lines".into(), judged.lines.into());
    trace.insert("faults".into(), judged.count(Level::Fault).into());
    trace.insert("cannot".into(), judged.cannot.clone().into());
    trace.insert("verdict".into(), judged.word().into());
    trace.insert("doubts".into(), doubts(judged).into());
    let rules = judged.coverage.judged.iter().map(ToString::to_string);
    trace.insert("judged".into(), rules.collect::<Vec<_>>().into());
    let unjudged = judged.coverage.unjudged.iter();
    let unjudged =
        unjudged.map(|(rule, lacks)| json!({ "rule": rule.to_string(), "lacks": lacks }));
    trace.insert("unjudged".into(), unjudged.collect());
    let same = judged.prediction.as_ref().map(|prediction| prediction.same);
    trace.insert("same".into(), same.into());
    let by = match (&judged.prediction, judged.is_scenario_given) {
        (Some(_), true) => Some("scenario"),
        (Some(_), false) => Some("documents"),
        (None, _) => None,
    };
    trace.insert("predicted_by".into(), by.into());
    trace.insert("findings".into(), findings.into());
    Value::Object(trace)
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
