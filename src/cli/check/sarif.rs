//! Findings as SARIF 2.1.0, the form that code scanning reads.
//!
//! Source: OASIS SARIF 2.1.0; the properties that GitHub requires of an upload.

use std::collections::BTreeSet;

use playsim::check::Finding;
use playsim::internal::escape;
use playsim::rules::RuleId;
use serde_json::{Value, json};

use super::Judged;
use super::text::{judgement, severity};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the report: one run, whose rules are those that were broken.
pub(super) fn sarif(all: &[Judged]) -> String {
    let found = all.iter().flat_map(|judged| &judged.findings);
    let rules: Vec<RuleId> =
        found.map(|(finding, _)| finding.rule).collect::<BTreeSet<_>>().into_iter().collect();
    let results: Vec<Value> = all
        .iter()
        .flat_map(|judged| {
            judged.findings.iter().map(|(finding, line)| result(judged, finding, *line, &rules))
        })
        .collect();
    let driver = json!({
        "name": "playsim",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.iter().copied().map(rule).collect::<Vec<_>>(),
    });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{}\n", escape::json(&format!("{log:#}")))
}

fn rule(id: RuleId) -> Value {
    let row = id.row();
    let command = format!("playsim rules {id}");
    let help = format!("{}\nSource: {} ({}). {command} shows it.", row.gist, row.source, row.basis.word());
    json!({
        "id": id.to_string(),
        "name": id.to_string(),
        "shortDescription": { "text": row.gist },
        "fullDescription": { "text": row.gist },
        "help": {
            "text": help,
            "markdown": format!("{}\n\nSource: {} ({}). `{command}` shows it.", row.gist, row.source, row.basis.word()),
        },
        "properties": { "tags": [id.family(), row.basis.word()] },
    })
}

fn result(judged: &Judged, finding: &Finding, line: Option<usize>, rules: &[RuleId]) -> Value {
    let due = if finding.due.is_empty() { String::new() } else { format!("; due: {}", finding.due) };
    let text = format!("At {} s {}{due} [{}].", finding.at, finding.seen, judgement(finding));
    // GitHub shows only results that have a line.
    let region = json!({ "startLine": line.unwrap_or(1) });
    let fingerprint = format!("{}:{}:{}", finding.rule, line.unwrap_or(0), finding.at.micros());
    json!({
        "ruleId": finding.rule.to_string(),
        "ruleIndex": rules.iter().position(|rule| *rule == finding.rule),
        "level": severity(finding, "note"),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&judged.file) },
                "region": region,
            },
        }],
        "partialFingerprints": { "playsimFinding/v1": fingerprint },
    })
}

/// Returns the name of a file as a relative URI.
fn uri(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let escaped = file.replace('\\', "/");
    escaped
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
