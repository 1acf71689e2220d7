//! What a cell opens to: the first difference with its rule and causes, all differences, and the knobs that help.

use std::fmt::{self, Write};

use super::names::prose;
use super::view::{Mark, Place};
use crate::conform::cell::{Cell, Explained, RuleOf, Verdict};
use crate::conform::compare::{Difference, DifferenceKind};
use crate::html::Text;
use crate::report::page::difference;
use crate::report::page::glyphs::{ARROW, glyph};
use crate::words::{counted, seconds};

/// The most differences that are listed.
const MOST: usize = 100;
/// The most differences that are listed unfolded.
const FEW: usize = 5;

pub(super) fn write(index: usize, place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let mark = Mark::of(place.cell);
    let (player, case) = (Text(&place.column.player.name), Text(&place.line.row.name));
    if mark == Mark::Same {
        return Ok(());
    }
    write!(html, "<div class=\"din {} p{index}\" id=\"{}\">", mark.class(), place.id())?;
    html.push_str("<p class=\"ti\">");
    glyph(mark.glyph(), "", html)?;
    match &place.cell.verdict {
        Verdict::Same => {}
        Verdict::Knob { settings } => {
            let how = if settings.len() == 1 { "a knob" } else { "any one of these knobs" };
            write!(html, "<b>{player} is the same with {how}</b> in {case}:")?;
            for (nth, setting) in settings.iter().enumerate() {
                let between = if nth == 0 { " " } else { " or " };
                write!(html, "{between}<code>--knob {}</code>", Text(&setting.to_string()))?;
            }
        }
        Verdict::Differs { .. } => write!(html, "<b>{player} differs</b> in {case}.")?,
        Verdict::Unknown { why } => {
            write!(html, "<b>Nothing can be said about {player}</b> in {case}: {}", Text(why))?;
        }
    }
    write!(html, "<a class=\"cl\" href=\"#{}\">close</a></p>", place.line.id)?;
    if let Some(first) = &place.cell.first {
        if mark == Mark::Knob {
            html.push_str("<p class=\"muted\">Without it:</p>");
        }
        html.push_str("<div class=\"two\"><div>");
        explained(place, first, html)?;
        html.push_str("</div>");
        causes(first, html)?;
        html.push_str("</div>");
        nearest(place.cell, html)?;
        differences(place, html)?;
    }
    tests(place, html)?;
    html.push_str("</div>\n");
    Ok(())
}

/// The time of a difference: the earlier one of its two sides.
fn at(it: &Difference) -> Option<i64> {
    let places = [it.recorded, it.simulated];
    places.iter().flatten().map(|place| place.at_us).min()
}

fn explained(place: &Place<'_, '_>, first: &Explained, html: &mut String) -> fmt::Result {
    write!(html, "<p>{}</p><dl class=\"dif\">", Text(&first.sentence))?;
    let until = place.cell.differences.first().and_then(at);
    if let Some(until) = until {
        write!(html, "<div><dt>same until</dt><dd class=\"mono\">{} s</dd></div>", since_start(until))?;
    }
    let player = Text(&place.column.player.name).to_string();
    for (class, name, line) in [
        ("mi", "\u{2212} playsim".to_owned(), &first.simulated),
        ("pl", format!("+ {player}"), &first.recorded),
    ] {
        write!(html, "<div class=\"{class}\"><dt>{name}</dt><dd>")?;
        match line {
            Some(line) => write!(html, "<code>{}</code>", Text(line))?,
            None => html.push_str("<span class=\"muted\">nothing</span>"),
        }
        html.push_str("</dd></div>");
    }
    html.push_str("</dl>");
    match &first.rule {
        Some(rule) => {
            write!(html, "<p><a href=\"#rule-{0}\">{0}</a> ", Text(&rule.id))?;
            basis(rule, html)?;
            html.push(' ');
            prose(rule.gist, html)?;
            html.push_str("</p>");
            if rule.is_choice() {
                html.push_str(
                    "<p class=\"note\">No source settles this point: playsim chose. That the player does ",
                );
                html.push_str("something else is information about it, not a failure.</p>");
            }
        }
        None => html.push_str("<p class=\"muted\">No rule of playsim leads to this line.</p>"),
    }
    Ok(())
}

/// Writes what a rule rests on.
pub(super) fn basis(rule: &RuleOf, html: &mut String) -> fmt::Result {
    let tone = if rule.is_choice() { " note" } else { "" };
    write!(html, "<span class=\"chip{tone}\">{}</span>", Text(rule.basis))
}

fn causes(first: &Explained, html: &mut String) -> fmt::Result {
    if first.causes.is_empty() {
        return Ok(());
    }
    html.push_str(
        "<div><p class=\"muted\">What led to it in playsim, the nearest first:</p><ol class=\"chain\">",
    );
    for cause in &first.causes {
        write!(html, "<li><code>{}</code></li>", Text(cause))?;
    }
    html.push_str("</ol></div>");
    Ok(())
}

fn nearest(cell: &Cell, html: &mut String) -> fmt::Result {
    let Verdict::Differs { nearest } = &cell.verdict else { return Ok(()) };
    match nearest {
        Some((setting, left)) => write!(
            html,
            "<p>No knob makes it the same. With <code>--knob {}</code> the two come nearest: {left} of {} left.</p>",
            Text(&setting.to_string()),
            counted(cell.differences.len(), "difference")
        ),
        None => {
            html.push_str("<p>No knob makes it the same, or brings it nearer.</p>");
            Ok(())
        }
    }
}

fn differences(place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let cell = place.cell;
    let open = if cell.differences.len() <= FEW { " open=\"open\"" } else { "" };
    let agree = match cell.same {
        0 => "nothing is the same".to_owned(),
        1 => "1 line is the same".to_owned(),
        same => format!("{same} lines are the same"),
    };
    let all = if cell.differences.len() == 1 {
        "1 difference".to_owned()
    } else {
        format!("All {} differences", cell.differences.len())
    };
    write!(html, "<details{open}><summary>{ARROW} {all}; {agree}</summary>")?;
    let player = Text(&place.column.player.name).to_string();
    write!(
        html,
        "<table class=\"list\"><caption class=\"off\">Differences of {player} in {}, times in seconds since the start</caption>",
        Text(&place.line.row.name)
    )?;
    writeln!(
        html,
        "<thead><tr><th scope=\"col\">how</th><th scope=\"col\">what</th><th scope=\"col\" class=\"num\">{player}, s</th>\
         <th scope=\"col\" class=\"num\">playsim, s</th><th scope=\"col\" class=\"num\">later by, s</th></tr></thead><tbody>"
    )?;
    for it in cell.differences.iter().take(MOST) {
        write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"wrap mono\">{}</td>",
            how(it.kind, &player),
            Text(&it.what)
        )?;
        for (label, seen) in [(player.as_str(), it.recorded), ("playsim", it.simulated)] {
            let time = seen.map(|seen| since_start(seen.at_us)).unwrap_or_default();
            write!(html, "<td class=\"num\" data-l=\"{label} \">{time}</td>")?;
        }
        let late = it.late_us.map(difference).unwrap_or_default();
        writeln!(html, "<td class=\"num\" data-l=\"later by \">{late}</td></tr>")?;
    }
    html.push_str("</tbody></table>");
    if cell.differences.len() > MOST {
        let more = counted(cell.differences.len() - MOST, "more difference");
        write!(html, "<p class=\"muted\">{more} not listed.</p>")?;
    }
    html.push_str("</details>");
    Ok(())
}

/// Returns how a line differs; the player's name is HTML.
fn how(kind: DifferenceKind, player: &str) -> String {
    match kind {
        DifferenceKind::Extra => format!("only {player}"),
        DifferenceKind::Missing => "only playsim".to_owned(),
        DifferenceKind::Order => "other order".to_owned(),
        DifferenceKind::Time => "other time".to_owned(),
        DifferenceKind::Overall => "time adds up".to_owned(),
    }
}

/// Writes which rules the situation is meant to test.
fn tests(place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    let rules = &place.line.row.rules;
    if rules.is_empty() {
        return Ok(());
    }
    html.push_str("<p class=\"muted\">The situation tests ");
    for (nth, rule) in rules.iter().enumerate() {
        let between = if nth == 0 { "" } else { ", " };
        write!(
            html,
            "{between}<span class=\"nb\" title=\"{}\">{} ({})</span>",
            Text(rule.gist),
            Text(&rule.id),
            Text(rule.basis)
        )?;
    }
    html.push_str(".</p>");
    Ok(())
}

/// A time since the start in seconds; before it, negative.
fn since_start(at_us: i64) -> String {
    let sign = if at_us < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", seconds(at_us.unsigned_abs()))
}
