//! The rules: a page for each family, and an index in which each rule has its anchor too.

use std::collections::BTreeMap;

use maud::{Markup, html};
use playsim::dictionary::{self, Entry};
use playsim::knobs::KNOBS;
use playsim::report::page::prose;
use playsim::rules::{Basis, Built, RuleId, families};
use playsim_base::html::Text;
use playsim_base::words::counted;
use playsim_rules::print::{SHOWN_BY, shown_by};

use crate::Failure;
use crate::codes;
use crate::fixtures;
use crate::frame::{Area, Site, SitePage, links};

/// Returns the path of a rule in the site.
pub(crate) fn path(id: RuleId) -> String {
    format!("rules/{}#{id}", file(id.family()))
}

/// Returns the path of a rule by its ID, seen from a folder of the site.
pub(crate) fn path_of(id: &str) -> String {
    match id.parse::<RuleId>() {
        Ok(id) => format!("../{}", path(id)),
        Err(_) => format!("../{}", Area::Rules.path()),
    }
}

fn file(family: &str) -> String {
    format!("{}.html", family.to_lowercase())
}

pub(crate) fn write(site: &mut Site) -> Result<(), Failure> {
    let mut codes_of: BTreeMap<RuleId, Vec<&'static Entry>> = BTreeMap::new();
    for entry in dictionary::all() {
        for rule in entry.rules() {
            codes_of.entry(rule).or_default().push(entry);
        }
    }
    let count: usize = families().iter().map(|family| family.rows.len()).sum();
    let body = html! {
        header {
            h1 { "What the simulated player does: " (counted(count, "rule")) }
            p.lead {
                "Each line of a trace names the rule that decided it: " code { "playsim run --why" } " shows them, and "
                code { "playsim rules" } " prints this table."
            }
        }
        main { section { h2.off { "Families" } (index()) } section #bases { h2 { "What a rule rests on" } (bases()) } }
    };
    let title = "Rules of playsim: what the documented player does, and why";
    let description = "Every rule of the simulated video player with its source: playback, breaks, ad requests, wrappers, \
                       trackers, VPAID, SIMID, media element.";
    site.write(
        Area::Rules.path(),
        Some(Area::Rules),
        SitePage {
            title,
            description,
            style: "",
            script: None,
            body,
        },
    )?;
    for family in families() {
        let title = format!("{}: {} · rules of playsim", family.name, family.title);
        let body = html! {
            header {
                p.eyebrow { a href="index.html" { "Rules" } }
                h1 { (family.name) ": " (Text(family.title)) }
            }
            main { @for row in family.rows { (rule(row.id, codes_of.get(&row.id).map_or(&[], Vec::as_slice))) } }
        };
        let description = family
            .rows
            .first()
            .map_or_else(String::new, |row| format!("{}. {}", family.title, row.gist));
        let page = SitePage {
            title: &title,
            description: &description,
            style: "",
            script: None,
            body,
        };
        site.write(
            &format!("rules/{}", file(family.name)),
            Some(Area::Rules),
            page,
        )?;
    }
    Ok(())
}

/// Returns the families with the numbers of their rules: an anchor for each rule, which leads on to
/// it.
fn index() -> Markup {
    html! {
        table.list.families {
            thead { tr { th scope="col" { "family" } th scope="col" { "about" } th scope="col" { "rules" } } }
            tbody {
                @for family in families() {
                    tr {
                        th scope="row" { a href=(file(family.name)) { (family.name) } }
                        td.wrap { (Text(family.title)) }
                        td.wrap {
                            @for row in family.rows {
                                a.n id=(row.id) href={ (file(family.name)) "#" (row.id) } { (row.id.number()) } " "
                            }
                        }
                    }
                }
            }
        }
    }
}

fn bases() -> Markup {
    let bases = [
        (Basis::Stated, "the reference of the player says so"),
        (Basis::Html, "the HTML standard, mostly its media element"),
        (
            Basis::Iab,
            "a standard of the IAB: VAST, VMAP, VPAID or SIMID",
        ),
        (Basis::Chosen, "no source settles it: a choice of playsim"),
        (
            Basis::NotModelled,
            "a point of the reference that is deliberately left out",
        ),
    ];
    html! {
        dl.facts { @for (basis, about) in bases { dt { (basis.word()) } dd { (about) } } }
    }
}

fn rule(id: RuleId, codes_of: &[&'static Entry]) -> Markup {
    let row = id.row();
    let shown = shown_by(SHOWN_BY, id);
    let knobs = KNOBS
        .iter()
        .filter(|knob| knob.rules.contains(&id))
        .map(|knob| knob.name);
    let knobs: Vec<&str> = knobs.collect();
    html! {
        section.rule id=(id) {
            h2 { a href={ "#" (id) } { (id) } " " span.chip.note[row.basis == Basis::Chosen] { (row.basis.word()) } }
            p { (prose(row.gist)) }
            dl.facts.small {
                dt { "source" } dd { (prose(row.source)) }
                @match row.built {
                    Built::Yes => {}
                    Built::No(why) => { dt { "not built" } dd { (prose(why)) } }
                }
                @if !knobs.is_empty() {
                    dt { "knobs" }
                    dd {
                        @for (nth, knob) in knobs.iter().enumerate() {
                            @if nth > 0 { ", " }
                            a href="../book/knobs.html" { code { (knob) } }
                        }
                    }
                }
                @if !codes_of.is_empty() {
                    dt { "codes" }
                    dd { (links(codes_of.iter().map(|entry| (format!("../{}", codes::path(entry)), codes::name(entry))))) }
                }
                @if !shown.is_empty() { dt { "shown by" } dd { (shown_list("../", &shown)) } }
            }
        }
    }
}

/// Returns the names of tests, and of scenarios, which lead to their files; folded if there are
/// many.
pub(crate) fn shown_list(up: &str, shown: &[String]) -> Markup {
    const FEW: usize = 3;
    let list = |names: &[String]| {
        html! {
            ul.notes {
                @for name in names {
                    li {
                        @match fixtures::name(name) {
                            Some(short) => { a href={ (up) (name) } { (Text(short)) } }
                            None => (Text(name)),
                        }
                    }
                }
            }
        }
    };
    html! {
        @if shown.len() <= FEW { (list(shown)) } @else {
            details { summary { (counted(shown.len(), "scenario")) " and tests" } (list(shown)) }
        }
    }
}
