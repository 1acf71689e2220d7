//! A recording next to its simulation: requests and ads with both times, then the pixels.

use std::fmt::{self, Write};

use super::glyphs::{ARROW, glyph};
use super::scale::{Scale, difference, grouped, seconds};
use crate::comparison::{ComparedStep, Pixel, ProductComparison, Seen, StepKind, StepVerdict};
use playsim_base::html::Text;
use playsim_base::words::counted;

/// The most rows of each table.
const MOST: usize = 500;

pub(super) fn write(comparison: &ProductComparison, html: &mut String) -> fmt::Result {
    html.push_str("<p class=\"lead\">");
    let verdicts = || {
        let steps = comparison.steps.iter().map(|step| step.verdict);
        steps.chain(comparison.pixels.iter().map(|pixel| pixel.verdict))
    };
    let differing = verdicts().filter(|verdict| verdict.is_difference()).count();
    let known = verdicts().filter(|verdict| *verdict != StepVerdict::Unknown).count();
    match (known, differing) {
        (0, _) => html.push_str("Nothing of the recording could be compared."),
        (_, 0) => write!(html, "All {} requests, ads and pixels agree", grouped(known as u64))?,
        (_, _) => write!(html, "{differing} of {} requests, ads and pixels differ", grouped(known as u64))?,
    }
    let within = seconds(comparison.within_us);
    if known > 0 {
        write!(html, ", where times may differ by {within} s.")?;
    }
    writeln!(html, " The recording is <code>{}</code>.</p>", Text(&comparison.recording))?;
    html.push_str("<p class=\"badges\">");
    for verdict in ALL {
        let count = verdicts().filter(|other| other == verdict).count();
        if count > 0 {
            let (_, tone) = mark(*verdict);
            write!(html, "<span class=\"chip {tone}\">")?;
            sign(*verdict, html)?;
            write!(html, "{} {}</span>", grouped(count as u64), verdict.word())?;
        }
    }
    html.push_str("</p>\n");
    steps(&comparison.steps, html)?;
    pixels(&comparison.pixels, html)
}

const ALL: &[StepVerdict] = &[
    StepVerdict::Same,
    StepVerdict::OtherTime,
    StepVerdict::OtherOutcome,
    StepVerdict::OnlyRecorded,
    StepVerdict::OnlySimulated,
    StepVerdict::Unknown,
];

/// Returns the glyph and the colour of a verdict.
const fn mark(verdict: StepVerdict) -> (&'static str, &'static str) {
    match verdict {
        StepVerdict::Same => ("dot", "muted"),
        StepVerdict::OtherTime
        | StepVerdict::OtherOutcome
        | StepVerdict::OnlyRecorded
        | StepVerdict::OnlySimulated => ("differ", "bad"),
        StepVerdict::Unknown => ("unknown", "note"),
    }
}

fn sign(verdict: StepVerdict, html: &mut String) -> fmt::Result {
    let (symbol, tone) = mark(verdict);
    glyph(symbol, tone, html)
}

fn steps(steps: &[ComparedStep], html: &mut String) -> fmt::Result {
    if steps.is_empty() {
        return Ok(());
    }
    let seen = || steps.iter().flat_map(|step| [step.recorded.as_ref(), step.simulated.as_ref()]).flatten();
    let from = seen().map(|it| it.from_us).min().unwrap_or_default();
    // An ad plays much longer than anything loads: what loads sets the scale, and ads end at its edge.
    let loads = || steps.iter().filter(|step| step.kind != StepKind::Ad);
    let loaded = loads().flat_map(|step| [step.recorded.as_ref(), step.simulated.as_ref()]).flatten();
    let starts = seen().map(|it| it.from_us);
    let to = loaded.filter_map(|it| it.to_us).chain(starts).max().unwrap_or(from);
    let scale = Scale::linear(from, to);
    html.push_str(
        "<h3>Requests and ads</h3>\n<table class=\"list cmp\"><thead><tr><th scope=\"col\">what</th>",
    );
    html.push_str("<th scope=\"col\">recorded</th><th scope=\"col\">simulated</th><th scope=\"col\" class=\"num\">later by, s</th>");
    html.push_str("<th scope=\"col\">agree</th>");
    writeln!(
        html,
        "<th scope=\"col\">{} to {}; above recorded, below simulated</th></tr></thead><tbody>",
        seconds(from),
        seconds(to)
    )?;
    for step in steps.iter().take(MOST) {
        let kind = match step.kind {
            StepKind::Tag => "tag",
            StepKind::Hop => "hop",
            StepKind::Media => "media",
            StepKind::Ad => "ad",
        };
        let number =
            step.wp.filter(|_| step.kind == StepKind::Tag).map(|wp| format!(" {}", u64::from(wp) + 1));
        let bad = if step.verdict.is_difference() { " class=\"diff\"" } else { "" };
        write!(
            html,
            "<tr{bad}><th scope=\"row\" class=\"wrap\">{kind}{} <code>{}</code></th>",
            number.unwrap_or_default(),
            Text(&step.name)
        )?;
        side(step.recorded.as_ref(), "recorded ", html)?;
        side(step.simulated.as_ref(), "simulated ", html)?;
        let later = step.recorded.as_ref().zip(step.simulated.as_ref()).map(|(recorded, simulated)| {
            let over = |seen: &Seen| seen.to_us.unwrap_or(seen.from_us);
            signed(over(recorded), over(simulated))
        });
        write!(
            html,
            "<td class=\"num\" data-l=\"later by \">{}</td><td>",
            later.map(difference).unwrap_or_default()
        )?;
        verdict(step.verdict, step.note.as_deref(), html)?;
        html.push_str("</td><td class=\"two\"><svg aria-hidden=\"true\">");
        lane(&scale, step.recorded.as_ref(), step.kind, 2, html)?;
        lane(&scale, step.simulated.as_ref(), step.kind, 12, html)?;
        html.push_str("</svg></td></tr>\n");
    }
    html.push_str("</tbody></table>\n");
    more(steps.len(), html)
}

fn signed(recorded: u64, simulated: u64) -> i64 {
    let value = i128::from(recorded) - i128::from(simulated);
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

fn side(seen: Option<&Seen>, label: &str, html: &mut String) -> fmt::Result {
    let Some(seen) = seen else { return html.write_str("<td class=\"muted\">–</td>") };
    write!(html, "<td data-l=\"{label}\">{}", seconds(seen.from_us))?;
    if let Some(to) = seen.to_us {
        write!(html, " to {}", seconds(to))?;
    }
    write!(html, "<br/><span class=\"muted\">{}</span></td>", Text(&seen.outcome))
}

fn lane(scale: &Scale, seen: Option<&Seen>, kind: StepKind, y: u32, html: &mut String) -> fmt::Result {
    let Some(seen) = seen else { return Ok(()) };
    let (from, to) = (scale.start(seen.from_us), scale.end(seen.to_us.unwrap_or(scale.to_us())));
    let class = match (kind, seen.to_us) {
        (StepKind::Tag | StepKind::Hop | StepKind::Media, None) => "b-wait",
        (StepKind::Tag, Some(_)) => "b-req",
        (StepKind::Hop, Some(_)) => "b-hop",
        (StepKind::Media, Some(_)) => "b-media",
        (StepKind::Ad, _) => "b-ad",
    };
    if from.to(to).0 < 450 {
        return write!(
            html,
            "<line class=\"{class} thin\" x1=\"{from}\" x2=\"{from}\" y1=\"{y}\" y2=\"{}\"/>",
            y + 8
        );
    }
    write!(html, "<rect class=\"{class}\" x=\"{from}\" y=\"{y}\" width=\"{}\" height=\"8\"/>", from.to(to))
}

fn verdict(verdict: StepVerdict, note: Option<&str>, html: &mut String) -> fmt::Result {
    let (_, tone) = mark(verdict);
    write!(html, "<span class=\"nb {tone}\">")?;
    sign(verdict, html)?;
    write!(html, " {}</span>", verdict.word())?;
    if let Some(note) = note {
        write!(html, "<br/><span class=\"small muted\">{}</span>", Text(note))?;
    }
    Ok(())
}

/// Writes the pixels: those that differ first, and those that agree folded.
fn pixels(pixels: &[Pixel], html: &mut String) -> fmt::Result {
    if pixels.is_empty() {
        return Ok(());
    }
    let (same, other): (Vec<&Pixel>, Vec<&Pixel>) =
        pixels.iter().partition(|pixel| pixel.verdict == StepVerdict::Same);
    html.push_str("<h3>Pixels</h3>\n");
    if other.is_empty() {
        write!(html, "<p>All {} were called in both, at the same times.</p>", counted(same.len(), "pixel"))?;
    } else {
        table(&other, html)?;
    }
    if !same.is_empty() {
        write!(
            html,
            "<details class=\"pxl\"><summary>{ARROW}<b>{} the same in both</b></summary>",
            counted(same.len(), "pixel")
        )?;
        table(&same, html)?;
        html.push_str("</details>\n");
    }
    Ok(())
}

fn table(pixels: &[&Pixel], html: &mut String) -> fmt::Result {
    html.push_str(
        "<table class=\"list cmp\"><thead><tr><th scope=\"col\">event</th><th scope=\"col\">of</th>",
    );
    html.push_str(
        "<th scope=\"col\" class=\"num\">recorded, s</th><th scope=\"col\" class=\"num\">simulated, s</th>",
    );
    html.push_str("<th scope=\"col\" class=\"num\">later by, s</th><th scope=\"col\">agree</th><th scope=\"col\">address</th></tr></thead><tbody>\n");
    for pixel in pixels.iter().take(MOST) {
        let event = if pixel.event.is_empty() { "unknown" } else { &pixel.event };
        let bad = if pixel.verdict.is_difference() { " class=\"diff\"" } else { "" };
        write!(html, "<tr{bad}><th scope=\"row\">{}</th><td>", Text(event))?;
        if let Some(wp) = pixel.wp {
            write!(html, "tag {}", u64::from(wp) + 1)?;
        }
        if let Some(ad) = &pixel.ad {
            write!(html, " {}", Text(ad))?;
        }
        if let Some(hop) = pixel.hop.filter(|hop| *hop > 0) {
            write!(html, ", hop {hop}")?;
        }
        let time = |us: Option<u64>| us.map(seconds).unwrap_or_default();
        write!(html, "</td><td class=\"num\" data-l=\"recorded \">{}</td>", time(pixel.recorded_us))?;
        write!(html, "<td class=\"num\" data-l=\"simulated \">{}</td>", time(pixel.simulated_us))?;
        write!(
            html,
            "<td class=\"num\" data-l=\"later by \">{}</td><td>",
            pixel.difference_us.map(difference).unwrap_or_default()
        )?;
        verdict(pixel.verdict, pixel.note.as_deref(), html)?;
        if let Some(rule) = &pixel.rule {
            write!(html, "<br/><span class=\"small muted\">fired by {}</span>", Text(rule))?;
        }
        writeln!(html, "</td><td class=\"wrap\"><code>{}</code></td></tr>", Text(&pixel.url))?;
    }
    html.push_str("</tbody></table>\n");
    more(pixels.len(), html)
}

fn more(count: usize, html: &mut String) -> fmt::Result {
    if count > MOST {
        writeln!(html, "<p class=\"muted\">{} are left out.</p>", counted(count - MOST, "more row"))?;
    }
    Ok(())
}
