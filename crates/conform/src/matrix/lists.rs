//! Tables: the players, what their adapters decide, the knobs and the rules that cells come down to.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::detail::basis;
use super::names::{Broken, prose};
use super::view::{Place, View};
use crate::cell::{RuleOf, Verdict};
use crate::fit::Fit;
use crate::outcome::Change;
use crate::report::TestedPlayer;
use crate::settings::FittedSetting;
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_report::page::glyphs::{ARROW, glyph};

/// Writes the players.
pub(super) fn players(view: &View<'_>, html: &mut String) -> fmt::Result {
    html.push_str("<table class=\"list\"><caption class=\"off\">Players, and how ");
    html.push_str("many situations have which result</caption><thead><tr><th scope=\"col\">player</th><th scope=\"col\">made of</th>");
    html.push_str("<th scope=\"col\">compared with</th>");
    for name in NAMES {
        write!(html, "<th scope=\"col\" class=\"num\">{name}</th>")?;
    }
    html.push_str("</tr></thead><tbody>\n");
    let mut sums = [0; 7];
    for column in &view.columns {
        let player = column.player;
        write!(
            html,
            "<tr id=\"player-{}\"><th scope=\"row\"><b>{}</b></th><td class=\"wrap\">",
            column.id,
            Text(&player.name)
        )?;
        made_of(player, html)?;
        html.push_str("</td><td class=\"wrap\">");
        held_against(player, html)?;
        html.push_str("</td>");
        let counts = &player.counts;
        let missing = view.lines().filter(|line| column.cell(line.row).is_none()).count();
        let numbers = [
            counts.same,
            counts.shared,
            counts.knob,
            counts.differs,
            counts.not_played,
            counts.unknown,
            missing,
        ];
        write_numbers(&numbers, html)?;
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
        html.push_str("</tr>\n");
    }
    if view.columns.len() > 1 {
        html.push_str("<tr class=\"total\"><th scope=\"row\">all</th><td></td><td></td>");
        write_numbers(&sums, html)?;
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>");
    Ok(())
}

/// The columns of numbers.
const NAMES: [&str; 7] =
    ["same", "same but for what many share", "knob", "differs", "not played", "cannot say", "no recording"];

fn write_numbers(numbers: &[usize; 7], html: &mut String) -> fmt::Result {
    for (label, number) in NAMES.iter().zip(numbers) {
        write!(html, "<td class=\"num\" data-l=\"{label} \">{number}</td>")?;
    }
    Ok(())
}

/// Writes what has changed since the baseline, the worse first.
pub(super) fn changes(view: &View<'_>, html: &mut String) -> fmt::Result {
    let mut found: Vec<(Change, Place<'_, '_>)> =
        view.cells().filter_map(|place| Some((place.cell.change?, place))).collect();
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by_key(|(change, _)| match change {
        Change::New => 0,
        Change::Changed => 1,
        Change::Fixed => 2,
    });
    html.push_str(
        "<p class=\"lead\">What is new, has changed, or is \
                   fixed; everything else is as the baseline has it.</p>\n",
    );
    html.push_str(
        "<table class=\"list\"><caption class=\"off\">Changes against the baseline</caption><thead><tr>",
    );
    html.push_str(
        "<th scope=\"col\">change</th><th scope=\"col\">situation</th><th scope=\"col\">player</th>",
    );
    html.push_str("<th scope=\"col\">what is seen now</th></tr></thead><tbody>\n");
    for (change, place) in found {
        html.push_str("<tr><th scope=\"row\" class=\"nb\">");
        let (symbol, tone) = if change == Change::Fixed { ("better", "good") } else { ("worse", "bad") };
        glyph(symbol, tone, html)?;
        let seen = match (&place.cell.first, place.cell.faults.first()) {
            (Some(first), _) => first.sentence.clone(),
            (None, Some(fault)) => fault.sentence.clone(),
            (None, None) => place.cell.verdict.word(),
        };
        writeln!(
            html,
            " {}</th><td class=\"wrap\"><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"wrap\">{}</td></tr>",
            change.word(),
            place.id(),
            Broken(&place.line.row.name),
            Text(&place.column.player.label),
            Text(&seen)
        )?;
    }
    html.push_str("</tbody></table>");
    Ok(())
}

/// Writes what players do otherwise in many cases.
pub(super) fn shared(view: &View<'_>, html: &mut String) -> fmt::Result {
    if view.columns.iter().all(|column| column.player.shared.is_empty()) {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">Named once \
                   here, and left out of the cells. What a viewer or an advertiser notices most is first.</p>\n");
    for column in view.columns.iter().filter(|column| !column.player.shared.is_empty()) {
        write!(html, "<h3 id=\"shared-{}\">{}</h3>", column.id, Text(&column.player.label))?;
        html.push_str("<table class=\"list\"><caption class=\"off\">Shared differences</caption><thead><tr><th scope=\"col\">");
        html.push_str(
            "what</th><th scope=\"col\">what is noticed</th><th scope=\"col\" class=\"num\">situations</th>",
        );
        html.push_str("<th scope=\"col\">which</th></tr></thead><tbody>\n");
        for it in &column.player.shared {
            write!(
                html,
                "<tr><th scope=\"row\" class=\"wrap\">{}</th><td>{}</td><td class=\"num\" data-l=\"situations \">{}</td><td class=\"wrap\">",
                Text(&it.class),
                it.importance.words(),
                it.cases.len()
            )?;
            let has = |name: &String| it.cases.contains(name);
            let places: Vec<Place<'_, '_>> = view
                .cells()
                .filter(|place| place.column.id == column.id && has(&place.line.row.name))
                .collect();
            links(view, &places, html)?;
            html.push_str("</td></tr>\n");
        }
        html.push_str("</tbody></table>\n");
    }
    Ok(())
}

fn made_of(player: &TestedPlayer, html: &mut String) -> fmt::Result {
    let mut parts: Vec<String> =
        player.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    parts.extend(player.browser.clone());
    for (nth, part) in parts.iter().enumerate() {
        let between = if nth == 0 { "" } else { "<br/>" };
        write!(html, "{between}{}", Text(part))?;
    }
    Ok(())
}

/// Writes the profile, and its knobs that are not at their default.
fn held_against(player: &TestedPlayer, html: &mut String) -> fmt::Result {
    write!(html, "profile {}", Text(&player.profile))?;
    if player.settings.is_empty() {
        return Ok(());
    }
    write!(
        html,
        "<details><summary>{ARROW} {}</summary><ul class=\"set\">",
        counted(player.settings.len(), "knob")
    )?;
    for setting in &player.settings {
        write!(html, "<li><code>{}</code></li>", Broken(&setting.to_string()))?;
    }
    html.push_str("</ul></details>");
    Ok(())
}

/// Writes what each adapter decides itself.
pub(super) fn adapters(view: &View<'_>, html: &mut String) -> fmt::Result {
    if view.columns.iter().all(|column| column.player.decides.is_empty()) {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">An adapter makes the player play a ");
    html.push_str("situation. What it decides itself says nothing about the player.</p>\n");
    for column in view.columns.iter().filter(|column| !column.player.decides.is_empty()) {
        write!(html, "<h3 id=\"decides-{}\">", column.id)?;
        glyph("adapter", "note", html)?;
        write!(html, " {}</h3><ul class=\"notes\">", Text(&column.player.label))?;
        for it in &column.player.decides {
            html.push_str("<li>");
            prose(it, html)?;
            html.push_str("</li>");
        }
        html.push_str("</ul>\n");
    }
    Ok(())
}

/// Writes the knobs that explain cells.
pub(super) fn knobs(view: &View<'_>, html: &mut String) -> fmt::Result {
    let mut found: BTreeMap<&FittedSetting, Vec<Place<'_, '_>>> = BTreeMap::new();
    for place in view.cells() {
        if let Verdict::Knob { settings } = &place.cell.verdict {
            for setting in settings {
                found.entry(setting).or_default().push(place);
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    html.push_str("<p class=\"lead\">Each knob turned alone explains the \
                   whole situation. Where any one of several is enough, the cell counts for each. A knob that helps one \
                   cell only may do so by chance.</p>\n");
    html.push_str("<table class=\"list\"><caption class=\"off\">Knobs, and the cells that they explain</caption><thead><tr>");
    html.push_str("<th scope=\"col\">knob</th><th scope=\"col\" class=\"num\">makes the same</th>");
    html.push_str("<th scope=\"col\">cells</th></tr></thead><tbody>\n");
    for (setting, places) in found {
        write!(
            html,
            "<tr><th scope=\"row\" class=\"wrap mono\">{}</th><td class=\"num\" data-l=\"makes the same \">{}</td><td class=\"wrap\">",
            Broken(&setting.to_string()),
            places.len()
        )?;
        links(view, &places, html)?;
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody></table>");
    Ok(())
}

/// The most cells that are listed unfolded.
const FEW: usize = 3;

/// Writes links to cells, by player.
fn links(view: &View<'_>, places: &[Place<'_, '_>], html: &mut String) -> fmt::Result {
    let is_folded = places.len() > FEW;
    if is_folded {
        write!(html, "<details><summary>{ARROW} {}</summary>", counted(places.len(), "cell"))?;
    }
    html.push_str("<ul class=\"cells\">");
    for column in &view.columns {
        let mut own = places.iter().filter(|place| place.column.id == column.id).peekable();
        if own.peek().is_none() {
            continue;
        }
        write!(html, "<li>{}:", Text(&column.player.label))?;
        for place in own {
            let id = if place.has_details() { place.id() } else { place.line.id.clone() };
            write!(html, " <a href=\"#{id}\">{}</a>", Broken(&place.line.row.name))?;
        }
        html.push_str("</li>");
    }
    html.push_str("</ul>");
    if is_folded {
        html.push_str("</details>");
    }
    Ok(())
}

/// Writes the knobs that fit players best over all situations.
pub(super) fn fits(view: &View<'_>, fits: &[(&str, &Fit)], html: &mut String) -> fmt::Result {
    let is_known = |name: &str| view.columns.iter().any(|column| column.player.name == name);
    let mut fits = fits.iter().filter(|(player, _)| is_known(player)).peekable();
    if fits.peek().is_none() {
        return Ok(());
    }
    html.push_str("<p class=\"lead\">The smallest set of knobs that brings ");
    html.push_str("playsim nearest to a player over all situations together.</p>\n");
    for (player, fit) in fits {
        writeln!(
            html,
            "<h3>{}</h3><p>With profile {} as it is {} of {} are the same, with {} {}.</p>",
            Text(player),
            Text(&fit.base),
            fit.same_before,
            counted(fit.cases, "situation"),
            counted(fit.steps.len(), "knob"),
            fit.same
        )?;
        if !fit.steps.is_empty() {
            writeln!(
                html,
                "<table class=\"list\"><caption class=\"off\">Knobs that fit {} best</caption><thead><tr><th scope=\"col\">knob</th>\
                 <th scope=\"col\" class=\"num\">more the same</th><th scope=\"col\">situations</th></tr></thead><tbody>",
                Text(player)
            )?;
            for step in &fit.steps {
                writeln!(
                    html,
                    "<tr><th scope=\"row\" class=\"wrap mono\">{}</th><td class=\"num\" data-l=\"more the same \">{}</td><td class=\"wrap\">{}</td></tr>",
                    Broken(&step.setting.to_string()),
                    step.gained.len(),
                    Broken(&step.gained.join(", "))
                )?;
            }
            html.push_str("</tbody></table>\n");
        }
        if !fit.remaining.is_empty() {
            write!(
                html,
                "<details><summary>{ARROW} {} still</summary><ul class=\"notes\">",
                match fit.remaining.len() {
                    1 => "1 situation differs".to_owned(),
                    more => format!("{more} situations differ"),
                }
            )?;
            for (case, count) in &fit.remaining {
                write!(html, "<li>{}: {}</li>", Broken(case), counted(*count, "difference"))?;
            }
            html.push_str("</ul></details>\n");
        }
    }
    Ok(())
}

/// Writes the rules at which cells differ first.
pub(super) fn rules(view: &View<'_>, html: &mut String) -> fmt::Result {
    let mut found: Vec<(&RuleOf, Vec<Place<'_, '_>>)> = Vec::new();
    let mut without: Vec<Place<'_, '_>> = Vec::new();
    for place in view.cells() {
        let Some(first) = &place.cell.first else { continue };
        match &first.rule {
            Some(rule) => match found.iter_mut().find(|(other, _)| other.id == rule.id) {
                Some((_, places)) => places.push(place),
                None => found.push((rule, vec![place])),
            },
            None => without.push(place),
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by(|(one, first), (other, second)| {
        second.len().cmp(&first.len()).then_with(|| one.id.cmp(&other.id))
    });
    html.push_str("<p class=\"lead\">The rule of the first difference ");
    html.push_str("of each cell that differs, or is the same with a knob only. A difference from a choice is information, not a failure.</p>\n");
    html.push_str("<table class=\"list\"><caption class=\"off\">Rules, and the cells that differ in them first</caption><thead><tr>");
    html.push_str(
        "<th scope=\"col\">rule</th><th scope=\"col\">rests on</th><th scope=\"col\">what playsim does</th>",
    );
    html.push_str(
        "<th scope=\"col\" class=\"num\">cells</th><th scope=\"col\">which</th></tr></thead><tbody>\n",
    );
    for (rule, places) in found {
        write!(
            html,
            "<tr id=\"rule-{0}\"><th scope=\"row\" class=\"nb\"><b>{0}</b></th><td>",
            Text(&rule.id)
        )?;
        basis(rule, html)?;
        html.push_str("</td><td class=\"wrap gist\">");
        prose(rule.gist, html)?;
        write!(html, "</td><td class=\"num\" data-l=\"cells \">{}</td><td class=\"wrap\">", places.len())?;
        links(view, &places, html)?;
        html.push_str("</td></tr>\n");
    }
    if !without.is_empty() {
        write!(
            html,
            "<tr><th scope=\"row\">none</th><td></td><td class=\"wrap gist\">Only the player does it: no rule of playsim leads to it.\
             </td><td class=\"num\" data-l=\"cells \">{}</td><td class=\"wrap\">",
            without.len()
        )?;
        links(view, &without, html)?;
        html.push_str("</td></tr>\n");
    }
    html.push_str("</tbody></table>");
    Ok(())
}
