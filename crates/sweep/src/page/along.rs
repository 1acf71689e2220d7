//! The plots over one axis: outcomes as stretches, and lines with the intervals of their values.
//!
//! An axis has a chart if its values have an order. What else varies makes a line each, as long as
//! there are only a few.

use super::estimate::{Estimate, Measure};
use crate::axis::Unit;
use crate::summary::{RunOutcome, Shows};
use crate::table::{SweepRow, Table, TippingPoint, Varied};
use crate::tag::TagNumber;
use playsim_base::number::Decimal;

/// The most lines of a chart.
pub(super) const MOST_LINES: usize = 4;
/// The most points of a line.
const MOST_POINTS: usize = 2_000;

/// Charts over one axis.
pub(super) struct Along<'t> {
    pub(super) varied: &'t Varied,
    pub(super) unit: Unit,
    pub(super) from: u64,
    pub(super) to: u64,
    /// The value in force.
    pub(super) now: Option<u64>,
    pub(super) strips: Vec<Strip>,
    pub(super) panels: Vec<Panel>,
    pub(super) regions: Vec<Region>,
}

/// The outcomes along the axis.
pub(super) struct Strip {
    /// The other settings; empty if nothing else varies.
    pub(super) name: String,
    pub(super) stretches: Vec<Stretch>,
    /// Where the viewer or the advertiser gets something else.
    pub(super) tips: Vec<u64>,
}

/// Values next to each other with the same outcome.
pub(super) struct Stretch {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) kind: StretchKind,
    pub(super) label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StretchKind {
    Filled,
    NoAd,
    Unknown,
}

/// One chart.
pub(super) struct Panel {
    pub(super) measure: Measure,
    pub(super) title: String,
    pub(super) lines: Vec<Line>,
}

/// A line of a chart; where a value is unknown it has a gap.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(u64, Option<Estimate>)>,
}

/// A part of the axis of which no recording can tell everything.
pub(super) struct Region {
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether it is unknown; otherwise it rests on an assumption.
    pub(super) is_unknown: bool,
    pub(super) name: String,
}

/// Rows that differ in the axis only.
struct Group<'t> {
    name: String,
    rows: Vec<(u64, &'t SweepRow)>,
    tips: Vec<&'t TippingPoint>,
}

/// One outcome at a value.
struct Spot<'t> {
    at: u64,
    outcome: &'t RunOutcome,
    earned: Option<Decimal>,
}

impl<'t> Along<'t> {
    /// Returns the charts of a table; `None` if nothing that varies has an order, or if there were
    /// too many lines.
    pub(super) fn of(table: &'t Table) -> Option<Along<'t>> {
        let is_ordered = |it: &&(usize, &Varied)| it.1.unit.is_some() && it.1.points.len() > 1;
        let all: Vec<(usize, &Varied)> = table.varied.iter().enumerate().collect();
        let (index, varied) = *all.iter().rev().find(is_ordered)?;
        let groups = groups(table, index)?;
        let unit = varied.unit?;
        let points = || {
            varied
                .points
                .iter()
                .flatten()
                .copied()
                .chain(varied.now_point)
        };
        let (from, to) = (points().min()?, points().max()?);
        let mut along = Along {
            varied,
            unit,
            from,
            to,
            now: varied.now_point,
            strips: Vec::new(),
            panels: Vec::new(),
            regions: Vec::new(),
        };
        if table.runs.is_some() {
            along.panels = of_figures(table, &groups);
            along.regions.extend(doubtful(table, &groups, &along));
        } else {
            let spots: Vec<Vec<Spot<'_>>> = groups.iter().map(Group::spots).collect();
            along.strips = groups
                .iter()
                .zip(&spots)
                .map(|(group, spots)| strip(group, spots))
                .collect();
            along.panels = of_outcomes(&groups, &spots);
            if let [strip] = &along.strips[..] {
                along.regions = unknown(strip, &spots[0], &along);
            }
        }
        along.regions.extend(assumed(table, &along));
        Some(along)
    }

    /// Returns a value with its unit.
    pub(super) fn value(&self, at: u64) -> String {
        self.unit.words(at)
    }
}

/// Returns the rows by what else varies; `None` if these are too many.
fn groups(table: &Table, index: usize) -> Option<Vec<Group<'_>>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in &table.rows {
        let value = row.values.get(index)?;
        let at = table.varied[index]
            .values
            .iter()
            .position(|label| label == value)?;
        let at = table.varied[index].points[at]?;
        let others = table
            .varied
            .iter()
            .zip(&row.values)
            .enumerate()
            .filter(|(other, _)| *other != index);
        let others: Vec<String> = others
            .map(|(_, (it, value))| format!("{}={value}", it.name))
            .collect();
        let name = others.join(", ");
        let known = groups.iter().position(|group| group.name == name);
        match known {
            Some(known) => groups[known].rows.push((at, row)),
            None if groups.len() == MOST_LINES => return None,
            None => groups.push(Group {
                name,
                rows: vec![(at, row)],
                tips: Vec::new(),
            }),
        }
    }
    for tip in table
        .tipping_points
        .iter()
        .filter(|tip| tip.name == table.varied[index].name)
    {
        let others: Vec<String> = tip
            .others
            .iter()
            .map(|it| format!("{}={}", it.name, it.value))
            .collect();
        let name = others.join(", ");
        groups
            .iter_mut()
            .filter(|group| group.name == name)
            .for_each(|group| group.tips.push(tip));
    }
    groups
        .iter_mut()
        .for_each(|group| group.rows.truncate(MOST_POINTS));
    Some(groups)
}

impl<'t> Group<'t> {
    /// Returns the outcomes of the rows, and those on both sides of each tipping point.
    fn spots(&self) -> Vec<Spot<'t>> {
        let row = |(at, row): &(u64, &'t SweepRow)| {
            Some(Spot {
                at: *at,
                outcome: row.outcome.as_ref()?,
                earned: row.earned,
            })
        };
        let mut spots: Vec<Spot<'t>> = self.rows.iter().filter_map(row).collect();
        // Up to a tipping point the same ads are shown as in the nearest row, and so they earn the
        // same.
        let earned = |spots: &[Spot<'t>], outcome: &RunOutcome, at: u64| {
            let alike = spots.iter().filter(|spot| spot.outcome.is_like(outcome));
            alike
                .min_by_key(|spot| spot.at.abs_diff(at))
                .and_then(|spot| spot.earned)
        };
        let sides = self.tips.iter().flat_map(|tip| {
            [
                (tip.point.saturating_sub(1), &tip.before),
                (tip.point, &tip.after),
            ]
        });
        for (at, outcome) in sides.collect::<Vec<_>>() {
            if spots.iter().all(|spot| spot.at != at) {
                let earned = earned(&spots, outcome, at);
                spots.push(Spot {
                    at,
                    outcome,
                    earned,
                });
            }
        }
        spots.sort_by_key(|spot| spot.at);
        spots
    }
}

fn strip(group: &Group<'_>, spots: &[Spot<'_>]) -> Strip {
    let mut stretches: Vec<Stretch> = Vec::new();
    for spot in spots {
        let (kind, label) = outcome(spot.outcome);
        match stretches.last_mut() {
            Some(last) if last.label == label => last.to = spot.at,
            _ => stretches.push(Stretch {
                from: spot.at,
                to: spot.at,
                kind,
                label,
            }),
        }
    }
    for index in 1..stretches.len() {
        stretches[index - 1].to = stretches[index].from;
    }
    let is_known = |tip: &&&TippingPoint| !tip.before.is_unknown() && !tip.after.is_unknown();
    let tips = group
        .tips
        .iter()
        .filter(is_known)
        .map(|tip| tip.point)
        .collect();
    Strip {
        name: group.name.clone(),
        stretches,
        tips,
    }
}

/// Returns what an outcome is called.
pub(super) fn outcome(outcome: &RunOutcome) -> (StretchKind, String) {
    if outcome.is_unknown() {
        return (StretchKind::Unknown, "unknown".to_owned());
    }
    let tags: Vec<String> = outcome.filled_by.iter().map(TagNumber::to_string).collect();
    match (&tags[..], outcome.breaks) {
        ([], _) => (StretchKind::NoAd, "no ad".to_owned()),
        (tags, 0..=1) => (StretchKind::Filled, tags.join(" and ")),
        (tags, breaks) => (
            StretchKind::Filled,
            format!("{} of {breaks}: {}", outcome.breaks_filled, tags.join(", ")),
        ),
    }
}

/// Returns where the outcome of sessions is unknown, and why.
fn unknown(strip: &Strip, spots: &[Spot<'_>], along: &Along<'_>) -> Vec<Region> {
    let unknown = strip
        .stretches
        .iter()
        .filter(|it| it.kind == StretchKind::Unknown);
    let region = |it: &Stretch| {
        let why = spots
            .iter()
            .find(|spot| spot.at == it.from && spot.outcome.is_unknown())?;
        let gave_up = crate::answer::gave_up(&why.outcome.unknown);
        let known = it.from.saturating_sub(1);
        let name = if it.to == along.to && it.from > along.from {
            format!("beyond {}: {gave_up}", along.value(known))
        } else {
            format!("unknown: {gave_up}")
        };
        Some(Region {
            from: it.from,
            to: it.to,
            is_unknown: true,
            name,
        })
    };
    unknown.filter_map(region).collect()
}

/// Returns where some of many sessions depend on an answer that nobody saw.
fn doubtful(table: &Table, groups: &[Group<'_>], along: &Along<'_>) -> Option<Region> {
    let rows = || groups.iter().flat_map(|group| &group.rows);
    let doubtful = || {
        rows()
            .filter(|(_, row)| row.is_unknown())
            .map(|(at, _)| *at)
    };
    let (first, last) = (doubtful().min()?, doubtful().max()?);
    let known = rows().map(|(at, _)| *at).filter(|at| *at < first).max();
    let gave_up = crate::answer::gave_up(&crate::answer::unseen(table));
    let name = match known.filter(|_| last == along.to) {
        Some(known) => format!("beyond {}: {gave_up}", along.value(known)),
        None => format!("unknown: {gave_up}"),
    };
    Some(Region {
        from: known.unwrap_or(first),
        to: last,
        is_unknown: true,
        name,
    })
}

/// Returns where a timeout is longer than what a recorded player waited, if what comes then was
/// assumed.
fn assumed(table: &Table, along: &Along<'_>) -> Option<Region> {
    if along.varied.name != "ad.timeout" || !along.regions.is_empty() {
        return None;
    }
    let seen = table
        .tags
        .iter()
        .filter_map(|tag| tag.silent_until_us)
        .min()?;
    let name = format!(
        "beyond {}: assumed, the recorded player waited no longer",
        along.value(seen)
    );
    (seen < along.to).then(|| Region {
        from: seen.max(along.from),
        to: along.to,
        is_unknown: false,
        name,
    })
}

fn of_outcomes(groups: &[Group<'_>], spots: &[Vec<Spot<'_>>]) -> Vec<Panel> {
    let line = |name: String, spots: &[Spot<'_>], of: &dyn Fn(&Spot<'_>) -> Option<i64>| {
        let known = |spot: &Spot<'_>| {
            (!spot.outcome.is_unknown())
                .then(|| of(spot))
                .flatten()
                .map(Estimate::exact)
        };
        Line {
            name,
            points: spots.iter().map(|spot| (spot.at, known(spot))).collect(),
        }
    };
    let lines = |name: &str, of: &dyn Fn(&Spot<'_>) -> Option<i64>| -> Vec<Line> {
        let name = |group: &Group<'_>| {
            if group.name.is_empty() {
                name
            } else {
                &group.name
            }
            .to_owned()
        };
        groups
            .iter()
            .zip(spots)
            .map(|(group, spots)| line(name(group), spots, of))
            .collect()
    };
    let frame = |spot: &Spot<'_>, what: Option<Shows>| {
        let frame = spot
            .outcome
            .first_frame
            .filter(|frame| what.is_none_or(|what| frame.of == what))?;
        i64::try_from(frame.after_us).ok()
    };
    let mut pictures = match groups {
        [_] => [("ad", Shows::Ad), ("content, no ad", Shows::Content)]
            .into_iter()
            .flat_map(|(name, what)| lines(name, &|spot| frame(spot, Some(what))))
            .collect(),
        _ => lines("", &|spot| frame(spot, None)),
    };
    pictures.retain(Line::is_drawn);
    let filled = |spot: &Spot<'_>| {
        let breaks = i64::from(spot.outcome.breaks);
        (breaks > 0).then(|| i64::from(spot.outcome.breaks_filled) * 1_000_000 / breaks)
    };
    let mut earned = lines("revenue", &|spot| spot.earned.map(Decimal::millionths));
    earned.retain(Line::is_drawn);
    [
        (
            Measure::Fill,
            "Breaks with an ad, %",
            lines("filled", &filled),
        ),
        (Measure::Picture, "First picture, s", pictures),
        (
            Measure::Revenue,
            "Revenue of 1,000 sessions like it",
            earned,
        ),
    ]
    .map(|(measure, title, lines)| Panel {
        measure,
        title: title.to_owned(),
        lines,
    })
    .into()
}

fn of_figures(table: &Table, groups: &[Group<'_>]) -> Vec<Panel> {
    let line = |name: String, group: &Group<'_>, of: &dyn Fn(&SweepRow) -> Option<Estimate>| Line {
        name,
        points: group
            .rows
            .iter()
            .map(|(at, row)| (*at, of(row).filter(|_| !row.is_unknown())))
            .collect(),
    };
    let mut panels = Vec::new();
    for (measure, title) in Measure::OF_MANY {
        let mut lines = Vec::new();
        match groups {
            [group] => {
                for (nth, (name, of)) in measure.lines(&table.tags).into_iter().enumerate() {
                    let line = line(name, group, &of);
                    // A tag that never fills says nothing.
                    let is_empty = line
                        .points
                        .iter()
                        .all(|(_, it)| it.is_none_or(|it| it.value == 0));
                    if nth == 0 || !is_empty {
                        lines.push(line);
                    }
                }
            }
            groups => {
                for group in groups {
                    lines.push(line(group.name.clone(), group, &|row| measure.first(row)));
                }
            }
        }
        lines.retain(Line::is_drawn);
        let which = if groups.len() > 1 && measure == Measure::Picture {
            ": 50 % within"
        } else {
            ""
        };
        panels.push(Panel {
            measure,
            title: format!("{title}{which}"),
            lines,
        });
    }
    panels
}

impl Line {
    fn is_drawn(&self) -> bool {
        self.points.iter().any(|(_, value)| value.is_some())
    }

    /// Returns the last value that is known.
    pub(super) fn last(&self) -> Option<(u64, Estimate)> {
        self.points
            .iter()
            .rev()
            .find_map(|(at, value)| Some((*at, (*value)?)))
    }

    /// Returns the parts of the line between gaps.
    pub(super) fn parts(&self) -> Vec<Vec<(u64, Estimate)>> {
        let mut parts = vec![Vec::new()];
        for (at, value) in &self.points {
            match (value, parts.last_mut()) {
                (Some(value), Some(part)) => part.push((*at, *value)),
                _ => parts.push(Vec::new()),
            }
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}
