//! The expected outcome of each cell: from earlier recordings, or from a file in version control.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::outcome::{CellOutcome, Change};
use super::report::{Report, TestedPlayer};

/// The version of the form of expectations. Version 1 left out what many cases share.
const VERSION: u32 = 2;

/// The expected outcomes: for each player and browser, by the name of the case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The version of this form.
    version: u32,
    /// `PLAYER on BROWSER`.
    columns: BTreeMap<String, BTreeMap<String, Vec<CellOutcome>>>,
}

impl Expectations {
    /// Takes a report as the expected outcomes.
    #[must_use]
    pub fn of(report: &Report) -> Expectations {
        let mut columns: BTreeMap<String, BTreeMap<String, Vec<CellOutcome>>> = BTreeMap::new();
        for (index, player) in report.players.iter().enumerate() {
            let column = columns.entry(key(player)).or_default();
            for row in &report.cases {
                if let Some(cell) = &row.cells[index] {
                    column.insert(row.name.clone(), outcomes(cell));
                }
            }
        }
        Expectations {
            version: VERSION,
            columns,
        }
    }

    /// Reads a file of expectations.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn read(text: &str) -> Result<Expectations, String> {
        let read: Expectations = serde_json::from_str(text)
            .map_err(|error| format!("it is not a file of --write-baseline: {error}"))?;
        match read.version {
            VERSION => Ok(read),
            other => Err(format!(
                "its version is {other}, and this program reads version {VERSION}; write it anew with --write-baseline"
            )),
        }
    }

    /// Writes them: one line for each case, so that a version control shows what changes.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{{\n  \"version\": {VERSION},\n  \"columns\": {{");
        for (number, (name, cases)) in self.columns.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            text.push_str(&format!("{comma}\n    {}: {{", json(name)));
            for (number, (case, outcomes)) in cases.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                text.push_str(&format!(
                    "{comma}\n      {}: {}",
                    json(case),
                    json(outcomes)
                ));
            }
            text.push_str("\n    }");
        }
        text.push_str("\n  }\n}\n");
        text
    }

    /// Marks the changes in a report. Returns the cases of its columns that have no recording now.
    pub fn hold(&self, report: &mut Report) -> Vec<String> {
        let mut gone = Vec::new();
        report.has_baseline = true;
        for index in 0..report.players.len() {
            let name = key(&report.players[index]);
            let empty = BTreeMap::new();
            let expected = self.columns.get(&name).unwrap_or(&empty);
            let mut seen = BTreeSet::new();
            for row in &mut report.cases {
                if let Some(cell) = &mut row.cells[index] {
                    seen.insert(row.name.clone());
                    cell.change = change(cell, expected.get(&row.name));
                }
            }
            let missing = expected.keys().filter(|case| !seen.contains(*case));
            gone.extend(missing.map(|case| format!("{name}: {case}")));
        }
        gone
    }
}

fn json(value: &impl Serialize) -> String {
    // Text and lists of text can always be written.
    playsim_base::escape::json(&serde_json::to_string(value).unwrap_or_default()).to_string()
}

/// Returns the outcome of a cell in each of its recordings.
fn outcomes(cell: &Cell) -> Vec<CellOutcome> {
    if cell.runs.is_empty() {
        vec![cell.outcome()]
    } else {
        cell.runs.clone()
    }
}

/// Compares a cell with its expected outcome. A flaky cell, now or then, is as expected if any of
/// its outcomes is; one that was known and is not any more, such as that of a recording which ends
/// too soon, is not.
fn change(cell: &Cell, expected: Option<&Vec<CellOutcome>>) -> Option<Change> {
    let now = outcomes(cell);
    let is_known = now.iter().any(CellOutcome::is_known);
    let Some(expected) = expected.filter(|expected| expected.iter().any(CellOutcome::is_known))
    else {
        return (is_known && !now.iter().all(CellOutcome::is_clean)).then_some(Change::New);
    };
    if now.iter().any(|outcome| expected.contains(outcome)) {
        return None;
    }
    let was_clean = expected.iter().any(CellOutcome::is_clean);
    match (now.iter().any(CellOutcome::is_clean), was_clean) {
        (true, _) => Some(Change::Fixed),
        (false, true) => Some(Change::New),
        (false, false) => Some(Change::Changed),
    }
}

/// The name of a column, without versions: a new version is held against the one before.
fn key(player: &TestedPlayer) -> String {
    match player
        .browser
        .as_deref()
        .and_then(|browser| browser.split([' ', '/']).next())
    {
        Some(browser) => format!("{} on {}", player.name, browser.to_lowercase()),
        None => player.name.clone(),
    }
}
