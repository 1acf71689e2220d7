//! Earlier versions of playsim: their traces are read, and no name that they had is gone.
//!
//! `fixtures/earlier_versions` has a folder for each: `traces` that this version wrote,
//! `recordings` of real players in its format, and its names in `names.txt`. They are never changed
//! after the release.
//! `UPDATE_RELEASE=1 cargo test --test suite earlier_versions` writes those of the current version.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use playsim::api::{Call, EventName};
use playsim::knobs::{KNOBS, Profile};
use playsim::trace::read_jsonl;
use playsim::{dictionary, rules, scenario};
use serde_json::Value as Json;

/// Scenarios whose traces are kept, below `fixtures/scenarios`.
const KEPT: &[&str] = &[
    "canonical/t2_preroll_waterfall_third_tag_fills",
    "canonical/t5_playlist_of_two",
    "canonical/t10_post_roll",
    "chapters/chapters_while_playing_are_traced_but_fire_no_events",
    "outstream/unit_that_fills_shows_and_destroys_itself",
    "simid/click_in_a_unit_opens_the_url_it_requests",
];

/// Recordings of real players that are kept, below `conform/results`.
const RECORDED: &[&str] = &["fluid-player/chromium/pre_roll", "shaka/firefox/pod_of_two"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of the versions, once that of the current one is written, if it is asked for.
fn versions() -> Vec<PathBuf> {
    static KEPT_NOW: Once = Once::new();
    KEPT_NOW.call_once(|| {
        if std::env::var_os("UPDATE_RELEASE").is_some() {
            keep(
                &root()
                    .join("fixtures/earlier_versions")
                    .join(env!("CARGO_PKG_VERSION")),
            );
        }
    });
    let folders =
        fs::read_dir(root().join("fixtures/earlier_versions")).expect("versions are kept");
    folders
        .map(|entry| entry.expect("it can be read").path())
        .collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns what the binary prints, from the root of the project.
fn playsim(args: &[&str]) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_playsim"))
        .args(args)
        .current_dir(root())
        .output();
    let ran = ran.expect("the binary runs");
    assert!(
        ran.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&ran.stdout)
    );
    String::from_utf8(ran.stdout).expect("traces are UTF-8")
}

/// Every name that people write into scenarios and scripts, or read from traces.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    names.extend(rules::all().map(|rule| format!("rule {rule}")));
    names.extend(
        EventName::ALL
            .iter()
            .map(|event| format!("event {}", event.name())),
    );
    names.extend(Call::ALL.iter().map(|call| format!("call {}", call.name())));
    names.extend(
        Profile::ALL
            .iter()
            .map(|profile| format!("profile {}", profile.name())),
    );
    for knob in KNOBS {
        names.insert(format!("knob {}", knob.name));
        names.extend(
            (knob.takes)()
                .words()
                .iter()
                .map(|(word, _)| format!("knob {}={word}", knob.name)),
        );
    }
    names.extend(
        dictionary::all().map(|entry| format!("code {} {}", entry.family.name(), entry.code)),
    );
    fields("", &scenario::schema(), &mut names);
    names
}

/// Adds the fields of a schema, each with the part that it belongs to.
fn fields(part: &str, schema: &Json, names: &mut BTreeSet<String>) {
    match schema {
        Json::Object(object) => {
            for (key, inner) in object {
                match (key.as_str(), inner) {
                    ("properties", Json::Object(properties)) => {
                        for (name, property) in properties {
                            names.insert(format!("field {part}{name}"));
                            fields(&format!("{part}{name}."), property, names);
                        }
                    }
                    ("$defs", Json::Object(parts)) => {
                        for (name, of) in parts {
                            fields(&format!("{name}: "), of, names);
                        }
                    }
                    (_, inner) => fields(part, inner, names),
                }
            }
        }
        Json::Array(list) => list.iter().for_each(|inner| fields(part, inner, names)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// Writes what is kept of the current version.
fn keep(folder: &Path) {
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("it is in a folder"))
            .expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    };
    for name in KEPT {
        let case = format!("fixtures/scenarios/{name}.yaml");
        let own = name.replace('/', "_");
        write(&format!("traces/{own}.trace"), &playsim(&["run", &case]));
        write(
            &format!("traces/{own}.jsonl"),
            &playsim(&["run", &case, "--format", "jsonl"]),
        );
    }
    for name in RECORDED {
        let text = read(&root().join("conform/results").join(format!("{name}.jsonl")));
        write(
            &format!("recordings/{}.jsonl", name.replace('/', "_")),
            &text,
        );
    }
    write(
        "names.txt",
        &names()
            .into_iter()
            .map(|name| name + "\n")
            .collect::<String>(),
    );
}

#[test]
fn no_name_is_gone() {
    let now = names();
    for version in versions() {
        let gone: Vec<String> = read(&version.join("names.txt"))
            .lines()
            .filter(|name| !now.contains(*name))
            .map(str::to_owned)
            .collect();
        assert!(
            gone.is_empty(),
            "{} had these names, which are gone: {gone:#?}",
            version.display()
        );
    }
}

#[test]
fn traces_are_read() {
    let mut count = 0;
    for version in versions() {
        let files = ["traces", "recordings"].map(|folder| fs::read_dir(version.join(folder)));
        for entry in files
            .into_iter()
            .flat_map(|folder| folder.expect("it can be read"))
        {
            let file = entry.expect("it can be read").path();
            if file.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let name = file.display().to_string();
            let text = read(&file);
            let trace = read_jsonl(&name, &text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(trace.records.len(), text.lines().count(), "{name}");
            // A trace of playsim also has its text form; both say the same.
            let golden = file.with_extension("trace");
            if golden.exists() {
                playsim(&["diff", &golden.to_string_lossy(), &name]);
            }
            count += 1;
        }
    }
    assert!(
        count >= KEPT.len() + RECORDED.len(),
        "only {count} traces are kept"
    );
}
