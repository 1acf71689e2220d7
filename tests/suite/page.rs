//! The report of a run as a web page: its structure, what it says, and how it behaves in a browser.
//!
//! The test in a browser needs Node, the package `playwright-core` and Chromium, which the project
//! does not include; without them it says so and passes. `PLAYSIM_PLAYWRIGHT` names the folder
//! whose `node_modules` has the package, and perhaps `axe-core` (default: this project's),
//! `PLAYSIM_CHROMIUM` the browser (default: /usr/bin/chromium).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario;
use playsim::{Scenario, Simulation, Trace};
use roxmltree::{Document, Node};

mod players;
mod recorded;
mod samples;
mod what_if;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads and plays a scenario of the fixtures.
fn played(file: &str) -> (Scenario, Trace) {
    let path = root().join("fixtures").join(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = path.parent().expect("it is in a folder").to_owned();
    let scenario = scenario::read(file, &text, &mut |name| {
        fs::read_to_string(folder.join(name))
    })
    .unwrap_or_else(|error| panic!("{file}: {error}"));
    let trace = Simulation::new(&scenario).expect("it can be played").run();
    (scenario, trace)
}

/// Returns the page of a scenario as `playsim run --format html` writes it.
fn page(file: &str) -> String {
    let (scenario, trace) = played(file);
    let waterfalls = Waterfalls::of_played(&trace, &scenario);
    let page = ReportPage::new(&trace)
        .with_waterfalls(&waterfalls)
        .with_documents(&scenario);
    written(&page.with_command(format!("playsim run {file} --format html")))
}

fn written(page: &ReportPage<'_>) -> String {
    let mut html = String::new();
    page.write(&mut html)
        .expect("writing to a string cannot fail");
    html
}

/// Pages are XML as well, apart from their first line.
fn parsed(html: &str) -> Document<'_> {
    let xml = html
        .strip_prefix("<!doctype html>\n")
        .expect("it begins with its type");
    Document::parse(xml).unwrap_or_else(|error| panic!("{error}\n{html}"))
}

/// The scenarios whose pages are looked at: one break, several, several players, schedules,
/// overlays, no ads, only edit calls, a failure of the content, units.
const SCENARIOS: &[&str] = &[
    "cli/waterfall.yaml",
    "scenarios/failures/pod_after_wrapper.yaml",
    "scenarios/failures/wrapper_loop.yaml",
    "scenarios/failures/slow_then_good.yaml",
    "scenarios/failures/http_404.yaml",
    "scenarios/midrolls/mid_rolls_of_each_item_of_a_list.yaml",
    "scenarios/breaks/two_players_have_independent_breaks.yaml",
    "scenarios/vmap/breaks_that_fail_report_their_codes.yaml",
    "scenarios/vmap/break_repeats_until_the_end.yaml",
    "scenarios/overlays/overlays_that_overlap_take_turns.yaml",
    "scenarios/outstream/unit_that_fills_shows_and_destroys_itself.yaml",
    "scenarios/edit/errors_are_reported_together.yaml",
    "scenarios/playback_errors/media_that_is_missing_fails.yaml",
    "scenarios/live/live_stream_plays_without_an_end.yaml",
];

/// What must hold in every page of usual size.
fn check(name: &str, html: &str) {
    check_structure(name, html);
    assert!(html.len() < 300_000, "{name}: {} bytes", html.len());
}

/// What must hold in every page.
fn check_structure(name: &str, html: &str) {
    let document = parsed(html);
    let all = || document.descendants().filter(Node::is_element);
    let ids: Vec<&str> = all().filter_map(|node| node.attribute("id")).collect();
    let unique: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "{name}: an id is used twice");
    for node in all() {
        if let Some(link) = node.attribute("href") {
            let target = link
                .strip_prefix('#')
                .unwrap_or_else(|| panic!("{name}: {link} leaves the page"));
            assert!(unique.contains(target), "{name}: {link} leads nowhere");
        }
        for (attribute, value) in node.attributes().map(|it| (it.name(), it.value())) {
            assert!(
                !attribute.starts_with("on") && attribute != "src",
                "{name}: {attribute}={value}"
            );
            let refers = value
                .split("url(")
                .skip(1)
                .all(|target| target.starts_with('#'));
            assert!(refers, "{name}: {attribute}={value}");
        }
        if let Some(label) = node.attribute("aria-labelledby") {
            assert!(
                unique.contains(label),
                "{name}: the label {label} is missing"
            );
        }
        if node.has_tag_name("th") && node.parent_element().is_some() {
            assert!(
                node.attribute("scope").is_some(),
                "{name}: a head of a table without a scope"
            );
        }
    }
    for loaded in [
        "link", "img", "iframe", "object", "embed", "base", "form", "video", "image",
    ] {
        assert!(
            !all().any(|node| node.has_tag_name(loaded)),
            "{name}: <{loaded}>"
        );
    }
    let scripts: Vec<_> = all().filter(|node| node.has_tag_name("script")).collect();
    assert!(scripts.len() <= 1, "{name}: one script at most");
    let is_little = |script: &Node<'_, '_>| script.text().is_some_and(|text| text.len() < 1_400);
    assert!(scripts.iter().all(is_little), "{name}: a little script");
    for landmark in ["header", "main", "footer", "h1"] {
        assert_eq!(
            all().filter(|node| node.has_tag_name(landmark)).count(),
            1,
            "{name}: one <{landmark}>"
        );
    }
    let is_obeyed = |letter: char| {
        letter != '\n'
            && letter != '\t'
            && (letter.is_control() || "\u{2028}\u{2029}\u{202e}\u{2066}\u{feff}".contains(letter))
    };
    assert!(!html.contains(is_obeyed), "{name}: a control character");
}

#[test]
fn every_page_is_well_formed_and_loads_nothing() {
    for file in SCENARIOS {
        let html = page(file);
        check(file, &html);
        assert_eq!(html, page(file), "{file} is written twice");
    }
    for (name, html) in samples::all().into_iter().chain(what_if::all()) {
        check(name, &html);
    }
}

/// Returns what a page says, one line for each paragraph, item and row.
fn said(html: &str) -> String {
    let document = parsed(html);
    let mut text = String::new();
    let body = document
        .descendants()
        .find(|node| node.has_tag_name("body"))
        .expect("it has a body");
    say(body, &mut text);
    text
}

/// The elements that begin a line, and those that are not read.
const LINES: &[&str] = &[
    "h1", "h2", "h3", "p", "tr", "li", "dt", "dd", "summary", "pre", "nav", "label", "span",
];
const SILENT: &[&str] = &["script", "svg"];

fn say(node: Node<'_, '_>, text: &mut String) {
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        if SILENT.contains(&name) {
            continue;
        }
        if LINES.contains(&name) {
            let words = words(child);
            if !words.is_empty() {
                let open = child
                    .parent_element()
                    .is_some_and(|it| it.attribute("open").is_some());
                let open = if name == "summary" && open {
                    " (open)"
                } else {
                    ""
                };
                let _ = writeln!(text, "{name:8}{words}{open}");
            }
            // What opens inside a row has lines of its own.
            child
                .children()
                .filter(|it| it.has_tag_name("td"))
                .for_each(|cell| {
                    cell.children()
                        .filter(|it| it.has_tag_name("details"))
                        .for_each(|it| say(it, text));
                });
        } else {
            say(child, text);
        }
    }
}

/// Returns the text of an element; of a picture, what it says to those who do not see it.
fn words(node: Node<'_, '_>) -> String {
    let mut words = Vec::new();
    collect(node, &mut words);
    words
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn collect(node: Node<'_, '_>, words: &mut Vec<String>) {
    for child in node.children() {
        if child.is_text() {
            words.extend(child.text().map(str::to_owned));
        } else if child.has_tag_name("svg") {
            words.extend(
                child
                    .attribute("aria-label")
                    .map(|label| format!("[{label}]")),
            );
        } else if !child.has_tag_name("details") {
            collect(child, words);
        }
    }
}

#[test]
fn pages_say_what_happened() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("fixtures/pages"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("waterfall", said(&page("cli/waterfall.yaml")));
        insta::assert_snapshot!("comparison", said(&samples::compared()));
        for (name, html) in what_if::all() {
            insta::assert_snapshot!(name, said(&html));
        }
        // The trace is the same as in the scenario's own snapshot.
        let schedule = said(&page("scenarios/vmap/break_repeats_until_the_end.yaml"));
        insta::assert_snapshot!(
            "schedule",
            schedule.split("h2      Trace").next().unwrap_or_default()
        );
    });
}

#[test]
fn the_verdict_names_the_number_that_matters_and_its_cause() {
    let verdict = |file: &str| {
        let html = page(file);
        let document = parsed(&html);
        let heading = document
            .descendants()
            .find(|node| node.has_tag_name("h1"))
            .expect("there is one");
        words(heading)
    };
    for (file, sentence) in [
        (
            "cli/waterfall.yaml",
            "Filled by the 3rd of 3 tags after 1.200 s; 1.000 s of it were lost waiting for tag 2.",
        ),
        (
            "scenarios/failures/http_404.yaml",
            "Filled by the 2nd of 2 tags after 0.270 s; 0.120 s of it were spent on tag 1 (301, status 404).",
        ),
        (
            "scenarios/failures/slow_then_good.yaml",
            "Filled by the 2nd of 2 tags after 5.150 s; 5.000 s of it were lost waiting for tag 1.",
        ),
        (
            "scenarios/vmap/breaks_that_fail_report_their_codes.yaml",
            "1 of 14 ad breaks filled; 1.000 s were lost waiting for tag 1 in the pre-roll “slow”.",
        ),
        (
            "scenarios/edit/errors_are_reported_together.yaml",
            "2 edit calls, 2 of them refused. No ad break took place; the content started after 1.000 s and played to its end.",
        ),
        (
            "scenarios/playback_errors/media_that_is_missing_fails.yaml",
            "The content failed after 0.000 s.",
        ),
    ] {
        assert_eq!(verdict(file), sentence, "{file}");
    }
}

#[test]
fn hostile_text_stays_text() {
    let html = samples::hostile();
    check("hostile", &html);
    let document = parsed(&html);
    assert!(
        !document
            .descendants()
            .any(|node| node.has_tag_name("b") && node.text() == Some("owned"))
    );
    assert!(
        html.contains("&lt;/script&gt;&lt;b&gt;owned&lt;/b&gt;"),
        "{html}"
    );
}

#[test]
fn a_long_trace_is_cut_and_says_so() {
    let html = samples::long();
    let rows = html.matches("<tr id=\"s").count();
    assert!((3_000..=3_500).contains(&rows), "{rows} rows");
    assert!(
        html.contains("more lines are left out"),
        "it says what is missing"
    );
    check_links(&html);
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
}

/// Checks that each link has its target.
fn check_links(html: &str) {
    let document = parsed(html);
    let ids: std::collections::BTreeSet<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let links = document
        .descendants()
        .filter_map(|node| node.attribute("href"));
    for link in links {
        assert!(ids.contains(&link[1..]), "{link} leads nowhere");
    }
}

/// Runs a script of `tests/page` with these arguments, if Node and a browser are installed.
fn in_browser(script: &str, arguments: &[PathBuf]) {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let packages = variable("PLAYSIM_PLAYWRIGHT").unwrap_or_else(|| root().to_owned());
    let chromium =
        variable("PLAYSIM_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_node || !chromium.exists() || !packages.join("node_modules/playwright-core").exists() {
        eprintln!("not opened: Node, playwright-core or Chromium is not installed");
        return;
    }
    let mut command = Command::new("node");
    command
        .arg(root().join("tests/page").join(script))
        .arg(&packages)
        .arg(&chromium)
        .args(arguments);
    let output = command.output().expect("Node runs");
    let (said, wrong) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{wrong}");
    eprintln!("{said}");
}

#[test]
fn long_pages_of_the_book_are_filtered_by_keyboard() {
    in_browser("filter.mjs", &[root().join("docs")]);
}

#[test]
fn pages_are_sound_in_a_browser() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut pages = samples::all();
    pages.extend(players::all());
    pages.extend(recorded::all());
    pages.extend(what_if::all());
    for file in [
        "cli/waterfall.yaml",
        "scenarios/vmap/breaks_that_fail_report_their_codes.yaml",
    ] {
        pages.push((file, page(file)));
    }
    let write = |(name, html): &(&str, String)| {
        let file = folder.join(format!("{}.html", name.replace(['/', '.'], "_")));
        fs::write(&file, html).expect("it can be written");
        file
    };
    let files: Vec<PathBuf> = pages.iter().map(write).collect();
    in_browser("check.mjs", &files);
}
