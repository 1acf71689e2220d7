//! Findings as JUnit XML: a trace is a test, which fails if it has faults.

use std::io;

use playsim::check::{Finding, Level};
use playsim_base::escape;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::Judged;
use super::text::message;

/// Returns the report. XML cannot represent most control characters, so they are escaped. Rule
/// TRACE-9.
pub(super) fn junit(all: &[Judged]) -> io::Result<String> {
    let mut suite = TestSuite::new("playsim check");
    for judged in all {
        let of_level = |level: Level| {
            let found = judged
                .findings
                .iter()
                .filter(move |(finding, _)| finding.level == level);
            found
                .map(|(finding, line)| words(finding, *line))
                .collect::<Vec<_>>()
        };
        let (faults, information) = (of_level(Level::Fault), of_level(Level::Information));
        let status = match judged
            .findings
            .iter()
            .find(|(finding, _)| finding.level == Level::Fault)
        {
            None => TestCaseStatus::success(),
            Some((first, _)) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status
                    .set_type(first.rule.to_string())
                    .set_message(escape::line(&first.seen));
                status.set_description(escape::lines(&faults.join("\n\n")));
                status
            }
        };
        let (class, name) = judged
            .file
            .rsplit_once('/')
            .unwrap_or(("playsim", &judged.file));
        let mut case = TestCase::new(name, status);
        case.set_classname(class);
        case.extra.insert("file".into(), judged.file.clone().into());
        if !information.is_empty() {
            case.set_system_out(escape::lines(&information.join("\n\n")));
        }
        suite.add_test_case(case);
    }
    let mut report = Report::new("playsim");
    report.add_test_suite(suite);
    report.to_string().map_err(io::Error::other)
}

fn words(finding: &Finding, line: Option<usize>) -> String {
    let line = line.map_or_else(String::new, |line| format!("line {line}, "));
    format!("{line}{}: {}", finding.rule, message(finding))
}
