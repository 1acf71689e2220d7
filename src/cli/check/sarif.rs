//! Findings as SARIF 2.1.0, the form that code scanning reads.
//!
//! Source: OASIS SARIF 2.1.0; the properties that GitHub requires of an upload.

use std::collections::{BTreeMap, BTreeSet};

use playsim::check::Finding;
use playsim::rules::RuleId;
use playsim_base::escape;
use serde_json::{Value, json};

use super::Judged;
use super::text::{judgement, severity};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Returns the report: one run, whose rules are those that were broken.
pub(super) fn sarif(all: &[Judged]) -> String {
    let found = all.iter().flat_map(|judged| &judged.findings);
    let rules: Vec<RuleId> = found
        .map(|(finding, _)| finding.rule)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let results = all.iter().flat_map(|judged| {
        let found =
            |(finding, line): &(Finding, Option<usize>)| result(judged, finding, *line, &rules);
        judged.findings.iter().map(found)
    });
    log(rules.iter().copied().map(rule).collect(), results.collect())
}

/// Returns a log with these rules and results.
pub(in crate::cli) fn log(rules: Vec<Value>, mut results: Vec<Value>) -> String {
    number(&mut results);
    let driver =
        json!({ "name": "playsim", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{}\n", escape::json(&format!("{log:#}")))
}

/// The name of the fingerprint of a result.
const FINGERPRINT: &str = "playsimFinding/v2";

/// Tells results apart that have the same fingerprint, by their order.
fn number(results: &mut [Value]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for result in results {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].to_string();
        let print = &mut result["partialFingerprints"][FINGERPRINT];
        let text = print.as_str().unwrap_or_default().to_owned();
        let times = seen.entry(format!("{uri} {text}")).or_default();
        *times += 1;
        *print = format!("{text}:{times}").into();
    }
}

/// Returns a fingerprint: what was found, without the numbers in it, which are others in the next
/// recording.
pub(in crate::cli) fn fingerprint(rule: &str, text: &str) -> Value {
    let mut steady = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' if steady.ends_with('#') => {}
            '0'..='9' => steady.push('#'),
            '.' if steady.ends_with('#') => {}
            _ => steady.push(letter),
        }
    }
    json!({ FINGERPRINT: format!("{rule}:{:016x}", code_of(&steady)) })
}

/// Returns a number for a text that is the same everywhere (FNV-1a).
fn code_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |code, byte| {
        (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn rule(id: RuleId) -> Value {
    let row = id.row();
    let command = format!("playsim rules {id}");
    let help = format!(
        "{}\nSource: {} ({}). {command} shows it.",
        row.gist,
        row.source,
        row.basis.word()
    );
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
    let due = if finding.due.is_empty() {
        String::new()
    } else {
        format!("; due: {}", finding.due)
    };
    let text = format!(
        "At {} s {}{due} [{}].",
        finding.at,
        finding.seen,
        judgement(finding)
    );
    // GitHub shows only results that have a line.
    let region = json!({ "startLine": line.unwrap_or(1) });
    let fingerprints = fingerprint(&finding.rule.to_string(), &finding.seen);
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
        "partialFingerprints": fingerprints,
    })
}

/// Returns the name of a file as a relative URI.
pub(in crate::cli) fn uri(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let escaped = file.replace('\\', "/");
    escaped
        .bytes()
        .map(|byte| {
            if is_plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
