//! The waterfalls of a run as tables.
//!
//! `tags` writes one line per tag and hop; `lists` writes the ads that played, and the pixels that
//! were or were not called.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::{AdBreakKind, AdBreakOutcome, AdBreakReport, Detail, Schedule, TagOutcome, Waterfalls};
use crate::dictionary;
use playsim_api::Outcome;
use playsim_base::number::Decimal;
use playsim_base::words::{Cell, Column, Columns, Paint, Tone, counted, wrap};

mod lists;
mod tags;

use tags::{Cuts, Layout};

/// The smallest and largest widths of a table that are readable.
const WIDTH: (usize, usize) = (80, 160);

pub(super) fn text(report: &Waterfalls, width: usize, color: bool, detail: Detail) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(
        &mut out,
        report,
        width.clamp(WIDTH.0, WIDTH.1),
        Paint(color),
        detail,
    );
    out
}

fn write(
    out: &mut String,
    report: &Waterfalls,
    width: usize,
    paint: Paint,
    detail: Detail,
) -> fmt::Result {
    let mut cuts = Cuts::default();
    if report.breaks.is_empty() {
        writeln!(out, "no ad break began")?;
        let layout = Layout::of(
            report,
            &AdBreakReport::default(),
            width,
            paint,
            detail,
            &mut cuts,
        );
        writeln!(
            out,
            "{}",
            layout.note(&format!("({})", setting(report))).join("\n")
        )?;
    }
    let mut schedules = Some(&report.schedules).filter(|all| !all.is_empty());
    for (index, it) in report.breaks.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let layout = Layout::of(report, it, width, paint, detail, &mut cuts);
        heading(out, it, &layout)?;
        if index == 0 {
            writeln!(
                out,
                "{}",
                layout.note(&format!("({})", setting(report))).join("\n")
            )?;
        }
        writeln!(out)?;
        layout.tags(out, it)?;
        if it.outcome != AdBreakOutcome::Scheduled
            || !it.played.is_empty()
            || !it.beacons.is_empty()
        {
            lists::played(out, it, &layout)?;
            lists::beacons(out, it, &layout)?;
        }
        lists::uncalled(out, it, &layout)?;
        lists::unfilled(out, it, &layout)?;
        if it
            .tags
            .iter()
            .any(|tag| tag.outcome == TagOutcome::Scheduled)
            && let Some(all) = schedules.take()
        {
            all.iter().try_for_each(|one| schedule(out, one, &layout))?;
        }
    }
    if let Some((all, last)) = schedules.zip(report.breaks.last()) {
        let layout = Layout::of(report, last, width, paint, detail, &mut cuts);
        all.iter().try_for_each(|one| schedule(out, one, &layout))?;
    }
    if !matches!(report.outcome, Some(Outcome::Idle | Outcome::Until)) {
        let outcome = report.outcome.map_or("", Outcome::name);
        writeln!(out, "\nthe run was stopped; its outcome is {outcome}")?;
    }
    if let Some(codes) = codes(report) {
        let text =
            format!("playsim code {codes} says what this means, who has to act and what helps");
        writeln!(out, "\n{}", wrap(&text, width).join("\n"))?;
    }
    Ok(())
}

/// Returns the codes in the report that the dictionary explains, ascending, as arguments of
/// `playsim code`.
fn codes(report: &Waterfalls) -> Option<String> {
    let codes = report.breaks.iter().flat_map(|it| {
        let of_tags = it.tags.iter().flat_map(|tag| {
            let of_ads = tag.rejected.iter().filter_map(|ad| ad.code);
            tag.code
                .into_iter()
                .chain(of_ads)
                .chain(tag.faults.iter().filter_map(|fault| fault.code))
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
    let timeouts = format!(
        "timeouts: tag {}, media {}",
        seconds(report.timeout_us),
        seconds(report.media_timeout_us)
    );
    let content = match report.content_us {
        Some(length) => format!("; the content lasts {}", seconds(length)),
        None => String::new(),
    };
    let is_printed = |name: &str| matches!(name, "ad.timeout" | "ad.media_timeout");
    let knobs = report.knobs.iter().filter(|(name, _)| !is_printed(name));
    let knobs: String = knobs
        .map(|(name, value)| format!("; {name}={value}"))
        .collect();
    let profile = report.basis.as_ref().unwrap_or(&report.profile);
    format!("profile {profile}{knobs}; {timeouts}{content}")
}

/// Writes `pre-roll: filled by tag 2 of 3 tags after 0.310 s`.
fn heading(out: &mut String, it: &AdBreakReport, layout: &Layout) -> fmt::Result {
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
        let id = it
            .id
            .as_ref()
            .map_or_else(String::new, |id| format!(" {id}"));
        format!(", VMAP break{id} at {offset}")
    });
    let of = it.tags.len();
    let has = |outcome| it.tags.iter().find(move |tag| tag.outcome == outcome);
    let (filled, scheduled) = (has(TagOutcome::Filled), has(TagOutcome::Scheduled));
    let open = has(TagOutcome::Unknown);
    let how = match (filled, scheduled) {
        (Some(tag), _) => {
            let after = layout.clock.at(tag
                .decided_us
                .unwrap_or(it.begin_us)
                .saturating_sub(it.begin_us));
            let pod = if layout.has_pods {
                format!(" in pod {}", u64::from(tag.pod) + 1)
            } else {
                String::new()
            };
            let of = if of == 1 {
                String::new()
            } else {
                format!(" of {of} tags")
            };
            format!(
                "filled by tag {}{of}{pod} after {after} s",
                u64::from(tag.wp) + 1
            )
        }
        (None, Some(tag)) => {
            let number = u64::from(tag.wp) + 1;
            format!("tag {number} returned a schedule of breaks (VMAP) instead of ads")
        }
        (None, None) if open.is_some() => "no ad is known".to_owned(),
        (None, None) if it.outcome == AdBreakOutcome::NoFill => {
            let after = layout
                .clock
                .at(it.end_us.unwrap_or(it.begin_us).saturating_sub(it.begin_us));
            match of {
                0 => "no tag to request".to_owned(),
                1 => format!("the tag did not fill, decided after {after} s"),
                _ => format!("none of {of} tags filled, decided after {after} s"),
            }
        }
        (None, None) => it.outcome.to_string(),
    };
    let how = match open {
        Some(tag) => format!(
            "cannot tell: {}; without it {how}",
            tag.reason.as_deref().unwrap_or_default()
        ),
        None => how,
    };
    let painted = if open.is_none() && filled.or(scheduled).is_some() {
        layout.paint.good(&how)
    } else {
        layout.paint.bad(&how)
    };
    writeln!(out, "{}{of_vmap}: {painted}", layout.paint.strong(kind))
}

/// Writes the outcome of each break of a VMAP document.
fn schedule(out: &mut String, it: &Schedule, layout: &Layout) -> fmt::Result {
    let text = |name| Column::left(name).at_most(24);
    let mut table = Columns::of([
        Column::right("").at_least(3),
        text("id"),
        text("due"),
        text("type"),
        Column::right("began").at_least(9),
        Column::left("outcome"),
    ]);
    for (number, row) in (1..).zip(&it.breaks) {
        let again = match row.begin_us.len() {
            0 | 1 => String::new(),
            times => format!(", {times} times"),
        };
        let (tone, outcome) = match &row.outcome {
            AdBreakOutcome::Filled => (Tone::Good, "filled"),
            AdBreakOutcome::NoFill => (Tone::Bad, "no fill"),
            AdBreakOutcome::Aborted => (Tone::Bad, "aborted"),
            AdBreakOutcome::NeverReached => (Tone::Faint, "never reached"),
            AdBreakOutcome::LeftOut => (Tone::Faint, "left out"),
            other @ (AdBreakOutcome::Scheduled
            | AdBreakOutcome::Open
            | AdBreakOutcome::Dropped
            | AdBreakOutcome::Other(_)) => (Tone::Faint, other.word()),
        };
        table.row([
            Cell::from(number.to_string()),
            row.id.as_deref().unwrap_or("-").into(),
            row.offset.as_deref().unwrap_or("-").into(),
            row.types.join(",").into(),
            layout.clock.maybe(row.begin_us.first().copied()).into(),
            Cell::with(tone, &format!("{outcome}{again}")),
        ]);
        if let Some(reason) = &row.reason {
            table.lines(layout.note(&format!("{reason} ({})", row.at)));
        }
    }
    let title = format!(
        "schedule of {}: {}",
        it.document,
        counted(it.breaks.len(), "break")
    );
    writeln!(out, "\n{}", layout.paint.strong(&title))?;
    table.paint(layout.paint, out)
}
