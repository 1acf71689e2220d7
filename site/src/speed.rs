//! The cost of playsim over time, from the figures that a workflow adds to `perf/figures.jsonl`.

use std::fs;

use maud::{Markup, html};
use playsim_base::html::Text;
use serde_json::Value as Json;

use crate::frame::{Area, Site, SitePage};
use crate::{Failure, root};

/// The figures, in the order of the page: the name in the file, its title, and what it is.
const FIGURES: &[(&str, &str, &str)] = &[
    (
        "session",
        "A session",
        "A pre-roll and 600 s of content with its 2,415 events, as a multiple of a bare loop over as many.",
    ),
    (
        "document",
        "A VAST document",
        "2.8 kB read into the full model, as a multiple of a plain walk over its XML.",
    ),
    (
        "import",
        "A recording",
        "50 MB read, understood, played and compared, as a multiple of a plain walk over its JSON.",
    ),
    (
        "many recordings",
        "One of many recordings",
        "Read, understood and counted, as a multiple of a plain walk over its JSON.",
    ),
    (
        "a_session",
        "Instructions of a session",
        "Millions of instructions, counted by valgrind.",
    ),
    (
        "a_document",
        "Instructions of a document",
        "Millions of instructions.",
    ),
    (
        "a_recording",
        "Instructions of a recording",
        "Millions of instructions, of a small recording that is read and played.",
    ),
    (
        "a_sweep",
        "Instructions of a sweep",
        "Millions of instructions, of two thousand sessions.",
    ),
];

const STYLE: &str = ".speed svg { width: 100%; max-width: 720px; height: 96px; display: block } \
    .speed polyline { fill: none; stroke: var(--link); stroke-width: 2; vector-effect: non-scaling-stroke } \
    .speed line { stroke: var(--rule); vector-effect: non-scaling-stroke }";

/// The size of a chart, in its own units.
const SIZE: (u64, u64) = (1000, 100);

/// A value in thousandths.
type Milli = u64;

struct Measured {
    date: String,
    commit: String,
    value: Milli,
}

/// Reads the figures. Without any the page is left out.
pub(crate) fn figures(site: &mut Site) -> Result<Vec<Json>, Failure> {
    let file = root().join("perf/figures.jsonl");
    let text = fs::read_to_string(&file).map_err(|error| Failure::io("read", &file, &error))?;
    let lines: Result<Vec<Json>, _> = text.lines().map(serde_json::from_str).collect();
    let lines = lines.map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    if lines.is_empty() {
        site.leave_out(Area::Speed, "perf/figures.jsonl has no figure yet");
    }
    Ok(lines)
}

/// Writes the page, if there are figures.
pub(crate) fn write(site: &Site, figures: &[Json]) -> Result<(), Failure> {
    if !site.has(Area::Speed) {
        return Ok(());
    }
    let charts: Vec<Markup> = FIGURES
        .iter()
        .filter_map(|figure| chart(figure, figures))
        .collect();
    let body = html! {
        header {
            h1 { "What playsim costs, over time" }
            p.lead {
                "Multiples of something real that is measured beside it, so that they hardly depend on the machine. Lower is better. "
                a href="../book/performance.html" { "Performance" } " has the costs themselves."
            }
        }
        main.speed { @for chart in charts { (chart) } }
    };
    let page = SitePage {
        title: "Speed of playsim over time",
        description: "Cost of a session, a document, a recording and a sweep, as ratios and instruction counts, commit by commit.",
        style: STYLE,
        script: None,
        body,
    };
    site.write(Area::Speed.path(), Some(Area::Speed), page)
}

fn chart((name, title, about): &(&str, &str, &str), lines: &[Json]) -> Option<Markup> {
    let values: Vec<Measured> = lines
        .iter()
        .filter_map(|line| measured(line, name))
        .collect();
    let last = values.last()?;
    let (width, height) = SIZE;
    let most = values.iter().map(|it| it.value).max().unwrap_or(1).max(1);
    let steps = (values.len() as u64 - 1).max(1);
    let place = |(nth, it): (u64, &Measured)| {
        (nth * width / steps, height - it.value * (height - 8) / most)
    };
    let points: Vec<(u64, u64)> = (0..).zip(&values).map(place).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let label = format!(
        "{title}: {} values, the last is {}",
        values.len(),
        shown(last.value)
    );
    Some(html! {
        section {
            h2 { (title) }
            p { (about) }
            p { strong { (shown(last.value)) } " on " (Text(&last.date)) }
            svg viewBox={ "0 0 " (width) " " (height) } preserveAspectRatio="none" role="img" aria-label=(label) {
                line x1="0" x2=(width) y1=(height) y2=(height) {}
                @if points.len() > 1 { polyline points=(path.join(" ")) {} }
            }
            details {
                summary { "All values" }
                table {
                    thead { tr { th scope="col" { "date" } th scope="col" { "commit" } th.num scope="col" { "value" } } }
                    tbody {
                        @for it in values.iter().rev() {
                            tr { td { (Text(&it.date)) } td { code { (Text(&it.commit)) } } td.num { (shown(it.value)) } }
                        }
                    }
                }
            }
        }
    })
}

fn measured(line: &Json, name: &str) -> Option<Measured> {
    let text = |field: &str| line[field].as_str().map(str::to_owned);
    let value = milli(&line["figures"][name].as_number()?.to_string())?;
    Some(Measured {
        date: text("date")?,
        commit: text("commit")?.chars().take(10).collect(),
        value,
    })
}

/// Reads a decimal into thousandths; further digits are left out.
fn milli(text: &str) -> Option<Milli> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1000)?
        .checked_add(part.parse().ok()?)
}

fn shown(value: Milli) -> String {
    format!("{}.{:02}", value / 1000, value % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_thousandths() {
        assert_eq!(
            ["2.031", "2", "2.5", "0.1239"].map(milli),
            [Some(2031), Some(2000), Some(2500), Some(123)]
        );
        assert_eq!(["-1", "1e9", ""].map(milli), [None; 3]);
        assert_eq!(shown(2031), "2.03");
    }
}
