//! What a cell rests on: what was due and what was recorded on one axis, screenshots, what the page said, the recording.

use std::fmt::{self, Write};

use super::names::since_start;
use super::view::Place;
use crate::evidence::{CellEvidence, Tick};
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::glyphs::{ARROW, glyph};

pub(super) fn write(place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let evidence = &place.cell.evidence;
    timeline(place, html)?;
    shots(evidence, html)?;
    said(evidence, html)?;
    if let Some(file) = &evidence.file {
        let file = Text(file);
        write!(
            html,
            "<p><a href=\"{file}\" download=\"download\">the recording</a>, for <code>playsim check</code> and "
        )?;
        html.push_str("<code>playsim diff</code></p>");
    }
    Ok(())
}

/// Half the height of the drawing of one side.
const HIGH: u32 = 26;

fn timeline(place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let CellEvidence { recorded, due, .. } = &place.cell.evidence;
    if recorded.is_empty() {
        return Ok(());
    }
    let ticks = || recorded.iter().chain(due);
    let from = ticks().map(|tick| tick.at_us).min().unwrap_or_default().min(0);
    let to = ticks().map(|tick| tick.at_us).max().unwrap_or_default().max(from + 1);
    let axis = Axis { from, span: to - from };
    write!(
        html,
        "<svg class=\"tl\" role=\"img\" aria-label=\"what was due above, what {} did below, from {} to {} s\">",
        Text(&place.column.player.label),
        since_start(from),
        since_start(to)
    )?;
    side(due, &axis, 0, html)?;
    side(recorded, &axis, HIGH + 4, html)?;
    html.push_str("</svg>");
    write!(
        html,
        "<p class=\"muted tla\"><span>{} s</span><span>above: due; below: recorded. Thick: an ad on screen, thin: content; \
         a line: a tracker or a request</span><span>{} s</span></p>",
        since_start(from),
        since_start(to)
    )
}

struct Axis {
    from: i64,
    span: i64,
}

impl Axis {
    /// Where a time is, in hundredths of a percent.
    fn at(&self, at_us: i64) -> i64 {
        ((at_us - self.from) * 10_000 / self.span).clamp(0, 10_000)
    }
}

/// A share of the width, given in hundredths of a percent.
struct Percent(i64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}%", self.0 / 100, self.0 % 100)
    }
}

fn side(ticks: &[Tick], axis: &Axis, top: u32, html: &mut String) -> fmt::Result {
    let screen: Vec<&Tick> = ticks.iter().filter(|tick| tick.is_screen).collect();
    for (index, tick) in screen.iter().enumerate() {
        if !tick.words.starts_with("shown") {
            continue;
        }
        let end = screen.get(index + 1).map_or(axis.from + axis.span, |next| next.at_us);
        let (x, width) = (axis.at(tick.at_us), axis.at(end) - axis.at(tick.at_us));
        let (class, y, height) = if tick.is_ad { ("ad", top + 14, 10) } else { ("co", top + 17, 4) };
        write!(
            html,
            "<rect class=\"{class}\" x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{height}\"><title>{} s  {}</title></rect>",
            Percent(x),
            Percent(width),
            since_start(tick.at_us),
            Text(&tick.words)
        )?;
    }
    for tick in ticks.iter().filter(|tick| !tick.is_screen) {
        let class = if tick.words.starts_with("asks") { "rq" } else { "tr" };
        write!(
            html,
            "<rect class=\"{class}\" x=\"{}\" y=\"{top}\" width=\"2\" height=\"12\"><title>{} s  {}</title></rect>",
            Percent(axis.at(tick.at_us)),
            since_start(tick.at_us),
            Text(&tick.words)
        )?;
    }
    Ok(())
}

fn shots(evidence: &CellEvidence, html: &mut String) -> fmt::Result {
    if evidence.shots.is_empty() {
        return Ok(());
    }
    html.push_str("<div class=\"shots\">");
    for shot in &evidence.shots {
        let (of, file) = (shot.of.replace('-', " "), Text(&shot.file));
        write!(
            html,
            "<figure><a href=\"{file}\"><img src=\"{file}\" width=\"160\" height=\"90\" loading=\"lazy\" alt=\"{0}, {1} s\"/></a>\
             <figcaption><b>{1} s</b> {0}</figcaption></figure>",
            Text(&of),
            since_start(shot.at_us)
        )?;
    }
    html.push_str("</div>");
    Ok(())
}

fn said(evidence: &CellEvidence, html: &mut String) -> fmt::Result {
    if evidence.said.is_empty() {
        return Ok(());
    }
    let uncaught = evidence.uncaught();
    html.push_str("<details");
    if uncaught > 0 {
        html.push_str(" open=\"open\"");
    }
    write!(html, "><summary>{ARROW} the page said: {}", counted(evidence.said.len(), "line"))?;
    if uncaught > 0 {
        html.push_str(", ");
        glyph("bolt", "bad", html)?;
        write!(html, " {}", counted(uncaught, "uncaught error"))?;
    }
    html.push_str("</summary><ul class=\"notes\">");
    for line in &evidence.said {
        write!(
            html,
            "<li><span class=\"muted\">{} s {}</span> <code>{}</code></li>",
            since_start(line.at_us),
            Text(&line.level),
            Text(&line.text)
        )?;
    }
    html.push_str("</ul></details>");
    Ok(())
}
