//! The error codes: a page for each, since people search for the code that they have, and an index.

use std::collections::BTreeSet;

use maud::{Markup, html};
use playsim::dictionary::{self, CodeFamily, Condition, Entry, ErrorCode, Who};
use playsim::report::page::prose;
use playsim::rules::RuleId;
use playsim_base::html::{Text, head};
use playsim_rules::print::{SHOWN_BY, shown_by};
use playsim_scenario::{FAILURES, Ready};

use crate::Failure;
use crate::frame::{Area, Site, SitePage, links};
use crate::played::Played;
use crate::playground;
use crate::rules;

/// Returns the path of the page of a code, in the site.
pub(crate) fn path(entry: &Entry) -> String {
    format!("codes/{}/index.html", folder(entry))
}

/// Returns its name, such as `VAST 303`.
pub(crate) fn name(entry: &Entry) -> String {
    format!("{} {}", entry.family.title(), entry.code)
}

fn folder(entry: &Entry) -> String {
    format!(
        "{}-{}",
        entry.family.name(),
        entry.code.to_string().to_lowercase()
    )
}

/// Returns the title, as people type it who have the code.
fn title(entry: &Entry) -> String {
    let error = match entry.code {
        ErrorCode::Number(_) => "error ",
        ErrorCode::Word(_) => "",
    };
    let sdk_name = entry
        .sdk_name
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    format!(
        "{} {error}{}: {}{sdk_name}",
        entry.family.title(),
        entry.code,
        entry.title
    )
}

pub(crate) fn write(site: &mut Site) -> Result<(), Failure> {
    let body = html! {
        header {
            h1 { "Error codes of video ads" }
            p.lead {
                "What each code means, who has to act, and what helps. In the terminal: " code { "playsim code 303" } "."
            }
            nav aria-label="sections" {
                @for family in CodeFamily::ALL { a href={ "#" (family.name()) } { (family.title()) } " " }
            }
        }
        main { @for family in CodeFamily::ALL { (index(*family)) } }
    };
    let title = "Error codes of VAST, VMAP, SIMID, VPAID and the IMA SDK";
    let description = "All error codes of video ads, from VAST error 100 to 902, VMAP, SIMID, VPAID and IMA SDK: meaning, \
                       causes, who has to act, and what helps.";
    site.write(
        Area::Codes.path(),
        Some(Area::Codes),
        SitePage {
            title,
            description,
            style: "",
            script: None,
            body,
        },
    )?;
    for entry in dictionary::all() {
        page(site, entry)?;
    }
    Ok(())
}

fn index(family: CodeFamily) -> Markup {
    html! {
        section id=(family.name()) {
            h2 { (family.title()) }
            p.lead { (family.gist()) }
            table.list {
                (head(&["code", "meaning", "who has to act"]))
                tbody {
                    @for entry in family.entries() {
                        tr {
                            th.nb scope="row" { a href={ (folder(entry)) "/index.html" } { (entry.code) } }
                            td.wrap {
                                (Text(entry.title))
                                @if let Some(name) = entry.sdk_name { " " code.muted { (name) } }
                            }
                            td { (who(entry.who)) }
                        }
                    }
                }
            }
        }
    }
}

fn page(site: &Site, entry: &Entry) -> Result<(), Failure> {
    let title = title(entry);
    let examples = examples(site, entry)?;
    let rules = entry.rules();
    let body = html! {
        header {
            p.eyebrow {
                a href="../index.html" { "Error codes" } " · "
                a href={ "../index.html#" (entry.family.name()) } { (entry.family.title()) }
            }
            h1 { (Text(&title)) }
        }
        main {
            section { h2 { "What it means" } (meaning(entry)) }
            section { h2 { "Who has to act" } (actors(entry.who)) }
            section { h2 { "Usually because" } (list(entry.causes)) }
            section { h2 { "What helps" } (list(entry.remedies)) }
            @if !rules.is_empty() || !examples.0.is_empty() {
                section { h2 { "How playsim produces it" } (examples) (produced(entry, &rules)) }
            }
            @for condition in entry.conditions() { (given(&condition)) }
            @let related = related(entry);
            @if !related.is_empty() {
                section {
                    h2 { "Related codes" }
                    ul.notes {
                        @for other in related {
                            li { a href={ "../" (folder(other)) "/index.html" } { (name(other)) } ": " (Text(other.title)) }
                        }
                    }
                }
            }
            footer { p { "In the terminal: " code { "playsim code " (typed(entry)) } } }
        }
    };
    let page = SitePage {
        title: &title,
        description: entry.meaning,
        style: "",
        script: None,
        body,
    };
    site.write(&path(entry), Some(Area::Codes), page)
}

fn meaning(entry: &Entry) -> Markup {
    html! {
        p { (prose(entry.meaning)) }
        dl.facts.small {
            dt { "defined by" } dd { (Text(entry.family.gist())) }
            @if let Some(since) = entry.since { dt { "since" } dd { "VAST " (since) } }
            @if let Some(name) = entry.sdk_name { dt { "name in the SDK" } dd { code { (name) } } }
        }
    }
}

fn list(items: &[&str]) -> Markup {
    html! { ul.prose { @for item in items { li { (prose(item)) } } } }
}

fn who(who: &[Who]) -> String {
    who.iter()
        .map(|who| who.name())
        .collect::<Vec<_>>()
        .join(", ")
}

fn actors(who: &[Who]) -> Markup {
    html! { dl.facts { @for who in who { dt { (who.name()) } dd { (Text(who.gist())) } } } }
}

/// Returns what to type after `playsim code`.
fn typed(entry: &Entry) -> String {
    match (entry.family, entry.code) {
        (CodeFamily::Vast, ErrorCode::Number(number)) => number.to_string(),
        (family, code) => format!("{} {code}", family.name()),
    }
}

/// Returns the rules that give it, with the scenarios that show them, and the knobs that decide.
fn produced(entry: &Entry, rules: &[RuleId]) -> Markup {
    let knobs: Vec<&str> = entry.knobs().iter().map(|knob| knob.name).collect();
    html! {
        @for id in rules {
            h3 { a href={ "../../" (rules::path(*id)) } { (id) } }
            p { (prose(id.row().gist)) }
            @let shown = shown_by(SHOWN_BY, *id);
            @if !shown.is_empty() { div.shown { (rules::shown_list("../../", &shown)) } }
        }
        @if !knobs.is_empty() {
            p {
                "Knobs that decide it: "
                (links(knobs.iter().map(|knob| ("../../book/knobs.html".to_owned(), (*knob).to_owned()))))
            }
        }
    }
}

/// Returns the traces of the ready-made scenarios that give the code.
fn examples(site: &Site, entry: &Entry) -> Result<Markup, Failure> {
    let mut parts = Vec::new();
    for ready in FAILURES.iter().filter(|ready| gives(ready, entry)) {
        parts.push((ready, Played::of(ready.files)?.ads()));
    }
    Ok(html! {
        @for (ready, trace) in parts {
            h3 { code { "playsim demo " (ready.name) } }
            p {
                (Text(ready.about))
                @if site.has(Area::Playground) {
                    " · " a href={ "../../" (playground::link(ready.files)) } { "open it in the playground" }
                }
            }
            pre tabindex="0" { (Text(&trace)) }
        }
    })
}

/// Returns whether a scenario was made to show a code of VAST, which is at the end of its
/// description.
fn gives(ready: &Ready, entry: &Entry) -> bool {
    let code = ready.about.rsplit_once(": ").map(|(_, code)| code);
    entry.family == CodeFamily::Vast && code == Some(&*entry.code.to_string())
}

/// Returns what products give under a condition.
fn given(condition: &Condition) -> Markup {
    let codes = |codes: &[u16]| {
        codes
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    html! {
        section {
            h2 { "What products give: " (Text(condition.about)) }
            table.list {
                (head(&["profile", "codes", "in words"]))
                tbody {
                    @for given in &condition.given {
                        tr {
                            th.nb scope="row" { (given.profile.name()) }
                            td.nb data-l="codes " { (codes(&given.codes)) }
                            td.wrap { (Text(given.says)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns codes that are looked for when this one is: those of the same hundred, the same number
/// elsewhere, and those that its texts name.
fn related(entry: &Entry) -> Vec<&'static Entry> {
    let texts = [&[entry.meaning], entry.causes, entry.remedies].concat();
    let words = texts
        .iter()
        .flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphanumeric()));
    let named: BTreeSet<u16> = words.filter_map(|word| word.parse().ok()).collect();
    let is_related = |other: &&Entry| {
        let is_near = match (entry.number(), other.number()) {
            (Some(one), Some(two)) if entry.family == other.family => one / 100 == two / 100,
            (one, two) => one.is_some() && one == two,
        };
        let is_family = [entry.family, CodeFamily::Vast, CodeFamily::Sdk].contains(&other.family);
        is_near || is_family && other.number().is_some_and(|number| named.contains(&number))
    };
    let others = dictionary::all().filter(|it| (it.family, it.code) != (entry.family, entry.code));
    others.filter(is_related).collect()
}
