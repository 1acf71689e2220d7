//! What played, which pixels were called, which were not, and which macros were not replaced.

use std::fmt::{self, Write};

use super::tags::Table;
use crate::waterfall::layout::fitted;
use crate::waterfall::{AdBreakReport, AdEnd, LengthFrom};
use playsim_base::words::counted;

pub(super) fn played(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    if it.played.is_empty() {
        return writeln!(out, "\nnothing played");
    }
    let clock = table.clock;
    let ids: Vec<String> = it.played.iter().map(|ad| ad.ad.as_deref().unwrap_or("-").to_owned()).collect();
    let id = ids.iter().map(|id| id.chars().count()).max().unwrap_or(0).clamp(2, 28);
    let head = format!(
        "{:>3}  {:id$}  hops  {:>9}  {:>9}  {:>9}  {:8}  media",
        "tag", "ad", "starts", "ends", "length", "end"
    );
    writeln!(out, "\n{}\n{}", table.paint.strong("played"), table.paint.faint(&head))?;
    for (ad, name) in it.played.iter().zip(&ids) {
        let hops = ad.hops.map_or_else(|| "-".to_owned(), |hops| hops.to_string());
        let place = table.place(ad.pod, Some(ad.wp));
        let end =
            ad.end.as_ref().map_or(if ad.start_us.is_some() { "open" } else { "not shown" }, AdEnd::word);
        writeln!(
            out,
            "{place:>3}  {:id$}  {hops:>4}  {:>9}  {:>9}  {:>9}  {end:8}  {}",
            fitted(name, id),
            clock.maybe(ad.start_us),
            clock.maybe(ad.end_us),
            clock.maybe(ad.duration_us),
            ad.media.as_deref().unwrap_or("-"),
        )?;
        if ad.length_from == Some(LengthFrom::Assumed) {
            table.note(
                out,
                "the length of its media is unknown, so this one is assumed; set it with --media TIME",
            )?;
        }
    }
    Ok(())
}

pub(super) fn beacons(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    if it.beacons.is_empty() {
        return writeln!(out, "\nno beacon fired");
    }
    let event = it.beacons.iter().map(|beacon| beacon.event.chars().count()).max().unwrap_or(0).max(5);
    let title = counted(it.beacons.len(), "beacon");
    let head = format!("{:>3}  {:>9}  {:event$}  hop  URL", "tag", "at", "event");
    writeln!(out, "\n{}\n{}", table.paint.strong(&title), table.paint.faint(&head))?;
    for beacon in &it.beacons {
        let place = table.place(beacon.pod.unwrap_or_default(), beacon.wp);
        let hop = beacon.hop.map_or_else(|| "-".to_owned(), |hop| hop.to_string());
        let at = table.clock.at(beacon.at_us);
        let fault = beacon.fault.as_ref().map_or_else(String::new, |fault| format!("  {fault}"));
        writeln!(out, "{place:>3}  {at:>9}  {:event$}  {hop:>3}  {}{fault}", beacon.event, beacon.url)?;
        if let Some(reason) = &beacon.reason {
            let code = beacon.code.map(|code| format!("{code}: ")).unwrap_or_default();
            let at = beacon.at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
            table.note(out, &format!("{code}{reason}{at}"))?;
        }
    }
    Ok(())
}

/// Writes the pixels that were not called: how many, or each with the reason.
pub(super) fn uncalled(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    let title = match it.uncalled.len() {
        0 => return Ok(()),
        1 => "1 pixel was not called".to_owned(),
        count => format!("{count} pixels were not called"),
    };
    if !table.detail.pixels {
        return writeln!(
            out,
            "\n{}; --pixels all lists them, each with its reason",
            table.paint.strong(&title)
        );
    }
    let event = it.uncalled.iter().map(|pixel| pixel.event.chars().count()).max().unwrap_or(0).clamp(5, 24);
    let head = format!("{:>3}  {:event$}  hop  URL", "tag", "event");
    writeln!(out, "\n{}\n{}", table.paint.strong(&title), table.paint.faint(&head))?;
    for pixel in &it.uncalled {
        let place = table.place(pixel.pod, Some(pixel.wp));
        let hop = pixel.hop.map_or_else(|| "-".to_owned(), |hop| hop.to_string());
        let url = if pixel.url.is_empty() { "-" } else { &pixel.url };
        writeln!(out, "{place:>3}  {:event$}  {hop:>3}  {url}", fitted(&pixel.event, event))?;
        let ad = pixel.ad.as_ref().map(|ad| format!(", ad {ad}")).unwrap_or_default();
        table.note(out, &format!("{} ({}{ad})", pixel.reason, pixel.at))?;
    }
    Ok(())
}

/// Writes the macros that were left unreplaced, each with the first URL that contains it.
pub(super) fn unfilled(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    if it.unfilled.is_empty() {
        return Ok(());
    }
    let name = it.unfilled.iter().map(|it| it.name.chars().count()).max().unwrap_or(0).min(30);
    writeln!(out, "\n{}", table.paint.strong("unreplaced macros"))?;
    for macros in &it.unfilled {
        let first = macros.urls.first().map_or("", |url| url);
        let more = match macros.urls.len().saturating_sub(1) {
            0 => String::new(),
            1 => "  and 1 more URL".to_owned(),
            more => format!("  and {more} more URLs"),
        };
        writeln!(out, "{:5}{:name$}  {first}{more}", "", fitted(&macros.name, name))?;
    }
    Ok(())
}
