//! Configurations side by side: a column for each, and a mark where they differ.

use std::fmt::Write as _;

use super::{Clock, ad_by, cents, of_tag, percent, rate, shows};
use crate::figures::Figures;
use crate::summary::RunOutcome;
use crate::table::Table;
use playsim_base::words::{Column, Columns};

/// A line of the table: its name, and the cell of each configuration.
type Line = (String, Vec<String>);

/// Writes the table of configurations.
pub(super) fn write(table: &Table, out: &mut String) {
    let lines = if table.runs.is_some() {
        of_figures(table)
    } else {
        of_outcomes(table)
    };
    let names = table
        .rows
        .iter()
        .map(|row| Column::left(row.values.join(" ")));
    let mut columns = Columns::of(["", ""].map(Column::left).into_iter().chain(names)).indented(1);
    let mut differ = 0;
    for (name, cells) in lines {
        let is_different = cells.iter().any(|cell| *cell != cells[0]);
        differ += usize::from(is_different);
        let mark = if is_different { "*" } else { "" };
        columns.row([vec![mark.to_owned(), name], cells].concat());
    }
    out.push_str(&columns.text());
    if differ == 0 {
        let _ = writeln!(out, "(all configurations are alike)");
    } else {
        let _ = writeln!(
            out,
            "(* differs; first frame: seconds after the break began; a tag: ad, its error code, or -)"
        );
    }
}

fn of_outcomes(table: &Table) -> Vec<Line> {
    let outcomes: Vec<&RunOutcome> = table
        .rows
        .iter()
        .filter_map(|row| row.outcome.as_ref())
        .collect();
    let clock = Clock::of(
        outcomes
            .iter()
            .filter_map(|it| it.first_frame)
            .map(|frame| frame.after_us),
    );
    let line = |name: &str, cell: &dyn Fn(&RunOutcome) -> String| -> Line {
        (
            name.to_owned(),
            outcomes.iter().map(|outcome| cell(outcome)).collect(),
        )
    };
    let mut lines = vec![
        line("ad by", &ad_by),
        line("first frame", &|it| clock.frame(it.first_frame)),
        line("  of", &|it| {
            it.first_frame
                .map_or("-", |frame| shows(frame.of))
                .to_owned()
        }),
    ];
    for tag in &table.tags {
        lines.push(line(&tag.tag.to_string(), &|it| of_tag(it, tag.tag)));
    }
    lines.push(line("pixels", &|it| it.pixels().to_string()));
    let mut events: Vec<&str> = Vec::new();
    for pixels in outcomes.iter().flat_map(|outcome| &outcome.pixels) {
        if !events.contains(&&*pixels.event) {
            events.push(&pixels.event);
        }
    }
    for event in events {
        let calls = |it: &RunOutcome| {
            it.pixels
                .iter()
                .find(|pixels| *pixels.event == *event)
                .map_or(0, |it| it.calls)
        };
        lines.push(line(&format!("  {event}"), &|it| calls(it).to_string()));
    }
    lines
}

fn of_figures(table: &Table) -> Vec<Line> {
    let figures: Vec<&Figures> = table
        .rows
        .iter()
        .filter_map(|row| row.figures.as_ref())
        .collect();
    let clock = Clock { is_fine: false };
    let line = |name: &str, cell: &dyn Fn(&Figures) -> String| -> Line {
        (
            name.to_owned(),
            figures.iter().map(|figures| cell(figures)).collect(),
        )
    };
    let mut lines = vec![line("an ad, %", &|it| rate(it.filled))];
    for (at, tag) in table.tags.iter().enumerate() {
        lines.push(line(&format!("  by {}", tag.tag), &|it| {
            it.tags
                .get(at)
                .map_or_else(String::new, |it| rate(it.filled))
        }));
    }
    for (at, tag) in table.tags.iter().enumerate() {
        lines.push(line(&format!("{} asked, %", tag.tag), &|it| {
            it.tags
                .get(at)
                .map_or_else(String::new, |it| rate(it.asked))
        }));
    }
    for (at, share) in crate::QUANTILES.iter().enumerate() {
        lines.push(line(&format!("first frame {share} %"), &|it| {
            it.first_frame
                .get(at)
                .map_or_else(|| "-".to_owned(), |it| clock.quantile(it))
        }));
    }
    for (at, tag) in table.tags.iter().enumerate() {
        let codes = |it: &Figures| {
            let failed = it
                .tags
                .get(at)
                .map(|tag| tag.failed.as_slice())
                .unwrap_or_default();
            let codes = failed
                .iter()
                .map(|it| format!("{} {}", super::code(it.code), percent(it.sessions.share)));
            let codes: Vec<String> = codes.collect();
            if codes.is_empty() {
                "-".to_owned()
            } else {
                codes.join(", ")
            }
        };
        lines.push(line(&format!("{} fails, %", tag.tag), &codes));
    }
    if figures.iter().any(|it| it.revenue.is_some()) {
        lines.push(line("earned by 1,000", &|it| {
            let revenue = it.revenue.as_ref();
            revenue.map_or_else(
                || "-".to_owned(),
                |it| {
                    format!(
                        "{} [{}, {}]",
                        cents(it.per_mille),
                        cents(it.low),
                        cents(it.high)
                    )
                },
            )
        }));
    }
    lines
}
