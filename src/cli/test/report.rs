//! The reports of `playsim test`: JUnit XML, SARIF, TAP, GitHub annotations and an HTML page.

use std::io;
use std::path::{Path, PathBuf};

use playsim_base::escape;
use playsim_base::words::{self, io_error};
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};
use serde_json::json;

use super::case::{Outcome, Problem, Verdict};
use crate::cli::Exit;
use crate::cli::check::sarif;
use crate::cli::failure::Invalid;
use crate::cli::github::{data, property};
use crate::cli::output::{Out, Talk};
use crate::cli::{input, writing};

mod page;

/// The format of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// JUnit XML, in a file.
    Junit(PathBuf),
    /// An HTML page, in a file.
    Html(PathBuf),
    /// Test Anything Protocol, version 14, on standard output.
    Tap,
    /// GitHub annotations, on standard output.
    Github,
    /// SARIF 2.1.0, in a file.
    Sarif(PathBuf),
}

impl Report {
    /// Parses a value of `--report`.
    pub(super) fn read(word: &str) -> Result<Report, Invalid> {
        const ALL: [&str; 5] = ["junit=FILE", "html=FILE", "sarif=FILE", "tap", "github"];
        let (form, file) = word
            .split_once('=')
            .map_or((word, None), |(form, file)| (form, Some(file)));
        match (form, file) {
            ("junit", Some(file)) if !file.is_empty() => Ok(Report::Junit(file.into())),
            ("html", Some(file)) if !file.is_empty() => Ok(Report::Html(file.into())),
            ("sarif", Some(file)) if !file.is_empty() => Ok(Report::Sarif(file.into())),
            ("sarif", _) => Err("sarif needs a file, such as sarif=report.sarif".into()),
            ("junit", _) => Err("junit needs a file, such as junit=report.xml".into()),
            ("html", _) => Err("html needs a file, such as html=report.html".into()),
            ("tap", None) => Ok(Report::Tap),
            ("github", None) => Ok(Report::Github),
            ("tap" | "github", Some(_)) => Err(Invalid(format!(
                "{form} is written to standard output and takes no file"
            ))),
            (_, _) => Err(Invalid(words::unknown("report", form, ALL))),
        }
    }

    /// Writes the report of all outcomes.
    pub(super) fn write(&self, outcomes: &[Outcome], out: &mut Out, talk: &Talk) -> Exit {
        match self {
            Report::Tap => out.text(&tap(outcomes)),
            Report::Github => out.text(&github(outcomes)),
            Report::Junit(file) => return save(file, junit(outcomes), talk),
            Report::Sarif(file) => return save(file, Ok(sarif(outcomes)), talk),
            Report::Html(file) => return save(file, Ok(page::page(outcomes)), talk),
        }
        Exit::AsExpected
    }
}

/// Writes a report to its file.
fn save(file: &Path, report: io::Result<String>, talk: &Talk) -> Exit {
    match report.and_then(|text| writing::write(file, text)) {
        Ok(()) => Exit::AsExpected,
        Err(error) => {
            talk.error(&format!(
                "cannot write {}: {}",
                input::name(file),
                io_error(&error)
            ));
            Exit::WrongWorld
        }
    }
}

/// Returns the findings about a case; the first line of each summarises it.
fn findings(outcome: &Outcome) -> Vec<Problem> {
    let fault = outcome.fault.as_ref().map(|fault| {
        let (text, place) = fault.words();
        Problem { place, text }
    });
    let problems = outcome.problems.iter().map(|problem| Problem {
        place: problem.place,
        text: if problem.text.starts_with("---") {
            format!("the trace differs from the golden trace\n{}", problem.text)
        } else {
            problem.text.clone()
        },
    });
    let mut findings: Vec<Problem> = problems.chain(fault).collect();
    if findings.is_empty() && outcome.exit != Exit::AsExpected {
        findings.push(Problem {
            place: None,
            text: format!("{}: {}", outcome.verdict.word(), outcome.note),
        });
    }
    findings
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns JUnit XML: a case is a test, and its folder is the class. XML cannot represent most
/// control characters, so they are escaped as in the other formats. Rule TRACE-9.
fn junit(outcomes: &[Outcome]) -> io::Result<String> {
    let mut suite = TestSuite::new("playsim test");
    for outcome in outcomes {
        let (class, name) = outcome
            .case
            .name
            .rsplit_once('/')
            .unwrap_or(("", &outcome.case.name));
        let findings = findings(outcome);
        let status = if findings.is_empty() {
            TestCaseStatus::success()
        } else {
            let kind = if outcome.fault.is_some() {
                NonSuccessKind::Error
            } else {
                NonSuccessKind::Failure
            };
            let mut status = TestCaseStatus::non_success(kind);
            let texts: Vec<&str> = findings
                .iter()
                .map(|finding| finding.text.trim_end())
                .collect();
            status
                .set_type(outcome.verdict.word())
                .set_message(escape::line(first_line(texts[0])));
            status.set_description(escape::lines(&texts.join("\n\n")));
            status
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(if class.is_empty() { "playsim" } else { class });
        case.extra
            .insert("file".into(), input::name(&outcome.case.file).into());
        if findings.is_empty() && !outcome.note.is_empty() {
            case.set_system_out(escape::lines(&format!(
                "{}: {}",
                outcome.verdict.word(),
                outcome.note
            )));
        }
        suite.add_test_case(case);
    }
    let mut report = Junit::new("playsim");
    report.add_test_suite(suite);
    report.to_string().map_err(io::Error::other)
}

/// Returns SARIF: a result for each finding about a case. A rule is the verdict of a case, or the
/// rule that is broken.
fn sarif(outcomes: &[Outcome]) -> String {
    let mut rules: Vec<String> = Vec::new();
    let mut results = Vec::new();
    for outcome in outcomes {
        let file = if outcome.verdict.is_of_orphan() {
            &outcome.case.golden
        } else {
            &outcome.case.file
        };
        for Problem { place, text } in findings(outcome) {
            let first = escape::line(first_line(&text)).into_owned();
            let rule = outcome.verdict.word().to_owned();
            let index = rules
                .iter()
                .position(|known| *known == rule)
                .unwrap_or_else(|| {
                    rules.push(rule.clone());
                    rules.len() - 1
                });
            let region = place.map_or(
                json!({ "startLine": 1 }),
                |at| json!({ "startLine": at.line, "startColumn": at.column }),
            );
            results.push(json!({
                "ruleId": rule,
                "ruleIndex": index,
                "level": "error",
                "message": { "text": escape::lines(text.trim_end()) },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": sarif::uri(&input::name(file)) },
                        "region": region,
                    },
                }],
                "partialFingerprints": sarif::fingerprint(&outcome.case.name, &first),
            }));
        }
    }
    let described = |rule: &String| json!({ "id": rule, "name": rule, "shortDescription": { "text": format!("the case is {rule}") } });
    sarif::log(rules.iter().map(described).collect(), results)
}

/// Returns TAP 14: the findings about a case are in a block below it.
fn tap(outcomes: &[Outcome]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", outcomes.len());
    for (number, outcome) in (1..).zip(outcomes) {
        let name = outcome.case.name.replace('\\', "\\\\").replace('#', "\\#");
        let findings = findings(outcome);
        let not = if findings.is_empty() { "" } else { "not " };
        text.push_str(&format!("{not}ok {number} - {name}\n"));
        if !outcome.note.is_empty() {
            text.push_str(&format!("# {}: {}\n", outcome.verdict.word(), outcome.note));
        }
        if findings.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "  ---\n  verdict: {}\n  details: |\n",
            outcome.verdict.word()
        ));
        for line in findings.iter().flat_map(|finding| finding.text.lines()) {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        }
        text.push_str("  ...\n");
    }
    text
}

/// Returns GitHub workflow commands: an error for each failure, a warning for a missing or orphaned
/// golden trace.
fn github(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let file = if outcome.verdict.is_of_orphan() {
            &outcome.case.golden
        } else {
            &outcome.case.file
        };
        let file = property(&input::name(file));
        let title = property(&format!(
            "playsim: {} {}",
            outcome.case.name,
            outcome.verdict.word()
        ));
        let findings = findings(outcome);
        for Problem {
            place,
            text: message,
        } in &findings
        {
            let at = place.map_or_else(String::new, |at| {
                format!(",line={},col={}", at.line, at.column)
            });
            text.push_str(&format!(
                "::error file={file}{at},title={title}::{}\n",
                data(message.trim_end())
            ));
        }
        if findings.is_empty() && matches!(outcome.verdict, Verdict::New | Verdict::Orphan) {
            text.push_str(&format!(
                "::warning file={file},title={title}::{}\n",
                data(&outcome.note)
            ));
        }
    }
    text
}
