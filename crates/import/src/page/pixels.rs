//! The row of pixels below a break: as sent, as documented, and missing ones.

use maud::{Markup, html};

use super::drawing::{Label, labels};
use super::figure::Figure;
use super::mark::said;
use crate::evidence::Certainty;
use playsim_base::html::Text;
use playsim_base::time::Time;
use playsim_base::words::{counted, seconds};
use playsim_report::comparison::{Pixel, StepVerdict};
use playsim_report::page::glyphs::glyph;
use playsim_report::page::scale::X;
use playsim_vast::{TrackedEvent, TrackingEvent};

/// Pixels that are closer to each other have one label, in thousandths of a percent.
const SAME: u64 = 700;
/// The most pixels that a picture names to those who do not see it.
const MOST_NAMED: usize = 30;

/// A pixel of a break.
struct Tick {
    at: Time,
    name: String,
    is_faulty: bool,
}

pub(super) fn row(figure: &Figure<'_, '_>) -> Markup {
    let (sent, missing, elsewhere) = (sent(figure), missing(figure), elsewhere(figure));
    if sent.is_empty() && missing.is_empty() {
        return html! {};
    }
    let on_axis = sent
        .iter()
        .filter(|tick| tick.at.micros() <= figure.scale.to_us())
        .count();
    let faulty = sent.iter().filter(|tick| tick.is_faulty).count();
    let mut told = counted(sent.len(), "pixel");
    if faulty > 0 {
        told.push_str(&format!(", {faulty} faulty"));
    }
    if sent.len() > on_axis {
        told.push_str(&format!(", {} after the axis", sent.len() - on_axis));
    }
    html! {
        div class="row px-row" {
            span class="who" {
                (glyph("dot", "muted"))
                span class="n" {}
                span class="a" { "pixels" }
                span class="o" { (said(Certainty::Seen, &told)) }
                @if !missing.is_empty() {
                    span class="o bad" { (glyph("miss", "bad")) " " (counted(missing.len(), "pixel")) " missing on the page" }
                }
            }
            (figure.plot(&spoken(&sent, &missing), html! {
                @for tick in sent.iter().take(on_axis) { (line(figure, tick)) }
                @for at in &elsewhere {
                    @let x = figure.x(*at).to_string();
                    line class="doc" x1=(x) x2=(x) y1="20" y2="26" {}
                }
                @for tick in &missing {
                    circle class="missing" cx=(figure.x(tick.at).to_string()) cy="14" r="4" {}
                }
                (labels(&figure.scale, &grouped(figure, &sent[..on_axis]), "halo", 40))
                (labels(&figure.scale, &grouped(figure, &missing), "b halo", 56))
            }))
            span class="took" {}
        }
    }
}

fn line(figure: &Figure<'_, '_>, tick: &Tick) -> Markup {
    let x = figure.x(tick.at).to_string();
    let class = if tick.is_faulty { "px wrong" } else { "px" };
    html! { line class=(class) x1=(x) x2=(x) y1="6" y2="22" { title { (Text(&tick.name)) " at " (seconds(tick.at.micros())) } } }
}

/// Returns the pixels that were sent from the first tag of the break until the next break.
fn sent(figure: &Figure<'_, '_>) -> Vec<Tick> {
    let all = figure
        .view
        .verdict
        .pixels
        .iter()
        .filter(|pixel| figure.has_pixel(pixel));
    all.map(|pixel| Tick {
        at: pixel.at,
        name: name(Some(&pixel.event), pixel.code),
        is_faulty: !pixel.faults.is_empty(),
    })
    .collect()
}

fn compared<'f>(
    figure: &'f Figure<'_, '_>,
    verdict: StepVerdict,
) -> impl Iterator<Item = (&'f Pixel, Time)> {
    let all = figure.view.comparison.iter().flat_map(|it| &it.pixels);
    all.filter(move |pixel| pixel.verdict == verdict)
        .filter_map(|pixel| {
            let us = pixel.simulated_us?;
            figure
                .has_simulated(pixel.ad_break, us)
                .then(|| (pixel, figure.on_page(us)))
        })
}

/// Returns the pixels that are missing on the page, when they were due.
fn missing(figure: &Figure<'_, '_>) -> Vec<Tick> {
    let mut all: Vec<Tick> = compared(figure, StepVerdict::OnlySimulated)
        .map(|(pixel, at)| Tick {
            at,
            name: name(pixel.event.as_ref(), None),
            is_faulty: true,
        })
        .collect();
    all.sort_by_key(|tick| tick.at);
    all
}

/// Returns when pixels were due that came at another time.
fn elsewhere(figure: &Figure<'_, '_>) -> Vec<Time> {
    compared(figure, StepVerdict::OtherTime)
        .map(|(_, at)| at)
        .collect()
}

/// Returns the labels of pixels, one for those at the same place.
fn grouped(figure: &Figure<'_, '_>, ticks: &[Tick]) -> Vec<Label> {
    let mut groups: Vec<(X, Label, usize)> = Vec::new();
    for tick in ticks {
        let x = figure.x(tick.at);
        match groups.last_mut() {
            Some((first, label, more)) if first.to(x).0 < SAME => match label.text.split_once(", ")
            {
                Some(_) => *more += 1,
                None => label.text = format!("{}, {}", label.text, tick.name),
            },
            Some(_) | None => groups.push((
                x,
                Label {
                    at: tick.at,
                    text: tick.name.clone(),
                },
                0,
            )),
        }
    }
    let with_rest = |(_, label, more): (X, Label, usize)| match more {
        0 => label,
        _ => Label {
            text: format!("{} +{more}", label.text),
            ..label
        },
    };
    groups.into_iter().map(with_rest).collect()
}

/// Returns the short name of a pixel: a quarter is a share.
fn name(event: Option<&TrackedEvent>, code: Option<u16>) -> String {
    let name = event.map_or("", TrackedEvent::name);
    match (event.and_then(TrackedEvent::known), code) {
        (Some(TrackingEvent::FirstQuartile), _) => "25 %".to_owned(),
        (Some(TrackingEvent::Midpoint), _) => "50 %".to_owned(),
        (Some(TrackingEvent::ThirdQuartile), _) => "75 %".to_owned(),
        (_, Some(code)) => format!("{name} {code}"),
        (_, None) => name.to_owned(),
    }
}

fn spoken(sent: &[Tick], missing: &[Tick]) -> String {
    let list = |ticks: &[Tick]| {
        let each = ticks
            .iter()
            .take(MOST_NAMED)
            .map(|it| format!("{} at {}", it.name, seconds(it.at.micros())));
        each.collect::<Vec<_>>().join(", ")
    };
    let mut spoken = format!("Pixels: {}", list(sent));
    if !missing.is_empty() {
        spoken.push_str(&format!("; missing on the page: {}", list(missing)));
    }
    spoken
}
