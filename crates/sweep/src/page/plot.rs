//! The drawing of charts: x is in percent and type in pixels, so that a drawing stretches and its
//! text does not.

use maud::{Markup, html};

use super::along::{Along, Line, Panel, Region, StretchKind, Strip};
use super::estimate::Measure;
use playsim_base::html::Text;
use playsim_report::page::scale::X;

/// The place above a chart for the name of the current value, and the height of its top line.
const TOP: i64 = 18;
/// The least distance of two labels at the end of lines.
const APART: i64 = 15;
/// The width of a drawing in its own units.
const WIDE: i64 = 100_000;
/// The most characters of a name at the end of its line; the list below has it in full.
const MOST_LETTERS: usize = 24;
/// The least distance of two labels above a drawing, in thousandths of a percent.
const LABEL: u64 = 14_000;

/// A map from values of the axis to places.
#[derive(Clone, Copy)]
struct Map {
    from: u64,
    to: u64,
}

impl Map {
    fn of(along: &Along<'_>) -> Map {
        Map {
            from: along.from,
            to: along.to,
        }
    }

    fn x(self, at: u64) -> X {
        let length = u128::from(self.to - self.from).max(1);
        let passed = u128::from(at.clamp(self.from, self.to) - self.from);
        X(u64::try_from(passed * 100_000 / length).unwrap_or_default())
    }

    /// Returns the place in units of the drawing.
    fn wide(self, at: u64) -> i64 {
        i64::try_from(self.x(at).0).unwrap_or(WIDE)
    }
}

/// Returns where a text at this place is anchored, so that it stays within the drawing.
pub(super) fn anchor(at: X) -> &'static str {
    match at.0 {
        0..12_000 => "start",
        88_000.. => "end",
        _ => "middle",
    }
}

/// Draws everything over one axis.
pub(super) fn charts(along: &Along<'_>) -> Markup {
    let map = Map::of(along);
    let drawn: Vec<&Panel> = along
        .panels
        .iter()
        .filter(|panel| !panel.lines.is_empty())
        .collect();
    html! {
        @for strip in &along.strips { (self::strip(along, map, strip)) }
        @for panel in drawn { (self::panel(along, map, panel)) }
        (axis(along, map))
        (key(along))
        @for panel in along.panels.iter().filter(|panel| panel.lines.is_empty()) {
            p class="small muted" {
                (panel.title) ": not known. "
                @if panel.measure == Measure::Revenue {
                    code { "--price tag1=2.50" } " says what 1,000 impressions of a tag earn."
                }
            }
        }
    }
}

/// Draws the outcomes: no ad, who fills, unknown.
fn strip(along: &Along<'_>, map: Map, strip: &Strip) -> Markup {
    let said: Vec<String> = strip
        .stretches
        .iter()
        .map(|it| {
            format!(
                "from {} to {} {}",
                along.value(it.from),
                along.value(it.to),
                it.label
            )
        })
        .collect();
    let mut labelled: Vec<u64> = Vec::new();
    let near = |tip: u64, other: u64| map.x(tip).0.abs_diff(map.x(other).0) < LABEL;
    for tip in &strip.tips {
        // The line of the value in force would run through a label next to it; the table has all
        // tipping points.
        if !labelled
            .iter()
            .chain(&along.now)
            .any(|other| near(*tip, *other))
        {
            labelled.push(*tip);
        }
    }
    html! {
        figure class="ch" {
            figcaption { b { "Outcome" } @if !strip.name.is_empty() { " " span class="muted" { (Text(&strip.name)) } } }
            div class="c3" {
                span {}
                svg class="plot" height="66" role="img" aria-label={ "Outcome: " (Text(&said.join("; "))) } {
                    @for it in &strip.stretches {
                        @let (from, to) = (map.x(it.from), map.x(it.to));
                        @let width = from.to(to).0.max(300);
                        rect class=(look(it.kind)) x=(from) y="32" width=(X(width)) height="26" {
                            title { (Text(&it.label)) }
                        }
                        @if width > room(&it.label) {
                            text class={ "in " (look(it.kind)) } x=(X(u64::midpoint(from.0, to.0))) y="49" text-anchor="middle" {
                                (Text(&it.label))
                            }
                        }
                    }
                    @for tip in &strip.tips {
                        line class="tick" x1=(map.x(*tip)) x2=(map.x(*tip)) y1="28" y2="62" {}
                    }
                    @for tip in &labelled {
                        text x=(map.x(*tip)) y="24" text-anchor=(anchor(map.x(*tip))) { (along.value(*tip)) }
                    }
                    (now(along, map, 62))
                }
                span {}
            }
        }
    }
}

/// Returns the least width of a stretch for its label, in thousandths of a percent, on the
/// narrowest screen.
fn room(label: &str) -> u64 {
    (label.chars().count() as u64 * 7 + 8) * 100_000 / 260
}

fn look(kind: StretchKind) -> &'static str {
    match kind {
        StretchKind::Filled => "z-yes",
        StretchKind::NoAd => "z-no",
        StretchKind::Unknown => "z-un",
    }
}

/// Draws the value in force with its name.
fn now(along: &Along<'_>, map: Map, bottom: i64) -> Markup {
    html! {
        @if let Some(now) = along.now {
            @let at = map.x(now);
            line class="now" x1=(at) x2=(at) y1="14" y2=(bottom) {}
            text class="s" x=(at) y="11" text-anchor=(anchor(at)) { "now " (along.value(now)) }
        }
    }
}

/// The vertical scale of a chart.
struct Rise {
    height: i64,
    top: i64,
}

impl Rise {
    fn y(&self, value: i64) -> i64 {
        let part = i128::from(value) * i128::from(self.height) / i128::from(self.top.max(1));
        TOP + self.height - i64::try_from(part).unwrap_or_default()
    }

    /// Returns the place in tenths of a pixel, for the lines.
    fn fine(&self, value: i64) -> i64 {
        let part = i128::from(value) * i128::from(self.height * 10) / i128::from(self.top.max(1));
        self.height * 10 - i64::try_from(part).unwrap_or_default()
    }
}

fn panel(along: &Along<'_>, map: Map, panel: &Panel) -> Markup {
    let values = || {
        panel
            .lines
            .iter()
            .flat_map(|line| &line.points)
            .filter_map(|(_, value)| *value)
    };
    let grid = panel
        .measure
        .grid(values().map(|it| it.high).max().unwrap_or_default());
    let top = grid.last().copied().unwrap_or(1);
    let height = match (panel.measure, along.strips.is_empty()) {
        (Measure::Fill, true) => 170,
        (Measure::Fill, false) => 72,
        (Measure::Picture, _) => 130,
        (Measure::Revenue, _) => 100,
    };
    let rise = Rise { height, top };
    let ends = ends(panel, &rise);
    let is_long = panel
        .lines
        .iter()
        .any(|line| line.name.chars().count() > MOST_LETTERS);
    html! {
        figure class={ "ch" @if is_long { " below" } } {
            figcaption { b { (Text(&panel.title)) } }
            div class="c3" {
                svg class="plot" height=(TOP + height + 5) aria-hidden="true" {
                    @for value in &grid {
                        text class="m" x="100%" dx="-8" y=(rise.y(*value) + 4) text-anchor="end" {
                            (panel.measure.label(*value)) @if *value == top { (panel.measure.unit()) }
                        }
                    }
                }
                svg class="plot" height=(TOP + height + 5) role="img" aria-label=(Text(&spoken(along, panel))) {
                    @for region in &along.regions { (self::region(map, region, height)) }
                    @for value in &grid {
                        @let y = rise.y(*value);
                        line class=(if *value == 0 || *value == top { "gr full" } else { "gr" }) x1="0" x2="100%" y1=(y) y2=(y) {}
                    }
                    svg x="0" y=(TOP) width="100%" height=(height) viewBox={ "0 0 " (WIDE) " " (height * 10) } preserveAspectRatio="none" {
                        @for (nth, line) in panel.lines.iter().enumerate() { (band(map, &rise, nth, line)) }
                        @for (nth, line) in panel.lines.iter().enumerate() { (curve(map, &rise, nth, line)) }
                    }
                    @for (nth, line) in panel.lines.iter().enumerate() { (dots(map, &rise, nth, line)) }
                    (now(along, map, TOP + height))
                }
                svg class="plot el" height=(TOP + height + 5) aria-hidden="true" {
                    @for (nth, y, text) in &ends {
                        line class={ "ln s" (nth) } x1="8" x2="26" y1=(y - 4) y2=(y - 4) {}
                        text x="32" y=(y) { (Text(text)) }
                    }
                }
            }
            ul class="ends" {
                @for (nth, line) in panel.lines.iter().enumerate() {
                    li {
                        svg class="k" aria-hidden="true" { line class={ "ln s" (nth) } x1="0" x2="22" y1="7" y2="7" {} }
                        (Text(&end(panel, line, usize::MAX)))
                    }
                }
            }
        }
    }
}

fn region(map: Map, region: &Region, height: i64) -> Markup {
    let (from, to) = (map.x(region.from), map.x(region.to));
    let class = if region.is_unknown { "z-un" } else { "z-as" };
    html! {
        rect class=(class) x=(from) y=(TOP) width=(X(from.to(to).0.max(300))) height=(height) { title { (Text(&region.name)) } }
    }
}

/// Draws the interval of each value; a line without intervals has none.
fn band(map: Map, rise: &Rise, nth: usize, line: &Line) -> Markup {
    let parts = line.parts();
    let has_band = |part: &&Vec<(u64, super::estimate::Estimate)>| {
        part.iter().any(|(_, it)| it.low != it.high)
    };
    html! {
        @for part in parts.iter().filter(has_band) {
            @let up = part.iter().map(|(at, it)| format!("{},{}", map.wide(*at), rise.fine(it.high)));
            @let down = part.iter().rev().map(|(at, it)| format!("{},{}", map.wide(*at), rise.fine(it.low)));
            polygon class={ "bd s" (nth) } points=(up.chain(down).collect::<Vec<_>>().join(" ")) {}
        }
    }
}

fn curve(map: Map, rise: &Rise, nth: usize, line: &Line) -> Markup {
    html! {
        @for part in line.parts() {
            @let points = part.iter().map(|(at, it)| format!("{},{}", map.wide(*at), rise.fine(it.value)));
            polyline class={ "ln s" (nth) } vector-effect="non-scaling-stroke" points=(points.collect::<Vec<_>>().join(" ")) {}
        }
    }
}

/// Draws the values that have no neighbour, which a line does not show.
fn dots(map: Map, rise: &Rise, nth: usize, line: &Line) -> Markup {
    html! {
        @for part in line.parts() {
            @if let [(at, it)] = &part[..] { circle class={ "pt s" (nth) } cx=(map.x(*at)) cy=(rise.y(it.value)) r="3.5" {} }
        }
    }
}

/// Returns the name of a line with its last value.
fn end(panel: &Panel, line: &Line, most: usize) -> String {
    let value = line
        .last()
        .map(|(_, it)| panel.measure.words(it.value))
        .unwrap_or_default();
    let mut name: String = line.name.chars().take(most).collect();
    if name.len() < line.name.len() {
        name.push('\u{2026}');
    }
    match panel.lines.len() {
        1 if panel.measure != Measure::Picture => value,
        _ => format!("{name} {value}"),
    }
}

/// Returns the labels at the right end of their lines, each with its line and its place, none upon
/// another.
fn ends(panel: &Panel, rise: &Rise) -> Vec<(usize, i64, String)> {
    let mut ends: Vec<(usize, i64, String)> = Vec::new();
    for (nth, line) in panel.lines.iter().enumerate() {
        let Some((_, it)) = line.last() else { continue };
        ends.push((nth, rise.y(it.value) + 4, end(panel, line, MOST_LETTERS)));
    }
    ends.sort_by_key(|(nth, y, _)| (*y, *nth));
    let mut free = i64::MIN;
    for (_, y, _) in &mut ends {
        *y = (*y).max(free);
        free = *y + APART;
    }
    let mut limit = TOP + rise.height + 4;
    for (_, y, _) in ends.iter_mut().rev() {
        *y = (*y).min(limit);
        limit = *y - APART;
    }
    ends
}

/// Returns the description of a chart, for those who do not see it; the table below has all values.
fn spoken(along: &Along<'_>, panel: &Panel) -> String {
    let line = |line: &Line| {
        let first = line
            .points
            .iter()
            .find_map(|(at, value)| Some((*at, (*value)?)));
        let ends: Vec<String> = [first, line.last()]
            .into_iter()
            .flatten()
            .map(|(at, it)| format!("{} at {}", panel.measure.words(it.value), along.value(at)))
            .collect();
        format!("{}: {}", line.name, ends.join(", "))
    };
    let lines: Vec<String> = panel.lines.iter().map(line).collect();
    let regions: Vec<&str> = along.regions.iter().map(|region| &*region.name).collect();
    [panel.title.clone(), lines.join("; "), regions.join("; ")]
        .iter()
        .filter(|part| !part.is_empty())
        .cloned()
        .collect::<Vec<_>>()
        .join(". ")
}

/// Draws the axis that all charts share.
fn axis(along: &Along<'_>, map: Map) -> Markup {
    let ticks = ticks(along.from, along.to);
    html! {
        div class="c3 axis" {
            span {}
            svg class="plot" height="22" aria-hidden="true" {
                line class="gr full" x1="0" x2="100%" y1="1" y2="1" {}
                @for tick in &ticks {
                    @let at = map.x(*tick);
                    line class="gr full" x1=(at) x2=(at) y1="1" y2="5" {}
                    text class="m" x=(at) y="17" text-anchor=(anchor(at)) { (along.value(*tick)) }
                }
            }
            span {}
        }
        p class="small muted axn" { (Text(&along.varied.name)) @if along.panels.len() > 1 { ". All charts share this axis." } }
    }
}

/// Returns round values within the axis, seven at most; its ends if no round value is within.
fn ticks(from: u64, to: u64) -> Vec<u64> {
    let mut steps = (0..19).flat_map(|power| [1, 2, 5].map(|first| first * 10_u64.pow(power)));
    let step = steps
        .find(|step| (to - from) / step < 6)
        .unwrap_or(u64::MAX);
    let times = (from.div_ceil(step)..).map_while(|nth| nth.checked_mul(step));
    let ticks: Vec<u64> = times.take_while(|at| *at <= to).collect();
    if ticks.len() < 2 {
        vec![from, to]
    } else {
        ticks
    }
}

/// Returns the meaning of the marks.
fn key(along: &Along<'_>) -> Markup {
    let has = |kind: StretchKind| {
        along
            .strips
            .iter()
            .flat_map(|strip| &strip.stretches)
            .any(|stretch| stretch.kind == kind)
    };
    let has_bands = along.strips.is_empty();
    let swatch = |class: &str| html! { svg class="k" aria-hidden="true" { rect class=(class) x="1" y="2" width="20" height="10" {} } };
    html! {
        ul class="key" {
            @if has(StretchKind::Filled) { li { (swatch("z-yes")) "an ad" } }
            @if has(StretchKind::NoAd) { li { (swatch("z-no")) "no ad" } }
            @if has(StretchKind::Unknown) && along.regions.iter().all(|region| !region.is_unknown) {
                li { (swatch("z-un")) "unknown" }
            }
            @for region in &along.regions {
                li { (swatch(if region.is_unknown { "z-un" } else { "z-as" })) (Text(&region.name)) }
            }
            @if along.strips.iter().any(|strip| !strip.tips.is_empty()) {
                li { svg class="k" aria-hidden="true" { line class="tick" x1="11" x2="11" y1="0" y2="14" {} } "tipping point" }
            }
            @if along.now.is_some() {
                li { svg class="k" aria-hidden="true" { line class="now" x1="11" x2="11" y1="0" y2="14" {} } "now" }
            }
            @if has_bands { li { (swatch("bd s0")) "95 % confidence" } }
        }
    }
}
