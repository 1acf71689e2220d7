//! What a command has judged, item by item, in the forms that other programs read: JUnit XML,
//! SARIF, TAP and annotations of GitHub.
//!
//! Sources: OASIS SARIF 2.1.0, and the properties that GitHub requires of an upload; Test Anything
//! Protocol 14; GitHub's workflow commands.

use std::collections::BTreeMap;

use playsim_base::escape;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::joined;

/// Something that was judged, such as a file: what is in force without a word is empty.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// What it belongs to; if empty, the folder in its name.
    pub(super) group: String,
    /// Its name, a path with slashes.
    pub(super) name: String,
    pub(super) file: String,
    /// The verdict in a word, and a remark on it.
    pub(super) verdict: &'static str,
    pub(super) note: String,
    /// Why it could not be judged.
    pub(super) skipped: Option<String>,
    /// Whether it could not even be played.
    pub(super) is_error: bool,
    pub(super) findings: Vec<ItemFinding>,
}

/// A finding.
#[derive(Debug, Default)]
pub(super) struct ItemFinding {
    pub(super) severity: Severity,
    /// The rule, or the verdict where there is none.
    pub(super) rule: String,
    /// What it is about, for a heading.
    pub(super) title: String,
    /// The line in the file, and the column in it.
    pub(super) place: Option<(u32, Option<u32>)>,
    /// In a few words.
    pub(super) gist: String,
    /// What tells it from findings with the same gist.
    pub(super) key: String,
    /// In sentences: for annotations, for JUnit and for SARIF.
    pub(super) text: String,
    pub(super) detail: String,
    pub(super) message: String,
}

/// What a finding means for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Severity {
    #[default]
    Error,
    /// It depends on what is not known.
    Warning,
    Information,
}

impl Severity {
    /// Returns its word; other programs do not agree on that for information.
    const fn word(self, information: &'static str) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => information,
        }
    }
}

/// Returns JUnit XML: an item is a test, which fails unless all its findings are information. XML
/// cannot represent most control characters, so they are escaped. Rule TRACE-9.
pub(super) fn junit(name: &str, suites: &[(&str, Vec<Item>)]) -> String {
    let mut report = Report::new(name);
    for (name, items) in suites {
        let mut suite = TestSuite::new(escape::line(name));
        suite.add_test_cases(items.iter().map(test));
        report.add_test_suite(suite);
    }
    report.to_string().expect("a string takes everything")
}

fn test(item: &Item) -> TestCase {
    let (information, faults): (Vec<&ItemFinding>, Vec<&ItemFinding>) = item
        .findings
        .iter()
        .partition(|found| found.severity == Severity::Information);
    let details = |found: &[&ItemFinding]| {
        let all = joined(found.iter().map(|found| &found.detail), "\n\n");
        escape::lines(&all).into_owned()
    };
    let mut status = match (&item.skipped, &faults[..]) {
        (Some(why), _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(escape::line(why));
            status
        }
        (None, []) => TestCaseStatus::success(),
        (None, [first, ..]) => {
            let mut status = TestCaseStatus::non_success(if item.is_error {
                NonSuccessKind::Error
            } else {
                NonSuccessKind::Failure
            });
            status.set_message(escape::line(&first.gist));
            if !first.rule.is_empty() {
                status.set_type(&*first.rule);
            }
            status
        }
    };
    let text = details(&faults);
    if !text.is_empty() {
        status.set_description(text);
    }
    let (class, name) = match &*item.group {
        "" => item
            .name
            .rsplit_once('/')
            .unwrap_or(("playsim", &item.name)),
        group => (group, &*item.name),
    };
    let mut test = TestCase::new(escape::line(name), status);
    test.set_classname(escape::line(class));
    if !item.file.is_empty() {
        test.extra.insert("file".into(), (&*item.file).into());
    }
    if !information.is_empty() {
        test.set_system_out(details(&information));
    } else if faults.is_empty() && !item.note.is_empty() {
        test.set_system_out(escape::lines(&format!("{}: {}", item.verdict, item.note)));
    }
    test
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name of the fingerprint of a result.
const FINGERPRINT: &str = "playsimFinding/v2";

/// Returns SARIF: a run with these rules, in which each finding is a result.
pub(super) fn sarif(items: &[Item], rules: &[Value]) -> String {
    // Results that have the same fingerprint are told apart by their order.
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut results = Vec::new();
    for item in items {
        let uri = uri(&item.file);
        for found in &item.findings {
            let (line, column) = found.place.unwrap_or((1, None));
            // GitHub shows only results that have a line.
            let mut region = json!({ "startLine": line });
            if let Some(column) = column {
                region["startColumn"] = column.into();
            }
            let print = format!("{}:{:016x}", found.key, code_of(&steady(&found.gist)));
            let number = times.entry(format!("{uri} {print}")).or_default();
            *number += 1;
            results.push(json!({
                "ruleId": found.rule,
                "ruleIndex": rules.iter().position(|rule| rule["id"] == *found.rule),
                "level": found.severity.word("note"),
                "message": { "text": found.message },
                "locations": [{
                    "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region },
                }],
                "partialFingerprints": { FINGERPRINT: format!("{print}:{number}") },
            }));
        }
    }
    let driver =
        json!({ "name": "playsim", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{}\n", escape::json(&format!("{log:#}")))
}

/// Returns what was found without the numbers in it, which are others in the next recording.
fn steady(text: &str) -> String {
    let mut steady = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' | '.' if steady.ends_with('#') => {}
            '0'..='9' => steady.push('#'),
            _ => steady.push(letter),
        }
    }
    steady
}

/// Returns a number for a text that is the same everywhere (FNV-1a).
fn code_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |code, byte| {
        (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the name of a file as a relative URI.
fn uri(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let letter = |byte: u8| {
        if is_plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    file.replace('\\', "/").bytes().map(letter).collect()
}

/// Returns TAP 14: the findings about an item are in a block below it.
pub(super) fn tap(items: &[Item]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", items.len());
    for (number, item) in (1..).zip(items) {
        let Item { verdict, note, .. } = item;
        let name = item.name.replace('\\', "\\\\").replace('#', "\\#");
        let not = if item.findings.is_empty() { "" } else { "not " };
        text.push_str(&format!("{not}ok {number} - {name}\n"));
        if !note.is_empty() {
            text.push_str(&format!("# {verdict}: {note}\n"));
        }
        if item.findings.is_empty() {
            continue;
        }
        text.push_str(&format!("  ---\n  verdict: {verdict}\n  details: |\n"));
        for line in item.findings.iter().flat_map(|found| found.text.lines()) {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        }
        text.push_str("  ...\n");
    }
    text
}

/// Returns workflow commands of GitHub: an annotation for each finding.
pub(super) fn github(items: &[Item]) -> String {
    let mut text = String::new();
    for Item { file, findings, .. } in items {
        for found in findings {
            let line = found.place.map_or_else(String::new, |(line, column)| {
                let column = column.map_or_else(String::new, |column| format!(",col={column}"));
                format!(",line={line}{column}")
            });
            text.push_str(&format!(
                "::{} file={}{line},title={}::{}\n",
                found.severity.word("notice"),
                property(file),
                property(&format!("playsim: {}", found.title)),
                data(found.text.trim_end()),
            ));
        }
    }
    text
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
