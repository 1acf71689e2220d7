//! The verdict: one sentence with the number that matters, and at most four key figures.

use std::collections::BTreeMap;

use super::view::{Column, Mark, View, agree};
use crate::cell::Verdict;
use crate::report::Counts;
use playsim_base::words::counted;
use playsim_report::page::frame::Figure;
use playsim_report::page::grouped;

/// Returns the verdict.
pub(super) fn sentence(view: &View<'_>) -> String {
    let compared: Vec<&Column<'_>> = view
        .columns
        .iter()
        .filter(|column| column.player.counts.compared() > 0)
        .collect();
    let most = compared
        .iter()
        .max_by_key(|column| column.player.counts.differs);
    // Of several equal ones the first.
    let first = compared
        .iter()
        .rev()
        .max_by_key(|column| agree(&column.player.counts));
    let (Some(first), Some(most)) = (first, most) else {
        return "Nothing could be compared.".to_owned();
    };
    let changes = |count: fn(&Counts) -> usize| {
        compared
            .iter()
            .map(|it| count(&it.player.counts))
            .sum::<usize>()
    };
    if view.report.has_baseline {
        let (worse, better) = (
            changes(|counts| counts.new + counts.changed),
            changes(|counts| counts.fixed),
        );
        return match (worse, better) {
            (0, 0) => "Everything is as the baseline has it.".to_owned(),
            (0, better) => format!("Nothing is worse than the baseline, and {better} better."),
            (worse, better) => {
                format!(
                    "{} new or changed against the baseline; {better} better.",
                    counted(worse, "cell")
                )
            }
        };
    }
    let of = |column: &Column<'_>| counted(column.player.counts.compared(), "situation");
    let agrees = |column: &Column<'_>| agree(&column.player.counts);
    if most.player.counts.differs == 0 {
        return match &compared[..] {
            [only] => {
                format!(
                    "{} agrees with playsim in all {} that can be compared.",
                    only.player.label,
                    of(only)
                )
            }
            _ => format!(
                "All {} players agree with playsim wherever they can be compared.",
                compared.len()
            ),
        };
    }
    let worst = format!(
        "differs {}in {} of {}",
        if compared.len() > 1 { "most, " } else { "" },
        most.player.counts.differs,
        of(most)
    );
    let often = often(view, most)
        .map(|rule| format!(", most often at {rule}"))
        .unwrap_or_default();
    if compared.len() == 1 {
        return format!(
            "{} {worst}{often}; it agrees in {}.",
            first.player.label,
            agrees(first)
        );
    }
    let best = match first.player.counts.differs {
        0 => "agrees wherever it can be compared".to_owned(),
        _ => format!("agrees in {} of {}", agrees(first), of(first)),
    };
    format!(
        "{} {best}; {} {worst}{often}.",
        first.player.label, most.player.label
    )
}

/// Returns the rule at which a player differs first in most situations, if there is one for
/// several.
fn often(view: &View<'_>, column: &Column<'_>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in view.cells().filter(|place| place.column.id == column.id) {
        let rule = place
            .cell
            .first
            .as_ref()
            .and_then(|first| first.rule.as_ref());
        if let (Verdict::Differs, Some(rule)) = (&place.cell.verdict, rule) {
            *counts.entry(&rule.id).or_default() += 1;
        }
    }
    // Of several equal ones the first by name.
    let (rule, count) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
    (count > 1).then(|| rule.to_owned())
}

/// Returns the key figures.
pub(super) fn figures(view: &View<'_>) -> Vec<Figure> {
    let count = |mark| view.count(mark);
    let (same, knob, choice) = (
        count(Mark::Same) + count(Mark::Shared),
        count(Mark::Knob),
        count(Mark::Choice),
    );
    let (differs, unknown) = (count(Mark::Differs) + choice, count(Mark::Unknown));
    let unplayed = count(Mark::NotPlayed);
    let all = same + knob + differs + unplayed + unknown;
    let of = format!("of {}", grouped(all as u64));
    let mut figures = vec![Figure::new(
        grouped((same + knob) as u64),
        of,
        format!(
            "comparisons agree ({}, {})",
            counted(view.columns.len(), "player"),
            counted(view.report.cases.len(), "situation")
        ),
    )];
    if knob > 0 {
        figures.push(Figure::new(
            grouped(knob as u64),
            "",
            "of them with one knob, which names what the player does",
        ));
    }
    let from = match choice {
        0 => "differ".to_owned(),
        _ => format!("differ, {choice} of them first from a choice of playsim: no failure"),
    };
    figures.push(Figure {
        is_bad: differs > choice,
        ..Figure::new(grouped(differs as u64), "", from)
    });
    if unplayed > 0 {
        let words = "not played as written: an adapter, a page or a step failed";
        figures.push(Figure {
            is_bad: true,
            ..Figure::new(grouped(unplayed as u64), "", words)
        });
    } else if unknown > 0 {
        figures.push(Figure::new(
            grouped(unknown as u64),
            "",
            "say nothing, and count as neither",
        ));
    }
    figures
}
