//! Rows without an order as a picture: a line for each row, with fill, first picture and revenue on
//! an axis each.

use maud::{Markup, html};

use super::estimate::{Estimate, Measure};
use super::rows::{Listed, listed, name};
use super::{along, mark};
use crate::table::{SweepRow, Table};
use playsim_base::html::Text;
use playsim_base::number::Decimal;
use playsim_base::words::counted;
use playsim_report::page::scale::X;

/// The most rows that are drawn.
const MOST: usize = 60;

/// One axis, and the quantity that is drawn on it.
struct Gauge {
    measure: Measure,
    title: &'static str,
    top: i64,
    now: Option<i64>,
}

/// Draws the rows of a table.
pub(super) fn picture(table: &Table) -> Markup {
    let all = listed(table);
    let gauges = gauges(table, &all);
    html! {
        table class="dots" {
            caption class="off" { "The same as a picture; the table below has the numbers." }
            thead {
                tr {
                    td {}
                    @for gauge in &gauges { th scope="col" { (gauge.title) (scale(gauge)) } }
                }
            }
            tbody {
                @for it in all.iter().take(MOST) {
                    tr class=[it.is_now.then_some("cur")] {
                        th scope="row" {
                            (Text(&name(table, it.row))) @if it.is_now { " " span class="nowtag" { "now" } }
                            @if let Some(outcome) = &it.row.outcome { small { " " (along::outcome(outcome).1) } }
                        }
                        @if it.row.is_unknown() {
                            td colspan=(gauges.len()) { (mark("unknown")) }
                        } @else {
                            @for gauge in &gauges { td data-l=(gauge.title) { (draw(gauge, it.row)) } }
                        }
                    }
                }
            }
        }
        @if all.len() > MOST {
            p class="small muted" { (counted(all.len() - MOST, "more row")) " not drawn." }
        }
        ul class="key" {
            @if table.runs.is_some() {
                li { svg class="k" aria-hidden="true" { rect class="bd s0" x="1" y="3" width="20" height="8" {} } "95 % confidence" }
                li { svg class="k" aria-hidden="true" { circle class="pt s0" cx="11" cy="7" r="6" {} } "first picture: 95 % within" }
            }
            @if gauges.iter().any(|gauge| gauge.now.is_some()) {
                li { svg class="k" aria-hidden="true" { line class="now" x1="11" x2="11" y1="0" y2="14" {} } "now" }
            }
        }
    }
}

fn gauges(table: &Table, all: &[Listed<'_>]) -> Vec<Gauge> {
    let title = |measure| match (measure, table.runs) {
        (Measure::Fill, Some(_)) => "sessions with an ad, %",
        (Measure::Fill, None) => "breaks with an ad, %",
        (Measure::Picture, _) => "first picture, s",
        (Measure::Revenue, _) => "revenue of 1,000 sessions",
    };
    let now = all.iter().find(|it| it.is_now);
    Measure::OF_MANY
        .iter()
        .filter_map(|(measure, _)| {
            let most = all
                .iter()
                .flat_map(|it| values(*measure, it.row))
                .map(|it| it.high)
                .max()?;
            let now = now.and_then(|it| Some(values(*measure, it.row).first()?.value));
            let top = measure.grid(most).last().copied().unwrap_or(1).max(1);
            Some(Gauge {
                measure: *measure,
                title: title(*measure),
                top,
                now,
            })
        })
        .collect()
}

/// Returns the drawn values of a row: the main value, and of first pictures the 95 % quantile.
fn values(measure: Measure, row: &SweepRow) -> Vec<Estimate> {
    if row.is_unknown() {
        return Vec::new();
    }
    if let Some(figures) = &row.figures {
        let others = figures
            .first_frame
            .iter()
            .filter(|it| it.percent == 95 && measure == Measure::Picture);
        return measure
            .first(row)
            .into_iter()
            .chain(others.map(Estimate::of_quantile))
            .collect();
    }
    let Some(outcome) = &row.outcome else {
        return Vec::new();
    };
    let value = match measure {
        Measure::Fill if outcome.breaks == 0 => None,
        Measure::Fill => {
            Some(i64::from(outcome.breaks_filled) * 1_000_000 / i64::from(outcome.breaks))
        }
        Measure::Picture => outcome
            .first_frame
            .and_then(|frame| i64::try_from(frame.after_us).ok()),
        Measure::Revenue => row.earned.map(Decimal::millionths),
    };
    value.map(Estimate::exact).into_iter().collect()
}

impl Gauge {
    /// Returns the place of a value; the edges stay free for the marks.
    fn x(&self, value: i64) -> X {
        let part = i128::from(value.clamp(0, self.top)) * 94_000 / i128::from(self.top);
        X(3_000 + u64::try_from(part).unwrap_or_default())
    }
}

fn scale(gauge: &Gauge) -> Markup {
    html! {
        svg class="plot" height="32" aria-hidden="true" {
            text class="m" x=(gauge.x(0)) y="28" text-anchor="middle" { (gauge.measure.label(0)) }
            text class="m" x="100%" y="28" text-anchor="end" { (gauge.measure.label(gauge.top)) (gauge.measure.unit()) }
            @if let Some(now) = gauge.now {
                @let at = gauge.x(now);
                text class="s" x=(at) y="12" text-anchor=(super::plot::anchor(at)) { "now" }
            }
        }
    }
}

fn draw(gauge: &Gauge, row: &SweepRow) -> Markup {
    let values = values(gauge.measure, row);
    let said: Vec<String> = values
        .iter()
        .map(|it| gauge.measure.words(it.value))
        .collect();
    let said = if said.is_empty() {
        "none".to_owned()
    } else {
        said.join(", 95 % within ")
    };
    html! {
        span class="val" aria-hidden="true" { " " (said) }
        svg class="plot" height="26" role="img" aria-label=(&said) {
            @for value in [0, gauge.top] {
                line class="gr full" x1=(gauge.x(value)) x2=(gauge.x(value)) y1="0" y2="26" {}
            }
            @if let [from, to] = &values[..] {
                line class="ln s0" x1=(gauge.x(from.value)) x2=(gauge.x(to.value)) y1="13" y2="13" {}
            }
            @for it in values.iter().filter(|it| it.low != it.high) {
                @let from = gauge.x(it.low);
                rect class="bd s0" x=(from) y="8" width=(X(from.to(gauge.x(it.high)).0.max(500))) height="10" {}
            }
            @if let Some(now) = gauge.now {
                line class="now" x1=(gauge.x(now)) x2=(gauge.x(now)) y1="0" y2="26" {}
            }
            @for (nth, it) in values.iter().enumerate().rev() {
                circle class=(if nth == 0 { "dot s0" } else { "pt s0" }) cx=(gauge.x(it.value)) cy="13" r=(if nth == 0 { 4 } else { 6 }) {}
            }
        }
    }
}
