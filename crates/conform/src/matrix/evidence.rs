//! The evidence for a cell: due and recorded lines on one axis, screenshots, messages of the page,
//! the recording.

use std::fmt;

use maud::{Markup, PreEscaped, Render, html};

use super::names::since_start;
use super::view::Place;
use crate::evidence::{CellEvidence, Screenshot, Tick};
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::glyphs::{ARROW, glyph};

pub(super) fn body(place: &Place<'_, '_>) -> Markup {
    let evidence = &place.cell.evidence;
    html! {
        (timeline(place))
        @if !evidence.shots.is_empty() { div.shots { @for shot in &evidence.shots { (figure(place, shot)) } } }
        (messages(evidence))
        @if let Some(file) = &evidence.file {
            p {
                a href=(Text(&place.links.file(file))) download="download" { "the recording" }
                ", for " code { "playsim check" } " and " code { "playsim diff" }
            }
        }
    }
}

/// Half the height of the drawing of one side.
const HIGH: u32 = 26;

fn timeline(place: &Place<'_, '_>) -> Markup {
    let CellEvidence { recorded, due, .. } = &place.cell.evidence;
    if recorded.is_empty() {
        return html! {};
    }
    let ticks = || recorded.iter().chain(due);
    let from = ticks()
        .map(|tick| tick.at_us)
        .min()
        .unwrap_or_default()
        .min(0);
    let to = ticks()
        .map(|tick| tick.at_us)
        .max()
        .unwrap_or_default()
        .max(from + 1);
    let axis = Axis {
        from,
        span: to - from,
    };
    let (from, to, player) = (
        since_start(from),
        since_start(to),
        &place.column.player.label,
    );
    let label = format!("what was due above, what {player} did below, from {from} to {to} s");
    html! {
        svg.tl role="img" aria-label=(Text(&label)) { (side(due, &axis, 0)) (side(recorded, &axis, HIGH + 4)) }
        p.muted.tla {
            span { (from) " s" }
            span { "above: due; below: recorded. Thick: an ad on screen, thin: content; a line: a tracker or a request" }
            span { (to) " s" }
        }
    }
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

fn side(ticks: &[Tick], axis: &Axis, top: u32) -> Markup {
    let screen: Vec<&Tick> = ticks.iter().filter(|tick| tick.is_screen).collect();
    let title =
        |tick: &Tick| html! { title { (since_start(tick.at_us)) " s  " (Text(&tick.words)) } };
    html! {
        @for (index, tick) in screen.iter().enumerate().filter(|(_, tick)| tick.words.starts_with("shown")) {
            @let end = screen.get(index + 1).map_or(axis.from + axis.span, |next| next.at_us);
            @let (x, width) = (axis.at(tick.at_us), axis.at(end) - axis.at(tick.at_us));
            @let (class, y, height) = if tick.is_ad { ("ad", top + 14, 10) } else { ("co", top + 17, 4) };
            rect class=(class) x=(Percent(x)) y=(y) width=(Percent(width)) height=(height) { (title(tick)) }
        }
        @for tick in ticks.iter().filter(|tick| !tick.is_screen) {
            @let class = if tick.words.starts_with("asks") { "rq" } else { "tr" };
            rect class=(class) x=(Percent(axis.at(tick.at_us))) y=(top) width="2" height="12" { (title(tick)) }
        }
    }
}

fn figure(place: &Place<'_, '_>, shot: &Screenshot) -> Markup {
    let (of, at) = (shot.of.replace('-', " "), since_start(shot.at_us));
    let (file, alt) = (place.links.file(&shot.file), format!("{of}, {at} s"));
    let file = Text(&file);
    // An image, closed as XML has it.
    let image = PreEscaped(format!(
        r#"<img src="{}" width="160" height="90" loading="lazy" alt="{}"/>"#,
        file.render().0,
        Text(&alt).render().0
    ));
    html! { figure { a href=(file) { (image) } figcaption { b { (at) " s" } " " (Text(&of)) } } }
}

/// Returns the messages of the page.
fn messages(evidence: &CellEvidence) -> Markup {
    let uncaught = evidence.uncaught();
    html! {
        @if !evidence.said.is_empty() {
            details open=[(uncaught > 0).then_some("open")] {
                summary {
                    (ARROW) " the page said: " (counted(evidence.said.len(), "line"))
                    @if uncaught > 0 { ", " (glyph("bolt", "bad")) " " (counted(uncaught, "uncaught error")) }
                }
                ul.notes {
                    @for line in &evidence.said {
                        li { span.muted { (since_start(line.at_us)) " s " (Text(line.level.word())) } " " code { (Text(&line.text)) } }
                    }
                }
            }
        }
    }
}
