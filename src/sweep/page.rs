//! The result of a sweep as a section of a page: tipping points first, then a chart, then all rows.

use super::axis::Unit;
use super::figures::Figures;
use super::summary::{RunOutcome, Shows};
use super::table::{Table, TippingPoint, Varied};
use super::text::{ad_by, in_words, of_tag, shows, tip_value};
use crate::interval::Proportion;
use crate::number::Decimal;
use crate::report::page::chart::{Band, ByValue, ChartAxis, Mark, Series};
use crate::report::page::section::{Part, Section};
use crate::report::page::table::{PageColumn, PageTable as Rows};
use crate::words::counted;

impl Table {
    /// Returns what the tables for reading say, as a section for [`Page`](crate::report::page::ReportPage).
    #[must_use]
    pub fn section(&self) -> Section {
        let mut parts = Vec::new();
        parts.extend(self.chart().map(Part::ByValue));
        if self.varied.len() > 1 {
            // A chart has one parameter only.
            parts.extend(self.tipping_points.iter().map(|tip| Part::Text(sentence(tip))));
        }
        parts.push(Part::Table(self.rows_of_page()));
        parts.extend(self.reasons.iter().map(|it| {
            let because = if it.because.is_empty() {
                "several settings together".to_owned()
            } else {
                it.because.join(" and ")
            };
            Part::Text(format!("{}: {} because of {because}.", it.configuration, it.lines.join(", ")))
        }));
        let notes = self.assumed.iter().map(|it| format!("Assumed: {it}."));
        let notes = notes.chain(self.without_effect.iter().map(|it| format!("Note: {it}.")));
        parts.extend(notes.chain(self.notes()).map(Part::Text));
        let title = if self.runs.is_some() { "What to expect" } else { "What would have helped" };
        let lead = if self.answer.is_empty() { self.lead() } else { self.answer.join(" ") };
        if !self.answer.is_empty() {
            parts.insert(0, Part::Text(self.lead()));
        }
        Section { title: title.to_owned(), lead, parts }
    }

    fn lead(&self) -> String {
        let names: Vec<&str> = self.varied.iter().map(|column| column.name.as_str()).collect();
        let names = names.join(" and ");
        let of_runs = |runs: u64| {
            let each = if self.rows.len() > 1 { "each " } else { "" };
            let runs = counted(usize::try_from(runs).unwrap_or(usize::MAX), "session");
            format!(
                "{each}with {runs} and seed {}; intervals cover {} %.",
                self.seed, self.confidence_percent
            )
        };
        let rows = counted(self.rows.len(), "row");
        match (self.runs, self.varied.is_empty(), self.tipping_points.first()) {
            (Some(runs), true, _) => format!("Played {}", of_runs(runs)),
            (Some(runs), false, _) => format!("{names} varied: {rows}, {}", of_runs(runs)),
            (None, _, Some(tip)) if self.answer.is_empty() => {
                format!("{names} varied: {rows}. {}", sentence(tip))
            }
            (None, _, None) if self.answer.is_empty() && self.varied.iter().any(|it| it.unit.is_some()) => {
                format!("{names} varied: {rows}. The outcome is the same everywhere, apart from times.")
            }
            (None, _, _) => format!("{names} varied: {rows}."),
        }
    }

    /// Returns a chart if one parameter with an order is varied.
    fn chart(&self) -> Option<ByValue> {
        let [varied] = &self.varied[..] else { return None };
        let x = axis(varied)?;
        let points: Option<Vec<i64>> =
            varied.points.iter().map(|point| i64::try_from((*point)?).ok()).collect();
        let points = points.filter(|points| points.len() == self.rows.len() && points.len() > 1)?;
        let chart = match self.runs {
            Some(_) => self.chart_of_figures(&points),
            None => self.chart_of_outcomes(&points),
        };
        let now = varied.now_point.and_then(|now| i64::try_from(now).ok());
        let now = now.filter(|now| (points[0]..=points[points.len() - 1]).contains(now));
        Some(ByValue { title: format!("{}, by {}", chart.title, varied.name), x, now, ..chart })
    }

    fn chart_of_outcomes(&self, points: &[i64]) -> ByValue {
        let frame = |row: &super::table::SweepRow, what: Shows| {
            let known = row.outcome.as_ref().filter(|outcome| !outcome.is_unknown())?;
            let frame = known.first_frame.filter(|frame| frame.of == what)?;
            i64::try_from(frame.after_us).ok()
        };
        let series = |name: &str, what: Shows| {
            let points: Vec<(i64, Option<i64>)> =
                points.iter().zip(&self.rows).map(|(at, row)| (*at, frame(row, what))).collect();
            points.iter().any(|(_, y)| y.is_some()).then(|| Series { name: name.to_owned(), points })
        };
        let series = [series("first ad", Shows::Ad), series("content without an ad", Shows::Content)];
        let mut bands: Vec<Band> = Vec::new();
        for (at, row) in points.iter().zip(&self.rows) {
            let Some(outcome) = &row.outcome else { continue };
            let is_unknown = outcome.is_unknown();
            let label = match (is_unknown, outcome.is_filled()) {
                (true, _) => "unknown".to_owned(),
                (false, true) => ad_by(outcome),
                (false, false) => "no ad".to_owned(),
            };
            let is_bad = !is_unknown && !outcome.is_filled();
            match bands.last_mut() {
                Some(last) if last.label == label => last.to = *at,
                _ => bands.push(Band { from: *at, to: *at, label, is_bad, is_unknown }),
            }
        }
        // A band reaches to the tipping point between it and the next one.
        let tips: Vec<Mark> = self
            .tipping_points
            .iter()
            .filter_map(|tip| {
                let label = format!("and above: {}", in_words(&tip.after));
                Some(Mark { at: i64::try_from(tip.point).ok()?, label })
            })
            .collect();
        for index in 1..bands.len() {
            let (end, start) = (bands[index - 1].to, bands[index].from);
            let tip = tips.iter().map(|tip| tip.at).find(|at| (end..=start).contains(at)).unwrap_or(start);
            bands[index - 1].to = tip;
            bands[index].from = tip;
        }
        let y = ChartAxis { name: "first frame".to_owned(), unit: "s".to_owned(), decimals: 6 };
        let title = "When the first frame is shown, and which tag fills".to_owned();
        ByValue {
            title,
            y,
            series: series.into_iter().flatten().collect(),
            bands,
            tips,
            ..ByValue::default()
        }
    }

    fn chart_of_figures(&self, points: &[i64]) -> ByValue {
        let share = |name: &str, of: &dyn Fn(&Figures) -> Option<Proportion>| {
            let share = |figures: &Figures| Some(of(figures)?.share.millionths());
            let points = points.iter().zip(&self.rows);
            let points = points.map(|(at, row)| (*at, row.figures.as_ref().and_then(share))).collect();
            Series { name: name.to_owned(), points }
        };
        let mut series = vec![share("any tag", &|figures| Some(figures.filled))];
        series.extend(self.tags.iter().map(|tag| {
            let of = |figures: &Figures| figures.tags.iter().find(|it| it.tag == tag.tag).map(|it| it.filled);
            share(&tag.tag.to_string(), &of)
        }));
        let y = ChartAxis { name: "sessions with an ad".to_owned(), unit: "%".to_owned(), decimals: 4 };
        ByValue { title: "Sessions with an ad".to_owned(), y, series, ..ByValue::default() }
    }

    fn rows_of_page(&self) -> Rows {
        let mut columns: Vec<PageColumn> = self
            .varied
            .iter()
            .map(|it| match it.unit {
                Some(_) => PageColumn::number(&it.name),
                None => PageColumn::text(&it.name),
            })
            .collect();
        let names: &[(&str, bool)] = match self.runs {
            None => &[("ad by", false), ("first frame, s", true), ("of", false)],
            Some(_) => &[("sessions with an ad, %", true), ("interval, %", true)],
        };
        columns.extend(
            names
                .iter()
                .map(|(name, is_number)| PageColumn { name: (*name).to_owned(), is_number: *is_number }),
        );
        let percent = if self.runs.is_some() { ", %" } else { "" };
        columns.extend(self.tags.iter().map(|tag| PageColumn::number(&format!("{}{percent}", tag.tag))));
        let last: &[&str] = match self.runs {
            None => &["pixels"],
            Some(_) => &["first frame 50 %, s", "95 %", "99 %", "revenue per 1,000"],
        };
        columns.extend(last.iter().map(|name| PageColumn::number(name)));
        let rows =
            self.rows.iter().map(|row| {
                let mut cells = row.values.clone();
                if let Some(outcome) = &row.outcome {
                    cells.extend(self.cells_of_page(outcome));
                }
                if let Some(figures) = &row.figures {
                    let filled = figures.filled;
                    cells.push(hundredths(filled.share));
                    cells.push(format!("{} to {}", hundredths(filled.low), hundredths(filled.high)));
                    let of_tag = |tag| figures.tags.iter().find(|it| it.tag == tag);
                    cells.extend(self.tags.iter().map(|tag| {
                        of_tag(tag.tag).map(|it| hundredths(it.filled.share)).unwrap_or_default()
                    }));
                    cells.extend([50, 95, 99].map(|percent| {
                        let found = figures.first_frame.iter().find(|it| it.percent == percent);
                        found.map(|it| seconds(it.us)).unwrap_or_default()
                    }));
                    let revenue = figures.revenue.as_ref().map(|it| {
                        format!("{} {}", it.per_mille, it.currency.as_deref().unwrap_or_default())
                            .trim_end()
                            .to_owned()
                    });
                    cells.push(revenue.unwrap_or_default());
                }
                cells
            });
        let now = if self.varied.is_empty() { None } else { self.row_now() };
        Rows { caption: "Results by what is varied".to_owned(), rows: rows.collect(), columns, now }
    }
}

impl Table {
    /// The cells of an outcome. Of one that is unknown they are empty but for saying so.
    fn cells_of_page(&self, outcome: &RunOutcome) -> Vec<String> {
        if outcome.is_unknown() {
            let empty = (0..self.tags.len() + 3).map(|_| String::new());
            return ["unknown".to_owned()].into_iter().chain(empty).collect();
        }
        let frame = outcome.first_frame;
        let mut cells = vec![
            ad_by(outcome),
            frame.map(|frame| seconds(frame.after_us)).unwrap_or_default(),
            frame.map(|frame| shows(frame.of)).unwrap_or_default().to_owned(),
        ];
        cells.extend(self.tags.iter().map(|tag| of_tag(outcome, tag.tag)));
        cells.push(outcome.pixels().to_string());
        cells
    }
}

/// Returns the axis of what is varied; `None` if its values have no order.
fn axis(varied: &Varied) -> Option<ChartAxis> {
    let (unit, decimals) = match varied.unit? {
        Unit::Us => ("s", 6),
        Unit::Count => ("", 0),
        Unit::Millionths => ("%", 4),
    };
    Some(ChartAxis { name: varied.name.clone(), unit: unit.to_owned(), decimals })
}

fn sentence(tip: &TippingPoint) -> String {
    let others: Vec<String> = tip.others.iter().map(|it| format!("{}={}", it.name, it.value)).collect();
    let with = if others.is_empty() { String::new() } else { format!(" with {}", others.join(", ")) };
    format!("From {} on{with}: {}; below: {}.", tip_value(tip), in_words(&tip.after), in_words(&tip.before))
}

/// A time in seconds with three places.
fn seconds(us: u64) -> String {
    let millis = us.saturating_add(500) / 1_000;
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

/// A share in percent with two places.
fn hundredths(share: Decimal) -> String {
    let hundredths = (share.millionths() + 50) / 100;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
