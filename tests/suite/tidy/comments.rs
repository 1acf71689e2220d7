//! Comments and documents: their lines have at most 100 columns, and the files that they name
//! exist.

use std::collections::BTreeSet;

use super::{Source, assert_none, files, sources};

/// As rustfmt has it for code; it leaves comments alone.
const COLUMNS: usize = 100;

/// Rust outside the library.
fn others() -> Vec<Source> {
    ["tests", "benches", "examples", "fuzz/fuzz_targets"]
        .iter()
        .flat_map(|folder| files(folder, &["rs"]))
        .collect()
}

/// The text of a line that is a comment, without its mark.
fn comment(line: &str) -> Option<&str> {
    line.trim_start()
        .strip_prefix("//")
        .map(|rest| rest.trim_start_matches(['/', '!']))
}

#[test]
fn comments_have_at_most_100_columns() {
    let mut problems = Vec::new();
    for source in [sources(), others()].concat() {
        let lines = source
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| comment(line).is_some());
        let long = lines.filter(|(_, line)| line.chars().count() > COLUMNS);
        problems
            .extend(long.map(|(number, line)| format!("{}:{}: {line}", source.path, number + 1)));
    }
    assert_none(&problems, "lines of comments over 100 columns");
}

/// Files that are named as examples, are made by those who follow the document, or belong to a
/// corpus outside.
const EXAMPLES: &[&str] = &["fuzz/corpus/", "fixtures/scenarios/TOPIC/", "SOURCE.md"];

/// Documents that name the files of other projects, and of a project of their reader.
const OF_OTHERS: &[&str] = &["docs/src/product-sources.md", "docs/src/conform.md"];

/// The paths in a line of text that look like files of the project: of Rust, of Markdown, or below
/// one of its folders.
fn paths<'t>(line: &'t str, folders: &BTreeSet<String>) -> Vec<&'t str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-/".contains(c);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = line[from..].find(is_part).map(|at| from + at) {
        let end = line[begin..]
            .find(|c| !is_part(c))
            .map_or(line.len(), |at| begin + at);
        from = end;
        // A part of a URL, of a pattern, or of a place that the reader chooses.
        let is_cut = line[..begin].ends_with([':', '<', '*', '$', '@', '~', '\\', '%', '{', '>'])
            || line[end..].starts_with([':', '<', '*', '$', '{', '>'])
                && !line[end..].starts_with(": ");
        let path = line[begin..end]
            .trim_matches(['.', '-'])
            .trim_end_matches('/')
            .trim_start_matches("./");
        let first = path.split_once('/').map(|(first, _)| first);
        let is_source = [".rs", ".md"].iter().any(|ending| path.ends_with(ending));
        if !is_cut && (is_source || first.is_some_and(|first| folders.contains(first))) {
            found.push(path);
        }
    }
    found
}

/// Every end of the path of each file and folder: `page/frame.rs` names
/// `crates/report/src/page/frame.rs`.
fn ends(listed: &[String]) -> BTreeSet<&str> {
    let mut ends = BTreeSet::new();
    for path in listed {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        for path in folders.chain([path.as_str()]) {
            ends.extend(
                path.match_indices('/')
                    .map(|(at, _)| &path[at + 1..])
                    .chain([path]),
            );
        }
    }
    ends
}

/// The paths of all files of the project, without what is built or downloaded.
fn listed() -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![super::root().to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder can be read")
            .flatten()
        {
            let (path, name) = (entry.path(), entry.file_name());
            let is_made = ["target", "node_modules", ".git"]
                .iter()
                .any(|made| name == *made);
            if path.is_dir() && !is_made {
                open.push(path);
            } else if path.is_file() {
                let below = path.strip_prefix(super::root()).expect("below the root");
                found.push(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

fn missing(texts: &[Source], listed: &[String]) -> Vec<String> {
    let ends = ends(listed);
    let folders = listed
        .iter()
        .filter_map(|path| path.split_once('/'))
        .map(|(first, _)| first.to_owned())
        .collect();
    let mut problems = Vec::new();
    for source in texts {
        let is_rust = source.path.ends_with(".rs");
        for (number, line) in source.text.lines().enumerate() {
            let Some(text) = (if is_rust { comment(line) } else { Some(line) }) else {
                continue;
            };
            for path in paths(text, &folders) {
                if !ends.contains(path)
                    && !EXAMPLES
                        .iter()
                        .any(|start| path.starts_with(start.trim_end_matches('/')))
                {
                    problems.push(format!("{}:{}: {path}", source.path, number + 1));
                }
            }
        }
    }
    problems
}

#[test]
fn files_that_comments_and_documents_name_exist() {
    let documents = ["docs/src", "crates", "fixtures", "conform"]
        .iter()
        .flat_map(|folder| files(folder, &["md"]));
    let documents = documents.filter(|file| {
        !OF_OTHERS.contains(&file.path.as_str())
            && !file.path.contains("node_modules/")
            && !file.path.contains("/target/")
    });
    let at_root = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .iter()
    .map(|name| Source {
        path: (*name).to_owned(),
        text: std::fs::read_to_string(super::root().join(name)).expect("a document is there"),
    });
    let texts: Vec<Source> = sources()
        .into_iter()
        .chain(others())
        .chain(documents)
        .chain(at_root)
        .collect();
    assert_none(&missing(&texts, &listed()), "files that are not there");
}

#[test]
fn a_file_that_is_not_there_is_found() {
    let file = |path: &str, text: &str| Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let texts = [
        file(
            "src/a.rs",
            "//! See `player/state.rs`, page/frame.rs and rules.md.\nlet gone = \"gone/b.rs\";\n/// And `src/c.txt`.",
        ),
        file(
            "docs/a.md",
            "[a](src/a.rs), https://host.test/docs/b.md, `docs/<NAME>.md`, ads/spot.xml, docs/c.md",
        ),
    ];
    let listed = ["src/a.rs", "crates/report/src/page/frame.rs", "docs/a.md"].map(String::from);
    assert_eq!(
        missing(&texts, &listed),
        [
            "src/a.rs:1: player/state.rs",
            "src/a.rs:1: rules.md",
            "src/a.rs:3: src/c.txt",
            "docs/a.md:1: docs/c.md"
        ]
    );
}
