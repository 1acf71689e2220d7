//! What a command has judged, item by item, in the forms that all such commands have: JUnit XML,
//! SARIF, TAP, annotations of GitHub, and a page.
//!
//! Sources: OASIS SARIF 2.1.0, and the properties that GitHub requires of an upload; Test Anything
//! Protocol 14; GitHub's workflow commands.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, utf8_percent_encode};
use playsim_base::escape;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::format::Format;
use super::joined;

mod page;

/// What a command has judged.
#[derive(Debug)]
pub(super) struct Findings {
    /// The command.
    pub(super) command: &'static str,
    /// What an item is, in a word.
    pub(super) noun: &'static str,
    /// The items, in suites that have names.
    pub(super) suites: Vec<(String, Vec<Item>)>,
    /// The rules of SARIF that the findings name; see [`rule`].
    pub(super) rules: Vec<Value>,
}

/// A form of findings, and the usual name of a file with them if they are for one.
type Form = (Format, fn(&Findings) -> String, Option<&'static str>);

pub(super) const FORMS: [Form; 5] = [
    (Format::Junit, Findings::junit, Some("report.xml")),
    (Format::Html, page::page, Some("report.html")),
    (Format::Sarif, Findings::sarif, Some("report.sarif")),
    (Format::Tap, Findings::tap, None),
    (Format::Github, Findings::github, None),
];

/// The formats of a command that prints findings, each of which has text and JSON of its own.
pub(super) const FORMATS: &[Format] = &[
    Format::Text,
    Format::Json,
    Format::Junit,
    Format::Github,
    Format::Sarif,
    Format::Tap,
    Format::Html,
];

/// The verdict on what is good.
pub(super) const OK: &str = "ok";

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
    /// In sentences, without a line feed at the end.
    pub(super) text: String,
    /// The same for JUnit and for SARIF, where that differs.
    pub(super) detail: Option<String>,
    pub(super) message: Option<String>,
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

impl ItemFinding {
    fn detail(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.text)
    }

    fn message(&self) -> Cow<'_, str> {
        let text = || escape::lines(&self.text);
        self.message.as_deref().map_or_else(text, Cow::from)
    }
}

impl Item {
    /// Whether more was found than information.
    pub(super) fn is_bad(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|found| found.severity != Severity::Information)
    }
}

impl Findings {
    /// The findings of a command that has one suite.
    pub(super) fn of(
        command: &'static str,
        noun: &'static str,
        items: Vec<Item>,
        rules: Vec<Value>,
    ) -> Findings {
        Findings {
            command,
            noun,
            suites: vec![(command.to_owned(), items)],
            rules,
        }
    }

    /// Returns them in a form; `None` for one of which each command has its own.
    pub(super) fn written(&self, format: Format) -> Option<String> {
        let form = FORMS.iter().find(|form| form.0 == format)?;
        Some(form.1(self))
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        self.suites.iter().flat_map(|(_, items)| items)
    }

    /// Returns JUnit XML: an item is a test, which fails unless all its findings are information.
    /// XML cannot represent most control characters, so they are escaped. Rule TRACE-9.
    fn junit(&self) -> String {
        let mut report = Report::new("playsim");
        for (name, items) in &self.suites {
            let mut suite = TestSuite::new(escape::line(name));
            suite.add_test_cases(items.iter().map(test));
            report.add_test_suite(suite);
        }
        report.to_string().expect("a string takes everything")
    }

    /// Returns SARIF: a run with its rules, in which each finding is a result.
    fn sarif(&self) -> String {
        // Results that have the same fingerprint are told apart by their order.
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        let (rules, mut results) = (&self.rules, Vec::new());
        for item in self.items() {
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
                    "message": { "text": found.message() },
                    "locations": [{
                        "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region },
                    }],
                    "partialFingerprints": { FINGERPRINT: format!("{print}:{number}") },
                }));
            }
        }
        let driver = json!({ "name": "playsim", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules });
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
        });
        format!("{}\n", escape::json(&format!("{log:#}")))
    }

    /// Returns TAP 14: the findings about an item are in a block below it.
    fn tap(&self) -> String {
        let mut text = format!("TAP version 14\n1..{}\n", self.items().count());
        for (number, item) in (1..).zip(self.items()) {
            let Item { verdict, note, .. } = item;
            let name = item.name.replace('\\', "\\\\").replace('#', "\\#");
            let not = if item.is_bad() { "not " } else { "" };
            text.push_str(&format!("{not}ok {number} - {name}\n"));
            if !note.is_empty() {
                text.push_str(&format!("# {verdict}: {note}\n"));
            }
            if item.findings.is_empty() {
                continue;
            }
            text.push_str(&format!("  ---\n  verdict: {verdict}\n  details: |\n"));
            for line in item.findings.iter().flat_map(|it| it.detail().lines()) {
                text.push_str(format!("    {line}").trim_end());
                text.push('\n');
            }
            text.push_str("  ...\n");
        }
        text
    }

    /// Returns workflow commands of GitHub: an annotation for each finding, and for each item that
    /// is neither bad nor certainly good.
    fn github(&self) -> String {
        let mut text = String::new();
        for item in self.items() {
            let file = property(&item.file);
            for found in &item.findings {
                let line = found.place.map_or_else(String::new, |(line, column)| {
                    let column = column.map_or_else(String::new, |column| format!(",col={column}"));
                    format!(",line={line}{column}")
                });
                text.push_str(&format!(
                    "::{} file={file}{line},title={}::{}\n",
                    found.severity.word("notice"),
                    property(&format!("playsim: {}", found.title)),
                    data(&found.text),
                ));
            }
            if !(item.note.is_empty() || item.verdict == OK || item.is_bad()) {
                text.push_str(&format!(
                    "::warning file={file},title={}::{}\n",
                    property(&format!("playsim: {} {}", item.name, item.verdict)),
                    data(&item.note),
                ));
            }
        }
        text
    }
}

fn test(item: &Item) -> TestCase {
    let (information, faults): (Vec<&ItemFinding>, Vec<&ItemFinding>) = item
        .findings
        .iter()
        .partition(|found| found.severity == Severity::Information);
    let details = |found: &[&ItemFinding]| {
        let all = joined(found.iter().map(|found| found.detail()), "\n\n");
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

/// Returns a rule of SARIF: its name, and what it says.
pub(super) fn rule(id: &str, text: &str) -> Value {
    json!({ "id": id, "name": id, "shortDescription": { "text": text } })
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
    const RESERVED: &AsciiSet = &escape::RESERVED.remove(b'/');
    utf8_percent_encode(&file.replace('\\', "/"), RESERVED).to_string()
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
