//! All rows as a table, with how it is now and the differences from that.

use maud::{Markup, html};

use super::estimate::{cents, tenths};
use super::mark;
use crate::difference::MeanChange;
use crate::figures::{Figures, QuantileFigure};
use crate::summary::RunOutcome;
use crate::table::{SweepRow, Table};
use crate::text::{ad_by, of_tag, shows};
use playsim_base::html::Text;
use playsim_base::words::{counted, seconds};
use playsim_report::page::difference as signed_seconds;

/// The most rows of the table.
const MOST: usize = 2_000;

/// A row, or how it is now.
pub(super) struct Listed<'t> {
    pub(super) row: &'t SweepRow,
    pub(super) is_now: bool,
}

/// Returns all rows; how it is now is one of them, at its place.
pub(super) fn listed(table: &Table) -> Vec<Listed<'_>> {
    let row_now = table.row_now();
    let rows = table.rows.iter().enumerate();
    let mut all: Vec<Listed<'_>> = rows
        .map(|(at, row)| Listed {
            row,
            is_now: row_now == Some(at),
        })
        .collect();
    if let (None, Some(now)) = (row_now, &table.now) {
        let place = match &table.varied[..] {
            [varied] => varied.now_point.and_then(|now| {
                let points: Option<Vec<u64>> = varied.points.iter().copied().collect();
                Some(points?.partition_point(|point| *point < now))
            }),
            _ => None,
        };
        all.insert(
            place.unwrap_or_default().min(all.len()),
            Listed {
                row: now,
                is_now: true,
            },
        );
    }
    all
}

/// Returns the name of a row by its varied values.
pub(super) fn name(table: &Table, row: &SweepRow) -> String {
    let values = table.varied.iter().zip(&row.values);
    let values: Vec<String> = match &table.varied[..] {
        [] if table.fixed.is_empty() || table.runs.is_some() => vec!["all sessions".to_owned()],
        [] if table.now.as_ref().is_some_and(|now| std::ptr::eq(now, row)) => {
            vec!["as it is".to_owned()]
        }
        [] => table
            .fixed
            .iter()
            .map(|it| format!("{}={}", it.name, it.value))
            .collect(),
        [_] => row.values.iter().map(|value| as_it_is(value)).collect(),
        _ => values
            .map(|(it, value)| format!("{}={}", it.name, as_it_is(value)))
            .collect(),
    };
    values.join(", ")
}

fn as_it_is(value: &str) -> String {
    if value.is_empty() {
        "as it is".to_owned()
    } else {
        value.to_owned()
    }
}

pub(super) fn section(table: &Table) -> Markup {
    let all = listed(table);
    let has_now = all.iter().any(|it| it.is_now);
    html! {
        p class="lead" {
            @if has_now { "Differences are counted from now. " }
            @match table.runs {
                Some(_) => {
                    "Below a figure is its " (table.confidence_percent) " % interval"
                    @if has_now { "; a difference that chance alone can make is grey" }
                    "."
                }
                None => { "Each row is one session; a tag shows an ad, its error code, or a dash if it was not asked." }
            }
        }
        div class="scroll" tabindex="0" role="group" aria-label="All values" {
            table class="list all" {
                (head(table))
                tbody { @for it in all.iter().take(MOST) { (line(table, it)) } }
            }
        }
        @if all.len() > MOST {
            p class="muted" { (counted(all.len() - MOST, "more row")) " left out: " code { "--format json" } " has all." }
        }
        @if table.rows.iter().any(SweepRow::is_unknown) {
            p class="small muted" { "Unknown: " (crate::answer::gave_up(&crate::answer::unseen(table))) "." }
        }
        (asked(table))
    }
}

fn head(table: &Table) -> Markup {
    let number = |name: &str| html! { th class="num" scope="col" { (Text(name)) } };
    let earns = earns(table);
    html! {
        thead {
            tr {
                @if table.varied.is_empty() { th scope="col" { "session" } }
                @for it in &table.varied {
                    th scope="col" class=[it.unit.map(|_| "num")] { (Text(&it.name)) }
                }
                @if table.runs.is_some() {
                    (number("with an ad, %")) @if has_now(table) { (number("points")) }
                    @for tag in &table.tags { (number(&format!("{}, %", tag.tag))) }
                    (number("first picture: 50 %, s")) (number("95 %, s"))
                    @if has_now(table) { (number("mean difference, s")) }
                    @if earns { (number("revenue of 1,000")) @if has_now(table) { (number("difference")) } }
                } @else {
                    th scope="col" { "ad by" }
                    (number("first picture, s")) @if has_now(table) { (number("difference, s")) }
                    th scope="col" { "of" }
                    @for tag in &table.tags { (number(&tag.tag.to_string())) }
                    (number("pixels"))
                    @if earns { (number("revenue of 1,000")) }
                }
            }
        }
    }
}

fn has_now(table: &Table) -> bool {
    table.now.is_some()
}

fn earns(table: &Table) -> bool {
    table.rows.iter().chain(&table.now).any(|row| {
        row.earned.is_some()
            || row
                .figures
                .as_ref()
                .is_some_and(|figures| figures.revenue.is_some())
    })
}

fn line(table: &Table, it: &Listed<'_>) -> Markup {
    let last = table.varied.len().saturating_sub(1);
    html! {
        tr class=[it.is_now.then_some("cur")] {
            @if table.varied.is_empty() {
                th scope="row" { (Text(&name(table, it.row))) @if it.is_now { " " span class="nowtag" { "now" } } }
            }
            @for (at, (varied, value)) in table.varied.iter().zip(&it.row.values).enumerate() {
                @let class = if varied.unit.is_some() { "num" } else { "" };
                @let label = format!("{} ", varied.name);
                th scope="row" class=(class) data-l=[(last > 0).then_some(label)] {
                    (Text(&as_it_is(value))) @if it.is_now && at == last { " " span class="nowtag" { "now" } }
                }
            }
            @if let Some(outcome) = &it.row.outcome { (outcome_cells(table, outcome, it)) }
            @if let Some(figures) = &it.row.figures { (figure_cells(table, figures, it)) }
        }
    }
}

fn cell(label: &str, value: &str) -> Markup {
    html! { td class="num" data-l={ (label) " " } { (value) } }
}

/// Returns the cells of an outcome. Of one that is unknown there is no number.
fn outcome_cells(table: &Table, outcome: &RunOutcome, it: &Listed<'_>) -> Markup {
    let columns = 4 + table.tags.len() + 1 + usize::from(earns(table));
    if outcome.is_unknown() {
        return html! {
            td colspan=(columns) class="unk" { (mark("unknown")) }
        };
    }
    let frame = outcome.first_frame;
    let before = table
        .now
        .as_ref()
        .and_then(|now| now.outcome.as_ref())
        .filter(|now| !now.is_unknown());
    let before = before
        .and_then(|now| now.first_frame)
        .filter(|_| !it.is_now);
    let difference = frame.zip(before).and_then(|(frame, before)| {
        let [to, from] = [frame.after_us, before.after_us].map(i64::try_from);
        Some(to.ok()? - from.ok()?)
    });
    html! {
        td data-l="ad by " { (ad_by(outcome)) }
        (cell("first picture", &frame.map(|frame| seconds(frame.after_us)).unwrap_or_default()))
        @if has_now(table) { (cell("difference", &difference.map(signed_seconds).unwrap_or_default())) }
        td data-l="of " { (frame.map(|frame| shows(frame.of)).unwrap_or_default()) }
        @for tag in &table.tags { (cell(&tag.tag.to_string(), &of_tag(outcome, tag.tag))) }
        (cell("pixels", &outcome.pixels().to_string()))
        @if earns(table) {
            (cell("revenue", &it.row.earned.map(|earned| cents(earned.millionths())).unwrap_or_default()))
        }
    }
}

fn figure_cells(table: &Table, figures: &Figures, it: &Listed<'_>) -> Markup {
    let earns = earns(table);
    let doubtful = figures.unknown.share;
    if figures.unknown.count > 0 {
        let columns = 5 + table.tags.len() + if earns { 2 } else { 0 };
        return html! {
            td colspan=(columns) class="unk" {
                (mark("unknown")) " " (tenths(doubtful.millionths())) " % of the sessions depend on an answer that nobody saw"
            }
        };
    }
    let difference = it.row.difference.filter(|_| !it.is_now);
    let quantile = |percent: u32| figures.first_frame.iter().find(|it| it.percent == percent);
    let interval = |value: String, low: String, high: String| {
        html! { (value) span class="ci" { (low) "\u{2013}" (high) } }
    };
    let change = |label: &str, change: Option<MeanChange>, words: &dyn Fn(i64) -> String| {
        html! {
            td class={ "num" @if change.is_some_and(|it| it.is_within_chance()) { " muted" } } data-l={ (label) " " } {
                @if let Some(change) = change { (words(change.mean.millionths())) }
            }
        }
    };
    let time = |label: &str, it: Option<&QuantileFigure>| {
        let end = |us: Option<u64>| us.map_or_else(|| "?".to_owned(), seconds);
        html! {
            td class="num" data-l={ (label) " " } {
                @if let Some(it) = it { (interval(seconds(it.us), end(it.low_us), end(it.high_us))) }
            }
        }
    };
    let share = |it: playsim_base::interval::Proportion| {
        let [value, low, high] = [it.share, it.low, it.high].map(|it| tenths(it.millionths()));
        interval(value, low, high)
    };
    html! {
        td class="num" data-l="with an ad, % " { (share(figures.filled)) }
        @if has_now(table) { (change("points", difference.map(|it| it.filled), &|it| signed(it, &tenths))) }
        @for tag in &figures.tags { td class="num" data-l={ (tag.tag) ", % " } { (tenths(tag.filled.share.millionths())) } }
        (time("50 %, s", quantile(50))) (time("95 %, s", quantile(95)))
        @if has_now(table) { (change("mean difference, s", difference.map(|it| it.first_frame), &signed_seconds)) }
        @if earns {
            td class="num" data-l="revenue " {
                @if let Some(it) = &figures.revenue {
                    @let [value, low, high] = [it.per_mille, it.low, it.high].map(|it| cents(it.millionths()));
                    (interval(value, low, high))
                }
            }
            @if has_now(table) { (change("difference", difference.and_then(|it| it.revenue), &|it| signed(it, &cents))) }
        }
    }
}

/// Returns a number with its sign.
fn signed(millionths: i64, words: &dyn Fn(i64) -> String) -> String {
    let sign = match millionths {
        0 => "",
        1.. => "+",
        _ => "\u{2212}",
    };
    format!(
        "{sign}{}",
        words(i64::try_from(millionths.unsigned_abs()).unwrap_or(i64::MAX))
    )
}

/// How often each tag is asked.
fn asked(table: &Table) -> Markup {
    let known: Vec<&RunOutcome> = table
        .rows
        .iter()
        .filter_map(|row| row.outcome.as_ref())
        .filter(|it| !it.is_unknown())
        .collect();
    let count = |tag| {
        known
            .iter()
            .filter(|it| it.asked.iter().any(|asked| asked.tag == tag))
            .count()
    };
    html! {
        @if known.len() > 1 && !table.tags.is_empty() {
            p class="small muted" {
                "Asked in " (known.len()) " rows: "
                @for (nth, tag) in table.tags.iter().enumerate() {
                    @if nth > 0 { ", " }
                    (tag.tag.to_string()) " in " (count(tag.tag))
                }
                "."
            }
        }
    }
}
