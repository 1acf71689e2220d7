//! The outcome of each break that a VMAP document schedules.
//!
//! Breaks that began or were left out have lines of their own. The others are known only from the
//! document: [`read`] adds them, with the reason why they were not reached.
//!
//! Rules: VMAP-1, VMAP-4 to VMAP-6, VMAP-17, VMAP-19.

use std::collections::BTreeMap;

use super::data::text;
use super::{AdBreakOutcome, AdBreakReport, Schedule, ScheduledBreak, TagOutcome, Waterfalls};
use playsim_api::{Fields, Outcome, Value};
use playsim_base::number::Decimal;
use playsim_vast::Document;
use playsim_vast::vmap::{Break, TimeOffset};

/// Handles a VMAP document that takes effect.
pub(super) fn begin(report: &mut Waterfalls, player: Option<String>, document: String) {
    let index = of_document(report, &document);
    report.schedules[index].player = player;
}

/// Handles a break that does not take place.
pub(super) fn leave_out(report: &mut Waterfalls, outcome: AdBreakOutcome, data: &Fields) {
    let at = text(data, "at").unwrap_or_default();
    let types = match data.get("types") {
        Some(Value::List(types)) => types
            .iter()
            .filter_map(Value::as_text)
            .map(ToString::to_string)
            .collect(),
        _ => Vec::new(),
    };
    let row = ScheduledBreak {
        id: text(data, "id"),
        offset: text(data, "offset"),
        types,
        at,
        ..Default::default()
    };
    let row = self::row(report, row);
    // A break that repeats may have begun before.
    if row.outcome == AdBreakOutcome::default() {
        row.outcome = outcome;
        row.reason = text(data, "why");
    }
}

/// Adds the outcomes of the breaks that began.
pub(super) fn settle(report: &mut Waterfalls) {
    let began: Vec<(u64, AdBreakOutcome, ScheduledBreak)> =
        report.breaks.iter().filter_map(began).collect();
    // By place, so that no row is looked for among all others.
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (begin_us, outcome, row) in began {
        let (schedule, place) = *rows
            .entry(row.at.clone())
            .or_insert_with(|| self::place(report, row));
        let row = &mut report.schedules[schedule].breaks[place];
        if row.begin_us.is_empty() || outcome == AdBreakOutcome::Filled {
            row.outcome = outcome;
            row.reason = None;
        }
        row.begin_us.push(begin_us);
    }
}

fn began(it: &AdBreakReport) -> Option<(u64, AdBreakOutcome, ScheduledBreak)> {
    let row = ScheduledBreak {
        id: it.id.clone(),
        offset: it.offset.clone(),
        at: it.at.clone()?,
        ..Default::default()
    };
    Some((it.begin_us, it.outcome.clone(), row))
}

/// Adds all breaks of a document, in its order. `fault`: why the whole document is unusable.
pub(super) fn read(report: &mut Waterfalls, name: &str, document: &Document, fault: Option<&str>) {
    let content_us = report.content_us;
    let is_over = report.outcome == Some(Outcome::Idle);
    let index = of_document(report, name);
    let known = std::mem::take(&mut report.schedules[index].breaks);
    let mut by_place = BTreeMap::new();
    for row in &known {
        by_place.entry(&*row.at).or_insert(row);
    }
    let rows = document.breaks.iter().map(|it| {
        let at = format!("{name}:{}", it.at);
        let known = by_place.get(&*at).copied().cloned().unwrap_or_default();
        let reason = || match fault {
            Some(fault) => Some(fault.to_owned()),
            None => Some(unreached(it, content_us, is_over)),
        };
        let is_open = known.outcome == AdBreakOutcome::default();
        ScheduledBreak {
            id: it.id.as_ref().map(ToString::to_string),
            offset: it.time_offset.as_ref().map(ToString::to_string),
            types: it.types.iter().map(|kind| kind.word().to_owned()).collect(),
            at,
            begin_us: known.begin_us,
            outcome: match (is_open, fault) {
                (false, _) => known.outcome,
                (true, Some(_)) => AdBreakOutcome::LeftOut,
                (true, None) => AdBreakOutcome::NeverReached,
            },
            reason: if is_open { reason() } else { known.reason },
        }
    });
    report.schedules[index].breaks = rows.collect();
}

/// Returns why a break that the trace does not mention did not take place.
fn unreached(it: &Break, content_us: Option<u64>, is_over: bool) -> String {
    let Some(content_us) = content_us else {
        return "the length of the content is unknown".to_owned();
    };
    let lasts = || format!("the content lasts {} s", Decimal::seconds(content_us));
    match &it.time_offset {
        Some(TimeOffset::At(span)) if span.micros() >= content_us => lasts(),
        Some(TimeOffset::Share(share)) if *share > 1_000_000 => lasts(),
        Some(TimeOffset::Position(_)) => {
            "the content has no ad opportunity with this number".to_owned()
        }
        Some(_) | None if is_over => "playback never reached it".to_owned(),
        Some(_) | None => "the run ended first".to_owned(),
    }
}

/// Returns why the breaks at places of documents did not take place, by place; `None` if the reason
/// is unknown.
pub(super) fn reasons(report: &Waterfalls) -> BTreeMap<&str, Option<&str>> {
    let mut reasons = BTreeMap::new();
    for row in report.schedules.iter().flat_map(|it| &it.breaks) {
        if row.begin_us.is_empty() {
            reasons.entry(&*row.at).or_insert(row.reason.as_deref());
        }
    }
    reasons
}

/// Returns why the document of a tag is unusable; `None` if it is usable.
pub(super) fn fault(it: &AdBreakReport, tag: usize) -> Option<String> {
    let tag = &it.tags[tag];
    let code = tag
        .code
        .map_or_else(String::new, |code| format!(" ({code})"));
    let reason = tag.reason.as_deref().unwrap_or("no reason given");
    (tag.outcome == TagOutcome::NoFill)
        .then(|| format!("the document cannot be used{code}: {reason}"))
}

/// Returns the row of a place, which is added if missing.
fn row(report: &mut Waterfalls, row: ScheduledBreak) -> &mut ScheduledBreak {
    let (schedule, place) = place(report, row);
    &mut report.schedules[schedule].breaks[place]
}

/// Returns the numbers of the schedule and of the row.
fn place(report: &mut Waterfalls, row: ScheduledBreak) -> (usize, usize) {
    // The place is `file:line:column`, and file names may contain colons.
    let document = row.at.rsplitn(3, ':').nth(2).unwrap_or_default().to_owned();
    let index = of_document(report, &document);
    let rows = &mut report.schedules[index].breaks;
    let at = rows
        .iter()
        .position(|it| it.at == row.at)
        .unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        });
    (index, at)
}

fn of_document(report: &mut Waterfalls, document: &str) -> usize {
    report
        .schedules
        .iter()
        .position(|it| it.document == document)
        .unwrap_or_else(|| {
            report.schedules.push(Schedule {
                document: document.to_owned(),
                ..Schedule::default()
            });
            report.schedules.len() - 1
        })
}
