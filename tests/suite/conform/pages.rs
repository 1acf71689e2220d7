//! The JavaScript of `conform` in a browser: what the recorder writes, how a page plays a case, what the adapters
//! ask of a player. The tests themselves are `conform/test/*.test.mjs`.
//!
//! They need Node, the package `playwright-core` and Chromium, which the project does not include; without them
//! the test says so and passes. `PLAYSIM_PLAYWRIGHT` names the folder whose `node_modules` has the package
//! (default: `conform`), `PLAYSIM_CHROMIUM` the browser (default: /usr/bin/chromium).

use std::path::{Path, PathBuf};
use std::process::Command;

fn conform() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conform")
}

#[test]
fn scripts_do_in_a_browser_what_their_tests_say() {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let packages = variable("PLAYSIM_PLAYWRIGHT").unwrap_or_else(conform);
    let chromium = variable("PLAYSIM_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_node || !chromium.exists() || !packages.join("node_modules/playwright-core").exists() {
        eprintln!("not run: Node, playwright-core or Chromium is not installed");
        return;
    }
    let mut command = Command::new("node");
    command.args(["--test", "recorder.test.mjs", "drive.test.mjs"]).current_dir(conform().join("test"));
    command.env("PLAYSIM_PLAYWRIGHT", packages).env("PLAYSIM_CHROMIUM", chromium);
    let output = command.output().expect("Node runs");
    let (said, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{wrong}");
}

/// A lock file that names a mirror would not install elsewhere.
#[test]
fn packages_are_pinned_and_come_from_the_public_registry() {
    let read = |name: &str| {
        let path = conform().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let lock: serde_json::Value = serde_json::from_str(&read("package-lock.json")).expect("it is JSON");
    for (name, package) in lock["packages"].as_object().expect("it lists packages") {
        if let Some(resolved) = package["resolved"].as_str() {
            assert!(resolved.starts_with("https://registry.npmjs.org/"), "{name}: {resolved}");
        }
    }
    let package: serde_json::Value = serde_json::from_str(&read("package.json")).expect("it is JSON");
    for (name, version) in package["dependencies"].as_object().expect("it has dependencies") {
        let version = version.as_str().expect("a version is text");
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{name} is pinned to {version}");
        let locked = &lock["packages"][format!("node_modules/{name}")]["version"];
        assert_eq!(locked, version, "{name} in the lock file");
    }
}
