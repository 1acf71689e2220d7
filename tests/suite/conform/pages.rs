//! The JavaScript of `conform` in a browser: what the recorder writes, how a page plays a case,
//! what the adapters ask of a player. The tests themselves are `conform/test/*.test.mjs`.
//!
//! They need Node, the package `playwright-core` and Chromium, which the project does not include;
//! without them the test says so and passes. `PLAYSIM_PLAYWRIGHT` names the folder whose
//! `node_modules` has the package (default: `conform`), `PLAYSIM_CHROMIUM` the browser (default:
//! /usr/bin/chromium).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn conform() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conform")
}

/// The folder with `playwright-core`, and the browser; `None`, and a line that says so, where there
/// is none.
fn browser() -> Option<(PathBuf, PathBuf)> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let packages = variable("PLAYSIM_PLAYWRIGHT").unwrap_or_else(conform);
    let chromium =
        variable("PLAYSIM_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if has_node && chromium.exists() && packages.join("node_modules/playwright-core").exists() {
        return Some((packages, chromium));
    }
    // Shown even where the test passes.
    let _ = writeln!(
        std::io::stderr(),
        "NOT RUN: Node, playwright-core or Chromium is not installed"
    );
    None
}

#[test]
fn scripts_do_in_a_browser_what_their_tests_say() {
    let Some((packages, chromium)) = browser() else {
        return;
    };
    let mut command = Command::new("node");
    command
        .args(["--test", "recorder.test.mjs", "drive.test.mjs"])
        .current_dir(conform().join("test"));
    command
        .env("PLAYSIM_PLAYWRIGHT", packages)
        .env("PLAYSIM_CHROMIUM", chromium);
    let output = command.output().expect("Node runs");
    let (said, wrong) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{wrong}");
}

/// A lock file that names a mirror would not install elsewhere.
#[test]
fn packages_are_pinned_and_come_from_the_public_registry() {
    let read = |name: &str| {
        let path = conform().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let lock: serde_json::Value =
        serde_json::from_str(&read("package-lock.json")).expect("it is JSON");
    for (name, package) in lock["packages"].as_object().expect("it lists packages") {
        if let Some(resolved) = package["resolved"].as_str() {
            assert!(
                resolved.starts_with("https://registry.npmjs.org/"),
                "{name}: {resolved}"
            );
        }
    }
    let package: serde_json::Value =
        serde_json::from_str(&read("package.json")).expect("it is JSON");
    for (name, version) in package["dependencies"]
        .as_object()
        .expect("it has dependencies")
    {
        let version = version.as_str().expect("a version is text");
        // Another version of a package beside the current one: npm:PACKAGE@VERSION.
        let version = version
            .rsplit_once('@')
            .map_or(version, |(_, version)| version);
        assert!(
            version.split('.').all(|part| part.parse::<u32>().is_ok()),
            "{name} is pinned to {version}"
        );
        let locked = &lock["packages"][format!("node_modules/{name}")]["version"];
        assert_eq!(locked, version, "{name} in the lock file");
    }
}

/// A few cases, so that it takes a minute: a break, a skip with a real click, a failure, a pause,
/// no ads.
const SHORT: &[&str] = &[
    "no_ads",
    "pre_roll",
    "skip_after_the_offset",
    "tag_404",
    "mid_roll_at_4_s",
];

#[test]
fn a_real_player_is_recorded_and_reported() {
    let Some((packages, chromium)) = browser() else {
        return;
    };
    if !conform().join("node_modules/fluid-player").exists() {
        let text = "NOT RUN: conform/node_modules has no player; (cd conform && npm ci) fills it";
        let _ = writeln!(std::io::stderr(), "{text}");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real_player");
    let _ = std::fs::remove_dir_all(&folder);
    let run = |program: &str, given: &[&str]| {
        let output = Command::new(program)
            .args(given)
            .current_dir(conform())
            .output()
            .expect("it runs");
        let (said, wrong) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{program} {given:?}\n{said}{wrong}"
        );
        said.into_owned()
    };
    run("node", &["build.mjs", "fluid-player"]);
    let (folder, packages) = (folder.to_string_lossy(), packages.to_string_lossy());
    let chromium = chromium.to_string_lossy();
    let playsim = env!("CARGO_BIN_EXE_playsim");
    let mut given = vec![
        "conform",
        "run",
        "suite",
        "--adapter",
        "adapters/fluid-player.js",
        "-o",
        &*folder,
    ];
    given.extend([
        "--lib",
        "lib/fluid-player.css",
        "--lib",
        "lib/fluid-player.js",
    ]);
    given.extend([
        "--executable",
        &*chromium,
        "--driver-folder",
        &*packages,
        "--jobs",
        "2",
    ]);
    given.extend(SHORT.iter().flat_map(|name| ["--only", name]));
    eprintln!("{}", run(playsim, &given));
    let report = run(
        playsim,
        &[
            "conform", "report", &folder, "--suite", "suite", "--format", "json",
        ],
    );
    let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
    assert_eq!(report["players"][0]["versions"]["fluid-player"], "3.58.0");
    let cases = report["cases"].as_array().expect("it lists cases");
    assert_eq!(cases.len(), SHORT.len());
    for case in cases {
        assert_ne!(case["cells"][0]["verdict"], "unknown", "{case}");
        let name = case["name"].as_str().expect("a case has a name");
        let path = format!("{folder}/fluid-player/chromium/{name}.jsonl");
        let recording =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        // Times depend on what else the machine does; that content is seen to its end does not.
        for line in [
            r#""kind":"ui","name":"shown""#,
            r#""kind":"media","name":"ended""#,
        ] {
            assert!(recording.contains(line), "{name} has no line with {line}");
        }
    }
}
