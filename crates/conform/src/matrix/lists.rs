//! Tables: the players, what their adapters decide, the knobs and the rules that cells come down
//! to.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use maud::{Markup, html};

use super::detail::basis;
use super::names::Broken;
use super::view::{Place, View};
use crate::cell::{RuleOf, Verdict};
use crate::fit::Fit;
use crate::outcome::Change;
use crate::report::TestedPlayer;
use crate::settings::FittedSetting;
use playsim_base::html::{BR, Text, head};
use playsim_base::words::counted;
use playsim_report::page::glyphs::{ARROW, glyph};
use playsim_report::page::prose;

/// Returns the players.
pub(super) fn players(view: &View<'_>) -> Markup {
    let rows: Vec<(&str, &TestedPlayer, [usize; 7])> = view
        .columns
        .iter()
        .map(|column| {
            let counts = &column.player.counts;
            let missing = view
                .lines()
                .filter(|line| column.cell(line.row).is_none())
                .count();
            let numbers = [
                counts.same,
                counts.shared,
                counts.knob,
                counts.differs,
                counts.not_played,
                counts.unknown,
                missing,
            ];
            (&*column.id, column.player, numbers)
        })
        .collect();
    let sums: [usize; 7] =
        std::array::from_fn(|at| rows.iter().map(|(.., numbers)| numbers[at]).sum());
    html! {
        table.list {
            caption.off { "Players, and how many situations have which result" }
            (head(&[&["player", "made of", "compared with"], &NAMES.map(|(name, _)| name)[..]].concat()))
            tbody {
                @for (id, player, numbers) in &rows {
                    tr id={ "player-" (id) } {
                        th scope="row" { b { (Text(&player.name)) } }
                        td.wrap { (made_of(player)) }
                        td.wrap { (profile(player)) }
                        (cells(numbers))
                    }
                }
                @if rows.len() > 1 { tr.total { th scope="row" { "all" } td {} td {} (cells(&sums)) } }
            }
        }
    }
}

/// The columns of numbers, and the labels of their cells.
const NAMES: [(&str, &str); 7] = [
    (">same", "same "),
    (
        ">same but for what many share",
        "same but for what many share ",
    ),
    (">knob", "knob "),
    (">differs", "differs "),
    (">not played", "not played "),
    (">cannot say", "cannot say "),
    (">no recording", "no recording "),
];

fn cells(numbers: &[usize; 7]) -> Markup {
    html! { @for ((_, label), number) in NAMES.iter().zip(numbers) { td.num data-l=(label) { (number) } } }
}

/// Returns the changes since the baseline, the worse first.
pub(super) fn changes(view: &View<'_>) -> Markup {
    let mut found: Vec<(Change, Place<'_, '_>)> = view
        .cells()
        .filter_map(|place| Some((place.cell.change?, place)))
        .collect();
    if found.is_empty() {
        return html! {};
    }
    found.sort_by_key(|(change, _)| match change {
        Change::New => 0,
        Change::Changed => 1,
        Change::Fixed => 2,
    });
    let seen = |place: &Place<'_, '_>| match (&place.cell.first, place.cell.faults.first()) {
        (Some(first), _) => first.sentence.clone(),
        (None, Some(fault)) => fault.sentence.clone(),
        (None, None) => place.cell.verdict.word(),
    };
    html! {
        p.lead { "What is new, has changed, or is fixed; everything else is as the baseline has it." }
        table.list {
            caption.off { "Changes against the baseline" }
            (head(&["change", "situation", "player", "what is seen now"]))
            tbody {
                @for (change, place) in found {
                    tr {
                        th.nb scope="row" {
                            @if change == Change::Fixed { (glyph("better", "good")) } @else { (glyph("worse", "bad")) }
                            " " (change.word())
                        }
                        td.wrap { a href=(Text(&place.link())) { (Broken(&place.line.row.name)) } }
                        td { (Text(&place.column.player.label)) }
                        td.wrap { (Text(&seen(&place))) }
                    }
                }
            }
        }
    }
}

/// Returns the differences of players in many cases.
pub(super) fn shared(view: &View<'_>) -> Markup {
    let mut columns = view
        .columns
        .iter()
        .filter(|column| !column.player.shared.is_empty())
        .peekable();
    if columns.peek().is_none() {
        return html! {};
    }
    html! {
        p.lead {
            "Named once here, and left out of the cells. What a viewer or an advertiser notices most is first."
        }
        @for column in columns {
            h3 id={ "shared-" (column.id) } { (Text(&column.player.label)) }
            table.list {
                caption.off { "Shared differences" }
                (head(&["what", "what is noticed", ">situations", "which"]))
                tbody {
                    @for it in &column.player.shared {
                        @let is_own = |place: &Place<'_, '_>| {
                            place.column.id == column.id && it.cases.contains(&place.line.row.name)
                        };
                        tr {
                            th.wrap scope="row" { (Text(&it.class)) }
                            td { (it.importance.words()) }
                            td.num data-l="situations " { (it.cases.len()) }
                            td.wrap { (links(view, &view.cells().filter(is_own).collect::<Vec<_>>())) }
                        }
                    }
                }
            }
        }
    }
}

fn made_of(player: &TestedPlayer) -> Markup {
    let versions = player
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    let parts = versions.chain(player.browser.clone());
    html! { @for (nth, part) in parts.enumerate() { @if nth > 0 { (BR) } (Text(&part)) } }
}

/// Returns the profile, and its knobs that are not at their default.
fn profile(player: &TestedPlayer) -> Markup {
    html! {
        "profile " (Text(&player.profile))
        @if !player.settings.is_empty() {
            details {
                summary { (ARROW) " " (counted(player.settings.len(), "knob")) }
                ul.set { @for it in &player.settings { li { code { (Broken(&it.to_string())) } } } }
            }
        }
    }
}

/// Returns the decisions of each adapter.
pub(super) fn adapters(view: &View<'_>) -> Markup {
    let mut columns = view
        .columns
        .iter()
        .filter(|column| !column.player.decides.is_empty())
        .peekable();
    if columns.peek().is_none() {
        return html! {};
    }
    html! {
        p.lead {
            "An adapter makes the player play a situation. What it decides itself says nothing about the player."
        }
        @for column in columns {
            h3 id={ "decides-" (column.id) } { (glyph("adapter", "note")) " " (Text(&column.player.label)) }
            ul.notes { @for it in &column.player.decides { li { (prose(it)) } } }
        }
    }
}

/// Returns the knobs that explain cells.
pub(super) fn knobs(view: &View<'_>) -> Markup {
    let mut found: BTreeMap<&FittedSetting, Vec<Place<'_, '_>>> = BTreeMap::new();
    for place in view.cells() {
        if let Verdict::Knob { settings } = &place.cell.verdict {
            for setting in settings {
                found.entry(setting).or_default().push(place);
            }
        }
    }
    if found.is_empty() {
        return html! {};
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, places)| Reverse(places.len()));
    html! {
        p.lead {
            "Each knob turned alone explains the whole situation. Where any one of several is enough, the cell counts for each. A "
            "knob that helps one cell only may do so by chance."
        }
        table.list {
            caption.off { "Knobs, and the cells that they explain" }
            (head(&["knob", ">makes the same", "cells"]))
            tbody {
                @for (setting, places) in found {
                    tr {
                        th.wrap.mono scope="row" { (Broken(&setting.to_string())) }
                        td.num data-l="makes the same " { (places.len()) }
                        td.wrap { (links(view, &places)) }
                    }
                }
            }
        }
    }
}

/// The most cells that are listed unfolded.
const FEW: usize = 3;

/// Returns links to cells, by player.
fn links(view: &View<'_>, places: &[Place<'_, '_>]) -> Markup {
    let list = html! {
        ul.cells {
            @for column in &view.columns {
                @let own: Vec<_> = places.iter().filter(|place| place.column.id == column.id).collect();
                @if !own.is_empty() {
                    li {
                        (Text(&column.player.label)) ":"
                        @for place in own {
                            " " a href=(Text(&place.link())) { (Broken(&place.line.row.name)) }
                        }
                    }
                }
            }
        }
    };
    if places.len() <= FEW {
        return list;
    }
    html! { details { summary { (ARROW) " " (counted(places.len(), "cell")) } (list) } }
}

/// Returns the knobs that fit players best over all situations.
pub(super) fn fits(view: &View<'_>, fits: &[(&str, &Fit)]) -> Markup {
    let is_known = |name: &str| view.columns.iter().any(|column| column.player.name == name);
    let mut fits = fits
        .iter()
        .filter(|(player, _)| is_known(player))
        .peekable();
    if fits.peek().is_none() {
        return html! {};
    }
    html! {
        p.lead { "Settings that at least three recordings of a player ask for, and none contradicts." }
        @for (player, fit) in fits {
            @let added = fit.decided.iter().filter(|knob| !knob.is_of_base).count();
            h3 { (Text(player)) }
            p {
                "With profile " (Text(&fit.base)) " " (fit.before.in_order) " of "
                (counted(fit.before.recordings, "situation")) " go in the same order, with "
                (counted(added, "more setting")) " " (fit.after.in_order) "."
            }
            @if !fit.decided.is_empty() {
                table.list {
                    caption.off { "Settings that the recordings of " (Text(player)) " decide" }
                    (head(&["setting", ">recordings", "as good"]))
                    tbody {
                        @for knob in &fit.decided {
                            tr {
                                th.wrap.mono scope="row" { (Broken(&knob.setting.to_string())) }
                                td.num data-l="recordings" { (knob.decided_by.len()) }
                                td.wrap { (Broken(&knob.as_good().unwrap_or_default())) }
                            }
                        }
                    }
                }
            }
            @if !fit.remaining.is_empty() {
                details {
                    summary {
                        (ARROW) " "
                        @match fit.remaining.len() {
                            1 => "1 situation differs still",
                            more => { (more) " situations differ still" }
                        }
                    }
                    ul.notes {
                        @for (case, count) in &fit.remaining { li { (Broken(case)) ": " (counted(*count, "difference")) } }
                    }
                }
            }
        }
    }
}

/// Returns the rules at which cells differ first.
pub(super) fn rules(view: &View<'_>) -> Markup {
    let mut found: Vec<(&RuleOf, Vec<Place<'_, '_>>)> = Vec::new();
    let mut without: Vec<Place<'_, '_>> = Vec::new();
    for place in view.cells() {
        let Some(first) = &place.cell.first else {
            continue;
        };
        match &first.rule {
            Some(rule) => match found.iter_mut().find(|(other, _)| other.id == rule.id) {
                Some((_, places)) => places.push(place),
                None => found.push((rule, vec![place])),
            },
            None => without.push(place),
        }
    }
    if found.is_empty() {
        return html! {};
    }
    found.sort_by_key(|(rule, places)| (Reverse(places.len()), &rule.id));
    let cells = |places: &[Place<'_, '_>]| {
        html! {
            td.num data-l="cells " { (places.len()) }
            td.wrap { (links(view, places)) }
        }
    };
    html! {
        p.lead {
            "The rule of the first difference of each cell that differs, or is the same with a knob only. A difference from a "
            "choice is information, not a failure."
        }
        table.list {
            caption.off { "Rules, and the cells that differ in them first" }
            (head(&["rule", "rests on", "what playsim does", ">cells", "which"]))
            tbody {
                @for (rule, places) in &found {
                    tr id={ "rule-" (Text(&rule.id)) } {
                        th.nb scope="row" { b { (Text(&rule.id)) } }
                        td { (basis(rule)) }
                        td.wrap.gist { (prose(rule.gist)) }
                        (cells(places))
                    }
                }
                @if !without.is_empty() {
                    tr {
                        th scope="row" { "none" }
                        td {}
                        td.wrap.gist { "Only the player does it: no rule of playsim leads to it." }
                        (cells(&without))
                    }
                }
            }
        }
    }
}
