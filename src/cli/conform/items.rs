//! The cases of a report for other programs: a suite for each player, an item for each case.

use playsim::conform::{Cell, Report, Verdict};

use crate::cli::findings::{Findings, Item, ItemFinding, Severity};
use crate::cli::joined;

/// Returns the cases of each player.
pub(super) fn findings(report: &Report) -> Findings {
    let players = report.players.iter().enumerate();
    let suite = players.map(|(column, player)| {
        let rows = report.cases.iter();
        let items = rows.filter_map(|row| {
            let cell = row.cells[column].as_ref()?;
            let mut item = Item {
                group: player.label.to_string(),
                name: row.name.to_string(),
                findings: said(cell).into_iter().collect(),
                ..Item::default()
            };
            if let Verdict::Unknown { why } = &cell.verdict {
                item.skipped = Some(why.to_string());
            } else if report.is_red(cell) {
                item.findings.push(failure(cell));
            }
            Some(item)
        });
        (player.label.to_string(), items.collect())
    });
    Findings {
        command: "playsim conform report",
        noun: "case",
        suites: suite.collect(),
        rules: Vec::new(),
    }
}

/// Returns what else is known of a case.
fn said(cell: &Cell) -> Option<ItemFinding> {
    let mut said = Vec::new();
    if let Verdict::Knob { settings } = &cell.verdict {
        let settings = joined(settings.iter(), ", or with ");
        said.push(format!("the same with {settings}"));
    }
    if let Some(change) = cell.change {
        said.push(format!("{} against the baseline", change.word()));
    }
    if cell.is_flaky() {
        let runs = joined(cell.runs.iter().map(|run| &run.verdict), "; ");
        said.push(format!("flaky: {runs}"));
    }
    (!said.is_empty()).then(|| ItemFinding {
        severity: Severity::Information,
        text: said.join("\n"),
        ..ItemFinding::default()
    })
}

fn failure(cell: &Cell) -> ItemFinding {
    let mut gist = cell.verdict.word();
    let mut detail = String::new();
    if let Verdict::NotPlayed { why } = &cell.verdict {
        gist = format!("not played as it is written: {}", why.join("; "));
    }
    if let Some(first) = &cell.first {
        gist.clone_from(&first.sentence);
        for (side, line) in [
            ("recorded", &first.recorded),
            ("simulated", &first.simulated),
        ] {
            if let Some(line) = line {
                detail.push_str(&format!("{side}: {line}\n"));
            }
        }
        if let Some(remedy) = first.remedy() {
            detail.push_str(&format!("{remedy}\n"));
        }
        if let Some(rule) = &first.rule {
            detail.push_str(&format!("{} ({}): {}\n", rule.id, rule.basis, rule.gist));
        }
    } else if let Some(fault) = cell.faults.first() {
        gist = format!("{}: {}", fault.rule, fault.sentence);
    }
    for fault in &cell.faults {
        detail.push_str(&format!(
            "fault by {}, {} times: {}\n",
            fault.rule, fault.count, fault.sentence
        ));
    }
    ItemFinding {
        gist,
        text: detail,
        ..ItemFinding::default()
    }
}
