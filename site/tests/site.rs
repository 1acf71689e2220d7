//! The site is built, which checks its links, sizes and resources; then it has what its readers
//! look for.

use std::fs;
use std::path::{Path, PathBuf};

use playsim::dictionary;
use playsim::rules;
use playsim::scenario::{self, Overrides};
use playsim::trace::{Filter, View, write_text};
use playsim_base::html::Text;
use playsim_site::{Options, Part, build};

use maud::Render;

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    folder
}

fn options(out: &Path) -> Options {
    Options {
        out: out.to_owned(),
        without: vec![Part::Api, Part::Playground],
        base: "/playsim/".to_owned(),
    }
}

/// The lines about ads of the demo, played here.
fn demo() -> String {
    let [(name, text), (document, ad)] = scenario::demo();
    let mut load = |path: &str| {
        if path == document {
            Ok(ad.to_owned())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    };
    let scenario = scenario::read_over(name, text, &Overrides::default(), &mut load)
        .expect("the demo is a scenario");
    let trace = playsim::Simulation::new(&scenario)
        .expect("it can be played")
        .run();
    let mut lines = String::new();
    let filter = Filter {
        view: View::Ads,
        ..Filter::default()
    };
    write_text(&trace, &filter, false, &mut lines).expect("writing to a string cannot fail");
    lines
}

#[test]
fn the_site_is_built_and_has_all_its_parts() {
    let out = folder("site");
    // A site that was built before is replaced.
    fs::create_dir_all(out.join("codes")).expect("a folder can be made");
    fs::write(out.join(".nojekyll"), "").expect("it can be written");
    fs::write(out.join("codes/old.html"), "an old page").expect("it can be written");
    let built = build(&options(&out)).unwrap_or_else(|failure| panic!("{failure}"));
    let said = built.to_string();
    for part in ["Playground", "API: Rust", "API: JavaScript"] {
        assert!(
            said.contains(&format!("left out: {part}: not wanted (--without)")),
            "{said}"
        );
    }
    let read = |path: &str| {
        fs::read_to_string(out.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    assert!(
        !out.join("codes/old.html").exists(),
        "a page of before is still there"
    );
    let front = read("index.html");
    assert!(
        front.contains(&Text(&demo()).render().0),
        "the demo is not what a run gives"
    );
    assert!(
        !front.contains("playground/"),
        "a link to a part that was left out"
    );
    for heading in [
        "player and QA engineers",
        "ad operations",
        "fuzz and property testers",
    ] {
        assert!(
            front.contains(&format!("<h2>First steps for {heading}</h2>")),
            "{heading}"
        );
    }
    let code = read("codes/vast-303/index.html");
    for due in [
        "<title>VAST error 303: no ad in the response",
        "<meta name=\"description\" content=\"The ad server answered",
        "href=\"../../rules/req.html#REQ-6\"",
        "playsim demo empty_response",
        "code=303",
        "href=\"../sdk-1009/index.html\"",
    ] {
        assert!(code.contains(due), "{due} is not in the page of the code");
    }
    for entry in dictionary::all() {
        let folder = format!(
            "{}-{}",
            entry.family.name(),
            entry.code.to_string().to_lowercase()
        );
        assert!(
            read("codes/index.html").contains(&format!("href=\"{folder}/index.html\"")),
            "{folder}"
        );
        assert!(
            read(&format!("codes/{folder}/index.html")).contains("What it means"),
            "{folder}"
        );
    }
    let index = read("rules/index.html");
    for id in rules::all() {
        let own = read(&format!("rules/{}.html", id.family().to_lowercase()));
        assert!(
            [&index, &own]
                .iter()
                .all(|page| page.contains(&format!("id=\"{id}\""))),
            "{id}"
        );
    }
    assert!(read("matrix/index.html").contains("situations/tag.html"));
    assert!(
        read("matrix/situations/late.html")
            .contains("href=\"../players/shaka/late_by_12_s.html#Chromium\"")
    );
    let evidence = read("matrix/players/shaka/late_by_12_s.html");
    assert!(
        evidence.contains("id=\"Chromium\"")
            && evidence.contains("href=\"../../../rules/mel.html#MEL-9\"")
    );
    assert!(read("book/waterfall.html").contains("<nav class=\"site\""));
    assert!(read("book/knobs.html").contains("<script src=\"filter-"));
    assert!(!out.join("book/print.html").exists());
    assert!(read("404.html").contains("href=\"/playsim/codes/index.html\""));
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let out = folder("other");
    fs::create_dir_all(&out).expect("a folder can be made");
    fs::write(out.join("notes.txt"), "mine").expect("it can be written");
    let failure = build(&options(&out))
        .expect_err("it is no site")
        .to_string();
    assert!(
        failure.contains("neither empty nor a site: name another folder"),
        "{failure}"
    );
    assert_eq!(
        fs::read_to_string(out.join("notes.txt")).expect("it is there"),
        "mine"
    );
}
