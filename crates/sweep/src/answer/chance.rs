//! The answer where one knob with an order is varied and sessions are random: how low it can go
//! without losing anything beyond chance.

use super::along::noun;
use super::rows::{changes, lacks};
use super::sentence;
use crate::table::{SweepRow, Table, Varied};

/// Writes the answer; nothing if the values have no order, or if the value in force is not within
/// them.
pub(super) fn of(table: &Table, varied: &Varied, now: &SweepRow) -> Vec<String> {
    let (Some(unit), Some(here)) = (varied.unit, varied.now_point) else {
        return Vec::new();
    };
    let is_wanted_high = [".after", ".fill"]
        .iter()
        .any(|end| varied.name.ends_with(end));
    if is_wanted_high || now.is_unknown() {
        return Vec::new();
    }
    let rows = varied.points.iter().zip(&table.rows);
    let known = rows
        .filter(|(_, row)| !row.is_unknown())
        .filter_map(|(at, row)| Some(((*at)?, row)));
    let below: Vec<(u64, &SweepRow)> = known.filter(|(at, _)| *at < here).collect();
    let noun = noun(&varied.name);
    let now_value = unit.words(here);
    let keeping = below
        .iter()
        .rev()
        .take_while(|(_, row)| !lacks(row))
        .count();
    let lowest = below.len() - keeping;
    let (Some((next, row)), 0) = (below.last(), keeping) else {
        let Some((at, row)) = below.get(lowest) else {
            return Vec::new();
        };
        let earns = row
            .figures
            .as_ref()
            .is_some_and(|figures| figures.revenue.is_some());
        let lost = if earns { "fill or revenue" } else { "fill" };
        let mut said = format!(
            "you can lower {noun} from {now_value} to {} without losing {lost} beyond chance",
            unit.words(*at)
        );
        match lowest.checked_sub(1).map(|loss| below[loss]) {
            Some((at, row)) => {
                said.push_str(&format!(
                    "; {} gives {}",
                    unit.words(at),
                    listed(&changes(row, now))
                ));
            }
            None => said.push_str("; lower values were not played"),
        }
        let gained = changes(row, now);
        let gained =
            (!gained.is_empty()).then(|| format!("{} gives {}", unit.words(*at), listed(&gained)));
        return [Some(said), gained]
            .into_iter()
            .flatten()
            .map(|it| sentence(&it))
            .collect();
    };
    vec![sentence(&format!(
        "lowering {noun} from {now_value} to {} gives {}",
        unit.words(*next),
        listed(&changes(row, now))
    ))]
}

fn listed(parts: &[String]) -> String {
    if parts.is_empty() {
        "nothing beyond chance".to_owned()
    } else {
        super::rows::listed(parts)
    }
}
