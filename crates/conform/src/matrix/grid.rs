//! The matrix: a row for each situation, a column for each player, sums above and at the end of
//! rows.

use std::fmt::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::detail;
use super::links::Links;
use super::names::Broken;
use super::view::{Column, Group, Line, Mark, Place, View, agree, group_page, recorded};
use crate::cell::{Cell, Verdict};
use crate::outcome::Change;
use crate::report::Counts;
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::frame::{FIND, check_box};
use playsim_report::page::glyphs::glyph;
use playsim_report::page::prose;

/// With more players than this the table scrolls sideways within the page.
const MOST_COLUMNS: usize = 8;

pub(super) fn section(view: &View<'_>) -> Markup {
    html! {
        p.lead {
            "Each cell compares a recording of the player with the run of playsim: the verdict, and below it the findings of check by "
            "rules alone and uncaught errors. A cell opens to its evidence, and has a URL of its own."
            @if view.count(Mark::Choice) > 0 {
                " A hollow cell differs first from a choice of playsim: information, not a failure."
            }
        }
        (tools(view))
        (scrolled(view, Content::Situations))
    }
}

fn table(view: &View<'_>, wide: &str, content: Content) -> Markup {
    let columns = view.columns.len();
    let class = match columns {
        1 => "mat all one",
        2 | 3 => "mat",
        _ => "mat all",
    };
    let widths = PreEscaped(format!(
        r#"<col class="a"/>{}<col class="z"/>"#,
        r#"<col class="b"/>"#.repeat(columns)
    ));
    html! {
        table class={ (class) (wide) } {
            caption.off { "What each player does in each situation" }
            colgroup { (widths) }
            thead {
                tr {
                    th scope="col" { "situation" }
                    @for (index, column) in view.columns.iter().enumerate() { (head(view.links, index, column)) }
                    @if columns == 1 {
                        th.end.what scope="col" { "what is different" }
                    } @else {
                        th.end.s scope="col" { "agree" }
                    }
                }
            }
            (sums(view))
            @for it in &view.groups { (group(view, it, content)) }
        }
    }
}

/// Returns the sums of each group of situations, with links to the pages of the groups.
pub(super) fn overview(view: &View<'_>) -> Markup {
    html! {
        p.lead {
            "How many situations agree with the run of playsim, with or without a knob, of those that were recorded. Each group "
            "opens to its situations."
        }
        (scrolled(view, Content::Sums))
    }
}

/// What is shown of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Situations,
    Sums,
}

/// Returns the table, which scrolls sideways if it is wide.
fn scrolled(view: &View<'_>, content: Content) -> Markup {
    html! {
        @if view.columns.len() > MOST_COLUMNS {
            div.scroll tabindex="0" role="group" aria-label="players by situations" { (table(view, " many", content)) }
        } @else {
            (table(view, "", content))
        }
    }
}

/// Returns the part of the style that depends on the number of players: it marks the cell whose
/// details are open.
pub(super) fn style(view: &View<'_>) -> String {
    let mut style = format!(".many {{ --n: {} }}\n", view.columns.len());
    for index in 0..view.columns.len() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            style,
            ".r:has(+ .det .p{index}:target) .p{index} {{ outline: 2px solid var(--ink); outline-offset: -2px }}"
        );
    }
    style
}

/// Returns the legend, which is the filter as well.
fn tools(view: &View<'_>) -> Markup {
    let empty = view.lines().count() * view.columns.len() - view.cells().count();
    html! {
        div.tools role="group" aria-label="show situations with a cell that is" {
            @for mark in Mark::ALL.into_iter().filter(|mark| view.count(*mark) > 0) {
                label {
                    (check_box(&format!("v-{}", mark.class()), true))
                    " " i class={ "k " (mark.class()) } { (glyph(mark.glyph(), "")) }
                    " " (mark.words()) " " b { (view.count(mark)) }
                }
            }
            @if empty > 0 { span.le { i.k {} " no recording " b { (empty) } } }
            label.js-only { "find " (FIND) }
            span.js-only.muted #told role="status" {}
        }
    }
}

fn head(links: Links, index: usize, column: &Column<'_>) -> Markup {
    let player = column.player;
    html! {
        th class={ "p p" (index) } scope="col" {
            span {
                a href=(column.link(links, "player")) { (Text(&player.name)) }
                @if let Some(version) = own_version(column) { " " small { (Text(version)) } }
            }
            @if let Some(browser) = &player.browser { small.br { (Text(browser)) } }
            @if !player.decides.is_empty() {
                a.dec href=(column.link(links, "decides")) {
                    (glyph("adapter", "note")) span.lb { "adapter decides " (player.decides.len()) }
                }
            }
        }
    }
}

/// Returns the version of the package that has the player's name; its others are in the list of
/// players.
fn own_version<'a>(column: &Column<'a>) -> Option<&'a str> {
    let player = column.player;
    let own = player
        .versions
        .iter()
        .find(|(package, _)| package.contains(&player.name));
    let only = || {
        player
            .versions
            .iter()
            .next()
            .filter(|_| player.versions.len() == 1)
    };
    own.or_else(only).map(|(_, version)| version.as_str())
}

/// A sum below the heads of columns.
struct Sum {
    symbol: &'static str,
    words: &'static str,
    count: fn(&Counts) -> usize,
}

const SUMS: [Sum; 5] = [
    Sum {
        symbol: "flag",
        words: "cells with faults by rules alone",
        count: |counts| counts.faulty,
    },
    Sum {
        symbol: "cross",
        words: "not played",
        count: |counts| counts.not_played,
    },
    Sum {
        symbol: "loop",
        words: "flaky",
        count: |counts| counts.flaky,
    },
    Sum {
        symbol: "worse",
        words: "new or changed against the baseline",
        count: |counts| counts.new + counts.changed,
    },
    Sum {
        symbol: "better",
        words: "fixed against the baseline",
        count: |counts| counts.fixed,
    },
];

/// Returns how many cells of each column agree, as numbers and as bars, and the other sums.
fn sums(view: &View<'_>) -> Markup {
    let counts = || view.columns.iter().map(|column| &column.player.counts);
    html! {
        tbody.sums {
            tr {
                th scope="row" { "agree, with or without a knob" }
                @for column in &view.columns {
                    @let counts = &column.player.counts;
                    td.su {
                        b { (agree(counts)) } span.of { "/" (recorded(counts)) } (bar(&column.player.label, counts))
                    }
                }
                td.end {}
            }
            @for Sum { symbol, words, count } in SUMS.iter().filter(|sum| counts().any(|it| (sum.count)(it) > 0)) {
                tr.more {
                    th scope="row" { (glyph(symbol, "")) " " (words) }
                    @for count in counts().map(count) { td.su { @if count > 0 { (count) } } }
                    td.end {}
                }
            }
        }
    }
}

fn bar(player: &str, counts: &Counts) -> Markup {
    let label = format!(
        "{player}: {} same, {} same but for what many share, {} with a knob, {} differ, {} not played, {} cannot say",
        counts.same, counts.shared, counts.knob, counts.differs, counts.not_played, counts.unknown
    );
    let whole = recorded(counts).max(1);
    let mut from = 0;
    let parts = [
        ("same", counts.same),
        ("shared", counts.shared),
        ("knob", counts.knob),
        ("differs", counts.differs),
        ("unk", counts.not_played + counts.unknown),
    ]
    .map(|(class, count)| {
        from += count;
        (class, from - count, count)
    });
    html! {
        svg role="img" aria-label=(Text(&label)) {
            @for (class, from, count) in parts.into_iter().filter(|(.., count)| *count > 0) {
                rect class={ "b-" (class) } x=(Percent(from, whole)) width=(Percent(count, whole)) height="8" {}
            }
        }
    }
}

/// A part of a whole, in percent with two places.
struct Percent(usize, usize);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 10_000 + self.1 / 2) / self.1;
        write!(f, "{}.{:02}%", hundredths / 100, hundredths % 100)
    }
}

fn group(view: &View<'_>, group: &Group<'_>, content: Content) -> Markup {
    let counts = |column: &Column<'_>| {
        Counts::of(group.rows.iter().filter_map(|line| column.cell(line.row)))
    };
    html! {
        tbody.grp {
            tr {
                th scope="rowgroup" {
                    @match content {
                        Content::Situations => (Text(&group.title)),
                        Content::Sums => {
                            a href=(view.links.file(&group_page(&group.page))) { (Text(&group.title)) }
                        }
                    }
                }
                @for counts in view.columns.iter().map(counts) {
                    td { @if recorded(&counts) > 0 { (agree(&counts)) "/" (recorded(&counts)) } }
                }
                td.end {}
            }
            @if content == Content::Situations { @for line in &group.rows { (row(view, line)) } }
        }
    }
}

fn row(view: &View<'_>, line: &Line<'_>) -> Markup {
    let name = &line.row.name;
    let title = Some(&line.row.title).filter(|title| !title.is_empty() && *title != name);
    let places: Vec<Option<Place<'_, '_>>> = view
        .columns
        .iter()
        .map(|column| view.place(line, column))
        .collect();
    let is_open_here = matches!(view.links, Links::Within);
    html! {
        tr.r id=(line.id) {
            th scope="row" {
                span.sn { (Broken(name)) }
                @if let Some(title) = title { span.sd { (prose(title)) } }
            }
            @for (index, place) in places.iter().enumerate() {
                @match place {
                    Some(place) => { (cell(index, place)) }
                    None => { td class={ "c none p" (index) } { span.off { "no recording" } } }
                }
            }
            (end(&places))
        }
        @if is_open_here && places.iter().flatten().any(Place::has_details) {
            tr.det {
                td colspan=(view.columns.len() + 2) {
                    @for (index, place) in places.iter().enumerate() {
                        @if let Some(place) = place { (detail::body(index, place)) }
                    }
                }
            }
        }
    }
}

/// Returns the end of a row: how many players agree, or for an only player the difference.
fn end(places: &[Option<Place<'_, '_>>]) -> Markup {
    let counts = Counts::of(places.iter().flatten().map(|place| place.cell));
    html! {
        @match places {
            [only] => {
                td.end.what { @if let Some(place) = only { (Broken(&difference(place.cell))) } }
            }
            _ if recorded(&counts) == 0 => { td.end.s {} }
            _ => {
                td.end.s.low[agree(&counts) * 2 <= recorded(&counts)] { (agree(&counts)) "/" (recorded(&counts)) }
            }
        }
    }
}

fn cell(index: usize, place: &Place<'_, '_>) -> Markup {
    let mark = Mark::of(place.cell);
    let (player, case) = (&place.column.player.label, &place.line.row.name);
    let class = format!("c {} p{index}", mark.class());
    if !place.has_details() {
        let title = format!("{player}: same, {}", counted(place.cell.same, "line"));
        return html! {
            td class=(class) { span title=(Text(&title)) { (glyph(mark.glyph(), "")) span.off { "same" } } }
        };
    }
    let (label, title, count) = face(place.cell);
    let mut spoken = vec![format!("{player}, {case}: {}", mark.words())];
    spoken.extend(notes(place.cell).map(|it| format!("{} {}", it.count, it.words)));
    spoken.extend(place.cell.change.map(|change| change.word().to_owned()));
    spoken.extend(title.clone());
    html! {
        td class=(class) {
            a href=(Text(&place.link())) aria-label=(Text(&spoken.join(", "))) title=[title.as_deref().map(Text)] {
                (glyph(mark.glyph(), ""))
                @if let Some(label) = label { span.lb { (Broken(label)) } }
                @for it in notes(place.cell) { span.nt data-n=(it.count) { (glyph(it.symbol, "")) } }
                @if let Some(count) = count { span.ct data-n=(count) {} }
                @match place.cell.change {
                    Some(Change::New | Change::Changed) => { (glyph("worse", "")) }
                    Some(Change::Fixed) => { (glyph("better", "")) }
                    None => {}
                }
            }
        }
    }
}

/// Returns the label of a cell, its title, and a count that stands for more.
fn face(cell: &Cell) -> (Option<&str>, Option<String>, Option<String>) {
    match &cell.verdict {
        Verdict::Same | Verdict::Shared => (None, None, None),
        Verdict::Knob { settings } => {
            let first = settings.first();
            let more = settings
                .len()
                .checked_sub(2)
                .map(|more| format!("+{}", more + 1));
            (
                Some(first.map_or("knob", |it| it.knob)),
                first.map(ToString::to_string),
                more,
            )
        }
        Verdict::Differs => {
            let count = cell.differences.len();
            (
                Some("differs"),
                Some(counted(count, "difference")),
                Some(count.to_string()),
            )
        }
        Verdict::NotPlayed { why } => (Some("not played"), Some(why.join("; ")), None),
        Verdict::Unknown { why } => (None, Some(why.clone()), None),
    }
}

/// A mark of a cell beside its verdict.
struct Note {
    symbol: &'static str,
    count: usize,
    words: &'static str,
}

fn notes(cell: &Cell) -> impl Iterator<Item = Note> {
    let faults: usize = cell.faults.iter().map(|fault| fault.count).sum();
    let notes = [
        Note {
            symbol: "flag",
            count: faults,
            words: "faults by rules alone",
        },
        Note {
            symbol: "bolt",
            count: cell.evidence.uncaught(),
            words: "uncaught errors",
        },
        Note {
            symbol: "loop",
            count: cell.runs.len(),
            words: "recordings, which differ",
        },
    ];
    notes.into_iter().filter(|note| note.count > 0)
}

/// Returns the difference of an only player, for the end of its row.
fn difference(cell: &Cell) -> String {
    match &cell.verdict {
        Verdict::Same | Verdict::Shared => cell
            .faults
            .first()
            .map(|fault| fault.sentence.clone())
            .unwrap_or_default(),
        Verdict::NotPlayed { why } => why.join("; "),
        Verdict::Knob { settings } => settings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" or "),
        Verdict::Differs => cell
            .first
            .as_ref()
            .map(|first| first.sentence.clone())
            .unwrap_or_default(),
        Verdict::Unknown { why } => why.clone(),
    }
}
