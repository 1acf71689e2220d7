//! The answer where rows are compared with the current settings: orders, configurations, several
//! things at once, or chance.

use std::cmp::Reverse;

use super::{order_in_words, sentence};
use crate::axis::CONFIGURATION;
use crate::difference::MeanChange;
use crate::setting::{OFF, SettingTarget};
use crate::summary::RunOutcome;
use crate::table::{SweepRow, Table};
use playsim_base::interval::CONFIDENCE;
use playsim_base::number::Decimal;
use playsim_base::words::counted;

/// The score by which rows are compared: ads first, then revenue, then an early first frame.
type Score = (i64, i64, Reverse<i64>);

/// The words for a change.
struct Measured<'w> {
    unit: &'w str,
    more: &'w str,
    less: &'w str,
    noun: &'w str,
}

/// Writes the answer by the best row.
pub(super) fn of(table: &Table, now: &SweepRow) -> Vec<String> {
    if now.is_unknown() {
        return Vec::new();
    }
    let row_now = table.row_now();
    let others = table
        .rows
        .iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != row_now);
    // An outcome that is unknown is neither better nor worse.
    let others = others.filter(|(_, row)| !row.is_unknown());
    let others: Vec<&SweepRow> = others.map(|(_, row)| row).collect();
    // Revenue counts if it is known of all rows.
    let is_paid = table.runs.is_some()
        || table
            .rows
            .iter()
            .chain([now])
            .all(|row| row.earned.is_some());
    let score = |row: &SweepRow| score(row, is_paid);
    // Of rows that are equally good the first one.
    let Some(best) = others.iter().copied().rev().max_by_key(|row| score(row)) else {
        return Vec::new();
    };
    let name = name(table, best);
    if others.len() > 1 && score(best) <= score(now) {
        let what = if table.varied.len() == 1 {
            table.varied[0].name.as_str()
        } else {
            "combination"
        };
        let more = if is_paid && now_earns(now) {
            "fills or earns more"
        } else {
            "fills more"
        };
        let none = format!("no other {what} {more} than now");
        let soonest = others
            .iter()
            .copied()
            .filter(|row| is_sooner(row, now))
            .min_by_key(|row| frame(row));
        return match soonest {
            None => vec![sentence(&format!(
                "{none}, or shows its first frame sooner"
            ))],
            Some(row) => {
                let parts = listed(&changed(row, now));
                vec![
                    sentence(&none),
                    sentence(&format!("{} gives {parts}", self::name(table, row))),
                ]
            }
        };
    }
    let parts = changed(best, now);
    let mut said = Vec::new();
    if parts.is_empty() {
        let chance = if table.runs.is_some() {
            " beyond chance"
        } else {
            ""
        };
        let what = if others.len() > 1 {
            format!("even the best row, {name},")
        } else {
            name
        };
        said.push(sentence(&format!(
            "{what} changes neither fill nor revenue nor times{chance}"
        )));
    } else {
        said.push(sentence(&format!("{name} gives {}", listed(&parts))));
    }
    if others.len() > 1 {
        let rows = counted(others.len(), "other row");
        let flattered = if table.runs.is_some() {
            ", which flatters it: play it with another --seed"
        } else {
            ""
        };
        said.push(format!("It is the best of {rows}{flattered}."));
    }
    said
}

/// The difference of a row from the current settings.
fn changed(row: &SweepRow, now: &SweepRow) -> Vec<String> {
    if row.figures.is_some() {
        changes(row, now)
    } else {
        differences(row, now)
    }
}

/// Whether its first frame is earlier than now: of many sessions on average, and beyond chance.
fn is_sooner(row: &SweepRow, now: &SweepRow) -> bool {
    match row.difference {
        Some(it) => it.first_frame.high < Decimal::ZERO,
        None => frame(row) < frame(now),
    }
}

/// The time of its first frame: of one session after the break began, of many compared with now.
fn frame(row: &SweepRow) -> i64 {
    let once = |outcome: &RunOutcome| i64::try_from(outcome.first_frame?.after_us).ok();
    match row.difference {
        Some(it) => it.first_frame.mean.millionths(),
        None => row.outcome.as_ref().and_then(once).unwrap_or(i64::MAX),
    }
}

/// Whether it has less fill or revenue than now, beyond chance.
pub(super) fn lacks(row: &SweepRow) -> bool {
    let is_less = |it: MeanChange| it.high < Decimal::ZERO;
    row.difference
        .is_none_or(|it| is_less(it.filled) || it.revenue.is_some_and(is_less))
}

fn now_earns(now: &SweepRow) -> bool {
    now.earned.is_some() || now.figures.as_ref().is_some_and(|it| it.revenue.is_some())
}

fn score(row: &SweepRow, is_paid: bool) -> Score {
    if let Some(outcome) = &row.outcome {
        let earned = row
            .earned
            .filter(|_| is_paid)
            .map_or(0, Decimal::millionths);
        return (
            i64::from(outcome.breaks_filled),
            earned,
            Reverse(frame(row)),
        );
    }
    let Some(figures) = &row.figures else {
        return (0, 0, Reverse(i64::MAX));
    };
    // The current settings have no difference from themselves.
    let frame = row
        .difference
        .map_or(0, |it| it.first_frame.mean.millionths());
    let filled = figures.filled.share.millionths();
    match &figures.revenue {
        Some(revenue) => (revenue.per_mille.millionths(), filled, Reverse(frame)),
        None => (filled, 0, Reverse(frame)),
    }
}

/// The settings of a row that differ from the current ones.
fn name(table: &Table, row: &SweepRow) -> String {
    let pairs = table.varied.iter().zip(&row.values);
    let parts = pairs
        .filter(|(varied, value)| varied.now.as_ref() != Some(value))
        .map(
            |(varied, value)| match (SettingTarget::read(&varied.name).ok(), &varied.now) {
                (Some(SettingTarget::Order), Some(now)) => order_in_words(value, now),
                (Some(SettingTarget::Off(tag)), _) if value == OFF => format!("leaving out {tag}"),
                _ if varied.name == CONFIGURATION => value.clone(),
                _ => format!("{}={value}", varied.name),
            },
        );
    let mut parts: Vec<String> = parts.collect();
    if table.varied.is_empty() {
        parts = table
            .fixed
            .iter()
            .map(|it| format!("{}={}", it.name, it.value))
            .collect();
    }
    if parts.is_empty() {
        "the row".to_owned()
    } else {
        parts.join(" with ")
    }
}

/// The difference of one session from the current settings.
fn differences(row: &SweepRow, now: &SweepRow) -> Vec<String> {
    let (Some(to), Some(from)) = (&row.outcome, &now.outcome) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    let tags = |tags: &[crate::TagNumber]| {
        tags.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" and ")
    };
    if from.filled_by != to.filled_by || from.breaks_filled != to.breaks_filled {
        let (old, new) = (tags(&from.filled_by), tags(&to.filled_by));
        parts.push(match (from.is_filled(), to.is_filled()) {
            (false, _) => format!("an ad of {new} in place of none"),
            (true, false) => format!("no ad in place of one of {old}"),
            (true, true) if to.breaks > 1 => format!(
                "{} of {} filled breaks in place of {}, by {new} in place of {old}",
                to.breaks_filled, to.breaks, from.breaks_filled
            ),
            (true, true) => format!("an ad of {new} in place of one of {old}"),
        });
    }
    let earned = [now.earned, row.earned].map(|earned| earned.map(Decimal::millionths));
    if let [Some(before), Some(after)] = earned
        && before != after
    {
        let word = if after > before { "more" } else { "less" };
        let by = i128::from(before.abs_diff(after));
        parts.push(match before {
            0 => {
                format!(
                    "revenue of {} for 1,000 sessions in place of none",
                    Decimal::from_millionths(after)
                )
            }
            _ => format!("{} % {word} revenue", tenths(by * 100, before.into())),
        });
    }
    if let (Some(before), Some(after)) = (from.first_frame, to.first_frame)
        && before.after_us != after.after_us
    {
        let word = if after.after_us > before.after_us {
            "later"
        } else {
            "sooner"
        };
        let by = Decimal::seconds(before.after_us.abs_diff(after.after_us));
        parts.push(format!("a first frame {by} s {word}"));
    }
    parts
}

/// The difference of many sessions from the current settings, beyond chance.
pub(super) fn changes(row: &SweepRow, now: &SweepRow) -> Vec<String> {
    let Some(difference) = &row.difference else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    let base = now
        .figures
        .as_ref()
        .and_then(|it| it.revenue.as_ref())
        .map_or(0, |it| it.per_mille.millionths());
    if let Some(change) = difference.revenue.filter(|it| !it.is_within_chance()) {
        let words = |unit, noun| Measured {
            unit,
            more: "more",
            less: "less",
            noun,
        };
        let share = |it: Decimal| tenths(i128::from(it.millionths()) * 100, base.into());
        parts.push(match base {
            0 => signed(&change, &words("", "revenue for 1,000 sessions"), |it| {
                it.to_string()
            }),
            _ => signed(&change, &words(" %", "revenue"), share),
        });
    }
    if !difference.filled.is_within_chance() {
        let words = Measured {
            unit: " points",
            more: "more",
            less: "less",
            noun: "fill",
        };
        let points = |it: Decimal| tenths(i128::from(it.millionths()), 10_000);
        parts.push(signed(&difference.filled, &words, points));
    }
    if !difference.first_frame.is_within_chance() {
        let words = Measured {
            unit: " s",
            more: "later",
            less: "sooner",
            noun: "first frames",
        };
        let millis = |it: Decimal| (it.millionths() + 500) / 1_000 * 1_000;
        parts.push(signed(&difference.first_frame, &words, |it| {
            Decimal::from_millionths(millis(it)).to_string()
        }));
    }
    parts
}

/// A change without its sign: `4.0 % more revenue (95 %: 3.1 to 4.9)`.
fn signed(change: &MeanChange, what: &Measured<'_>, write: impl Fn(Decimal) -> String) -> String {
    let is_more = change.mean > Decimal::ZERO;
    let negative = |it: Decimal| Decimal::from_millionths(-it.millionths());
    let ends = if is_more {
        [change.mean, change.low, change.high]
    } else {
        [
            negative(change.mean),
            negative(change.high),
            negative(change.low),
        ]
    };
    let [mean, low, high] = ends.map(write);
    let word = if is_more { what.more } else { what.less };
    format!(
        "{mean}{} {word} {} ({CONFIDENCE} %: {low} to {high})",
        what.unit, what.noun
    )
}

/// A quotient with one decimal.
fn tenths(number: i128, by: i128) -> String {
    let tenths = (number * 10 + by / 2) / by.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
