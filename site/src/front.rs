//! The front page, the report of its demo, and the page for addresses that lead nowhere.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use playsim::report::page::{STYLE as REPORT_STYLE, glyphs};
use playsim_base::html::{Script, Text};

use crate::Failure;
use crate::frame::{Area, Site, SitePage};
use crate::played::Played;
use crate::playground;
use crate::readme::Readme;

/// The whole report of the demo.
const REPORT: &str = "demo/report.html";

/// Loads the playground when it is unfolded. When it changes, the test of its hash fails with the
/// new one.
const SCRIPT: Script = Script {
    text: include_str!("front.js"),
    sha256: "ZyC2tXBjp7a9iuvSNj6muo1Blh+K0B6SMmhsWjif/NA=",
};

/// The readers, by the headings of the README.
const FIRST_STEPS: [(&str, &str); 3] = [
    ("engineers", "First steps for player and QA engineers"),
    ("ad-operations", "First steps for ad operations"),
    ("testers", "First steps for fuzz and property testers"),
];

pub(crate) fn write(site: &mut Site) -> Result<(), Failure> {
    let readme = Readme::read()?;
    let demo = Played::of(&playsim::scenario::demo())?;
    let title = "playsim: a headless, deterministic stand-in for an ad-supported web video player";
    let body = html! {
        (glyphs::DEFINITIONS)
        header.front {
            h1 { "Play a video page with its ads in microseconds, and read exactly what happened" }
            (readme.lead()?)
            (sections())
        }
        main {
            section #demo { h2 { "A scenario and its trace" } (shown(site, &demo)) }
            section #install { h2 { "Install" } (readme.section("Install")?) }
            @for (id, heading) in FIRST_STEPS {
                section id=(id) { h2 { (heading) } (readme.section(heading)?) }
            }
            section #not { h2 { "What it is not" } (readme.section("What it is not")?) }
            section #more { h2 { "More" } (more(site)) }
        }
    };
    let description = "Describe a video page, its ad tags and their delays; get an exact, reproducible trace of events, ad \
                       requests, wrappers, beacons and error codes.";
    // It only loads the playground.
    let script = site.has(Area::Playground).then_some(SCRIPT);
    site.write(
        "index.html",
        Some(Area::Front),
        SitePage {
            title,
            description,
            style: REPORT_STYLE,
            script,
            body,
        },
    )?;
    let report = demo.report().page();
    site.write_own(REPORT, Area::Front, &report.title.clone(), report)?;
    missing(site)
}

fn sections() -> Markup {
    html! {
        nav aria-label="sections" {
            a href="#demo" { "Demo" } " "
            a href="#install" { "Install" } " "
            @for (id, heading) in FIRST_STEPS { a href={ "#" (id) } { (heading) } " " }
            a href="#not" { "What it is not" } " "
            a href="#more" { "More" }
        }
    }
}

fn shown(site: &Site, demo: &Played) -> Markup {
    let inset = demo.report().inset();
    html! {
        p { "Three ad tags are tried one after another: the first has no ad, the second never responds, the third fills." }
        div.demo {
            div { h3 { "The scenario" } pre tabindex="0" { (Text(demo.text)) } }
            div { h3 { "Its trace, as far as ads are concerned" } pre tabindex="0" { (Text(&demo.ads())) } }
        }
        h3 { "Its report" }
        p { b { (Text(&inset.sentence)) } " " a href=(REPORT) { "The whole report" } }
        (elsewhere(&html! { (inset.sections.only("waterfall")) }.0, REPORT))
        @if site.has(Area::Playground) {
            @let link = playground::link(&playsim::scenario::demo());
            p {
                a href=(link) { "Open it in the playground" }
                ": change the scenario, and read the report while you type. Nothing leaves the page."
            }
            details.try.js-only {
                summary { "Try it here" }
                // Loaded when it is unfolded, since it is large.
                iframe data-src=(link) title="The playground" {}
            }
        }
    }
}

/// Returns a part of another page: its links to what is not in the part lead to that page. The
/// symbols are in both.
fn elsewhere(part: &str, page: &str) -> Markup {
    let mut pieces = part.split("href=\"#");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let id = piece.split('"').next().unwrap_or_default();
        let is_here = id.starts_with("g-") || part.contains(&format!("id=\"{id}\""));
        let _ = write!(out, "href=\"{}#{piece}", if is_here { "" } else { page });
    }
    PreEscaped(out)
}

fn more(site: &Site) -> Markup {
    let areas = [
        (
            Area::Playground,
            "Playground",
            "scenarios and recordings in the browser, without installing anything",
        ),
        (
            Area::Book,
            "The book",
            "the scenario format, waterfalls, recordings, profiles, sweeps, the library",
        ),
        (
            Area::Codes,
            "Error codes",
            "what VAST, VMAP, SIMID, VPAID and IMA SDK codes mean, who has to act, what helps",
        ),
        (
            Area::Rules,
            "Rules",
            "everything that the simulated player does, with its source",
        ),
        (
            Area::Matrix,
            "Conformance",
            "real players compared with the documented behaviour",
        ),
        (
            Area::ApiRust,
            "API of the Rust library",
            "every type and function",
        ),
        (
            Area::ApiJavaScript,
            "API of the npm package",
            "a page's own script against the documented player",
        ),
    ];
    html! {
        dl.areas {
            @for (area, name, about) in areas.into_iter().filter(|(area, ..)| site.has(*area)) {
                dt { a href=(area.path()) { (name) } }
                dd { (about) }
            }
        }
    }
}

/// Writes the page that hosts show for addresses that lead nowhere.
fn missing(site: &Site) -> Result<(), Failure> {
    let base = &site.base;
    let body = html! {
        header { h1 { "There is no such page" } }
        main {
            p { "The address may be that of an earlier version. These pages list all that there is:" }
            ul {
                li { a href={ (base) (Area::Codes.path()) } { "error codes, such as VAST 303" } }
                li { a href={ (base) (Area::Rules.path()) } { "rules, such as REQ-4" } }
                li { a href={ (base) (Area::Book.path()) } { "chapters of the book" } }
                li { a href={ (base) (Area::Front.path()) } { "the front page" } }
            }
        }
    };
    let page = SitePage {
        title: "There is no such page",
        description: "There is no such page.",
        style: "",
        script: None,
        body,
    };
    site.write("404.html", None, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_script() {
        use sha2::Digest as _;
        let hash = data_encoding::BASE64.encode(&sha2::Sha256::digest(SCRIPT.text.as_bytes()));
        assert_eq!(
            SCRIPT.sha256, hash,
            "the script has changed: this is its new hash"
        );
    }
}
