//! The report as text: a table of cases and players, then what differs.

use std::fmt::{self, Write};

use super::{CaseRow, Report, TestedPlayer};
use crate::conform::cell::{Cell, Explained, Verdict};
use crate::escape;
use crate::words::{counted, seconds};

/// Writes the report.
///
/// # Errors
///
/// If the sink fails.
pub fn write_text(report: &Report, sink: &mut impl Write) -> fmt::Result {
    // Names and lines come from recordings.
    let sink = &mut escape::Lines(sink);
    for player in &report.players {
        head(player, sink)?;
    }
    writeln!(sink)?;
    table(report, sink)?;
    for (column, player) in report.players.iter().enumerate() {
        for row in &report.cases {
            if let Some(cell) = &row.cells[column] {
                details(player, row, cell, sink)?;
            }
        }
    }
    writeln!(
        sink,
        "\nCompared: the order of requests and trackers, the films on screen, documented events; then times, counted from\n\
         the film that was last shown, to within {} s, and from the start, to within {} s.",
        seconds(report.within_us),
        seconds(report.overall_us)
    )
}

fn head(player: &TestedPlayer, sink: &mut impl Write) -> fmt::Result {
    let counts = &player.counts;
    let versions: Vec<String> =
        player.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let browser = player.browser.as_ref().map_or_else(String::new, |browser| format!(", {browser}"));
    let made_of =
        if versions.is_empty() { String::new() } else { format!(" ({}{browser})", versions.join(", ")) };
    writeln!(
        sink,
        "{}{made_of}: {} of {} same as profile {}, {} with one knob turned, {}, {} unknown",
        player.name,
        counts.same,
        counted(counts.compared(), "case"),
        player.profile,
        counts.knob,
        if counts.differs == 1 { "1 differs".to_owned() } else { format!("{} differ", counts.differs) },
        counts.unknown,
    )?;
    for it in &player.decides {
        writeln!(sink, "  decided by the adapter, not by the player: {it}")?;
    }
    Ok(())
}

fn table(report: &Report, sink: &mut impl Write) -> fmt::Result {
    let names = report.cases.iter().map(|row| row.name.chars().count());
    let width = names.max().unwrap_or(0).max("case".len());
    let columns: Vec<usize> = (0..report.players.len()).map(|column| column_width(report, column)).collect();
    let mut line = format!("{:width$}", "case");
    for (player, column) in report.players.iter().zip(&columns) {
        write!(line, "  {:column$}", player.name)?;
    }
    writeln!(sink, "{}", line.trim_end())?;
    for row in &report.cases {
        let mut line = format!("{:width$}", row.name);
        for (cell, column) in row.cells.iter().zip(&columns) {
            write!(line, "  {:column$}", word(cell.as_ref()))?;
        }
        writeln!(sink, "{}", line.trim_end())?;
    }
    Ok(())
}

fn column_width(report: &Report, column: usize) -> usize {
    let words = report.cases.iter().map(|row| word(row.cells[column].as_ref()).chars().count());
    words.max().unwrap_or(0).max(report.players[column].name.chars().count())
}

/// Returns a cell in a word or two.
fn word(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "-".to_owned() };
    match &cell.verdict {
        Verdict::Same => "same".to_owned(),
        Verdict::Knob { settings } => format!("with {}", settings[0]),
        Verdict::Differs { .. } => "DIFFERS".to_owned(),
        Verdict::Unknown { .. } => "?".to_owned(),
    }
}

fn details(player: &TestedPlayer, row: &CaseRow, cell: &Cell, sink: &mut impl Write) -> fmt::Result {
    match &cell.verdict {
        Verdict::Same | Verdict::Knob { .. } => Ok(()),
        Verdict::Unknown { why } => writeln!(sink, "\n{}, {}: unknown: {why}", player.name, row.name),
        Verdict::Differs { nearest } => {
            let count = counted(cell.differences.len(), "difference");
            writeln!(sink, "\n{}, {}: {count}, {} the same", player.name, row.name, cell.same)?;
            if let Some(first) = &cell.first {
                explained(first, sink)?;
            }
            if let Some((setting, left)) = nearest {
                writeln!(sink, "  nearest with {setting}: {} left", counted(*left, "difference"))?;
            }
            Ok(())
        }
    }
}

fn explained(first: &Explained, sink: &mut impl Write) -> fmt::Result {
    writeln!(sink, "  {}", first.sentence)?;
    if let Some(line) = &first.recorded {
        writeln!(sink, "  - recorded   {line}")?;
    }
    if let Some(line) = &first.simulated {
        writeln!(sink, "  + simulated  {line}")?;
    }
    if let Some(rule) = &first.rule {
        writeln!(sink, "  {} ({}): {}", rule.id, rule.basis, rule.gist)?;
    }
    for cause in &first.causes {
        writeln!(sink, "    <- {cause}")?;
    }
    Ok(())
}
