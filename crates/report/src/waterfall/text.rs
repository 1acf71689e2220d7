//! The waterfalls of a run as tables.
//!
//! `tags` writes one line per tag and hop; `lists` writes what played and which pixels were or were not
//! called.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::layout::Paint;
use super::{AdBreakKind, AdBreakOutcome, AdBreakReport, Detail, Schedule, TagOutcome, Waterfalls};
use crate::dictionary;
use playsim_api::Outcome;
use playsim_base::number::Decimal;
use playsim_base::words;

mod lists;
mod tags;

use tags::Table;

/// The smallest and largest widths of a table that are readable.
const WIDTH: (usize, usize) = (80, 160);

pub(super) fn text(report: &Waterfalls, width: usize, color: bool, detail: Detail) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, report, width.clamp(WIDTH.0, WIDTH.1), Paint(color), detail);
    out
}

fn write(out: &mut String, report: &Waterfalls, width: usize, paint: Paint, detail: Detail) -> fmt::Result {
    if report.breaks.is_empty() {
        writeln!(out, "no ad break began")?;
        let table = Table::of(report, &AdBreakReport::default(), width, paint, detail);
        table.note(out, &format!("({})", setting(report)))?;
    }
    let mut schedules = Some(&report.schedules).filter(|all| !all.is_empty());
    for (index, it) in report.breaks.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let table = Table::of(report, it, width, paint, detail);
        heading(out, it, &table)?;
        if index == 0 {
            table.note(out, &format!("({})", setting(report)))?;
        }
        writeln!(out)?;
        table.tags(out, it)?;
        if it.outcome != AdBreakOutcome::Scheduled || !it.played.is_empty() || !it.beacons.is_empty() {
            lists::played(out, it, &table)?;
            lists::beacons(out, it, &table)?;
        }
        lists::uncalled(out, it, &table)?;
        lists::unfilled(out, it, &table)?;
        if it.tags.iter().any(|tag| tag.outcome == TagOutcome::Scheduled)
            && let Some(all) = schedules.take()
        {
            all.iter().try_for_each(|one| schedule(out, one, &table))?;
        }
    }
    if let Some((all, last)) = schedules.zip(report.breaks.last()) {
        let table = Table::of(report, last, width, paint, detail);
        all.iter().try_for_each(|one| schedule(out, one, &table))?;
    }
    if !matches!(Outcome::from_name(&report.outcome), Some(Outcome::Idle | Outcome::Until)) {
        writeln!(out, "\nthe run was stopped; its outcome is {}", report.outcome)?;
    }
    if let Some(codes) = codes(report) {
        let text = format!("playsim code {codes} says what this means, who has to act and what helps");
        writeln!(out, "\n{}", words::wrap(&text, width).join("\n"))?;
    }
    Ok(())
}

/// Returns the codes in the report that the dictionary explains, ascending, as arguments of `playsim code`.
fn codes(report: &Waterfalls) -> Option<String> {
    let codes = report.breaks.iter().flat_map(|it| {
        let of_tags = it.tags.iter().flat_map(|tag| {
            let of_ads = tag.rejected.iter().filter_map(|ad| ad.code);
            tag.code.into_iter().chain(of_ads).chain(tag.faults.iter().filter_map(|fault| fault.code))
        });
        of_tags.chain(it.beacons.iter().filter_map(|beacon| beacon.code))
    });
    let known = codes.filter(|code| dictionary::of_trace(*code).is_some());
    let known: BTreeSet<u16> = known.collect();
    let words: Vec<String> = known.iter().map(ToString::to_string).collect();
    Some(words.join(" ")).filter(|words| !words.is_empty())
}

/// Returns the setting of the run: `profile default; timeouts: tag 5 s, media 8 s; ...`.
fn setting(report: &Waterfalls) -> String {
    let seconds = |us: u64| format!("{} s", Decimal::seconds(us));
    let timeouts =
        format!("timeouts: tag {}, media {}", seconds(report.timeout_us), seconds(report.media_timeout_us));
    let content = match report.content_us {
        Some(length) => format!("; the content lasts {}", seconds(length)),
        None => String::new(),
    };
    let is_printed = |name: &str| matches!(name, "ad.timeout" | "ad.media_timeout");
    let knobs = report.knobs.iter().filter(|(name, _)| !is_printed(name));
    let knobs: String = knobs.map(|(name, value)| format!("; {name}={value}")).collect();
    format!("profile {}{knobs}; {timeouts}{content}", report.profile)
}

/// Writes `pre-roll: filled by tag 2 of 3 tags after 0.310 s`.
fn heading(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    let kind = match &it.kind {
        AdBreakKind::Pre => "pre-roll",
        AdBreakKind::Mid => "mid-roll",
        AdBreakKind::Post => "post-roll",
        other @ (AdBreakKind::Overlay
        | AdBreakKind::Display
        | AdBreakKind::Command
        | AdBreakKind::Other(_)) => other.word(),
    };
    let of_vmap = it.offset.as_ref().map_or_else(String::new, |offset| {
        let id = it.id.as_ref().map_or_else(String::new, |id| format!(" {id}"));
        format!(", VMAP break{id} at {offset}")
    });
    let of = it.tags.len();
    let has = |outcome| it.tags.iter().find(move |tag| tag.outcome == outcome);
    let (filled, scheduled) = (has(TagOutcome::Filled), has(TagOutcome::Scheduled));
    let how = match (filled, scheduled) {
        (Some(tag), _) => {
            let after = table.clock.at(tag.decided_us.unwrap_or(it.begin_us).saturating_sub(it.begin_us));
            let pod =
                if table.has_pods { format!(" in pod {}", u64::from(tag.pod) + 1) } else { String::new() };
            let of = if of == 1 { String::new() } else { format!(" of {of} tags") };
            format!("filled by tag {}{of}{pod} after {after} s", u64::from(tag.wp) + 1)
        }
        (None, Some(tag)) => {
            let number = u64::from(tag.wp) + 1;
            format!("tag {number} returned a schedule of breaks (VMAP) instead of ads")
        }
        (None, None) if it.outcome == AdBreakOutcome::NoFill => {
            let after = table.clock.at(it.end_us.unwrap_or(it.begin_us).saturating_sub(it.begin_us));
            match of {
                0 => "no tag to request".to_owned(),
                1 => format!("the tag did not fill, decided after {after} s"),
                _ => format!("none of {of} tags filled, decided after {after} s"),
            }
        }
        (None, None) => it.outcome.to_string(),
    };
    let painted = if filled.or(scheduled).is_some() { table.paint.good(&how) } else { table.paint.bad(&how) };
    writeln!(out, "{}{of_vmap}: {painted}", table.paint.strong(kind))
}

/// Writes the outcome of each break of a VMAP document.
fn schedule(out: &mut String, it: &Schedule, table: &Table) -> fmt::Result {
    let title = format!("schedule of {}: {}", it.document, words::counted(it.breaks.len(), "break"));
    let longest =
        |texts: &mut dyn Iterator<Item = usize>, least: usize| texts.max().unwrap_or(0).clamp(least, 24);
    let count = |text: &Option<String>| text.as_ref().map_or(1, |text| text.chars().count());
    let id = longest(&mut it.breaks.iter().map(|row| count(&row.id)), 2);
    let due = longest(&mut it.breaks.iter().map(|row| count(&row.offset)), 3);
    let types: Vec<String> = it.breaks.iter().map(|row| row.types.join(",")).collect();
    let kind = longest(&mut types.iter().map(|types| types.chars().count()), 4);
    let head = format!("{:>3}  {:id$}  {:due$}  {:kind$}  {:>9}  outcome", "", "id", "due", "type", "began");
    writeln!(out, "\n{}\n{}", table.paint.strong(&title), table.paint.faint(&head))?;
    let or_line = |text: &Option<String>, width| super::layout::fitted(text.as_deref().unwrap_or("-"), width);
    for ((number, row), types) in (1..).zip(&it.breaks).zip(&types) {
        let began = table.clock.maybe(row.begin_us.first().copied());
        let again = match row.begin_us.len() {
            0 | 1 => String::new(),
            times => format!(", {times} times"),
        };
        let painted = match &row.outcome {
            AdBreakOutcome::Filled => table.paint.good("filled"),
            AdBreakOutcome::NoFill => table.paint.bad("no fill"),
            AdBreakOutcome::Aborted => table.paint.bad("aborted"),
            AdBreakOutcome::NeverReached => table.paint.faint("never reached"),
            AdBreakOutcome::LeftOut => table.paint.faint("left out"),
            other @ (AdBreakOutcome::Scheduled
            | AdBreakOutcome::Open
            | AdBreakOutcome::Dropped
            | AdBreakOutcome::Other(_)) => table.paint.faint(other.word()),
        };
        writeln!(
            out,
            "{number:>3}  {:id$}  {:due$}  {:kind$}  {began:>9}  {painted}{again}",
            or_line(&row.id, id),
            or_line(&row.offset, due),
            super::layout::fitted(types, kind),
        )?;
        if let Some(reason) = &row.reason {
            table.note(out, &format!("{reason} ({})", row.at))?;
        }
    }
    Ok(())
}
