//! The page of an exploration: where the scenario's own way may part, where each way leads, and
//! each outcome as a story. It is one file without a script.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use maud::{Markup, PreEscaped, html};
use playsim::api::{EventName, Kind, NetLine};
use playsim::scenario::Scenario;
use playsim::sim::Simulation;
use playsim::testing::explore::{Branch, BrokenWay, Choice, Way};
use playsim::time::Time;
use playsim::trace::{Record, Trace};
use playsim_base::html::{Page, Text};
use playsim_base::words::counted;
use playsim_report::page::PARTS_STYLE;
use playsim_report::page::frame::{self, Figure, Section, Sections};
use playsim_report::page::glyphs::DEFINITIONS;

use super::report::{Alike, Case, alike, bounds, difference, expectations, grouped, reach};

/// The style of the page, in addition to what pages of reports have in common.
const STYLE: &str = include_str!("page.css");
/// The most outcomes that are told as stories.
const MOST_STORIES: usize = 300;
/// The most names of lines that a column head lists.
const MOST_NAMES: usize = 3;
/// The most instants whose times are written into the graph.
const MOST_TIMES: usize = 14;
/// How many looks there are for the kinds of outcomes.
const LOOKS: usize = 6;

/// Returns the page.
pub(super) fn page(case: &Case<'_>, command: &str) -> Page {
    let groups = alike(case.found);
    let title = title(case);
    let sections: Sections = [
        Section::new("broken", "Broken", broken(&case.found.broken)),
        Section::new("map", "Where it may part", map(case, &groups)),
        Section::new("graph", "Where it leads", graph(case, &groups)),
        Section::new("true", "True in every way", statements(case)),
        Section::new("outcomes", "Outcomes", outcomes(case, &groups)),
    ]
    .into_iter()
    .collect();
    let body = html! {
        (DEFINITIONS)
        header {
            span.eyebrow { b.about { "simulated" } " \u{b7} " (Text(case.file)) " \u{b7} " (Text(&bounds(case))) }
            h1 { (Text(&title)) }
            p.muted { (Text(&reach(case.found))) }
            (frame::figures(&figures(case, groups.len())))
            (sections.links())
        }
        main { (sections) }
        footer {
            p { "This command writes the same page:" }
            pre { (Text(command)) }
        }
    };
    Page {
        title,
        style: format!("{PARTS_STYLE}{STYLE}").into(),
        script: None,
        has_images: false,
        body,
    }
}

fn title(case: &Case<'_>) -> String {
    let ways = grouped(case.found.ways);
    let broken = case
        .found
        .branches
        .iter()
        .filter(|branch| branch.is_broken)
        .count();
    match (case.found.broken.len(), broken) {
        (0, _) if case.found.cut.is_some() => {
            format!("Nothing is broken in the {ways} ways that were tried")
        }
        (0, _) => format!("Every law and every expectation holds in {ways} ways"),
        (laws, 0) => format!(
            "{} broken in some of {ways} ways",
            counted(laws, "law or expectation")
        ),
        (_, 1) => "A single act or latency breaks what the scenario expects".to_owned(),
        (_, times) => format!("{times} single acts or latencies break what the scenario expects"),
    }
}

fn figures(case: &Case<'_>, kinds: usize) -> Vec<Figure> {
    let found = case.found;
    let broken = Figure {
        number: found.broken.len().to_string(),
        unit: String::new(),
        label: "laws or expectations broken".to_owned(),
        is_bad: !found.broken.is_empty(),
    };
    vec![
        Figure::new(grouped(found.ways), "", "ways"),
        Figure::new(grouped(found.states as u128), "", "states"),
        Figure::new(
            kinds.to_string(),
            "",
            format!(
                "kinds of {} to a viewer",
                counted(found.outcomes.len(), "outcome")
            ),
        ),
        broken,
    ]
}

fn broken(all: &[BrokenWay]) -> Markup {
    html! {
        @for (number, broken) in (1..).zip(all) {
            h3 id={ "broken-" (number) } { (number) ". " (Text(broken.law)) }
            p { (Text(&broken.why)) }
            (story(&broken.way))
        }
    }
}

/// The number of the kind of each outcome.
fn kinds(groups: &[Alike<'_>]) -> BTreeMap<usize, usize> {
    let of = |(kind, group): (usize, &Alike<'_>)| {
        group
            .outcomes
            .iter()
            .map(move |(number, _)| (*number - 1, kind))
            .collect::<Vec<_>>()
    };
    groups.iter().enumerate().flat_map(of).collect()
}

/// The letter of a kind: the first, which is how the scenario itself ends, has none.
fn letter(kind: usize) -> String {
    const LETTERS: usize = 26;
    match kind {
        0 => "\u{b7}".to_owned(),
        1..=LETTERS => char::from(b'A' + u8::try_from(kind - 1).unwrap_or_default()).to_string(),
        _ => kind.to_string(),
    }
}

fn look(kind: usize) -> String {
    if kind == 0 {
        "k0".to_owned()
    } else {
        format!("k{}", (kind - 1) % LOOKS + 1)
    }
}

/// A table: acts and responses in its rows, the instants of the scenario's own way in its columns.
fn map(case: &Case<'_>, groups: &[Alike<'_>]) -> Markup {
    let found = case.found;
    let mut instants = found.instants.clone();
    instants.dedup();
    let column = |at: Time| {
        instants
            .partition_point(|instant| *instant <= at)
            .saturating_sub(1)
    };
    let mut rows: Vec<(&str, bool, Vec<Vec<&Branch>>)> = Vec::new();
    for branch in &found.branches {
        let place = rows
            .iter()
            .position(|(what, ..)| *what == branch.what)
            .unwrap_or_else(|| {
                rows.push((
                    &branch.what,
                    branch.is_act,
                    vec![Vec::new(); instants.len()],
                ));
                rows.len() - 1
            });
        if let Some(cell) = rows[place].2.get_mut(column(branch.at)) {
            cell.push(branch);
        }
    }
    if rows.is_empty() {
        return html! {};
    }
    rows.sort_by_key(|(_, is_act, _)| !is_act);
    let kinds = kinds(groups);
    let base = found
        .outcomes
        .first()
        .and_then(|class| played(&class.way.scenario));
    html! {
        p.lead {
            "Each column is an instant at which something happens; a cell says where one act right after it, or a "
            "response that arrives then, leads. A dot: to a viewer it is as without it. Letters: see below."
        }
        div.scroll tabindex="0" role="group" aria-label="acts and responses by instant" {
            table.map {
                thead {
                    tr {
                        th scope="col" { "done or arriving after" }
                        @for at in &instants { th.num scope="col" { (seconds(*at)) (names(base.as_ref(), *at)) } }
                    }
                }
                tbody {
                    @for (what, is_act, cells) in &rows {
                        tr {
                            th scope="row" class=[(!is_act).then_some("mono")] { (Text(what)) }
                            @for cell in cells { td.num { @for branch in cell { (cell_link(branch, &kinds)) } } }
                        }
                    }
                }
            }
        }
        ul.key {
            @for (kind, group) in groups.iter().enumerate().take(40) {
                li { span class={ "cell " (look(kind)) } { (letter(kind)) } " " (Text(group.seen)) }
            }
            @if case.found.branches.iter().any(|branch| branch.is_broken) {
                li { span.cell.k0.br { "\u{b7}" } " with a frame: breaks a law or an expectation" }
            }
        }
    }
}

fn cell_link(branch: &Branch, kinds: &BTreeMap<usize, usize>) -> Markup {
    let kind = kinds.get(&branch.outcome).copied().unwrap_or_default();
    let broken = if branch.is_broken { " br" } else { "" };
    let number = branch.outcome + 1;
    let says = format!(
        "{} at {}: outcome {number}{}",
        branch.what,
        branch.at,
        if branch.is_broken { ", broken" } else { "" }
    );
    html! {
        a class={ "cell " (look(kind)) (broken) } href={ "#o" (number) } title=(Text(&says)) aria-label=(Text(&says)) {
            (letter(kind))
        }
    }
}

/// The names of what happens at an instant of the scenario's own way.
fn names(base: Option<&Trace>, at: Time) -> Markup {
    let records = base.map_or(&[][..], |trace| &trace.records);
    let is_told = |kind: Kind| matches!(kind, Kind::Event | Kind::Net);
    let mut names: Vec<&str> = records
        .iter()
        .filter(|record| record.at == at && is_told(record.kind))
        .map(|record| &*record.name)
        .collect();
    names.dedup();
    let more = names.len().saturating_sub(MOST_NAMES);
    html! {
        @for name in names.iter().take(MOST_NAMES) { small { (Text(name)) } }
        @if more > 0 { small { "+ " (more) } }
    }
}

/// The first instants as nodes in a row, the kinds of outcomes as nodes below, and lines between
/// them.
fn graph(case: &Case<'_>, groups: &[Alike<'_>]) -> Markup {
    let found = case.found;
    let mut instants = found.instants.clone();
    instants.dedup();
    let kinds = kinds(groups);
    let mut edges: BTreeMap<(usize, usize), Vec<&Branch>> = BTreeMap::new();
    for branch in &found.branches {
        let from = instants
            .partition_point(|instant| *instant <= branch.at)
            .saturating_sub(1);
        let kind = kinds.get(&branch.outcome).copied().unwrap_or_default();
        if kind > 0 {
            edges.entry((from, kind)).or_default().push(branch);
        }
    }
    let mut reached: Vec<usize> = edges.keys().map(|(_, kind)| *kind).collect();
    reached.sort_unstable();
    reached.dedup();
    // Each below the instants that lead to it, so that few lines cross.
    reached.sort_by_key(|kind| {
        let from: Vec<usize> = edges
            .keys()
            .filter(|(_, to)| to == kind)
            .map(|(from, _)| *from)
            .collect();
        from.iter().sum::<usize>() * 1_000 / from.len().max(1)
    });
    if reached.is_empty() {
        return html! {};
    }
    let svg = drawing(&instants, &reached, &edges);
    html! {
        p.lead {
            "Nodes in the row are the states of the scenario's own way, with their times; a line is an act or a response at "
            "another time, thicker if several lead to the same kind of outcome. What leads back to the own way is left out."
        }
        div.scroll tabindex="0" role="group" aria-label="graph" { (PreEscaped(svg)) }
    }
}

/// Draws the graph. Its strings are percentages, classes of this page, and text that is escaped.
fn drawing(
    instants: &[Time],
    reached: &[usize],
    edges: &BTreeMap<(usize, usize), Vec<&Branch>>,
) -> String {
    let x_of_instant = |number: usize| percent(number, instants.len());
    let x_of_kind = |kind: usize| {
        let place = reached
            .iter()
            .position(|known| *known == kind)
            .unwrap_or_default();
        percent(place, reached.len())
    };
    let mut svg = String::from(
        r#"<svg class="graph" height="260" role="img" aria-label="from the instants to the kinds of outcomes">"#,
    );
    for ((from, kind), branches) in edges {
        let words: Vec<&str> = branches.iter().map(|branch| &*branch.what).collect();
        let title = format!(
            "{} at {}: {}",
            words.join(", "),
            instants[*from],
            letter(*kind)
        );
        let (class, x1, x2, width) = (
            look(*kind),
            x_of_instant(*from),
            x_of_kind(*kind),
            branches.len().min(6),
        );
        let title = html! { (Text(&title)) }.0;
        svg.push_str(&format!(
            r#"<line class="e {class}" x1="{x1}" y1="34" x2="{x2}" y2="214" stroke-width="{width}"><title>{title}</title></line>"#
        ));
    }
    let (first, last) = (
        x_of_instant(0),
        x_of_instant(instants.len().saturating_sub(1)),
    );
    svg.push_str(&format!(
        r#"<line class="own" x1="{first}" y1="34" x2="{last}" y2="34"/>"#
    ));
    for (number, at) in instants.iter().enumerate() {
        let x = x_of_instant(number);
        svg.push_str(&format!(
            r#"<circle class="n" cx="{x}" cy="34" r="6"><title>{at}</title></circle>"#
        ));
        if instants.len() <= MOST_TIMES {
            let time = seconds(*at);
            svg.push_str(&format!(
                r#"<text class="m" x="{x}" y="16" text-anchor="middle">{time}</text>"#
            ));
        }
    }
    for kind in reached {
        let (class, x, letter) = (look(*kind), x_of_kind(*kind), letter(*kind));
        svg.push_str(&format!(
            r#"<circle class="o {class}" cx="{x}" cy="226" r="12"/>"#
        ));
        svg.push_str(&format!(
            r#"<text class="l" x="{x}" y="230" text-anchor="middle">{letter}</text>"#
        ));
    }
    svg.push_str("</svg>");
    svg
}

fn statements(case: &Case<'_>) -> Markup {
    if case.found.statements.is_empty() {
        return html! {};
    }
    html! {
        p.lead { "Within the bounds. Add to the scenario what is meant to stay true." }
        pre { (Text(expectations(case.found).to_yaml().trim_start_matches("name: \"\"\n"))) }
    }
}

fn outcomes(case: &Case<'_>, groups: &[Alike<'_>]) -> Markup {
    let base = case.found.outcomes.first();
    html! {
        @for (kind, group) in groups.iter().enumerate() {
            h3 { span class={ "cell " (look(kind)) } { (letter(kind)) } " " (Text(group.seen)) small { " \u{b7} " (grouped(group.ways)) " ways" } }
            @for (number, class) in group.outcomes.iter().filter(|(number, _)| *number <= MOST_STORIES) {
                details id={ "o" (number) } {
                    summary { "#" (number) " \u{b7} " (grouped(class.ways)) " ways \u{b7} " (Text(&difference(base, class))) }
                    (story(&class.way))
                }
            }
        }
        @if case.found.outcomes.len() > MOST_STORIES {
            p.muted { "and " (case.found.outcomes.len() - MOST_STORIES) " more outcomes" }
        }
    }
}

/// A way as a story: what happens, with the choices marked, and the scenario that plays it.
fn story(way: &Way) -> Markup {
    let trace = played(&way.scenario);
    let records = trace.as_ref().map_or(&[][..], |trace| &trace.records);
    let mut lines: Vec<(Time, String, bool)> = Vec::new();
    // Of several acts at one instant, that of a way comes last.
    let place_of = |choice: &Choice| {
        records
            .iter()
            .rposition(|record| choice.at == record.at && is_of(choice, record))
    };
    let places: Vec<Option<usize>> = way.choices.iter().map(place_of).collect();
    for (place, record) in records.iter().enumerate() {
        let choice = places
            .iter()
            .position(|known| *known == Some(place))
            .map(|number| &way.choices[number]);
        match (choice, lines.last_mut()) {
            (Some(choice), _) => lines.push((record.at, choice.to_string(), true)),
            (None, _) if !is_told(record) => {}
            (None, Some((at, names, false))) if *at == record.at => {
                let _ = write!(names, ", {}", record.name);
            }
            (None, _) => lines.push((record.at, record.name.to_string(), false)),
        }
    }
    html! {
        ol.story {
            @for (at, names, is_choice) in &lines {
                @if *is_choice { li.choice { b { (Text(names)) } } }
                @else { li { span.at { (at) } " " (Text(names)) } }
            }
        }
        details.yaml {
            summary { "as a scenario" }
            pre { (Text(&way.scenario.inlined().to_yaml())) }
        }
    }
}

/// Whether a line is that of a choice made at its time.
fn is_of(choice: &Choice, record: &Record) -> bool {
    if choice.is_act {
        record.kind.is_act() && record.cause.is_none()
    } else {
        record.kind.is_act() || record.kind == Kind::Net && !record.is(NetLine::Request)
    }
}

/// Whether a story has a line.
fn is_told(record: &Record) -> bool {
    match record.event() {
        Some(event) => !matches!(event, EventName::TimeUpdate | EventName::Progress),
        None => {
            record.kind.is_act() || matches!(record.kind, Kind::Beacon | Kind::Diag | Kind::Net)
        }
    }
}

/// The trace of a way; `None` if it panics.
fn played(scenario: &Scenario) -> Option<Trace> {
    let play = || Simulation::new(scenario).map(Simulation::run).ok();
    catch_unwind(AssertUnwindSafe(play)).ok().flatten()
}

/// The middle of a column, in percent.
fn percent(number: usize, of: usize) -> String {
    let hundredths = (2 * number + 1) * 10_000 / (2 * of.max(1));
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// Seconds with three places.
fn seconds(at: Time) -> String {
    let text = at.to_string();
    text.get(..text.len().saturating_sub(3))
        .unwrap_or(&text)
        .to_owned()
}
