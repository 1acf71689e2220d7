//! Archives of everything that ships, replayed: a browser gets from Playwright what the player got.
//!
//! The test needs Node, the package `playwright-core` and Chromium, which the project does not
//! include; without them it says so and passes. `PLAYSIM_PLAYWRIGHT` names the folder whose
//! `node_modules` has the package (default: this project's), `PLAYSIM_CHROMIUM` the browser
//! (default: /usr/bin/chromium).

use super::*;

/// The archives of the scenarios that ship, and of one with redirects, unusual URLs and failures.
fn archives() -> Vec<PathBuf> {
    let folder = folder("replay");
    let names: Vec<&str> = playsim_scenario::FAILURES
        .iter()
        .map(|ready| ready.name)
        .collect();
    let mut stems: Vec<String> = vec!["first".to_owned(), "odd".to_owned()];
    assert_eq!(run(&folder, &["new", "first"]).code, 0);
    fs::write(folder.join("odd.yaml"), ODD).expect("it can be written");
    for name in ["waterfall"].iter().chain(&names) {
        // Each has its own files, and their names may be the same.
        let inner = folder.join(name);
        fs::create_dir_all(&inner).expect("a folder can be made");
        let ran = run(&inner, &["new", name, "--from", name]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        stems.push(format!("{name}/{name}"));
    }
    let archive = |stem: &String| {
        let (scenario, archive) = (format!("{stem}.yaml"), format!("{stem}.har"));
        let ran = run(
            &folder,
            &["run", &scenario, "--format", "har", "-o", &archive],
        );
        assert!(ran.code <= 1, "{stem}: {}", ran.stderr);
        folder.join(archive)
    };
    stems.iter().map(archive).collect()
}

const ODD: &str = r##"
page: { url: "https://www.page.test/a/watch?v=1" }
videos: [{ id: v1, renditions: { sd: ../film.mp4 } }]
media: { default: { duration: 3s } }
network:
  "https://ads.test/a b?c=[X]&d=é": { text: "{ \"no\": \"VAST\" }" }
  https://ads.test/on: { status: 307, redirect: "https://ads.test/on/2" }
  https://ads.test/on/2: { redirect: "https://ads.test/there" }
  https://ads.test/there: { text: "<!doctype html><p>é</p>" }
  https://ads.test/round: { redirect: "https://ads.test/round" }
  https://ads.test/503: { status: 503, text: "later" }
  https://ads.test/204: { status: 204 }
  https://ads.test/refused: { fails: refused }
  https://ads.test/reset: { fails: reset }
  https://ads.test/never: { fails: timeout }
player:
  ads:
    - adType: 0
      adTimeType: s
      mobile: ["https://ads.test/a b?c=[X]&d=é", https://ads.test/on, https://ads.test/503, https://ads.test/204, https://ads.test/refused, https://ads.test/reset, https://ads.test/never, https://ads.test/round, "/tags/none", "https://ads.test/[Y]"]
"##;

#[test]
fn a_page_that_is_served_from_an_archive_gets_what_the_player_got() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let packages = variable("PLAYSIM_PLAYWRIGHT").unwrap_or_else(|| root.to_owned());
    let chromium =
        variable("PLAYSIM_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    let archives = archives();
    if !has_node || !chromium.exists() || !packages.join("node_modules/playwright-core").exists() {
        eprintln!("not replayed: Node, playwright-core or Chromium is not installed");
        return;
    }
    let mut command = Command::new("node");
    command
        .arg(root.join("tests/har/replay.mjs"))
        .arg(&packages)
        .arg(&chromium)
        .args(&archives);
    let output = command.output().expect("Node runs");
    let (said, wrong) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}{wrong}");
    eprintln!("{said}");
}
