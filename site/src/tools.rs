//! The parts that other tools build: the playground and the API docs.

use std::fs;
use std::path::Path;
use std::process::Command;

use maud::html;

use crate::frame::{Area, Site, SitePage};
use crate::{Failure, check, policy, root};

/// Why a part is not there.
const UNWANTED: &str = "not wanted (--without)";

/// Adds the playground: as it was built, or built now.
pub(crate) fn playground(site: &mut Site, is_unwanted: bool) -> Result<(), Failure> {
    let folder = root().join("playground");
    let page = folder.join("dist/index.html");
    if is_unwanted {
        site.leave_out(Area::Playground, UNWANTED);
        return Ok(());
    }
    if !page.is_file() {
        if !folder.join("package.json").is_file() {
            site.leave_out(
                Area::Playground,
                "the project has no playground/package.json",
            );
            return Ok(());
        }
        if !has("npm") {
            site.leave_out(
                Area::Playground,
                "it is not built (playground/dist), and npm is not installed",
            );
            return Ok(());
        }
        install(&folder)?;
        run(Command::new("npm")
            .args(["run", "build"])
            .current_dir(&folder))?;
    }
    let html = fs::read(&page).map_err(|error| Failure::io("read", &page, &error))?;
    site.write_file(Area::Playground.path(), html)
}

/// Adds the API docs.
pub(crate) fn api(site: &mut Site, is_unwanted: bool) -> Result<(), Failure> {
    if is_unwanted {
        site.leave_out(Area::ApiRust, UNWANTED);
        site.leave_out(Area::ApiJavaScript, UNWANTED);
        return Ok(());
    }
    rust(site)?;
    javascript(site)
}

/// A folder of its own, so that nothing from elsewhere is among the docs.
fn rust(site: &Site) -> Result<(), Failure> {
    let target = root().join("target/site");
    let doc = target.join("doc");
    if doc.exists() {
        fs::remove_dir_all(&doc).map_err(|error| Failure::io("remove", &doc, &error))?;
    }
    // Links to a crate are made only if its folder is there, and crates are documented in any
    // order.
    let crates = root().join("crates");
    let mut names = vec!["playsim".to_owned()];
    for entry in fs::read_dir(&crates).map_err(|error| Failure::io("read", &crates, &error))? {
        let entry = entry.map_err(|error| Failure::io("read", &crates, &error))?;
        names.push(format!("playsim_{}", entry.file_name().to_string_lossy()));
    }
    names.sort();
    for folder in names.iter().map(|name| doc.join(name)) {
        fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, &error))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "doc",
            "--locked",
            "--lib",
            "--no-deps",
            "--all-features",
            "--target-dir",
        ])
        .arg(&target);
    run(command.current_dir(root()))?;
    let out = site.out.join("api/rust");
    copy(&doc, &out)?;
    policy::apply(&out)?;
    let body = html! {
        header { h1 { "API of the Rust library" } }
        main { ul { @for name in &names { li { a href={ (name) "/index.html" } { (name) } } } } }
    };
    let description = "The crates of playsim: the library, and the crates that it is made of.";
    let page = SitePage {
        title: "API of the Rust library",
        description,
        style: "",
        script: None,
        body,
    };
    site.write("api/rust/index.html", Some(Area::ApiRust), page)
}

fn javascript(site: &mut Site) -> Result<(), Failure> {
    if !has("npm") {
        site.leave_out(Area::ApiJavaScript, "npm is not installed");
        return Ok(());
    }
    let folder = root().join("site/typedoc");
    // The package's own dependencies have the types that its matchers extend.
    install(&root().join("bindings/js"))?;
    install(&folder)?;
    let out =
        fs::canonicalize(&site.out).map_err(|error| Failure::io("find", &site.out, &error))?;
    let out = out.join("api/js");
    run(Command::new("npm")
        .args(["run", "build", "--", "--out"])
        .arg(&out)
        .current_dir(&folder))?;
    policy::apply(&out)
}

/// Installs the packages of a folder, unless they are there.
fn install(folder: &Path) -> Result<(), Failure> {
    if folder.join("node_modules").is_dir() {
        return Ok(());
    }
    run(Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(folder))
}

fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command) -> Result<(), Failure> {
    let words = |command: &Command| {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::new(format!(
            "`{}` failed: {status}",
            words(command)
        ))),
        Err(error) => Err(Failure::new(format!(
            "cannot run `{}`: {error}",
            words(command)
        ))),
    }
}

/// Copies all files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for file in check::files(from)? {
        let target = to.join(file.strip_prefix(from).expect("it is below the folder"));
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
        fs::copy(&file, &target).map_err(|error| Failure::io("write", &target, &error))?;
    }
    Ok(())
}
