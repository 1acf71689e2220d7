//! The workspace as its users see it: which module of `playsim` a file of a crate is.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;

/// The crates below `crates`: the module of `playsim` that is the crate's root, if there is one,
/// and those beside it.
const CRATES: &[(&str, Option<&str>, &[&str])] = &[
    (
        "base",
        None,
        &[
            "chance", "code", "escape", "html", "interval", "json", "named", "number", "place",
            "time", "value", "words",
        ],
    ),
    ("rules", Some("rules"), &["knobs"]),
    ("vast", Some("vast"), &[]),
    ("api", Some("api"), &["catalog", "media", "page", "video"]),
    ("trace", Some("trace"), &[]),
    ("scenario", Some("scenario"), &["edit", "world"]),
    ("check", Some("check"), &["diff", "recording"]),
    ("element", Some("element"), &[]),
    ("ads", Some("ads"), &[]),
    ("player", Some("player"), &[]),
    ("sim", Some("sim"), &[]),
    ("report", Some("report"), &["dictionary"]),
    ("sweep", Some("sweep"), &[]),
    ("import", Some("import"), &[]),
    ("fetch", Some("fetch"), &[]),
    ("server", Some("serve"), &["origin", "signals"]),
    ("conform", Some("conform"), &[]),
    ("testing", Some("testing"), &[]),
];

/// The crate of a file and its path below that crate's `src`; the crate is `None` for the root
/// package.
fn parts(source: &Source) -> Option<(Option<&str>, &str)> {
    if let Some(below) = source.path.strip_prefix("src/") {
        return Some((None, below));
    }
    let (name, below) = source.path.strip_prefix("crates/")?.split_once("/src/")?;
    Some((Some(name), below))
}

/// The crate that a file belongs to; `None` for the root package.
pub(super) fn crate_of(source: &Source) -> Option<&str> {
    parts(source).and_then(|(name, _)| name)
}

/// The path of a file's module below the root of its crate; empty for the root itself.
pub(super) fn within_crate(source: &Source) -> Vec<String> {
    let below = parts(source).map_or("lib", |(_, below)| below.trim_end_matches(".rs"));
    if below == "lib" {
        Vec::new()
    } else {
        below.split('/').map(str::to_owned).collect()
    }
}

/// The module of `playsim` that a file is, like `["ads", "hop"]`; empty for the root of `playsim`,
/// and for that of a crate which is no module there.
pub(super) fn module_path(source: &Source) -> Vec<String> {
    of_crate(crate_of(source), &within_crate(source))
}

/// The module of `playsim` that a path below the root of a crate means.
pub(super) fn of_crate(name: Option<&str>, path: &[String]) -> Vec<String> {
    let found = CRATES.iter().find(|(known, _, _)| Some(*known) == name);
    let Some((_, root, beside)) = found else {
        return path.to_vec();
    };
    let is_beside = path
        .first()
        .is_some_and(|first| beside.contains(&first.as_str()));
    match root {
        Some(root) if !is_beside => [&[(*root).to_owned()], path].concat(),
        Some(_) | None => path.to_vec(),
    }
}

/// The module that an imported path means; `None` if it is of a crate outside the workspace.
/// `module` is the path of the importing module in its crate.
pub(super) fn imported(
    path: &[String],
    own: Option<&str>,
    module: &[String],
) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    if let Some(name) = first.strip_prefix("playsim_") {
        return Some(of_crate(Some(name), rest));
    }
    let ups = path.iter().take_while(|part| *part == "super").count();
    let below = match first.as_str() {
        "crate" => rest.to_vec(),
        "self" => [module, rest].concat(),
        "super" => [&module[..module.len().checked_sub(ups)?], &path[ups..]].concat(),
        _ => return None,
    };
    Some(of_crate(own, &below))
}

/// A dependency that nothing uses is built for nothing, and hides what a crate stands on.
#[test]
fn every_dependency_is_used() {
    let mut problems = Vec::new();
    for (name, _, _) in CRATES {
        let manifest = super::files(&format!("crates/{name}"), &["toml"]);
        let manifest = &manifest
            .iter()
            .find(|file| file.path.ends_with("Cargo.toml"))
            .expect("a manifest")
            .text;
        let dependencies = manifest
            .split("[dependencies]")
            .nth(1)
            .expect("a crate has dependencies");
        let rows = dependencies
            .lines()
            .take_while(|line| !line.starts_with('['));
        let names = rows
            .filter_map(|row| row.split(['.', ' ']).next())
            .filter(|name| !name.is_empty());
        let sources = super::files(&format!("crates/{name}/src"), &["rs"]);
        for dependency in names {
            let word = dependency.replace('-', "_");
            if !sources.iter().any(|source| source.text.contains(&word)) {
                problems.push(format!("crates/{name}: {dependency}"));
            }
        }
    }
    super::assert_none(&problems, "dependencies that are not used");
}

#[test]
fn every_crate_has_its_row() {
    let folders = std::fs::read_dir(super::root().join("crates")).expect("there are crates");
    let mut found: Vec<String> = folders
        .map(|it| {
            it.expect("it can be read")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    found.sort();
    let mut rows: Vec<&str> = CRATES.iter().map(|(name, _, _)| *name).collect();
    rows.sort_unstable();
    assert_eq!(found, rows);
}

/// The dev-dependencies of a manifest, apart from the root package, one a line.
fn dev_dependencies(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(super::root().join(manifest)).expect("it is there");
    text.lines()
        .skip_while(|line| *line != "[dev-dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.starts_with("playsim = "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_crate_alone_is_tested_with_the_features_of_all() {
    let of_root = dev_dependencies("Cargo.toml");
    assert!(of_root.len() > 5, "{of_root:?}");
    assert_eq!(of_root, dev_dependencies("tests/features/Cargo.toml"));
}

/// What each crate depends on, by the manifests.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let names = CRATES.iter().map(|(name, _, _)| (*name).to_owned());
    let manifest = |name: &str| match name {
        "playsim" => "Cargo.toml".to_owned(),
        _ => format!("crates/{name}/Cargo.toml"),
    };
    let dependencies = |name: &str| {
        let text = std::fs::read_to_string(super::root().join(manifest(name))).expect("a manifest");
        let rows = text
            .lines()
            .skip_while(|line| *line != "[dependencies]")
            .skip(1)
            .take_while(|line| !line.starts_with('['));
        let own = rows.filter_map(|row| row.strip_prefix("playsim-")?.split(['.', ' ']).next());
        own.map(str::to_owned).collect()
    };
    names
        .chain(["playsim".to_owned()])
        .map(|name| (name.clone(), dependencies(&name)))
        .collect()
}

/// Everything that a crate is built on, directly or not.
fn below(name: &str, all: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let direct = all[name].iter();
    direct
        .flat_map(|one| {
            let mut found = below(one, all);
            found.insert(one.clone());
            found
        })
        .collect()
}

#[test]
fn the_picture_of_the_crates_is_true() {
    let all = manifests();
    let due: BTreeMap<&String, BTreeSet<&String>> = all
        .iter()
        .map(|(name, direct)| {
            let is_implied = |one: &&String| {
                let others = direct.iter().filter(|other| other != one);
                others
                    .clone()
                    .any(|other| below(other, &all).contains(*one))
            };
            (name, direct.iter().filter(|one| !is_implied(one)).collect())
        })
        .filter(|(_, direct): &(_, BTreeSet<_>)| !direct.is_empty())
        .collect();
    let text = std::fs::read_to_string(super::root().join("ARCHITECTURE.md")).expect("it is there");
    let arrows = text.lines().filter_map(|line| line.split_once(" --> "));
    let drawn: BTreeMap<String, BTreeSet<String>> = arrows
        .map(|(from, to)| {
            (
                from.trim().to_owned(),
                to.split(" & ").map(str::to_owned).collect(),
            )
        })
        .collect();
    assert_eq!(format!("{drawn:#?}"), format!("{due:#?}"));
}
