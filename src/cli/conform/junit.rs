//! The report as JUnit XML: a suite for each player, a test for each case.
//!
//! XML cannot represent most control characters, so they are escaped. Rule TRACE-9.

use std::fmt::{self, Write};
use std::io;

use playsim::conform::report::{CaseRow, TestedPlayer};
use playsim::conform::{Cell, Report, Verdict};
use playsim::internal::escape;
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

/// Writes the report.
pub(super) fn write(report: &Report, sink: &mut impl Write) -> fmt::Result {
    let mut junit = Junit::new("playsim conform");
    for (column, player) in report.players.iter().enumerate() {
        let mut suite = TestSuite::new(escape::line(&player.name));
        for row in &report.cases {
            if let Some(cell) = &row.cells[column] {
                suite.add_test_case(test(player, row, cell));
            }
        }
        junit.add_test_suite(suite);
    }
    let text = junit.to_string().map_err(io::Error::other).map_err(|_| fmt::Error)?;
    sink.write_str(&text)
}

fn test(player: &TestedPlayer, row: &CaseRow, cell: &Cell) -> TestCase {
    let status = match &cell.verdict {
        Verdict::Same | Verdict::Knob { .. } => TestCaseStatus::success(),
        Verdict::Unknown { why } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(escape::line(why));
            status
        }
        Verdict::Differs { .. } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            if let Some(first) = &cell.first {
                status.set_message(escape::line(&first.sentence));
                let lines = [("recorded", &first.recorded), ("simulated", &first.simulated)];
                let lines =
                    lines.iter().filter_map(|(side, line)| Some(format!("{side}: {}\n", line.as_ref()?)));
                let rule =
                    first.rule.as_ref().map(|rule| format!("{} ({}): {}\n", rule.id, rule.basis, rule.gist));
                status.set_description(escape::lines(&lines.chain(rule).collect::<String>()));
            }
            status
        }
    };
    let mut test = TestCase::new(escape::line(&row.name), status);
    test.set_classname(escape::line(&player.name));
    if let Verdict::Knob { settings } = &cell.verdict {
        let words: Vec<String> = settings.iter().map(ToString::to_string).collect();
        test.set_system_out(format!("the same with {}", words.join(", or with ")));
    }
    test
}
