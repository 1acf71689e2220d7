//! The report as text: a table of cases and players, then what differs.

use std::fmt::{self, Write};

use super::{CaseRow, Report, TestedPlayer};
use crate::cell::{Cell, Explained, Verdict};
use playsim_base::escape;
use playsim_base::words::{Column, Columns, counted, seconds};
use playsim_check::Sure;

/// Writes the report.
///
/// # Errors
///
/// If the sink fails.
pub fn write_text(report: &Report, sink: &mut impl Write) -> fmt::Result {
    // Names and lines come from recordings.
    let sink = &mut escape::Lines(sink);
    for player in &report.players {
        head(report, player, sink)?;
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

fn head(report: &Report, player: &TestedPlayer, sink: &mut impl Write) -> fmt::Result {
    let counts = &player.counts;
    let mut made_of: Vec<String> = player
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    made_of.extend(player.browser.clone());
    let made_of = if made_of.is_empty() {
        String::new()
    } else {
        format!(" ({})", made_of.join(", "))
    };
    write!(
        sink,
        "{}{made_of}: {} of {} same as profile {}",
        player.name,
        counts.same,
        counted(counts.compared(), "case"),
        player.profile,
    )?;
    for (count, words) in [
        (counts.shared, "but for what many share"),
        (counts.knob, "with one knob turned"),
        (
            counts.differs,
            if counts.differs == 1 {
                "differs"
            } else {
                "differ"
            },
        ),
        (counts.not_played, "NOT PLAYED"),
        (counts.unknown, "unknown"),
        (counts.faulty, "with faults"),
        (counts.flaky, "flaky"),
    ] {
        if count > 0 {
            write!(sink, ", {count} {words}")?;
        }
    }
    if report.has_baseline {
        write!(
            sink,
            "; baseline: {} new, {} changed, {} fixed",
            counts.new, counts.changed, counts.fixed
        )?;
    }
    writeln!(sink)?;
    for it in &player.shared {
        let (count, class) = (counted(it.cases.len(), "case"), &it.class);
        writeln!(sink, "  in {count}: {class} ({})", it.importance.words())?;
    }
    for it in &player.decides {
        writeln!(sink, "  decided by the adapter, not by the player: {it}")?;
    }
    Ok(())
}

fn table(report: &Report, sink: &mut impl Write) -> fmt::Result {
    let labels = report
        .players
        .iter()
        .map(|player| Column::left(&*player.label));
    let mut table = Columns::of([Column::left("case")].into_iter().chain(labels));
    for row in &report.cases {
        let words = row.cells.iter().map(|cell| word(cell.as_ref()));
        table.row([row.name.to_string()].into_iter().chain(words));
    }
    table.write(sink)
}

/// Returns a cell in a word or two: the verdict, faults, and what changed.
fn word(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else {
        return "-".to_owned();
    };
    let mut word = match &cell.verdict {
        Verdict::Same => "same".to_owned(),
        Verdict::Shared => "(same)".to_owned(),
        Verdict::Knob { .. } => cell.verdict.word(),
        Verdict::Differs => "DIFFERS".to_owned(),
        Verdict::NotPlayed { .. } => "NOT PLAYED".to_owned(),
        Verdict::Unknown { .. } => "?".to_owned(),
    };
    let faults: usize = cell.faults.iter().map(|fault| fault.count).sum();
    if faults > 0 {
        word.push_str(&format!(", {}", counted(faults, "fault")));
    }
    if cell.is_flaky() {
        word.push_str(", flaky");
    }
    if let Some(change) = cell.change {
        word.push_str(&format!(", {}", change.word().to_uppercase()));
    }
    word
}

fn details(
    player: &TestedPlayer,
    row: &CaseRow,
    cell: &Cell,
    sink: &mut impl Write,
) -> fmt::Result {
    let (player, case) = (&player.label, &row.name);
    match &cell.verdict {
        Verdict::Same | Verdict::Shared | Verdict::Knob { .. } => {}
        Verdict::Unknown { why } => writeln!(sink, "\n{player}, {case}: unknown: {why}")?,
        Verdict::NotPlayed { why } => {
            writeln!(sink, "\n{player}, {case}: not played as it is written")?;
            for it in why {
                writeln!(sink, "  {it}")?;
            }
        }
        Verdict::Differs => {
            let count = counted(cell.differences.len(), "difference");
            writeln!(sink, "\n{player}, {case}: {count}, {} the same", cell.same)?;
            if let Some(first) = &cell.first {
                explained(first, sink)?;
            }
        }
    }
    if !cell.faults.is_empty() && cell.verdict != Verdict::Differs {
        writeln!(sink, "\n{player}, {case}: {}", cell.verdict.word())?;
    }
    for fault in &cell.faults {
        let times = if fault.count > 1 {
            format!(", {} times", fault.count)
        } else {
            String::new()
        };
        let sure = if fault.sure == Sure::Certain {
            ""
        } else {
            &format!(" ({})", fault.sure.word())
        };
        writeln!(
            sink,
            "  fault by {}{times}: {}{sure}",
            fault.rule, fault.sentence
        )?;
    }
    if cell.is_flaky() {
        let runs: Vec<&str> = cell.runs.iter().map(|run| &*run.verdict).collect();
        writeln!(sink, "  {player}, {case} is flaky: {}", runs.join("; "))?;
    }
    Ok(())
}

fn explained(first: &Explained, sink: &mut impl Write) -> fmt::Result {
    writeln!(sink, "  {}", first.sentence)?;
    if let Some(line) = &first.recorded {
        writeln!(sink, "  - recorded   {line}")?;
    }
    if let Some(line) = &first.simulated {
        writeln!(sink, "  + simulated  {line}")?;
    }
    if let Some(remedy) = first.remedy() {
        writeln!(sink, "  {remedy}")?;
    }
    if let Some(rule) = &first.rule {
        writeln!(sink, "  {} ({}): {}", rule.id, rule.basis, rule.gist)?;
    }
    for cause in &first.causes {
        writeln!(sink, "    <- {cause}")?;
    }
    Ok(())
}
