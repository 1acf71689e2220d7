//! The matrix: a row for each situation, a column for each player, sums above and at the end of rows.

use std::fmt::{self, Write};

use super::detail;
use super::names::{Broken, prose};
use super::view::{Column, Group, Line, Mark, Place, View, agree, recorded};
use crate::cell::{Cell, Verdict};
use crate::outcome::Change;
use crate::report::Counts;
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::glyphs::glyph;

/// With more players than this the table scrolls sideways within the page.
const MOST_COLUMNS: usize = 8;

pub(super) fn write(view: &View<'_>, html: &mut String) -> fmt::Result {
    html.push_str("<p class=\"lead\">Each cell compares a recording of ");
    html.push_str("the player with what playsim plays: the verdict, and below it what check finds by rules alone and errors that nothing caught. \
         A cell opens to its evidence, and has a URL of its own.");
    if view.count(Mark::Choice) > 0 {
        html.push_str(" A hollow cell differs first from a choice of playsim: information, not a failure.");
    }
    html.push_str("</p>\n");
    tools(view, html)?;
    let is_wide = view.columns.len() > MOST_COLUMNS;
    if is_wide {
        html.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"players by situations\">",
        );
    }
    let one = match view.columns.len() {
        1 => " all one",
        2 | 3 => "",
        _ => " all",
    };
    let wide = if is_wide { " many" } else { "" };
    write!(
        html,
        "<table class=\"mat{one}{wide}\"><caption class=\"off\">What each player does in each situation</caption>"
    )?;
    html.push_str("<colgroup><col class=\"a\"/>");
    html.push_str(&"<col class=\"b\"/>".repeat(view.columns.len()));
    html.push_str("<col class=\"z\"/></colgroup>\n<thead><tr><th scope=\"col\">situation</th>");
    for (index, column) in view.columns.iter().enumerate() {
        head(index, column, html)?;
    }
    let end = if view.columns.len() == 1 {
        "<th scope=\"col\" class=\"end what\">what is different</th>"
    } else {
        "<th scope=\"col\" class=\"end s\">agree</th>"
    };
    writeln!(html, "{end}</tr></thead>")?;
    sums(view, html)?;
    for group in &view.groups {
        self::group(view, group, html)?;
    }
    html.push_str("</table>");
    html.push_str(if is_wide { "</div>\n" } else { "\n" });
    Ok(())
}

/// Returns the part of the style that depends on the number of players: it marks the cell whose details are open.
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

/// Writes the legend, which is the filter as well.
fn tools(view: &View<'_>, html: &mut String) -> fmt::Result {
    html.push_str("<div class=\"tools\" role=\"group\" aria-label=\"show situations with a cell that is\">");
    for mark in Mark::ALL {
        let count = view.count(mark);
        if count == 0 {
            continue;
        }
        let class = mark.class();
        write!(
            html,
            "<label><input type=\"checkbox\" id=\"v-{class}\" checked=\"checked\"/> <i class=\"k {class}\">"
        )?;
        glyph(mark.glyph(), "", html)?;
        write!(html, "</i> {} <b>{count}</b></label>", mark.words())?;
    }
    let empty = view.lines().count() * view.columns.len() - view.cells().count();
    if empty > 0 {
        write!(html, "<span class=\"le\"><i class=\"k\"></i> no recording <b>{empty}</b></span>")?;
    }
    html.push_str("<label class=\"js-only\">find <input type=\"search\" id=\"find\"/></label>");
    html.push_str("<span class=\"js-only muted\" id=\"told\" role=\"status\"></span></div>\n");
    Ok(())
}

fn head(index: usize, column: &Column<'_>, html: &mut String) -> fmt::Result {
    let player = column.player;
    write!(
        html,
        "<th scope=\"col\" class=\"p p{index}\"><span><a href=\"#player-{}\">{}</a>",
        column.id,
        Text(&player.name)
    )?;
    if let Some(version) = own_version(column) {
        write!(html, " <small>{}</small>", Text(version))?;
    }
    html.push_str("</span>");
    if let Some(browser) = &player.browser {
        write!(html, "<small class=\"br\">{}</small>", Text(browser))?;
    }
    if !player.decides.is_empty() {
        write!(html, "<a class=\"dec\" href=\"#decides-{}\">", column.id)?;
        glyph("adapter", "note", html)?;
        write!(html, "<span class=\"lb\">adapter decides {}</span></a>", player.decides.len())?;
    }
    html.push_str("</th>");
    Ok(())
}

/// Returns the version of the package that has the player's name; its others are in the list of players.
fn own_version<'a>(column: &Column<'a>) -> Option<&'a str> {
    let player = column.player;
    let own = player.versions.iter().find(|(package, _)| package.contains(&player.name));
    let only = || player.versions.iter().next().filter(|_| player.versions.len() == 1);
    own.or_else(only).map(|(_, version)| version.as_str())
}

/// Writes how many cells of each column agree, as numbers and as bars.
fn sums(view: &View<'_>, html: &mut String) -> fmt::Result {
    html.push_str("<tbody class=\"sums\"><tr><th scope=\"row\">agree, with or without a knob</th>");
    for column in &view.columns {
        let counts = &column.player.counts;
        write!(
            html,
            "<td class=\"su\"><b>{}</b><span class=\"of\">/{}</span>",
            agree(counts),
            recorded(counts)
        )?;
        bar(&column.player.label, counts, html)?;
        html.push_str("</td>");
    }
    html.push_str("<td class=\"end\"></td></tr>");
    let rows = [
        Sum { symbol: "flag", words: "cells with faults by rules alone", count: |counts| counts.faulty },
        Sum { symbol: "cross", words: "not played", count: |counts| counts.not_played },
        Sum { symbol: "loop", words: "flaky", count: |counts| counts.flaky },
        Sum {
            symbol: "worse",
            words: "new or changed against the baseline",
            count: |counts| counts.new + counts.changed,
        },
        Sum { symbol: "better", words: "fixed against the baseline", count: |counts| counts.fixed },
    ];
    for Sum { symbol, words, count } in rows {
        if view.columns.iter().all(|column| count(&column.player.counts) == 0) {
            continue;
        }
        html.push_str("<tr class=\"more\"><th scope=\"row\">");
        glyph(symbol, "", html)?;
        write!(html, " {words}</th>")?;
        for column in &view.columns {
            match count(&column.player.counts) {
                0 => html.push_str("<td class=\"su\"></td>"),
                count => write!(html, "<td class=\"su\">{count}</td>")?,
            }
        }
        html.push_str("<td class=\"end\"></td></tr>");
    }
    html.push_str("</tbody>\n");
    Ok(())
}

/// A sum below the heads of columns.
struct Sum {
    symbol: &'static str,
    words: &'static str,
    count: fn(&Counts) -> usize,
}

fn bar(player: &str, counts: &Counts, html: &mut String) -> fmt::Result {
    write!(
        html,
        "<svg role=\"img\" aria-label=\"{}: {} same, {} same but for what many share, {} with a knob, {} differ, {} not \
         played, {} cannot say\">",
        Text(player),
        counts.same,
        counts.shared,
        counts.knob,
        counts.differs,
        counts.not_played,
        counts.unknown
    )?;
    let whole = recorded(counts).max(1);
    let mut from = 0;
    for (class, count) in [
        ("same", counts.same),
        ("shared", counts.shared),
        ("knob", counts.knob),
        ("differs", counts.differs),
        ("unk", counts.not_played + counts.unknown),
    ] {
        if count > 0 {
            write!(
                html,
                "<rect class=\"b-{class}\" x=\"{}\" width=\"{}\" height=\"8\"/>",
                Percent(from, whole),
                Percent(count, whole)
            )?;
        }
        from += count;
    }
    html.push_str("</svg>");
    Ok(())
}

/// A part of a whole, in percent with two places.
struct Percent(usize, usize);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 10_000 + self.1 / 2) / self.1;
        write!(f, "{}.{:02}%", hundredths / 100, hundredths % 100)
    }
}

fn group(view: &View<'_>, group: &Group<'_>, html: &mut String) -> fmt::Result {
    write!(html, "<tbody class=\"grp\"><tr><th scope=\"rowgroup\">{}</th>", Text(&group.title))?;
    for column in &view.columns {
        let counts = Counts::of(group.rows.iter().filter_map(|line| column.cell(line.row)));
        match recorded(&counts) {
            0 => html.push_str("<td></td>"),
            all => write!(html, "<td>{}/{all}</td>", agree(&counts))?,
        }
    }
    html.push_str("<td class=\"end\"></td></tr>\n");
    for line in &group.rows {
        row(view, line, html)?;
    }
    html.push_str("</tbody>\n");
    Ok(())
}

fn row(view: &View<'_>, line: &Line<'_>, html: &mut String) -> fmt::Result {
    let name = Broken(&line.row.name);
    write!(html, "<tr class=\"r\" id=\"{}\"><th scope=\"row\"><span class=\"sn\">{name}</span>", line.id)?;
    if !line.row.title.is_empty() && line.row.title != line.row.name {
        html.push_str("<span class=\"sd\">");
        prose(&line.row.title, html)?;
        html.push_str("</span>");
    }
    html.push_str("</th>");
    let mut places = Vec::new();
    for (index, column) in view.columns.iter().enumerate() {
        match column.cell(line.row) {
            Some(cell) => {
                let place = Place { line, column, cell };
                self::cell(index, &place, html)?;
                places.push((index, place));
            }
            None => {
                write!(html, "<td class=\"c none p{index}\"><span class=\"off\">no recording</span></td>")?
            }
        }
    }
    let counts = Counts::of(places.iter().map(|(_, place)| place.cell));
    match &places[..] {
        _ if view.columns.len() == 1 => {
            let what = places.first().map_or_else(String::new, |(_, place)| what(place.cell));
            write!(html, "<td class=\"end what\">{}</td>", Broken(&what))?;
        }
        [] => html.push_str("<td class=\"end s\"></td>"),
        _ => {
            let low = if agree(&counts) * 2 <= recorded(&counts) { " low" } else { "" };
            write!(html, "<td class=\"end s{low}\">{}/{}</td>", agree(&counts), recorded(&counts))?;
        }
    }
    html.push_str("</tr>\n");
    if !places.iter().any(|(_, place)| place.has_details()) {
        return Ok(());
    }
    write!(html, "<tr class=\"det\"><td colspan=\"{}\">", view.columns.len() + 2)?;
    for (index, place) in &places {
        detail::write(*index, place, html)?;
    }
    html.push_str("</td></tr>\n");
    Ok(())
}

fn cell(index: usize, place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let mark = Mark::of(place.cell);
    let (player, case) = (Text(&place.column.player.label), Text(&place.line.row.name));
    write!(html, "<td class=\"c {} p{index}\">", mark.class())?;
    if !place.has_details() {
        write!(html, "<span title=\"{player}: same, {}\">", counted(place.cell.same, "line"))?;
        glyph(mark.glyph(), "", html)?;
        html.push_str("<span class=\"off\">same</span></span></td>");
        return Ok(());
    }
    write!(html, "<a href=\"#{}\" aria-label=\"{player}, {case}: {}", place.id(), mark.words())?;
    let mut title = String::new();
    let (mut label, mut count) = (String::new(), String::new());
    match &place.cell.verdict {
        Verdict::Knob { settings } => {
            title = settings.first().map(ToString::to_string).unwrap_or_default();
            label = Broken(settings.first().map_or("knob", |setting| setting.knob)).to_string();
            if settings.len() > 1 {
                count = format!("+{}", settings.len() - 1);
            }
        }
        Verdict::Differs => {
            let differences = place.cell.differences.len();
            title = counted(differences, "difference");
            (label, count) = ("differs".to_owned(), differences.to_string());
        }
        Verdict::NotPlayed { why } => {
            title = why.join("; ");
            label = "not played".to_owned();
        }
        Verdict::Unknown { why } => title.clone_from(why),
        Verdict::Same | Verdict::Shared => {}
    }
    for more in notes(place.cell) {
        write!(html, ", {} {}", more.count, more.words)?;
    }
    if let Some(change) = place.cell.change {
        write!(html, ", {}", change.word())?;
    }
    match &*title {
        "" => html.push_str("\">"),
        title => write!(html, ", {0}\" title=\"{0}\">", Text(title))?,
    }
    glyph(mark.glyph(), "", html)?;
    if !label.is_empty() {
        write!(html, "<span class=\"lb\">{label}</span>")?;
    }
    for more in notes(place.cell) {
        write!(html, "<span class=\"nt\" data-n=\"{}\">", more.count)?;
        glyph(more.symbol, "", html)?;
        html.push_str("</span>");
    }
    if !count.is_empty() {
        write!(html, "<span class=\"ct\" data-n=\"{count}\"></span>")?;
    }
    match place.cell.change {
        Some(Change::New | Change::Changed) => glyph("worse", "", html)?,
        Some(Change::Fixed) => glyph("better", "", html)?,
        None => {}
    }
    html.push_str("</a></td>");
    Ok(())
}

/// What a cell says beside its verdict.
struct Note {
    symbol: &'static str,
    count: usize,
    words: &'static str,
}

fn notes(cell: &Cell) -> impl Iterator<Item = Note> {
    let faults: usize = cell.faults.iter().map(|fault| fault.count).sum();
    let notes = [
        Note { symbol: "flag", count: faults, words: "faults by rules alone" },
        Note { symbol: "bolt", count: cell.evidence.uncaught(), words: "uncaught errors" },
        Note { symbol: "loop", count: cell.runs.len(), words: "recordings, which differ" },
    ];
    notes.into_iter().filter(|note| note.count > 0)
}

/// Returns what is different, for the end of the row of an only player.
fn what(cell: &Cell) -> String {
    match &cell.verdict {
        Verdict::Same | Verdict::Shared => {
            cell.faults.first().map(|fault| fault.sentence.clone()).unwrap_or_default()
        }
        Verdict::NotPlayed { why } => why.join("; "),
        Verdict::Knob { settings } => {
            settings.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
        }
        Verdict::Differs => cell.first.as_ref().map(|first| first.sentence.clone()).unwrap_or_default(),
        Verdict::Unknown { why } => why.clone(),
    }
}
