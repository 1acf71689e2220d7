//! The project's own rules: sizes, headers, what the engine must not use, citations, fixtures.

use std::path::{Path, PathBuf};

use playsim::rules::{self, RuleId};

mod comments;
mod imports;
mod messages;
mod names;
mod words;
mod workspace;

/// Files are split by responsibility, not by length: the limit only catches those with several
/// responsibilities. These files may be longer, with the reason.
const LONG_FILES: &[(&str, &str)] = &[];
const MAX_LINES: usize = 1000;

#[derive(Clone)]
struct Source {
    /// Its path relative to the project's root, with slashes.
    path: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, endings: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), endings, &mut found);
    found.sort();
    found
        .into_iter()
        .map(|path| {
            let below = path.strip_prefix(root()).expect("below the root");
            let text = std::fs::read_to_string(&path).expect("a source is UTF-8");
            Source {
                path: below.to_string_lossy().replace('\\', "/"),
                text,
            }
        })
        .collect()
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, endings, found);
        } else if endings
            .iter()
            .any(|ending| path.extension().is_some_and(|other| other == *ending))
        {
            found.push(path);
        }
    }
}

fn sources() -> Vec<Source> {
    [files("src", &["rs"]), files("crates", &["rs"])].concat()
}

/// A file's code without its unit tests, which may read fixtures and cite rules that do not exist.
fn code(source: &Source) -> &str {
    let is_test = source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
    if is_test {
        ""
    } else {
        source.text.split("#[cfg(test)]").next().unwrap_or_default()
    }
}

fn assert_none(problems: &[String], what: &str) {
    assert!(problems.is_empty(), "{what}:\n{}", problems.join("\n"));
}

#[test]
fn files_stay_short() {
    let is_table = |path: &str| path.starts_with("crates/rules/src/table/");
    let may = |path: &str| is_table(path) || LONG_FILES.iter().any(|(long, _)| *long == path);
    let problems: Vec<String> = [
        sources(),
        files("tests", &["rs"]),
        files("benches", &["rs"]),
    ]
    .concat()
    .iter()
    .filter(|source| source.text.lines().count() > MAX_LINES && !may(&source.path))
    .map(|source| format!("{}: {} lines", source.path, source.text.lines().count()))
    .collect();
    assert_none(&problems, "files over 1,000 lines");
}

#[test]
fn every_file_has_a_header() {
    let problems: Vec<String> = [
        sources(),
        files("tests", &["rs"]),
        files("benches", &["rs"]),
    ]
    .concat()
    .iter()
    .filter(|source| !source.text.starts_with("//! "))
    .map(|source| source.path.clone())
    .collect();
    assert_none(&problems, "files without a header");
}

#[test]
fn the_command_line_opens_files_in_two_places_only() {
    const READS: &[&str] = &[
        "File::open",
        "fs::read(",
        "fs::read_to_string",
        "fs::copy",
        ".read(true)",
    ];
    const WRITES: &[&str] = &["File::create", "fs::write", "fs::rename", ".write(true)"];
    // A log grows while others follow it.
    const LOGS: &str = "src/cli/world.rs";
    let mut problems = Vec::new();
    for source in files("src", &["rs"]) {
        for (words, place, with) in [
            (READS, "src/cli/reading.rs", ""),
            (WRITES, "src/cli/writing.rs", LOGS),
        ] {
            let used = words.iter().filter(|word| code(&source).contains(**word));
            let is_here = source.path == place || source.path == with;
            problems.extend(
                used.filter(|_| !is_here)
                    .map(|word| format!("{}: {word}, which belongs to {place}", source.path)),
            );
        }
    }
    assert_none(&problems, "files that are opened elsewhere");
}

#[test]
fn the_engine_has_no_floats_no_hash_order_no_clock_and_no_io() {
    const BANNED: &[&str] = &[
        "f32",
        "f64",
        "HashMap",
        "HashSet",
        "Instant",
        "SystemTime",
        "std::thread",
        "std::env",
        "std::fs",
        "std::net",
        "thread_rng",
    ];
    // Required by a server: it waits for clients, writes its catalog, and may follow the real
    // clock.
    const SERVED: &[&str] = &[
        "Instant",
        "SystemTime",
        "std::thread",
        "std::fs",
        "std::net",
    ];
    // Sweeps and explorers play many runs, each on one thread; distributions and intervals are
    // formulas over real numbers.
    const SWEPT: &[(&str, &str)] = &[
        ("crates/sweep/src/distribution.rs", "f64"),
        ("crates/sweep/src/distribution/normal.rs", "f64"),
        ("crates/base/src/interval.rs", "f64"),
        ("crates/base/src/interval/difference.rs", "f64"),
        ("crates/base/src/workers.rs", "std::thread"),
    ];
    let mut problems = Vec::new();
    for source in sources() {
        let Some(first) = workspace::module_path(&source).into_iter().next() else {
            continue;
        };
        if workspace::crate_of(&source).is_none() {
            continue;
        }
        let is_served = ["serve", "origin", "fetch", "signals"].contains(&first.as_str());
        for (number, line) in code(&source).lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            for banned in BANNED {
                // A visitor of an external trait takes a float and drops it.
                let is_expected = line.contains("fn visit_f64");
                let is_expected = is_expected || (is_served && SERVED.contains(banned));
                let is_expected = is_expected || SWEPT.contains(&(source.path.as_str(), banned));
                if !is_comment && !is_expected && has_word(line, banned) {
                    problems.push(format!("{}:{}: {banned}", source.path, number + 1));
                }
            }
        }
    }
    assert_none(&problems, "what the engine must not use");
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part)
    })
}

/// Finds what looks like the ID of a rule: capitals of a known family, a hyphen, a number.
fn citations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (hyphen, _) in text.match_indices('-') {
        let family = text[..hyphen]
            .rfind(|c: char| !c.is_ascii_uppercase())
            .map_or(0, |at| at + 1);
        let digits = text[hyphen + 1..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(text.len(), |digits| hyphen + 1 + digits);
        let stands_alone = !text[..family].ends_with(|c: char| c.is_ascii_alphanumeric());
        let is_family = rules::families()
            .iter()
            .any(|known| known.name == &text[family..hyphen]);
        if is_family && end > hyphen + 1 && stands_alone {
            found.push(&text[family..end]);
        }
    }
    found
}

#[test]
fn cited_rules_exist() {
    let mut problems = Vec::new();
    let fixtures = files("fixtures/scenarios", &["yaml", "xml"]);
    for source in [sources(), files("tests", &["rs"]), fixtures].concat() {
        let text = if !source.path.starts_with("tests/") && !source.path.starts_with("fixtures/") {
            code(&source)
        } else {
            &source.text
        };
        for id in citations(text) {
            if id.parse::<RuleId>().ok().is_none() {
                problems.push(format!("{}: unknown rule {id}", source.path));
            }
        }
    }
    assert_none(&problems, "citations");
}

#[test]
fn every_fixture_has_its_expectation() {
    let mut problems = Vec::new();
    for (folder, ending) in [
        ("fixtures/scenarios", "yaml"),
        ("fixtures/vast", "xml"),
        ("fixtures/errors", "yaml"),
    ] {
        for fixture in files(folder, &[ending]) {
            let snapshot = root().join(&fixture.path).with_extension("snap");
            if !snapshot.exists() {
                problems.push(format!("{} has no snapshot", fixture.path));
            }
        }
    }
    for document in files("fixtures/scenarios", &["xml"]) {
        let name = Path::new(&document.path)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let users = files("fixtures/scenarios", &["yaml"]);
        if !users.iter().any(|scenario| scenario.text.contains(&name)) {
            problems.push(format!("{}: no scenario uses it", document.path));
        }
    }
    assert_none(&problems, "fixtures");
}

/// A run is given a `KnobReader`, whose methods note what they read. Only where a run begins are
/// there plain knobs, which it is made of: their fields are not read there.
#[test]
fn knobs_are_read_by_a_call_that_notes_it() {
    const OF_RUNS: [&str; 5] = [
        "crates/ads/",
        "crates/element/",
        "crates/player/",
        "crates/sim/",
        "crates/scenario/src/edit",
    ];
    let mut problems = Vec::new();
    for source in sources() {
        if !OF_RUNS.iter().any(|part| source.path.starts_with(part)) {
            continue;
        }
        let lines = code(&source).lines();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let text: String = lines
            .filter(is_code)
            .flat_map(str::split_whitespace)
            .collect();
        for (at, _) in text.match_indices("knobs.") {
            let rest = &text[at + "knobs.".len()..];
            let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
            if !name.is_empty() && !after.starts_with('(') {
                problems.push(format!("{}: knobs.{name}", source.path));
            }
        }
    }
    assert_none(&problems, "knobs that are read without being noted");
}
