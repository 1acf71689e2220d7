//! What a cell opens to: the first difference with its rule and causes, all differences, and the knobs that help.

use std::fmt::{self, Write};

use super::evidence;
use super::names::{prose, since_start};
use super::view::{Mark, Place};
use crate::cell::{Cell, Explained, RuleOf, Verdict};
use crate::compare::Difference;
use crate::importance::DifferenceKind;
use crate::outcome::Change;
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::difference;
use playsim_report::page::glyphs::{ARROW, glyph};

/// The most differences that are listed.
const MOST: usize = 100;
/// The most differences that are listed unfolded.
const FEW: usize = 5;

pub(super) fn write(index: usize, place: &Place<'_, '_>, html: &mut String) -> fmt::Result {
    if !place.has_details() {
        return Ok(());
    }
    let mark = Mark::of(place.cell);
    let (player, case) = (Text(&place.column.player.label), Text(&place.line.row.name));
    write!(html, "<div class=\"din {} p{index}\" id=\"{}\">", mark.class(), place.id())?;
    html.push_str("<p class=\"ti\">");
    glyph(mark.glyph(), "", html)?;
    match &place.cell.verdict {
        Verdict::Same => write!(html, "<b>{player} is the same</b> in {case}.")?,
        Verdict::Shared => write!(
            html,
            "<b>{player} is the same</b> in {case} but for <a href=\"#shared-{}\">what many cases share</a>.",
            place.column.id
        )?,
        Verdict::Knob { settings } => {
            let how = if settings.len() == 1 { "a knob" } else { "any one of these knobs" };
            write!(html, "<b>{player} is the same with {how}</b> in {case}:")?;
            for (nth, setting) in settings.iter().enumerate() {
                let between = if nth == 0 { " " } else { " or " };
                write!(html, "{between}<code>--knob {}</code>", Text(&setting.to_string()))?;
            }
        }
        Verdict::Differs => write!(html, "<b>{player} differs</b> in {case}.")?,
        Verdict::NotPlayed { .. } => {
            write!(html, "<b>{case} was not played as it is written</b>: this says nothing about {player}.")?;
        }
        Verdict::Unknown { why } => {
            write!(html, "<b>Nothing can be said about {player}</b> in {case}: {}", Text(why))?;
        }
    }
    write!(html, "<a class=\"cl\" href=\"#{}\">close</a></p>", place.line.id)?;
    if let Verdict::NotPlayed { why } = &place.cell.verdict {
        list(why, html)?;
    }
    history(place.cell, html)?;
    if let Some(first) = &place.cell.first {
        if mark == Mark::Knob {
            html.push_str("<p class=\"muted\">Without it:</p>");
        }
        html.push_str("<div class=\"two\"><div>");
        explained(place, first, html)?;
        html.push_str("</div>");
        causes(first, html)?;
        html.push_str("</div>");
        if place.cell.verdict == Verdict::Differs {
            html.push_str("<p>No knob explains the whole case.</p>");
        }
        differences(place, html)?;
    }
    faults(place.cell, html)?;
    evidence::write(place, html)?;
    tests(place, html)?;
    html.push_str("</div>\n");
    Ok(())
}

fn list(sentences: &[String], html: &mut String) -> fmt::Result {
    html.push_str("<ul class=\"notes\">");
    for it in sentences {
        write!(html, "<li>{}</li>", Text(it))?;
    }
    html.push_str("</ul>");
    Ok(())
}

/// Writes what has changed since the baseline, and how repeated recordings differ.
fn history(cell: &Cell, html: &mut String) -> fmt::Result {
    match cell.change {
        Some(Change::New) => html.push_str("<p>New: the baseline has nothing wrong here.</p>"),
        Some(Change::Fixed) => html.push_str("<p>Fixed: the baseline is not in order here.</p>"),
        Some(Change::Changed) => {
            html.push_str("<p>Changed: the baseline is not in order here, in another way.</p>")
        }
        None => {}
    }
    if cell.is_flaky() {
        write!(html, "<p>Flaky: {} recordings of the case come to", cell.runs.len())?;
        for (nth, run) in cell.runs.iter().enumerate() {
            let between = if nth == 0 { " " } else { "; " };
            let faults = match run.faults.len() {
                0 => String::new(),
                count => format!(" and {} broken", counted(count, "rule")),
            };
            let differences = match run.differences.len() {
                0 => String::new(),
                count => format!(" ({})", counted(count, "difference")),
            };
            write!(html, "{between}{}{differences}{faults}", Text(&run.verdict))?;
        }
        html.push_str(".</p>");
    }
    Ok(())
}

/// Writes the rules that the player breaks, whatever the simulator does.
fn faults(cell: &Cell, html: &mut String) -> fmt::Result {
    if cell.faults.is_empty() {
        return Ok(());
    }
    html.push_str("<table class=\"list\"><caption class=\"off\">Faults by rules alone</caption><thead><tr>");
    html.push_str("<th scope=\"col\">fault by rule</th><th scope=\"col\">the first one</th><th scope=\"col\" class=\"num\">at, s</th>");
    html.push_str("<th scope=\"col\" class=\"num\">times</th></tr></thead><tbody>");
    for fault in &cell.faults {
        write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"wrap\">{}</td><td class=\"num\" data-l=\"at \">{}</td>\
             <td class=\"num\" data-l=\"times \">{}</td></tr>",
            Text(&fault.rule),
            Text(&fault.sentence),
            since_start(fault.at_us),
            fault.count
        )?;
    }
    html.push_str("</tbody></table>");
    Ok(())
}

/// The time of a difference: the earlier one of its two sides.
fn at(it: &Difference) -> Option<i64> {
    let places = [it.recorded, it.simulated];
    places.iter().flatten().map(|place| place.at_us).min()
}

fn explained(place: &Place<'_, '_>, first: &Explained, html: &mut String) -> fmt::Result {
    write!(html, "<p>{}</p><dl class=\"dif\">", Text(&first.sentence))?;
    let until = place.cell.differences.iter().filter_map(at).min();
    if let Some(until) = until {
        write!(html, "<div><dt>same until</dt><dd class=\"mono\">{} s</dd></div>", since_start(until))?;
    }
    let player = Text(&place.column.player.label).to_string();
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
    let player = Text(&place.column.player.label).to_string();
    write!(
        html,
        "<table class=\"list\"><caption class=\"off\">Differences of {player} in {}, times in seconds since the start</caption>",
        Text(&place.line.row.name)
    )?;
    writeln!(
        html,
        "<thead><tr><th scope=\"col\">how</th><th scope=\"col\">what</th><th scope=\"col\">what is noticed</th><th scope=\"col\" class=\"num\">{player}, s</th>\
         <th scope=\"col\" class=\"num\">playsim, s</th><th scope=\"col\" class=\"num\">later by, s</th></tr></thead><tbody>"
    )?;
    for it in cell.differences.iter().take(MOST) {
        write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"wrap mono\">{}</td><td>{}</td>",
            how(it.kind, &player),
            Text(&it.what),
            it.importance.words()
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
        DifferenceKind::Order | DifferenceKind::Value | DifferenceKind::Time | DifferenceKind::Overall => {
            kind.word().to_owned()
        }
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
