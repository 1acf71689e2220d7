//! A recording next to its simulation: requests and ads with both times, then the pixels.

use maud::{Markup, html};

use super::axis::{NARROW, bar};
use super::glyphs::{ARROW, glyph};
use super::scale::{Scale, difference, grouped, seconds};
use crate::comparison::{ComparedStep, Pixel, ProductComparison, Seen, StepKind, StepVerdict};
use playsim_base::html::{BR, Text, head};
use playsim_base::words::counted;
use playsim_vast::TrackedEvent;

/// The most rows of each table.
const MOST: usize = 500;

pub(super) fn section(comparison: &ProductComparison) -> Markup {
    let verdicts = || {
        let steps = comparison.steps.iter().map(|step| step.verdict);
        steps.chain(comparison.pixels.iter().map(|pixel| pixel.verdict))
    };
    let count = |verdict: StepVerdict| verdicts().filter(|other| *other == verdict).count() as u64;
    let known = verdicts()
        .filter(|verdict| *verdict != StepVerdict::Unknown)
        .count() as u64;
    html! {
        p.lead {
            @match (known, comparison.differences()) {
                (0, _) => "Nothing of the recording could be compared.",
                (_, 0) => { "All " (grouped(known)) " requests, ads and pixels agree" }
                (_, differing) => { (differing) " of " (grouped(known)) " requests, ads and pixels differ" }
            }
            @if known > 0 { ", where times may differ by " (seconds(comparison.within_us)) " s." }
            " The recording is " code { (Text(&comparison.recording)) } "."
        }
        p.badges {
            @for verdict in ALL.iter().copied().filter(|verdict| count(*verdict) > 0) {
                span class={ "chip " (mark(verdict).1) } { (sign(verdict)) (grouped(count(verdict))) " " (verdict.word()) }
            }
        }
        (steps(&comparison.steps))
        (pixels(&comparison.pixels))
    }
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

fn sign(verdict: StepVerdict) -> Markup {
    let (symbol, tone) = mark(verdict);
    glyph(symbol, tone)
}

fn steps(steps: &[ComparedStep]) -> Markup {
    if steps.is_empty() {
        return html! {};
    }
    let seen = || {
        steps
            .iter()
            .flat_map(|step| [step.recorded.as_ref(), step.simulated.as_ref()])
            .flatten()
    };
    let from = seen().map(|it| it.from_us).min().unwrap_or_default();
    // An ad plays much longer than anything loads: the loading sets the scale, and ads end at its
    // edge.
    let loads = || steps.iter().filter(|step| step.kind != StepKind::Ad);
    let loaded = loads()
        .flat_map(|step| [step.recorded.as_ref(), step.simulated.as_ref()])
        .flatten();
    let starts = seen().map(|it| it.from_us);
    let to = loaded
        .filter_map(|it| it.to_us)
        .chain(starts)
        .max()
        .unwrap_or(from);
    let scale = Scale::linear(from, to);
    let axis = format!(
        "{} to {}; above recorded, below simulated",
        seconds(from),
        seconds(to)
    );
    html! {
        h3 { "Requests and ads" }
        table.list.cmp {
            (head(&["what", "recorded", "simulated", ">later by, s", "agree", &axis]))
            tbody { @for step in steps.iter().take(MOST) { (row(step, &scale)) } }
        }
        (more(steps.len()))
    }
}

fn row(step: &ComparedStep, scale: &Scale) -> Markup {
    let kind = match (step.kind, step.wp) {
        (StepKind::Tag, Some(wp)) => format!("tag {}", u64::from(wp) + 1),
        (StepKind::Tag, None) => "tag".to_owned(),
        (StepKind::Hop, _) => "hop".to_owned(),
        (StepKind::Media, _) => "media".to_owned(),
        (StepKind::Ad, _) => "ad".to_owned(),
    };
    let later = step
        .recorded
        .as_ref()
        .zip(step.simulated.as_ref())
        .map(|(recorded, simulated)| {
            let over = |seen: &Seen| seen.to_us.unwrap_or(seen.from_us);
            difference(signed(over(recorded), over(simulated)))
        });
    html! {
        tr class=[step.verdict.is_difference().then_some("diff")] {
            th.wrap scope="row" { (kind) " " code { (Text(&step.name)) } }
            (side(step.recorded.as_ref(), "recorded "))
            (side(step.simulated.as_ref(), "simulated "))
            td.num data-l="later by " { @if let Some(later) = later { (later) } }
            td { (verdict(step.verdict, step.note.as_deref())) }
            td.two {
                svg aria-hidden="true" {
                    (lane(scale, step.recorded.as_ref(), step.kind, 2))
                    (lane(scale, step.simulated.as_ref(), step.kind, 12))
                }
            }
        }
    }
}

fn signed(recorded: u64, simulated: u64) -> i64 {
    let value = i128::from(recorded) - i128::from(simulated);
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

fn side(seen: Option<&Seen>, label: &str) -> Markup {
    html! {
        @match seen {
            Some(seen) => {
                td data-l=(label) {
                    (seconds(seen.from_us)) @if let Some(to) = seen.to_us { " to " (seconds(to)) }
                    (BR) span.muted { (Text(&seen.outcome.to_string())) }
                }
            }
            None => { td.muted { "–" } }
        }
    }
}

fn lane(scale: &Scale, seen: Option<&Seen>, kind: StepKind, y: u32) -> Markup {
    let Some(seen) = seen else { return html! {} };
    let class = match (kind, seen.to_us) {
        (StepKind::Tag | StepKind::Hop | StepKind::Media, None) => "b-wait",
        (StepKind::Tag, Some(_)) => "b-req",
        (StepKind::Hop, Some(_)) => "b-hop",
        (StepKind::Media, Some(_)) => "b-media",
        (StepKind::Ad, _) => "b-ad",
    };
    let span = (
        scale.start(seen.from_us),
        scale.end(seen.to_us.unwrap_or(scale.to_us())),
    );
    bar(class, span, (y, 8), NARROW, html! {})
}

fn verdict(verdict: StepVerdict, note: Option<&str>) -> Markup {
    html! {
        span class={ "nb " (mark(verdict).1) } { (sign(verdict)) " " (verdict.word()) }
        @if let Some(note) = note { (BR) span.small.muted { (Text(note)) } }
    }
}

/// Returns the pixels: those that differ first, and those that agree folded.
fn pixels(pixels: &[Pixel]) -> Markup {
    let (same, other): (Vec<&Pixel>, Vec<&Pixel>) = pixels
        .iter()
        .partition(|pixel| pixel.verdict == StepVerdict::Same);
    html! {
        @if !pixels.is_empty() { h3 { "Pixels" } }
        @if !other.is_empty() {
            (table(&other))
        } @else if !same.is_empty() {
            p { "All " (counted(same.len(), "pixel")) " were called in both, at the same times." }
        }
        @if !same.is_empty() {
            details.pxl {
                summary { (ARROW) b { (counted(same.len(), "pixel")) " the same in both" } }
                (table(&same))
            }
        }
    }
}

fn table(pixels: &[&Pixel]) -> Markup {
    let time = |us: Option<u64>| us.map(seconds).unwrap_or_default();
    html! {
        table.list.cmp {
            (head(&["event", "of", ">recorded, s", ">simulated, s", ">later by, s", "agree", "address"]))
            tbody {
                @for pixel in pixels.iter().take(MOST) {
                    tr class=[pixel.verdict.is_difference().then_some("diff")] {
                        th scope="row" { (Text(pixel.event.as_ref().map_or("unknown", TrackedEvent::name))) }
                        td {
                            @if let Some(wp) = pixel.wp { "tag " (u64::from(wp) + 1) }
                            @if let Some(ad) = &pixel.ad { " " (Text(ad)) }
                            @if let Some(hop) = pixel.hop.filter(|hop| *hop > 0) { ", hop " (hop) }
                        }
                        td.num data-l="recorded " { (time(pixel.recorded_us)) }
                        td.num data-l="simulated " { (time(pixel.simulated_us)) }
                        td.num data-l="later by " { (pixel.difference_us.map(difference).unwrap_or_default()) }
                        td {
                            (verdict(pixel.verdict, pixel.note.as_deref()))
                            @if let Some(rule) = &pixel.rule { (BR) span.small.muted { "fired by " (Text(rule)) } }
                        }
                        td.wrap { code { (Text(&pixel.url)) } }
                    }
                }
            }
        }
        (more(pixels.len()))
    }
}

fn more(count: usize) -> Markup {
    html! { @if count > MOST { p.muted { (counted(count - MOST, "more row")) " are left out." } } }
}
