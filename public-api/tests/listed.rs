//! Each crate has the public API that `listed` has for it. `UPDATE_API=1` writes the lists anew.
//!
//! The API comes from rustdoc's JSON, which has no stable form. With a toolchain that writes
//! another form than the one that is read here, the tests are ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use public_api::Builder;

/// The form of rustdoc's JSON that is read: that of Rust 1.93 to 1.95.
const FORM: u64 = 57;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("it is a folder of the project")
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustdoc")
}

/// The crates that are published, from the folders that have them.
fn crates() -> Vec<String> {
    let folders = fs::read_dir(root().join("crates")).expect("there are crates");
    let name = |entry: fs::DirEntry| format!("playsim-{}", entry.file_name().to_string_lossy());
    let mut names: Vec<String> = folders
        .map(|entry| name(entry.expect("it can be read")))
        .collect();
    names.push("playsim".to_owned());
    names.sort();
    names
}

/// Lets rustdoc describe a crate, and returns its JSON file.
fn described(name: &str) -> Result<PathBuf, Failed> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "rustdoc",
        "--locked",
        "--quiet",
        "--lib",
        "--all-features",
        "--package",
        name,
    ]);
    cargo.args([
        "--",
        "-Z",
        "unstable-options",
        "--output-format",
        "json",
        "--cap-lints",
        "allow",
    ]);
    // The JSON is unstable, and good enough to be compared with that of the same toolchain.
    cargo
        .current_dir(root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", target());
    let ran = cargo.output()?;
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned().into());
    }
    Ok(target()
        .join("doc")
        .join(format!("{}.json", name.replace('-', "_"))))
}

fn is_listed(name: &str) -> Result<(), Failed> {
    let api = Builder::from_rustdoc_json(described(name)?)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    let now: String = api.items().map(|item| format!("{item}\n")).collect();
    let file = root().join("public-api/listed").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_API").is_some() {
        return Ok(fs::write(&file, now)?);
    }
    let listed = fs::read_to_string(&file).unwrap_or_default();
    let missing = |from: &str, other: &str, sign: char| -> String {
        let other: std::collections::BTreeSet<&str> = other.lines().collect();
        from.lines()
            .filter(|line| !other.contains(line))
            .map(|line| format!("{sign} {line}\n"))
            .collect()
    };
    if listed == now {
        return Ok(());
    }
    let changes = missing(&listed, &now, '-') + &missing(&now, &listed, '+');
    Err(format!(
        "the public API of {name} changed; if that is meant, UPDATE_API=1 lists it anew:\n{changes}"
    )
    .into())
}

/// The form that this toolchain writes, from a crate that is quickly described.
fn form() -> u64 {
    let file = described("playsim-base")
        .unwrap_or_else(|error| panic!("{}", error.message().unwrap_or_default()));
    let text = fs::read(file).expect("rustdoc has written it");
    let json: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
    json["format_version"].as_u64().expect("it names its form")
}

fn main() {
    let arguments = Arguments::from_args();
    let form = form();
    let is_read = form == FORM;
    if !is_read {
        eprintln!(
            "rustdoc of this toolchain writes JSON of form {form}; what is read is {FORM}: ignored"
        );
    }
    let trial = |name: String| {
        Trial::test(name.clone(), move || is_listed(&name)).with_ignored_flag(!is_read)
    };
    libtest_mimic::run(&arguments, crates().into_iter().map(trial).collect()).exit();
}
