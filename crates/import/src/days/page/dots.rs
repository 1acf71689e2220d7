//! The chart of first pictures: a dot for each recording, with an ad or without one.

use maud::{Markup, html};

use super::picture::{TimeAxis, at};
use crate::days::figures::{FirstPicture, SetFigures};
use crate::days::latencies::LatencyQuantile;
use crate::days::table::RecordingTable;
use playsim_base::words::seconds;

/// The number of columns, and the most dots in one.
const COLUMNS: usize = 96;
const MOST: usize = 12;
/// The distance between two dots of a column, and the height of the chart, in pixels.
const STEP: usize = 6;
const HEIGHT: usize = MOST * STEP + 26;

/// Returns the content of the section; `None` if no recording shows when its first picture came.
pub(super) fn body(table: &RecordingTable) -> Option<Markup> {
    let sets: Vec<(&str, &SetFigures)> = match &table.before {
        Some(before) => vec![("now", &table.set), ("before", before)],
        None => vec![("all", &table.set)],
    };
    let most = sets
        .iter()
        .flat_map(|(_, set)| &set.pictures)
        .map(|it| u64::from(it.us))
        .max();
    let axis = TimeAxis::to(most?);
    let highest = sets
        .iter()
        .flat_map(|(_, set)| columns(set, &axis))
        .map(|it| it.with_ad + it.without)
        .max();
    let each = highest.unwrap_or_default().div_ceil(MOST).max(1);
    Some(html! {
        p.lead {
            @if each == 1 { "A dot is a recording" } @else { "A dot is up to " (each) " recordings" }
            ": a disc with an ad, a ring without one. Seconds from the first tag until the ad or, without one, until the "
            "last tag was over."
        }
        @for (name, set) in &sets { (row(name, set, &axis, each)) }
        div.dr { span.dn {} (axis.head()) }
        ul.key aria-label="What the marks mean" {
            li { svg aria-hidden="true" { circle.d-ad cx="12" cy="7" r="3" {} } "with an ad" }
            li { svg aria-hidden="true" { circle.d-no cx="12" cy="7" r="3" {} } "without" }
            li { svg aria-hidden="true" { line.tick x1="12" x2="12" y1="0" y2="14" {} } "median of those with an ad" }
            li { svg aria-hidden="true" { line.tick.p95 x1="12" x2="12" y1="0" y2="14" {} } "95 % within" }
        }
    })
}

/// The content of one column.
#[derive(Clone, Copy, Default)]
struct Column {
    with_ad: usize,
    without: usize,
}

fn columns(set: &SetFigures, axis: &TimeAxis) -> Vec<Column> {
    let mut columns = vec![Column::default(); COLUMNS];
    for FirstPicture { us, has_ad } in &set.pictures {
        let column = usize::try_from(u64::from(*us) * COLUMNS as u64 / axis.end()).unwrap_or(0);
        let column = &mut columns[column.min(COLUMNS - 1)];
        if *has_ad {
            column.with_ad += 1;
        } else {
            column.without += 1;
        }
    }
    columns
}

fn row(name: &str, set: &SetFigures, axis: &TimeAxis, each: usize) -> Markup {
    let said = format!(
        "{name}: {} recordings by the time until the first ad; median {} s, 95 percent within {} s",
        set.pictures.len(),
        super::quantile(set.first_ad_median),
        super::quantile(set.first_ad_p95)
    );
    let dot = |index: usize, level: usize| {
        let x = at(2 * index as u64 + 1, 2 * COLUMNS as u64);
        (x, HEIGHT - 5 - level * STEP)
    };
    html! {
        div.dr {
            span.dn { b { (name) } span { (set.with_ad.count) " of " (set.recordings) " with an ad" } }
            svg.plot height=(HEIGHT) role="img" aria-label=(said) {
                (axis.grid(HEIGHT))
                @for (index, column) in columns(set, axis).iter().enumerate() {
                    @let (with_ad, without) = (column.with_ad.div_ceil(each), column.without.div_ceil(each));
                    @for level in 0..(with_ad + without) {
                        @let (x, y) = dot(index, level);
                        circle class=(if level < with_ad { "d-ad" } else { "d-no" }) cx=(x) cy=(y) r="2.4" {}
                    }
                }
                (tick(set.first_ad_median, "50 %", "tick", 11, axis))
                (tick(set.first_ad_p95, "95 %", "tick p95", 24, axis))
            }
        }
    }
}

/// Draws a quantile as a line with its value beside it.
fn tick(
    quantile: Option<LatencyQuantile>,
    name: &str,
    class: &str,
    y: u32,
    axis: &TimeAxis,
) -> Markup {
    let Some(it) = quantile else { return html! {} };
    let us = u64::from(it.us);
    let is_right = us * 10 > axis.end() * 8;
    html! {
        line class=(class) x1=(at(us, axis.end())) x2=(at(us, axis.end())) y1="0" y2=(HEIGHT) {}
        text.tl x=(at(us, axis.end())) y=(y) dx=(if is_right { "-4" } else { "4" })
            text-anchor=(if is_right { "end" } else { "start" }) { (name) " " (seconds(us)) }
    }
}
