//! The ads that played, the pixels that were called, those that were not, and the macros that were
//! not replaced.

use std::fmt::{self, Write};

use super::tags::Layout;
use crate::waterfall::{AdBreakReport, AdEnd, LengthFrom};
use playsim_base::words::{Column, Columns, counted};

/// The width of a column of times.
const TIME: usize = 9;

pub(super) fn played(out: &mut String, it: &AdBreakReport, layout: &Layout) -> fmt::Result {
    if it.played.is_empty() {
        return writeln!(out, "\nnothing played");
    }
    let clock = layout.clock;
    let time = |name| Column::right(name).at_least(TIME);
    let mut table = Columns::of([
        Column::right("tag"),
        Column::left("ad").at_most(28),
        Column::right("hops"),
        time("starts"),
        time("ends"),
        time("length"),
        Column::left("end").at_least(8),
        Column::left("media"),
    ]);
    for ad in &it.played {
        let end = ad.end.as_ref().map_or(
            if ad.start_us.is_some() {
                "open"
            } else {
                "not shown"
            },
            AdEnd::word,
        );
        table.row([
            layout.place(ad.pod, Some(ad.wp)),
            ad.ad.clone().unwrap_or_else(|| "-".to_owned()),
            number(ad.hops),
            clock.maybe(ad.start_us),
            clock.maybe(ad.end_us),
            clock.maybe(ad.duration_us),
            end.to_owned(),
            ad.media.clone().unwrap_or_else(|| "-".to_owned()),
        ]);
        if ad.length_from == Some(LengthFrom::Assumed) {
            let note = "the length of its media is unknown, so this one is assumed; set it with --media TIME";
            table.lines(layout.note(note));
        }
    }
    writeln!(out, "\n{}", layout.paint.strong("played"))?;
    table.paint(layout.paint, out)
}

pub(super) fn beacons(out: &mut String, it: &AdBreakReport, layout: &Layout) -> fmt::Result {
    if it.beacons.is_empty() {
        return writeln!(out, "\nno beacon fired");
    }
    let time = Column::right("at").at_least(TIME);
    let mut table = Columns::of([
        Column::right("tag"),
        time,
        Column::left("event"),
        Column::right("hop"),
        Column::left("URL"),
    ]);
    for beacon in &it.beacons {
        let fault = beacon
            .fault
            .as_ref()
            .map_or_else(String::new, |fault| format!("  {fault}"));
        table.row([
            layout.place(beacon.pod.unwrap_or_default(), beacon.wp),
            layout.clock.at(beacon.at_us),
            beacon.event.to_string(),
            number(beacon.hop),
            format!("{}{fault}", beacon.url),
        ]);
        if let Some(reason) = &beacon.reason {
            let code = beacon
                .code
                .map(|code| format!("{code}: "))
                .unwrap_or_default();
            let at = beacon
                .at
                .as_ref()
                .map(|at| format!(" ({at})"))
                .unwrap_or_default();
            table.lines(layout.note(&format!("{code}{reason}{at}")));
        }
    }
    writeln!(
        out,
        "\n{}",
        layout.paint.strong(&counted(it.beacons.len(), "beacon"))
    )?;
    table.paint(layout.paint, out)
}

/// Writes the pixels that were not called: how many, or each with the reason.
pub(super) fn uncalled(out: &mut String, it: &AdBreakReport, layout: &Layout) -> fmt::Result {
    let title = match it.uncalled.len() {
        0 => return Ok(()),
        1 => "1 pixel was not called".to_owned(),
        count => format!("{count} pixels were not called"),
    };
    let title = layout.paint.strong(&title);
    if !layout.detail.pixels {
        return writeln!(
            out,
            "\n{title}; --pixels all lists them, each with its reason"
        );
    }
    let event = Column::left("event").at_most(24);
    let mut table = Columns::of([
        Column::right("tag"),
        event,
        Column::right("hop"),
        Column::left("URL"),
    ]);
    for pixel in &it.uncalled {
        let url = if pixel.url.is_empty() {
            "-"
        } else {
            &pixel.url
        };
        table.row([
            layout.place(pixel.pod, Some(pixel.wp)),
            pixel.event.to_string(),
            number(pixel.hop),
            url.to_owned(),
        ]);
        let ad = pixel
            .ad
            .as_ref()
            .map(|ad| format!(", ad {ad}"))
            .unwrap_or_default();
        table.lines(layout.note(&format!("{} ({}{ad})", pixel.reason, pixel.at)));
    }
    writeln!(out, "\n{title}")?;
    table.paint(layout.paint, out)
}

/// Writes the macros that were not replaced, each with the first URL that contains it.
pub(super) fn unfilled(out: &mut String, it: &AdBreakReport, layout: &Layout) -> fmt::Result {
    if it.unfilled.is_empty() {
        return Ok(());
    }
    let mut table = Columns::of([Column::left("").at_most(30), Column::left("")]).indented(5);
    for macros in &it.unfilled {
        let more = match macros.urls.len().saturating_sub(1) {
            0 => String::new(),
            more => format!("  and {}", counted(more, "more URL")),
        };
        let first = macros.urls.first().map_or("", |url| url);
        table.row([macros.name.clone(), format!("{first}{more}")]);
    }
    writeln!(out, "\n{}", layout.paint.strong("unreplaced macros"))?;
    table.paint(layout.paint, out)
}

/// Returns a number; an unknown one is a dash.
fn number(number: Option<u32>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}
