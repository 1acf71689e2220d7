//! The findings about traces for other programs.

use std::collections::BTreeSet;

use playsim::check::{Finding, Level, Sure};
use playsim::rules::RuleId;
use serde_json::{Value, json};

use super::text::{doubts, judgement};
use super::{Judged, UNKNOWN};
use crate::cli::findings::{Findings, Item, ItemFinding, Severity};

/// Returns each trace with its findings, and the rules that were broken.
pub(super) fn findings(all: &[Judged]) -> Findings {
    let found = all.iter().flat_map(|judged| &judged.findings);
    let rules: BTreeSet<RuleId> = found.map(|(finding, _)| finding.rule).collect();
    let rules = rules.into_iter().map(rule).collect();
    let items = all.iter().map(item).collect();
    Findings::of("playsim check", "trace", items, rules)
}

fn item(judged: &Judged) -> Item {
    let note = doubts(judged).join("; ");
    let verdict = judged.word();
    Item {
        name: judged.file.clone(),
        file: judged.file.clone(),
        verdict,
        skipped: (verdict == UNKNOWN).then(|| note.clone()),
        note,
        findings: judged.findings.iter().map(found).collect(),
        ..Item::default()
    }
}

fn found((finding, line): &(Finding, Option<usize>)) -> ItemFinding {
    let rule = finding.rule.to_string();
    let due = if finding.due.is_empty() {
        String::new()
    } else {
        format!("; due: {}", finding.due)
    };
    let judgement = judgement(finding);
    let what = format!(" {} s {}{due} [{judgement}]", finding.at, finding.seen);
    let text = format!("at{what}\n{}", finding.rule.row().gist);
    let place = line.map_or_else(String::new, |line| format!("line {line}, "));
    ItemFinding {
        severity: match (finding.level, finding.sure) {
            (Level::Fault, Sure::Certain | Sure::Likely) => Severity::Error,
            (Level::Fault, Sure::Depends) => Severity::Warning,
            (Level::Information, _) => Severity::Information,
        },
        title: rule.clone(),
        key: rule.clone(),
        place: line.map(|line| (u32::try_from(line).unwrap_or(u32::MAX), None)),
        gist: finding.seen.clone(),
        detail: Some(format!("{place}{rule}: {text}")),
        message: Some(format!("At{what}.")),
        text,
        rule,
    }
}

fn rule(id: RuleId) -> Value {
    let row = id.row();
    let (gist, source, basis) = (row.gist, row.source, row.basis.word());
    json!({
        "id": id.to_string(),
        "name": id.to_string(),
        "shortDescription": { "text": gist },
        "fullDescription": { "text": gist },
        "help": {
            "text": format!("{gist}\nSource: {source} ({basis}). playsim rules {id} shows it."),
            "markdown": format!("{gist}\n\nSource: {source} ({basis}). `playsim rules {id}` shows it."),
        },
        "properties": { "tags": [id.family(), basis] },
    })
}
