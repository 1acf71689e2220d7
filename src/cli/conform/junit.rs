//! The report as JUnit XML: a suite for each player, a test for each case.
//!
//! XML cannot represent most control characters, so they are escaped. Rule TRACE-9.

use std::fmt::{self, Write};
use std::io;

use playsim::conform::report::{CaseRow, TestedPlayer};
use playsim::conform::{Cell, Report, Verdict};
use playsim_base::escape;
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

/// Writes the report.
pub(super) fn write(report: &Report, sink: &mut impl Write) -> fmt::Result {
    let mut junit = Junit::new("playsim conform");
    for (column, player) in report.players.iter().enumerate() {
        let mut suite = TestSuite::new(escape::line(&player.label));
        for row in &report.cases {
            if let Some(cell) = &row.cells[column] {
                suite.add_test_case(test(report, player, row, cell));
            }
        }
        junit.add_test_suite(suite);
    }
    let text = junit
        .to_string()
        .map_err(io::Error::other)
        .map_err(|_| fmt::Error)?;
    sink.write_str(&text)
}

fn test(report: &Report, player: &TestedPlayer, row: &CaseRow, cell: &Cell) -> TestCase {
    let status = if let Verdict::Unknown { why } = &cell.verdict {
        let mut status = TestCaseStatus::skipped();
        status.set_message(escape::line(why));
        status
    } else if report.is_red(cell) {
        failure(cell)
    } else {
        TestCaseStatus::success()
    };
    let mut test = TestCase::new(escape::line(&row.name), status);
    test.set_classname(escape::line(&player.label));
    let mut said = Vec::new();
    if let Verdict::Knob { settings } = &cell.verdict {
        let words: Vec<String> = settings.iter().map(ToString::to_string).collect();
        said.push(format!("the same with {}", words.join(", or with ")));
    }
    if let Some(change) = cell.change {
        said.push(format!("{} against the baseline", change.word()));
    }
    if cell.is_flaky() {
        let runs: Vec<&str> = cell.runs.iter().map(|run| &*run.verdict).collect();
        said.push(format!("flaky: {}", runs.join("; ")));
    }
    if !said.is_empty() {
        test.set_system_out(escape::lines(&said.join("\n")));
    }
    test
}

fn failure(cell: &Cell) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let mut message = cell.verdict.word();
    let mut text = String::new();
    if let Verdict::NotPlayed { why } = &cell.verdict {
        message = format!("not played as it is written: {}", why.join("; "));
    }
    if let Some(first) = &cell.first {
        message.clone_from(&first.sentence);
        for (side, line) in [
            ("recorded", &first.recorded),
            ("simulated", &first.simulated),
        ] {
            if let Some(line) = line {
                text.push_str(&format!("{side}: {line}\n"));
            }
        }
        if let Some(rule) = &first.rule {
            text.push_str(&format!("{} ({}): {}\n", rule.id, rule.basis, rule.gist));
        }
    } else if let Some(fault) = cell.faults.first() {
        message = format!("{}: {}", fault.rule, fault.sentence);
    }
    for fault in &cell.faults {
        text.push_str(&format!(
            "fault by {}, {} times: {}\n",
            fault.rule, fault.count, fault.sentence
        ));
    }
    status.set_message(escape::line(&message));
    if !text.is_empty() {
        status.set_description(escape::lines(&text));
    }
    status
}
