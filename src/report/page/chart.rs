//! Charts as SVG from plain numbers: results by the value of a parameter, and distributions. Each has a table
//! as its alternative in text.
//!
//! Numbers are whole: an axis says how many of their digits are decimals.

use std::fmt::{self, Write};

use super::scale::X;
use super::table::{PageColumn, PageTable};
use crate::html::Text;

/// The height of a chart in pixels, and the part of it for curves and bars.
const HEIGHT: i64 = 220;
const TOP: i64 = 34;
const BOTTOM: i64 = 190;
/// The edges of the drawing, in thousandths of a percent.
const LEFT: i64 = 1_500;
const RIGHT: i64 = 97_000;
/// The most points or bars that are drawn.
const MOST: usize = 2_000;
/// The most marks that have room for their labels.
const MOST_LABELS: usize = 6;

/// An axis.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChartAxis {
    /// What it measures: `ad.timeout`, `first ad`.
    pub name: String,
    /// The unit: `s`, `%`; may be empty.
    pub unit: String,
    /// How many of the digits of a value are decimals: with 6, the value 2600000 is 2.6.
    pub decimals: u8,
}

/// Results by the value of one parameter: curves, and what the result is called within ranges.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ByValue {
    /// What is shown, in a sentence.
    pub title: String,
    /// The parameter.
    pub x: ChartAxis,
    /// The result.
    pub y: ChartAxis,
    /// The curves.
    pub series: Vec<Series>,
    /// Ranges of the parameter with one outcome each, such as the tag that fills.
    pub bands: Vec<Band>,
    /// The tipping points, where the outcome changes.
    pub tips: Vec<Mark>,
    /// The value that is in force.
    pub now: Option<i64>,
}

/// One curve.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// The points in ascending order of the parameter; without a result, such as no ad, the curve has a gap.
    pub points: Vec<(i64, Option<i64>)>,
}

/// A range of the parameter with one outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Band {
    /// Its first value.
    pub from: i64,
    /// Its last value.
    pub to: i64,
    /// The outcome: `tag 2`, `no ad`.
    pub label: String,
    /// Whether it is a bad one.
    pub is_bad: bool,
    /// Whether it is unknown: neither good nor bad.
    pub is_unknown: bool,
}

/// A value with a label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    /// The value.
    pub at: i64,
    /// What it is: `median`, `fills from here on`.
    pub label: String,
}

/// How often results were in which range, with percentiles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DistributionChart {
    /// What is shown, in a sentence.
    pub title: String,
    /// The result.
    pub x: ChartAxis,
    /// The ranges in ascending order.
    pub bins: Vec<Bin>,
    /// The percentiles.
    pub marks: Vec<Mark>,
}

/// One range of a distribution.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bin {
    /// Its lower end.
    pub from: i64,
    /// Its upper end.
    pub to: i64,
    /// How often a result was in it.
    pub count: u64,
}

impl ChartAxis {
    /// Returns a value as it is written: `2.6`.
    #[must_use]
    pub fn value(&self, value: i64) -> String {
        let places = usize::from(self.decimals.min(18));
        let sign = if value < 0 { "\u{2212}" } else { "" };
        let digits = format!("{:0>width$}", value.unsigned_abs(), width = places + 1);
        let (whole, part) = digits.split_at(digits.len() - places);
        let part = part.trim_end_matches('0');
        if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
    }

    /// Returns a value with its unit.
    fn with_unit(&self, value: i64) -> String {
        if self.unit.is_empty() { self.value(value) } else { format!("{} {}", self.value(value), self.unit) }
    }

    fn head(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.unit) }
    }
}

/// A linear map from values to places.
#[derive(Clone, Copy)]
struct Map {
    from: i64,
    to: i64,
    low: i64,
    high: i64,
}

impl Map {
    fn of(values: impl Iterator<Item = i64> + Clone, low: i64, high: i64) -> Option<Map> {
        let (from, to) = (values.clone().min()?, values.max()?);
        Some(Map { from, to: to.max(from.saturating_add(1)), low, high })
    }

    fn at(&self, value: i64) -> i64 {
        let length = i128::from(self.to) - i128::from(self.from);
        let passed = i128::from(value.clamp(self.from, self.to)) - i128::from(self.from);
        let part = passed * i128::from(self.high - self.low) / length.max(1);
        self.low + i64::try_from(part).unwrap_or_default()
    }

    fn x(&self, value: i64) -> X {
        X(u64::try_from(self.at(value)).unwrap_or_default())
    }

    /// Returns round values within the range, a few at most.
    fn ticks(&self, most: i128) -> Vec<i64> {
        let length = i128::from(self.to) - i128::from(self.from);
        let steps = (0..19).flat_map(|power| [1_i128, 2, 5].map(|first| first * 10_i128.pow(power)));
        let Some(step) = steps.into_iter().find(|step| length / step <= most) else { return Vec::new() };
        let first = i128::from(self.from).div_euclid(step) * step;
        let ticks = (0..).map(|index| first + index * step).take_while(|at| *at <= i128::from(self.to));
        ticks.filter_map(|at| i64::try_from(at).ok()).filter(|at| *at >= self.from).collect()
    }
}

impl ByValue {
    pub(super) fn write(&self, id: &str, html: &mut String) -> fmt::Result {
        let points = || self.series.iter().flat_map(|series| series.points.iter().take(MOST));
        let bands = self.bands.iter().flat_map(|band| [band.from, band.to]);
        let xs: Vec<i64> = points().map(|(x, _)| *x).chain(bands).chain(self.now).collect();
        let Some(x) = Map::of(xs.into_iter(), LEFT, RIGHT) else {
            return writeln!(html, "<p class=\"muted\">{}: no values.</p>", Text(&self.title));
        };
        let ys: Vec<i64> = points().filter_map(|(_, y)| *y).chain([0]).collect();
        // Up is less on a screen.
        let y =
            Map::of(ys.into_iter(), BOTTOM, TOP).unwrap_or(Map { from: 0, to: 1, low: BOTTOM, high: TOP });
        write!(html, "<figure class=\"chart\"><figcaption id=\"{id}-c\">{}</figcaption>", Text(&self.title))?;
        write!(html, "<svg height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"{id}-c\">")?;
        self.ground(&x, &y, html)?;
        for (index, series) in self.series.iter().enumerate() {
            curve(series, index % 4, (&x, &y), html)?;
        }
        html.push_str("</svg>");
        self.legend(html)?;
        folded(&self.table(), html)?;
        html.push_str("</figure>\n");
        Ok(())
    }

    /// Draws what is behind the curves: ranges, axes, and the values that stand out.
    fn ground(&self, x: &Map, y: &Map, html: &mut String) -> fmt::Result {
        for band in self.bands.iter().take(MOST) {
            let (from, to) = (x.x(band.from), x.x(band.to));
            let class = match (band.is_unknown, band.is_bad) {
                (true, _) => "band un",
                (false, true) => "band no",
                (false, false) => "band",
            };
            write!(
                html,
                "<rect class=\"{class}\" x=\"{from}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>",
                from.to(to),
                BOTTOM - TOP
            )?;
            if from.to(to).0 > 12_000 {
                write!(
                    html,
                    "<text class=\"m\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                    X(u64::midpoint(from.0, to.0)),
                    TOP - 6,
                    Text(&band.label)
                )?;
            }
        }
        axes(&self.x, x, html)?;
        for value in y.ticks(4) {
            let at = y.at(value);
            write!(html, "<line class=\"gr\" x1=\"0%\" x2=\"100%\" y1=\"{at}\" y2=\"{at}\"/>")?;
            write!(
                html,
                "<text class=\"m halo\" x=\"0%\" y=\"{}\">{}</text>",
                at - 3,
                Text(&self.y.with_unit(value))
            )?;
        }
        for mark in self.tips.iter().take(MOST) {
            let at = x.x(mark.at);
            write!(
                html,
                "<line class=\"tip\" x1=\"{at}\" x2=\"{at}\" y1=\"{TOP}\" y2=\"{BOTTOM}\"><title>{} {}</title></line>",
                Text(&self.x.with_unit(mark.at)),
                Text(&mark.label)
            )?;
        }
        if let Some(now) = self.now {
            let at = x.x(now);
            write!(html, "<line class=\"now\" x1=\"{at}\" x2=\"{at}\" y1=\"{}\" y2=\"{BOTTOM}\"/>", TOP - 2)?;
            write!(
                html,
                "<text class=\"halo\" x=\"{at}\" y=\"12\" text-anchor=\"{}\">now, {}</text>",
                anchor(at),
                Text(&self.x.with_unit(now))
            )?;
        }
        Ok(())
    }

    /// Writes the names of the curves, and the tipping points.
    fn legend(&self, html: &mut String) -> fmt::Result {
        if self.series.len() > 1 {
            html.push_str("<ul class=\"key\">");
            for (index, series) in self.series.iter().enumerate() {
                let class = index % 4;
                write!(
                    html,
                    "<li><svg class=\"k\" aria-hidden=\"true\"><line class=\"ln s{class}\" x1=\"1\" x2=\"21\" y1=\"5\" y2=\"5\"/></svg>{}</li>",
                    Text(&series.name)
                )?;
            }
            html.push_str("</ul>");
        }
        if !self.tips.is_empty() {
            html.push_str("<ul class=\"notes\">");
            for mark in self.tips.iter().take(MOST) {
                write!(html, "<li><b>{}</b> {}</li>", Text(&self.x.with_unit(mark.at)), Text(&mark.label))?;
            }
            html.push_str("</ul>");
        }
        Ok(())
    }

    /// Returns the same as a table.
    fn table(&self) -> PageTable {
        let mut columns = vec![PageColumn::number(&self.x.head())];
        columns.extend(self.series.iter().map(|series| {
            PageColumn::number(
                if series.name.is_empty() {
                    self.y.head()
                } else {
                    format!("{}, {}", series.name, self.y.unit)
                }
                .trim_end_matches(", "),
            )
        }));
        let has_bands = !self.bands.is_empty();
        columns.extend(has_bands.then(|| PageColumn::text("outcome")));
        let mut values: Vec<i64> = self.series.iter().flat_map(|it| &it.points).map(|(x, _)| *x).collect();
        if self.series.is_empty() {
            values = self.bands.iter().map(|band| band.from).collect();
        }
        values.sort_unstable();
        values.dedup();
        let row = |value: &i64| {
            let mut row = vec![self.x.value(*value)];
            for series in &self.series {
                let found = series.points.binary_search_by_key(value, |(x, _)| *x).ok();
                row.push(
                    found.and_then(|at| series.points[at].1).map(|y| self.y.value(y)).unwrap_or_default(),
                );
            }
            if has_bands {
                let band = self.bands.iter().rev().find(|band| (band.from..=band.to).contains(value));
                row.push(band.map(|band| band.label.clone()).unwrap_or_default());
            }
            row
        };
        let rows = values.iter().map(row).collect();
        let now = values.iter().position(|value| Some(*value) == self.now);
        PageTable { caption: self.title.clone(), columns, rows, now }
    }
}

/// Draws the points and the lines between neighbours. A place is in percent, so that a polyline cannot be used.
fn curve(series: &Series, class: usize, (x, y): (&Map, &Map), html: &mut String) -> fmt::Result {
    let points = &series.points[..series.points.len().min(MOST)];
    for pair in points.windows(2) {
        if let [(from, Some(low)), (to, Some(high))] = pair {
            write!(
                html,
                "<line class=\"ln s{class}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
                x.x(*from),
                x.x(*to),
                y.at(*low),
                y.at(*high)
            )?;
        }
    }
    if points.len() <= 60 {
        for (at, value) in points.iter().filter_map(|(at, value)| Some((at, (*value)?))) {
            write!(
                html,
                "<circle class=\"pt s{class}\" cx=\"{}\" cy=\"{}\" r=\"3\"/>",
                x.x(*at),
                y.at(value)
            )?;
        }
    }
    Ok(())
}

impl DistributionChart {
    pub(super) fn write(&self, html: &mut String) -> fmt::Result {
        let ends = self.bins.iter().flat_map(|bin| [bin.from, bin.to]);
        let values: Vec<i64> = ends.chain(self.marks.iter().map(|mark| mark.at)).collect();
        let Some(x) = Map::of(values.into_iter(), LEFT, RIGHT) else {
            return writeln!(html, "<p class=\"muted\">{}: no values.</p>", Text(&self.title));
        };
        let most = self.bins.iter().map(|bin| bin.count).max().unwrap_or_default().max(1);
        let title = Text(&self.title);
        write!(html, "<figure class=\"chart\"><figcaption>{title}</figcaption>")?;
        write!(html, "<svg height=\"{HEIGHT}\" role=\"img\" aria-label=\"{title}\">")?;
        axes(&self.x, &x, html)?;
        let room = (BOTTOM - TOP).unsigned_abs();
        for bin in self.bins.iter().take(MOST).filter(|bin| bin.count > 0) {
            let (from, to) = (x.x(bin.from), x.x(bin.to));
            let height = u64::try_from(u128::from(bin.count) * u128::from(room) / u128::from(most))
                .unwrap_or(room)
                .max(1);
            let y = BOTTOM.unsigned_abs() - height;
            write!(
                html,
                "<rect class=\"bin\" x=\"{from}\" y=\"{y}\" width=\"{}\" height=\"{height}\">",
                from.to(to)
            )?;
            write!(
                html,
                "<title>{} to {}: {}</title></rect>",
                Text(&self.x.value(bin.from)),
                Text(&self.x.with_unit(bin.to)),
                bin.count
            )?;
        }
        for (index, mark) in self.marks.iter().enumerate().take(MOST) {
            let at = x.x(mark.at);
            let line = i64::try_from(index % 3).unwrap_or_default();
            write!(
                html,
                "<line class=\"now\" x1=\"{at}\" x2=\"{at}\" y1=\"{}\" y2=\"{BOTTOM}\"/>",
                14 + 12 * line
            )?;
            if index < MOST_LABELS {
                write!(
                    html,
                    "<text class=\"halo\" x=\"{at}\" y=\"{}\" text-anchor=\"{}\">{} {}</text>",
                    12 + 12 * line,
                    anchor(at),
                    Text(&mark.label),
                    Text(&self.x.with_unit(mark.at))
                )?;
            }
        }
        html.push_str("</svg>");
        folded(&self.table(), html)?;
        html.push_str("</figure>\n");
        Ok(())
    }

    /// Returns the same as a table.
    fn table(&self) -> PageTable {
        let columns = vec![
            PageColumn::number(&format!("from, {}", self.x.unit)),
            PageColumn::number("to"),
            PageColumn::number("count"),
        ];
        let row = |bin: &Bin| vec![self.x.value(bin.from), self.x.value(bin.to), bin.count.to_string()];
        let mut rows: Vec<Vec<String>> = self.bins.iter().map(row).collect();
        rows.extend(self.marks.iter().map(|mark| vec![self.x.value(mark.at), mark.label.clone()]));
        PageTable { caption: self.title.clone(), columns, rows, now: None }
    }
}

/// Writes the horizontal axis with its labels.
fn axes(axis: &ChartAxis, x: &Map, html: &mut String) -> fmt::Result {
    write!(html, "<line class=\"base\" x1=\"0%\" x2=\"100%\" y1=\"{BOTTOM}\" y2=\"{BOTTOM}\"/>")?;
    for value in x.ticks(5) {
        let at = x.x(value);
        write!(html, "<line class=\"base\" x1=\"{at}\" x2=\"{at}\" y1=\"{BOTTOM}\" y2=\"{}\"/>", BOTTOM + 4)?;
        write!(
            html,
            "<text class=\"m\" x=\"{at}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
            BOTTOM + 16,
            anchor(at),
            Text(&axis.value(value))
        )?;
    }
    write!(
        html,
        "<text class=\"m\" x=\"100%\" y=\"{}\" text-anchor=\"end\">{}</text>",
        HEIGHT - 2,
        Text(&axis.head())
    )
}

/// Returns where a label is anchored so that it stays in the drawing.
fn anchor(at: X) -> &'static str {
    match at.0 {
        0..15_000 => "start",
        85_000.. => "end",
        _ => "middle",
    }
}

fn folded(table: &PageTable, html: &mut String) -> fmt::Result {
    html.push_str("<details class=\"alt\"><summary>As a table</summary>");
    table.write(html)?;
    html.push_str("</details>");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(name: &str) -> ChartAxis {
        ChartAxis { name: name.to_owned(), unit: "s".to_owned(), decimals: 6 }
    }

    fn parsed(html: &str) -> String {
        roxmltree::Document::parse(html).unwrap_or_else(|error| panic!("{error}: {html}"));
        html.to_owned()
    }

    #[test]
    fn values_are_written_without_needless_digits() {
        let axis = seconds("x");
        assert_eq!([axis.value(2_600_000), axis.value(-5), axis.value(0)], ["2.6", "\u{2212}0.000005", "0"]);
        assert_eq!(ChartAxis::default().value(i64::MIN), "\u{2212}9223372036854775808");
    }

    #[test]
    fn a_chart_by_value_has_a_gap_where_there_is_no_result_and_a_table() {
        let points = vec![(1_000_000, None), (2_000_000, Some(3_000_000)), (3_000_000, Some(2_500_000))];
        let chart = ByValue {
            title: "First ad by <limit>".to_owned(),
            x: seconds("ad.timeout"),
            y: seconds("first ad"),
            series: vec![Series { name: String::new(), points }],
            bands: vec![
                Band { from: 1_000_000, to: 1_999_999, label: "no ad".to_owned(), ..Band::default() },
                Band {
                    from: 2_500_000,
                    to: 3_000_000,
                    label: "unknown".to_owned(),
                    is_unknown: true,
                    is_bad: false,
                },
            ],
            tips: vec![Mark { at: 2_000_000, label: "fills from here on".to_owned() }],
            now: Some(2_000_000),
        };
        let mut html = String::new();
        chart.write("help-0", &mut html).expect("writing to a string cannot fail");
        let html = parsed(&html);
        assert_eq!(html.matches("class=\"ln s0\"").count(), 1);
        assert_eq!(html.matches("class=\"band un\"").count(), 1);
        assert!(html.contains("First ad by &lt;limit&gt;") && html.contains("now, 2 s"), "{html}");
        assert!(
            html.contains("<tr class=\"now\"><th scope=\"row\" class=\"num\">2</th><td class=\"num\">3</td>"),
            "{html}"
        );
    }

    #[test]
    fn a_distribution_has_a_bar_for_each_range_and_its_percentiles() {
        let bin = |from, count| Bin { from, to: from + 100_000, count };
        let mark = |at, label: &str| Mark { at, label: label.to_owned() };
        let chart = DistributionChart {
            title: "Time to the first ad".to_owned(),
            x: seconds("first ad"),
            bins: vec![bin(0, 3), bin(100_000, 0), bin(200_000, 9)],
            marks: vec![mark(210_000, "50th"), mark(290_000, "95th")],
        };
        let mut html = String::new();
        chart.write(&mut html).expect("writing to a string cannot fail");
        let html = parsed(&html);
        assert_eq!(html.matches("class=\"bin\"").count(), 2);
        assert!(html.contains("50th 0.21 s"), "{html}");
    }

    #[test]
    fn nothing_and_extremes_can_be_drawn() {
        let mut html = String::new();
        ByValue::default().write("x", &mut html).expect("writing to a string cannot fail");
        DistributionChart::default().write(&mut html).expect("writing to a string cannot fail");
        let points = vec![(i64::MIN, Some(i64::MIN)), (i64::MAX, Some(i64::MAX))];
        let series = vec![Series { name: "a".to_owned(), points }];
        ByValue { series, ..ByValue::default() }
            .write("y", &mut html)
            .expect("writing to a string cannot fail");
        parsed(&format!("<div>{html}</div>"));
    }
}
